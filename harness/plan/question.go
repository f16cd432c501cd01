package plan

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"moobench/harness/config"
	"moobench/harness/strict"
	"moobench/results"
)

// asked is a question of benchmarks.toml about two cells of a scenario.
type asked struct {
	results.Question
	scenario string // label
}

// side is what one side of a question names: a variant, and perhaps some of
// the parameters of its cell.
type side struct {
	variant string
	at      map[string]string
}

// questions finds the cells that the file's questions are about.
func (b *builder) questions() {
	for i, q := range b.file.Questions {
		path := []any{"question", i}
		cells := b.compared(q.Scenario)
		if len(cells) == 0 {
			continue // its scenario is wrong, and that was said
		}
		x, okA := b.side(q.A, cells, append(slices.Clone(path), "a"))
		y, okB := b.side(q.B, cells, append(slices.Clone(path), "b"))
		if okA && okB {
			b.ask(q, fmt.Sprintf("q%d", i+1), pairsOf(cells, x, y), path)
		}
	}
}

// compared are the cells of a scenario that can be asked about.
func (b *builder) compared(label string) []*Cell {
	var cells []*Cell
	for i := range b.plan.Cells {
		c := &b.plan.Cells[i]
		if c.Scenario == label && (c.Role == results.RoleBaseline || c.Role == results.RoleVariant) {
			cells = append(cells, c)
		}
	}
	return cells
}

// side reads a variant, as it may stand in variants, or the label of a cell.
func (b *builder) side(text string, cells []*Cell, path []any) (side, bool) {
	words := strings.Fields(text)
	s, ok := side{at: map[string]string{}}, false
	if s.variant, ok = b.variantOf(words[0], cells, path); !ok {
		return s, false
	}
	var parameters []string
	for _, p := range cells[0].Parameters {
		parameters = append(parameters, p.Name)
	}
	last := ""
	for _, w := range words[1:] {
		name, value, isLevel := strings.Cut(w, "=")
		switch {
		case isLevel && slices.Contains(parameters, name):
			s.at[name], last = value, name
		case last != "": // a value with a space in it
			s.at[last] += " " + w
		default:
			hint := fmt.Sprintf("a cell is called %q", cells[len(cells)-1].Label())
			if near := strict.Nearest(name, parameters); near != "" {
				hint = fmt.Sprintf("did you mean %q?", near)
			}
			b.fail(path, hint, "%q is no level of scenario %s", w, cells[0].Scenario)
			return s, false
		}
	}
	if !b.oneJDK(&s, cells, path) {
		return s, false
	}
	if !slices.ContainsFunc(cells, func(c *Cell) bool { return s.is(c) }) {
		b.fail(path, "a value of the scenario's own list", "scenario %s has no cell %q", cells[0].Scenario, text)
		return s, false
	}
	return s, true
}

// variantOf is the full name of a variant that the cells have.
func (b *builder) variantOf(name string, cells []*Cell, path []any) (string, bool) {
	var known []string
	for _, c := range cells {
		if !slices.Contains(known, c.Cell.Variant) {
			known = append(known, c.Cell.Variant)
		}
	}
	variant := b.resolve(name, known)
	if slices.Contains(known, variant) {
		return variant, true
	}
	hint := "its variants: " + strings.Join(known, ", ")
	if near := strict.Nearest(variant, known); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	b.fail(path, hint, "scenario %s has no variant %q", cells[0].Scenario, variant)
	return variant, false
}

// oneJDK makes the JDK that a side names its exact version.
func (b *builder) oneJDK(s *side, cells []*Cell, path []any) bool {
	text, said := s.at[FactorJDK]
	if !said {
		return true
	}
	var versions []string
	for _, j := range b.named(text) {
		if slices.ContainsFunc(cells, func(c *Cell) bool { return c.JDK == j }) {
			versions = append(versions, j.Version)
		}
	}
	if len(versions) > 1 {
		b.fail(path, "say more of the version", "jdk=%s is not one JDK: %s", text, strings.Join(versions, ", "))
		return false
	}
	if len(versions) == 1 {
		s.at[FactorJDK] = versions[0]
	}
	return true
}

// resolve is the full name of a variant, as for variants. A name that is too
// short there is long enough when it fits a single variant of the scenario.
func (b *builder) resolve(name string, known []string) string {
	if v, err := b.set.Variant(name); err == nil {
		return v.Name
	}
	var fits []string
	for _, k := range known {
		if strings.HasPrefix(k, name+"/") {
			fits = append(fits, k)
		}
	}
	if len(fits) == 1 {
		return fits[0]
	}
	return name
}

// is says whether a cell is one of those that the side names.
func (s side) is(c *Cell) bool {
	if c.Cell.Variant != s.variant {
		return false
	}
	for name, value := range s.at {
		if !isValue(c.Parameters, name, value) {
			return false
		}
	}
	return true
}

// isValue says whether a parameter has this value, written as in
// benchmarks.toml or as in a label.
func isValue(parameters []results.Value, name, value string) bool {
	for _, p := range parameters {
		if p.Name != name {
			continue
		}
		d, err := time.ParseDuration(value)
		return p.Value == value || p.Readable() == value || p.Unit == "ns" && err == nil && p.Value == fmt.Sprint(int64(d))
	}
	return false
}

// pairsOf are the cells that a question is about: the two sides at the same
// level, but for what both of them name.
func pairsOf(cells []*Cell, x, y side) [][2]*Cell {
	var pairs [][2]*Cell
	for _, a := range cells {
		for _, b := range cells {
			if x.is(a) && y.is(b) && sameLevel(a, b, x, y) {
				pairs = append(pairs, [2]*Cell{a, b})
			}
		}
	}
	return pairs
}

func sameLevel(a, b *Cell, x, y side) bool {
	for _, f := range a.Factors {
		_, byX := x.at[f.Name]
		_, byY := y.at[f.Name]
		if (!byX || !byY) && b.Factor(f.Name) != f.Value {
			return false
		}
	}
	return true
}

// ask registers a question, at each level that it is asked at.
func (b *builder) ask(q config.Question, id string, pairs [][2]*Cell, path []any) {
	if len(pairs) == 0 {
		b.fail(path, "name the level on one side only", "a and b have no level in common")
	}
	for _, pair := range pairs {
		one := asked{q.Question, q.Scenario}
		one.ID, one.A, one.B = id, pair[0].ID, pair[1].ID
		if len(pairs) > 1 {
			one.ID += "@" + pair[0].Level()
			one.Text += " (" + pair[0].Level() + ")"
		}
		for _, c := range pair {
			if q.Quantile > 0 && c.Int(batchParameter) > 1 {
				b.fail(append(slices.Clone(path), "metric"), "take batch = 1, or ask about the mean", "with batch = %d there are no quantiles of calls: they are not observed", c.Int(batchParameter))
			}
		}
		if x, y := pair[0].Parameter(FactorCPUs), pair[1].Parameter(FactorCPUs); x != y {
			b.fail(path, "name the same cpus on both sides, or on one", "a has %s CPUs and b has %s: figures with different cpus are never compared", x, y)
		}
		if one.A == one.B {
			b.fail(append(slices.Clone(path), "b"), "", "a and b are the same: %q and %q", q.A, q.B)
		}
		b.plan.asked = append(b.plan.asked, one)
	}
}

// questionsOf are those of a scenario: its own, and those of benchmarks.toml
// whose cells are measured.
func (p *Plan) questionsOf(s section) []results.Question {
	cells := p.measured(s.Label)
	all := s.scenario.Questions(cells)
	own := len(all)
	is := func(id string) bool {
		return slices.ContainsFunc(cells, func(c results.Cell) bool { return c.ID == id })
	}
	for _, q := range p.asked {
		if q.scenario != s.Label || !is(q.A) || !is(q.B) {
			continue
		}
		if slices.ContainsFunc(all[:own], func(o results.Question) bool { return q.Family != "" && o.Family == q.Family }) {
			q.Family += " (asked)" // the scenario's own family keeps its size
		}
		if q.Test == results.TestTOST && q.Margin == nil {
			q.Margin = defaultMargin(all[:own], q.Question)
		}
		all = append(all, q.Question)
	}
	return all
}

// defaultMargin is that of the scenario's own question about the same metric
// and one of the cells, else 1 %.
func defaultMargin(own []results.Question, q results.Question) *results.Margin {
	for _, cell := range []string{q.A, q.B} {
		for _, o := range own {
			if o.A == cell && o.Metric == q.Metric && o.Margin != nil {
				m := *o.Margin
				return &m
			}
		}
	}
	return &results.Margin{Share: 0.01}
}
