package saturation

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"moobench/harness/load"
	"moobench/harness/plan"
	"moobench/harness/proc"
	"moobench/harness/run"
	"moobench/results"
	"moobench/scenarios/calling"
)

const (
	// pollEvery is the interval between checks for arriving records.
	pollEvery = 5 * time.Millisecond
	// silence is the time without a record after which, once the wait has ended, no more records of a window
	// are expected: later ones would count for the next window.
	silence = time.Second
	// silenceMost is the longest wait for silence, in drains.
	silenceMost = waitedMost - 1
)

// driver drives one invocation.
type driver struct {
	settings
	calling.Probe
	inv     plan.Invocation
	subject run.Subject
	rec     run.Recorder
	random  *rand.Rand // depends only on the block: all cells of a block get the same

	all    []results.Rated
	calls  int64 // of all windows, including those that don't count
	unrest bool  // records were still coming when the next window began
}

// Drive runs all rates of the curve, searches the highest one that is borne, and records the outcome of each.
func (Scenario) Drive(ctx context.Context, inv plan.Invocation, s run.Subject, rec run.Recorder) error {
	d := &driver{
		settings: settingsOf(&inv.Cell.Cell), inv: inv, subject: s, rec: rec,
		random: rand.New(rand.NewPCG(uint64(inv.Block), 0)),
	}
	// The usual samples of calls are not needed here.
	d.Probe = calling.Ready(ctx, inv, s, rec, map[string]string{"calls": "1", "batch": "1", "rate": "0"})
	curve := d.curve()
	if inv.Profile == results.ProfileProof {
		d.window(ctx, curve[0], false)
		return d.end()
	}
	d.window(ctx, curve[len(curve)/2], false) // warms the code up, and makes connections
	d.all = nil
	d.Open()
	d.Ask.Do(rec.Begin)
	for _, i := range d.random.Perm(len(curve)) {
		d.window(ctx, curve[i], false)
	}
	if inv.Profile == results.ProfileTiming {
		d.Ask.Do(func() error { return d.search(ctx) })
	}
	d.Ask.Do(func() error { return rec.End(proc.MonotonicNS()) })
	if n, err := d.Ask.Last("records", nil).Int("recorded"); err == nil { // counted by a probe in the JVM
		rec.Recorded(n)
	}
	d.Close(rec)
	if inv.Profile == results.ProfileResources {
		run.Heap(d.Ask, rec)
		return d.end()
	}
	d.Ask.Do(d.report)
	return d.end()
}

// end sets the total number of expected records.
func (d *driver) end() error {
	c := &d.inv.Cell
	if n := c.Records(0, d.Seen+d.calls); n > 0 && c.Recipe.Deactivate == "" {
		d.rec.Expected(n)
	}
	return d.Ask.Err
}

// window has calls made at a rate, and waits for their records.
func (d *driver) window(ctx context.Context, rate int64, searched bool) (w results.Rated) {
	if d.Ask.Err != nil {
		return w
	}
	before, cpu := d.rec.Arrived(), d.cpuNS()
	m := d.Ask.Last("pace", map[string]string{
		"rate": strconv.FormatInt(rate, 10), "hold_ns": strconv.FormatInt(int64(d.hold), 10),
	})
	begin, end := d.Ask.Int(m, "begin_ns"), d.Ask.Int(m, "end_ns")
	w = results.Rated{
		Asked: rate, Calls: d.Ask.Int(m, "calls"), SpanNS: max(int64(d.hold), end-begin),
		BusyNS: d.Ask.Int(m, "busy_ns"), LateNS: d.Ask.Int(m, "late_ns"), CPUNS: -1, Delivered: -1,
	}
	if w.Calls < 1 {
		d.Ask.Fail(run.KindCounts, "the fixture made no call in %s at %d calls per second", d.hold, rate)
	}
	if searched {
		w.Searched = 1
	}
	d.calls += w.Calls
	d.Ask.Do(func() error { return d.wait(ctx, &w, before, end) })
	if used := d.cpuNS() - cpu; used >= 0 {
		w.CPUNS = int64(used)
	}
	d.Ask.Do(func() error { return d.settle(ctx, w) })
	d.all = append(d.all, w)
	return w
}

// wait waits until all records of a window have arrived, or drain has passed.
func (d *driver) wait(ctx context.Context, w *results.Rated, before []int64, endNS int64) error {
	for {
		w.Made, w.Delivered = d.delivered(w.Calls, before)
		w.WaitedNS = max(0, proc.MonotonicNS()-endNS)
		if !w.Counted() || w.Delivered >= w.Made || w.WaitedNS >= int64(d.drain) {
			return nil
		}
		if err := pause(ctx); err != nil {
			return err
		}
	}
}

// delivered returns how many records the calls made, and how many of them have arrived; with several agents in
// the JVM, those of the agent that delivered the smallest share.
func (d *driver) delivered(calls int64, before []int64) (made, delivered int64) {
	delivered = -1
	share := math.Inf(1)
	for i, now := range d.rec.Arrived() {
		n := d.inv.Cell.Records(i, calls) - d.inv.Cell.Records(i, 0)
		if n <= 0 || now < 0 {
			continue
		}
		if came := float64(now-before[i]) / float64(n); came < share {
			made, delivered, share = n, now-before[i], came
		}
	}
	return made, delivered
}

// settle waits until no late records of a window arrive any more.
func (d *driver) settle(ctx context.Context, w results.Rated) error {
	if !w.Counted() || w.Delivered >= w.Made {
		return nil
	}
	begin := time.Now()
	seen, since := d.rec.Arrived(), begin
	for time.Since(since) < min(silence, d.drain) {
		if time.Since(begin) > silenceMost*d.drain {
			d.unrest = true
			return nil
		}
		if err := pause(ctx); err != nil {
			return err
		}
		if now := d.rec.Arrived(); !slices.Equal(now, seen) {
			seen, since = now, time.Now()
		}
	}
	return nil
}

func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(pollEvery):
		return nil
	}
}

// cpuNS returns the CPU time that the process has used, NaN if it is unknown.
func (d *driver) cpuNS() float64 {
	s, err := d.subject.Snapshot()
	if err != nil {
		return math.NaN()
	}
	return s.CPUNS
}

// search narrows the range between the highest rate that was borne and the lowest refused one above it.
func (d *driver) search(ctx context.Context) error {
	for {
		borne, refused := results.Knee(d.all)
		if borne == nil || refused == nil || d.Ask.Err != nil {
			return d.Ask.Err
		}
		if d.again(ctx, refused.Asked) {
			continue
		}
		low, high := float64(borne.Asked), float64(refused.Asked)
		return load.Bisect(ctx, low, high, d.random, func(ctx context.Context, at float64) (bool, error) {
			rate := int64(math.Round(at))
			took := d.borne(ctx, rate) || d.again(ctx, rate)
			return took && d.Ask.Err == nil, d.Ask.Err
		})
	}
}

// borne reports whether a rate that the search chose is borne in one window.
func (d *driver) borne(ctx context.Context, rate int64) bool {
	return d.window(ctx, rate, true).Outcome() == results.RateBorne
}

// again reports whether a refused rate is borne twice in a row, because a pause of the machine is not the
// agent's limit. If once were enough, a lucky window would decide.
func (d *driver) again(ctx context.Context, rate int64) bool {
	if !d.borne(ctx, rate) {
		return false
	}
	return d.borne(ctx, rate)
}

// report records the outcomes of the rates.
func (d *driver) report() error {
	made := 0.0
	for _, w := range d.all {
		made = max(made, w.Offered())
		if w.Asked == d.lowest && w.Searched == 0 {
			d.rec.Scalar(call, float64(w.BusyNS)/float64(w.Calls))
			if w.CPUNS >= 0 {
				d.rec.Scalar(cpu, float64(w.CPUNS)/float64(w.Calls))
			}
		}
		if w.Counted() && w.Delivered > w.Made {
			d.unrest = true
		}
	}
	d.rec.Scalar(most, made)
	if d.unrest {
		d.rec.Warn("records of one rate still came when the next one was begun, and are counted there: " +
			"make drain longer than the agent keeps records, hold longer where a buffer is sent once it is full, " +
			"or highest lower where what it can't send piles up")
	}
	series := results.Series{Name: results.SeriesRated, Columns: results.RatedColumns(), Batch: 1}
	return d.rec.Rows(series, results.RatedRows(d.all)...)
}
