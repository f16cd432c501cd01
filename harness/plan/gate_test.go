package plan

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/results"
)

const gated = `name = "gated"
[machine]
host = "bench-01"
[[scenario]]
use = "overhead"
variants = ["none", "a", "b", "c"]
depth = [1, 10]
blocks = 2
resources = 0
[gate]
worse_by = "3%"
reference = "a"
[framework.a]
proof = "none"
[framework.b]
proof = "none"
[framework.c]
proof = "none"
`

func TestGate(t *testing.T) {
	few := strings.Replace(gated, `reference = "a"`, `variants = ["b", "c"]`, 1)
	for name, c := range map[string]struct {
		toml, only string
		want       *results.Gate
		variants   string // that are measured
	}{
		"all others":             {gated, "", &results.Gate{Reference: "a/bci/default", Host: "bench-01"}, "none a b c"},
		"one, and the reference": {gated, "b", &results.Gate{Reference: "a/bci/default", Host: "bench-01"}, "none a b"},
		"the reference alone":    {gated, "a", nil, "none a"},
		"two of them":            {few, "", &results.Gate{Reference: "none", Variants: []string{"b/bci/default", "c/bci/default"}, Host: "bench-01"}, "none a b c"},
		"all, by a pattern":      {few, "?/bci/*", &results.Gate{Reference: "none", Variants: []string{"b/bci/default", "c/bci/default"}, Host: "bench-01"}, "none a b c"},
		"one is left":            {few, "c", &results.Gate{Reference: "none", Variants: []string{"c/bci/default"}, Host: "bench-01"}, "none c"},
		"none is left":           {few, "a", nil, "none a"},
		"no gate":                {strings.Replace(gated, "[gate]\nworse_by = \"3%\"\nreference = \"a\"\n", "", 1), "", nil, "none a b c"},
	} {
		p := mustRead(t, c.toml)
		if c.only != "" {
			if err := p.Only(c.only); err != nil {
				t.Fatal(err)
			}
		}
		if c.want != nil {
			c.want.Scenario, c.want.Metric, c.want.WorseBy, c.want.Alpha = "overhead", "duration", 0.03, 0.01
		}
		var variants []string
		for _, cell := range p.Campaign.Cells {
			if v := strings.TrimSuffix(cell.Variant, "/bci/default"); !slices.Contains(variants, v) {
				variants = append(variants, v)
			}
		}
		if diff := cmp.Diff(c.want, p.Campaign.Gate); diff != "" || strings.Join(variants, " ") != c.variants {
			t.Errorf("%s: measured are %v, want %s; gate (-want +got):\n%s", name, variants, c.variants, diff)
		}
		if hasLine := slices.ContainsFunc(p.Campaign.Plan, func(l string) bool { return strings.HasPrefix(l, "gate: ") }); hasLine != (c.want != nil) {
			t.Errorf("%s: the plan has a line about a gate: %t", name, hasLine)
		}
	}
}

// TestGateIsPlanned: another gate is another plan, since what is asked is settled
// before anything is measured.
func TestGateIsPlanned(t *testing.T) {
	p := mustRead(t, gated)
	for _, c := range []struct{ old, now, want string }{
		{`"3%"`, `"4%"`, `worse_by 0.04, alpha 0.01, reference "a/bci/default", host "bench-01"; the campaign was started with: gate: scenario "overhead", "duration", worse_by 0.03,`},
		{`"3%"`, "\"3%\"\nalpha = 0.02", "alpha 0.02"},
		{`reference = "a"`, `reference = "b"`, `reference "b/bci/default"`},
		{`reference = "a"`, "reference = \"a\"\nvariants = [\"b\"]", `variants ["b/bci/default"]`},
		{`worse_by`, "metric = \"written_bytes\"\nworse_by", `"written_bytes", worse_by`},
	} {
		var changed *planChanged
		err := mustRead(t, strings.Replace(gated, c.old, c.now, 1)).Resume(p.Campaign)
		if !errors.As(err, &changed) || !strings.Contains(changed.Line, c.want) {
			t.Errorf("%s: got %v\nwant %s", c.now, err, c.want)
		}
	}
}

// TestAgainForTheGate: a judged cell that is repeated needs its reference in the
// same block; a reference that is repeated, all that is judged of its level.
func TestAgainForTheGate(t *testing.T) {
	p := mustRead(t, gated)
	block := p.Campaign.Blocks[0]
	for _, c := range []struct {
		cell string // ID; c00 none, c01 A/A, c02 a, c03 b, c04 c, and c05 to c09 the same at depth 10
		want []string
	}{
		{"c03", []string{"c00", "c02", "c03"}},
		{"c02", []string{"c00", "c02", "c03", "c04"}},
		{"c06", []string{"c05", "c06"}},
		{"c09", []string{"c05", "c07", "c09"}},
	} {
		b, err := Again(p.Campaign, block, []results.Identity{{Block: block.Number, Slot: slices.Index(block.Order, c.cell)}}, "failed")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, slices.Sorted(slices.Values(b.Order))); diff != "" {
			t.Errorf("repeating %s (-want +got):\n%s", c.cell, diff)
		}
	}
	without := block
	without.Order = slices.DeleteFunc(slices.Clone(block.Order), func(id string) bool { return id == "c02" })
	b, err := Again(p.Campaign, without, []results.Identity{{Block: block.Number, Slot: slices.Index(without.Order, "c03")}}, "failed")
	if err != nil || len(b.Order) != 2 {
		t.Errorf("the block had no reference, and its repeat has %v, %v", b.Order, err)
	}
}
