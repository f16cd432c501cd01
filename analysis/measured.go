package analysis

import (
	"errors"
	"fmt"

	"moobench/results"
)

// Measured are the values of one current invocation.
type Measured struct {
	*results.Invocation
	// Values are those of the metrics, in their units: scalars as they stand,
	// and means per call over the scenario's window. A metric that was not
	// observed is absent.
	Values map[string]float64
	// Class is how the invocation comes to rest (flat, warmup, slowdown, no
	// steady state), "" where that was not told; WindowFrom the share of the
	// samples of the primary metric that lie before the window.
	Class      string
	WindowFrom float64

	anew string // why the stored summary was not used
}

// Measure reads what each current invocation measured, as the answers take it.
// Those that failed, or that don't count, have no values. What can't be read is
// left out, and is in the error, with which the rest is returned.
func Measure(src Source) ([]Measured, error) {
	all, _, problems := gather(src)
	measured := make([]Measured, len(all))
	for i, e := range all {
		measured[i] = Measured{Invocation: e.Invocation, Values: e.values, Class: string(e.primary.class), WindowFrom: e.primary.from, anew: e.anew}
	}
	if len(problems) == 0 {
		return measured, nil
	}
	errs := make([]error, len(problems))
	for i, p := range problems {
		errs[i] = errors.New(p)
	}
	return measured, fmt.Errorf("measuring: %w", errors.Join(errs...))
}
