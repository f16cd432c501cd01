package importer

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"moobench/refusal"
	"moobench/results"
)

// TestRecords: every record is told with its line, and what is wrong with another costs only that one.
func TestRecords(t *testing.T) {
	broken := errors.New("the disk is broken")
	for name, c := range map[string]struct {
		f        CSV
		text     string
		most     int   // records that are wanted; 0: all
		end      error // nil: the text ends
		want     string
		mistakes string
	}{
		"records":           {f: CSV{Comma: ','}, text: "a,b\n\n\"c\nd\",e\nf,g\n", want: "1 [a b] 3 [c\nd e] 5 [f g]"},
		"another separator": {f: CSV{Comma: ';'}, text: "a;b,c\n", want: "1 [a b,c]"},
		"another length": {
			f: CSV{Comma: ','}, text: "a,b\nc\nd,e\nf,g,h\n", want: "1 [a b] 3 [d e]",
			mistakes: "f.csv:2: it has 1 columns, and the first line 2\nf.csv:4: it has 3 columns, and the first line 2",
		},
		"any length": {f: CSV{Comma: ',', AnyWidth: true}, text: "a,b\nc\nd,e,f\n", want: "1 [a b] 2 [c] 3 [d e f]"},
		"malformed": {
			f: CSV{Comma: ','}, text: "a,b\nc\"d,e\nf,g\n", want: "1 [a b] 3 [f g]",
			mistakes: `f.csv:2: bare " in non-quoted-field`,
		},
		"a broken disk": {
			f: CSV{Comma: ','}, text: "a,b\nc,d\n", end: broken, want: "1 [a b] 2 [c d]",
			mistakes: "f.csv:3: the disk is broken",
		},
		"broken at once": {f: CSV{Comma: ','}, end: broken, mistakes: "f.csv:1: the disk is broken"},
		"the first":      {f: CSV{Comma: ','}, text: "a,b\nc\nd,e\n", most: 1, want: "1 [a b]"},
	} {
		c.f.Name, c.f.Mistakes = "f.csv", &refusal.Mistakes{}
		in := io.Reader(strings.NewReader(c.text))
		if c.end != nil {
			in = io.MultiReader(in, iotest.ErrReader(c.end))
		}
		var got []string
		for line, record := range c.f.Records(in) {
			if got = append(got, fmt.Sprint(line, record)); len(got) == c.most {
				break
			}
		}
		if text := strings.Join(got, " "); text != c.want || c.f.Mistakes.Error() != c.mistakes {
			t.Errorf("%s: %q and %q, want %q and %q", name, text, c.f.Mistakes.Error(), c.want, c.mistakes)
		}
	}
	var got []string
	f := CSV{Name: "f.csv", Comma: ',', Mistakes: &refusal.Mistakes{}, Malformed: func(line int, why error) {
		got = append(got, fmt.Sprint(line, " ", why))
	}}
	for line, record := range f.Records(strings.NewReader("a,b\nc\"d,e\nf,g\n")) {
		got = append(got, fmt.Sprint(line, record))
	}
	want := []string{"1 [a b]", `2 bare " in non-quoted-field`, "3 [f g]"}
	if !slices.Equal(got, want) || f.Mistakes.Count > 0 {
		t.Errorf("%q and %q, want %q", got, f.Mistakes.Error(), want)
	}
}

// TestReasons: what is left out is told once for each reason, with the place of the first.
func TestReasons(t *testing.T) {
	var l LeftOut
	l.Add("value is not a number", "values are not numbers", "a.csv", 7, "x\ny")
	l.Add("file is empty", "files are empty", "b.csv", 0, "")
	l.Add("value is not a number", "values are not numbers", "b.csv", 1, "z")
	l.Add("line is cut off", "lines are cut off", "c.csv", 1, "")
	want := []string{
		"2 values are not numbers: left out, first at a.csv:7 (x y)",
		"1 file is empty: left out, at b.csv",
		"1 line is cut off: left out, at c.csv:1",
	}
	if diff := cmp.Diff(want, l.Texts()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestLimited: several readers share what may be read, and who reads on is told that it was all.
func TestLimited(t *testing.T) {
	full, left := errors.New("it is too much"), int64(5)
	for _, c := range []struct {
		text, want string
		err        error
	}{{"abc", "abc", nil}, {"def", "de", full}, {"g", "", full}} {
		got, err := io.ReadAll(Limited{In: strings.NewReader(c.text), Left: &left, Full: full})
		if string(got) != c.want || err != c.err {
			t.Errorf("of %q %q is read, %v; want %q, %v", c.text, got, err, c.want, c.err)
		}
	}
}

// TestBrokenInTheEnd: what can't be read to its end is an error, although a format has read what it wanted; if that is
// wrong already, no second mistake is made of it.
func TestBrokenInTheEnd(t *testing.T) {
	broken := errors.New("the disk is broken")
	for _, wrong := range []bool{false, true} {
		in, mistakes := io.MultiReader(strings.NewReader("a,b\n"), iotest.ErrReader(broken)), &refusal.Mistakes{}
		err := new(Copies).Read("f.csv", in, mistakes, func(text io.Reader) error {
			if wrong {
				mistakes.At("f.csv", 1, "it is wrong")
			}
			return nil
		})
		if errors.Is(err, broken) == wrong || mistakes.Count > 1 {
			t.Errorf("wrong: %v, error %v, %v", wrong, err, mistakes)
		}
	}
}

// TestUsualTests: cells are compared by the test that fits their design, unless a question asks for another one.
func TestUsualTests(t *testing.T) {
	for design, want := range map[results.Design]results.Comparison{
		results.DesignUnordered: results.TestWelch, results.DesignPaired: results.TestPaired,
	} {
		b := NewBuilder(Request{}, "tool", "", results.Scenario{})
		b.Campaign.Design = design
		b.Cell(results.Cell{Variant: "a"})
		b.Cell(results.Cell{Variant: "b"})
		text := func(cell, baseline *results.Cell) string { return "?" }
		err := b.Compare("", Question{Metric: "m", Text: text}, Question{Metric: "n", Text: text, Test: results.TestRates})
		if q := b.Scenario().Questions; err != nil || len(q) != 2 || q[0].Test != want || q[1].Test != results.TestRates {
			t.Errorf("%s: %+v, %v", design, q, err)
		}
	}
}

// TestNoCells: a campaign without cells has no baseline, whatever it would be called.
func TestNoCells(t *testing.T) {
	b := NewBuilder(Request{}, "tool", "", results.Scenario{})
	err := b.Compare("")
	if err == nil || !strings.Contains(err.Error(), `there is no variant "" to be the baseline`) {
		t.Errorf("error %v", err)
	}
}

// TestRemarks: a remark is one line, and no remark is none.
func TestRemarks(t *testing.T) {
	b := NewBuilder(Request{}, "tool", "", results.Scenario{})
	b.LeaveOut("", "a\nb\x1b[2J", "")
	if want := []string{"a b [2J"}; !slices.Equal(b.Campaign.LeftOut, want) {
		t.Errorf("%q, want %q", b.Campaign.LeftOut, want)
	}
}

// TestHead: a format sees the beginning of a file, without a mark and at most so much.
func TestHead(t *testing.T) {
	long := strings.Repeat("x", headMost)
	for _, c := range []struct {
		text, want, wrong string
		foreign           bool
	}{
		{text: "a,b\n", want: "a,b\n"},
		{text: "\ufeffa,b\n", want: "a,b\n"},
		{text: ""},
		{text: long, want: long},
		{text: long + "y", want: long},
		{text: "goos: linux\n", wrong: "this is what go test -bench prints"},
		{text: "goos: linux\n", want: "goos: linux\n", foreign: true},
		{text: sixteen("1\n", false), wrong: "it is UTF-16", foreign: true},
	} {
		got, err := Head(write(t, c.text)[0].Path, c.foreign)
		if got != c.want || (err != nil) != (c.wrong != "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%.20q: %.20q, %v; want %.20q, %s", c.text, got, err, c.want, c.wrong)
		}
	}
	if _, err := Head(t.TempDir()+"/none", false); err == nil {
		t.Error("a file that is not there has a beginning")
	}
}
