package receiver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moobench/harness/proc"
)

// small is a file of three events moobench.Execution; see results/jfr.
func small(t *testing.T) []byte {
	t.Helper()
	file, err := os.ReadFile("../../results/jfr/testdata/small.jfr")
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// TestRecordings: events are counted in all files of the pattern, and what is wrong with them is
// said.
func TestRecordings(t *testing.T) {
	for _, test := range []struct {
		name     string
		more     Told
		files    map[string][]byte
		marked   bool // the loop has ended just now, long after the recording
		records  int64
		err, say string
	}{
		{name: "two files", files: map[string][]byte{"a.jfr": small(t), "b.jfr": small(t), "c.txt": nil}, records: 6, say: "lost 8192 bytes of events"},
		{name: "the largest number", more: Told{"most": {"id"}}, files: map[string][]byte{"a.jfr": small(t)}, records: 7, say: "lost 4096 bytes"},
		{name: "no such number", more: Told{"most": {"nothing"}}, files: map[string][]byte{"a.jfr": small(t)}, err: `no field "nothing"`, say: ""},
		{name: "another event", more: Told{"event": {"jdk.ExecutionSample"}}, files: map[string][]byte{"a.jfr": small(t)}, say: "lost 4096 bytes"},
		{name: "no file", marked: true, say: "no recording was written"},
		{name: "ended early", more: Told{"whole": {"true"}}, marked: true, files: map[string][]byte{"a.jfr": small(t)}, records: 3, err: "before the last measured call: something in the JVM stopped it", say: "lost"},
		{name: "ended early, as it may", marked: true, files: map[string][]byte{"a.jfr": small(t)}, records: 3, say: "the last recording ended"},
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
				if err := os.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			source, err := Open(t.Context(), "jfr", dir, told)
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
			if tally.Records != test.records || !strings.Contains(tally.Missing, test.say) || test.say == "" && tally.Missing != "" {
				t.Errorf("%+v, want %d records, and said %q", tally, test.records, test.say)
			}
		})
	}
}

func TestToldOfRecordings(t *testing.T) {
	for want, told := range map[string]Told{
		"want the name of the events": {"jfr": {"{dir}/*.jfr"}},
		"is not in {dir}":             {"jfr": {"/tmp/*.jfr"}, "event": {"x"}},
		"is no pattern of files":      {"jfr": {"{dir}/[.jfr"}, "event": {"x"}},
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
