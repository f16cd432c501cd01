package load

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
)

// precise is the ratio of a refused load to a taken one at which a search ends.
const precise = 1.05

// tries are the loads that one search tries. After an error none is taken any more.
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

// narrow tries a load between one that was taken and one that was refused, until they are 5 %
// apart.
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

// error is what ended the search too early.
func (t *tries) error() error {
	if t.failed == nil {
		return nil
	}
	return fmt.Errorf("searching for the capacity: %w", t.failed)
}

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

// Bisect narrows the range between a load that was taken and a higher one that was refused to 5 %.
// Loads are tried at random within the middle third of the logarithms in between: where always
// the middle is tried, all searches of a range end at the same few loads, however different what
// they search is, and their scatter tells nothing.
func Bisect(ctx context.Context, taken, refused float64, random *rand.Rand, try func(ctx context.Context, load float64) (bool, error)) error {
	if !(taken > 0 && taken < refused) || math.IsInf(refused, 0) {
		return fmt.Errorf("searching between %v and %v: that is no range of loads", taken, refused)
	}
	t := &tries{ctx: ctx, try: try}
	t.narrow(taken, refused, func(taken, refused float64) float64 {
		return taken * math.Pow(refused/taken, (1+random.Float64())/3)
	})
	return t.error()
}
