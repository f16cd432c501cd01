package evidence

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"moobench/analysis/stats"
	"moobench/results"
	"moobench/results/summary"
)

// shared is a machine whose core others use: how long the reference takes in a batch goes up
// and down, and calls follow it by a slope that differs from JVM to JVM.
type shared struct {
	slope, slopeSD float64 // by how much calls slow down, as a share of how much the reference does
	jvmSD          float64 // of the calls, as a share
	bend           float64 // how much the calls of a busier core follow it less
}

const (
	quietNS   = 2000.0 // the reference of a core that nobody else uses
	batchesOf = 200
)

// follows is how long calls take where the core is that busy, as a share of what they take
// where it is busy by half.
func (m shared) follows(slope, busy float64) float64 {
	return 1 + 0.5*slope*((busy-0.5)-m.bend*(busy-0.5)*(busy-0.5))
}

// invocation makes the batches of one invocation, whose calls take mean ns where the core is
// busy by half. The last result is how much longer any calls took in it, on average.
func (m shared) invocation(r *rand.Rand, mean float64) (reference, calls []float64, followed float64) {
	slope := m.slope + m.slopeSD*r.NormFloat64()
	own := mean * (1 + m.jvmSD*r.NormFloat64())
	busy := r.Float64() // of this invocation
	for len(reference) < batchesOf {
		now := min(1, max(0, busy+0.5*(r.Float64()-0.5))) // for some batches
		for range 10 {
			x := quietNS * (1 + 0.5*now)
			reference = append(reference, x*(1+0.01*r.NormFloat64()))
			calls = append(calls, own*m.follows(slope, now)*(1+0.02*r.NormFloat64()))
			followed += m.follows(m.slope, now) / batchesOf
		}
	}
	return reference, calls, followed
}

// campaign is one of a baseline and a variant; truth is what the variant adds at the speed
// that the CPU had in it.
func (m shared) campaign(r *rand.Rand, blocks int, baseline, variant float64) (c *results.Campaign, all []Invocation, slopes map[string]response, truth float64) {
	c = &results.Campaign{Cells: []results.Cell{{ID: "c00", Scenario: "s"}, {ID: "c01", Scenario: "s", Baseline: "c00"}}}
	slopes = map[string]response{}
	for b := range blocks {
		for i, mean := range []float64{baseline, variant} {
			reference, calls, followed := m.invocation(r, mean)
			truth += (variant - baseline) * followed / float64(2*blocks)
			x, _ := stats.Mean(reference)
			y, _ := stats.Mean(calls)
			id := c.Cells[i].ID
			s := slopes[id]
			s.add(reference, calls)
			slopes[id] = s
			all = append(all, Invocation{
				Invocation: &results.Invocation{Identity: results.Identity{Block: b + 1}, Cell: id},
				Values:     map[string]float64{"t": y}, Reference: x, Unadjusted: y, adjusted: "t",
			})
		}
	}
	return c, all, slopes, truth
}

// Adjusted values keep what is true, their intervals hold it in 95 of 100 campaigns, and are
// much narrower: also where calls do not follow the reference in a line, where each JVM
// follows it by another slope, and where none does at all.
func TestAdjustedIntervalsHold(t *testing.T) {
	const baseline, variant, campaigns, blocks = 40.0, 700.0, 2000, 10
	for _, c := range []struct {
		name     string
		m        shared
		narrower float64 // than the unadjusted ones, at least
	}{
		{"a line", shared{slope: 0.8, jvmSD: 0.01}, 3},
		{"a slope for each JVM", shared{slope: 0.8, slopeSD: 0.2, jvmSD: 0.01}, 1.8},
		{"a bend", shared{slope: 0.8, jvmSD: 0.01, bend: 0.5}, 2.5},
		{"no slope", shared{jvmSD: 0.03}, 0.95},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			held, touched, bias, wide, wideBefore := 0, 0, 0.0, 0.0, 0.0
			for range campaigns {
				campaign, all, slopes, truth := c.m.campaign(r, blocks, baseline, variant)
				_, halfBefore := difference(t, all, func(e *Invocation) float64 { return e.Unadjusted })
				if adjust(campaign, all, slopes)[0].Unused != "" {
					touched++
				}
				d, half := difference(t, all, func(e *Invocation) float64 { return e.Value("t") })
				bias += (d - truth) / campaigns
				wide, wideBefore = wide+half/campaigns, wideBefore+halfBefore/campaigns
				if math.Abs(d-truth) <= half {
					held++
				}
			}
			if share := 100 * float64(held) / campaigns; share < 93.5 || share > 97 {
				t.Errorf("the intervals hold the truth in %.1f %% of the campaigns, want 95 ± 1.5", share)
			}
			if n := 100 * float64(touched) / campaigns; n > 2 {
				t.Errorf("the reference counts as slowed in %.1f %% of the campaigns, want 1", n)
			}
			if wideBefore/wide < c.narrower {
				t.Errorf("± %.2f adjusted, ± %.2f before: want %.1f times narrower", wide, wideBefore, c.narrower)
			}
			if math.Abs(bias) > wide/10 {
				t.Errorf("off by %.3f on average, with ± %.2f", bias, wide)
			}
		})
	}
}

// difference is that of the variant from the baseline, and half of its 95 % interval.
func difference(t *testing.T, all []Invocation, value func(*Invocation) float64) (d, half float64) {
	t.Helper()
	by := ByCell(all)
	s, err := stats.SampleOf(PairsOf(ValuesOf(by["c01"], value), ValuesOf(by["c00"], value)).Differences())
	if err != nil {
		t.Fatal(err)
	}
	n := float64(s.N)
	return s.Mean, stats.TQuantile(0.025, n-1) * s.SD / math.Sqrt(n)
}

// A reference that is slower beside a variant has something of it, and adjusts nothing.
func TestTouchedReferenceAdjustsNothing(t *testing.T) {
	c, all, slopes, _ := shared{slope: 0.8, jvmSD: 0.01}.campaign(rand.New(rand.NewPCG(5, 6)), 10, 40, 700)
	for i := range all {
		if all[i].Cell == "c01" {
			all[i].Reference *= 2
		}
	}
	r := adjust(c, all, slopes)
	if len(r) != 1 || !strings.Contains(r[0].Unused, "of the time that it took beside the baseline") {
		t.Errorf("adjust = %+v", r)
	}
	for _, e := range all {
		if e.Value("t") != e.Unadjusted {
			t.Errorf("%v was adjusted: %v, was %v", e.Identity, e.Value("t"), e.Unadjusted)
		}
	}
}

// What a quiet machine tells apart, and no cost hangs on, is no reason not to adjust.
func TestBarelyTouchedReferenceAdjusts(t *testing.T) {
	for share, want := range map[float64]bool{0.001: true, 0.02: false} {
		c, all, slopes, _ := shared{slope: 0.8, jvmSD: 0.01}.campaign(rand.New(rand.NewPCG(7, 8)), 10, 40, 700)
		for i := range all {
			all[i].Reference = 2500 * (1 + 0.0002*float64(i%3))
			if all[i].Cell == "c01" {
				all[i].Reference *= 1 + share
			}
		}
		if r := adjust(c, all, slopes); (r[0].Unused == "") != want {
			t.Errorf("by %v: %q", share, r[0].Unused)
		}
	}
}

// Beside a second baseline the machine differs, for which values are adjusted.
func TestSecondBaselineDoesNotTouch(t *testing.T) {
	c, all, slopes, _ := shared{slope: 0.8, jvmSD: 0.01}.campaign(rand.New(rand.NewPCG(9, 10)), 10, 40, 40)
	for i := range all {
		if all[i].Cell == "c01" {
			all[i].Reference *= 2
		}
	}
	c.Cells[1].Role = results.RoleAA
	if r := adjust(c, all, slopes); r[0].Unused != "" {
		t.Errorf("not adjusted: %s", r[0].Unused)
	}
}

// The slope on a reference that moved is that of the calls; on one that stood still it is
// nothing, whatever the calls did.
func TestSlopes(t *testing.T) {
	for _, c := range []struct{ moved, least, most float64 }{{0.1, 0.49, 0.5}, {0.005, 0.24, 0.26}, {0.0005, 0, 0.01}} {
		var r response
		reference, calls := make([]float64, batchesOf), make([]float64, batchesOf)
		for i := range reference {
			swing := c.moved * quietNS * float64(1-2*(i/(2*group)%2))
			reference[i], calls[i] = quietNS+swing, 1000+0.5*swing
		}
		r.add(reference, calls)
		if got := r.slope(); got < c.least || got > c.most {
			t.Errorf("where the reference moved by %v: %v, want %v to %v", c.moved, got, c.least, c.most)
		}
	}
}

// A baseline and its second baselines are the same program, and follow the reference by the
// same slope: else they differ where the variants' reference took another time than theirs.
func TestBaselinesShareASlope(t *testing.T) {
	c, all, slopes, _ := shared{slope: 0.8, jvmSD: 0.01}.campaign(rand.New(rand.NewPCG(11, 12)), 10, 40, 40)
	c.Cells[1].Role = results.RoleAA
	c.Cells = append(c.Cells, results.Cell{ID: "c02", Scenario: "s", Baseline: "c00"})
	for _, e := range []Invocation{all[0], all[2]} { // beside a variant it takes longer: too few JVMs show that
		e.Invocation = &results.Invocation{Identity: e.Identity, Cell: "c02"}
		e.Values = map[string]float64{"t": e.Unadjusted}
		e.Reference *= 3
		all = append(all, e)
	}
	slopes["c01"], slopes["c02"] = response{}, response{xx: 1, xy: 1, x: 1, y: 1, invocations: 1}
	for i, want := range []string{"c00", "c00", "c02"} {
		if got := program(&c.Cells[i]); got != want || slopes[got].xx == 0 {
			t.Errorf("%s runs %s, want %s: slopes %+v", c.Cells[i].ID, got, want, slopes)
		}
	}
	if r := adjust(c, all, slopes); r[0].Unused != "" {
		t.Fatalf("not adjusted: %s", r[0].Unused)
	}
	if d, half := difference(t, all, func(e *Invocation) float64 { return e.Value("t") }); math.Abs(d) > half {
		t.Errorf("equal baselines differ by %v ± %v", d, half)
	}
}

func TestReferenceOf(t *testing.T) {
	column := func(thread int, values ...int64) summary.Column {
		b := summary.NewBuilder(int64(len(values)))
		b.Add(values)
		c, err := b.Column()
		if err != nil {
			t.Fatal(err)
		}
		c.Series, c.Name, c.Thread = results.SeriesReference, "t", thread
		return c
	}
	two := make([]int64, 2*summary.MaxBatches)
	for i := range two {
		two[i] = 100
	}
	two[11] = 9000 // an interruption, in a batch with another time
	s := &summary.Summary{Columns: []summary.Column{column(0, two...)}}
	if got := referenceOf(s, summary.MaxBatches); len(got) != summary.MaxBatches || got[5] != 100 {
		t.Errorf("with an interruption: %d batches, the sixth %v", len(got), got[5])
	}
	if got := referenceOf(s, 7); got != nil {
		t.Errorf("of another number of batches: %v", got)
	}
	if got := referenceOf(&summary.Summary{}, 7); got != nil {
		t.Errorf("of none: %v", got)
	}
	for i := range two {
		two[i] = 300
	}
	s.Columns = append(s.Columns, column(1, two...))
	if got := referenceOf(s, summary.MaxBatches); got[0] != 200 {
		t.Errorf("of two threads, 100 and 300: %v", got[0])
	}
}
