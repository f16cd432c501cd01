package plan

import (
	"fmt"
	"slices"
	"strconv"

	"moobench/harness/config"
	"moobench/results"
)

// prove adds a proof cell for each variant that proves cells from a place on, and
// says in those whose run it is that proves them. A sibling is run once a
// campaign and JDK, at the first factor level of that: whether the probe gets in
// does not hang on how often or how deep the method is called, but a JDK may
// keep an agent out.
func (b *builder) prove(s section, levels []level, from int, at []any) {
	type proof struct{ sibling, jdk string }
	ids := map[proof]string{}
	for i := range b.plan.Cells[from:] { // not those that are added meanwhile
		variant, jdk := b.plan.Cells[from+i].Variant, b.plan.Cells[from+i].Parameter(FactorJDK)
		key := proof{variant.Proof.Sibling, jdk}
		if key.sibling == "" {
			continue
		}
		if ids[key] == "" {
			v, err := b.set.Variant(key.sibling)
			if err != nil {
				b.fail(at, "", "%s is to be proven by another variant: %v", variant.Name, err)
				continue
			}
			first := slices.IndexFunc(levels, func(l level) bool { return l.parameter(FactorJDK) == jdk })
			ids[key] = b.cell(s, levels[first], v, results.RoleProof, "", at)
		}
		b.plan.Cells[from+i].Proof.Cell = ids[key]
	}
}

// perCallHint is the parameter that the proof may have meant.
func perCallHint(c *Cell) string {
	var names []string
	for _, p := range c.Parameters {
		names = append(names, p.Name)
	}
	if s := config.Suggest(c.Variant.Proof.PerCall, names); s != "" && s != c.Variant.Proof.PerCall {
		return fmt.Sprintf("did you mean per_call = %q?", s)
	}
	return ""
}

// expected is the number of records that one invocation must yield: calls ×
// threads × per call + extra. It is 0, not known, where the scenario doesn't
// count calls.
func expected(c *Cell) (int64, error) {
	proof := c.Variant.Proof
	if c.Parameter(callsParameter) == "" {
		return 0, nil
	}
	perCall, err := strconv.ParseInt(proof.PerCall, 10, 64)
	if err != nil {
		value := c.Parameter(proof.PerCall)
		if perCall, err = strconv.ParseInt(value, 10, 64); err != nil || value == "" {
			return 0, fmt.Errorf("its proof expects %s records per call, but scenario %s has no number of this name", proof.PerCall, c.Use)
		}
	}
	n, ok := times(c.Calls(), perCall)
	if !ok || n+proof.Extra < n {
		return 0, fmt.Errorf("calls, threads and %s multiply to more records than can be counted", proof.PerCall)
	}
	return n + proof.Extra, nil
}
