package machine

import (
	"math"
	"strings"
	"testing"
)

func TestWarnings(t *testing.T) {
	nan := math.NaN()
	calm := Usage{
		LengthNS: 10e9, WindowNS: 20e9, StealNS: 200e6, MemoryPressureNS: 100e6,
		Heat: Heat{BeginC: 50, EndC: 59.9}, Frequency: Frequencies{BeginMHz: 3000, EndMHz: 2850},
	}
	if got := calm.Warnings(); got != nil {
		t.Errorf("at the limits: %q", got)
	}
	unknown := Usage{LengthNS: 10e9, WindowNS: 20e9, StealNS: nan, MemoryPressureNS: nan, Heat: Heat{nan, nan, nan}, Frequency: Frequencies{nan, nan, nan}}
	if got := unknown.Warnings(); got != nil {
		t.Errorf("nothing known: %q", got)
	}
	for scalar, change := range map[string]func(*Usage){
		"throttle_count":     func(u *Usage) { u.Heat.Throttled = 7 },
		"temperature_end_c":  func(u *Usage) { u.Heat.EndC = 60 },
		"frequency_end_mhz":  func(u *Usage) { u.Frequency.EndMHz = 2800 },
		"steal_ns":           func(u *Usage) { u.StealNS = 201e6 },
		"pressure_memory_ns": func(u *Usage) { u.MemoryPressureNS = 101e6 },
	} {
		u := calm
		change(&u)
		got := u.Warnings()
		if len(got) != 1 || !strings.Contains(got[0], "("+scalar+"): ") {
			t.Errorf("%s: %q", scalar, got)
		}
	}
}
