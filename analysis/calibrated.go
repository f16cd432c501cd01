package analysis

import (
	"slices"

	"moobench/analysis/stats"
	"moobench/results"
)

// Calibration is how much load a baseline takes, found by invocations of its own
// before the measurement; they are in no other number.
type Calibration struct {
	Name   string    `json:"name"`   // the baseline that was calibrated
	Cell   string    `json:"cell"`   // its ID
	Unit   string    `json:"unit"`   // of the load
	Found  []float64 `json:"found"`  // by each invocation
	Median float64   `json:"median"` // what loads are shares of; of an even number the lower one
}

// capacityScalar is what a calibrating invocation finds.
const capacityScalar = "capacity"

// calibrations are those of the scenario's cells.
func (r *reader) calibrations() []Calibration {
	var all []Calibration
	for _, c := range r.cells() {
		found := []float64{}
		for _, e := range succeeded(r.made[c.ID], results.ProfileCalibration) {
			if x, ok := e.Scalars[capacityScalar]; ok && stats.Finite(x) {
				found = append(found, x)
			}
		}
		if len(found) == 0 {
			continue
		}
		a := Calibration{Name: c.Label(), Cell: c.ID, Found: found}
		if m := r.metric(capacityScalar); m != nil {
			a.Unit = m.Unit
		}
		sorted := slices.Sorted(slices.Values(found))
		a.Median = sorted[(len(sorted)-1)/2]
		all = append(all, a)
	}
	return all
}
