package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"moobench/analysis"
	"moobench/results"
	"moobench/scenarios/changes"
)

// swapsCampaign has every way of a change in small, and both scenarios of
// changes.
const swapsCampaign = `
name = "swaps"
[jvm]
args = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
[[scenario]]
use       = "turnaround"
variants  = ["probe/manual/collect", "probe/list/collect", "probe/hotswap/collect", "probe/hybrid/collect", "probe/attach/collect",
             "redefine/hotswap/collect", "javassist/hotswap/collect", "bytebuddy/hotswap/collect",
             "kieker/adaptive/collect", "kieker/hotswap/collect", "kieker/attach/collect"]
loaded    = 200
samples   = 5
calls     = 2000
blocks    = 1
resources = 0
[[scenario]]
use        = "scalability"
variants   = ["probe/list/collect", "probe/hotswap/collect"]
at_once    = [2, 4, 8]
one_by_one = [false, true]
methods    = 3
patterns   = 10
loaded     = 40
samples    = 5
blocks     = 1
resources  = 0
[[scenario]]
use       = "turnaround"
label     = "stall"
variants  = ["probe/hotswap/collect"]
watcher   = true
loaded    = 20
samples   = 5
calls     = 0
blocks    = 1
resources = 1
[[scenario]]
use       = "turnaround"
label     = "at_load"
variants  = ["probe/list/collect", "probe/hotswap/collect", "kieker/adaptive/collect", "kieker/attach/collect"]
at_load   = true
loaded    = 20
samples   = 5
calls     = 0
blocks    = 1
resources = 0
`

// TestSwapsOnRealJVMs changes what is monitored in real JVMs, in every way there
// is: each change leaves the record of its first call, or its invocation fails.
func TestSwapsOnRealJVMs(t *testing.T) {
	needReal(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "benchmarks.toml"), []byte(swapsCampaign), 0o666); err != nil {
		t.Fatal(err)
	}
	out, status := real(t, dir, "run", "--seed", "1", "-o", "out", "benchmarks.toml")
	if !measured(out, status) {
		t.Errorf("exit status %d:\n%s", status, out)
	}
	checkCampaign(t, filepath.Join(dir, "out"), out)
	_, answers := analysed(t, filepath.Join(dir, "out"))
	for _, s := range answers.Scenarios {
		for _, c := range s.Cells {
			checkChanges(t, s.Label, c)
		}
	}
}

// checkChanges holds the metrics that a cell must have, and those that it must
// not, against what was done there.
func checkChanges(t *testing.T, scenario string, c analysis.Cell) {
	t.Helper()
	want := []string{changes.Turnaround, "first_call", "undo", results.DerivedSample1, results.DerivedParts, results.DerivedLeast}
	var not []string
	switch scenario {
	case "turnaround":
		want = append(want, results.SeriesBefore, results.SeriesDuring, results.SeriesAfter, results.DerivedResidue)
		not = append(not, "stall")
	case "scalability":
		not = append(not, "bare", "stall", results.SeriesBefore, results.DerivedRecovery)
	case "at_load":
		want = append(want, "load")
		not = append(not, "bare", "stall", results.SeriesBefore)
	case "stall":
		want = append(want, "stall")
		not = append(not, results.SeriesBefore)
	}
	switch {
	case c.Mode == "manual" || c.Mode == "list" || c.Mode == "adaptive":
		not = append(not, "bare", results.DerivedOverBare, "safepoint")
	case scenario == "turnaround":
		want = append(want, "bare", results.DerivedOverBare, "safepoint")
	default:
		want = append(want, "safepoint")
	}
	for _, m := range c.Metrics {
		switch {
		case slices.Contains(want, m.Metric) && m.Mean == nil:
			t.Errorf("%s, %s has no %s: %s", scenario, c.Label, m.Metric, m.Absent)
		case slices.Contains(not, m.Metric) && m.Mean != nil:
			t.Errorf("%s, %s has %s = %v, which nobody observed", scenario, c.Label, m.Metric, m.Mean.Value)
		case m.Metric == results.DerivedParts && m.Mean != nil && (m.Mean.Value < 0.5 || m.Mean.Value > 1.001):
			t.Errorf("%s, %s: its parts add up to %v of the whole", scenario, c.Label, m.Mean.Value)
		}
	}
}
