package analysis

import (
	"math"
	"math/rand/v2"
	"testing"

	"moobench/analysis/infer"
	"moobench/analysis/reading"
)

// speeds are those of a shared machine, and how a variant follows them; its baseline follows
// them as the reference does.
type speeds struct {
	elasticity float64
	speedSD    float64 // of the logarithm of the speed, between JVMs
	jvmSD      float64 // of what JVMs of one program differ by at one speed, as a share
}

const (
	speedBase, speedCost = 40.0, 660.0
	quietNS              = 2000.0 // the reference of a core that nobody else uses
)

// campaign is one of a baseline and a variant, in so many blocks.
func (m speeds) campaign(t *testing.T, r *rand.Rand, blocks int) *Answers {
	t.Helper()
	return m.told(t, r, blocks, 0, 0, nil)
}

// truth is what the variant costs where the reference takes so long.
func (m speeds) truth(referenceNS float64) float64 {
	x := math.Log(referenceNS / quietNS)
	return (speedBase+speedCost)*math.Exp(m.elasticity*x) - speedBase*math.Exp(x)
}

// The intervals hold the cost at the speed of the campaign, and at any other one, in 95 of
// 100 campaigns, and are narrower than those of what was measured.
func TestCarriedIntervalsHold(t *testing.T) {
	const campaigns, blocks = 200, 10
	for _, c := range []struct {
		name     string
		m        speeds
		narrower float64 // than what was measured, at least
	}{
		{"as the reference", speeds{1, 0.1, 0.01}, 3.5},
		{"less", speeds{0.7, 0.1, 0.02}, 2},
		{"more", speeds{1.4, 0.1, 0.02}, 3.5},
		{"a quiet machine", speeds{1, 0.001, 0.02}, 0.95},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			held, away, touched := 0, 0, 0
			wide, wideBefore := 0.0, 0.0
			holds := func(e *infer.Estimate, at float64) bool {
				truth := c.m.truth(at)
				return e.Interval.Low <= truth && truth <= e.Interval.High
			}
			for range campaigns {
				a := c.m.campaign(t, r, blocks)
				s := a.Scenarios[0]
				cell, at := s.Cell("c02"), s.References[0].At
				if cell.Unadjusted == nil { // by chance the reference seemed touched
					touched++
					continue
				}
				d := cell.MetricNamed("duration")
				if holds(d.Difference, at) {
					held++
				}
				x, y := d.Values.At(math.Log(at)+0.1), s.Cell("c00").MetricNamed("duration").Values.At(math.Log(at)+0.1)
				there := infer.Solver{}.Compare(infer.Question{Alpha: reading.Alpha}, infer.Data{X: reading.SampleOf(x), Y: reading.SampleOf(y), Paired: true, Ordered: true})
				if holds(there.Difference, at*math.Exp(0.1)) {
					away++
				}
				wide += d.Difference.Interval.Half()
				wideBefore += cell.Unadjusted.Interval.Half()
			}
			for where, n := range map[string]int{"here": held, "at another speed": away} {
				if share := 100 * float64(n) / float64(campaigns-touched); share < 92.5 {
					t.Errorf("the interval %s holds the truth in %.1f %% of the campaigns, want 95", where, share)
				}
			}
			if touched > campaigns/50 {
				t.Errorf("the reference counts as slowed in %d of %d campaigns, want one in a hundred", touched, campaigns)
			}
			if wideBefore/wide < c.narrower {
				t.Errorf("%.2f times narrower than as measured, want %.1f", wideBefore/wide, c.narrower)
			}
		})
	}
}
