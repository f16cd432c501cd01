package contrasts

import (
	"strings"
	"testing"

	"moobench/analysis/infer"
	"moobench/analysis/reading"
	"moobench/results"
)

// campaign has the cells that texts name.
func campaign() *results.Campaign {
	return &results.Campaign{Cells: []results.Cell{
		{ID: "n", Variant: "none"}, {ID: "i", Variant: "off"}, {ID: "c", Variant: "collect"}, {ID: "x", Variant: "other"},
	}}
}

// Two routes to one part disagree, or can't be told apart; what only one of them passes through is named.
func TestClosureInWords(t *testing.T) {
	detectable := 4.0
	estimate := func(v float64) *infer.Estimate { return &infer.Estimate{N: 6, Value: v} }
	base := Closure{
		Name: "C", Level: "depth=10",
		First: Route{A: "c", B: "i", Estimate: estimate(70)}, Second: Route{A: "x", B: "n", Estimate: estimate(75)},
		Difference: &infer.Estimate{
			Value: -5, Interval: &infer.Interval{Low: -6, High: -4}, Detectable: &detectable,
		},
	}
	disagree := base
	disagree.Disagree = true
	unknown := base
	unknown.Difference, unknown.Absent = nil, "no block holds both"
	for _, c := range []struct {
		name string
		Closure
		want []string
	}{
		{"not told apart", base, []string{
			"two routes to C at depth=10 can't be told apart: they differ by −5.000 ns (",
			", and 4.000 ns would be found with 80 % power; 70.00 ns as collect − off, 75.00 ns as other − none",
		}},
		{"disagree", disagree, []string{"two routes to C at depth=10 disagree by −5.000 ns (", "; 70.00 ns as collect − off"}},
		{"unknown", unknown, []string{"two routes to C at depth=10 can't be compared: no block holds both"}},
	} {
		got := c.text(campaign(), "ns")
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q lacks %q", c.name, got, want)
			}
		}
	}
}

func TestInteractionInWords(t *testing.T) {
	detectable := 4.0
	of := func(v float64) *infer.Estimate {
		return &infer.Estimate{Value: v, Interval: &infer.Interval{Low: v - 1, High: v + 1}, Detectable: &detectable}
	}
	for _, c := range []struct {
		x    Interaction
		want string
	}{
		{Interaction{Cell: "c", Difference: of(10), Shown: true}, "collect costs 10.00 ns more than the sum of both (9.00 … 11.00 ns)"},
		{Interaction{Cell: "c", Difference: of(-10), Shown: true}, "collect costs 10.00 ns less than the sum of both (−11.00 … −9.00 ns)"},
		{
			Interaction{Cell: "c", Level: "depth=1", Difference: of(0.5)},
			"collect at depth=1: no difference from the sum of both is shown: 0.5000 ns (−0.500 … 1.500 ns), " +
				"and 4.000 ns would be found with 80 % power",
		},
		{Interaction{Cell: "c", Absent: "c is invalid"}, "collect: what both cost beyond their sum is not known: c is invalid"},
	} {
		if got := c.x.text(campaign(), "ns"); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// Two contrasts are routes to one part if body, level and last step agree, and one may have more steps before it.
// Outputs of two stages are two parts.
func TestSameStep(t *testing.T) {
	const enabled, check, collect, write reading.Passage = 1, 2, 16, 32
	collecting := Contrast{Name: "C", Framework: "probe", Level: "depth=1", Stage: "collect", body: "b", part: collect}
	change := func(change func(*Contrast)) Contrast {
		c := collecting
		change(&c)
		return c
	}
	writing := change(func(c *Contrast) { c.Name, c.part = "W", write })
	for name, c := range map[string]struct {
		a, b Contrast
		want bool
	}{
		"the same":          {collecting, collecting, true},
		"more before it":    {collecting, change(func(c *Contrast) { c.part |= check }), true},
		"fewer before it":   {change(func(c *Contrast) { c.part |= check }), collecting, true},
		"others before it":  {change(func(c *Contrast) { c.part |= check }), change(func(c *Contrast) { c.part |= enabled }), false},
		"another framework": {collecting, change(func(c *Contrast) { c.Framework = "kieker" }), false},
		"another body":      {collecting, change(func(c *Contrast) { c.body = "other" }), false},
		"another level":     {collecting, change(func(c *Contrast) { c.Level = "depth=2" }), false},
		"a sum":             {collecting, change(func(c *Contrast) { c.Name = "I+C" }), false},
		"another last step": {collecting, change(func(c *Contrast) { c.part |= write }), false},
		"another stage":     {collecting, change(func(c *Contrast) { c.Stage = "tcp" }), true},
		"outputs":           {writing, writing, true},
		"outputs of stages": {writing, change(func(c *Contrast) { c.Name, c.part, c.Stage = "W", write, "tcp" }), false},
	} {
		if got := sameStep(c.a, c.b); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
