package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moobench/analysis"
	"moobench/harness/machine"
	"moobench/harness/machine/facts"
	"moobench/harness/run"
	"moobench/internal/testmachine"
	"moobench/results"
)

// A machine is busy, and a clock dear, from a limit on.
func TestLimitsOfFindings(t *testing.T) {
	for _, c := range []struct {
		tasks, waiting float64
		want           string
	}{
		{0.29, 1.9, fine},
		{0.3, 0, note},
		{0, 2, note},
		{0.3, 2, note},
	} {
		if f := load(facts.Load{Tasks: c.tasks, WaitingPercent: c.waiting}); f.State != c.want {
			t.Errorf("%v tasks, %v %%: %+v", c.tasks, c.waiting, f)
		}
	}
	for ns, want := range map[float64]string{20: fine, 100: fine, 101: note} {
		if f := clock(facts.Clock{Source: "tsc", ReadNS: ns}); f.State != want {
			t.Errorf("%v ns: %+v", ns, f)
		}
	}
}

// Round times are told in hours and minutes, others in seconds.
func TestAmount(t *testing.T) {
	for d, want := range map[time.Duration]string{
		time.Hour:                            "1 h",
		2 * time.Hour:                        "2 h",
		90 * time.Minute:                     "1 h 30 min",
		time.Hour + time.Second:              "3601 s",
		time.Minute:                          "1 min",
		59 * time.Minute:                     "59 min",
		90 * time.Second:                     "90 s",
		time.Second:                          "1 s",
		1500 * time.Millisecond:              "1.5 s",
		0:                                    "0 s",
		25*time.Hour + time.Minute:           "25 h 1 min",
		time.Minute + 500*time.Millisecond:   "60.5 s",
		2*time.Hour - time.Nanosecond*1000e6: "7199 s",
	} {
		if got := Amount(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

// A cell burns what the first option of that name says, if it is a number.
func TestBurnt(t *testing.T) {
	if ns, ok := burnt(nil); ns != 0 || ok {
		t.Errorf("no cell burns %v, %t", ns, ok)
	}
	for args, want := range map[string]struct {
		ns float64
		ok bool
	}{
		"":                                    {0, false},
		"-Xmx1g":                              {0, false},
		burnOption + "2000":                   {2000, true},
		"-Xmx1g " + burnOption + "0":          {0, true},
		burnOption + "1 " + burnOption + "2":  {1, true},
		burnOption + "much":                   {0, false},
		burnOption:                            {0, false},
		"-Dburn " + burnOption + "7 -Xverify": {7, true},
	} {
		ns, ok := burnt(&results.Cell{Launch: results.Launch{JVMArgs: strings.Fields(args)}})
		if ns != want.ns || ok != want.ok {
			t.Errorf("%q: %v, %t", args, ns, ok)
		}
	}
}

// burning is a campaign of two cells that burn so many ns, and what it found of their difference.
func burning(more, less string, low, high float64) (*results.Campaign, *analysis.Answers) {
	cell := func(id, ns string) results.Cell {
		return results.Cell{ID: id, Launch: results.Launch{JVMArgs: []string{burnOption + ns}}}
	}
	mean := func(name string, v float64) analysis.MetricAnswer {
		return analysis.MetricAnswer{Metric: name, Mean: &analysis.Estimate{Value: v}}
	}
	found := &analysis.Estimate{
		N: 10, Value: (low + high) / 2, Interval: &analysis.Interval{Low: low, High: high, Level: 0.99},
	}
	found.Detectable = new(150.0)
	a := &analysis.Answers{Scenarios: []analysis.Scenario{{
		Cells: []analysis.Cell{
			{ID: "a", Metrics: []analysis.MetricAnswer{mean(run.RunDelayNS, 5), mean(run.LoopNS, 100)}},
			{ID: "b", Metrics: []analysis.MetricAnswer{mean(run.RunDelayNS, 50), mean(run.LoopNS, 100)}},
		},
		AA:      []analysis.AA{{State: analysis.AAResolves, Resolves: new(0.012)}},
		Answers: []analysis.Answer{{ID: "own"}, {ID: "q1", Asked: true, A: "a", B: "b", Difference: found}},
	}}}
	a.Campaign.Runtimes = []string{"17+35", "21+35"}
	return &results.Campaign{Cells: []results.Cell{cell("a", more), cell("b", less)}}, a
}

// A calibration has the known cost, which is recovered up to the bounds of the interval.
func TestRecovers(t *testing.T) {
	for name, c := range map[string]struct {
		low, high float64
		want      bool
	}{
		"within":         {1400, 1600, true},
		"at its start":   {1500, 1600, true},
		"at its end":     {1400, 1500, true},
		"before it":      {1501, 1600, false},
		"behind it":      {1400, 1499, false},
		"nothing around": {1500, 1500, true},
	} {
		v := &Calibration{}
		campaign, a := burning("2000", "500", c.low, c.high)
		if why := v.recovers(campaign, a); why != "" {
			t.Fatalf("%s: %s", name, why)
		}
		got := v.Calibration
		if got.KnownNS != 1500 || got.Recovered != c.want || got.LowNS != c.low || got.HighNS != c.high ||
			got.Blocks != 10 || got.MeasuredNS != (c.low+c.high)/2 || got.Level != 0.99 ||
			got.Runtime != "17+35, 21+35" ||
			got.AA != string(analysis.AAResolves) || got.Resolves != 0.012 {
			t.Errorf("%s: %+v", name, got)
		}
		if *v.DetectableShare != 0.1 || *v.WaitedShare != 0.05 {
			t.Errorf("%s: %v, %v", name, *v.DetectableShare, *v.WaitedShare)
		}
	}
}

// What a calibration lacks is told, or is left out of it.
func TestRecoversWithout(t *testing.T) {
	const unknown = "the campaign's two cells don't burn known times"
	type parts struct {
		c *results.Campaign
		s *analysis.Scenario
	}
	for name, tt := range map[string]struct {
		change       func(parts)
		want         string
		waits, finds bool
	}{
		"nothing":    {func(parts) {}, "", true, true},
		"a question": {func(p parts) { p.s.Answers = p.s.Answers[:1] }, "the campaign asks nothing", false, false},
		"two cells":  {func(p parts) { p.c.Cells = p.c.Cells[:1] }, unknown, false, false},
		"a first":    {func(p parts) { p.c.Cells[0].Launch.JVMArgs = nil }, unknown, false, false},
		"a difference of the cells": {
			func(p parts) { p.c.Cells[1].Launch = p.c.Cells[0].Launch }, unknown, false, false,
		},
		"an answer":   {func(p parts) { p.s.Answers[1].Difference = nil }, " ", false, false},
		"an interval": {func(p parts) { p.s.Answers[1].Difference.Interval = nil }, " ", false, false},
		"a power":     {func(p parts) { p.s.Answers[1].Difference.Detectable = nil }, "", true, false},
		"a delay":     {func(p parts) { p.s.Cells[0].Metrics = p.s.Cells[0].Metrics[1:] }, "", false, true},
		"a loop":      {func(p parts) { p.s.Cells[0].Metrics = p.s.Cells[0].Metrics[:1] }, "", false, true},
		"a time":      {func(p parts) { p.s.Cells[0].Metrics[1].Mean.Value = 0 }, "", false, true},
		"a mean":      {func(p parts) { p.s.Cells[0].Metrics[0].Mean = nil }, "", false, true},
	} {
		c, a := burning("2000", "500", 1400, 1600)
		a.Scenarios[0].Answers[1].Sentence = analysis.Sentence{Rest: " "}
		tt.change(parts{c, &a.Scenarios[0]})
		v := &Calibration{}
		why := v.recovers(c, a)
		if (why != "") != (tt.want != "") || !strings.Contains(why, strings.TrimSpace(tt.want)) {
			t.Errorf("%s: %q, want %q", name, why, tt.want)
		}
		if (v.Calibration != nil) != (why == "") || (v.WaitedShare != nil) != tt.waits ||
			(v.DetectableShare != nil) != tt.finds {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

// What was measured may lie at a bound of its interval; what is outside, or has no cost, is not calibration.
func TestCalibrationThatCanBe(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*results.Calibration)
		want   bool
	}{
		"as it is":            {func(*results.Calibration) {}, true},
		"at its lower bound":  {func(c *results.Calibration) { c.MeasuredNS = c.LowNS }, true},
		"at its upper bound":  {func(c *results.Calibration) { c.MeasuredNS = c.HighNS }, true},
		"below":               {func(c *results.Calibration) { c.MeasuredNS = c.LowNS - 1 }, false},
		"above":               {func(c *results.Calibration) { c.MeasuredNS = c.HighNS + 1 }, false},
		"a small cost":        {func(c *results.Calibration) { c.KnownNS = 0.5 }, true},
		"no cost":             {func(c *results.Calibration) { c.KnownNS = 0 }, false},
		"a cost below 0":      {func(c *results.Calibration) { c.KnownNS = -1 }, false},
		"no level":            {func(c *results.Calibration) { c.Level = 0 }, false},
		"a level of 1":        {func(c *results.Calibration) { c.Level = 1 }, false},
		"no date":             {func(c *results.Calibration) { c.When = time.Time{} }, false},
		"nothing but a level": {func(c *results.Calibration) { *c = results.Calibration{Level: c.Level} }, false},
	} {
		cache := t.TempDir()
		t.Setenv("XDG_CACHE_HOME", cache)
		kept := someCalibration()
		c.change(&kept)
		if err := SaveCalibration(filepath.Join(cache, "moobench"), "m1", kept); err != nil {
			t.Fatal(err)
		}
		if got, err := LastCalibration("m1"); (err == nil) != c.want || (got != nil) != c.want {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// The line of a calibration has what it resolves, if that is known.
func TestLineOfACalibration(t *testing.T) {
	kept := someCalibration()
	for ns, want := range map[float64]string{
		0:   "2026-11-21: 2 µs came out as 2.001 µs (1.998 … 2.004 µs): recovered",
		0.5: "(1.998 … 2.004 µs); 1 min resolve about 0.5 ns (1.0 %): recovered",
	} {
		kept.ResolvesNS, kept.ResolvesShare, kept.ResolvesInNS = ns, 0.01, int64(time.Minute)
		if f := lastCalibration(&kept, nil); !strings.Contains(f.Text, want) || f.State != fine || f.Do != "" {
			t.Errorf("%v ns: %+v, want %q", ns, f, want)
		}
	}
	if f := lastCalibration(nil, nil); f.State != note || f.Text != "none yet" {
		t.Errorf("no calibration: %+v", f)
	}
	if f := lastCalibration(nil, os.ErrInvalid); f.State != note || f.Text != os.ErrInvalid.Error() {
		t.Errorf("one that can't be read: %+v", f)
	}
}

// A resolution needs a baseline that took time, and says how precisely costs are known.
func TestResolutionWithout(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*analysis.Scenario)
		want   string
	}{
		"an A/A":     {func(s *analysis.Scenario) { s.AA = nil }, "there is no A/A"},
		"a baseline": {func(s *analysis.Scenario) { s.Cells[0].Metrics = nil }, "the baseline gave no figure"},
		"a mean":     {func(s *analysis.Scenario) { s.Cells[0].Metrics[0].Mean = nil }, "the baseline gave no figure"},
		"a time": {
			func(s *analysis.Scenario) { s.Cells[0].Metrics[0].Mean.Value = 0 },
			"the baselines took no time",
		},
		"a difference": {
			func(s *analysis.Scenario) { s.Cells[1].Metrics[1].Difference = nil },
			"the two equal baselines gave no figures",
		},
		"the metric": {
			func(s *analysis.Scenario) { s.Cells[1].Metrics = s.Cells[1].Metrics[:1] },
			"the two equal baselines gave no figures",
		},
	} {
		a := answered(analysis.AAResolves, new(10.0))
		c.change(&a.Scenarios[0])
		if r, why := resolutionOf(a, time.Second, time.Minute); r != nil || why != c.want {
			t.Errorf("%s: %+v, %q", name, r, why)
		}
	}
	r := &Resolution{}
	if text := r.costs(); text != "" {
		t.Errorf("no costs: %q", text)
	}
	for _, within := range []time.Duration{time.Minute, time.Hour} {
		r.Costs = append(r.Costs, Cost{WithinNS: int64(within), HalfWidths: analysis.HalfWidths{Ran: 0.02}})
	}
	if text := r.costs(); !strings.Contains(text, "is known to ± 2.0 % in 1 min, ± 2.0 % in 1 h, as a share") {
		t.Errorf("%q", text)
	}
}

// What is missing fails a checkup unless only the file requires it, and all of it is listed.
func TestMissing(t *testing.T) {
	jdk := Finding{State: lacks, Topic: "JDK", Text: "none"}
	pin := Finding{State: lacks, Topic: "CPUs", Text: "few", Required: true}
	other := Finding{State: note, Topic: "load", Text: "high"}
	for name, c := range map[string]struct {
		found   []Finding
		missing bool
		lacks   string
	}{
		"nothing":          {nil, false, ""},
		"advice":           {[]Finding{other}, false, ""},
		"the file's":       {[]Finding{other, pin}, false, "CPUs: few"},
		"everybody's":      {[]Finding{jdk}, true, "JDK: none"},
		"both, and advice": {[]Finding{jdk, other, pin}, true, "JDK: none|CPUs: few"},
	} {
		checkup := &Checkup{Findings: c.found, File: "x.toml"}
		if got := strings.Join(checkup.Lacks(), "|"); checkup.Missing() != c.missing || got != c.lacks {
			t.Errorf("%s: %t, %q", name, checkup.Missing(), got)
		}
		required := 0
		if strings.Contains(c.lacks, "CPUs") {
			required = 1
		}
		sections := 0
		if len(c.found) > 0 {
			sections = 1
		}
		if n := len(checkup.document().Blocks); n != sections+required {
			t.Errorf("%s: %d sections", name, n)
		}
	}
}

// Where nothing was changed there is nothing to put back, and what can't be understood is kept aside.
func TestNothingToRestore(t *testing.T) {
	dir := t.TempDir()
	journal := filepath.Join(dir, "machine.journal")
	t.Setenv(machine.LockVar, filepath.Join(dir, "lock"))
	t.Setenv(machine.JournalVar, journal)
	tree := testmachine.Open(t, "desktop")
	for name, c := range map[string]struct{ text, want string }{
		"no journal":     {"", "nothing to put back: no moobench left anything changed on this machine\n"},
		"an odd journal": {"no JSON", "the journal held nothing that could be undone"},
	} {
		if c.text != "" {
			if err := os.WriteFile(journal, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if all := LeftChanged(tree); len(all) != 1 || all[0].State != note || all[0].Topic != "left changed" {
				t.Errorf("%s: %+v", name, all)
			}
		}
		var out strings.Builder
		if err := Restore(&out, 80, tree); err != nil || !strings.HasPrefix(out.String(), c.want) {
			t.Errorf("%s: %v, %q", name, err, out.String())
		}
		if all := LeftChanged(tree); len(all) != 0 {
			t.Errorf("%s: then there is %+v", name, all)
		}
	}
}
