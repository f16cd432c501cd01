package evidence

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"moobench/analysis/internal/testnumber"
	"moobench/analysis/stats"
	"moobench/results"
)

// shared is a machine whose core others use: its speed differs from JVM to JVM.
type shared struct {
	elasticity float64 // of the variant; the baseline has 1
	speedSD    float64 // of the logarithm of the speed, between JVMs
	jvmSD      float64 // of what JVMs of one program differ by at one speed, as a share
}

const primary = "t"

// campaign is one of a baseline, a second one and a variant, whose reference is slower
// beside the variant by a share.
func (m shared) campaign(r *rand.Rand, blocks int, baseline, variant, touched float64) (*results.Campaign, []Invocation) {
	c := &results.Campaign{
		Scenarios: []results.Scenario{{Label: "s", Metrics: []results.Metric{{Name: primary, Primary: true}}}},
		Cells: []results.Cell{
			{ID: "c00", Scenario: "s"},
			{ID: "c01", Scenario: "s", Baseline: "c00", Role: results.RoleAA},
			{ID: "c02", Scenario: "s", Baseline: "c00", Role: results.RoleVariant},
		},
	}
	var all []Invocation
	for b := range blocks {
		for i, mean := range []float64{baseline, baseline, variant} {
			speed, elasticity := m.speedSD*r.NormFloat64(), 1.0
			reference := quietNS * math.Exp(speed)
			if i == 2 {
				elasticity, reference = m.elasticity, reference*(1+touched)
			}
			y := mean * math.Exp(elasticity*speed) * (1 + m.jvmSD*r.NormFloat64())
			all = append(all, Invocation{
				Invocation: &results.Invocation{Identity: results.Identity{Block: b + 1, Slot: i}, Cell: c.Cells[i].ID, Status: results.StatusOK, Profile: results.ProfileTiming},
				Values:     map[string]float64{primary: y}, Unadjusted: y, adjusted: primary,
				Reference: reference, wholeReference: reference, carried: map[string]Carried{},
			})
		}
	}
	return c, all
}

// A reference that is slower beside a variant has something of it, and carries nothing; what
// a quiet machine tells apart, and no cost hangs on, is no reason not to.
func TestTouchedReferenceCarriesNothing(t *testing.T) {
	for touched, want := range map[float64]string{1: "of the time that it took beside the baseline", 0.02: "of the time", 0.001: ""} {
		m := shared{1, 0.1, 0.01}
		if touched < 1 {
			m.speedSD = 0.0003
		}
		c, all := m.campaign(rand.New(rand.NewPCG(5, 6)), 10, 40, 700, touched)
		r := carry(c, nil, all)
		if len(r) != 1 || (r[0].Unused == "") != (want == "") || !strings.Contains(r[0].Unused, want) {
			t.Errorf("touched by %v: %+v", touched, r)
		}
		for _, e := range all {
			if _, carried := e.carried[primary]; carried != (want == "") || !carried && e.Value(primary) != e.Unadjusted {
				t.Errorf("touched by %v: %v was carried: %v", touched, e.Identity, carried)
			}
		}
	}
}

// Beside a second baseline the machine differs, which is what values are carried for; both
// run one program, and have one law.
func TestBaselinesShareALaw(t *testing.T) {
	c, all := shared{1, 0.1, 0.01}.campaign(rand.New(rand.NewPCG(9, 10)), 10, 40, 700, 0)
	for i := range all {
		if all[i].Cell == "c01" {
			all[i].Reference *= 2
		}
	}
	if r := carry(c, nil, all); r[0].Unused != "" {
		t.Errorf("not carried: %s", r[0].Unused)
	}
	laws := map[string]*Law{}
	for _, e := range all {
		laws[e.Cell] = e.carried[primary].Law
	}
	if laws["c00"] != laws["c01"] || laws["c00"] == laws["c02"] || laws["c00"].Response.N != 20 || laws["c00"].Response.Groups != 2 {
		t.Errorf("laws %+v", laws)
	}
}

// All levels are carried to one speed; cells whose environment makes the speed are not.
func TestLevelsHaveOneSpeed(t *testing.T) {
	for factor, want := range map[string]int{"depth": 1, results.FactorFrequency: 2, "threads": 2} {
		c, all := shared{1, 0.1, 0.01}.campaign(rand.New(rand.NewPCG(11, 12)), 6, 40, 700, 0)
		for i := range c.Cells {
			other := c.Cells[i]
			other.ID += "b"
			if other.Baseline != "" {
				other.Baseline += "b"
			}
			c.Cells[i].Factors, other.Factors = []results.Value{{Name: factor, Value: "1"}}, []results.Value{{Name: factor, Value: "2"}}
			c.Cells = append(c.Cells, other)
		}
		for i := range all {
			if all[i].Block > 3 {
				all[i].Cell += "b"
			}
		}
		if r := carry(c, nil, all); len(r) != want {
			t.Errorf("%s: %d speeds, want %d", factor, len(r), want)
		}
	}
}

// Values at another speed and by another law are those that were measured, carried anew.
func TestValuesAt(t *testing.T) {
	law := &Law{Elasticity: stats.Elasticity{Value: 1, Variance: 0.01}}
	c := Carried{Measured: 100, Speed: math.Log(2200), To: math.Log(2000), Law: law}
	vs := Values{{Block: 1, X: c.value(), Carried: c, Sensitivities: c.sensitivity()}, {Block: 2, X: 7}}
	near := func(got, want float64) bool { return testnumber.Near(got, want, 1e-9) }
	if !near(vs[0].X, 100/1.1) || !near(vs.At(math.Log(2200))[0].X, 100) || vs.At(5)[1].X != 7 {
		t.Errorf("carried %v, back %v", vs[0].X, vs.At(math.Log(2200))[0].X)
	}
	half := vs.Under(&Law{Elasticity: stats.Elasticity{Value: 0.5}})
	if !near(half[0].X, 100/math.Sqrt(1.1)) || half[1].X != 7 {
		t.Errorf("by a half: %v", half[0].X)
	}
	if m := vs.Measured(); m[0].X != 100 || m[0].Sensitivities != nil || m[1].X != 7 {
		t.Errorf("measured: %+v", m)
	}
}

// What turns and earlier campaigns say is pooled; where they contradict each other, what leaves more
// room counts, whichever is first.
func TestPooled(t *testing.T) {
	turns := results.Influence{LogRatio: 0.001, SE: 0.0005, N: 10}
	campaigns := results.Influence{LogRatio: 0.002, SE: 0.001, N: 5, From: results.FromCampaigns}
	far := results.Influence{LogRatio: -0.02, SE: 0.001, N: 20, From: results.FromCampaigns}
	as := func(i results.Influence) stats.Known {
		return stats.Known{Value: i.LogRatio, SE: i.SE, DF: float64(i.N - 1)}
	}
	both, _ := as(turns).Pooled(as(campaigns))
	for name, c := range map[string]struct {
		all  []results.Influence
		want *stats.Known
	}{
		"nothing":                 {},
		"turns":                   {[]results.Influence{turns}, new(as(turns))},
		"both":                    {[]results.Influence{turns, campaigns}, &both},
		"contradiction":           {[]results.Influence{turns, far}, new(as(far))},
		"contradiction, reversed": {[]results.Influence{far, turns}, new(as(far))},
	} {
		if got := pooled(c.all); (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
