package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"moobench/harness/config"
	"moobench/harness/strict"
	"moobench/results"
)

// side is one side of a question: a variant, and optionally some parameters of its cell.
type side struct {
	variant string
	at      map[string]string
}

// questions finds the cells that the file's questions compare: pairs at the same level, except
// for parameters that both sides name.
func (b *builder) questions() {
	for i, q := range b.file.Questions {
		path := []any{"question", i}
		cells := b.compared(q.Scenario)
		if len(cells) == 0 {
			continue // its scenario is invalid: already reported
		}
		x, okX := b.side(q.A, cells, under(path, "a"))
		y, okY := b.side(q.B, cells, under(path, "b"))
		if !okX || !okY {
			continue
		}
		var pairs [][2]*Cell
		for _, one := range cells {
			for _, other := range cells {
				apart := func(f results.Value) bool {
					_, byX := x.at[f.Name]
					_, byY := y.at[f.Name]
					return (!byX || !byY) && other.Factor(f.Name) != f.Value
				}
				if x.matches(one) && y.matches(other) && !slices.ContainsFunc(one.Factors, apart) {
					pairs = append(pairs, [2]*Cell{one, other})
				}
			}
		}
		b.ask(q, fmt.Sprintf("q%d", i+1), pairs, path)
	}
}

// compared returns the cells of a scenario that questions may compare.
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

func nameOf(v results.Value) string { return v.Name }

// side reads a variant, named as in the key variants, or the label of a cell.
func (b *builder) side(text string, cells []*Cell, path []any) (side, bool) {
	words := strings.Fields(text)
	s := side{at: map[string]string{}}
	ok := false
	if s.variant, ok = b.variantOf(words[0], cells, path); !ok {
		return s, false
	}
	parameters := results.Each(cells[0].Parameters, nameOf)
	last := ""
	for _, w := range words[1:] {
		name, value, isLevel := strings.Cut(w, "=")
		switch {
		case isLevel && slices.Contains(parameters, name):
			s.at[name] = value
			last = name
		case last != "": // the value has a space
			s.at[last] += " " + w
		default:
			hint := strict.Suggest(name, parameters, fmt.Sprintf("a cell is called %q", cells[len(cells)-1].Label()))
			b.Fail(path, hint, "%q is not a level of scenario %s", w, cells[0].Scenario)
			return s, false
		}
	}
	if jdk, said := s.at[results.FactorJDK]; said { // resolve it to an exact version
		var versions []string
		for _, j := range b.jdksNamed(jdk) {
			if slices.ContainsFunc(cells, func(c *Cell) bool { return c.JDK == j }) {
				versions = append(versions, j.Version)
			}
		}
		if len(versions) > 1 {
			b.Fail(path, "say more of the version", "jdk=%s is not one JDK: %s", jdk, strings.Join(versions, ", "))
			return s, false
		}
		s.at[results.FactorJDK] = strings.Join(versions, "") // without a match it stays "", which no cell has
	}
	if !slices.ContainsFunc(cells, s.matches) {
		b.Fail(path, "a value of the scenario's own list", "scenario %s has no cell %q", cells[0].Scenario, text)
		return s, false
	}
	return s, true
}

// variantOf returns the full name of a variant of the cells. Names may be short, as in the key
// variants. A name that is ambiguous there is accepted if it fits a single variant of the scenario.
func (b *builder) variantOf(name string, cells []*Cell, path []any) (string, bool) {
	var known, fits []string
	for _, c := range cells {
		if slices.Contains(known, c.Variant) {
			continue
		}
		known = append(known, c.Variant)
		if strings.HasPrefix(c.Variant, name+"/") {
			fits = append(fits, c.Variant)
		}
	}
	if v, err := b.set.Variant(name); err == nil {
		name = v.Name
	} else if len(fits) == 1 {
		name = fits[0]
	}
	if slices.Contains(known, name) {
		return name, true
	}
	hint := strict.Suggest(name, known, "its variants: "+strings.Join(known, ", "))
	b.Fail(path, hint, "scenario %s has no variant %q", cells[0].Scenario, name)
	return name, false
}

// matches reports whether the side names a cell. Values may be written as in benchmarks.toml or
// as in a label.
func (s side) matches(c *Cell) bool {
	if c.Variant != s.variant {
		return false
	}
	for name, text := range s.at {
		i := slices.IndexFunc(c.Parameters, func(p results.Value) bool { return p.Name == name })
		if i < 0 {
			return false
		}
		p := c.Parameters[i]
		span, err := time.ParseDuration(text)
		sameTime := p.Unit == "ns" && err == nil && p.Value == strconv.FormatInt(int64(span), 10)
		if p.Value != text && p.Readable() != text && !sameTime {
			return false
		}
	}
	return true
}

// ask registers a question at each of its levels.
func (b *builder) ask(q config.Question, id string, pairs [][2]*Cell, path []any) {
	if len(pairs) == 0 {
		b.Fail(path, "name the level on one side only", "a and b have no level in common")
	}
	for _, pair := range pairs {
		one := q
		one.ID = id
		one.A = pair[0].ID
		one.B = pair[1].ID
		if len(pairs) > 1 {
			one.ID += "@" + pair[0].Level()
			one.Text += " (" + pair[0].Level() + ")"
		}
		for _, c := range pair {
			if batch := c.Work.Batch; q.Quantile > 0 && batch > 1 {
				b.Fail(under(path, "metric"), "take batch = 1, or ask about the mean",
					"with batch = %d there are no quantiles of calls: they are not observed", batch)
			}
		}
		if x, y := pair[0].Parameter(results.FactorCPUs), pair[1].Parameter(results.FactorCPUs); x != y {
			b.Fail(path, "name the same cpus on both sides, or on one",
				"a has %s CPUs and b has %s: figures with different cpus are never compared", x, y)
		}
		if one.A == one.B {
			b.Fail(under(path, "b"), "", "a and b are the same: %q and %q", q.A, q.B)
		}
		b.plan.questions = append(b.plan.questions, one)
	}
}

// questionsOf returns the questions about measured cells of a scenario: the scenario's own, and
// those of benchmarks.toml. If one of the latter needs a margin but does not give it, it takes the
// margin of the scenario's own question about the same metric and one of its cells, or else 1 %.
func (p *Plan) questionsOf(s section, cells []results.Cell) []results.Question {
	own := s.scenario.Questions(cells)
	all := slices.Clip(own)
	measured := func(id string) bool {
		return slices.ContainsFunc(cells, func(c results.Cell) bool { return c.ID == id })
	}
	for _, q := range p.questions {
		if q.Scenario != s.Label || !measured(q.A) || !measured(q.B) {
			continue
		}
		if slices.ContainsFunc(own, func(o results.Question) bool { return q.Family != "" && o.Family == q.Family }) {
			q.Family += " (asked)" // keep the size of the scenario's own family
		}
		if q.Within && q.Margin == nil {
			q.Margin = &results.Margin{Share: 0.01}
			for _, cell := range []string{q.B, q.A} { // the margin for A wins
				i := slices.IndexFunc(own, func(o results.Question) bool {
					return o.A == cell && o.Metric == q.Metric && o.Margin != nil
				})
				if i >= 0 {
					*q.Margin = *own[i].Margin
				}
			}
		}
		all = append(all, q.Question)
	}
	return all
}
