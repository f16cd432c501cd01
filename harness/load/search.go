package load

import (
	"context"
	"fmt"
	"math"
)

// Search looks for the highest load that a server takes.
type Search struct {
	Least, Most float64 // of the load, in the caller's unit; 0 < Least <= Most
	// Try says whether the server took this load. An error ends the search.
	Try func(ctx context.Context, load float64) (bool, error)
}

// Step is one load that was tried.
type Step struct {
	Load float64
	Took bool
}

// precise is the ratio of a load that was not taken to one that was at which the
// search ends.
const precise = 1.05

// Capacity returns the highest load that was taken, to 5 %, and the loads that
// were tried. It doubles from Least until a load is not taken, then halves what
// lies between. What it has found must be taken once more; if it is not, 5 %
// less must, and so on. It returns 0 if not even Least was taken, and Most if
// that was.
func Capacity(ctx context.Context, s Search) (float64, []Step, error) {
	if !(s.Least > 0 && s.Least <= s.Most) || math.IsInf(s.Most, 0) {
		return 0, nil, fmt.Errorf("searching for the capacity: from %v to %v is no range of loads: the least must be over 0 and not over the most", s.Least, s.Most)
	}
	t := &trials{ctx: ctx, search: s}
	found := t.bracket()
	for t.err == nil && found > 0 && !t.took(found) {
		if found = max(found/precise, s.Least); t.last() <= s.Least {
			found = 0
		}
	}
	if t.err != nil {
		return 0, t.steps, fmt.Errorf("searching for the capacity: %w", t.err)
	}
	return found, t.steps, nil
}

// trials are the steps of one search, and the error that ended it.
type trials struct {
	ctx    context.Context
	search Search
	steps  []Step
	err    error
}

func (t *trials) last() float64 { return t.steps[len(t.steps)-1].Load }

// took tries a load; after an error nothing is taken any more.
func (t *trials) took(load float64) bool {
	if t.err == nil {
		t.err = t.ctx.Err()
	}
	if t.err != nil {
		return false
	}
	took, err := t.search.Try(t.ctx, load)
	if err != nil {
		t.err = fmt.Errorf("trying a load of %g: %w", load, err)
		return false
	}
	t.steps = append(t.steps, Step{Load: load, Took: took})
	return took
}

// bracket returns the highest load that was taken, within 5 % of one that was
// not; 0 if Least was not taken.
func (t *trials) bracket() float64 {
	taken, next := 0.0, t.search.Least
	for t.took(next) {
		if taken = next; taken == t.search.Most {
			return taken
		}
		next = min(2*taken, t.search.Most)
	}
	for refused := next; taken > 0 && refused > taken*precise && t.err == nil; {
		if middle := (taken + refused) / 2; t.took(middle) {
			taken = middle
		} else {
			refused = middle
		}
	}
	return taken
}
