package results

import (
	"math"
	"strings"
	"testing"
)

// TestPassesOfOlderCampaigns: which steps an execution passes is told by the keys, or by how moobench's own fixtures
// were launched.
func TestPassesOfOlderCampaigns(t *testing.T) {
	const (
		manual, listed, kieker = "moobench.probes.Manual", "moobench.probes.Listed", "moobench.bridge.kieker.Manual"

		agent, kiekers = "-Dmoobench.hotswap.probe=moobench", "-Dmoobench.hotswap.probe=kieker"
		load, collect  = "-Dmoobench.probe.load=a", "-Dmoobench.probe.stage=collect"
		write, off     = "-Dmoobench.probe.stage=write", "-Dmoobench.probe.stage=inactive"
		counting       = "-Dkieker.monitoring.writer=moobench.bridge.kieker.CountingWriter"
		writer, none   = "-Dkieker.monitoring.writer=a.B", "-Dkieker.monitoring.enabled=false"
		swapper        = "-Dmoobench.swapper=moobench.bridge.kieker.AdaptiveSwapper"
		adaptive       = "-Dkieker.monitoring.adaptiveMonitoring.enabled=true"
		linger         = "-Dmoobench.hotswap.linger=1"
	)
	old := func(target, activate string, args ...string) Cell {
		return Cell{Mode: "bci", Launch: Launch{Target: target, Activate: activate, JVMArgs: args}}
	}
	attached, removed, zero := old("a.B", "+", collect), old("a.B", "+", agent, collect), old(manual, "")
	attached.Launch.Attach = "{fixture.hotswap}=probe=moobench"
	removed.Launch.Deactivate = "+"
	zero.Proof.Kind = ProofZero
	for name, c := range map[string]struct {
		cell Cell
		want string // path, body, change
	}{
		"its path":            {Cell{Path: []string{"x"}, Body: "y", Launch: Launch{Target: manual}}, "x y "},
		"its change":          {Cell{Change: "z", Launch: Launch{Target: manual}}, "  z"},
		"a manual probe":      {old(manual, "", write), "check,collect,write probe " + ChangeSwitched},
		"one that collects":   {old(manual, "", collect), "check,collect probe " + ChangeSwitched},
		"one that is off":     {old(manual, "", off), "check probe " + ChangeSwitched},
		"one of no records":   {zero, "check probe " + ChangeSwitched},
		"one without a stage": {old(manual, ""), " probe " + ChangeSwitched},
		"a list":              {old(listed, "", collect), "list,collect probe " + ChangeSwitched},
		"Kieker's":            {old(kieker, "", writer), "enabled,check,collect,write bci "},
		"Kieker's counter":    {old(kieker, "", counting), "enabled,check,collect bci "},
		"Kieker's, off":       {old(kieker, "", none), "enabled bci "},
		"Kieker's list":       {old(kieker, "", counting, adaptive), "enabled,check,list,collect bci "},
		"Kieker's swapper":    {old(kieker, "", counting, swapper), "enabled,check,collect bci " + ChangeSwitched},
		"no agent":            {old("a.B", "+", collect), "  "},
		"swapped in":          {old("a.B", "+", agent, collect), "collect probe " + ChangeSwapped},
		"swapped in and off":  {old("a.B", "+", agent, off), "check probe " + ChangeSwapped},
		"at load":             {old("a.B", "", agent, load, collect), "collect probe "},
		"dormant":             {old("a.B", "", agent, collect), " probe "},
		"taken out":           {removed, " probe " + ChangeSwapped},
		"attached":            {attached, "collect probe " + ChangeSwapped},
		"with a switch":       {old("a.B", "+", agent, linger, collect), "switch,collect probe " + ChangeSwapped},
		"Kieker in the agent": {old("a.B", "+", kiekers, writer), "enabled,collect,write bci " + ChangeSwapped},
	} {
		path, body, change := c.cell.Passes()
		if got := strings.Join(path, ",") + " " + body + " " + change; got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestBoundsOfMetrics: amounts are not below 0, shares not above 1, and a recovery may be anything.
func TestBoundsOfMetrics(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		m         Metric
		low, high float64
	}{
		{Metric{Name: "duration"}, 0, inf},
		{Metric{Name: "cpu", Share: true}, 0, 1},
		{Metric{Name: DerivedRecovery}, -inf, inf},
	} {
		if low, high := c.m.Bounds(); low != c.low || high != c.high {
			t.Errorf("%s: %v to %v", c.m.Name, low, high)
		}
	}
}

// TestPerRecord: a total is divided by records if it says so, or has one of the older names.
func TestPerRecord(t *testing.T) {
	for _, c := range []struct {
		m    Metric
		want bool
	}{
		{Metric{Name: "cpu", Per: Record}, true},
		{Metric{Name: "cpu_per_record_ns"}, true},
		{Metric{Name: "bytes_per_record"}, true},
		{Metric{Name: "bytes", Per: "call"}, false},
	} {
		if got := c.m.PerRecord(); got != c.want {
			t.Errorf("%+v: %t", c.m, got)
		}
	}
}

// TestTitlesInAnswers: a metric has its own title, or that of its name in older campaigns.
func TestTitlesInAnswers(t *testing.T) {
	for _, c := range []struct {
		m     Metric
		title string
		rank  int
	}{
		{Metric{Name: "lost"}, "lost requests", DecidesLoss},
		{Metric{Name: "lost", Title: "x"}, "x", 0},
		{Metric{Name: "lost", Decides: 7}, "", 7},
		{Metric{Name: "unheard"}, "", 0},
	} {
		if title, rank := c.m.InAnswer(); title != c.title || rank != c.rank {
			t.Errorf("%+v: %q, %d", c.m, title, rank)
		}
	}
}

// TestTooWide: half of an interval may be a twentieth of the known cost.
func TestTooWide(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      bool
	}{
		{95, 105, false},
		{95, 105.1, true},
		{-105, -95, false},
	} {
		if got := (&Calibration{KnownNS: 100, LowNS: c.low, HighNS: c.high}).TooWide(); got != c.want {
			t.Errorf("%v to %v: %t", c.low, c.high, got)
		}
	}
}

// TestStandardHolds: what a standard names must be so, and what it leaves open may be anything.
func TestStandardHolds(t *testing.T) {
	of := Standard{CPU: "a", Stepping: "1", Core: "p", Runtime: "17", Reference: "2"}
	for _, c := range []struct {
		s    Standard
		want bool
	}{
		{of, true},
		{Standard{}, true},
		{Standard{CPU: "b"}, false},
		{Standard{CPU: "a", Stepping: "2"}, false},
		{Standard{Core: "e"}, false},
		{Standard{Runtime: "21"}, false},
		{Standard{Reference: "3"}, false},
	} {
		if got := c.s.HoldsFor(of); got != c.want {
			t.Errorf("%+v: %t", c.s, got)
		}
	}
	for ns, want := range map[float64]bool{99: false, 100: true, 1e6: true, 1e6 + 1: false, math.NaN(): false} {
		if err := CheckStandard(ns); (err == nil) != want {
			t.Errorf("%v ns: %v", ns, err)
		}
	}
}

// TestSettledCalls: without a group that has the cell no number of calls was found.
func TestSettledCalls(t *testing.T) {
	z := &Settling{Decision: &SettlingDecision{}}
	if got := z.Calls("c00"); got != 0 || z.Undecided() {
		t.Errorf("of no group: %d", got)
	}
	if got := (*Settling)(nil).Calls("c00"); got != 0 || (*Settling)(nil).Undecided() {
		t.Errorf("of none: %d", got)
	}
	if got := (&Settling{}).Calls("c00"); got != 0 || !(&Settling{}).Undecided() {
		t.Errorf("before a decision: %d", got)
	}
}

// TestToldOfCellsAndLines: labels of cells, unmet knobs, printed lines and named faults.
func TestToldOfCellsAndLines(t *testing.T) {
	factors := []Value{{Name: "n", Value: "1500", Unit: "ns"}, {Name: "w", Value: "x"}}
	cell := Cell{Variant: "v", Role: RoleAA, Factors: factors}
	if got := cell.Label(); got != "v#aa n=1.5µs w=x" {
		t.Errorf("label %q", got)
	}
	if got := (&Cell{Variant: "v"}).Label(); got != "v" {
		t.Errorf("label %q", got)
	}
	for _, k := range []KnobState{{}, {Got: "a"}, {Wanted: "a", Got: "a"}} {
		if k.Unmet() {
			t.Errorf("unmet: %+v", k)
		}
	}
	if !(KnobState{Wanted: "a", Got: "b"}).Unmet() {
		t.Error("another value is what was wanted")
	}
	if f, ok := FaultNamed("unheard"); ok || f.Name != "" {
		t.Errorf("%+v", f)
	}
	for _, f := range Faults() {
		if got, ok := FaultNamed(f.Name); !ok || got.Name != f.Name {
			t.Errorf("%s: %+v, %t", f.Name, got, ok)
		}
	}
}
