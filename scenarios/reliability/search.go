package reliability

import (
	"context"
	"math"
	"time"

	"moobench/harness/jvm"
	"moobench/harness/load"
	"moobench/harness/run"
	"moobench/results"
	"moobench/scenarios/serving"
)

// seriesSearch has the loads that a search tried, the first of which only warms the server up: the number of
// lost and of late requests, and the p99 of the lag, for each load.
const seriesSearch = "search"

// Highest loads that are tried: more clients would wait for each other in our own process, and no server worth
// measuring takes more requests per second.
const mostClients, mostRate = 4096, 1e6

// In an open loop a backlog shows in the latency: an answer that takes a tenth of the step means that the
// server takes at most nine tenths of this load.
const behind = 10

// search finds and records the highest load at which the server loses nothing, starting from the cell's own
// load.
func (d *driver) search(ctx context.Context) error {
	if err := d.rec.Begin(); err != nil {
		return err
	}
	s := d.searcher()
	found, err := s.capacity(ctx, load.Run)
	if err != nil {
		return err
	}
	if err := d.rec.End(s.endNS); err != nil {
		return err
	}
	return s.report(d.rec, found)
}

// searcher returns a searcher that starts from the cell's own load.
func (d *driver) searcher() *searcher {
	l := d.load()
	l.Hold, l.Ramp = d.SearchStep, d.SearchStep/3
	s := &searcher{load: l, bound: d.LagBound, unit: "clients", start: float64(l.Clients), most: mostClients}
	if l.Arrival != load.Closed {
		s.load.LateAfter = min(l.LateAfter, l.Hold/behind)
		s.unit, s.start, s.most = "requests per second", l.Rate, mostRate
	}
	return s
}

// searcher tries loads on one server.
type searcher struct {
	load        load.Load // height not set
	bound       time.Duration
	unit        string  // of the height
	start, most float64 // heights

	endNS                  int64
	limit                  *serving.Limit // the lowest load that the server did not take
	loads, lost, late, lag []int64        // by step
}

// warmUp is the number of steps for which the first load is held before anything counts: a server that is not
// compiled yet takes less.
const warmUp = 5

// capacity warms the server up with the first load, and searches above it, or below if that is too much.
func (s *searcher) capacity(ctx context.Context, send func(context.Context, load.Load) (*load.Result, error),
) (float64, error) {
	trials := serving.Search{
		Send: send,
		At: func(height float64) load.Load {
			l := s.load
			scale(&l, height)
			return l
		},
		Takes: func(r *load.Result) bool {
			all, _ := r.Counts()
			return all.Lost() == 0 && s.behind(r) == 0 && !serving.OwnLag(r, s.bound)
		},
		Ours:  func(r *load.Result) bool { return serving.OwnLag(r, s.bound) },
		Tried: s.note,
	}
	start, step := min(s.start, s.most), s.load.Hold
	s.load.Hold *= warmUp
	warming := trials
	if _, err := warming.Try(ctx, start); err != nil {
		return 0, err
	}
	s.load.Hold = step
	found, err := trials.Highest(ctx, start, s.most)
	if err == nil && found == 0 && start > 1 {
		found, err = trials.Highest(ctx, 1, start)
	}
	if err == nil && found == 0 {
		err = jvm.Failuref("capacity",
			"the uninstrumented server loses requests, or answers late, at every load down to 1 (%s): "+
				"look at its log, and at workers, lost_after and late_after", s.unit)
	}
	if s.load.Arrival == load.Closed {
		found = math.Round(found) // as in the trial
	}
	s.limit = trials.Limit()
	return found, err
}

// note notes one trial.
func (s *searcher) note(height float64, r *load.Result) {
	all, _ := r.Counts()
	s.endNS = r.EndNS
	s.loads, s.lost = append(s.loads, int64(math.Round(height))), append(s.lost, all.Lost())
	s.late, s.lag = append(s.late, s.behind(r)), append(s.lag, r.Own.LagP99NS)
}

// behind returns the number of answers that show a backlog. Answers that were merely under way at the end don't
// count.
func (s *searcher) behind(r *load.Result) (n int64) {
	for _, samples := range [][]load.Sample{r.Ramp, r.Hold} {
		for _, one := range samples {
			if one.Outcome == load.Late && one.LatencyNS() > int64(s.load.LateAfter) {
				n++
			}
		}
	}
	return n + r.Own.Unsent
}

// report records the capacity, and each step.
func (s *searcher) report(rec run.Recorder, found float64) error {
	rec.Scalar(run.CapacityScalar, found)
	switch {
	case found == s.most:
		rec.Warn("the server loses none at any load up to %.0f %s, the most that is tried: "+
			"shares are of that, not of what it takes", found, s.unit)
	case s.limit != nil && s.limit.Ours:
		rec.Warn("the search ended at %.0f %s because the load generator could not keep up with more: "+
			"the server may take more; leave moobench more CPUs: [machine] pin.housekeeping", found, s.unit)
	}
	return rec.Rows(results.Series{Name: seriesSearch, Columns: []results.Column{
		{Name: "load", Unit: "1", Kind: results.KindCount},
		{Name: "lost", Unit: "1", Kind: results.KindCount},
		{Name: "late", Unit: "1", Kind: results.KindCount},
		{Name: "lag", Unit: "ns", Kind: results.KindDuration},
	}, Batch: 1}, s.loads, s.lost, s.late, s.lag)
}
