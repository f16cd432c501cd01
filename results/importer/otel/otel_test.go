package otel

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"moobench/refusal"
	"moobench/results"
	"moobench/results/importer"
)

const nights = `timestamp,latest:startupDurationMs,none:startupDurationMs,latest:maxHeapUsed,none:maxHeapUsed,latest:totalAllocatedMB,none:totalAllocatedMB,latest:requestAvg,none:requestAvg,latest:wonders,none:wonders
1700000000,17680,16045,343734272,9223372036854775807,2.5,1,10.5,10,1,2
1700086400,18651,17042,301395968,NaN,3,1,11.5,,1,2
`

func files(t *testing.T, texts ...string) []importer.File {
	t.Helper()
	var all []importer.File
	dir := t.TempDir()
	for i, text := range texts {
		path := filepath.Join(dir, fmt.Sprintf("r%d.csv", i))
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		all = append(all, importer.File{Path: path})
	}
	return all
}

func importAll(t *testing.T, baseline string, all []importer.File) (*results.Campaign, []*results.Invocation) {
	t.Helper()
	s, err := importFiles(t.Context(), importer.Request{
		Dir: filepath.Join(t.TempDir(), "campaign"), Files: all, Baseline: baseline, Name: "made-up", Created: time.Unix(1_700_000_000, 0).UTC(),
	})
	if err != nil {
		t.Fatal(err)
	}
	if damages := s.Damages(t.Context()); len(damages) > 0 {
		t.Error(damages)
	}
	list, err := s.Invocations()
	if err != nil {
		t.Fatal(err)
	}
	return s.Campaign(), list
}

func TestImport(t *testing.T) {
	c, list := importAll(t, "", files(t, nights))
	if c.Design != results.DesignUnordered || len(c.Blocks) != 0 || len(c.Cells) != 2 || len(list) != 4 {
		t.Fatalf("%s has %d blocks, %d cells and %d invocations", c.Design, len(c.Blocks), len(c.Cells), len(list))
	}
	if c.Cells[0].Variant != "latest" || c.Cells[0].Baseline != "c01" || c.Cells[1].Role != results.RoleBaseline {
		t.Errorf("cells %+v", c.Cells)
	}
	want := map[string]float64{"startup": 17680e6, "heap_max": 343734272, "allocated": 2.5 * (1 << 20), "request_mean": 10.5e6}
	if diff := cmp.Diff(want, list[0].Scalars); diff != "" {
		t.Errorf("scalars (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]float64{"startup": 17042e6, "allocated": 1 << 20}, list[3].Scalars); diff != "" {
		t.Errorf("what was not observed is absent (-want +got):\n%s", diff)
	}
	if list[3].Identity.String() != "b0002.s01.r0" || !list[3].End.Equal(time.Unix(1700086400, 0)) {
		t.Errorf("%s at %v", list[3].Identity, list[3].End)
	}
	var metrics []string
	for _, m := range c.Scenarios[0].Metrics {
		metrics = append(metrics, m.Name+" "+m.Unit+" "+string(m.Better))
	}
	if diff := cmp.Diff([]string{"request_mean ns lower", "startup ns lower", "allocated B lower", "heap_max B lower"}, metrics); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
	if !strings.HasSuffix(c.About, "Left out, because their meaning is not known: wonders.") {
		t.Errorf("about %q", c.About)
	}
}

// Older files call the start-up by another name, and have fewer fields and
// agents.
func TestSeveralFiles(t *testing.T) {
	older := "\ufefftimestamp,none:startupTimeMs,snapshot:startupTimeMs\r\n1600000000,1,2\r\n"
	c, list := importAll(t, "latest", files(t, nights, older))
	if len(c.Cells) != 3 || len(list) != 6 || c.Cells[2].Variant != "snapshot" || c.Cells[2].Baseline != "c00" {
		t.Fatalf("cells %+v, %d invocations", c.Cells, len(list))
	}
	if last := list[5]; last.Block != 3 || last.Cell != "c02" || last.Scalars["startup"] != 2e6 {
		t.Errorf("%+v", last)
	}
}

func TestIsHeader(t *testing.T) {
	for line, want := range map[string]bool{
		"timestamp,none:requestAvg\n": true, "\ufefftimestamp,none:requestAvg": true,
		"timeStamp,elapsed,label\n": false, "timestamp,a,b": false, "": false,
	} {
		if Format().Header(line) != want {
			t.Errorf("%q: %v", line, !want)
		}
	}
}

func TestMistakes(t *testing.T) {
	head := "timestamp,none:requestAvg,a:requestAvg\n"
	for name, c := range map[string]struct{ text, want string }{
		"empty":       {"", "r0.csv: it has no runs"},
		"no nights":   {head, "r0.csv: it has no runs"},
		"another":     {"time,none:requestAvg\n", `r0.csv:1: the first column is "time", and of these results it is timestamp`},
		"no agents":   {"timestamp\n1\n", "r0.csv:1: it has no column of any agent"},
		"columns":     {"timestamp,x,none:a,none:a\n", "r0.csv:1: column \"x\" is not called agent:field\nr0.csv:1: there are two columns none:a"},
		"unknown":     {"timestamp,none:a\n1,2\n", "no column has a known meaning: is this a result file of OpenTelemetry's benchmark-overhead?"},
		"widths":      {head + "1,2\n1,2,3,4\n", "r0.csv:2: it has 2 columns, and the first line 3\nr0.csv:3: it has 4 columns, and the first line 3"},
		"numbers":     {head + "soon,1,2\n1,fast,-1\n", "r0.csv:2: timestamp \"soon\" is no number of seconds since 1970\nr0.csv:3: none:requestAvg \"fast\" is no number\nr0.csv:3: a:requestAvg \"-1\" is below 0, which none of these can be"},
		"quotes":      {head + "1,\"2\"3,4\n", `r0.csv:2: extraneous or missing " in quoted-field`},
		"wide":        {"timestamp" + strings.Repeat(",a:b", columnsMost) + "\n", "r0.csv:1: it has 10001 columns: is this a result file of OpenTelemetry's benchmark-overhead?"},
		"wide digits": {head + "1,1e999,2\n", `r0.csv:2: none:requestAvg "1e999" is no number`},
	} {
		t.Run(name, func(t *testing.T) {
			all, dir := files(t, c.text), filepath.Join(t.TempDir(), "campaign")
			_, err := importFiles(t.Context(), importer.Request{Dir: dir, Files: all, Name: "x"})
			var mistakes *refusal.Mistakes
			if !errors.As(err, &mistakes) {
				t.Fatalf("error %v", err)
			}
			if diff := cmp.Diff(c.want, strings.ReplaceAll(err.Error(), filepath.Dir(all[0].Path)+"/", "")); diff != "" {
				t.Errorf("mistakes (-want +got):\n%s", diff)
			}
			if left, _ := os.ReadDir(filepath.Dir(dir)); len(left) > 0 {
				t.Errorf("%s is left", left[0].Name())
			}
		})
	}
}

// What is no file is not waited for, nor read without end; what is too long is told.
func TestNoFile(t *testing.T) {
	dir := t.TempDir()
	pipe, long := filepath.Join(dir, "pipe.csv"), filepath.Join(dir, "long.csv")
	if err := errors.Join(unix.Mkfifo(pipe, 0o600), os.WriteFile(long, nil, 0o600), os.Truncate(long, sizeMost+1)); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{pipe: "it is no regular file", "/dev/zero": "it is no regular file", long: "it is longer than 67108864 bytes: is this a result file of OpenTelemetry's benchmark-overhead?"} {
		_, err := importFiles(t.Context(), importer.Request{Dir: filepath.Join(dir, "c"), Files: []importer.File{{Path: path}}})
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: error %v", path, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(nights)
	f.Add("timestamp,a:b\n1,\n")
	f.Fuzz(func(t *testing.T, text string) {
		table := &table{known: fields(), seen: map[string]bool{}, mistakes: &refusal.Mistakes{}}
		table.read("x", strings.NewReader(text))
		if table.mistakes.Count == 0 && table.nights == 0 {
			t.Error("neither a night nor a mistake")
		}
	})
}
