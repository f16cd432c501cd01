package config

import (
	"math"
	"strings"

	"moobench/harness/strict"
	"moobench/results"
)

// published is one [[published]]. Whether its variant exists is for those to say who
// know the variants.
func (r *reader) published(p *results.Published, _ strict.Value) strict.Table {
	t := strict.Table{
		Text: "Figures of a paper as it prints them, to stand beside ours.",
		Keys: []strict.Key{
			{Name: "scenario", Kind: strict.String(&p.Scenario),
				Text: "label of the scenario that they stand beside; needed where there are several"},
			{Name: "variant", Kind: strict.String(&p.Variant), Required: true, Text: "variant of it that does the same"},
			{Name: "source", Kind: strict.String(&p.Source), Required: true, Text: "which figure of which paper, measured on what"},
			{Name: "note", Kind: strict.String(&p.Note), Text: "what to know of them"},
		},
	}
	var times []string
	for _, f := range [][2]string{
		{"mean", "mean"}, {"median", "median"}, {"sd", "standard deviation"}, {"min", "least"}, {"max", "greatest"},
		{"ci95", "half-width of the 95 % confidence interval"},
	} {
		times = append(times, f[0])
		read := func(v strict.Value) {
			ns, _ := v.ExactTime()
			p.Values = append(p.Values, results.PublishedValue{Name: f[0], Value: ns, Unit: "ns"})
		}
		t.Keys = append(t.Keys, strict.Key{
			Name: f[0], Kind: strict.Kind{Type: "time", Read: read}, Text: f[1] + ", with all digits that are printed",
		})
	}
	count := func(v strict.Value) {
		n, _ := v.Int(1, math.MaxInt64)
		p.Values = append(p.Values, results.PublishedValue{Name: "n", Value: float64(n), Unit: "1"})
	}
	t.Keys = append(t.Keys, strict.Key{
		Name: "n", Kind: strict.Kind{Type: "integer", Read: count}, Unit: "values", Text: "how many values they are of",
	})
	t.Check = func(v strict.Value) {
		if len(p.Values) == 0 || len(p.Values) == 1 && p.Values[0].Name == "n" {
			v.Fail(`such as mean = "38984.74us"`, "no figure is given: one of %s", strings.Join(times, ", "))
		}
		p.Scenario = r.labelOf(v, p.Scenario, "the published figures do not say which scenario they stand beside")
	}
	return t
}
