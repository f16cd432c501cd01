package otel

import (
	"errors"
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
	"moobench/results/importer/internal/testimport"
)

const nights = `timestamp,latest:startupDurationMs,none:startupDurationMs,latest:maxHeapUsed,none:maxHeapUsed,latest:totalAllocatedMB,none:totalAllocatedMB,latest:requestAvg,none:requestAvg,latest:wonders,none:wonders
1700000000,17680,16045,343734272,9223372036854775807,2.5,1,10.5,10,1,2
1700086400,18651,17042,301395968,NaN,3,1,11.5,,1,2
`

// importing imports what this format knows.
var importing = testimport.Importer(importFiles)

func files(t *testing.T, texts ...string) []importer.File {
	return testimport.Files(t, "r%d.csv", texts...)
}

func TestImport(t *testing.T) {
	c, list := importing.Campaign(t, importer.Request{}, files(t, nights))
	if c.Design != results.DesignPaired || len(c.Blocks) != 0 || len(c.Cells) != 2 || len(list) != 4 {
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
	c, list := importing.Campaign(t, importer.Request{Baseline: "latest"}, files(t, nights, older))
	if len(c.Cells) != 3 || len(list) != 6 || c.Cells[2].Variant != "snapshot" || c.Cells[2].Baseline != "c00" {
		t.Fatalf("cells %+v, %d invocations", c.Cells, len(list))
	}
	if last := list[5]; last.Block != 3 || last.Cell != "c02" || last.Scalars["startup"] != 2e6 {
		t.Errorf("%+v", last)
	}
}

func TestIsHeader(t *testing.T) {
	for line, want := range map[string]bool{
		"timestamp,none:requestAvg\n": true,
		"timeStamp,elapsed,label\n":   false, "timestamp,a,b": false, "": false,
	} {
		if Format().Header(line) != want {
			t.Errorf("%q: %v", line, !want)
		}
	}
}

// TestAddsAgent: a line is one of an agent more where it has as many columns more as an agent has,
// and every agent has the same number of them.
func TestAddsAgent(t *testing.T) {
	two := []column{{name: "date"}, {agent: "a"}, {agent: "b"}, {agent: "a"}, {agent: "b"}, {agent: "a"}, {agent: "b"}}
	for width, want := range map[int]bool{1: false, 4: false, 7: false, 8: false, 9: false, 10: true, 11: false, 13: true} {
		if got := addsAgent(two, width); got != want {
			t.Errorf("%d columns after 7: %v", width, got)
		}
	}
	uneven := two[:6] // of one agent 3, of the other 2
	for width := range 13 {
		if addsAgent(uneven, width) {
			t.Errorf("%d columns after 6", width)
		}
	}
}

func TestMistakes(t *testing.T) {
	head := "timestamp,none:requestAvg,a:requestAvg\n"
	for name, c := range map[string]struct{ text, want string }{
		"empty":     {"", "r0.csv: it has no runs"},
		"no nights": {head, "there is no run of an agent in what was given"},
		"another":   {"time,none:requestAvg\n", `r0.csv:1: the first column is "time", and of these results it is timestamp`},
		"no agents": {"timestamp\n1\n", "r0.csv:1: it has no column of any agent"},
		"columns":   {"timestamp,x,none:a,none:a\n", "r0.csv:1: column \"x\" is not called agent:field\nr0.csv:1: there are two columns none:a"},
		"unknown":   {"timestamp,none:a\n1,2\n", "no column has a known meaning: is this a result file of OpenTelemetry's benchmark-overhead?"},
		"wide":      {"timestamp" + strings.Repeat(",a:b", columnsMost) + "\n", "r0.csv:1: it has 10001 columns: is this a result file of OpenTelemetry's benchmark-overhead?"},
		"no night": {head + "soon,1,2\n1,fast,-1\n", "there is no run of an agent in what was given; 1 line has no time that is a number of seconds since 1970: left out, at r0.csv:2 (\"soon\"); " +
			"1 value is not a number: left out, at r0.csv:3 (none:requestAvg \"fast\"); 1 value is -1, which stands for “not observed”: left out, at r0.csv:3 (a:requestAvg \"-1\")"},
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

// What is not a file is not waited for, nor read without end; what is too long is told.
func TestNoFile(t *testing.T) {
	dir := t.TempDir()
	pipe, long := filepath.Join(dir, "pipe.csv"), filepath.Join(dir, "long.csv")
	if err := errors.Join(unix.Mkfifo(pipe, 0o600), os.WriteFile(long, nil, 0o600), os.Truncate(long, sizeMost+1)); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{pipe: "it is not a regular file", "/dev/zero": "it is not a regular file", long: "it is longer than 67108864 bytes: is this a result file of OpenTelemetry's benchmark-overhead?"} {
		_, err := importFiles(t.Context(), importer.Request{Dir: filepath.Join(dir, "c"), Files: []importer.File{{Path: path}}})
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: error %v", path, err)
		}
	}
}

// What can't be right costs itself: a cell its value, a line its night. All of it is said once, with how much
// it is and where.
func TestLeftOut(t *testing.T) {
	const head = "timestamp,none:requestAvg,a:requestAvg,none:netWriteAvg,a:netWriteAvg\n"
	const good = "\n1700000000,1,2,3,4\n1700000001,2,3,4,5\n"
	for name, c := range map[string]struct {
		text string
		runs int // of which those of the two good nights
		want string
	}{
		"nothing":      {good, 4, ""},
		"not observed": {good + "3,1,2,-1,-1\n4,1,2,-1.0,3\n", 8, `3 values are -1, which stands for “not observed”: left out, first at r0.csv:5 (none:netWriteAvg "-1")`},
		"below 0":      {good + "3,1,2,-7,3\n", 6, `1 value is below 0, which none of these can be: left out, at r0.csv:5 (none:netWriteAvg "-7")`},
		"no number":    {good + "3,1,fast,3,4\n4,1,2,3,1e999\n", 8, `2 values are not numbers: left out, first at r0.csv:5 (a:requestAvg "fast")`},
		"cut off":      {good + "3,1", 4, `1 line has not as many columns as have names: left out, at r0.csv:5 (2 columns, and 5 names)`},
		"one too many": {good + "3,1,5,2,3,4\n4,1,2,3,4\n", 6, `1 line has not as many columns as have names: left out, at r0.csv:5 (6 columns, and 5 names)`},
		"quotes":       {good + "3,1,\"2\"3,4,5\n4,1,2,3,4\n", 6, `1 line can't be read: left out, at r0.csv:5 (extraneous or missing " in quoted-field)`},
		"no time":      {good + "soon,1,2,3,4\n", 4, `1 line has no time that is a number of seconds since 1970: left out, at r0.csv:5 ("soon")`},
		"again":        {good + good, 4, `2 lines have the time of another one: the same nights: left out, first at r0.csv:6 ("1700000000")`},
		"an agent more": {
			good + "3,1,2,3,4,5,6\n4,1,2,3,4,5,6\n5,1,2,3,4\n", 4,
			`3 lines come from where there is one agent more than the header names: what their columns mean is not known: left out, first at r0.csv:5 (7 columns, and 5 names)`,
		},
		"named again":  {good + "timestamp,none:requestAvg,a:requestAvg,b:requestAvg\n3,1,2,3\n", 7, ""},
		"absent agent": {good + "3,1,,3,\n4,1,2,3,4\n", 7, "a has no value in 1 of 4 nights: what is there may be the better ones"},
	} {
		t.Run(name, func(t *testing.T) {
			all := files(t, head+c.text)
			campaign, list := importing.Campaign(t, importer.Request{}, all)
			got := strings.ReplaceAll(strings.Join(campaign.LeftOut, "\n"), filepath.Dir(all[0].Path)+"/", "")
			if diff := cmp.Diff(c.want, got); diff != "" || len(list) != c.runs {
				t.Errorf("%d runs, want %d; left out (-want +got):\n%s", len(list), c.runs, diff)
			}
		})
	}
}

// Each night of yesterday's file is in today's, too: it counts once.
func TestGrownFile(t *testing.T) {
	_, once := importing.Campaign(t, importer.Request{}, files(t, nights))
	campaign, list := importing.Campaign(t, importer.Request{}, files(t, strings.Join(strings.SplitAfter(nights, "\n")[:2], ""), nights))
	if len(list) != len(once) || len(campaign.LeftOut) != 1 {
		t.Errorf("%d runs, want %d; %q", len(list), len(once), campaign.LeftOut)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(nights)
	f.Add("timestamp,a:b\n1,\n")
	f.Fuzz(func(t *testing.T, text string) {
		table := newTable()
		table.read("x", strings.NewReader(text))
		if table.mistakes.Count == 0 && table.nights > len(text) {
			t.Errorf("%d nights", table.nights)
		}
	})
}
