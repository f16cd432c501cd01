// Package breakeven says after how many calls a swapped-in probe has paid for its swap.
package breakeven

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"moobench/analysis/evidence"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/analysis/reading"
	"moobench/analysis/stats"
	"moobench/results"
)

// Answer says after how many calls a swapped-in probe, which costs its swap once, beats one that is compiled
// in behind a switch, which costs its check at each call.
type Answer struct {
	Swapped      string `json:"swapped"`              // variant that is swapped in, probe/hotswap/collect
	Switchable   string `json:"switchable"`           // variant that is compiled in behind a switch, probe/manual/collect
	SwapScenario string `json:"swap_scenario"`        // where the price of the swap was measured
	SwapLevel    string `json:"swap_level,omitempty"` // at which factor level
	CostScenario string `json:"cost_scenario"`        // where the cost per call was measured
	Level        string `json:"level,omitempty"`      // at which factor level
	// Parts are the metrics that add up to the price, within each invocation.
	Parts []string        `json:"parts"`
	Price *infer.Estimate `json:"one_time_cost,omitempty"`  // ns, once; absent when a part was not measured
	Saved *infer.Estimate `json:"saved_per_call,omitempty"` // ns per call: switchable minus swapped, paired within blocks
	// Calls is Price / Saved; absent if nothing is saved on average.
	Calls *float64 `json:"calls,omitempty"`
	// Low and High are Fieller's set for the number of calls. High is absent if the set has no upper end, Low
	// too if a call is shown to cost more.
	Low        *float64 `json:"low,omitempty"`
	High       *float64 `json:"high,omitempty"`
	Confidence float64  `json:"confidence,omitempty"` // level of the set
	Never      bool     `json:"never,omitempty"`      // the interval of Saved lies below 0
	Verdict    Payback  `json:"verdict"`              // verdict; "may never break even": the saving may be 0
	// Off is the cost of the switchable probe's check while it is off, in ns per call; a probe that is not
	// swapped in costs nothing.
	Off *infer.Estimate `json:"switched_off_cost,omitempty"`
	// Caveats limit the answer: few invocations.
	Caveats []infer.Caveat `json:"caveats,omitempty"`
	Text    string         `json:"text"` // in words
}

// Answers has an answer for each swap, scenario and level.
type Answers []Answer

// Payback says whether a swap pays for itself.
type Payback string

// The verdicts on a swap.
const (
	Pays      Payback = "breaks even"          // the interval of the saving per call lies above 0
	Perhaps   Payback = "may never break even" // it contains 0
	Never     Payback = "never breaks even"    // it lies below 0
	Undecided Payback = "undecided"            // a figure is missing
)

// Of says after how many calls a swap has paid for itself: for each variant whose swaps were timed, and
// each scenario that has it and a switchable counterpart. Price and saving are of the same variant. There is
// one reading per scenario.
func Of(readings []*reading.Reading) Answers {
	var all Answers
	for _, r := range readings {
		if r.Unordered() || len(r.Scenario.Scalings) > 0 { // there a change covers any number of classes
			continue
		}
		for _, c := range r.Cells {
			if p, ok := priceOf(r, c); ok {
				for _, costs := range readings {
					all = append(all, breakEvens(costs, p)...)
				}
			}
		}
	}
	return all
}

// price is the one-time cost of a change in one cell.
type price struct {
	cell  *results.Cell
	parts []string
	// unmeasured are the parts that no invocation measured; mean is then nil.
	unmeasured []string
	scale      infer.Scale
	mean       *infer.Estimate
	// lacking counts the invocations, out of all, that lack a part.
	lacking, invocations int
}

// priceOf sums the one-time metrics within each invocation. An unmeasured part is named: it is not free, so the
// sum of the others is not the price. A scenario without one-time metrics has no price.
func priceOf(r *reading.Reading, c *results.Cell) (price, bool) {
	if changes(c) != results.ChangeSwapped || !measures(r, c) {
		return price{}, false
	}
	p := price{cell: c}
	for _, m := range r.Scenario.Metrics {
		if !m.Once || m.Unit != "ns" || evidence.ProfileOf(m) != results.ProfileTiming {
			continue
		}
		p.parts = append(p.parts, m.Name)
		if len(r.Values(c.ID, m)) == 0 {
			p.unmeasured = append(p.unmeasured, m.Name)
		}
	}
	if len(p.parts) == 0 || len(p.unmeasured) > 0 {
		return p, len(p.parts) > 0
	}
	es := r.Succeeded(c.ID, results.ProfileTiming)
	sums := evidence.ValuesOf(es, func(e *evidence.Invocation) (sum float64) {
		for _, part := range p.parts {
			sum += e.Value(part)
		}
		return sum
	}).Numbers()
	p.lacking, p.invocations = len(es)-len(sums), len(es)
	p.mean, _ = infer.Mean(sums, reading.Confidence)
	p.scale, _ = infer.ScaleOf(sums)
	return p, p.mean != nil
}

// breakEvens divides a price by the saving per call, if the scenario measures the variant's cost per call. It
// compares with each cell of the same framework, stage and level whose probe is compiled in behind a switch.
func breakEvens(r *reading.Reading, p price) []Answer {
	if r.Primary.Unit != "ns" || r.Primary.Once {
		return nil
	}
	var all []Answer
	for _, c := range r.Cells {
		if c.Variant != p.cell.Variant || !measures(r, c) || !sameWhereBoth(c, p.cell) {
			continue
		}
		for _, s := range r.Cells {
			if changes(s) == results.ChangeSwitched && s.Framework == c.Framework &&
				s.Stage == c.Stage && s.Level() == c.Level() && measures(r, s) {
				all = append(all, breakEven(r, p, c, s))
			}
		}
	}
	return all
}

// measures reports whether a cell has numbers of its own: it is no second baseline, and not invalid.
func measures(r *reading.Reading, c *results.Cell) bool {
	return c.Role != results.RoleAA && r.Invalid[c.ID] == ""
}

// changes returns how a cell's probe gets in and out of the running program.
func changes(c *results.Cell) string {
	_, _, change := c.Passes()
	return change
}

// sameWhereBoth reports whether two cells agree in their common factors and their environment: a price on one
// JDK says nothing about calls on another.
func sameWhereBoth(a, b *results.Cell) bool {
	return results.SameEnvironment(a, b) && !slices.ContainsFunc(a.Factors, func(x results.Value) bool {
		return slices.ContainsFunc(b.Factors, func(y results.Value) bool {
			return x.Name == y.Name && x.Value != y.Value
		})
	})
}

// breakEven divides the price by the saving per call.
func breakEven(r *reading.Reading, p price, swapped, switchable *results.Cell) Answer {
	b := Answer{
		Swapped: swapped.Variant, Switchable: switchable.Variant,
		SwapScenario: p.cell.Scenario, SwapLevel: p.cell.Level(),
		CostScenario: r.Scenario.Label, Level: swapped.Level(),
		Parts: p.parts, Price: p.mean, Off: costWhileOff(r, switchable),
	}
	saved := r.Compare(switchable.ID, swapped.ID, r.Primary, 1)
	b.Saved = saved.Difference
	switch {
	case len(p.unmeasured) > 0:
		b.undecided("", strings.Join(p.unmeasured, " and ")+" is not known for any invocation, and is part of the price")
	case b.Saved == nil:
		b.undecided("", saved.NoDifference)
	case b.Saved.Interval == nil || b.Price.Interval == nil:
		b.undecided("", "too few invocations")
	default:
		b.pays(p.scale, saved.D)
	}
	b.Text += prose.If(b.SwapLevel != "" && b.SwapLevel != b.Level, "; the price is that at %s", b.SwapLevel)
	if b.Verdict != Undecided {
		if n := min(b.Price.N, b.Saved.N); n < infer.FewInvocations {
			b.Caveats = append(b.Caveats, infer.Caveat{Kind: infer.CaveatFew, N: n})
			b.Text += prose.Few(n)
		}
	}
	b.Text += prose.If(p.lacking > 0,
		"; %d of %s did not settle again and have no price: it is that of the others, and may be too low",
		p.lacking, figure.Plural(p.invocations, "invocation", "invocations"))
	return b
}

// costWhileOff is the cost of the switchable variant while it is off, against the unmonitored baseline. It is
// measured by the cell of its mode and level that only passes through the check.
func costWhileOff(r *reading.Reading, c *results.Cell) *infer.Estimate {
	asks, body, ok := reading.PassageOf(c)
	if asks = asks.StepsOf("I"); !ok || asks == 0 {
		return nil
	}
	i := slices.IndexFunc(r.Cells, func(o *results.Cell) bool {
		steps, itsBody, ok := reading.PassageOf(o)
		return ok && steps == asks && itsBody == body && o.Framework == c.Framework && o.Mode == c.Mode &&
			o.Level() == c.Level() && measures(r, o)
	})
	if i < 0 {
		return nil
	}
	none := r.Campaign.Cell(r.Cells[i].Baseline)
	if none == nil || none.Framework != "" || r.Invalid[none.ID] != "" {
		return nil
	}
	return r.Compare(r.Cells[i].ID, none.ID, r.Primary, 1).Difference
}

// pays finds Fieller's set for the number of calls: price and saving come from different invocations, and so
// are independent. If the saving can't be told from 0, the set has no upper end.
func (b *Answer) pays(price, saved infer.Scale) {
	where := reading.AtLevel(b.Level)
	if b.Saved.Interval.Side(0) < 0 {
		b.Never, b.Verdict = true, Never
		b.Text = "never" + where + ": a call with the swapped-in probe costs " +
			figure.Quantity(-saved.Value, "ns") + " more (" +
			figure.Range(-b.Saved.Interval.High, -b.Saved.Interval.Low, "ns") + ")"
		return
	}
	f, err := stats.FiellerKnown(price.Known(), saved.Known(), reading.Confidence)
	if err != nil {
		b.undecided(where, infer.Reason(err))
		return
	}
	b.Confidence = reading.Confidence
	// If the divisor may be 0, the set lies outside two roots, or is everything.
	from, to := max(0, f.Interval.Low), max(0, f.Interval.High)
	low, high := from, math.Inf(1)
	switch {
	case f.Bounded:
		high = to
	case f.Exclusive && from == 0:
		low = to
	case f.Exclusive:
		low = 0
	}
	b.Low = &low
	if saved.Value > 0 {
		b.Calls = new(max(0, f.Value))
	}
	if b.Saved.Interval.Side(0) <= 0 || !stats.Finite(high) {
		b.Verdict = Perhaps
		b.Text = "may never pay" + where + ": after " + figure.Calls(low) +
			" at least; a call may save nothing (" +
			figure.Range(b.Saved.Interval.Low, b.Saved.Interval.High, "ns") + ")"
		return
	}
	b.High, b.Verdict = &high, Pays
	b.Text = fmt.Sprintf("pays for itself after %s (%s)%s", figure.Calls(*b.Calls), figure.CallsRange(low, high), where)
}

// undecided records why there is no answer.
func (b *Answer) undecided(where, why string) {
	b.Verdict, b.Text = Undecided, "cannot be decided"+where+": "+why
}
