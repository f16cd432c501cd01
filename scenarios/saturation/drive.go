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
	// pollEvery is how often it is looked whether records have arrived.
	pollEvery = 5 * time.Millisecond
	// silence is after how long without a record no more of a window are taken to come, once they
	// are waited for no longer: what came later would be counted as records of the next one.
	silence = time.Second
	// silenceMost is how many times the drain that is waited for at most.
	silenceMost = waitedMost - 1
)

// driver drives one invocation.
type driver struct {
	settings
	calling.Probe
	inv     plan.Invocation
	subject run.Subject
	rec     run.Recorder
	random  *rand.Rand // depends on the block alone: all cells of a block get the same

	all    []results.Rated
	calls  int64 // of all windows, those that count for nothing included
	unrest bool  // records were still coming when the next window began
}

// Drive asks for all rates of the curve, searches the highest one that is borne, and records what
// became of each.
func (Scenario) Drive(ctx context.Context, inv plan.Invocation, s run.Subject, rec run.Recorder) error {
	d := &driver{settings: settingsOf(&inv.Cell.Cell), inv: inv, subject: s, rec: rec, random: rand.New(rand.NewPCG(uint64(inv.Block), 0))}
	// Its samples are of no use here: the windows have none.
	d.Probe = calling.Ready(ctx, inv, s, rec, map[string]string{"calls": "1"})
	curve := d.curve()
	if inv.Profile == results.ProfileProof {
		d.window(ctx, curve[0], false)
		return d.end()
	}
	d.window(ctx, curve[len(curve)/2], false) // code gets warm, and connections are made
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
	if n, err := d.Ask.Last("records", nil).Int("recorded"); err == nil { // of a probe that counts in the JVM
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

// end tells how many records there must be in all.
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
	m := d.Ask.Last("pace", map[string]string{"rate": strconv.FormatInt(rate, 10), "hold_ns": strconv.FormatInt(int64(d.hold), 10)})
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

// wait waits until all records of a window have arrived, or for as long as drain says.
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

// delivered are the records of so many calls, and how many have arrived: of the agent that has
// delivered the smallest share, where several are in the JVM.
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

// settle waits until no record of a window comes any more that was not waited for.
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

// cpuNS is the CPU time that the process has used, NaN where nobody knows.
func (d *driver) cpuNS() float64 {
	s, err := d.subject.Snapshot()
	if err != nil {
		return math.NaN()
	}
	return s.CPUNS
}

// search narrows the range between the highest rate that was borne and the lowest one above it that
// was not.
func (d *driver) search(ctx context.Context) error {
	for {
		borne, refused := results.Knee(d.all)
		if borne == nil || refused == nil || d.Ask.Err != nil {
			return d.Ask.Err
		}
		if d.again(ctx, refused.Asked) {
			continue
		}
		return load.Bisect(ctx, float64(borne.Asked), float64(refused.Asked), d.random, func(ctx context.Context, at float64) (bool, error) {
			rate := int64(math.Round(at))
			took := d.borne(ctx, rate) || d.again(ctx, rate)
			return took && d.Ask.Err == nil, d.Ask.Err
		})
	}
}

// borne says whether a rate that the search has chosen is borne in a window.
func (d *driver) borne(ctx context.Context, rate int64) bool {
	return d.window(ctx, rate, true).Outcome() == results.RateBorne
}

// again says whether a rate that was not borne is, twice in a row: a pause of the machine is no limit of
// the agent. Were once enough, rates would be believed that a lucky window bears.
func (d *driver) again(ctx context.Context, rate int64) bool {
	if !d.borne(ctx, rate) {
		return false
	}
	return d.borne(ctx, rate)
}

// report records what became of the rates.
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
	return d.rec.Rows(results.Series{Name: results.SeriesRated, Columns: results.RatedColumns(), Batch: 1}, results.RatedRows(d.all)...)
}
