package otel

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/results/importer"
)

// TestNights: each agent has its values beside the baseline's of the same night, for the primary and the key metrics;
// without either, or with 0, a value has no ratio.
func TestNights(t *testing.T) {
	const head = "timestamp,none:requestAvg,a:requestAvg,none:totalAllocatedMB,a:totalAllocatedMB," +
		"a:maxHeapUsed,none:maxHeapUsed\n"
	const nothing = "no night has a value of an agent and of none"
	for name, c := range map[string]struct {
		baseline, lines string
		want            []string
		fails           string
	}{
		"two": {
			"", "86400,2,3,4,5,6,7\n172800,4,8,,1,6,7\n",
			[]string{
				"1970-01-02 a request_mean 3 of 2", "1970-01-02 a allocated 5 of 4", "1970-01-03 a request_mean 8 of 4",
			},
			"",
		},
		"the other way round": {"a", "86400,2,3,0,5,6,7\n", []string{"1970-01-02 none request_mean 2 of 3"}, ""},
		"nothing beside 0":    {"", "86400,2,0,0,5,6,7\n", nil, nothing},
		"alone":               {"", "86400,,3,,5,6,7\n", nil, nothing},
		"no such agent": {
			"b", "86400,2,3,4,5,6,7\n", nil, `there is no agent "b" to be the baseline: there are none, a`,
		},
	} {
		got, err := readNights(t.Context(), importer.Request{Files: files(t, head+c.lines), Baseline: c.baseline})
		if (err == nil) != (c.fails == "") || err != nil && !strings.HasPrefix(err.Error(), c.fails) {
			t.Errorf("%s: %v, want %s", name, err, c.fails)
		}
		if err != nil {
			continue
		}
		var all []string
		for _, n := range got.All {
			unit := map[string]float64{"ns": fromMS, "B": fromMB}[n.Metric.Unit]
			all = append(all, fmt.Sprintf("%s %s %s %v of %v",
				n.When.Format("2006-01-02"), n.Cell, n.Metric.Name, n.Value/unit, n.ReferenceValue/unit))
		}
		if diff := cmp.Diff(c.want, all); diff != "" || got.Source != tool {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestMeaningOfColumns: each column that is known has its metric, in that one's unit.
func TestMeaningOfColumns(t *testing.T) {
	want := map[string]float64{
		"requestAvg": 1e6, "requestP95": 1e6, "iterationAvg": 1e6, "iterationP95": 1e6, "startupDurationMs": 1e6,
		"averageCpuUser": 1, "maxCpuUser": 1, "averageMachineCpuTotal": 1, "totalAllocatedMB": 1 << 20,
		"minHeapUsed": 1, "maxHeapUsed": 1, "totalGCTime": 1, "gcPauseMs": 1e6,
		"maxThreadContextSwitchRate": 1, "peakThreadCount": 1,
		"netReadAvg": 1, "netWriteAvg": 1, "runDurationMs": 1e6,
	}
	head, line := "timestamp", "1"
	for name := range want {
		head, line = head+",a:"+name, line+",1"
	}
	table := newTable()
	table.read("x", strings.NewReader(head+"\n"+line+"\n"))
	if len(table.runs) != 1 || len(table.unknown) > 0 || len(table.runs[0].scalars) != len(want) {
		t.Fatalf("%+v, unknown %q", table.runs, table.unknown)
	}
	for _, f := range table.known {
		if m := f.metric; m.Name == "startup" && (!m.Key || m.Title == "" || m.Decides == 0) {
			t.Errorf("nobody decides by %+v", m)
		}
		if got := table.runs[0].scalars[f.metric.Name]; got != want[f.names[0]] {
			t.Errorf("%s: %v, want %v", f.names[0], got, want[f.names[0]])
		}
	}
}

// TestLastNight: a time that no clock of these has is none.
func TestLastNight(t *testing.T) {
	for seconds, runs := range map[string]int{"-1": 0, "0": 1, "137438953408": 1, "137438953409": 0} {
		table := newTable()
		table.read("x", strings.NewReader("timestamp,a:requestAvg\n"+seconds+",1\n"))
		if len(table.runs) != runs {
			t.Errorf("%s: %d runs, want %d", seconds, len(table.runs), runs)
		}
	}
}

// TestAddsAgentToThree: three agents of one field each are as even as two of three.
func TestAddsAgentToThree(t *testing.T) {
	three := []column{{name: "date"}, {agent: "a"}, {agent: "b"}, {agent: "c"}}
	for width, want := range map[int]bool{3: false, 4: false, 5: true, 6: true} {
		if got := addsAgent(three, width); got != want {
			t.Errorf("%d columns after 4: %v", width, got)
		}
	}
}

// TestBlanksInAHeader: blanks around the name of a column are none of it.
func TestBlanksInAHeader(t *testing.T) {
	table := newTable()
	table.read("x", strings.NewReader("timestamp, a:requestAvg ,a:maxHeapUsed\n1,2,3\n"))
	if len(table.runs) != 1 || table.runs[0].agent != "a" || len(table.runs[0].scalars) != 2 {
		t.Errorf("%+v, unknown %q", table.runs, table.unknown)
	}
}
