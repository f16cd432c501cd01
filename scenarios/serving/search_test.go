package serving

import (
	"context"
	"errors"
	"testing"

	"moobench/harness/load"
)

// server takes so many clients, and refuses the first trial of each load; our own limit is ours.
func server(most, ours int, refusesOnce bool) *Search {
	tried := map[int]bool{}
	lost := func(r *load.Result) bool { return r.Own.Unsent > 0 }
	return &Search{
		Send: func(_ context.Context, l load.Load) (*load.Result, error) {
			r := &load.Result{}
			if l.Clients > most || refusesOnce && !tried[l.Clients] {
				r.Own.Unsent = 1
			}
			tried[l.Clients] = true
			if l.Clients > ours {
				r.Own.CPUShare = 1
			}
			return r, nil
		},
		At:    func(height float64) load.Load { return load.Load{Clients: int(height)} },
		Takes: func(r *load.Result) bool { return !lost(r) },
		Ours:  func(r *load.Result) bool { return r.Own.CPUShare == 1 },
	}
}

// The lowest refused load is the limit, with whose it is.
func TestSearchFindsTheLimit(t *testing.T) {
	for name, c := range map[string]struct {
		most, ours int
		wantOurs   bool
	}{"the server's": {100, 1 << 20, false}, "ours": {100, 50, true}} {
		s := server(c.most, c.ours, false)
		found, err := s.Highest(t.Context(), 1, 4096)
		if err != nil || found < 95 || found > 100 {
			t.Errorf("%s: found %v, %v", name, found, err)
		}
		l := s.Limit()
		if l == nil || l.Height <= 100 || l.Height > 106 || l.Ours != c.wantOurs || l.Result == nil {
			t.Errorf("%s: limit %+v", name, l)
		}
	}
	s := server(1<<20, 1<<20, false)
	if found, err := s.Highest(t.Context(), 1, 4096); err != nil || found != 4096 || s.Limit() != nil {
		t.Errorf("a server that takes all: %v, %v, %+v", found, err, s.Limit())
	}
}

// A load that is refused once is tried again only if it is asked for.
func TestSearchTriesAgain(t *testing.T) {
	s := server(100, 1<<20, true)
	trials := 0
	s.Tries, s.Tried = 2, func(float64, *load.Result) { trials++ }
	if found, err := s.Highest(t.Context(), 8, 4096); err != nil || found < 90 || trials < 4 {
		t.Errorf("found %v after %d trials, %v", found, trials, err)
	}
	s = server(100, 1<<20, true)
	if found, err := s.Highest(t.Context(), 8, 4096); err != nil || found != 0 {
		t.Errorf("tried once, found %v, %v", found, err)
	}
	s.Send = func(context.Context, load.Load) (*load.Result, error) { return nil, errors.New("gone") }
	if _, err := s.Highest(t.Context(), 8, 4096); err == nil {
		t.Error("a server that is gone has a capacity")
	}
}
