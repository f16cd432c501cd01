// Package evidence reads the data of a campaign's invocations: one value of each metric, the
// quantiles of the calls, the steady state, the course over time. It estimates no differences
// between cells.
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

// Source is a campaign to read; *results.Store is one.
type Source interface {
	Campaign() *results.Campaign
	Machines() ([]*results.Machine, error)
	// Invocations returns the readable invocations, and an error that names the others.
	Invocations() ([]*results.Invocation, error)
	Summary(*results.Invocation) (*summary.Summary, error)
}

// Quantiles are the quantiles taken of the calls of each invocation.
var Quantiles = [...]struct {
	Name string
	P    float64
}{{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}, {"max", 1}}

// Invocation is a current invocation with the data of its summary. A failed or invalid one has only
// its record.
type Invocation struct {
	*results.Invocation
	Host int // index in All.Hosts
	// Lane is the set of cores that measured it, from 1, if several lanes of its machine measured
	// at once; else 0.
	Lane   int
	inTurn results.Turn // of its lane
	turn   int          // its position in time on its host; without a merge, its block
	// Values are the metrics' values, in their units: scalars as recorded, and means per call over
	// the scenario's window. They are finite; a metric that was not observed is absent.
	Values map[string]float64
	// Class is the class of the steady state (flat, warmup, slowdown, no steady state), "" if not
	// known. WindowFrom is the share of the primary metric's samples before the window.
	Class string
	// Reference is the reference's time in the window, in ns, 0 if none was taken. Unadjusted is
	// the value of the adjusted metric before its adjustment.
	Reference  float64
	Unadjusted float64
	adjusted   string // name of that metric
	// wholeReference is the reference's time over the whole invocation, in ns; 0 if none was taken.
	wholeReference float64
	carried        map[string]Carried // by name of the metric or quantile
	WindowFrom     float64
	// quantiles are the quantiles of the calls, by metric, in the order of Quantiles.
	quantiles map[string][]float64
	Batched   map[string]bool         // metrics with samples of several calls
	Batches   map[string]stats.Sample // batch means of the window, by metric
	Whole     bool                    // a wanted window was empty, so it is everything
	Samples   Samples                 // of the primary metric, if that is a series
	Course    *Course                 // nil without a timeline
	Rated     []results.Rated         // windows of calls at fixed rates, in order
	Levels    []Levels                // what it used over time; nil if nobody looked
	// Waiting says what the calls of its cell waited for; nil if threads did not record their
	// waiting times. WaitedShare is the share of this invocation's mean that was subtracted for
	// that.
	Waiting     *Waiting
	WaitedShare float64
	// strata are its requests by label; nil if unnamed. unread says why they, and the times of
	// right answers, are not known; "" if they are.
	strata map[string]*stratum
	unread string
	// population holds the labels that its means of requests are over; nil: over all requests.
	population *Population
	// agentThreads are the threads started by the variant that used CPU time in the window, most
	// first.
	agentThreads []string
	// RepeatedBy is the invocation that replaces this disturbed one, or "".
	RepeatedBy string
	// Anew says why the stored summary was not used; "" if it was used, or missing.
	Anew string
}

// CarriedOf says how a metric's value was carried; ok is false if it is as measured.
func (e *Invocation) CarriedOf(metric string) (c Carried, ok bool) {
	c, ok = e.carried[metric]
	return c, ok && c.Law != nil
}

// Samples holds figures of the primary metric's samples only.
type Samples struct {
	Trace     []float64       // means per call over the whole invocation, up to 100 steps
	WarmCalls int64           // calls of one thread before the steady state
	WarmMean  float64         // their mean per call, NaN without any
	Pool      summary.Moments // moments of the samples pooled in papers
	Calls     int64           // calls of all threads, warm-up included
	Counted   int64           // calls of all threads in the window
	LeftOut   float64         // share of the window excluded because compilers worked
	Other     float64         // mean per call over the window that was not chosen
	beside    float64         // mean of the reference over that window
	settled   float64         // share of the samples before the steady state; 0 without a class
	// Counts is the distribution over the window, if each sample is one call.
	Counts summary.Distribution
}

// All is the evidence of a campaign.
type All struct {
	Invocations []Invocation
	Superseded  []*results.Invocation // of restarted blocks; in no number
	Problems    []string              // data that was left out, and why
	References  []Reference           // CPU speed, by scenario, machine and JDK
	Hosts       []Host                // measuring hosts, in order of time
}

// Host is a machine in one boot, or one of its lanes: its effects are common to everything measured
// on it.
type Host struct {
	Machine string // ID
	Boot    string // "" if not known
	Lane    int    // from 1; 0 if the machine measured one thing at a time
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
		all.Problems = append(all.Problems, "the steady state is searched for without the reference: "+err.Error())
	}
	for _, inv := range invocations {
		switch sc := scenarioOf(c, inv); {
		case inv.Superseded:
			all.Superseded = append(all.Superseded, inv)
		case sc == nil:
			const stray = "invocation %s belongs to no cell of the campaign (%q): left out"
			all.Problems = append(all.Problems, fmt.Sprintf(stray, inv.Identity, inv.Cell))
		default:
			if e, err := observe(src, inv, sc, slopes[program(c.Cell(inv.Cell))].slope()); err != nil {
				all.Problems = append(all.Problems, fmt.Sprintf("invocation %s: %v: left out", inv.Identity, err))
			} else {
				all.Invocations = append(all.Invocations, e)
			}
		}
	}
	if c.Merged != nil { // a reboot in an unmerged campaign makes no other machine
		all.sortByHost(c)
	}
	splitCPU(c, all.Invocations)
	stratify(c, all.Invocations)
	takeOut(c, all.Invocations)
	var machines []*results.Machine
	if len(c.Influences) > 0 {
		machines, _ = src.Machines() // the caller reports read errors; then no influence is known
	}
	all.References = carry(c, machines, all.Invocations)
	findRepeats(c, all.Invocations)
	return all
}

// sortByHost assigns invocations to hosts, and sorts them by time on each: shards run their blocks
// in any order.
func (all *All) sortByHost(c *results.Campaign) {
	blocks := map[int]results.Block{}
	for _, b := range c.Blocks {
		blocks[b.Number] = b
	}
	slices.SortStableFunc(all.Invocations, func(a, b Invocation) int { return a.Start.Compare(b.Start) })
	turns := map[int]int{} // by block: its invocations share a turn
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

// scenarioOf returns the scenario of an invocation's cell; nil if it is not in the campaign.
func scenarioOf(c *results.Campaign, inv *results.Invocation) *results.Scenario {
	if cell := c.Cell(inv.Cell); cell != nil {
		return c.Scenario(cell.Scenario)
	}
	return nil
}

// observe reads every metric of the invocation; slope is the response of its calls to the
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
	rowByRow := []string{results.SeriesRated, results.SeriesJVM, results.SeriesProcess}
	if slices.ContainsFunc(inv.Series, func(s results.Series) bool { return slices.Contains(rowByRow, s.Name) }) {
		if sum == nil {
			if sum, err = src.Summary(inv); err != nil {
				return e, err
			}
		}
		e.Rated, e.Levels = ratedOf(sum), levelsOf(inv, sum)
	}
	if e.wholeReference, err = wholeReference(src, inv, sum); err != nil {
		return e, err
	}
	return e, nil
}

// series reads a metric that is the mean of a column of samples.
func (e *Invocation) series(
	m results.Metric, sum *summary.Summary, sc *results.Scenario, primary bool, slope float64,
) error {
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
			// The lines that MooBench's script reads: the second half of the first thread, because
			// a raw file has one thread after the other. None if no batch begins at the half.
			col := c.columns[0]
			if half := col.Moments(col.Half()); half.N == col.Count-col.Count/2 {
				e.Samples.Pool = half
			}
		case m.Sample() == results.SampleRequest: // the paper that counts requests keeps the whole hold phase
			e.Samples.Pool = c.over(results.WindowAll).moments()
		default:
			e.Samples.Pool = c.over(results.WindowHalf).moments()
		}
	}
	if slices.Max(c.batches) > 1 { // no quantiles of single calls
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

// traceSteps is the largest number of points of a trace.
const traceSteps = 100

// primary reads the figures that only the primary metric has.
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
		s.settled = float64(summary.Start(n, c.from)) / float64(n)
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

// CameToRest reports whether the invocation has a steady state.
func (e *Invocation) CameToRest() bool { return e.Class != "" && e.Class != string(steady.Unsteady) }

// LateQuarters returns the means of the third and the last quarter of the samples.
func (s *Samples) LateQuarters() (third, last float64) {
	n := len(s.Trace)
	third, _ = stats.Mean(s.Trace[n/2 : n-n/4]) // 0 without samples
	last, _ = stats.Mean(s.Trace[n-n/4:])
	return third, last
}

// Inside returns the primary metric over the invocation.
func (e *Invocation) Inside() steady.Inside {
	i := steady.Inside{Trace: e.Samples.Trace, Class: e.Class, From: e.WindowFrom}
	if e.CameToRest() {
		i.SteadyFrom = new(e.Samples.settled)
	}
	return i
}

// Value returns the value of a metric, NaN if it was not observed.
func (e *Invocation) Value(metric string) float64 { return orNaN(e.Values, metric) }

// Scalar returns a recorded figure of the whole invocation, NaN if not recorded.
func (e *Invocation) Scalar(name string) float64 { return orNaN(e.Scalars, name) }

func orNaN(values map[string]float64, name string) float64 {
	if x, ok := values[name]; ok {
		return x
	}
	return math.NaN()
}

// findRepeats sets which invocation replaces a disturbed one: the one of its cell in the extra
// block that names it, if that has numbers and so has its baseline's. Otherwise the disturbed one
// stays in.
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
			if b.Kind != results.BlockExtra || e == nil || !e.counts() || e.Disturbed == nil ||
				e.Profile != b.Profile || e.Block >= b.Number {
				continue
			}
			baseline := c.Cell(e.Cell).Baseline
			if repeat := done[place{b.Number, e.Cell}]; baseline == "" || done[place{b.Number, baseline}] != "" {
				e.RepeatedBy = repeat
			}
		}
	}
}

// counts reports whether the invocation has numbers that count.
func (e *Invocation) counts() bool { return e.Status == results.StatusOK && e.Invalid == "" }

// primaryOf returns the metric of the verdicts: the one marked primary, else the first; the zero
// Metric if the scenario has no metrics.
func primaryOf(sc *results.Scenario) results.Metric {
	if len(sc.Metrics) == 0 {
		return results.Metric{}
	}
	return sc.Metrics[max(0, slices.IndexFunc(sc.Metrics, func(m results.Metric) bool { return m.Primary }))]
}

// ProfileOf returns the only profile that a metric is read from: timing, unless it names another.
func ProfileOf(m results.Metric) results.Profile { return cmp.Or(m.Profile, results.ProfileTiming) }

// PrimaryMean returns an invocation's value and unit of the metric marked as primary; ok is false
// without such a value.
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
