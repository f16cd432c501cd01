// Package contrasts splits the cost into its parts: differences of two cells whose executions differ only in some steps.
package contrasts

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/analysis/reading"
	"moobench/analysis/stats"
	"moobench/results"
)

// Contrast is a part of the cost: I (is the probe active?), C (collect), W (write or send), or a sum of these.
// It is the paired difference in the primary metric between two cells whose executions differ only in Steps,
// with its own 95 % interval.
type Contrast struct {
	// Name is I (asking whether the probe is active), C (collecting), W (writing or
	// sending), or a sum of these: I+C, C+W, I+C+W.
	Name string `json:"name"`
	// Steps lists the steps of the first cell that the second one lacks, in this order: enabled,
	// check, switch, list, collect, write.
	Steps     []string `json:"steps"`
	About     string   `json:"about"`           // the name in words
	Framework string   `json:"framework"`       // framework of the first cell
	Mode      string   `json:"mode"`            // mode of the first cell
	Stage     string   `json:"stage"`           // stage of the first cell
	Level     string   `json:"level,omitempty"` // factor level of both
	Route

	body string
	part reading.Passage
}

// Parts are the parts of the cost, and what two routes to one part, and two agents in one JVM, cost.
type Parts struct {
	// Contrasts are the parts of the cost.
	Contrasts []Contrast `json:"contrasts,omitempty"`
	// Unisolated are sentences about parts of the cost that no pair of cells isolates.
	Unisolated []string `json:"unisolated,omitempty"`
	// Closures compare two routes to the same part.
	Closures []Closure `json:"closures,omitempty"`
	// Interactions compare two agents in one JVM with the sum of both alone.
	Interactions []Interaction `json:"interactions,omitempty"`
}

// Of finds the parts of a scenario's cost.
func Of(r *reading.Reading) Parts {
	var p Parts
	p.Contrasts, p.Unisolated = contrasts(r)
	p.Closures, p.Interactions = closures(r, p.Contrasts), interactions(r)
	return p
}

// Closure compares two routes to one part: both give the same cost if parts add up and both routes run the same
// code.
type Closure struct {
	Name      string `json:"name"`            // the part: I, C or W
	Framework string `json:"framework"`       // of all four cells
	Level     string `json:"level,omitempty"` // factor level of all four cells
	First     Route  `json:"first"`           // one route to the part
	Second    Route  `json:"second"`          // the other one
	// Difference is First minus Second, the combination of four cells in each block, in the primary metric's
	// unit; the intervals of a scenario's closures are simultaneous at 95 %. It is absent if Absent says why.
	Difference *infer.Estimate `json:"difference,omitempty"`
	Absent     string          `json:"absent,omitempty"` // why there is no difference
	Disagree   bool            `json:"disagree"`         // whether the interval of Difference excludes 0
	Text       string          `json:"text"`             // in words

	first, second reading.Passage // steps that the routes pass through
}

// Route is a difference of two cells that is a part of the cost.
type Route struct {
	A        string          `json:"a"`                  // ID of a cell
	B        string          `json:"b"`                  // ID of a cell: the difference is A - B
	Estimate *infer.Estimate `json:"estimate,omitempty"` // the difference; absent if Absent says why
	Absent   string          `json:"absent,omitempty"`   // why there is no estimate
}

// partAbouts describes the parts and their sums, by name.
var partAbouts = map[string]string{
	"I": "asking whether the probe is active", "C": "collecting the record", "W": "writing or sending the record",
	"I+C": "asking and collecting", "C+W": "collecting and writing", "I+W": "asking and writing",
	"I+C+W": "asking, collecting and writing",
}

// passingCell is a cell whose steps are known.
type passingCell struct {
	*results.Cell
	steps reading.Passage
	body  string
}

// contrasts splits a framework's cost into parts: the differences of two cells whose executions differ only in
// these steps (Flaig 2014; Waller 2014). Only the cost of a call has parts: a time that is paid once has none,
// and neither has a request during which the probe is switched.
func contrasts(r *reading.Reading) (found []Contrast, unisolated []string) {
	if r.Primary.Once || r.Primary.Sample() == results.SampleRequest {
		return nil, nil
	}
	var passing []passingCell
	for _, c := range r.Cells {
		if steps, body, ok := reading.PassageOf(c); ok && c.Role != results.RoleAA {
			passing = append(passing, passingCell{c, steps, body})
		}
	}
	for _, a := range passing {
		for _, b := range below(passing, a) {
			part := a.steps &^ b.steps
			names, parts := part.Steps()
			name := strings.Join(parts, "+")
			c := Contrast{
				Name: name, Steps: names, About: partAbouts[name], Framework: a.Framework,
				Mode: a.Mode, Stage: a.Stage, Level: a.Level(),
				Route: Route{A: a.ID, B: b.ID, Absent: r.InvalidReason(a.ID, b.ID)}, body: a.body, part: part,
			}
			if c.Absent == "" && r.Primary.Name != "" {
				cost := r.Compare(a.ID, b.ID, r.Primary, 1)
				c.Estimate, c.Absent = cost.Difference, cost.NoDifference
			}
			found = append(found, c)
		}
	}
	unisolated = unisolatedParts(found)
	for _, cells := range stats.Grouped(r.Cells, func(c *results.Cell) string { return c.Framework }) {
		known := slices.ContainsFunc(cells, func(c *results.Cell) bool {
			_, _, ok := reading.PassageOf(c)
			return ok || len(c.Beside) > 0
		})
		if f := cells[0].Framework; f != "" && !known {
			unisolated = append(unisolated, f+" has no parts: it is not known what its executions pass through")
		}
	}
	return found, unisolated
}

// below returns the cells that lack some of a's steps and otherwise match it: of the same level and body, or
// unmonitored. A cell is dropped if another one has all of its steps and more. Of several with the same steps
// one is kept, of a's own mode if possible.
func below(known []passingCell, a passingCell) []passingCell {
	all := slices.DeleteFunc(slices.Clone(known), func(b passingCell) bool {
		sameCode := b.Framework == "" || b.Framework == a.Framework && b.body == a.body
		sameOutput := !b.steps.Writes() || b.Stage == a.Stage
		return b.Level() != a.Level() || !sameCode || !sameOutput || !b.steps.Within(a.steps)
	})
	found := slices.DeleteFunc(slices.Clone(all), func(b passingCell) bool {
		return slices.ContainsFunc(all, func(c passingCell) bool { return b.steps.Within(c.steps) })
	})
	other := func(b passingCell) int { // 0 for a's own mode
		if b.Framework == "" || b.Mode == a.Mode {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(found, func(b, c passingCell) int {
		return cmp.Or(cmp.Compare(other(b), other(c)), cmp.Compare(b.steps, c.steps))
	})
	one := map[reading.Passage]string{} // the first cell with these steps
	return slices.DeleteFunc(found, func(b passingCell) bool {
		one[b.steps] = cmp.Or(one[b.steps], b.ID)
		return one[b.steps] != b.ID
	})
}

// unisolatedParts names the parts that occur only in sums, once for all modes with one body.
func unisolatedParts(found []Contrast) []string {
	bodies := stats.Grouped(found, func(c Contrast) [2]string { return [2]string{c.Framework, c.body} })
	var texts []string
	for _, contrasts := range bodies {
		alone, summed := "", ""
		var modes []string
		for _, c := range contrasts {
			if strings.Contains(c.Name, "+") {
				summed += c.Name
			} else {
				alone += c.Name
			}
			if mode := c.Framework + "/" + c.Mode; !slices.Contains(modes, mode) {
				modes = append(modes, mode)
			}
		}
		one := contrasts[0]
		subject := one.Framework
		otherBody := func(b []Contrast) bool { return b[0].Framework == subject && b[0].body != one.body }
		if slices.ContainsFunc(bodies, otherBody) {
			subject = strings.Join(modes, ", ")
		}
		missing := slices.DeleteFunc([]string{"I", "C", "W"}, func(part string) bool {
			return !strings.Contains(summed, part) || strings.Contains(alone, part)
		})
		if last := len(missing) - 1; last > 0 {
			missing = []string{strings.Join(missing[:last], ", ") + " or " + missing[last]}
		}
		texts = append(texts, results.Each(missing, func(parts string) string {
			return subject + ": nothing here isolates " + parts
		})...)
	}
	return texts
}

// closures compares the routes to one part: its direct cost, and its cost as a difference of two greater costs,
// are equal if parts add up and both routes run the same code. Of several routes, each is compared with the
// first. The intervals are simultaneous.
func closures(r *reading.Reading, contrasts []Contrast) []Closure {
	if r.Primary.Name == "" || r.Unordered() {
		return nil
	}
	contrasts = slices.SortedStableFunc(slices.Values(contrasts), func(a, b Contrast) int {
		return cmp.Compare(a.part.Last(), b.part.Last())
	})
	var found []Closure
	seen, compared := map[string]bool{}, map[int]bool{}
	for i, first := range contrasts {
		for j, second := range contrasts[i+1:] {
			c := Closure{
				Name: first.Name, Framework: first.Framework, Level: first.Level, First: first.Route,
				Second: second.Route, first: first.part, second: second.part,
			}
			if !compared[i] && sameStep(first, second) && !seen[c.combination()] {
				seen[c.combination()], compared[i+1+j] = true, true
				found = append(found, c)
			}
		}
	}
	for i := range found {
		c := &found[i]
		// In each block, compare first A + second B with first B + second A.
		c.Absent = cmp.Or(r.InvalidReason(c.First.A, c.First.B, c.Second.A, c.Second.B),
			c.First.Absent, c.Second.Absent)
		if c.Absent == "" {
			d := r.Ask(infer.Question{Alpha: reading.Alpha, Family: len(found)}, sum(r, c.First.A, c.Second.B),
				sum(r, c.First.B, c.Second.A), r.SecondStage(r.Primary))
			c.Difference, c.Absent, c.Disagree = d.Difference, d.NoDifference, d.Verdict.Shown()
		}
		c.Text = c.text(r.Campaign, r.Primary.Unit)
	}
	return found
}

// sameStep reports whether two contrasts are routes to one part: they share body, level and last step; one of
// them may have more steps before it. For outputs the stage must be the same, too.
func sameStep(a, b Contrast) bool {
	if a.Framework != b.Framework || a.body != b.body || a.Level != b.Level || strings.Contains(a.Name+b.Name, "+") {
		return false
	}
	nested := a.part == b.part || a.part.Within(b.part) || b.part.Within(a.part)
	return nested && a.part.Last() == b.part.Last() && (!a.part.Writes() || a.Stage == b.Stage)
}

// combination names the cells that are added and subtracted, in either direction: routes to I and routes to C
// can be the same four cells.
func (c *Closure) combination() string {
	times := map[string]int{}
	times[c.First.A]++
	times[c.Second.B]++
	times[c.First.B]--
	times[c.Second.A]--
	maps.DeleteFunc(times, func(_ string, n int) bool { return n == 0 })
	opposite := map[string]int{}
	for id, n := range times {
		opposite[id] = -n
	}
	return min(fmt.Sprint(times), fmt.Sprint(opposite)) // Sprint sorts the cells
}

func (c *Closure) text(campaign *results.Campaign, unit string) string {
	routes := "two routes to " + c.Name + reading.AtLevel(c.Level)
	d := c.Difference
	if d == nil {
		return routes + " can't be compared: " + c.Absent
	}
	by := figure.Quantity(d.Value, unit)
	if d.Interval != nil {
		by += " (" + figure.Range(d.Interval.Low, d.Interval.High, unit) + ")"
	}
	text := routes + " disagree by " + by
	if !c.Disagree {
		text = routes + " can't be told apart: they differ by " + by
		if d.Detectable != nil {
			text += fmt.Sprintf(", and %s would be found with 80 %% power", figure.Quantity(*d.Detectable, unit))
		}
	}
	for i, p := range []Route{c.First, c.Second} {
		text += []string{"; ", ", "}[i] + figure.Quantity(p.Estimate.Value, unit) + " as " +
			campaign.Cell(p.A).Variant + " − " + campaign.Cell(p.B).Variant
	}
	names, _ := (c.first ^ c.second).Steps()
	which := map[bool]string{true: "first", false: "second"}[c.second.Within(c.first)]
	return text + prose.If(names != nil, "; only the %s passes through %s", which, strings.Join(names, ", "))
}
