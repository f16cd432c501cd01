package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"moobench/analysis/stats"
	"moobench/analysis/steady"
	"moobench/results"
	"moobench/results/summary"
)

// Source is where a campaign is read from; *results.Store is one.
type Source interface {
	Campaign() *results.Campaign
	Machines() ([]*results.Machine, error)
	// Invocations returns those that can be read, with an error that names the
	// others.
	Invocations() ([]*results.Invocation, error)
	Summary(*results.Invocation) (*summary.Summary, error)
}

// quantiles are taken from each invocation.
var quantiles = [...]struct {
	name string
	p    float64
}{{"p50", 0.5}, {"p99", 0.99}, {"p99.9", 0.999}, {"max", 1}}

// value is one observed value of a metric: one invocation's.
type value struct {
	block int
	x     float64
}

// evidence is one current invocation, and what was read from its summary.
type evidence struct {
	*results.Invocation
	values    map[string]float64 // metric → value, finite
	quantiles map[string][]float64
	batched   map[string]bool   // metric → samples cover several calls
	within    map[string]within // metric → the batches of the window
	whole     bool              // a window had to be everything
	// repeatedBy is the invocation that stands for this disturbed one, "" when
	// none does.
	repeatedBy string
	primary    primary
	course     *course // nil without a timeline
	// anew says why the stored summary was not used, "" when it was, or there is none.
	anew string
}

// within is what the batches of one window say: the sample variance of their
// means, and their number.
type within struct {
	variance float64
	n        int
}

// primary is what only the primary metric is asked for, when it is a series.
type primary struct {
	trace     []float64
	class     steady.Class
	from      float64 // share of the samples before the window
	warmCalls int64   // of one thread, before the steady state
	warmMean  float64 // per call, NaN when no call came before
	half      summary.Moments
	calls     int64                // of all threads, warm-up included
	counted   int64                // calls of all threads in the window
	other     float64              // mean over the window that was not chosen
	settled   float64              // share of the samples before the steady state; 0 without a class
	counts    summary.Distribution // of the window, where each sample is one call
}

// gather reads the current invocations of a campaign; superseded ones are in no
// number. Problems are those that leave something out.
func gather(src Source) (all []evidence, superseded []*results.Invocation, problems []string) {
	invocations, err := src.Invocations()
	if err != nil {
		problems = append(problems, strings.Split(err.Error(), "\n")...)
	}
	for _, inv := range invocations {
		if inv.Superseded {
			superseded = append(superseded, inv)
			continue
		}
		cell := src.Campaign().Cell(inv.Cell)
		if cell == nil || src.Campaign().Scenario(cell.Scenario) == nil {
			problems = append(problems, fmt.Sprintf("invocation %s belongs to no cell of the campaign (%q): left out", inv.Identity, inv.Cell))
			continue
		}
		e, err := observe(src, inv, src.Campaign().Scenario(cell.Scenario))
		if err != nil {
			problems = append(problems, fmt.Sprintf("invocation %s: %v: left out", inv.Identity, err))
			continue
		}
		all = append(all, e)
	}
	findRepeats(src.Campaign(), all)
	return all, superseded, problems
}

// observe reads every metric that the invocation has.
func observe(src Source, inv *results.Invocation, sc *results.Scenario) (evidence, error) {
	e := evidence{
		Invocation: inv, values: map[string]float64{}, quantiles: map[string][]float64{},
		batched: map[string]bool{}, within: map[string]within{},
	}
	if inv.Status != results.StatusOK || inv.Void != "" {
		return e, nil
	}
	scalars, err := e.scalars(src)
	if err != nil {
		return e, err
	}
	var sum *summary.Summary
	for _, m := range sc.Metrics {
		if profile(m) != inv.Profile {
			continue
		}
		if m.Series == "" {
			if x, ok := scalars[m.Name]; ok {
				e.put(m.Name, x)
			}
			continue
		}
		if len(inv.Series) == 0 {
			continue
		}
		if sum == nil {
			var err error
			if sum, err = src.Summary(inv); err != nil {
				return e, err
			}
			e.anew = sum.Anew
		}
		if err := e.series(m, sum, sc); err != nil {
			return e, err
		}
	}
	if p := primaryOf(sc); sum != nil && p != nil && profile(*p) == inv.Profile {
		e.course = courseOf(sum)
	}
	return e, nil
}

// profile of a metric; timing unless it says otherwise.
func profile(m results.Metric) results.Profile {
	if m.Profile == "" {
		return results.ProfileTiming
	}
	return m.Profile
}

func (e *evidence) put(metric string, x float64) {
	if stats.Finite(x) {
		e.values[metric] = x
	}
}

// series reads a metric that is the mean of a column of samples.
func (e *evidence) series(m results.Metric, sum *summary.Summary, sc *results.Scenario) error {
	c := columnsOf(m, e.Invocation, sum, sc.Window)
	if len(c.columns) == 0 {
		return nil
	}
	e.put(m.Name, c.mean())
	if _, ok := e.values[m.Name]; !ok {
		return nil
	}
	e.whole = e.whole || c.whole
	e.spread(m.Name, c)
	if p := primaryOf(sc); p != nil && p.Name == m.Name {
		e.primary = primaryFrom(c, sc.Window)
		switch {
		case sc.Pool == results.PoolLastLoop:
			e.primary.half = c.ofFirstThread()
		case m.Sample() == results.SampleRequest: // the paper that counts requests leaves none of the hold out
			e.primary.half = c.everything()
		}
	}
	if !c.single() {
		e.batched[m.Name] = true
		return nil
	}
	d, err := summary.NewDistribution(c.window, c.columns...)
	if err != nil {
		return err
	}
	if p := primaryOf(sc); p != nil && p.Name == m.Name {
		e.primary.counts = d
	}
	for _, q := range quantiles {
		e.quantiles[m.Name] = append(e.quantiles[m.Name], d.Quantile(q.p))
	}
	return nil
}

// spread notes how much the batches of the window vary.
func (e *evidence) spread(metric string, c columns) {
	means := c.means(c.window.From, min(c.window.To, c.least()))
	if sd, err := stats.SD(means); err == nil {
		e.within[metric] = within{sd * sd, len(means)}
	}
}

func primaryFrom(c columns, kind results.Window) primary {
	p := primary{trace: c.trace(), class: c.class, half: c.half(), warmMean: math.NaN(), counted: c.calls()}
	for i, col := range c.columns {
		p.calls += col.Count * c.batches[i]
	}
	if n := c.longest.Count; n > 0 {
		p.from = float64(summary.Start(n, c.window.From)) / float64(n)
		p.settled = float64(summary.Start(n, c.from)) / float64(n)
	}
	if c.class != "" {
		p.warmCalls = c.before()
	}
	if c.from > 0 {
		p.warmMean = c.between(0, c.from)
	}
	other := c
	other.choose(otherWindow(kind))
	p.other = other.mean()
	return p
}

// byCell sorts invocations by their cells' IDs.
func byCell(all []evidence) map[string][]evidence {
	found := map[string][]evidence{}
	for _, e := range all {
		found[e.Cell] = append(found[e.Cell], e)
	}
	return found
}

// succeeded are those of a profile that gave numbers; void ones gave none.
func succeeded(es []evidence, p results.Profile) []evidence {
	var found []evidence
	for _, e := range es {
		if e.Profile == p && e.Status == results.StatusOK && e.Void == "" {
			found = append(found, e)
		}
	}
	return found
}

// valuesOf are the values of a metric, by block.
func valuesOf(es []evidence, metric string) []value {
	var vs []value
	for _, e := range es {
		if x, ok := e.values[metric]; ok {
			vs = append(vs, value{e.Block, x})
		}
	}
	return vs
}

func numbers(vs []value) []float64 {
	xs := make([]float64, len(vs))
	for i, v := range vs {
		xs[i] = v.x
	}
	return xs
}

// pair is a value of each of two cells, of one block.
type pair struct {
	block int
	x, y  float64
}

// pairs are the values of both that share a block.
func pairs(a, b []value) []pair {
	of := map[int]float64{}
	for _, v := range b {
		of[v.block] = v.x
	}
	var ps []pair
	for _, v := range a {
		if w, ok := of[v.block]; ok {
			ps = append(ps, pair{v.block, v.x, w})
		}
	}
	slices.SortFunc(ps, func(p, q pair) int { return cmp.Compare(p.block, q.block) })
	return ps
}

// columnsOfPairs are all x and all y.
func columnsOfPairs(ps []pair) (x, y []float64) {
	for _, p := range ps {
		x, y = append(x, p.x), append(y, p.y)
	}
	return x, y
}
