package plan

import (
	"fmt"
	"slices"
	"strconv"

	"moobench/harness/strict"
	"moobench/results"
)

// prove adds a proof cell for each variant that proves cells from a place on, and
// says in those whose run it is that proves them. A sibling is run once a
// campaign, JDK and JVM options, at the first factor level of these: whether the
// probe gets in does not hang on how often or how deep the method is called, but a
// JDK or an option may keep an agent out.
func (b *builder) prove(s section, levels []level, from int, at []any) {
	type proof struct{ sibling, jdk, options string }
	ids := map[proof]string{}
	for i := range b.plan.Cells[from:] { // not those that are added meanwhile
		cell := b.plan.Cells[from+i]
		variant := cell.Variant
		key := proof{variant.Proof.Sibling, cell.Parameter(FactorJDK), cell.Parameter(FactorJVM)}
		if key.sibling == "" {
			continue
		}
		if ids[key] == "" {
			v, err := b.set.Variant(key.sibling)
			if err != nil {
				b.fail(at, "", "%s is to be proven by another variant: %v", variant.Name, err)
				continue
			}
			first := slices.IndexFunc(levels, func(l level) bool {
				return l.parameter(FactorJDK) == key.jdk && l.parameter(FactorJVM) == key.options
			})
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
	if s := strict.Nearest(c.Variant.Proof.PerCall, names); s != "" && s != c.Variant.Proof.PerCall {
		return fmt.Sprintf("did you mean per_call = %q?", s)
	}
	return ""
}

// expected is the number of records that the measured calls of one invocation
// must yield: calls × threads × per call + extra. It is 0, not known, where the
// scenario doesn't count calls, or where the probe is taken out before them.
func expected(c *Cell) (int64, error) {
	if c.Parameter(callsParameter) == "" {
		return 0, nil
	}
	perCall, err := c.perCall()
	if err != nil {
		return 0, fmt.Errorf("its proof expects %s records per call, but scenario %s has no number of this name", c.Variant.Proof.PerCall, c.Use)
	}
	if c.Variant.Deactivate != "" {
		return 0, nil
	}
	n, ok := c.records(c.Calls(), perCall)
	if !ok {
		return 0, fmt.Errorf("calls, threads and %s multiply to more records than can be counted", c.Variant.Proof.PerCall)
	}
	return n, nil
}

// perCall is the number of records of one call: an integer, or the name of a
// parameter that is one.
func (c *Cell) perCall() (int64, error) {
	perCall, err := strconv.ParseInt(c.Variant.Proof.PerCall, 10, 64)
	if err != nil {
		perCall, err = strconv.ParseInt(c.Parameter(c.Variant.Proof.PerCall), 10, 64)
	}
	return perCall, err
}

func (c *Cell) records(calls, perCall int64) (int64, bool) {
	extra := c.Variant.Proof.Extra
	n, ok := times(calls, perCall)
	return n + extra, ok && n+extra >= n
}

// Records is the number of records that an invocation must yield in which the
// probe saw so many calls; 0 when it is not known, or proven by something else
// than their count.
func (c *Cell) Records(calls int64) int64 {
	perCall, err := c.perCall()
	n, ok := c.records(calls, perCall)
	if err != nil || !ok || c.Pattern() != "" || c.Proof.Kind != results.ProofCount {
		return 0
	}
	return n
}
