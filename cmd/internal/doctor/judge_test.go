package doctor

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moobench/analysis"
	"moobench/results"
)

// calibrated is a campaign of two baselines and two burns of known times in six blocks, each invocation of which took
// ten seconds; a call took as long as of gives for a cell and a block.
func calibrated(t *testing.T, of func(cell string, block int) float64, change func(*results.Campaign)) *results.Store {
	t.Helper()
	burn := func(ns int) results.Launch { return results.Launch{JVMArgs: []string{fmt.Sprint(burnOption, ns)}} }
	c := &results.Campaign{
		Name: "calibration", Source: "moobench", Design: results.DesignBlocks,
		Versions: map[string]string{"moobench": "1", "machine": "m1", "jdk": "17"},
		Scenarios: []results.Scenario{{
			Label: "s", Use: "s",
			Metrics: []results.Metric{
				{Name: "wall", Unit: "ns", Better: results.Lower, Primary: true, Profile: results.ProfileTiming},
			},
			Questions: []results.Question{
				{ID: "q1", Asked: true, A: "c03", B: "c02", Metric: "wall", Test: results.TestPaired, Alpha: 0.01},
			},
		}},
		Cells: []results.Cell{
			{ID: "c00", Scenario: "s", Variant: "none", Role: results.RoleBaseline},
			{ID: "c01", Scenario: "s", Variant: "none", Role: results.RoleAA, Baseline: "c00"},
			{ID: "c02", Scenario: "s", Variant: "1us", Role: results.RoleVariant, Baseline: "c00", Launch: burn(1000)},
			{ID: "c03", Scenario: "s", Variant: "3us", Role: results.RoleVariant, Baseline: "c00", Launch: burn(3000)},
		},
	}
	for b := range 6 {
		c.Blocks = append(c.Blocks, results.Block{
			Number: b + 1, Kind: results.BlockPlanned, Profile: results.ProfileTiming,
			Order: []string{"c00", "c01", "c02", "c03"},
		})
	}
	change(c)
	store, err := results.Create(filepath.Join(t.TempDir(), "c"), c, nil)
	if err == nil {
		err = store.AddMachine(results.Machine{ID: "m1", Host: "h", CPU: "EPYC"})
	}
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC)
	for _, b := range c.Blocks {
		for slot, cell := range b.Order {
			d, err := store.Begin(results.Identity{Block: b.Number, Slot: slot})
			if err != nil {
				t.Fatal(err)
			}
			err = d.Seal(&results.Invocation{
				Cell: cell, Profile: b.Profile, Status: results.StatusOK, Machine: "m1", Boot: "b", Start: at,
				End: at.Add(10 * time.Second), Scalars: map[string]float64{"wall": of(cell, b.Number)},
			})
			if err != nil {
				t.Fatal(err)
			}
			at = at.Add(10 * time.Second)
		}
	}
	if err := store.Seal(); err != nil {
		t.Fatal(err)
	}
	return store
}

// TestJudge: a calibration says whether the known cost came out, and what this machine resolves in the given time; one
// that does not burn known times, or measured nothing else, says why it can't.
func TestJudge(t *testing.T) {
	known := func(cell string, block int) float64 {
		turn := float64(block%2) - 0.5
		return float64(block%3) + map[string]float64{
			"c00": 1000, "c01": 1000 + turn, "c02": 2000 + turn, "c03": 4000,
		}[cell]
	}
	host := results.Machine{ID: "m1", Host: "h"}
	store := calibrated(t, known, func(*results.Campaign) {})
	v, err := Judge(host, store, 3*time.Minute, "1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	c := v.Calibration
	if c == nil || !v.OK || c.KnownNS != 2000 || c.MeasuredNS != 2000 || !c.Recovered || c.Blocks != 6 {
		t.Fatalf("%+v, %+v", v, c)
	}
	if v.Machine != "m1" || v.Host != "h" || v.Folder != store.Dir() || v.AA == "there is none" {
		t.Errorf("%+v", v)
	}
	r := v.Resolution
	if r == nil || v.Unresolved != "" || c.Moobench != "1.0.0" {
		t.Fatalf("%+v, %+v", v, c)
	}
	if c.ResolvesNS != r.NS || c.ResolvesShare != r.Share || c.ResolvesInNS != int64(3*time.Minute) {
		t.Fatalf("%+v, %+v", c, r)
	}
	if r.BlockNS != int64(30*time.Second) || r.Blocks != 6 {
		t.Errorf("%+v", r)
	}
	var costs []string
	for _, c := range r.Costs {
		costs = append(costs, fmt.Sprint(time.Duration(c.WithinNS), " ", c.Blocks))
		if !(c.Ran > 0) {
			t.Errorf("%+v", c)
		}
	}
	if got := strings.Join(costs, ", "); got != "1m0s 2, 3m0s 6" {
		t.Errorf("costs are known after %s", got)
	}
	for within, want := range map[time.Duration]int{59 * time.Second: 0, time.Minute: 1, 61 * time.Second: 2} {
		if costs, err := costsOf(store, 30*time.Second, within); err != nil || len(costs) != want {
			t.Errorf("within %v: %+v, %v", within, costs, err)
		}
	}
	store.Campaign().Cells[3].Launch.JVMArgs[0] = burnOption + "3100"
	if v, err = Judge(host, store, time.Minute, "1"); err != nil {
		t.Fatal(err)
	}
	if v.OK || v.Calibration.Recovered || !strings.HasPrefix(v.Verdict, "not recovered: ") || v.Do == "" {
		t.Errorf("%+v", v)
	}
	none := calibrated(t, known, func(c *results.Campaign) { c.Scenarios[0].Questions, c.Blocks = nil, c.Blocks[:1] })
	if v, err = Judge(host, none, time.Minute, "1"); err != nil {
		t.Fatal(err)
	}
	const why = "not calibrated: the campaign asks nothing"
	if v.Verdict != why || v.Calibration != nil || v.Resolution != nil || !strings.HasSuffix(v.Do, v.Folder) {
		t.Errorf("%+v", v)
	}
	if costs, err := costsOf(none, 30*time.Second, time.Hour); costs != nil || err != nil {
		t.Errorf("of one block: %+v, %v", costs, err)
	}
	none.Campaign().Cells = none.Campaign().Cells[:2]
	if costs, err := costsOf(none, 30*time.Second, time.Hour); costs != nil || err != nil {
		t.Errorf("of no variant: %+v, %v", costs, err)
	}
}

// TestFastBaseline: a call may take less than a nanosecond.
func TestFastBaseline(t *testing.T) {
	sd := 0.01
	a := answered(analysis.AAResolves, &sd)
	mean := a.Scenarios[0].Cells[0].Metrics[0].Mean
	for ns, want := range map[float64]bool{0.5: true, 0: false, -1: false} {
		mean.Value = ns
		if r, why := resolutionOf(a, time.Second, time.Minute); (r != nil) != want || (why == "") != want {
			t.Errorf("%v ns: %+v, %s", ns, r, why)
		}
	}
}
