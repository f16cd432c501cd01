package analysis

import (
	"math"
	"math/rand/v2"
	"testing"

	"moobench/results"
)

// The parts of a cost fall out of the cells that are there.
func TestContrasts(t *testing.T) {
	type cell struct{ mode, stage string }
	for name, c := range map[string]struct {
		cells []cell
		want  map[string]string // of A's stage: name, and the stage of B
	}{
		"all stages": {
			[]cell{{"manual", "inactive"}, {"manual", "collect"}, {"manual", "tcp"}},
			map[string]string{"inactive": "I of none", "collect": "C of inactive", "tcp": "W of collect"},
		},
		"woven in, it asks nothing": {
			[]cell{{"bci", "collect"}, {"bci", "tcp"}},
			map[string]string{"collect": "C of none", "tcp": "W of collect"},
		},
		"compiled in, it asks":          {[]cell{{"manual", "collect"}}, map[string]string{"collect": "I+C of none"}},
		"only an output":                {[]cell{{"manual", "tcp"}}, map[string]string{"tcp": "I+C+W of none"}},
		"only an output, woven in":      {[]cell{{"bci", "otlp"}}, map[string]string{"otlp": "C+W of none"}},
		"nothing collects":              {[]cell{{"bci", "inactive"}, {"bci", "tcp"}}, map[string]string{"inactive": "I of none", "tcp": "C+W of inactive"}},
		"disabled is no part of a cost": {[]cell{{"bci", "disabled"}}, map[string]string{}},
		"modes are kept apart":          {[]cell{{"manual", "collect"}, {"bci", "tcp"}}, map[string]string{"collect": "I+C of none", "tcp": "C+W of none"}},
	} {
		sds := make([]float64, len(c.cells))
		f := sized(rand.New(rand.NewPCG(1, 1)), 5, results.Sizing{}, sds...)
		for i, k := range c.cells {
			f.campaign.Cells[i+1].Framework, f.campaign.Cells[i+1].Mode, f.campaign.Cells[i+1].Stage = "kieker", k.mode, k.stage
		}
		a, err := Analyse(f)
		if err != nil {
			t.Fatal(err)
		}
		got := a.Scenarios[0].Contrasts
		if len(got) != len(c.want) {
			t.Errorf("%s: %d parts, want %d", name, len(got), len(c.want))
		}
		for _, k := range got {
			b := f.campaign.Cell(k.B).Stage
			if b == "" {
				b = "none"
			}
			if k.Name+" of "+b != c.want[k.Stage] || k.About == "" || k.Estimate == nil {
				t.Errorf("%s: %s is %s of %s, want %s", name, k.Stage, k.Name, b, c.want[k.Stage])
			}
			if want := map[bool]float64{true: trueCost, false: 0}[b == "none"]; math.Abs(k.Estimate.Value-want) > 1e-9 {
				t.Errorf("%s: %s costs %v, want %v", name, k.Name, k.Estimate.Value, want)
			}
		}
	}
}
