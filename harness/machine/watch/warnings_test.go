package watch

import (
	"maps"
	"math"
	"strings"
	"testing"
)

func TestWarnings(t *testing.T) {
	usage := func(scalars map[string]float64) Usage {
		return Usage{lengthNS: 10e9, windowNS: 20e9, scalars: scalars}
	}
	limits := map[string]float64{
		"steal_ns": 200e6, "pressure_memory_ns": 100e6, "temperature_begin_c": 50, "temperature_end_c": 59.9,
		"frequency_begin_mhz": 3000, "frequency_end_mhz": 2850, "throttle_count": 0,
	}
	if got := usage(limits).Warnings(); got != nil {
		t.Errorf("at the limits: %q", got)
	}
	unknown := map[string]float64{}
	for name := range limits {
		unknown[name] = math.NaN()
	}
	if got := usage(unknown).Warnings(); got != nil {
		t.Errorf("nothing known: %q", got)
	}
	for scalar, value := range map[string]float64{
		"throttle_count": 7, "temperature_end_c": 60, "frequency_end_mhz": 2800, "steal_ns": 201e6, "pressure_memory_ns": 101e6,
	} {
		beyond := maps.Clone(limits)
		beyond[scalar] = value
		got := usage(beyond).Warnings()
		if len(got) != 1 || !strings.Contains(got[0], "("+scalar+"): ") {
			t.Errorf("%s: %q", scalar, got)
		}
	}
}
