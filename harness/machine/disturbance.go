package machine

import (
	"fmt"
	"strings"
	"time"

	"moobench/results"
)

// Other processes disturb when they take more than this of the measured CPUs,
// and no less than this in all. A share alone would be noise in short windows.
const (
	greatestShare    = 0.02
	leastDisturbance = 50 * time.Millisecond
)

// Disturbance is not nil when other user processes took enough of the measured
// CPUs to matter. What lies within the noise of the accounting counts only for
// processes that may run nowhere else.
func (u Usage) Disturbance() *results.Disturbance {
	if !u.matters(u.OthersNS) || u.OthersNS <= u.NoiseNS && !u.matters(u.SureNS) {
		return nil
	}
	share := u.OthersNS / u.WindowNS
	return &results.Disturbance{OthersNS: int64(u.OthersNS), Share: share, Because: u.because(share)}
}

func (u Usage) matters(ns float64) bool {
	return ns >= float64(leastDisturbance) && ns > greatestShare*u.WindowNS
}

func (u Usage) because(share float64) string {
	s := fmt.Sprintf("other processes took %.1f %% of the measured CPUs", share*100)
	if names := heaviest(u.Heaviest); names != "" {
		return s + "; on any CPU, most was used by " + names
	}
	return s + "; which ones is not known: they have ended, or are hidden"
}

// heaviest names the first three, "" if there are none; those that took next to
// nothing beside the first are not named.
func heaviest(processes []Process) string {
	const worthNaming = 0.05
	var names []string
	for _, p := range processes[:min(3, len(processes))] {
		if p.CPUNS < worthNaming*processes[0].CPUNS {
			break
		}
		names = append(names, fmt.Sprintf("%s (process %d, %s)", p.Name, p.PID, time.Duration(p.CPUNS).Round(time.Millisecond)))
	}
	return strings.Join(names, ", ")
}
