package results

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"

	"moobench/results/summary"
)

// Fresh is a campaign whose summaries are computed from its sample files, as if none
// were stored. It writes nothing. While the caller works on one summary, the next ones
// of the list are computed, one per CPU, and no others are held: memory does not grow
// with the number of invocations.
type Fresh struct {
	*Store
	ctx context.Context
	cpu chan struct{} // one slot per computation

	mu    sync.Mutex
	list  []*Invocation // in the order of Invocations
	ahead map[Identity]pending
}

// pending waits for a summary that is being computed.
type pending func() (*summary.Summary, error)

// Afresh returns the campaign with summaries computed from the samples, until ctx is
// done.
func (s *Store) Afresh(ctx context.Context) *Fresh {
	return &Fresh{Store: s, ctx: ctx, cpu: make(chan struct{}, runtime.GOMAXPROCS(0)), ahead: map[Identity]pending{}}
}

// Invocations returns the store's invocations. Ask for their summaries in this order.
func (f *Fresh) Invocations() ([]*Invocation, error) {
	list, err := f.Store.Invocations()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = list
	return slices.Clone(list), err
}

// Summary computes the summary of an invocation from its samples. Asked again,
// it computes it again. It may be called from several goroutines.
func (f *Fresh) Summary(inv *Invocation) (*summary.Summary, error) {
	if len(inv.Series) == 0 {
		return &summary.Summary{}, nil
	}
	sum, err := f.take(inv)()
	return sum, cmp.Or(f.ctx.Err(), err)
}

// take returns the computation of this invocation's summary, and starts the computations that will be requested
// next: for the current invocations of the same profile with samples. Other computations are dropped.
func (f *Fresh) take(inv *Invocation) pending {
	f.mu.Lock()
	defer f.mu.Unlock()
	p, next := f.start(inv), map[Identity]pending{}
	if at := slices.IndexFunc(f.list, func(o *Invocation) bool { return o.Identity == inv.Identity }); at >= 0 {
		for _, o := range f.list[at+1:] {
			if len(next) < cap(f.cpu) && o.Profile == inv.Profile && !o.Superseded && len(o.Series) > 0 {
				next[o.Identity] = f.start(o)
			}
		}
	}
	f.ahead = next
	return p
}

// start returns the computation of a summary, and starts it unless it runs already.
func (f *Fresh) start(inv *Invocation) pending {
	if p := f.ahead[inv.Identity]; p != nil {
		return p
	}
	p := sync.OnceValues(func() (*summary.Summary, error) {
		select {
		case f.cpu <- struct{}{}:
			defer func() { <-f.cpu }()
			return f.summarise(f.ctx, inv)
		case <-f.ctx.Done():
			return nil, f.ctx.Err()
		}
	})
	go p()
	return p
}
