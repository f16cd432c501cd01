package run

import (
	"fmt"
	"slices"

	"moobench/harness/plan"
	"moobench/results"
	"moobench/results/summary"
)

// CapacityScalar is the result of a calibrating invocation: the highest load that its baseline can take, in the
// unit of the scenario's load.
const CapacityScalar = "capacity"

// capacity returns the load that a cell's baseline can take: the median over the calibrating invocations of this
// name, the lower one for an even number. It fails if there was no such invocation.
func (r *Runner) capacity(inv plan.Invocation) (float64, error) {
	name := inv.Cell.Work.Calibration
	if name == "" || inv.Profile == results.ProfileCalibration || inv.Profile == results.ProfileProof {
		return 0, nil
	}
	var found []float64
	for _, got := range r.state.current() {
		c, ok := got.Scalars[CapacityScalar]
		cell := r.Plan.Cell(got.Cell)
		calibrates := got.Profile == results.ProfileCalibration && cell != nil && cell.Work.Calibration == name
		if ok && calibrates {
			found = append(found, c)
		}
	}
	if len(found) == 0 {
		return 0, fmt.Errorf("its load is a share of what %s can take, and no calibration measured that: "+
			"see the invocations of profile calibration", name)
	}
	slices.Sort(found)
	return summary.NearestRank(found, 0.5), nil
}
