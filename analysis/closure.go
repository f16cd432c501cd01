package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/results"
)

// closures set the routes to one part side by side: what it costs directly and
// what it costs as a difference of two greater costs are one figure if the parts
// add up and both routes run the same code. Of several routes each is compared with
// the first. They have one confidence together.
func (r *reader) closures(contrasts []Contrast) []Closure {
	m := r.primary()
	if m == nil || r.unordered() {
		return nil
	}
	contrasts = slices.Clone(contrasts)
	slices.SortStableFunc(contrasts, func(a, b Contrast) int { return cmp.Compare(a.part.last(), b.part.last()) })
	var found []Closure
	seen, compared := map[string]bool{}, map[int]bool{}
	for i, first := range contrasts {
		if compared[i] {
			continue
		}
		for j, second := range contrasts[i+1:] {
			if c := (Closure{First: routeOf(first), Second: routeOf(second)}); sameStep(first, second) && !seen[c.combination()] {
				seen[c.combination()], compared[i+1+j] = true, true
				c.Name, c.Framework, c.Level = first.Name, first.Framework, first.Level
				c.more = first.part ^ second.part
				c.firstHasMore = second.part.within(first.part)
				found = append(found, c)
			}
		}
	}
	for i := range found {
		r.close(&found[i], *m, len(found))
	}
	return found
}

// sameStep says whether two contrasts are routes to one part: of one body and
// level, to the same last step, of which one of them may have more steps before
// it. An output is that of its stage.
func sameStep(a, b Contrast) bool {
	if a.Framework != b.Framework || a.body != b.body || a.Level != b.Level || len(a.part.parts()) > 1 || len(b.part.parts()) > 1 {
		return false
	}
	nested := a.part == b.part || a.part.within(b.part) || b.part.within(a.part)
	return nested && a.part.last() == b.part.last() && (!a.part.writes() || a.Stage == b.Stage)
}

func routeOf(c Contrast) Route { return Route{A: c.A, B: c.B, Estimate: c.Estimate, Absent: c.Absent} }

// combination names the cells that are added and those that are taken off, in
// either direction: routes to I and routes to C can be the same four cells.
func (c *Closure) combination() string {
	plus, minus := []string{c.First.A, c.Second.B}, []string{c.First.B, c.Second.A}
	for _, id := range slices.Clone(plus) {
		if at := slices.Index(minus, id); at >= 0 {
			minus = slices.Delete(minus, at, at+1)
			plus = slices.Delete(plus, slices.Index(plus, id), slices.Index(plus, id)+1)
		}
	}
	slices.Sort(plus)
	slices.Sort(minus)
	sides := []string{strings.Join(plus, "+"), strings.Join(minus, "+")}
	slices.Sort(sides)
	return strings.Join(sides, " - ")
}

// close estimates what the routes differ by, in each block: first A + second B
// against first B + second A.
func (r *reader) close(c *Closure, m results.Metric, family int) {
	c.Absent = cmp.Or(r.voidOf(c.First.A, c.First.B, c.Second.A, c.Second.B), c.First.Absent, c.Second.Absent)
	if c.Absent == "" {
		plus := addPairs(r.values(c.First.A, m), r.values(c.Second.B, m))
		minus := addPairs(r.values(c.First.B, m), r.values(c.Second.A, m))
		d := r.ask(infer.Question{Alpha: alpha, Family: family}, plus, minus, r.sized(m))
		c.Difference, c.Absent, c.Disagree = d.Difference, d.NoDifference, d.Verdict.Shown()
	}
	c.Text = c.text(r, m.Unit)
}

// addPairs adds the values of two cells in the blocks that have both.
func addPairs(a, b []value) []value {
	var sums []value
	for _, p := range pairs(a, b) {
		sums = append(sums, value{p.block, p.x + p.y})
	}
	return sums
}

func (c *Closure) text(r *reader, unit string) string {
	routes := "two routes to " + c.Name
	if c.Level != "" {
		routes += " at " + c.Level
	}
	d := c.Difference
	if d == nil {
		return routes + " can't be compared: " + c.Absent
	}
	route := func(p Route) string {
		return figure.Quantity(p.Estimate.Value, unit) + " as " + r.campaign.Cell(p.A).Variant + " − " + r.campaign.Cell(p.B).Variant
	}
	var b strings.Builder
	by := figure.Quantity(d.Value, unit)
	if d.Interval != nil {
		by += " (" + figure.Range(d.Interval.Low, d.Interval.High, unit) + ")"
	}
	if c.Disagree {
		fmt.Fprintf(&b, "%s disagree by %s", routes, by)
	} else {
		fmt.Fprintf(&b, "%s are not told apart: they differ by %s", routes, by)
		if d.Detectable != nil {
			fmt.Fprintf(&b, ", and %s would be found with 80 %% power", figure.Quantity(*d.Detectable, unit))
		}
	}
	fmt.Fprintf(&b, "; %s, %s", route(c.First), route(c.Second))
	if c.more != 0 {
		which := "second"
		if c.firstHasMore {
			which = "first"
		}
		fmt.Fprintf(&b, "; only the %s passes through %s", which, strings.Join(c.more.names(), ", "))
	}
	return b.String()
}
