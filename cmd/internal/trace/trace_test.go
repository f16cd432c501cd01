package trace

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moobench/analysis/report/doc"
)

func TestShort(t *testing.T) {
	for _, c := range []struct {
		command []string
		want    string
	}{
		{[]string{"java", "-jar", "app.jar"}, "java -jar app.jar"},
		{[]string{"/usr/bin/java", "-cp", "/home/u/lib/h2.jar", "org.h2.Main"}, "java -cp h2.jar org.h2.Main"},
		{[]string{"java", strings.Repeat("ä", 100)}, "java " + strings.Repeat("ä", 64) + "…"},
	} {
		if got := short(c.command); got != c.want {
			t.Errorf("%q is %q, want %q", c.command, got, c.want)
		}
	}
}

// TestParse: what is monitored becomes patterns with their signs.
func TestParse(t *testing.T) {
	for _, c := range []struct {
		classes, annotations, patterns []string
		want                           string // patterns, or the error
	}{
		{[]string{"com.acme.Queue"}, nil, nil, "+ com.acme.Queue.*(..)"},
		{nil, []string{"com.acme.Monitored"}, nil, "+ @com.acme.Monitored *.*(..)"},
		{nil, nil, []string{"* com.acme..*.*(..)", "- * com.acme..*.get*()"}, "+ * com.acme..*.*(..); - * com.acme..*.get*()"},
		{nil, nil, nil, "nothing is monitored"},
		{[]string{"odd.a.Odd-Name$ with space", `odd.<x>`}, nil, nil, `+ odd.a.Odd-Name$\u0020with\u0020space.*(..); + odd.\u003cx\u003e.*(..)`},
		{nil, nil, []string{`odd.a.two\ blanks(..)`}, `+ odd.a.two\u0020blanks(..)`},
		{[]string{"com/acme"}, []string{"2..."}, []string{"+ odd"}, `--class: "com/acme" is not a name`},
	} {
		w, err := Parse([]string{"java"}, c.classes, c.annotations, c.patterns)
		got := strings.Join(w.patterns, "; ")
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%q %q %q: %s, want %s", c.classes, c.annotations, c.patterns, got, c.want)
		}
	}
}

// block is a part of a log of events.
func block(kind, id uint32, content []byte) []byte {
	var b []byte
	for _, v := range []uint32{kind, id, uint32(len(content))} {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return append(b, content...)
}

// longs are numbers as a log has them.
func longs(values ...uint64) (b []byte) {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}

// aLog is one of a thread that executes a method once.
func aLog() []byte {
	events := longs(0, 15<<60, 100, 7, 200, 1<<60|7) // the thread, and a method that begins and returns
	return slices.Concat([]byte("moobench-events 1 event=16\n"), block(1, 0, []byte("public void a.B.run()")), block(2, 0, []byte("main")), block(3, 0, events))
}

// TestABadLogCostsItself: a log that is empty, cut in its first line, of something else or with
// times that can't be is named, and the others are told. Where there is no other, it is an error.
func TestABadLogCostsItself(t *testing.T) {
	far := bytes.Replace(aLog(), binary.LittleEndian.AppendUint64(nil, 200), binary.LittleEndian.AppendUint64(nil, 1<<62), 1)
	for name, bad := range map[string][]byte{"empty": {}, "cut": aLog()[:9], "other": []byte("PK\x03\x04 and much more of it than that"), "far": far} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write := func(file string, content []byte) {
				t.Helper()
				if err := os.WriteFile(filepath.Join(dir, file), content, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			print := func() (string, error) {
				t.Helper()
				r, err := Find(Wanted{command: []string{"java"}}, dir)
				if err != nil {
					t.Fatal(err)
				}
				d, err := r.document(false)
				var b strings.Builder
				if err == nil {
					err = doc.Text(&b, d, doc.TextOptions{Width: 400})
				}
				return b.String(), err
			}
			write("events-2.bin", bad)
			if out, err := print(); err == nil || !strings.Contains(err.Error(), "events-2.bin: ") {
				t.Errorf("alone: %v\n%s", err, out)
			}
			write("events-1.bin", aLog())
			out, err := print()
			if err != nil || !strings.Contains(out, "2 events") || !strings.Contains(out, "because its log can't be read: events-2.bin: ") {
				t.Errorf("beside another: %v\n%s", err, out)
			}
		})
	}
}

// TestFresh: a folder with logs is no place for more.
func TestFresh(t *testing.T) {
	dir := t.TempDir()
	if err := Fresh(dir); err != nil {
		t.Error(err)
	}
	if err := (&Wanted{verb: Trace}).Keep(dir, ""); err != nil || Fresh(dir) != nil { // of a program that did not start
		t.Error(err, Fresh(dir))
	}
	if err := Fresh(folder(t, map[string]string{runFile: `{"runs": 7}`})); err == nil || !strings.Contains(err.Error(), "is not a file that moobench keeps") {
		t.Errorf("a file of somebody else would be written over: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "events-7.bin"), aLog(), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Fresh(dir); err == nil || !strings.Contains(err.Error(), "events-7.bin") {
		t.Error(err)
	}
}
