package run

import (
	"fmt"
	"slices"

	"moobench/harness/plan"
	"moobench/results"
)

// CapacityScalar is what a calibrating invocation finds: the highest load that its
// baseline takes, in the unit of the scenario's load.
const CapacityScalar = "capacity"

// capacity is what the baseline of a cell takes: the median over the
// calibrating invocations that share its name, of an even number the lower one.
// An error says that there is none.
func (r *Runner) capacity(inv plan.Invocation) (float64, error) {
	name := inv.Cell.Calibration
	if name == "" || inv.Profile == results.ProfileCalibration || inv.Profile == results.ProfileProof {
		return 0, nil
	}
	var found []float64
	for _, got := range r.state.current(r.campaign()) {
		if c, ok := got.Scalars[CapacityScalar]; ok && got.Profile == results.ProfileCalibration && r.calibrationOf(got.Cell) == name {
			found = append(found, c)
		}
	}
	if len(found) == 0 {
		return 0, fmt.Errorf("its load is a share of what %s takes, and no calibration found that: see the invocations of profile calibration", name)
	}
	slices.Sort(found)
	return found[(len(found)-1)/2], nil
}

func (r *Runner) calibrationOf(cell string) string {
	for _, c := range r.Plan.Cells {
		if c.ID == cell {
			return c.Calibration
		}
	}
	return ""
}
