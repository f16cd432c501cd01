package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

const unitNS = "ns"

// breakEvens say for each variant whose swaps were timed, and each scenario that
// has it and a switchable counterpart, after how many calls the swap has paid
// for itself. Price and saving are of the same variant. Readers are those of the
// scenarios.
func breakEvens(readers []*reader) []BreakEven {
	var all []BreakEven
	for _, r := range readers {
		if r.unordered() || len(r.scenario.Scalings) > 0 { // there a change is of any number of classes
			continue
		}
		for _, c := range r.cells() {
			if p, ok := r.price(c); ok {
				all = append(all, p.against(readers)...)
			}
		}
	}
	return all
}

// price is what one change costs a cell, once.
type price struct {
	cell  *results.Cell
	parts []string
	// unmeasured are the parts that no invocation knows; mean is then nil.
	unmeasured []string
	scale      scale
	mean       *Estimate
	// lacking invocations don't know all parts, of all of them.
	lacking, of int
}

// price sums the metrics that are paid once, within each invocation. One that was
// not measured is named: what it would add is not free, and so the price of the
// others is not the price. A scenario in which nothing is paid once has none.
func (r *reader) price(c *results.Cell) (price, bool) {
	if _, _, change := c.Passes(); change != results.ChangeSwapped || c.Role == results.RoleAA || r.void[c.ID] != "" {
		return price{}, false
	}
	p := price{cell: c}
	es := succeeded(r.all[c.ID], results.ProfileTiming)
	for _, m := range r.scenario.Metrics {
		if !m.Once || m.Unit != unitNS || profile(m) != results.ProfileTiming {
			continue
		}
		p.parts = append(p.parts, m.Name)
		if len(valuesOf(es, m.Name)) == 0 {
			p.unmeasured = append(p.unmeasured, m.Name)
		}
	}
	if len(p.parts) == 0 || len(p.unmeasured) > 0 {
		return p, len(p.parts) > 0
	}
	var sums []float64
	for _, e := range es {
		if sum, whole := e.sum(p.parts); whole {
			sums = append(sums, sum)
		}
	}
	p.lacking, p.of = len(es)-len(sums), len(es)
	if p.mean, _ = meanOf(sums); p.mean == nil {
		return price{}, false
	}
	var why string
	p.scale, why = infer.ScaleOf(sums)
	return p, why == ""
}

// sum adds some values of an invocation that has them all.
func (e evidence) sum(metrics []string) (sum float64, whole bool) {
	for _, m := range metrics {
		x, ok := e.values[m]
		if !ok {
			return 0, false
		}
		sum += x
	}
	return sum, true
}

// against finds the scenarios that say what the variant costs per call.
func (p price) against(readers []*reader) []BreakEven {
	var all []BreakEven
	for _, r := range readers {
		m := r.primary()
		if m == nil || m.Unit != unitNS || m.Once || r.unordered() {
			continue
		}
		for _, c := range r.cells() {
			if c.Variant != p.cell.Variant || c.Role == results.RoleAA || r.void[c.ID] != "" || !sameWhereBoth(c, p.cell) {
				continue
			}
			for _, s := range r.switchables(c) {
				all = append(all, r.breakEven(p, c, s, *m))
			}
		}
	}
	return all
}

// sameWhereBoth says whether the factors that both have are alike, and what they
// run in: a price on one JDK says nothing of the calls on another.
func sameWhereBoth(a, b *results.Cell) bool {
	for _, x := range a.Factors {
		for _, y := range b.Factors {
			if x.Name == y.Name && x.Value != y.Value {
				return false
			}
		}
	}
	return results.SameEnvironment(a, b)
}

// switchables are the cells at the same level whose probe of the same framework
// is compiled in behind a switch, at the same stage, and that have numbers.
func (r *reader) switchables(c *results.Cell) []*results.Cell {
	return slices.DeleteFunc(r.cells(), func(s *results.Cell) bool {
		_, _, change := s.Passes()
		return change != results.ChangeSwitched || s.Framework != c.Framework || s.Stage != c.Stage || s.Level() != c.Level() ||
			s.Role == results.RoleAA || r.void[s.ID] != ""
	})
}

// breakEven divides the price by what a call saves.
func (r *reader) breakEven(p price, swapped, switchable *results.Cell, m results.Metric) BreakEven {
	b := BreakEven{
		Swapped: swapped.Variant, Switchable: switchable.Variant, SwapScenario: p.cell.Scenario, SwapLevel: p.cell.Level(),
		CostScenario: r.scenario.Label, Level: swapped.Level(), Parts: p.parts, Price: p.mean, Off: r.off(switchable, m),
	}
	saved := r.compare(r.values(switchable.ID, m), swapped.ID, m, 1)
	b.Saved = saved.Difference
	switch {
	case len(p.unmeasured) > 0:
		b.undecided("", strings.Join(p.unmeasured, " and ")+" is not known of any invocation, and is part of the price")
	case b.Saved == nil:
		b.undecided("", saved.NoDifference)
	case b.Saved.Interval == nil || b.Price.Interval == nil:
		b.undecided("", "too few invocations")
	default:
		b.pays(p.scale, saved.D)
	}
	if b.SwapLevel != "" && b.SwapLevel != b.Level {
		b.Text += "; the price is that at " + b.SwapLevel
	}
	if p.lacking > 0 {
		b.Text += fmt.Sprintf("; %d of %s did not come back to rest and know no price: it is that of the others, and may be too low",
			p.lacking, figure.Plural(p.of, "invocation", "invocations"))
	}
	return b
}

// off is what the switchable variant costs while it is off, against nothing: the
// cell of its mode and level that passes through its question and nothing more.
func (r *reader) off(c *results.Cell, m results.Metric) *Estimate {
	asks, body, ok := passageOf(c)
	if asks = asks.question(); !ok || asks == 0 {
		return nil
	}
	var s *results.Cell
	for _, o := range r.cells() {
		steps, own, ok := passageOf(o)
		if ok && steps == asks && own == body && o.Framework == c.Framework && o.Mode == c.Mode && o.Level() == c.Level() && o.Role != results.RoleAA && r.void[o.ID] == "" {
			s = o
			break
		}
	}
	if s == nil {
		return nil
	}
	none := r.campaign.Cell(s.Baseline)
	if none == nil || none.Framework != "" || r.void[none.ID] != "" {
		return nil
	}
	return r.compare(r.values(s.ID, m), none.ID, m, 1).Difference
}

// pays finds Fieller's set of the number of calls: the price and what is saved
// come from different invocations, and so are independent. Where what is saved
// can't be told from 0, the set has no upper end.
func (b *BreakEven) pays(price, saved scale) {
	at := ""
	if b.Level != "" {
		at = " at " + b.Level
	}
	if b.Saved.Interval.High < 0 {
		b.Never, b.Verdict = true, PaysNever
		b.Text = "never" + at + ": a call with the swapped-in probe costs " + figure.Quantity(-saved.Value, unitNS) + " more (" +
			figure.Range(-b.Saved.Interval.High, -b.Saved.Interval.Low, unitNS) + ")"
		return
	}
	f, err := stats.FiellerKnown(price.Known(), saved.Known(), confidence)
	if err != nil {
		b.undecided(at, infer.Reason(err))
		return
	}
	b.Confidence = confidence
	low, high := payingCalls(f)
	b.Low = &low
	if saved.Value > 0 {
		calls := max(0, f.Value)
		b.Calls = &calls
	}
	if b.Saved.Interval.Low <= 0 || !stats.Finite(high) {
		b.Verdict = PaysPerhaps
		b.Text = "may never pay" + at + ": after " + figure.Calls(low) + " at the least; what a call saves may be nothing (" +
			figure.Range(b.Saved.Interval.Low, b.Saved.Interval.High, unitNS) + ")"
		return
	}
	b.High, b.Verdict = &high, Pays
	b.Text = fmt.Sprintf("pays for itself after %s (%s)%s", figure.Calls(*b.Calls), figure.CallsRange(low, high), at)
}

// undecided says why there is no answer.
func (b *BreakEven) undecided(at, why string) {
	b.Verdict, b.Text = PaysUndecided, "cannot be decided"+at+": "+why
}

// payingCalls are the ends of the set of ratios above 0, the upper one infinite
// when there is none. The set of a divisor that may be 0 is what lies outside of
// two roots, or everything.
func payingCalls(f stats.Ratio) (low, high float64) {
	switch {
	case f.Bounded:
		return max(0, f.Interval.Low), max(0, f.Interval.High)
	case f.Exclusive && f.Interval.Low <= 0:
		return max(0, f.Interval.High), math.Inf(1)
	case !f.Exclusive:
		return max(0, f.Interval.Low), math.Inf(1)
	}
	return 0, math.Inf(1)
}
