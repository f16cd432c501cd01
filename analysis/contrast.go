package analysis

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"moobench/results"
)

// passage is the set of steps that an execution passes through, as bits in the
// order of results.Steps.
type passage uint

// passageOf is what a cell's executions pass through, and the body that does it;
// ok is false where it is not known. The unmonitored baseline passes through
// nothing.
func passageOf(c *results.Cell) (p passage, body string, ok bool) {
	if c.Framework == "" {
		return 0, "", c.Role == results.RoleBaseline
	}
	path, body, _ := c.Passes()
	known := results.Steps()
	for _, name := range path {
		i := slices.IndexFunc(known, func(s results.Step) bool { return s.Name == name })
		if i < 0 {
			return 0, "", false
		}
		p |= 1 << i
	}
	return p, body, p != 0
}

// within says whether p has fewer steps than q, and none that q lacks.
func (p passage) within(q passage) bool { return p != q && p&q == p }

// last is the last step as the only one.
func (p passage) last() passage { return 1 << (bits.Len(uint(p)) - 1) }

func (p passage) steps() []results.Step {
	var all []results.Step
	for i, s := range results.Steps() {
		if p&(1<<i) != 0 {
			all = append(all, s)
		}
	}
	return all
}

func (p passage) names() []string {
	var names []string
	for _, s := range p.steps() {
		names = append(names, s.Name)
	}
	return names
}

// parts are the parts of the cost that the steps belong to: I, C, W.
func (p passage) parts() []string {
	var parts []string
	for _, s := range p.steps() {
		parts = append(parts, s.Part)
	}
	return slices.Compact(parts)
}

// writes says whether the record leaves: by way of the stage's own output.
func (p passage) writes() bool { return slices.Contains(p.parts(), "W") }

// question are the steps that ask whether the probe is active.
func (p passage) question() passage {
	var q passage
	for i, s := range results.Steps() {
		if s.Part == "I" {
			q |= p & (1 << i)
		}
	}
	return q
}

// name is that of the part, or of the sum of parts, that the steps make.
func (p passage) name() string { return strings.Join(p.parts(), "+") }

// abouts are the parts and their sums in words, by name.
func abouts() map[string]string {
	return map[string]string{
		"I": "asking whether the probe is active", "C": "collecting the record", "W": "writing or sending the record",
		"I+C": "asking and collecting", "C+W": "collecting and writing", "I+W": "asking and writing", "I+C+W": "asking, collecting and writing",
	}
}

// passingCell is a cell whose steps are known.
type passingCell struct {
	*results.Cell
	steps passage
	body  string
}

// contrasts splits what a framework costs into its parts: the differences of two
// cells whose executions differ in these steps and in nothing else (Flaig 2014;
// Waller 2014). They are parts of what a call costs: a time that is paid once has
// none, nor has a request whose probe is switched on and off meanwhile.
func (r *reader) contrasts() (found []Contrast, unisolated []string) {
	if m := r.primary(); m != nil && (m.Once || m.Sample() == results.SampleRequest) {
		return nil, nil
	}
	var known []passingCell
	for _, c := range r.cells() {
		if steps, body, ok := passageOf(c); ok && c.Role != results.RoleAA {
			known = append(known, passingCell{c, steps, body})
		}
	}
	for _, a := range known {
		for _, b := range below(known, a) {
			found = append(found, r.contrast(a, b))
		}
	}
	return found, unisolatedParts(r.cells(), found)
}

// below are the cells that lack some of a's steps, and differ from it in nothing
// else: of the same level and body, or unmonitored. Where one of them has all the
// steps of another, only it is told; of several with the same steps only one is,
// of a's own mode where there is one.
func below(known []passingCell, a passingCell) []passingCell {
	var found []passingCell
	for _, b := range known {
		sameCode := b.Framework == "" || b.Framework == a.Framework && b.body == a.body
		sameOutput := !b.steps.writes() || b.Stage == a.Stage
		if b.Level() == a.Level() && sameCode && sameOutput && b.steps.within(a.steps) {
			found = append(found, b)
		}
	}
	all := slices.Clone(found)
	found = slices.DeleteFunc(found, func(b passingCell) bool {
		return slices.ContainsFunc(all, func(c passingCell) bool { return b.steps.within(c.steps) })
	})
	slices.SortStableFunc(found, func(b, c passingCell) int {
		return cmp.Or(cmp.Compare(order(b, a), order(c, a)), cmp.Compare(b.steps, c.steps))
	})
	var one []passingCell
	for _, b := range found {
		if !slices.ContainsFunc(one, func(c passingCell) bool { return c.steps == b.steps }) {
			one = append(one, b)
		}
	}
	return one
}

// order is lower for the cells that a is rather compared with.
func order(b, a passingCell) int {
	if b.Framework == "" || b.Mode == a.Mode {
		return 0
	}
	return 1
}

// contrast is the paired difference of two cells in the primary metric.
func (r *reader) contrast(a, b passingCell) Contrast {
	part := a.steps &^ b.steps
	c := Contrast{
		Name: part.name(), Steps: part.names(), About: abouts()[part.name()],
		Framework: a.Framework, Mode: a.Mode, Stage: a.Stage, Level: a.Level(), A: a.ID, B: b.ID,
		body: a.body, part: part,
	}
	c.Absent = r.voidOf(a.ID, b.ID)
	if m := r.primary(); c.Absent == "" && m != nil {
		cost := r.compare(r.values(a.ID, *m), b.ID, *m, 1)
		c.Estimate, c.Absent = cost.Difference, cost.NoDifference
	}
	return c
}

// voidOf says which of some cells has no number, and why; "" when all have some.
func (r *reader) voidOf(ids ...string) string {
	for _, id := range ids {
		if why := r.void[id]; why != "" {
			return r.campaign.Cell(id).Label() + " is " + why
		}
	}
	return ""
}

// unisolatedParts says, once for all modes with one body, which parts are in sums
// only.
func unisolatedParts(cells []*results.Cell, found []Contrast) []string {
	type body struct{ framework, name string }
	alone, summed, modes := map[body][]string{}, map[body][]string{}, map[body][]string{}
	bodies := map[string]int{}
	var order []body
	for _, c := range found {
		b := body{c.Framework, c.body}
		if !slices.Contains(order, b) {
			order = append(order, b)
			bodies[c.Framework]++
		}
		if parts := c.part.parts(); len(parts) == 1 {
			alone[b] = append(alone[b], parts...)
		} else {
			summed[b] = append(summed[b], parts...)
		}
		if mode := c.Framework + "/" + c.Mode; !slices.Contains(modes[b], mode) {
			modes[b] = append(modes[b], mode)
		}
	}
	var texts []string
	for _, b := range order {
		var missing []string
		for _, part := range []string{"I", "C", "W"} {
			if slices.Contains(summed[b], part) && !slices.Contains(alone[b], part) {
				missing = append(missing, part)
			}
		}
		who := b.framework
		if bodies[b.framework] > 1 {
			who = strings.Join(modes[b], ", ")
		}
		if len(missing) > 0 {
			texts = append(texts, who+": nothing here isolates "+orList(missing))
		}
	}
	return append(texts, unknownPaths(cells)...)
}

// unknownPaths names the frameworks of which nothing is known.
func unknownPaths(cells []*results.Cell) []string {
	var unknown, known []string
	for _, c := range cells {
		switch _, _, ok := passageOf(c); {
		case c.Framework == "":
		case ok:
			known = append(known, c.Framework)
		case !slices.Contains(unknown, c.Framework):
			unknown = append(unknown, c.Framework)
		}
	}
	unknown = slices.DeleteFunc(unknown, func(f string) bool { return slices.Contains(known, f) })
	for i, f := range unknown {
		unknown[i] = f + " has no parts: it is not known what its executions pass through"
	}
	return unknown
}

// orList joins names: I, C or W.
func orList(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " or " + names[n-1]
	}
	return strings.Join(names, "")
}
