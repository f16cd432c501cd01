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

// Rehearsal is what checks of a history come to in years in which nothing changes: its own
// nights, resampled.
type Rehearsal struct {
	// Years is how many years of nightly checks were simulated of each row.
	Years int `json:"years"`
	// Least is the least change worth a word, as a share.
	Least float64 `json:"min_change"`
	// GateAlpha is the one-sided level of the plain gate.
	GateAlpha float64           `json:"gate_alpha"`
	Series    []RehearsedSeries `json:"series"` // what is known of each series
	Total     []RehearsedBlocks `json:"total"`  // of all series together, without shifts
	// Warnings are about lines that could not be read, and series with too few nights.
	Warnings []string `json:"warnings,omitempty"`
}

// RehearsedSeries is one series with what its nights are, and what checks of it come to.
type RehearsedSeries struct {
	Key
	// Nights is how many judged nights of the present plan are resampled.
	Nights int `json:"nights"`
	// NightsAYear is how often the history's campaign is measured.
	NightsAYear float64 `json:"nights_a_year"`
	// Shifts is how many level shifts, found, confirmed or accepted, were taken out of them.
	Shifts int `json:"shifts"`
	// SD is the standard deviation of the typical nights about their levels, of the logarithm.
	SD     float64 `json:"sd"`
	Within float64 `json:"within_sd"`            // the part of SD that the nights' own blocks make
	Lag1   float64 `json:"lag1_autocorrelation"` // of neighbouring nights about their levels
	Length int     `json:"block_nights"`         // how many neighbouring nights are resampled together
	// Remeasured says that old and new can be measured again. Else no check fails, and what
	// is counted are alarms.
	Remeasured bool `json:"remeasured"`
	// Bound says that new/old was taken to differ from night to night by as much as the series'
	// nights do, because too few confirmations tell.
	Bound  bool              `json:"upper_bound,omitempty"`
	Blocks []RehearsedBlocks `json:"by_blocks"` // as the nights are, with one block more, with twice as many
}

// RehearsedBlocks is what checks come to when nights have a number of blocks.
type RehearsedBlocks struct {
	// N is the number of blocks of a night; 0 where series have unlike ones.
	N int `json:"n"`
	// Check are the failures of the check by chance, or its alarms where nothing can be
	// re-measured.
	Check Yearly `json:"check"`
	Gate  Yearly `json:"gate"` // failures of a gate on each single night
	// Again is in how many campaigns a year old and new are re-measured.
	Again float64 `json:"remeasured_a_year"`
	// Found are the level shifts for the worse that are found in 80 %.
	Found []FoundWithin `json:"found,omitempty"`
}

// Yearly is how often something happens a year, with the 95 % interval that holds what the
// history, being a sample of nights, leaves open.
type Yearly struct {
	Rate float64 `json:"rate"` // how often
	// Low and High are the interval.
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// FoundWithin is the least level shift for the worse, as a share, that is found in 80 % within so
// many nights: by the check, and by the gate on each of them. 0: not even one of 600 % is.
type FoundWithin struct {
	Nights int     `json:"nights"` // within how many
	Check  float64 `json:"check"`  // shift that the check finds, as a share
	Gate   float64 `json:"gate"`   // shift that the gate finds, as a share
}

const (
	// leastRehearsed is how many nights a series needs to be resampled: of fewer, neither
	// their scatter nor its tails are known to a factor of two.
	leastRehearsed = 20
	// RehearsedYears are simulated of each series and number of blocks unless somebody says
	// otherwise: a fifth of the history's own nights, the others of resamples of them, so that
	// FewestYears are one of each.
	RehearsedYears = 10_000
	FewestYears    = 5 * resamples / 4
	resamples      = 160
	// mostLevel is how many nights of the present level the nights are compared with.
	mostLevel = 75
	daysAYear = 365.25
	// gateAlpha is the one-sided level of the plain gate, that of [gate] unless it says
	// otherwise.
	gateAlpha = 0.01
)

// horizons are within how many nights a shift is to be found: the check's own is mostNights.
var horizons = []int{1, 3, mostNights, 7, 14}

// errTooFewNights says that no series has enough nights to be rehearsed.
var errTooFewNights = errors.New("too few nights")

// Rehearsing is what is rehearsed.
type Rehearsing struct {
	Least float64 // the least change worth a word, as in Check
	Years int     // how many are simulated of each row; 0 is 10,000
	// Brief leaves out other numbers of blocks, and shifts: what is left takes a fifth of the time.
	Brief bool
}

// own and each are how many years are simulated of the history's own nights, and of each
// resample of them.
func (r Rehearsing) own() int  { return max(1, r.Years/5) }
func (r Rehearsing) each() int { return max(1, (r.Years-r.own())/resamples) }

// Rehearse simulates years of nightly checks of a history in which nothing changes. Level
// shifts that were found, confirmed or accepted are taken out; what is left is resampled in
// blocks of neighbouring nights. The same history gives the same figures. It is
// errTooFewNights when no series has 20 judged nights of its present plan.
func Rehearse(ctx context.Context, h *History, o Rehearsing) (*Rehearsal, error) {
	c, err := judge(h, o.Least)
	if err != nil {
		return nil, err
	}
	o.Years = cmp.Or(o.Years, RehearsedYears)
	r := &Rehearsal{Years: o.own() + resamples*o.each(), Least: c.least, GateAlpha: gateAlpha, Warnings: slices.Clone(h.Warnings)}
	most := 0
	var sources []*source
	for _, t := range c.tracks {
		if t.last().AA || t.Ended || t.MovedTo != "" || t.last().Better != results.Lower && t.last().Better != results.Higher {
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
		return nil, refusal.New(fmt.Errorf("%w: no series has %d judged nights of its present plan, the longest has %d", errTooFewNights, leastRehearsed, most),
			fmt.Sprintf("measure %s, and add each with: moobench history add DIR", figure.Plural(leastRehearsed-most, "more night", "more nights")))
	}
	return r, r.simulate(ctx, sources, o, &c.solver)
}

// simulate rehearses all series, and sums them up.
func (r *Rehearsal) simulate(ctx context.Context, sources []*source, o Rehearsing, solver *infer.Solver) error {
	var totals [3][]tally // by number of blocks
	blocked := slices.ContainsFunc(sources, (*source).blocked)
	for _, one := range sources {
		s := one.series
		for i, n := range []int{one.n, one.n + 1, 2 * one.n} {
			if i > 0 && (o.Brief || !blocked) { // without blocks, more of them change nothing
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

// source is what a series' years are made of. Worse is up.
type source struct {
	series    RehearsedSeries
	residuals []float64 // of the nights about their levels
	se, df    []float64 // of the nights
	n         int       // blocks of a night
	far       []bool    // which residuals are no typical ones
	sd        float64   // of the typical ones
	within    float64   // root mean square of se
	level     int       // nights of the present level
	tests     int       // comparisons among which those of this series are, each night
	least     float64   // the least change worth a word, as a share
	reported  float64   // the least change of the logarithm that is reported
	block     float64   // standard deviation of log(new/old) in one block
	// own is what the history's confirmations say of new/old, nil where too few tell; before
	// are they themselves.
	own    *results.Scatter
	before []results.Remeasured
	seed   uint64
	// alarming has the quantiles that alarms go by.
	alarming *stats.TQuantiles
	quantiled
}

// source gathers what the years of a series are made of; nil when there are too few nights.
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

// gather takes the residuals of the nights of the present plan about their levels, worse ones above 0. A
// level of n nights takes one degree of freedom from their scatter, for which √(n/(n-1)) makes up.
func (c *source) gather(t *track) {
	sign := 1.0
	if t.last().Better == results.Higher {
		sign = -1
	}
	plan, levels, squares := t.plan(len(t.x)-1), 0, 0.0
	var blocks []float64
	for _, l := range t.stretches() {
		size := float64(l.to - l.from)
		if l.from < plan.from || size < 2 { // of another plan, or no night is left to scatter
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
	middle, _ := stats.Median(blocks) // 0 of none
	c.n, c.block = max(2, int(middle)), math.Sqrt(squares/float64(max(1, len(blocks))))
	if !c.blocked() {
		c.n = 1
	}
	c.series.Shifts = max(0, levels-1)
}

// blocked says that nights have standard errors of their own, from their blocks.
func (c *source) blocked() bool {
	return slices.ContainsFunc(c.df, func(df float64) bool { return df > 0 })
}

// describe says what the nights of a series are.
func (c *source) describe(t *track) {
	s, last, plan := &c.series, t.last(), t.plan(len(t.x)-1)
	s.Key, s.Nights, s.SD, s.Within = t.Key, len(c.residuals), c.sd, c.within
	s.Lag1, _, _ = stats.Lag1(c.residuals) // 0 where they do not vary
	s.Length = stats.BlockLength(s.Nights, s.Lag1, blockNights)
	s.Remeasured, s.Bound = len(last.Artifacts) > 0, c.own == nil
	days := last.When.Sub(t.night(plan.from).When).Hours() / 24
	s.NightsAYear = daysAYear / max(days/float64(max(1, plan.to-1-plan.from)), 1.0/24)
}

// tables has the quantiles that re-measuring asks for.
func tables() quantiled {
	known := map[float64]*stats.TQuantiles{}
	for _, p := range []float64{jointAlpha / 2, ConfirmAlpha / 2} {
		known[p] = stats.NewTQuantiles(p)
	}
	return quantiled{func(p, df float64) float64 { return known[p].At(df) }}
}

// beside is how many series are compared with their levels in a night of this one.
func (c *checker) beside(t *track) (n int) {
	for _, other := range c.tracks {
		if other.place() == t.place() && !other.Ended && other.judged() {
			n++
		}
	}
	return max(1, n)
}

// confirmed takes what the confirmations of the history say of new/old.
func (c *source) confirmed(h *History, t *track) {
	var all pool
	for _, r := range h.Records {
		if a := r.Confirmation; r.Kind == KindConfirmation && a.Verdict != infer.Confirmed && alike(a, &t.Series, t.Machine) && a.remeasured().DF > 0 {
			m := a.remeasured()
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

// tell tells typical residuals from those that are far off.
func (c *source) tell() {
	kept, _ := typical(c.residuals, c.se)
	low, high := slices.Min(kept), slices.Max(kept)
	c.far = results.Each(c.residuals, func(x float64) bool { return x < low || x > high })
}

// measure takes the scatter of the typical residuals, and returns their mean.
func (c *source) measure() (middle float64) {
	var kept []float64
	for i, x := range c.residuals {
		if !c.far[i] {
			kept = append(kept, x)
		}
	}
	c.sd, _ = stats.SD(kept) // 0 of equal ones
	c.within = min(c.sd, stats.RootMeanSquare(c.se))
	if len(kept) > 0 {
		middle = mean(kept)
	}
	return middle
}

// withBlocks is the same with other blocks of a night: of the nights' variance, the part that
// their own blocks make is in proportion to 1/blocks; the rest, what nights differ by, is not.
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

// again is another history that might have been: its nights are drawn from these in blocks of
// neighbours. The scatter of its typical nights, sd* say, stands to that of the nights as theirs does
// to the truth; so it is given sd²/sd*, which is as likely as the truth. What confirmations say of
// new/old is drawn alike, by chi-square.
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

// between is by how much new/old really differs from night to night.
func (c *source) between() float64 {
	if c.own != nil {
		return math.Sqrt(max(0, c.own.SD*c.own.SD-c.own.Within*c.own.Within))
	}
	return math.Sqrt(max(0, c.sd*c.sd-c.within*c.within))
}

// tally is what the years of a series, or of all of them, come to.
type tally struct {
	RehearsedBlocks
	check, gate stats.Simulated // of the resamples
	events      float64         // of which failures could come, in all years
}

// simulate goes through the years of one number of blocks.
func (c *source) simulate(ctx context.Context, o Rehearsing, stream uint64) (tally, error) {
	all := make([]outcome, resamples+1)
	err := concurrently(ctx, len(all), func(i int) {
		nights, years := c, o.own()
		if i > 0 { // the same nights of all series that have as many
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

// bound puts intervals about the rates. Of what happened too rarely in all these years to
// tell resamples apart, that of the simulated events themselves is the least one.
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

// rarely is how many simulated events are too few to tell resamples apart.
const rarely = 20

// sum is of all series together, resample by resample. Its series share their nights, and so does
// its interval.
func sum(series []tally, years int) RehearsedBlocks {
	t := tally{RehearsedBlocks: RehearsedBlocks{N: series[0].N}}
	for _, s := range series {
		if s.N != t.N {
			t.N = 0
		}
		t.Again, t.Check.Rate, t.Gate.Rate, t.events = t.Again+s.Again, t.Check.Rate+s.Check.Rate, t.Gate.Rate+s.Gate.Rate, t.events+s.events
		t.check, t.gate = t.check.Plus(s.check), t.gate.Plus(s.gate)
	}
	t.bound(years)
	return t.RehearsedBlocks
}

// concurrently does n things on all CPUs, until they are done or the context is.
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
