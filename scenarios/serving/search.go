package serving

import (
	"context"

	"moobench/harness/load"
)

// Search tries loads on one server, to find the highest that it takes. What a height is, and which loads a server
// takes, is the scenario's.
type Search struct {
	// Send runs a load.
	Send func(context.Context, load.Load) (*load.Result, error)
	// At returns the load of a height: of so many clients, or requests per second.
	At func(height float64) load.Load
	// Takes reports whether the server took the load, Ours whether the load generator may be what did not.
	Takes, Ours func(*load.Result) bool
	// Tries is how often a load is tried before it counts as refused; 0 means once. A pause of the machine is not
	// the server's limit.
	Tries int
	// Tried is called after each trial; it may be nil.
	Tried func(height float64, r *load.Result)

	limit *Limit
}

// Limit is the lowest load that was refused.
type Limit struct {
	Height float64
	Result *load.Result // of the last trial
	Ours   bool         // the load generator may be what did not take it
}

// Highest returns the highest load between least and most that the server takes, as load.Capacity finds it.
func (s *Search) Highest(ctx context.Context, least, most float64) (float64, error) {
	return load.Capacity(ctx, least, most, s.Try)
}

// Try reports whether the server takes a load.
func (s *Search) Try(ctx context.Context, height float64) (bool, error) {
	var last *load.Result
	for range max(1, s.Tries) {
		r, err := s.Send(ctx, s.At(height))
		if err != nil {
			return false, err
		}
		if s.Tried != nil {
			s.Tried(height, r)
		}
		if s.Takes(r) {
			return true, nil
		}
		last = r
	}
	if s.limit == nil || height < s.limit.Height {
		s.limit = &Limit{Height: height, Result: last, Ours: s.Ours(last)}
	}
	return false, nil
}

// Limit returns the lowest load that was refused; nil if none was.
func (s *Search) Limit() *Limit { return s.limit }
