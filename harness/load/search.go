package load

import (
	"context"
	"fmt"
	"math"
)

// precise is the ratio of a refused load to a taken one at which a search ends.
const precise = 1.05

// Capacity searches for the highest load that a server takes, from least to most in
// the caller's unit, and returns it to 5 %: 0 if not even least was taken, and most if
// that was. try says whether the server took a load; its error ends the search.
//
// The load doubles from least on until one is refused, and the range between is then
// halved. What was found must be taken once more; if it is not, 5 % less must, and so
// on.
func Capacity(ctx context.Context, least, most float64, try func(ctx context.Context, load float64) (bool, error)) (float64, error) {
	if !(least > 0 && least <= most) || math.IsInf(most, 0) {
		return 0, fmt.Errorf("searching for the capacity: from %v to %v is no range of loads: the least must be over 0 and not over the most", least, most)
	}
	var failed error // after which nothing is taken any more
	took := func(load float64) bool {
		if failed == nil {
			failed = ctx.Err()
		}
		if failed != nil {
			return false
		}
		ok, err := try(ctx, load)
		if err != nil {
			failed = fmt.Errorf("trying a load of %g: %w", load, err)
		}
		return ok && err == nil
	}
	taken, next := 0.0, least
	for taken < most && took(next) {
		taken, next = next, min(2*next, most)
	}
	for refused := next; taken > 0 && refused > taken*precise && failed == nil; {
		if middle := (taken + refused) / 2; took(middle) {
			taken = middle
		} else {
			refused = middle
		}
	}
	for taken > 0 && failed == nil && !took(taken) {
		if taken <= least {
			taken = 0
		} else {
			taken = max(taken/precise, least)
		}
	}
	if failed != nil {
		return 0, fmt.Errorf("searching for the capacity: %w", failed)
	}
	return taken, nil
}
