package config

import (
	"math"
	"strings"

	"moobench/harness/strict"
	"moobench/results"
)

// published describes one [[published]]. Whether its variant exists is checked by the
// plan.
func (r *reader) published(p *results.Published, _ strict.Value) strict.Table {
	t := strict.NewTable("Figures of a paper as it prints them, to stand beside ours.",
		strict.NewKey("scenario", strict.String(&p.Scenario), "label of the scenario that they stand beside; needed where there are several"),
		strict.NewKey("variant", strict.String(&p.Variant), "variant of it that does the same").Must(),
		strict.NewKey("source", strict.String(&p.Source), "which figure of which paper, measured on what").Must(),
		strict.NewKey("note", strict.String(&p.Note), "what to know of them"),
	)
	var times []string
	for _, f := range [][2]string{
		{"mean", "mean"},
		{"median", "median"},
		{"sd", "standard deviation"},
		{"min", "least"},
		{"max", "greatest"},
		{"ci95", "half-width of the 95 % confidence interval"},
	} {
		times = append(times, f[0])
		read := func(v strict.Value) {
			ns, _ := v.ExactTime()
			p.Values = append(p.Values, results.PublishedValue{Name: f[0], Value: ns, Unit: "ns"})
		}
		t.Keys = append(t.Keys, strict.NewKey(f[0], strict.Kind{Type: "time", Read: read}, f[1]+", with all digits that are printed"))
	}
	count := func(v strict.Value) {
		n, _ := v.Int(1, math.MaxInt64)
		p.Values = append(p.Values, results.PublishedValue{Name: "n", Value: float64(n), Unit: "1"})
	}
	t.Keys = append(t.Keys, strict.NewKey("n", strict.Kind{Type: "integer", Read: count}, "how many values they are of").In("values"))
	return t.Checked(func(v strict.Value) {
		if len(p.Values) == 0 || len(p.Values) == 1 && p.Values[0].Name == "n" {
			v.Fail(`such as mean = "38984.74us"`, "no figure is given: one of %s", strings.Join(times, ", "))
		}
		p.Scenario = r.labelOf(v, p.Scenario, "the published figures do not say which scenario they stand beside")
	})
}
