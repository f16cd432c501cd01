package evidence

import (
	"testing"

	"moobench/results"
)

func TestCPUCount(t *testing.T) {
	for list, want := range map[string]int{"1": 1, "0-3": 4, "0,2-3": 3, "": 0, "all": 0, "3-1": 0} {
		e := Invocation{Invocation: &results.Invocation{CPUs: list}}
		if got := e.CPUCount(); got != want {
			t.Errorf("CPUCount of %q = %d, want %d", list, got, want)
		}
	}
}
