package console

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"moobench/analysis"
	"moobench/analysis/infer"
	"moobench/harness/strict"
	"moobench/refusal"
)

// TestComplain: an error is one line, what to do about it another, and of very many mistakes the first are shown.
func TestComplain(t *testing.T) {
	var many strict.Errors
	for i := range 25 {
		many = append(many, &strict.Error{Path: "x.toml", Line: i + 1, Column: 2, Msg: "it is wrong"})
	}
	first, more := many.First()
	listed := ""
	for _, m := range first {
		listed += "moobench: error: " + m.Error() + "\n"
	}
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"an error":    {errors.New("it is wrong"), "moobench: error: it is wrong\n"},
		"advice":      {refusal.New(errors.New("it is wrong"), "mend it"), "moobench: error: it is wrong\nmoobench: hint: mend it\n"},
		"two":         {errors.Join(refusal.New(errors.New("a"), "b"), errors.New("c")), "moobench: error: a\nmoobench: hint: b\n  c\n"},
		"an odd name": {fmt.Errorf("%w: x\x1b", errors.New("a")), "moobench: error: a: x\ufffd\n"},
		"mistakes":    {fmt.Errorf("reading: %w", many[:1]), "moobench: error: " + many[0].Error() + "\n"},
		"one more":    {many[:len(first)+1], listed + "moobench: error: and 1 more\n"},
		"all of them": {many[:len(first)], listed},
		"many":        {many, listed + fmt.Sprintf("moobench: error: and %d more\n", more)},
	} {
		var said bytes.Buffer
		if (Console{Err: &said}).Complain(c.err); said.String() != c.want {
			t.Errorf("%s: %q, want %q", name, said.String(), c.want)
		}
	}
	if more <= 0 {
		t.Error("all of very many mistakes are shown")
	}
}

// TestGate: a gate that does not pass says so, and one that passes says nothing.
func TestGate(t *testing.T) {
	for verdict, want := range map[infer.Judgement]string{
		infer.Regression: "moobench: gate: no: it is so\n", infer.UndecidedYet: "moobench: gate: no: it is so\n", infer.Passed: "",
	} {
		var said bytes.Buffer
		gate := &analysis.GateAnswer{Verdict: verdict, Sentence: analysis.Sentence{Opening: "no", Rest: "it is so"}}
		if (Console{Err: &said}).Gate(&analysis.Answers{Gate: gate}); said.String() != want {
			t.Errorf("%s: %q, want %q", verdict, said.String(), want)
		}
	}
	var said bytes.Buffer
	if (Console{Err: &said}).Gate(&analysis.Answers{}); said.Len() > 0 {
		t.Errorf("no gate says %q", said.String())
	}
}

// TestItem: a name, and what is said of it from a column on; what is empty is left out.
func TestItem(t *testing.T) {
	var out bytes.Buffer
	c := Console{Out: &out}
	c.Item("name", 8, "one", "", strings.Repeat("two ", 50))
	c.Item("a longer name", 8, "three")
	if want := "name    one · " + strings.Repeat("two ", 50) + "\na longer namethree\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// TestNoScreen: what is not a terminal has the width of a file, and no colour.
func TestNoScreen(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "xterm")
	f, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, c := range []Console{{Out: &bytes.Buffer{}}, {Out: f}} {
		if o := c.Options(); Screen(c.Out) != nil || c.Width() != 80 || o.Width != widthOfFiles || o.Color {
			t.Errorf("%T: %d columns, %+v", c.Out, c.Width(), o)
		}
	}
	if got := width(f, 33); got != 33 {
		t.Errorf("a file that tells nothing has %d columns", got)
	}
}

// terminal is one of so many columns.
func terminal(t *testing.T, columns uint16) *os.File {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("needs a terminal: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	err = errors.Join(err, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0), unix.IoctlSetWinsize(int(master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: columns}))
	f, errOpen := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err := errors.Join(err, errOpen); err != nil {
		t.Skipf("needs a terminal: %v", err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// around writes to another writer.
type around struct{ io.Writer }

func (a around) Unwrap() io.Writer { return a.Writer }

// TestScreen: what a terminal has is asked of it, behind a writer too; one that says nothing is taken for the usual one.
func TestScreen(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "xterm")
	for columns, want := range map[uint16][2]int{60: {60, 60}, 0: {80, widthOfFiles}} {
		f := terminal(t, columns)
		for _, c := range []Console{{Out: f}, {Out: around{f}}} {
			if o := c.Options(); c.Width() != want[0] || o.Width != want[1] || !o.Color || Screen(c.Out) != f {
				t.Errorf("%d columns, %T: %d and %d wide, coloured %t", columns, c.Out, c.Width(), o.Width, o.Color)
			}
		}
	}
	for name, value := range map[string]string{"NO_COLOR": "1", "TERM": "dumb"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, value)
			if o := (Console{Out: terminal(t, 60)}).Options(); o.Color {
				t.Errorf("%s=%s is coloured", name, value)
			}
		})
	}
}

// TestItemOnAScreen: what is said of a name stands below itself where the line ends, and has twenty columns at least.
func TestItemOnAScreen(t *testing.T) {
	for columns, want := range map[uint16]string{
		40: "name      one two three four five six\n          seven eight nine\n", 20: "name      one two three four\n          five six seven eight\n          nine\n",
	} {
		out, err := os.Create(filepath.Join(t.TempDir(), "out"))
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		both := screenTo{terminal(t, columns), out}
		(Console{Out: both}).Item("name", 10, "one two three four five six seven eight nine")
		if got, err := os.ReadFile(out.Name()); err != nil || string(got) != want {
			t.Errorf("%d columns: %q, %v, want %q", columns, got, err, want)
		}
	}
}

// screenTo is a terminal whose words go to another writer.
type screenTo struct {
	screen *os.File
	io.Writer
}

func (s screenTo) Unwrap() io.Writer { return s.screen }

// TestWholeFiles: a file that can't be written is named, with what to do about it.
func TestWholeFiles(t *testing.T) {
	var out bytes.Buffer
	err := WriteWhole(&out, filepath.Join(t.TempDir(), "none", "x"), nil)
	if err == nil || !strings.HasPrefix(err.Error(), "writing the output: ") || refusal.Do(err) != "choose another file with -o" {
		t.Errorf("%v, %q", err, refusal.Do(err))
	}
}
