package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moobench/harness/config"
	"moobench/harness/framework"
	"moobench/harness/strict"
	"moobench/results"
)

// Limits above any real campaign: lists that cross into more cells are a mistake.
const (
	maxCells    = 1000   // per scenario
	maxAllCells = 10_000 // per campaign
)

// builder makes the cells of a plan and collects mistakes.
type builder struct {
	file             *config.File
	set              *framework.Set
	jdks             []JDK
	plan             *Plan
	full             bool // maxAllCells is exceeded, already reported
	*strict.Document      // the file's document, with the mistakes found here
}

// under returns path + steps, and shares no memory with path.
func under(path []any, steps ...any) []any { return slices.Concat(path, steps) }

// section adds the cells of a [[scenario]]. Factor levels come in order, with the environment's
// factors outermost. At each level the first variant is the baseline, followed by the same
// variant for A/A and by the others. The proof cells come after all levels.
func (b *builder) section(s section) {
	var variants []framework.Variant
	for j, name := range s.Variants {
		at := under(s.path, "variants", j)
		v, err := b.set.Variant(name)
		if err != nil {
			b.Fail(at, framework.HintOf(err), "%v", err)
		} else if k := slices.IndexFunc(variants, func(o framework.Variant) bool { return o.Name == v.Name }); k >= 0 {
			b.Fail(at, "", "variant %q is listed twice: %q is the same", v.Name, s.Variants[k])
		}
		variants = append(variants, v)
	}
	schema, values := b.environment(s)
	levels := levels(append(schema, s.schema.Parameters...), values)
	if n := len(levels) * (len(s.Variants) + 1); n > maxCells || len(levels) == 0 {
		b.Fail(s.path, "shorten a list, or make two campaigns",
			"the lists of this scenario cross into more than %d cells", maxCells)
		return
	}
	first := len(b.plan.Cells)
	if n := first + len(levels)*(len(s.Variants)+1); n > maxAllCells {
		if !b.full {
			b.Fail(s.path, "make several campaigns",
				"the scenarios up to this one have more than %d cells together", maxAllCells)
		}
		b.full = true
		return
	}
	for _, level := range levels {
		baseline := ""
		for j, v := range variants {
			at := under(s.path, "variants", j)
			if j > 0 {
				b.cell(s, level, v, results.RoleVariant, baseline, at)
				continue
			}
			baseline = b.cell(s, level, v, results.RoleBaseline, "", at)
			b.cell(s, level, v, results.RoleAA, baseline, at)
		}
	}
	b.prove(s, levels, first)
}

// levels crosses the lists of parameter values, the last parameter varying fastest. It returns cells
// with only factors and parameters, in the order of the schema; nil if there are more than maxCells.
func levels(schema []results.Parameter, given map[string][]string) []results.Cell {
	all := []results.Cell{{}}
	for _, p := range schema {
		values := given[p.Name]
		unit := p.Unit
		if len(all)*len(values) > maxCells {
			return nil
		}
		if p.Type == results.TypeDuration {
			unit = "ns"
		}
		var next []results.Cell
		for _, l := range all {
			for _, text := range values {
				v := results.Value{Name: p.Name, Value: text, Unit: unit}
				one := results.Cell{Factors: slices.Clip(l.Factors), Parameters: append(slices.Clip(l.Parameters), v)}
				if len(values) > 1 {
					one.Factors = append(one.Factors, v)
				}
				next = append(next, one)
			}
		}
		all = next
	}
	return all
}

// cell adds one cell and returns its ID.
func (b *builder) cell(
	s section, level results.Cell, v framework.Variant, role results.Role, baseline string, at []any,
) string {
	c := Cell{Recipe: v, Use: s.Use, MaxFailures: s.MaxFailures, Resources: s.Resources, Cell: results.Cell{
		ID:         fmt.Sprintf("c%02d", len(b.plan.Cells)),
		Scenario:   s.Label,
		Variant:    v.Name,
		Framework:  v.Framework,
		Mode:       v.Mode,
		Stage:      v.Stage,
		Path:       v.Path,
		Body:       v.Body,
		Change:     v.Change,
		Role:       role,
		Baseline:   baseline,
		Factors:    level.Factors,
		Parameters: level.Parameters,
		Queue:      v.Queue,
		Launch:     v.Launch(),
	}}
	for i, r := range v.Recorded() {
		proof := results.ProofPlan{Kind: r.Proof.Kind, Source: r.Proof.Source, Fault: string(r.Fault)}
		if len(v.Beside) > 0 {
			proof.Variant = r.Name
		}
		if i == 0 {
			c.Proof = proof
			continue
		}
		c.Beside = append(c.Beside, proof)
	}
	if i := slices.IndexFunc(b.jdks, func(j JDK) bool { return j.Version == c.Parameter(results.FactorJDK) }); i >= 0 {
		c.JDK = b.jdks[i] // otherwise the campaign has a single JDK, which is known when it runs
		if err := v.Suits(c.JDK.Home, c.JDK.Major); err != nil {
			b.Fail(at, "shorten jdk, or homes in [jvm]", "%v", err)
		}
	}
	if v.Homeless() {
		base, _, _ := strings.Cut(v.Name, "/")
		hint := fmt.Sprintf("install it, and say where: [framework.%s] with inherits = %q and home = \"/opt/…\"; "+
			"moobench cost: --home", base, base)
		b.Fail(at, hint, "%s can't be fetched", v.Name)
	}
	c.Launch.Fixture = c.Parameter(s.schema.Fixture)
	if c.Launch.Target == "" && c.Launch.Fixture != "" {
		c.Launch.Target = "moobench." + c.Launch.Fixture + ".Plain" // the fixture's own class, with no probe
	}
	c.Work = s.scenario.Work(&c.Cell)
	if s.Auto.Name != "" { // until the number of calls is known, plan for the pilot's first; a proof never needs more
		first := s.counted(c, results.PilotCalls)
		if c.Work = first.Work; role == results.RoleProof {
			c.Parameters = first.Parameters
		}
	}
	b.addProgram(s, &c)
	for i, r := range v.Recorded() {
		told := c.Work.Pattern != "" || c.Int(r.Proof.PerCall) > 0 // whether the calls to record are given
		c.Proofs()[i].Optional = r.Proof.Optional && c.Program != nil && !told
	}
	if c.Launch.Fixture == "" {
		b.checkPlain(s, &c, at)
	}
	if pattern := c.Work.Pattern; pattern != "" { // the variant must accept a pattern
		if v.Target != "" {
			b.Fail(at, "take the variant or the pattern out",
				"%s is compiled into one method, of %s, and can't monitor pattern %q", v.Name, v.Target, pattern)
		}
		single := []string{"class", "method"}
		if i := slices.IndexFunc(single, v.Uses); i >= 0 {
			b.Fail(at, "take the variant or the pattern out",
				"%s monitors one %s, by {%s}, and pattern %q names no single one",
				v.Name, single[i], single[i], pattern)
		}
		if strings.HasPrefix(pattern, "@") && classes(pattern) == "*" && v.Uses("classes") {
			b.Fail(at, "name the class, too, such as \"@com.acme.Monitored com.acme.Queue.*(..)\"",
				"%s selects classes by their names only, and pattern %q would make it monitor them all", v.Name, pattern)
		}
	}
	for _, r := range s.scenario.Check(&c) {
		b.Fail(under(s.path, r.Key), r.Hint, "%s", r.Why)
	}
	c.Timeout = cmp.Or(s.Timeout, c.allowance())
	c.Derived = s.Timeout == 0
	if c.Calls() > MostSamples {
		b.Fail(at, "", "%s: calls × threads are more than %d", v.Name, int64(MostSamples))
	} else if c.Work.Pattern == "" && c.Work.Counted {
		b.expect(&c, at)
	}
	if c.Parameter(s.Auto.Name) == results.Auto {
		for _, proof := range c.Proofs() {
			proof.Expected = 0
		}
	}
	b.plan.Cells = append(b.plan.Cells, c)
	return c.ID
}

// expect sets the number of records that the measured calls of one invocation must make: calls
// × threads × per call + extra. It stays 0, unknown, if the probe is removed before the calls.
func (b *builder) expect(c *Cell, at []any) {
	for i, r := range c.Recipe.Recorded() {
		proof := r.Proof
		hint := ""
		if proof.Kind != results.ProofCount || proof.PerCall == "" {
			continue
		}
		if s := strict.Nearest(proof.PerCall, results.Each(c.Parameters, nameOf)); s != "" && s != proof.PerCall {
			hint = fmt.Sprintf("did you mean per_call = %q?", s)
		}
		switch n, known := c.records(proof, c.Calls()); {
		case !known:
			b.Fail(at, hint, "%s: its proof expects %s records per call, but scenario %s has no number of this name",
				r.Name, proof.PerCall, c.Use)
		case c.Recipe.Deactivate != "":
		case n == countless:
			b.Fail(at, hint,
				"%s: calls, threads and %s multiply to more records than can be counted", r.Name, proof.PerCall)
		default:
			c.Proofs()[i].Expected = n
		}
	}
}

// prove adds a proof cell for each sibling that proves cells of a section, and links the cells
// to it; the section's cells begin at index first. A sibling is run once per campaign, JDK and
// JVM options, at the first matching level: whether the probe is installed does not depend on
// the number or depth of calls, but a JDK or an option may keep an agent out.
func (b *builder) prove(s section, levels []results.Cell, first int) {
	type proof struct{ sibling, jdk, options string }
	ids := map[proof]string{}
	cells := slices.Clone(b.plan.Cells[first:]) // without the cells added here
	for i, cell := range cells {
		for j, r := range cell.Recipe.Recorded() {
			key := proof{r.Proof.Sibling, cell.Parameter(results.FactorJDK), cell.Parameter(results.FactorJVM)}
			if key.sibling == "" {
				continue
			}
			if ids[key] == "" {
				at := under(s.path, "variants")
				v, err := b.set.Variant(key.sibling)
				if err != nil {
					b.Fail(at, "", "%s is to be proven by another variant: %v", cell.Variant, err)
					continue
				}
				level := slices.IndexFunc(levels, func(l results.Cell) bool {
					return l.Parameter(results.FactorJDK) == key.jdk && l.Parameter(results.FactorJVM) == key.options
				})
				ids[key] = b.cell(s, levels[level], v, results.RoleProof, "", at)
			}
			b.plan.Cells[first+i].Proofs()[j].Cell = ids[key]
		}
	}
}

// published looks up the variants that published figures are compared with. The figures
// influence no decision, so they are not part of the plan's lines.
func (b *builder) published() {
	for i, p := range b.file.Published {
		cells := b.compared(p.Scenario)
		if len(cells) == 0 {
			continue // its scenario is invalid: already reported
		}
		if variant, ok := b.variantOf(p.Variant, cells, []any{"published", i, "variant"}); ok {
			p.Variant = variant
			b.plan.Campaign.Published = append(b.plan.Campaign.Published, p)
		}
	}
}
