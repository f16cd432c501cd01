// Package evidence reads what the invocations of a campaign say: one value of each
// metric, the quantiles of the calls, how an invocation comes to rest, what it went
// through over time. It compares nothing, and knows no scenario.
package evidence

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

// Quantiles are taken from the calls of each invocation.
var Quantiles = [...]struct {
	Name string
	P    float64
}{{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}, {"max", 1}}

// Invocation is one current invocation, and what was read from its summary. One that
// failed, or that does not count, has nothing but its record.
type Invocation struct {
	*results.Invocation
	Host int // where it was measured, an index of All.Hosts
	// Lane numbers the set of cores that measured it, where several of its machine measured at once; else 0.
	Lane   int
	inTurn results.Turn // of that lane
	turn   int          // its place in time there; in a campaign that was not merged it is its block
	// Values are those of the metrics, in their units: scalars as they stand, and means
	// per call over the scenario's window. They are finite; a metric that was not
	// observed is absent.
	Values map[string]float64
	// Class is how the invocation comes to rest (flat, warmup, slowdown, no steady
	// state), "" where that was not told; WindowFrom the share of the samples of the
	// primary metric that lie before the window.
	Class string
	// Reference is how long the reference took in the window, in ns, 0 where none was
	// taken; Unadjusted the value of the metric that was adjusted by that, as it was before.
	Reference  float64
	Unadjusted float64
	adjusted   string // name of that metric
	// wholeReference is how long the reference took over the whole invocation, in ns; 0 where
	// none was taken.
	wholeReference float64
	carried        map[string]Carried // by the name of the metric, or that of its quantile
	WindowFrom     float64
	// quantiles are those of the calls, by metric and in the order of Quantiles.
	quantiles map[string][]float64
	Batched   map[string]bool         // metrics whose samples cover several calls
	Batches   map[string]stats.Sample // the means of the batches of the window, by metric
	Whole     bool                    // a window had to be everything
	Samples   Samples                 // what those of the primary metric say, when it is a series
	Course    *Course                 // nil without a timeline
	Rated     []results.Rated         // windows of calls at rates, in their order
	// Waiting is what the calls of its cell waited for; nil where threads did not say how long.
	// WaitedShare is how much of this invocation's mean was taken out for that.
	Waiting     *Waiting
	WaitedShare float64
	// strata are its requests by label; nil where they have no names. unread says why they are not
	// known, nor the times of its right answers; "" where they are.
	strata map[string]*stratum
	unread string
	// population says which labels its means of requests are over; nil where these are over all
	// requests.
	population *Population
	// agentThreads are the names of the threads that the variant has started and that took CPU time in
	// the window, the most first.
	agentThreads []string
	// RepeatedBy is the invocation that stands for this disturbed one, "" when none
	// does.
	RepeatedBy string
	// Anew says why the stored summary was not used, "" when it was, or there is none.
	Anew string
}

// CarriedOf says how the value of a metric came from what was measured; ok is false where it
// is as it was measured.
func (e *Invocation) CarriedOf(metric string) (c Carried, ok bool) {
	c, ok = e.carried[metric]
	return c, ok && c.Law != nil
}

// Samples is what only the samples of the primary metric are asked for.
type Samples struct {
	Trace     []float64       // means per call over the whole invocation, in up to 100 steps
	WarmCalls int64           // of one thread, before the steady state
	WarmMean  float64         // per call of these, NaN when no call came before
	Pool      summary.Moments // of the samples that papers pool
	Calls     int64           // of all threads, warm-up included
	Counted   int64           // calls of all threads in the window
	LeftOut   float64         // share of the window that doesn't count, because compilers worked
	Other     float64         // mean per call over the window that was not chosen
	beside    float64         // what the reference took in that
	Settled   float64         // share of the samples before the steady state; 0 without a class
	// Counts is the distribution over the window, where each sample is one call.
	Counts summary.Distribution
}

// All is the evidence of a campaign.
type All struct {
	Invocations []Invocation
	Superseded  []*results.Invocation // of blocks that were started again; they are in no number
	Problems    []string              // what had to be left out, and why
	References  []Reference           // what is known of the speed of the CPU, by scenario, machine and JDK
	Hosts       []Host                // that measured, in order of time
}

// Host is a machine on one boot, or one of its lanes: what it does is the same for all that it measured.
type Host struct {
	Machine string // ID
	Boot    string // "" where it is not known
	Lane    int    // from 1; 0 where the machine measured nothing else at once
}

// Gather reads the invocations of a campaign.
func Gather(src Source) All {
	var all All
	c := src.Campaign()
	invocations, err := src.Invocations()
	if err != nil {
		all.Problems = strings.Split(err.Error(), "\n")
	}
	slopes, err := responses(src, invocations)
	if err != nil {
		all.Problems = append(all.Problems, "the steady state is looked for without the reference: "+err.Error())
	}
	for _, inv := range invocations {
		switch sc := scenarioOf(c, inv); {
		case inv.Superseded:
			all.Superseded = append(all.Superseded, inv)
		case sc == nil:
			all.Problems = append(all.Problems, fmt.Sprintf("invocation %s belongs to no cell of the campaign (%q): left out", inv.Identity, inv.Cell))
		default:
			if e, err := observe(src, inv, sc, slopes[program(c.Cell(inv.Cell))].slope()); err != nil {
				all.Problems = append(all.Problems, fmt.Sprintf("invocation %s: %v: left out", inv.Identity, err))
			} else {
				all.Invocations = append(all.Invocations, e)
			}
		}
	}
	if c.Merged != nil { // a reboot in the middle of another campaign makes no other machine
		all.sortByHost(c)
	}
	splitCPU(c, all.Invocations)
	stratify(c, all.Invocations)
	takeOut(c, all.Invocations)
	var machines []*results.Machine
	if len(c.Influences) > 0 {
		machines, _ = src.Machines() // who analyses says what can't be read; no influence holds then
	}
	all.References = carry(c, machines, all.Invocations)
	findRepeats(c, all.Invocations)
	return all
}

// sortByHost finds who measured what, and puts that into the order of time on each host: shards of several
// are measured in any order of their blocks.
func (all *All) sortByHost(c *results.Campaign) {
	blocks := map[int]results.Block{}
	for _, b := range c.Blocks {
		blocks[b.Number] = b
	}
	slices.SortStableFunc(all.Invocations, func(a, b Invocation) int { return a.Start.Compare(b.Start) })
	turns := map[int]int{} // by block: what is of one block has one place
	for i := range all.Invocations {
		e := &all.Invocations[i]
		if _, begun := turns[e.Block]; !begun {
			turns[e.Block] = len(turns)
		}
		e.turn = turns[e.Block]
		block := blocks[e.Block]
		if e.Lane = block.Lane(); e.Lane > 0 {
			e.inTurn = *block.Turn
		}
		host := Host{e.Machine, e.Boot, e.Lane}
		if e.Host = slices.Index(all.Hosts, host); e.Host < 0 {
			e.Host, all.Hosts = len(all.Hosts), append(all.Hosts, host)
		}
	}
	slices.SortStableFunc(all.Invocations, func(a, b Invocation) int {
		return cmp.Or(cmp.Compare(a.Host, b.Host), cmp.Compare(a.turn, b.turn), cmp.Compare(a.Slot, b.Slot))
	})
}

// scenarioOf is the scenario of an invocation's cell; nil when the campaign has none.
func scenarioOf(c *results.Campaign, inv *results.Invocation) *results.Scenario {
	if cell := c.Cell(inv.Cell); cell != nil {
		return c.Scenario(cell.Scenario)
	}
	return nil
}

// observe reads every metric that the invocation has; slope is how its calls follow the
// reference.
func observe(src Source, inv *results.Invocation, sc *results.Scenario, slope float64) (Invocation, error) {
	e := Invocation{
		Invocation: inv, turn: inv.Block, Values: map[string]float64{}, quantiles: map[string][]float64{},
		Batched: map[string]bool{}, Batches: map[string]stats.Sample{}, carried: map[string]Carried{},
	}
	if inv.Status != results.StatusOK || inv.Invalid != "" {
		return e, nil
	}
	scalars, err := e.scalars(src)
	if err != nil {
		return e, err
	}
	primary := primaryOf(sc)
	var sum *summary.Summary
	for _, m := range sc.Metrics {
		switch x := orNaN(scalars, m.Name); {
		case ProfileOf(m) != inv.Profile, inv.Void[m.Name] != "":
		case m.Series == "" && stats.Finite(x):
			e.Values[m.Name] = x
		case m.Series != "" && len(inv.Series) > 0:
			if sum == nil {
				if sum, err = src.Summary(inv); err != nil {
					return e, err
				}
				e.Anew = sum.Anew
				sum = e.answered(src, sum)
			}
			if err := e.series(m, sum, sc, primary.Name == m.Name, slope); err != nil {
				return e, err
			}
		}
	}
	if sum != nil && ProfileOf(primary) == inv.Profile && inv.Void[primary.Name] == "" {
		e.Course = courseOf(sum)
	}
	if slices.ContainsFunc(inv.Series, func(s results.Series) bool { return s.Name == results.SeriesRated }) {
		if sum == nil {
			if sum, err = src.Summary(inv); err != nil {
				return e, err
			}
		}
		e.Rated = ratedOf(sum)
	}
	if e.wholeReference, err = wholeReference(src, inv, sum); err != nil {
		return e, err
	}
	return e, nil
}

// series reads a metric that is the mean of a column of samples.
func (e *Invocation) series(m results.Metric, sum *summary.Summary, sc *results.Scenario, primary bool, slope float64) error {
	c := columnsOf(m, e.Invocation, sum, sc.Window, slope)
	if c.longest == nil {
		return nil
	}
	mean, calls := c.mean()
	if !stats.Finite(mean) {
		return nil
	}
	e.Values[m.Name] = mean
	e.Whole = e.Whole || c.whole
	if s, err := stats.SampleOf(c.inWindow()); err == nil {
		e.Batches[m.Name] = s
	}
	if primary {
		e.Samples.Counted = calls
		e.Reference, e.Unadjusted, e.adjusted = c.referenceMean(), mean, m.Name
		e.primary(c, sc.Window)
		switch {
		case sc.Pool == results.PoolLastLoop:
			// The lines that MooBench's script reads: the second half of the first thread, as a
			// raw file has one thread after the other. There are none where the summary has no
			// boundary at the half.
			col := c.columns[0]
			if half := col.Moments(col.Half()); half.N == col.Count-col.Count/2 {
				e.Samples.Pool = half
			}
		case m.Sample() == results.SampleRequest: // the paper that counts requests leaves none of the hold out
			e.Samples.Pool = c.over(results.WindowAll).moments()
		default:
			e.Samples.Pool = c.over(results.WindowHalf).moments()
		}
	}
	if slices.Max(c.batches) > 1 { // no quantiles of calls were observed
		e.Batched[m.Name] = true
		return nil
	}
	d, err := summary.NewDistribution(c.parts, c.columns...)
	if err != nil {
		return err
	}
	if primary {
		e.Samples.Counts = d
	}
	for _, q := range Quantiles {
		e.quantiles[m.Name] = append(e.quantiles[m.Name], d.Quantile(q.P))
	}
	return nil
}

// traceSteps is how many points a trace has at most.
const traceSteps = 100

// primary reads what the primary metric alone is asked for.
func (e *Invocation) primary(c columns, kind results.Window) {
	e.Class = string(c.class)
	s := &e.Samples
	s.WarmMean = math.NaN()
	s.LeftOut = 1 - float64(length(c.parts))/float64(c.window.To-c.window.From)
	n := c.least()
	steps, off := min(n, traceSteps), c.meanShift()
	for i := range steps {
		s.Trace = append(s.Trace, c.between(i*n/steps, (i+1)*n/steps)+off)
	}
	for i, col := range c.columns {
		s.Calls += col.Count * c.batches[i]
	}
	if n := c.longest.Count; n > 0 {
		e.WindowFrom = float64(summary.Start(n, c.window.From)) / float64(n)
		s.Settled = float64(summary.Start(n, c.from)) / float64(n)
	}
	if c.class != "" {
		s.WarmCalls = summary.Start(c.longest.Count, c.from) * c.batches[0]
	}
	if c.from > 0 {
		s.WarmMean = c.between(0, c.from) + off
	}
	other := c.over(OtherWindow(kind))
	s.Other, _ = other.mean()
	s.beside = other.referenceMean()
}

// CameToRest says whether the invocation has a steady state.
func (e *Invocation) CameToRest() bool { return e.Class != "" && e.Class != string(steady.Unsteady) }

// Value is that of a metric, NaN where it was not observed.
func (e *Invocation) Value(metric string) float64 { return orNaN(e.Values, metric) }

// Scalar is a figure of the whole invocation as it was recorded, NaN where it was not.
func (e *Invocation) Scalar(name string) float64 { return orNaN(e.Scalars, name) }

func orNaN(values map[string]float64, name string) float64 {
	if x, ok := values[name]; ok {
		return x
	}
	return math.NaN()
}

// findRepeats settles which invocation stands for a disturbed one: its cell's in
// the extra block that names it, once that is there and has numbers, with its
// baseline. Those without stay in.
func findRepeats(c *results.Campaign, all []Invocation) {
	type place struct {
		block int
		cell  string
	}
	at, done := map[string]*Invocation{}, map[place]string{}
	for i, e := range all {
		at[e.Identity.String()] = &all[i]
		if e.counts() {
			done[place{e.Block, e.Cell}] = e.Identity.String()
		}
	}
	for _, b := range c.Blocks {
		for _, id := range b.Repeats {
			e := at[id]
			if b.Kind != results.BlockExtra || e == nil || !e.counts() || e.Disturbed == nil || e.Profile != b.Profile || e.Block >= b.Number {
				continue
			}
			baseline := c.Cell(e.Cell).Baseline
			if repeat := done[place{b.Number, e.Cell}]; baseline == "" || done[place{b.Number, baseline}] != "" {
				e.RepeatedBy = repeat
			}
		}
	}
}

// counts says whether the invocation gave numbers that count.
func (e *Invocation) counts() bool { return e.Status == results.StatusOK && e.Invalid == "" }

// primaryOf is the metric that verdicts are about: the one that says so, else the
// first; without a name when the scenario has none.
func primaryOf(sc *results.Scenario) results.Metric {
	if len(sc.Metrics) == 0 {
		return results.Metric{}
	}
	return sc.Metrics[max(0, slices.IndexFunc(sc.Metrics, func(m results.Metric) bool { return m.Primary }))]
}

// ProfileOf is the only profile that a metric is read from; timing unless it says
// otherwise.
func ProfileOf(m results.Metric) results.Profile { return cmp.Or(m.Profile, results.ProfileTiming) }

// PrimaryMean is one invocation's value of the metric that its scenario marks as
// primary, and that metric's unit; ok is false when there is no such value.
func PrimaryMean(src Source, inv *results.Invocation) (value float64, unit string, ok bool) {
	sc := scenarioOf(src.Campaign(), inv)
	if sc == nil || !primaryOf(sc).Primary || inv.Invalid != "" || inv.Void[primaryOf(sc).Name] != "" {
		return 0, "", false
	}
	m := primaryOf(sc)
	if m.Series == "" {
		value, ok = inv.Scalars[m.Name]
		return value, m.Unit, ok
	}
	sum, err := src.Summary(inv)
	if err != nil {
		return 0, "", false
	}
	e := Invocation{Invocation: inv}
	if m.Sample() == results.SampleRequest {
		sum = e.answered(src, sum)
	}
	c := columnsOf(m, inv, sum, sc.Window, 0)
	if c.longest == nil {
		return 0, "", false
	}
	value, _ = c.mean()
	return value, m.Unit, !math.IsNaN(value)
}
