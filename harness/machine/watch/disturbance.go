package watch

import (
	"fmt"
	"strings"
	"time"

	"moobench/results"
)

// Other processes disturb if they take more than greatestShare of the measured CPUs, and at least leastDisturbance
// in total: a share alone would be noise in short windows.
const greatestShare, leastDisturbance = 0.02, 50 * time.Millisecond

// Disturbance is not nil if other user processes took enough of the measured CPUs to matter. Time within the noise
// of the accounting counts only for processes that may run nowhere else.
func (u Usage) Disturbance() *results.Disturbance {
	if !u.matters(u.othersNS) || u.othersNS <= u.noiseNS && !u.matters(u.sureNS) {
		return nil
	}
	share := u.othersNS / u.windowNS
	because := fmt.Sprintf("other processes took %.1f %% of the measured CPUs", share*100)
	if names := heaviest(u.heaviest); names != "" {
		because += "; on any CPU, most was used by " + names
	} else {
		because += "; which ones is not known: they have ended, or are hidden"
	}
	return &results.Disturbance{OthersNS: int64(u.othersNS), Share: share, Reason: because}
}

func (u Usage) matters(ns float64) bool {
	return ns >= float64(leastDisturbance) && ns > greatestShare*u.windowNS
}

// heaviest names the first three, except those that took next to nothing compared with the first.
func heaviest(all []consumer) string {
	const worthNaming = 0.05
	var names []string
	for _, c := range all[:min(3, len(all))] {
		if c.cpuNS < worthNaming*all[0].cpuNS {
			break
		}
		took := time.Duration(c.cpuNS).Round(time.Millisecond)
		names = append(names, fmt.Sprintf("%s (process %d, %s)", c.name, c.pid, took))
	}
	return strings.Join(names, ", ")
}

// Warnings lists conditions that a hot variant may have caused itself, and which are therefore no reason to drop
// an invocation. Equal causes have equal texts, so that they can be counted over many invocations; the scalars
// that they name hold the amounts.
func (u Usage) Warnings() []string {
	const (
		greatestRiseC    = 10
		leastFrequency   = 0.95 // of that at the beginning
		greatestSteal    = 0.01 // of the measured CPUs' time
		greatestPressure = 0.01 // of the window, by tasks that waited for memory
	)
	var all []string
	add := func(holds bool, text string) {
		if holds {
			all = append(all, text)
		}
	}
	add(u.scalars["throttle_count"] > 0,
		"the measured CPUs were slowed because of heat (throttle_count): "+
			"cool them, or lower max_frequency in [machine]")
	add(u.scalars["temperature_end_c"]-u.scalars["temperature_begin_c"] >= greatestRiseC,
		"the CPUs grew hotter by 10 °C or more within the window (temperature_end_c): "+
			"wait_until_quiet in [machine] lets them cool before each block")
	add(u.scalars["frequency_end_mhz"] < leastFrequency*u.scalars["frequency_begin_mhz"],
		"the frequency of the measured CPUs fell by more than 5 % within the window (frequency_end_mhz): "+
			"profile \"fixed-hardware\" keeps it level")
	add(u.scalars["steal_ns"] > greatestSteal*u.windowNS,
		"the host of this virtual machine took more than 1 % of the measured CPUs (steal_ns): "+
			"dedicated hardware is quieter")
	add(u.scalars["pressure_memory_ns"] > greatestPressure*u.lengthNS,
		"tasks waited for memory for more than 1 % of the window (pressure_memory_ns): "+
			"free some, or give the JVM a smaller heap")
	return all
}
