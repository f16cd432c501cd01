package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"moobench/harness/config"
	"moobench/harness/framework"
	"moobench/results"
)

// loading is a scenario whose cells share a calibration by their depth.
type loading struct{ calling }

func (loading) Schema() config.Schema {
	s := calling{}.Schema()
	s.Name = "loading"
	return s
}

func (loading) Work(c *results.Cell) Work {
	w := calling{}.Work(c)
	if w.Depth != 1 {
		w.Calibration = "depth " + c.Parameter("depth")
	}
	return w
}

// TestCalibrationsComeFirst plans three searches for each calibration, before
// anything is timed.
func TestCalibrationsComeFirst(t *testing.T) {
	toml := `
name = "loads"
[[scenario]]
use = "loading"
variants = ["none", "probe/bci/collect"]
depth = [1, 2, 3]
threads = [1, 2]
blocks = 2
resources = 0
`
	s := loading{}
	f, err := config.Parse("benchmarks.toml", []byte(toml), config.Known{
		Scenarios:   []config.Schema{s.Schema()},
		Environment: Environment(), CPUs: asIs,
	})
	if err != nil {
		t.Fatal(err)
	}
	set, err := framework.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(f, set, []Scenario{s}, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	first := p.Campaign.Blocks[0]
	if first.Kind != results.BlockCalibration || first.Profile != results.ProfileCalibration || first.Number != 0 || p.Campaign.Blocks[1].Number != 1 {
		t.Fatalf("the first blocks are %+v, %+v", first, p.Campaign.Blocks[1])
	}
	counts := map[string]int{}
	for _, id := range first.Order {
		c := p.Cell(id)
		if c == nil || c.Role != results.RoleBaseline {
			t.Fatalf("%s is calibrated: %v", id, c)
		}
		counts[c.Work.Calibration]++
	}
	if got := fmt.Sprint(counts); got != "map[depth 2:3 depth 3:3]" {
		t.Errorf("calibrated: %s", got)
	}
	if !slices.ContainsFunc(p.Campaign.Plan, func(l string) bool { return strings.HasPrefix(l, "block 0: calibration") }) {
		t.Error("the plan does not say what is calibrated")
	}
}
