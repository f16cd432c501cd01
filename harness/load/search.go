package load

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
)

// precise is the ratio of refused to accepted load at which a search ends.
const precise = 1.05

// tries are the attempts of one search. After an error, no load counts as accepted.
type tries struct {
	ctx    context.Context
	try    func(ctx context.Context, load float64) (bool, error)
	failed error
}

func (t *tries) took(load float64) bool {
	if t.failed == nil {
		t.failed = t.ctx.Err()
	}
	if t.failed != nil {
		return false
	}
	ok, err := t.try(t.ctx, load)
	if err != nil {
		t.failed = fmt.Errorf("trying a load of %g: %w", load, err)
	}
	return ok && err == nil
}

// narrow tries loads between an accepted and a refused one until they are at most 5 % apart.
func (t *tries) narrow(taken, refused float64, between func(taken, refused float64) float64) float64 {
	for taken > 0 && refused > taken*precise && t.failed == nil {
		if middle := between(taken, refused); t.took(middle) {
			taken = middle
		} else {
			refused = middle
		}
	}
	return taken
}

// error returns the error that ended the search early, or nil.
func (t *tries) error() error {
	if t.failed == nil {
		return nil
	}
	return fmt.Errorf("searching for the capacity: %w", t.failed)
}

// Capacity searches for the highest load that a server can take, between least and most in the caller's unit, to
// within 5 %. It returns 0 if the server could not take even least, and most if it took that. try reports whether
// the server took a load; its error ends the search.
//
// The load doubles from least until one is refused; the range in between is then bisected. The load found must be
// taken once more; if it is not, 5 % less must be, and so on.
func Capacity(
	ctx context.Context, least, most float64, try func(ctx context.Context, load float64) (bool, error),
) (float64, error) {
	if !(least > 0 && least <= most) || math.IsInf(most, 0) {
		return 0, fmt.Errorf("searching for the capacity: from %v to %v is not a range of loads: "+
			"the least must be over 0 and not over the most", least, most)
	}
	t := &tries{ctx: ctx, try: try}
	taken, next := 0.0, least
	for taken < most && t.took(next) {
		taken, next = next, min(2*next, most)
	}
	taken = t.narrow(taken, next, func(taken, refused float64) float64 { return (taken + refused) / 2 })
	for taken > 0 && t.failed == nil && !t.took(taken) {
		if taken <= least {
			taken = 0
		} else {
			taken = max(taken/precise, least)
		}
	}
	if err := t.error(); err != nil {
		return 0, err
	}
	return taken, nil
}

// Bisect narrows the range between an accepted load and a higher, refused one to 5 %. Each try is at random within
// the middle third of the range, on a log scale. If it always tried the middle, all searches of a range would end
// at the same few loads, however different their subjects are, and their scatter would tell nothing.
func Bisect(
	ctx context.Context, taken, refused float64, random *rand.Rand,
	try func(ctx context.Context, load float64) (bool, error),
) error {
	if !(taken > 0 && taken < refused) || math.IsInf(refused, 0) {
		return fmt.Errorf("searching between %v and %v: that is not a range of loads", taken, refused)
	}
	t := &tries{ctx: ctx, try: try}
	t.narrow(taken, refused, func(taken, refused float64) float64 {
		return taken * math.Pow(refused/taken, (1+random.Float64())/3)
	})
	return t.error()
}
