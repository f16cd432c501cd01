package analysis

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/analysis/infer"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/prose"
	"moobench/results"
)

// made is a campaign of a baseline and a variant, with a standard unless that is 0, whose CPU
// has a speed of its own.
func (m speeds) made(r *rand.Rand, blocks int, off, standard float64) *testcampaign.Store {
	cells := append(testcampaign.Baselines(), testcampaign.Variant(2, "kieker/bci/collect", results.ProofPlan{Kind: results.ProofNone}))
	var values []testcampaign.Value
	for b := range blocks {
		for i, mean := range []float64{speedBase, speedBase, speedBase + speedCost} {
			speed, elasticity := off+m.speedSD*r.NormFloat64(), 1.0
			if i == 2 {
				elasticity = m.elasticity
			}
			values = append(values, testcampaign.Value{
				Block: b + 1, Slot: i, Cell: cells[i].ID, ReferenceNS: quietNS * math.Exp(speed),
				NS: mean * math.Exp(elasticity*speed) * (1 + m.jvmSD*r.NormFloat64()),
			})
		}
	}
	src := testcampaign.FromValues(cells, values)
	if standard > 0 {
		src.Made.Standards = []results.Standard{{NS: standard, From: "benchmarks.toml"}}
	}
	return src
}

// told are the answers of such a campaign, after a change.
func (m speeds) told(t *testing.T, r *rand.Rand, blocks int, off, standard float64, change func(*results.Campaign)) *Answers {
	t.Helper()
	src := m.made(r, blocks, off, standard)
	if change != nil {
		change(src.Made)
	}
	a, err := Analyse(src)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// The intervals at standard speed hold the cost there in 95 of 100 campaigns, whatever the
// speed of the campaign's own; what is as it ran is not changed by a standard.
func TestAtStandardHolds(t *testing.T) {
	const campaigns, blocks = 60, 10
	for _, off := range []float64{0, 0.15} {
		held, told := 0, 0
		for seed := range uint64(campaigns) {
			m := speeds{elasticity: 1 + 0.2*rand.New(rand.NewPCG(seed, 7)).NormFloat64(), speedSD: 0.05, jvmSD: 0.02}
			s := &m.told(t, rand.New(rand.NewPCG(seed, 1)), blocks, off, quietNS, nil).Scenarios[0]
			a := s.Cell("c02").MetricNamed(s.Primary)
			if a.AtStandard == nil && s.References[0].Unused != "" { // one in a hundred, by chance
				continue
			}
			told++
			i, truth := a.AtStandard.Difference.Interval, m.truth(quietNS)
			if i.Low <= truth && truth <= i.High {
				held++
			}
			if seed > 0 {
				continue
			}
			ran := &m.told(t, rand.New(rand.NewPCG(seed, 1)), blocks, off, 0, nil).Scenarios[0]
			b := ran.Cell("c02").MetricNamed(s.Primary)
			if b.AtStandard != nil || *b.Difference.Interval != *a.Difference.Interval || b.Difference.Value != a.Difference.Value {
				t.Errorf("off %v: as it ran %+v with a standard, %+v without", off, a.Difference, b.Difference)
			}
		}
		if share := float64(held) / float64(told); share < 0.87 || told < campaigns*9/10 {
			t.Errorf("a campaign that is %v away: %.3f of the intervals at standard speed hold the cost there", off, share)
		}
	}
}

// What is told first says by how much the CPU was slower, and which interval is the way there.
func TestAtStandardWords(t *testing.T) {
	m := speeds{elasticity: 1, speedSD: 0.03, jvmSD: 0.005}
	for name, c := range map[string]struct {
		off, standard float64
		change        func(*results.Campaign)
		differs       bool
		note          string // "" is none
	}{
		"at it":       {0, quietNS, nil, false, "at standard speed costs are the same within 1 %"},
		"slower":      {0.1, quietNS, nil, true, "here the CPU was 1"},
		"faster":      {-0.1, quietNS, nil, true, "% faster, and what does not say"},
		"too far":     {0.4, quietNS, nil, false, "no program was measured so far from it"},
		"no standard": {0.1, 0, nil, false, ""},
		"the way":     {0.3, quietNS, nil, true, "most of the interval of kieker/bci/collect is the way"},
		"own speed": {0.1, quietNS, func(c *results.Campaign) {
			for i := range c.Cells {
				c.Cells[i].Factors = append(c.Cells[i].Factors, results.Value{Name: results.FactorFrequency, Value: "1GHz"})
			}
		}, false, "the cells have speeds of their own"},
		"another CPU":       {0.1, quietNS, func(c *results.Campaign) { c.Standards[0].CPU = "another one" }, false, ""},
		"another JDK":       {0.1, quietNS, func(c *results.Campaign) { c.Standards[0].Runtime = "21+35" }, false, ""},
		"another reference": {0.1, quietNS, func(c *results.Campaign) { c.Standards[0].Reference = "2" }, false, ""},
	} {
		s := &m.told(t, rand.New(rand.NewPCG(5, 5)), 12, c.off, c.standard, c.change).Scenarios[0]
		a := s.Cell("c02").MetricNamed(s.Primary)
		if s.AtStandard() != c.differs || a.AtStandard.differs(a.Difference) != c.differs {
			t.Errorf("%s: told at standard speed %v, want %v", name, s.AtStandard(), c.differs)
		}
		notes := strings.Join(s.Notes, "\n")
		if c.note != "" && !strings.Contains(notes, c.note) || c.note == "" && strings.Contains(notes, "standard") {
			t.Errorf("%s: the notes are\n%s\nwant %q", name, notes, c.note)
		}
		for _, answer := range s.Answers {
			if told := strings.Contains(answer.Sentence.String(), " at standard speed ("); answer.A == "c02" && told != c.differs {
				t.Errorf("%s: %s", name, answer.Sentence)
			}
		}
	}
}

// CPUs of two kinds have no standard speed, and that is said.
func TestTwoKindsOfCores(t *testing.T) {
	m := speeds{elasticity: 1, speedSD: 0.03, jvmSD: 0.005}
	src := m.made(rand.New(rand.NewPCG(5, 5)), 12, 0.1, quietNS)
	for _, machine := range src.Hosts {
		machine.Core = results.MixedCores
	}
	a, err := Analyse(src)
	if err != nil {
		t.Fatal(err)
	}
	s := a.Scenarios[0]
	if s.AtStandard() || !slices.Contains(s.Notes, prose.TwoKinds) {
		t.Errorf("at standard speed %v, notes %q", s.AtStandard(), s.Notes)
	}
}

// At the speed as it ran, atSpeed says what the answers say; at another one what the law says.
func TestAtSpeed(t *testing.T) {
	m := speeds{elasticity: 1, speedSD: 0.04, jvmSD: 0.01}
	s := &m.told(t, rand.New(rand.NewPCG(2, 3)), 12, 0, 0, nil).Scenarios[0]
	d := s.Cell("c02").MetricNamed(s.Primary).Difference
	at := math.Log(s.References[0].At)
	here, why := s.atSpeed(infer.Solver{}, "c02", "c00", s.Primary, at)
	if why != "" || math.Abs(here.Difference.Value-d.Value) > 1e-9*d.Value || math.Abs(here.D.SE-*d.SE) > 1e-9**d.SE {
		t.Errorf("as it ran %v ± %v, %v ± %v at that speed (%s)", d.Value, *d.SE, here.D.Value, here.D.SE, why)
	}
	there, _ := s.atSpeed(infer.Solver{}, "c02", "c00", s.Primary, at+0.1)
	if got := there.D.Value / here.D.Value; math.Abs(math.Log(got)-0.1) > 0.05 || there.D.SE <= here.D.SE*math.Exp(0.05) {
		t.Errorf("at a speed that is 10 %% slower it is %.3f times as much, ± %v instead of %v", got, there.D.SE, here.D.SE)
	}
	if math.Abs(there.L.Value-here.L.Value) > 0.05 {
		t.Errorf("the log ratio went from %v to %v, although both follow the reference", here.L.Value, there.L.Value)
	}
	for _, wrong := range [][3]string{{"c09", "c00", s.Primary}, {"c02", "c00", "no metric"}} {
		if a, why := s.atSpeed(infer.Solver{}, wrong[0], wrong[1], wrong[2], at); why == "" || a.Difference != nil {
			t.Errorf("%v has an answer", wrong)
		}
	}
}

// A speed is the median over a campaign's JVMs, unless these are too few, or have speeds of
// their own.
func TestSpeeds(t *testing.T) {
	cells := append(testcampaign.Baselines(), testcampaign.Variant(2, "kieker/bci/collect", results.ProofPlan{Kind: results.ProofNone}))
	made := func(blocks int) *testcampaign.Store {
		var values []testcampaign.Value
		for b := range blocks {
			for i, mean := range []float64{40, 40, 700} {
				values = append(values, testcampaign.Value{Block: b + 1, Slot: i, Cell: cells[i].ID, ReferenceNS: float64(2000 + 100*b), NS: mean})
			}
		}
		return testcampaign.FromValues(cells, values)
	}
	speeds, _ := Speeds(made(3))
	if len(speeds) != 1 || speeds[0] != (MachineSpeed{"m1", "17.0.15+6", 2100, 9}) {
		t.Errorf("%+v: want the median of 9 JVMs, 2100 ns", speeds)
	}
	if speeds, _ := Speeds(made(1)); speeds != nil {
		t.Errorf("three JVMs have the speed %+v", speeds)
	}
	frequent := made(3)
	for i := range frequent.Made.Cells {
		frequent.Made.Cells[i].Factors = []results.Value{{Name: results.FactorFrequency, Value: "1GHz"}}
	}
	if speeds, _ := Speeds(frequent); speeds != nil {
		t.Errorf("at a set frequency the machine has the speed %+v", speeds)
	}
}

// What a variant did to the reference in a campaign is known from three blocks on, on one machine
// with one JDK; also where it is so large that nothing is carried, and whatever was known before.
func TestShifts(t *testing.T) {
	cells := append(testcampaign.Baselines(), testcampaign.Variant(2, "kieker/bci/collect", results.ProofPlan{Kind: results.ProofNone}))
	made := func(blocks int, share float64) *testcampaign.Store {
		var values []testcampaign.Value
		for b := range blocks {
			for i, mean := range []float64{40, 40, 700} {
				ns := float64(2000 + 100*b)
				if i == 2 {
					ns *= 1 + share
				}
				values = append(values, testcampaign.Value{Block: b + 1, Slot: i, Cell: cells[i].ID, ReferenceNS: ns, NS: mean})
			}
		}
		src := testcampaign.FromValues(cells, values)
		src.Made.Influences = []results.Influence{{Cell: "c02", Runtime: "17.0.15+6", LogRatio: 0.5, SE: 0.001, N: 10}}
		return src
	}
	for _, share := range []float64{0.002, 0.2} {
		_, shifts := Speeds(made(8, share))
		want := ReferenceShift{"c02", "m1", "17.0.15+6", math.Log1p(share)}
		if len(shifts) != 1 || math.Abs(shifts[0].LogRatio-want.LogRatio) > 1e-12 {
			t.Fatalf("%v longer: %+v, want %+v", share, shifts, want)
		}
		shifts[0].LogRatio = want.LogRatio
		if shifts[0] != want {
			t.Errorf("%v longer: %+v, want %+v", share, shifts, want)
		}
	}
	if _, shifts := Speeds(made(2, 0.1)); shifts != nil {
		t.Errorf("two blocks: %+v", shifts)
	}
	elsewhere := made(8, 0.1)
	elsewhere.Runs[3].Runtime = "21+35"
	if _, shifts := Speeds(elsewhere); shifts != nil {
		t.Errorf("two JDKs: %+v", shifts)
	}
}

// TestDiffers: a difference at standard speed is another one if it differs by a hundredth of the larger end.
func TestDiffers(t *testing.T) {
	between := func(value, low, high float64) *Estimate {
		return &Estimate{Value: value, Interval: &Interval{Low: low, High: high}}
	}
	for _, c := range []struct {
		ran   *Estimate
		value float64
		want  bool
	}{
		{nil, 9, false},
		{&Estimate{Value: 100}, 100.5, false},
		{&Estimate{Value: 100}, 101, true},
		{&Estimate{Value: 100}, 99, true},
		{&Estimate{Value: -100}, -99.5, false},
		{between(100, 50, 300), 102, false},
		{between(100, 50, 300), 103, true},
		{between(100, -400, 300), 103, false},
		{between(100, -400, 300), 96, true},
		{&Estimate{}, 0, true},
	} {
		if got := (&AtStandard{Difference: &Estimate{Value: c.value}}).differs(c.ran); got != c.want {
			t.Errorf("%v beside %+v: %t", c.value, c.ran, got)
		}
	}
	if (*AtStandard)(nil).differs(&Estimate{}) || (&AtStandard{}).differs(&Estimate{}) {
		t.Error("without a difference it is another one")
	}
	for share, want := range map[float64]bool{0: false, 0.5: false, 0.51: true} {
		if (&AtStandard{WayShare: share}).way() != want {
			t.Errorf("of a share of %v the way is most: %t", share, !want)
		}
	}
	if got := (&AtStandard{AtNS: 2200, StandardNS: 2000}).Slower(); math.Abs(got-0.1) > 1e-12 {
		t.Errorf("slower by %v", got)
	}
	for _, c := range []struct{ se, carry, want float64 }{{0, 1, 0}, {2, 1, 0.25}, {2, 0, 0}, {math.NaN(), 1, 0}} {
		if got := wayShare(infer.Scale{SE: c.se, Carry: c.carry}); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestOwnSpeed: several threads, and what makes the speed of a CPU, give a cell its own.
func TestOwnSpeed(t *testing.T) {
	for _, c := range []struct {
		name, value string
		want        bool
	}{
		{"threads", "1", false},
		{"threads", "2", true},
		{"depth", "10", false},
		{results.FactorFrequency, "2000", true},
		{results.FactorCPUs, "1", true},
		{results.FactorGC, "g1", true},
		{results.FactorJVM, "openj9", true},
		{results.FactorJDK, "17", false},
	} {
		cell := &results.Cell{
			Factors:    []results.Value{{Name: c.name, Value: c.value}},
			Parameters: []results.Value{{Name: c.name, Value: c.value}},
		}
		if got := hasOwnSpeed(cell); got != c.want {
			t.Errorf("%s=%s: %t", c.name, c.value, got)
		}
	}
}

// TestFirstOfModel: machines of one model have the speed of its first one, if shards of a plan were merged.
func TestFirstOfModel(t *testing.T) {
	src := &gatedFlat{hosts: []*results.Machine{{ID: "m1", CPU: "A"}, {ID: "m2", CPU: "B"}, {ID: "m3", CPU: "A"}}}
	if got := firstOfModel(&results.Campaign{}, src); got != nil {
		t.Errorf("not merged: %v", got)
	}
	got := firstOfModel(&results.Campaign{Merged: &results.Merged{}}, src)
	if d := cmp.Diff(map[string]string{"m1": "m1", "m2": "m2", "m3": "m1"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestSpeedOf: one machine has a speed and a JDK, several have a range.
func TestSpeedOf(t *testing.T) {
	const manySpeeds = "1,000 to 3,000 ns by machine, JDK and environment"
	for _, c := range []struct {
		all  []Reference
		want string
	}{
		{[]Reference{{At: 2384.6, Runtime: "17.0.15+6"}}, "2,385 ns, JDK 17.0.15+6"},
		{[]Reference{{At: 2384.4, Runtime: "17.0.15+6-Debian-1"}}, "2,384 ns, JDK 17.0.15+6"},
		{[]Reference{{At: 2000}}, "2,000 ns"},
		{[]Reference{{At: 2000}, {At: 1000, Runtime: "17"}, {At: 3000}}, manySpeeds},
	} {
		if got := speedOf(c.all); got != c.want {
			t.Errorf("%+v: %q, want %q", c.all, got, c.want)
		}
	}
}
