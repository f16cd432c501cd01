package plan

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"moobench/harness/config"
	"moobench/harness/framework"
	"moobench/harness/strict"
	"moobench/results"
)

// maxCells is more than anybody measures: lists that cross into more are a
// mistake.
const maxCells = 1000

// maxCalls is more than the samples of one invocation may be.
const maxCalls = 1 << 40

// builder makes the cells of a plan and collects what is wrong.
type builder struct {
	file *config.File
	set  *framework.Set
	jdks []JDK
	plan *Plan
	errs strict.Errors
}

func (b *builder) fail(path []any, hint, format string, args ...any) {
	b.tell(b.file.Errorf(path, hint, format, args...))
}

// tell adds a mistake once, and not once a level.
func (b *builder) tell(e *strict.Error) {
	if !slices.ContainsFunc(b.errs, func(o *strict.Error) bool { return *o == *e }) {
		b.errs = append(b.errs, e)
	}
}

// section adds the cells of the i-th [[scenario]]: at each factor level, the
// environment's factors being the outermost, the
// first variant as baseline, the same again as A/A, and the others; after all
// levels the proof cells.
func (b *builder) section(i int, s section) {
	path := []any{"scenario", i}
	variants := b.variants(s.Variants, path)
	schema, values := b.environment(s, path)
	maps.Copy(values, s.Parameters)
	levels := levels(slices.Concat(schema, s.scenario.Parameters()), values)
	if n := len(levels) * (len(s.Variants) + 1); n > maxCells || len(levels) == 0 {
		b.fail(path, "shorten a list, or make two campaigns", "the lists of this scenario cross into more than %d cells", maxCells)
		return
	}
	first := len(b.plan.Cells)
	for _, level := range levels {
		baseline := ""
		for j, v := range variants {
			at := []any{"scenario", i, "variants", j}
			if j > 0 {
				b.cell(s, level, v, results.RoleVariant, baseline, at)
				continue
			}
			baseline = b.cell(s, level, v, results.RoleBaseline, "", at)
			b.cell(s, level, v, results.RoleAA, baseline, at)
		}
	}
	b.prove(s, levels, first, []any{"scenario", i, "variants"})
}

// variants looks the names up; what is wrong with them is told.
func (b *builder) variants(names []string, path []any) []framework.Variant {
	var all []framework.Variant
	for j, name := range names {
		at := append(slices.Clone(path), "variants", j)
		v, err := b.set.Variant(name)
		if err != nil {
			b.fail(at, framework.HintOf(err), "%v", err)
		} else if k := slices.IndexFunc(all, func(o framework.Variant) bool { return o.Name == v.Name }); k >= 0 {
			b.fail(at, "", "variant %q stands here twice: %q is the same", v.Name, names[k])
		}
		all = append(all, v)
	}
	return all
}

// level is one value for every parameter, in the order of the schema.
type level struct{ factors, parameters []results.Value }

// levels crosses the lists, the last parameter running fastest. It is nil
// when there are far too many.
func levels(schema []results.Parameter, given map[string][]string) []level {
	all := []level{{}}
	for _, p := range schema {
		values := given[p.Name]
		if len(all)*len(values) > maxCells {
			return nil
		}
		var next []level
		for _, l := range all {
			for _, v := range values {
				next = append(next, l.with(p, v, len(values) > 1))
			}
		}
		all = next
	}
	return all
}

func (l level) with(p results.Parameter, text string, factor bool) level {
	v := results.Value{Name: p.Name, Value: text, Unit: p.Unit}
	if p.Type == results.TypeDuration {
		v.Unit = "ns"
	}
	next := level{slices.Clip(l.factors), append(slices.Clip(l.parameters), v)}
	if factor {
		next.factors = append(next.factors, v)
	}
	return next
}

// parameter is the value of a parameter, or "".
func (l level) parameter(name string) string {
	c := results.Cell{Parameters: l.parameters}
	return c.Parameter(name)
}

// cell adds one cell and returns its ID.
func (b *builder) cell(s section, l level, v framework.Variant, role results.Role, baseline string, at []any) string {
	c := Cell{Variant: v, Use: s.Use, MaxFailures: s.MaxFailures, Cell: results.Cell{
		ID: fmt.Sprintf("c%02d", len(b.plan.Cells)), Scenario: s.Label,
		Variant: v.Name, Framework: v.Framework, Mode: v.Mode, Stage: v.Stage,
		Path: v.Path, Body: v.Body, Change: v.Change,
		Role: role, Baseline: baseline, Factors: l.factors, Parameters: l.parameters,
		Proof: results.ProofPlan{Kind: v.Proof.Kind, Source: v.Proof.Source}, Queue: v.Queue, Launch: v.Launch(),
	}}
	c.JDK = b.jdkOf(&c)
	b.suits(v, c.JDK, at)
	c.Launch.Fixture = c.Parameter(fixtureParameter)
	if c.Launch.Target == "" && c.Launch.Fixture != "" {
		c.Launch.Target = "moobench." + c.Launch.Fixture + ".Plain" // the fixture's own, which nothing is compiled into
	}
	b.outside(s, &c, at)
	b.patterned(&c, at)
	b.checked(s, &c)
	b.searches(s, &c)
	c.Calibration = calibrated(s, c.Cell)
	c.Timeout = cmp.Or(s.Timeout, allowance(&c))
	b.divides(s, &c)
	if c.Calls() > maxCalls {
		b.fail(at, "", "%s: calls × threads are more than %d", v.Name, int64(maxCalls))
	} else if v.Proof.Kind == results.ProofCount && c.Pattern() == "" {
		n, err := expected(&c)
		if err != nil {
			b.fail(at, perCallHint(&c), "%s: %v", v.Name, err)
		}
		c.Proof.Expected = n
	}
	b.plan.Cells = append(b.plan.Cells, c)
	return c.ID
}

// checked has the scenario look at the cell's values.
func (b *builder) checked(s section, c *Cell) {
	checker, ok := s.scenario.(Checker)
	if !ok {
		return
	}
	if key, why, hint := checker.Check(c.Cell); why != "" {
		b.fail([]any{"scenario", b.index(s), key}, hint, "%s", why)
	}
}

// searches checks that the highest load is searched for somewhere: the runs of
// resources do that.
func (b *builder) searches(s section, c *Cell) {
	if c.Int(p99LimitParameter) > 0 && s.Resources == 0 {
		b.fail([]any{"scenario", b.index(s), p99LimitParameter}, "let resources be 1 or more, or take p99_limit out", "p99_limit is searched for in the runs of resources, and resources = 0: it never would be")
	}
}

// index is the section's place in the file.
func (b *builder) index(s section) int {
	return slices.IndexFunc(b.file.Scenarios, func(o config.Scenario) bool { return o.Label == s.Label })
}

// divides checks that a sample always covers as many calls as it says: a last
// one that covers fewer would make the mean wrong.
func (b *builder) divides(s section, c *Cell) {
	batch := c.Int(batchParameter)
	if batch <= 1 || c.Int(callsParameter)%batch == 0 || c.Role != results.RoleBaseline {
		return
	}
	b.fail([]any{"scenario", b.index(s), batchParameter}, "take a divisor of calls", "batch = %d does not divide calls = %s", batch, c.Parameter(callsParameter))
}
