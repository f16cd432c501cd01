package config

import (
	"math"
	"strings"

	"moobench/harness/strict"
	"moobench/results"
)

// published describes one [[published]]. The plan checks that its variant exists.
func (r *reader) published(p *results.Published, _ strict.Value) strict.Table {
	add := func(name, unit string, x float64) {
		p.Values = append(p.Values, results.PublishedValue{Name: name, Value: x, Unit: unit})
	}
	var times []string
	time := func(name, about string) strict.Key {
		times = append(times, name)
		return strict.NewKey(name, strict.Kind{Type: "time", Read: func(v strict.Value) {
			ns, _ := v.ExactTime()
			add(name, "ns", ns)
		}}, about+", with all digits that are printed").Like("38984.74us")
	}
	positive := &strict.Limits{Least: 1, Most: math.MaxInt64}
	count := strict.Kind{Type: "integer", Limits: positive, Read: func(v strict.Value) {
		n, _ := v.Int(1, math.MaxInt64)
		add("n", "1", float64(n))
	}}
	return strict.NewTable("Figures of a paper as it prints them, to compare with ours.",
		strict.NewKey("scenario", strict.String(&p.Scenario),
			"label of the scenario that they belong to; needed if there are several").Like("overhead"),
		strict.NewKey("variant", strict.String(&p.Variant),
			"variant of it that does the same").Must().Like("kieker/manual/collect"),
		strict.NewKey("source", strict.String(&p.Source),
			"which figure of which paper, measured on what").Must().Like("table 4.2, on a notebook of 2014"),
		strict.NewKey("note", strict.String(&p.Note), "what to know about them").Like("the paper does not mention warm-up"),
		time("mean", "mean"),
		time("median", "median"),
		time("sd", "standard deviation"),
		time("min", "least"),
		time("max", "greatest"),
		time("ci95", "half-width of the 95 % confidence interval"),
		strict.NewKey("n", count, "how many values they are taken over").In("values").Like(1_000_000),
	).Checked(func(v strict.Value) {
		if len(p.Values) == 0 || len(p.Values) == 1 && p.Values[0].Name == "n" {
			v.Fail(`such as mean = "38984.74us"`, "no figure is given: one of %s", strings.Join(times, ", "))
		}
		p.Scenario = r.labelOf(v, p.Scenario, "the published figures do not say which scenario they belong to")
	})
}
