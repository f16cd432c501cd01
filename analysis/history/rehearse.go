package history

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"gonum.org/v1/gonum/stat/distuv"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/refusal"
	"moobench/results"
)

// Rehearsal is the outcome of checks of a history in years without changes, simulated by resampling
// its own nights.
type Rehearsal struct {
	// Years is the number of simulated years of nightly checks per row.
	Years int `json:"years"`
	// Least is the least reported change, as a share.
	Least float64 `json:"min_change"`
	// GateAlpha is the one-sided level of the plain gate.
	GateAlpha float64           `json:"gate_alpha"`
	Series    []RehearsedSeries `json:"series"` // one entry per series
	Total     []RehearsedBlocks `json:"total"`  // all series together, without shifts
	// Warnings are about unreadable lines, and series with too few nights.
	Warnings []string `json:"warnings,omitempty"`
}

// RehearsedSeries is one series with its nights' properties, and the outcome of its checks.
type RehearsedSeries struct {
	Key
	// Nights is the number of resampled nights: the judged nights of the present plan.
	Nights int `json:"nights"`
	// NightsAYear is the number of nights in which the campaign is measured per year.
	NightsAYear float64 `json:"nights_a_year"`
	// Shifts is the number of level shifts (found, confirmed or accepted) removed from them.
	Shifts int `json:"shifts"`
	// SD is the standard deviation of the typical nights' log ratios about their levels.
	SD     float64 `json:"sd"`
	Within float64 `json:"within_sd"`            // the part of SD due to the nights' own blocks
	Lag1   float64 `json:"lag1_autocorrelation"` // of consecutive nights about their levels
	Length int     `json:"block_nights"`         // number of neighbouring nights resampled together
	// Remeasured says that old and new can be measured again. Otherwise no check fails, and alarms
	// are counted.
	Remeasured bool `json:"remeasured"`
	// Bound says that the variation of new/old between nights was assumed to be that of the series'
	// nights, because there are too few confirmations.
	Bound  bool              `json:"upper_bound,omitempty"`
	Blocks []RehearsedBlocks `json:"by_blocks"` // with the nights' number of blocks, one block more, and twice as many
}

// RehearsedBlocks is the outcome of checks for a number of blocks per night.
type RehearsedBlocks struct {
	// N is the number of blocks per night; 0 if series differ in it.
	N int `json:"n"`
	// Check counts the check's failures by chance, or its alarms if nothing can be re-measured.
	Check Yearly `json:"check"`
	Gate  Yearly `json:"gate"` // failures of a gate on each single night
	// Again is the number of campaigns per year in which old and new are re-measured.
	Again float64 `json:"remeasured_a_year"`
	// Found lists the level shifts for the worse that are found with probability 0.8.
	Found []FoundWithin `json:"found,omitempty"`
}

// Yearly is a rate per year, with a 95 % interval that reflects that the history is only a sample
// of nights.
type Yearly struct {
	Rate float64 `json:"rate"` // per year
	// Low and High are the interval.
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// FoundWithin holds the smallest level shifts for the worse, as shares, that are found with
// probability 0.8 within a number of nights: by the check, and by the gate on each of them. 0: not
// even 600 % is found.
type FoundWithin struct {
	Nights int     `json:"nights"` // number of nights
	Check  float64 `json:"check"`  // shift that the check finds, as a share
	Gate   float64 `json:"gate"`   // shift that the gate finds, as a share
}

const (
	// leastRehearsed is the least number of nights to resample a series: with fewer, neither the
	// standard deviation nor the tails are known to a factor of two.
	leastRehearsed = 20
	// RehearsedYears is the default number of simulated years per series and number of blocks: a
	// fifth resample the history's own nights, the others bootstrap samples of them. With
	// FewestYears, each bootstrap sample has one year.
	RehearsedYears = 10_000
	FewestYears    = 5 * resamples / 4
	resamples      = 160
	// mostLevel is the largest number of nights of the present level used in a comparison.
	mostLevel = 75
	daysAYear = 365.25
	// gateAlpha is the one-sided level of the plain gate, the default of [gate].
	gateAlpha = 0.01
)

// horizons are the numbers of nights in which a shift is to be found; the check's own is
// mostNights.
var horizons = []int{1, 3, mostNights, 7, 14}

// errTooFewNights means that no series has enough nights to be rehearsed.
var errTooFewNights = errors.New("too few nights")

// Rehearsing configures a rehearsal.
type Rehearsing struct {
	Least float64 // the least reported change, as in Check
	Years int     // number of simulated years per row; 0 means 10,000
	// Brief leaves out other numbers of blocks, and shifts: it takes a fifth of the time.
	Brief bool
}

// own and each are the numbers of simulated years of the history's own nights, and of each
// bootstrap sample of them.
func (r Rehearsing) own() int  { return max(1, r.Years/5) }
func (r Rehearsing) each() int { return max(1, (r.Years-r.own())/resamples) }

// Rehearse simulates years of nightly checks of a history without changes. Level shifts (found,
// confirmed or accepted) are removed; the residuals are resampled in blocks of neighbouring nights.
// The same history gives the same figures. It returns errTooFewNights if no series has 20 judged
// nights of its present plan.
func Rehearse(ctx context.Context, h *History, o Rehearsing) (*Rehearsal, error) {
	c, err := judge(h, o.Least)
	if err != nil {
		return nil, err
	}
	o.Years = cmp.Or(o.Years, RehearsedYears)
	r := &Rehearsal{
		Years: o.own() + resamples*o.each(), Least: c.least, GateAlpha: gateAlpha,
		Warnings: slices.Clone(h.Warnings),
	}
	most := 0
	var sources []*source
	for _, t := range c.tracks {
		better := t.last().Better
		if t.last().AA || t.Ended || t.MovedTo != "" || better != results.Lower && better != results.Higher {
			continue
		}
		one, nights := c.source(t, h)
		most = max(most, nights)
		if one == nil {
			r.Warnings = append(r.Warnings, fmt.Sprintf("%s has %s of its present plan: not rehearsed, %d are needed",
				t.Key, figure.Plural(nights, "judged night", "judged nights"), leastRehearsed))
			continue
		}
		sources = append(sources, one)
	}
	if len(sources) == 0 {
		const few = "%w: no series has %d judged nights of its present plan, the longest has %d"
		more := figure.Plural(leastRehearsed-most, "more night", "more nights")
		return nil, refusal.New(fmt.Errorf(few, errTooFewNights, leastRehearsed, most),
			fmt.Sprintf("measure %s, and add each with: moobench history add DIR", more))
	}
	return r, r.simulate(ctx, sources, o, &c.solver)
}

// simulate rehearses all series, and sums them.
func (r *Rehearsal) simulate(ctx context.Context, sources []*source, o Rehearsing, solver *infer.Solver) error {
	var totals [3][]tally // by number of blocks
	blocked := slices.ContainsFunc(sources, (*source).blocked)
	for _, one := range sources {
		s := one.series
		for i, n := range []int{one.n, one.n + 1, 2 * one.n} {
			if i > 0 && (o.Brief || !blocked) { // without blocks, their number has no effect
				break
			}
			years, err := one.withBlocks(n, solver).simulate(ctx, o, uint64(i))
			if err != nil {
				return err
			}
			years.bound(r.Years)
			s.Blocks, totals[i] = append(s.Blocks, years.RehearsedBlocks), append(totals[i], years)
		}
		r.Series = append(r.Series, s)
	}
	for _, series := range totals {
		if len(series) > 0 {
			r.Total = append(r.Total, sum(series, r.Years))
		}
	}
	return nil
}

// source holds the data from which a series' years are simulated. Worse is up.
type source struct {
	series    RehearsedSeries
	residuals []float64 // of the nights about their levels
	se, df    []float64 // of the nights
	n         int       // blocks of a night
	far       []bool    // which residuals are outliers
	sd        float64   // of the typical ones
	within    float64   // root mean square of se
	level     int       // nights of the present level
	tests     int       // number of comparisons per night over which the p values are adjusted
	least     float64   // the least reported change, as a share
	reported  float64   // the smallest reported log change
	block     float64   // standard deviation of log(new/old) in one block
	// own is the scatter of new/old in the history's confirmations, nil if there are too few;
	// before are the confirmations.
	own    *results.Scatter
	before []results.Remeasured
	seed   uint64
	// alarming has the t quantiles of alarms.
	alarming *stats.TQuantiles
	quantiled
}

// source prepares the simulation of a series; nil if there are too few nights.
func (c *checker) source(t *track, h *History) (one *source, nights int) {
	one = &source{least: c.least, quantiled: tables()}
	one.gather(t)
	nights = len(one.residuals)
	if nights < leastRehearsed {
		return nil, nights
	}
	levels := t.levels()
	present := levels[len(levels)-1]
	one.level = min(mostLevel, max(leastNights, present.to-present.from))
	one.tests = 3 * c.beside(t)
	one.alarming = stats.NewTQuantiles(nightAlpha / float64(one.tests))
	one.tell()
	one.measure()
	one.confirmed(h, t)
	key := fnv.New64a()
	key.Write([]byte(joined(t.Key)))
	one.seed = drawSeed ^ key.Sum64()
	one.describe(t)
	return one, nights
}

// gather collects the residuals of the nights of the present plan about their levels, worse ones
// above 0. Estimating a level of n nights takes one degree of freedom; the factor √(n/(n-1))
// corrects for that.
func (c *source) gather(t *track) {
	sign := 1.0
	if t.last().Better == results.Higher {
		sign = -1
	}
	plan, levels, squares := t.plan(len(t.x)-1), 0, 0.0
	var blocks []float64
	for _, l := range t.stretches() {
		size := float64(l.to - l.from)
		if l.from < plan.from || size < 2 { // of another plan, or too few nights for a residual
			continue
		}
		if !slices.ContainsFunc(t.moved, func(m moved) bool { return m.at == l.from }) {
			levels++
		}
		middle := mean(t.x[l.from:l.to])
		for i := l.from; i < l.to; i++ {
			n := float64(t.night(i).N)
			c.residuals = append(c.residuals, sign*(t.x[i]-middle)*math.Sqrt(size/(size-1)))
			c.se, c.df = append(c.se, t.se[i]), append(c.df, t.df[i])
			blocks, squares = append(blocks, n), squares+t.se[i]*t.se[i]*n
		}
	}
	middle, _ := stats.Median(blocks) // 0 if empty
	c.n, c.block = max(2, int(middle)), math.Sqrt(squares/float64(max(1, len(blocks))))
	if !c.blocked() {
		c.n = 1
	}
	c.series.Shifts = max(0, levels-1)
}

// blocked reports whether nights have standard errors of their own, from their blocks.
func (c *source) blocked() bool {
	return slices.ContainsFunc(c.df, func(df float64) bool { return df > 0 })
}

// describe fills in the properties of a series' nights.
func (c *source) describe(t *track) {
	s, last, plan := &c.series, t.last(), t.plan(len(t.x)-1)
	s.Key, s.Nights, s.SD, s.Within = t.Key, len(c.residuals), c.sd, c.within
	s.Lag1, _, _ = stats.Lag1(c.residuals) // 0 if they do not vary
	s.Length = stats.BlockLength(s.Nights, s.Lag1, blockNights)
	s.Remeasured, s.Bound = len(last.Artifacts) > 0, c.own == nil
	days := last.When.Sub(t.night(plan.from).When).Hours() / 24
	s.NightsAYear = daysAYear / max(days/float64(max(1, plan.to-1-plan.from)), 1.0/24)
}

// tables returns tabulated t quantiles for re-measuring.
func tables() quantiled {
	known := map[float64]*stats.TQuantiles{}
	for _, p := range []float64{jointAlpha / 2, ConfirmAlpha / 2} {
		known[p] = stats.NewTQuantiles(p)
	}
	return quantiled{func(p, df float64) float64 { return known[p].At(df) }}
}

// beside returns the number of series compared with their levels in a night of this one.
func (c *checker) beside(t *track) (n int) {
	for _, other := range c.tracks {
		if other.place() == t.place() && !other.Ended && other.judged() {
			n++
		}
	}
	return max(1, n)
}

// confirmed collects the history's confirmations of new/old.
func (c *source) confirmed(h *History, t *track) {
	var all pool
	for _, r := range h.Records {
		a := r.Confirmation
		if r.Kind != KindConfirmation || a.Verdict == infer.Confirmed || !alike(a, &t.Series, t.Machine) {
			continue
		}
		if m := a.remeasured(); m.DF > 0 {
			c.before = append(c.before, m)
			all.add(0, 0, []float64{m.Log}, []float64{m.SE})
		}
	}
	slices.SortFunc(c.before, func(a, b results.Remeasured) int { return a.When.Compare(b.When) })
	if all.df >= leastOwn {
		c.own = all.scatter()
	}
}

// chiSquare draws from chi-square.
func chiSquare(rng *rand.Rand, df float64) float64 { return distuv.ChiSquared{K: df, Src: rng}.Rand() }

// tell marks the outliers among the residuals.
func (c *source) tell() {
	kept, _ := typical(c.residuals, c.se)
	low, high := slices.Min(kept), slices.Max(kept)
	c.far = results.Each(c.residuals, func(x float64) bool { return x < low || x > high })
}

// measure sets the standard deviation of the typical residuals, and returns their mean.
func (c *source) measure() (middle float64) {
	var kept []float64
	for i, x := range c.residuals {
		if !c.far[i] {
			kept = append(kept, x)
		}
	}
	c.sd, _ = stats.SD(kept) // 0 if all are equal
	c.within = min(c.sd, stats.RootMeanSquare(c.se))
	if len(kept) > 0 {
		middle = mean(kept)
	}
	return middle
}

// withBlocks returns the source with another number of blocks per night: the part of the variance
// due to the nights' own blocks is proportional to 1/blocks; the variance between nights does not
// change.
func (c *source) withBlocks(n int, solver *infer.Solver) *source {
	other := *c
	part := float64(c.n) / float64(n)
	factor := 1.0
	if c.sd > 0 {
		factor = math.Sqrt(1 - (1-part)*(c.within/c.sd)*(c.within/c.sd))
	}
	other.n, other.sd, other.within = n, c.sd*factor, c.within*math.Sqrt(part)
	other.residuals = results.Each(c.residuals, func(x float64) float64 { return x * factor })
	other.se = results.Each(c.se, func(x float64) float64 { return x * math.Sqrt(part) })
	other.df = results.Each(c.df, func(x float64) float64 { return max(1, x*float64(n-1)/float64(max(1, c.n-1))) })
	other.reported = leastOf(solver, c.least, other.se, other.df)
	return &other
}

// again returns a bootstrap sample of the history: its nights are drawn in blocks of neighbours. If
// sd* is the standard deviation of its typical nights, it is rescaled to sd²/sd*, because sd*
// relates to sd as sd relates to the true value. The confirmations' scatter is drawn accordingly,
// by chi-square.
func (c *source) again(rng *rand.Rand) *source {
	other := *c
	other.residuals, other.far, other.se, other.df = nil, nil, nil, nil
	for _, i := range stats.CircularBlocks(rng, len(c.residuals), c.series.Length) {
		other.residuals, other.far = append(other.residuals, c.residuals[i]), append(other.far, c.far[i])
		other.se, other.df = append(other.se, c.se[i]), append(other.df, c.df[i])
	}
	middle, turned := other.measure(), 1.0
	if other.sd > 0 {
		turned = c.sd * c.sd / (other.sd * other.sd)
	}
	for i, far := range other.far {
		other.residuals[i] -= middle
		if !far {
			other.residuals[i] *= turned
		}
	}
	other.measure()
	if c.own != nil {
		drawn := *c.own
		drawn.SD *= math.Sqrt(c.own.DF / chiSquare(rng, c.own.DF))
		other.own = &drawn
	}
	return &other
}

// between returns the true standard deviation of new/old between nights.
func (c *source) between() float64 {
	if c.own != nil {
		return math.Sqrt(max(0, c.own.SD*c.own.SD-c.own.Within*c.own.Within))
	}
	return math.Sqrt(max(0, c.sd*c.sd-c.within*c.within))
}

// tally is the outcome of the years of one series or of all.
type tally struct {
	RehearsedBlocks
	check, gate stats.Simulated // of the bootstrap samples
	events      float64         // alarms in all years
}

// simulate simulates the years for one number of blocks.
func (c *source) simulate(ctx context.Context, o Rehearsing, stream uint64) (tally, error) {
	all := make([]outcome, resamples+1)
	err := concurrently(ctx, len(all), func(i int) {
		nights, years := c, o.own()
		if i > 0 { // the same bootstrap samples for all series with as many nights
			nights, years = c.again(rand.New(rand.NewPCG(drawSeed, uint64(i)))), o.each()
		}
		all[i] = nights.years(rand.New(rand.NewPCG(c.seed, stream<<32|uint64(i))), years)
	})
	if err != nil {
		return tally{}, err
	}
	t := tally{RehearsedBlocks: RehearsedBlocks{N: c.n, Again: all[0].again}, events: all[0].events}
	t.Check.Rate, t.Gate.Rate = all[0].rate, all[0].gate
	for _, s := range all[1:] {
		t.check.Add(s.rate, s.variance)
		t.gate.Add(s.gate, 0)
		t.events += s.events
	}
	if !o.Brief {
		t.Found, err = c.found(ctx, stream)
	}
	return t, err
}

// bound sets the intervals of the rates. With too few events to distinguish the bootstrap samples,
// the interval is at least that of the simulated event rate.
func (t *tally) bound(years int) {
	for _, of := range []struct {
		*Yearly
		stats.Simulated
	}{{&t.Check, t.check}, {&t.Gate, t.gate}} {
		i := of.Interval(confidence)
		of.Low, of.High = min(of.Rate, i.Low), max(of.Rate, i.High)
	}
	if rare, err := stats.RateInterval(int64(t.events), float64(years), confidence); err == nil && t.events < rarely {
		t.Check.Low, t.Check.High = min(t.Check.Low, rare.Low), max(t.Check.High, rare.High)
	}
}

// rarely is the least number of simulated events to distinguish bootstrap samples.
const rarely = 20

// sum adds all series, bootstrap sample by bootstrap sample: the series share their nights, so
// their rates are dependent.
func sum(series []tally, years int) RehearsedBlocks {
	t := tally{RehearsedBlocks: RehearsedBlocks{N: series[0].N}}
	for _, s := range series {
		if s.N != t.N {
			t.N = 0
		}
		t.Again += s.Again
		t.Check.Rate += s.Check.Rate
		t.Gate.Rate += s.Gate.Rate
		t.events += s.events
		t.check, t.gate = t.check.Plus(s.check), t.gate.Plus(s.gate)
	}
	t.bound(years)
	return t.RehearsedBlocks
}

// concurrently calls do for 0 … n-1 on all CPUs, until finished or the context is done.
func concurrently(ctx context.Context, n int, do func(i int)) error {
	var wait sync.WaitGroup
	next := make(chan int)
	for range min(n, runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := 0; i < n && ctx.Err() == nil; i++ {
		next <- i
	}
	close(next)
	wait.Wait()
	return ctx.Err()
}
