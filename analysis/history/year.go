package history

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"time"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

// outcome is the outcome of the years of one bootstrap sample.
type outcome struct {
	rate, variance float64 // failures, or alarms, per year
	gate           float64 // failures of the plain gate per year
	again          float64 // campaigns per year in which old and new are re-measured
	events         float64 // number of alarms
}

// mostNightly is the largest number of simulated nights per year. More frequent measurements are
// scaled up from that.
const mostNightly = 366

// years simulates years of nightly checks. Each begins with the nights of a level, which are not
// checked.
func (c *source) years(rng *rand.Rand, years int) outcome {
	s, p := outcome{}, c.year(rng)
	nights := min(mostNightly, max(1, int(math.Round(c.series.NightsAYear))))
	scale := c.series.NightsAYear / float64(nights)
	var each []float64
	for range years {
		p.begin(c.level+nights, c.level+nights)
		for t := c.level; t < len(p.x); t++ {
			p.check(t)
		}
		times := p.failures
		if !c.series.Remeasured {
			times = float64(p.alarms)
		}
		each = append(each, scale*times)
		s.again, s.events = s.again+scale*float64(p.again), s.events+scale*float64(p.alarms)
	}
	s.rate, s.again = mean(each), s.again/float64(years)
	if sd, err := stats.SD(each); err == nil {
		s.variance = sd * sd / float64(years)
	}
	s.gate = c.series.NightsAYear * c.gate(0)
	return s
}

// gate returns the probability that a gate on one night fails after a level shift: the one-sided
// bound of that night's blocks exceeds the least change.
func (c *source) gate(shift float64) float64 {
	// A night's residual contains its own error, so its bound does too.
	p, sum := c.smooth(), 0.0
	bounds := make([]float64, len(c.se))
	quantiles := map[float64]float64{}
	for i, df := range c.df {
		if _, known := quantiles[df]; !known {
			quantiles[df] = stats.TQuantile(gateAlpha, df)
		}
		bounds[i] = quantiles[df] * c.se[i]
	}
	slices.Sort(bounds)
	n := min(mostBounds, len(bounds)) // so many of them, evenly spaced, represent all
	for i := range n {
		bound := bounds[(2*i+1)*len(bounds)/(2*n)]
		sum += p.Tail(math.Log1p(c.least)-shift+bound, 1, 0)
	}
	return sum / float64(n)
}

// mostBounds is the number of bounds from which a gate's probability is computed.
const mostBounds = 50

// smooth prepares the resampling of the nights.
func (c *source) smooth() *stats.Blocks {
	return stats.NewBlocks(c.residuals, c.far, c.sd, c.series.Length, c.series.Lag1)
}

// year checks the nights of a simulated year one after another.
type year struct {
	*source
	rng    *rand.Rand
	nights *stats.Blocks
	factor float64 // converts a night's residual to its effect on new/old
	normal float64 // standard deviation of that effect if confirmations estimate it

	x, se, df, before []float64 // before are cumulative sums of x
	shiftAt           int       // first night of the shifted level
	shift             float64
	settled           []settledPair
	begun             *remeasuring
	own               []results.Remeasured
	alarmed           bool // in the night before
	alarms, again     int
	failures          float64 // expected
	alive             float64 // the probability that nothing was confirmed yet
}

// settledPair is a re-measured pair of nights with a final verdict.
type settledPair struct {
	old, new int
	refuted  bool
}

// remeasuring is a pair being re-measured, one night after another.
type remeasuring struct {
	old, new int
	alarm    float64
	blocks   int
	scatter  *results.Scatter
	nights   []results.Remeasured
	alive    float64
}

func (c *source) year(rng *rand.Rand) *year {
	p := &year{source: c, rng: rng, nights: c.smooth()}
	switch {
	case c.own != nil:
		p.normal = c.between()
	case c.sd > 0:
		p.factor = c.between() / c.sd
	}
	return p
}

// begin draws the nights of a year, shifted from shiftAt on.
func (p *year) begin(nights, shiftAt int) {
	p.x, p.se, p.df, p.before = p.x[:0], p.se[:0], p.df[:0], append(p.before[:0], 0)
	p.shiftAt, p.settled, p.begun, p.own = shiftAt, p.settled[:0], nil, slices.Clone(p.source.before)
	p.alarmed, p.alarms, p.again, p.failures, p.alive = false, 0, 0, 0, 1
	stream := p.nights.Stream(p.rng)
	for t := range nights {
		x, i := stream.Next()
		if t >= shiftAt {
			x += p.shift
		}
		p.x, p.se, p.df = append(p.x, x), append(p.se, p.source.se[i]), append(p.df, p.source.df[i])
		p.before = append(p.before, p.before[t]+x)
	}
}

// check checks a night, as Check and Unsettled do, but without change points.
func (p *year) check(t int) {
	if p.begun != nil && p.source.series.Remeasured {
		p.remeasure(t)
		return
	}
	from, log, ok := p.alarm(t)
	if ok && !p.alarmed {
		p.alarms++
	}
	p.alarmed = ok && !p.source.series.Remeasured
	if ok && p.source.series.Remeasured && p.choose(t, from, log) {
		p.remeasure(t)
	}
}

// levelFrom returns the first night of the level that a night is compared with.
func levelFrom(t int) int { return max(0, t+1-mostLevel) }

// alarm compares the last nights with the level before them, as checker.raise does.
func (p *year) alarm(t int) (from int, log float64, ok bool) {
	begin := levelFrom(t)
	for _, k := range []int{1, 3, 5} {
		nights := p.lasting(t, k)
		end := t + 1 - k
		if len(nights) == 0 || end-begin < 2 {
			continue
		}
		xs, ses, sum := make([]float64, 0, 5), make([]float64, 0, 5), 0.0
		for _, i := range nights {
			xs, ses, sum = append(xs, p.x[i]), append(ses, p.se[i]), sum+p.x[i]
		}
		level := (p.before[end] - p.before[begin]) / float64(end-begin)
		if sum/float64(len(nights))-level < nearly*p.reported { // this level includes outliers
			continue
		}
		e, err := stats.EarlierOf(typical(p.x[begin:end], p.se[begin:end]))
		if err != nil {
			continue
		}
		log, above := e.Above(xs, ses, p.df[t], p.alarming)
		if !above || log < p.reported {
			continue
		}
		switch known := p.settledAt(nights[0]); {
		case known == nil:
			return nights[0], log, true
		case !known.refuted:
			return 0, 0, false
		}
	}
	return 0, 0, false
}

// nearly is the share of the least reported change above which nights are compared in full.
const nearly = 0.9

// settledAt returns the last settled pair whose span contains a night, or nil.
func (p *year) settledAt(night int) *settledPair {
	for i := len(p.settled) - 1; i >= 0; i-- {
		if s := &p.settled[i]; s.old < night && night <= s.new {
			return s
		}
	}
	return nil
}

// lasting returns those of the last k nights that are compared together: see track.lasting.
func (p *year) lasting(t, k int) []int {
	if k == 1 {
		return []int{t}
	}
	nights := make([]int, 0, 5)
	for i := t + 1 - k; i <= t; i++ {
		if !slices.ContainsFunc(p.settled, func(s settledPair) bool { return s.refuted && s.new == i }) {
			nights = append(nights, i)
		}
	}
	if n := len(nights); n < 2 || nights[n-1] < t {
		return nil
	}
	return nights
}

// choose begins to re-measure a change, as Choose does; ok is false if there are no nights for old
// and new.
func (p *year) choose(t, from int, log float64) (ok bool) {
	begin := levelFrom(t)
	level := (p.before[t+1] - p.before[begin]) / float64(t+1-begin)
	changed := func(i int) bool { return (p.x[i]-level)/log > 0.5 }
	r := &remeasuring{old: -1, new: -1, alarm: log, alive: 1}
	for i, found := from-1, 0; i >= begin && found < nightsBack; i-- {
		if !changed(i) {
			r.old = i
			found++
		}
	}
	for i := t; i >= from && r.new < 0; i-- {
		if changed(i) {
			r.new = i
		}
	}
	if r.old < 0 || r.new < 0 {
		return false
	}
	night := func(i int) Night { return Night{SE: p.se[i], N: p.n} }
	r.blocks = blocksFor(log, night(r.old), night(r.new))
	r.scatter = p.scatter(t)
	p.begun = r
	return true
}

// scatter returns the assumed variation of new/old between nights, as scatterOf does.
func (p *year) scatter(t int) *results.Scatter {
	var level, own pool
	begin := levelFrom(t)
	if xs, ses := typical(p.x[begin:t+1], p.se[begin:t+1]); len(xs) > 1 {
		level.add(mean(xs), 1, xs, ses)
	}
	for _, m := range p.own[max(0, len(p.own)-mostOwn):] {
		own.add(0, 0, []float64{m.Log}, []float64{m.SE})
	}
	return p.narrower(&own, boundOf(&level))
}

// remeasure simulates one night of old against new: it adds the probability of a confirmation to
// the failures, and continues with a night that does not confirm.
func (p *year) remeasure(t int) {
	r := p.begun
	p.again++
	df := float64(r.blocks - 1)
	se := p.block / math.Sqrt(float64(r.blocks))
	night := results.Remeasured{
		When: time.Time{}.AddDate(0, 0, t+1), SE: se * math.Sqrt(chiSquare(p.rng, df)/df), DF: df,
	}
	nights := append(r.nights, night)
	truth := 0.0
	if r.old < p.shiftAt && p.shiftAt <= r.new {
		truth = p.shift
	}
	chance, needed := 0.0, math.Inf(1)
	if r.scatter != nil { // the value of the night above which it confirms
		needed = p.needed(nights, r.scatter, p.least) - truth
		chance = p.nights.Tail(needed, p.factor, math.Hypot(p.normal, se))
	}
	p.failures += r.alive * chance
	r.alive *= 1 - chance
	p.alive *= 1 - chance
	drawn := p.drawBelow(needed, se)
	nights[len(nights)-1].Log = truth + drawn
	r.nights = nights
	_, verdict := p.settle(r.alarm, nights, r.scatter, p.least)
	if verdict == infer.Open && len(nights) < mostNights && r.scatter != nil {
		return
	}
	p.own = append(p.own, nights...)
	p.settled = append(p.settled, settledPair{r.old, r.new, verdict == infer.Refuted})
	p.begun = nil
}

// drawBelow draws a night's effect on new/old, with the error of its blocks, below a limit: a night
// that does not confirm.
func (p *year) drawBelow(limit, se float64) float64 {
	x := 0.0
	for range 200 {
		x = p.factor*p.nights.One(p.rng) + math.Hypot(p.normal, se)*p.rng.NormFloat64()
		if x <= limit {
			return x
		}
	}
	return min(x, limit)
}

const (
	// foundIn is the required probability of finding a shift.
	foundIn = 0.8
	// shifted is the number of simulations per shift: its probability of being found is the mean
	// over them.
	shifted = 150
	// shiftSteps is the number of shifts tried: from a quarter of the least change to 7 times the
	// level before, equally spaced in the logarithm of the log change.
	shiftSteps  = 80
	largestStep = 7.0
)

// found returns the smallest level shifts found within each of the horizons.
func (c *source) found(ctx context.Context, stream uint64) ([]FoundWithin, error) {
	least := math.Log1p(c.least) / 4
	size := func(step float64) float64 { return least * math.Pow(math.Log(largestStep)/least, step/(shiftSteps-1)) }
	// step returns the shift at which the probability of finding it reaches 80 %, interpolated
	// between two that were tried.
	step := func(chance func(step int) float64) float64 {
		at := sort.Search(shiftSteps, func(i int) bool { return chance(i) >= foundIn })
		switch at {
		case shiftSteps:
			return 0
		case 0:
			return share(size(0))
		}
		low, high := chance(at-1), chance(at)
		return share(size(float64(at-1) + (foundIn-low)/(high-low)))
	}
	known := map[int][]float64{}
	var failed error
	var all []FoundWithin
	for h, k := range horizons {
		one := FoundWithin{Nights: k}
		one.Check = step(func(i int) float64 {
			if known[i] == nil && failed == nil {
				known[i], failed = c.finds(ctx, size(float64(i)), stream)
			}
			if failed != nil {
				return 1
			}
			return known[i][h]
		})
		one.Gate = step(func(i int) float64 { return 1 - math.Pow(1-c.gate(size(float64(i))), float64(k)) })
		all = append(all, one)
	}
	return all, failed
}

// finds returns the probabilities of finding a log shift within each of the horizons. All shifts
// are simulated on the same nights.
func (c *source) finds(ctx context.Context, shift float64, stream uint64) ([]float64, error) {
	longest := horizons[len(horizons)-1]
	each := make([][]float64, shifted)
	err := concurrently(ctx, shifted, func(i int) {
		p := c.year(rand.New(rand.NewPCG(c.seed, 1<<48|stream<<32|uint64(i))))
		p.shift = shift
		p.begin(c.level+longest, c.level)
		for t := c.level; t < len(p.x); t++ {
			p.check(t)
			if !c.series.Remeasured && p.alarms > 0 {
				p.alive = 0
			}
			if slices.Contains(horizons, t-c.level+1) {
				each[i] = append(each[i], 1-p.alive)
			}
		}
	})
	chances := make([]float64, len(horizons))
	for _, one := range each {
		for h, x := range one {
			chances[h] += x / shifted
		}
	}
	return chances, err
}
