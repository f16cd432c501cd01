package receiver

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moobench/harness/proc"
)

// recorded is a file of three events moobench.Execution; see results/jfr.
func recorded(t *testing.T, name string) []byte {
	t.Helper()
	file, err := os.ReadFile("../../results/jfr/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// small is one of a recorder that doesn't note how a JVM ends.
func small(t *testing.T) []byte {
	t.Helper()
	return recorded(t, "small.jfr")
}

// TestRecordings: events are counted in all files of the pattern, and what is wrong with them is
// said.
func TestRecordings(t *testing.T) {
	for _, test := range []struct {
		name     string
		more     Told
		files    map[string][]byte
		marked   bool          // the loop has ended a minute ago, long after the recording
		written  time.Duration // ago the files were
		records  int64
		err, say string
	}{
		{name: "two files", files: map[string][]byte{"a.jfr": small(t), "b.jfr": small(t), "c.txt": nil}, records: 6, say: "lost 8192 bytes of events"},
		{name: "the largest number", more: Told{"most": {"id"}}, files: map[string][]byte{"a.jfr": small(t)}, records: 7, say: "lost 4096 bytes"},
		{name: "no such number", more: Told{"most": {"nothing"}}, files: map[string][]byte{"a.jfr": small(t)}, err: `no field "nothing"`, say: ""},
		{name: "another event", more: Told{"event": {"jdk.ExecutionSample"}}, files: map[string][]byte{"a.jfr": small(t)}, say: "lost 4096 bytes"},
		{name: "no file", marked: true, say: "no recording was written"},
		{
			name: "stopped", more: Told{"whole": {"true"}}, marked: true, files: map[string][]byte{"a.jfr": recorded(t, "stopped.jfr")}, records: 3,
			err: "before what was measured did: something in the JVM stopped it", say: "lost",
		},
		{name: "stopped, as it may", marked: true, files: map[string][]byte{"a.jfr": recorded(t, "stopped.jfr")}, records: 3, say: "the last recording ended"},
		{
			name: "the JVM took long to end", more: Told{"whole": {"true"}}, marked: true, files: map[string][]byte{"a.jfr": recorded(t, "ended.jfr")},
			records: 3, say: "the recording says that Flight Recorder lost 4096 bytes of events, of unknown types",
		},
		{
			name: "two, one of them stopped", more: Told{"whole": {"true"}}, marked: true,
			files: map[string][]byte{"a.jfr": recorded(t, "stopped.jfr"), "b.jfr": recorded(t, "ended.jfr")}, records: 6, say: "lost 8192",
		},
		{name: "a profiler that closed its file last", more: Told{"whole": {"true"}}, marked: true, files: map[string][]byte{"a.jfr": small(t)}, records: 3, say: "lost"},
		{
			name: "a profiler that was stopped", more: Told{"whole": {"true"}}, marked: true, written: time.Hour, files: map[string][]byte{"a.jfr": small(t)},
			records: 3, err: "before what was measured did: something in the JVM stopped it", say: "lost",
		},
		{name: "cut off", files: map[string][]byte{"a.jfr": small(t)[:200]}, err: "the file is cut off: 200 bytes of a chunk of", say: ""},
		{name: "an empty file", more: Told{"whole": {"true"}}, marked: true, files: map[string][]byte{"a.jfr": {}}, say: "no recording was written"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir, told := t.TempDir(), Told{"jfr": {"{dir}/*.jfr"}, "event": {"moobench.Execution"}}
			told["jfr"][0] = filepath.Join(dir, "*.jfr")
			for key, value := range test.more {
				told[key] = value
			}
			for name, content := range test.files {
				path, at := filepath.Join(dir, name), time.Now().Add(-test.written)
				if err := cmp.Or(os.WriteFile(path, content, 0o666), os.Chtimes(path, at, at)); err != nil {
					t.Fatal(err)
				}
			}
			source, err := Open(t.Context(), "jfr", dir, told, "")
			if err != nil {
				t.Fatal(err)
			}
			if test.marked {
				source.Mark(proc.MonotonicNS() - time.Minute.Nanoseconds())
			}
			tally, err := source.Finish(t.Context())
			if test.err == "" && err != nil || test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
				t.Errorf("error %v, want %q", err, test.err)
			}
			if tally.Records != test.records || !strings.Contains(tally.Missing, test.say) || strings.Contains(tally.Missing, "ended") != strings.Contains(test.say, "ended") || test.say == "" && tally.Missing != "" {
				t.Errorf("%+v, want %d records, and said %q", tally, test.records, test.say)
			}
		})
	}
}

func TestToldOfRecordings(t *testing.T) {
	for want, told := range map[string]Told{
		"want the name of the events": {"jfr": {"{dir}/*.jfr"}},
		"is not in {dir}":             {"jfr": {"/tmp/*.jfr"}, "event": {"x"}},
		"is not a pattern of files":   {"jfr": {"{dir}/[.jfr"}, "event": {"x"}},
	} {
		f, err := FormatNamed("jfr")
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Check(told); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
