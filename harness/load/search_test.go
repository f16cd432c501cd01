package load

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// step is one load that was tried.
type step struct {
	load float64
	took bool
}

// search searches, and returns the loads that it tried too.
func search(ctx context.Context, least, most float64, try func(load float64) (bool, error)) (found float64, steps []step, err error) {
	found, err = Capacity(ctx, least, most, func(_ context.Context, load float64) (bool, error) {
		took, err := try(load)
		if err == nil {
			steps = append(steps, step{load, took})
		}
		return took, err
	})
	return found, steps, err
}

func TestCapacityOfAMonotoneServer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		least := rapid.Float64Range(0.1, 100).Draw(t, "least")
		most := least * rapid.Float64Range(1, 1e4).Draw(t, "most / least")
		limit := rapid.Float64Range(least/2, most*2).Draw(t, "limit")
		got, steps, err := search(t.Context(), least, most, func(load float64) (bool, error) { return load <= limit, nil })
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case limit < least && got != 0, limit >= most && got != most:
			t.Fatalf("takes %g, searched from %g to %g, found %g", limit, least, most, got)
		case limit >= least && limit < most && (got > limit || got*precise < limit):
			t.Fatalf("takes %g, found %g: not within 5 %% below", limit, got)
		}
		if last := steps[len(steps)-1]; last.took != (got > 0) || got > 0 && last.load != got {
			t.Fatalf("found %g, and tried %+v last", got, last)
		}
		if len(steps) > 25 {
			t.Fatalf("%d steps", len(steps))
		}
	})
}

// TestCapacityOfANoisyServer: what is found was taken when it was tried last,
// whatever the server did before.
func TestCapacityOfANoisyServer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		share := rapid.Float64Range(0, 1).Draw(t, "taken by chance")
		got, steps, err := search(t.Context(), 1, 1000, func(float64) (bool, error) { return random.Float64() < share, nil })
		if err != nil {
			t.Fatal(err)
		}
		if last := steps[len(steps)-1]; got != 0 && (!last.took || last.load != got || got < 1 || got > 1000) {
			t.Fatalf("found %g, after %+v", got, steps)
		}
		if len(steps) > 200 {
			t.Fatalf("%d steps", len(steps))
		}
	})
}

// TestCapacityIsConfirmed: a server that took 100 once and never again takes 80.
func TestCapacityIsConfirmed(t *testing.T) {
	tries := 0
	got, steps, err := search(t.Context(), 10, 1000, func(load float64) (bool, error) {
		if load > 80 {
			tries++
		}
		return load <= 80 || load <= 160 && tries == 1, nil
	})
	if err != nil || got > 80 || got < 80/precise {
		t.Errorf("found %g (%v), after %+v", got, err, steps)
	}
}

// TestCapacityOfNothing: a server that took the least load by chance, and never again, takes none.
func TestCapacityOfNothing(t *testing.T) {
	tries := 0
	got, steps, err := search(t.Context(), 10, 1000, func(float64) (bool, error) { tries++; return tries == 1, nil })
	if err != nil || got != 0 || steps[len(steps)-1].load != 10 {
		t.Errorf("found %g (%v), after %+v", got, err, steps)
	}
	got, steps, err = search(t.Context(), 10, 10, func(float64) (bool, error) { return true, nil })
	if err != nil || got != 10 {
		t.Errorf("of a single load it takes: found %g (%v), after %+v", got, err, steps)
	}
}

func TestCapacityEnds(t *testing.T) {
	broken := errors.New("no server")
	fails := func(float64) (bool, error) { return false, broken }
	if _, _, err := search(t.Context(), 1, 2, fails); !errors.Is(err, broken) {
		t.Errorf("got the error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancels := func(float64) (bool, error) { cancel(); return true, nil }
	if _, steps, err := search(ctx, 1, 8, cancels); !errors.Is(err, context.Canceled) || len(steps) != 1 {
		t.Errorf("got the error %v after %+v", err, steps)
	}
	for _, s := range []struct{ least, most float64 }{{0, 1}, {2, 1}, {-1, 1}} {
		if _, _, err := search(t.Context(), s.least, s.most, fails); err == nil || !strings.Contains(err.Error(), "not a range") {
			t.Errorf("from %g to %g: got the error %v", s.least, s.most, err)
		}
	}
}

// TestBisect: what a search ends with is within 5 % of the limit, and searches of one range do not
// all try the same loads.
func TestBisect(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.Float64Range(0.1, 100).Draw(t, "low")
		high := low * rapid.Float64Range(1.01, 1e4).Draw(t, "high / low")
		limit := min(high, low+(high-low)*rapid.Float64Range(0, 1).Draw(t, "limit")) // rounding may pass high
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		taken, refused, steps := low, high, 0
		err := Bisect(t.Context(), low, high, random, func(_ context.Context, load float64) (bool, error) {
			if steps++; load <= taken || load >= refused {
				t.Fatalf("tried %g, and it is between %g and %g", load, taken, refused)
			}
			if load <= limit {
				taken = load
				return true, nil
			}
			refused = load
			return false, nil
		})
		if err != nil || refused > taken*precise || taken > limit || refused < limit || steps > 25 {
			t.Fatalf("between %g and %g after %d steps, and the limit is %g: %v", taken, refused, steps, limit, err)
		}
	})
	first := func(seed uint64) (load float64) {
		random := rand.New(rand.NewPCG(seed, 0))
		_ = Bisect(t.Context(), 1, 1000, random, func(_ context.Context, at float64) (bool, error) {
			load = at
			return false, errors.New("enough")
		})
		return load
	}
	if first(1) != first(1) || first(1) == first(2) {
		t.Error("a seed says which loads are tried, and another one others")
	}
	for _, ends := range [][2]float64{{0, 1}, {2, 1}, {1, 1}} {
		if err := Bisect(t.Context(), ends[0], ends[1], rand.New(rand.NewPCG(1, 1)), nil); err == nil || !strings.Contains(err.Error(), "not a range") {
			t.Errorf("%v: %v", ends, err)
		}
	}
}
