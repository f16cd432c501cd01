package config

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/results"
)

// gateable are scenarios with metrics that a gate can be about, and with others.
func gateable() Known {
	k := known()
	k.Scenarios = append(k.Scenarios, Schema{Name: "serving", Metrics: []results.Metric{
		{Name: "lost", Better: results.Lower, Of: "requests"},
		{Name: "latency", Unit: "ns", Better: results.Lower, Primary: true},
		{Name: "throughput", Unit: "1/s", Better: results.Higher},
		{Name: "requests", Unit: "1", Better: results.Neither},
		{Name: "rss", Unit: "B", Better: results.Lower, Profile: results.ProfileResources},
		{Name: "capacity", Unit: "1/s", Better: results.Higher, Profile: results.ProfileCalibration},
	}}, Schema{Name: "aimless", Metrics: []results.Metric{{Name: "x", Better: results.Lower}}})
	return k
}

const (
	oneServing = `
[[scenario]]
use = "serving"
variants = ["none", "mine", "yours"]
`
	another = oneServing + `[[scenario]]
use = "serving"
label = "again/and again"
variants = ["none", "mine"]
resources = 0
`
)

func TestGate(t *testing.T) {
	for name, c := range map[string]struct {
		gate, scenarios string
		want            results.Gate
	}{
		"the least":          {`worse_by = "3%"`, oneServing, results.Gate{Scenario: "serving", Metric: "latency", WorseBy: 0.03, Alpha: 0.01}},
		"the first one":      {`worse_by = "3%"`, another, results.Gate{Scenario: "serving", Metric: "latency", WorseBy: 0.03, Alpha: 0.01}},
		"of the only one":    {"worse_by = \"0.5 %\"\nmetric = \"throughput\"", oneServing, results.Gate{Scenario: "serving", Metric: "throughput", WorseBy: 0.005, Alpha: 0.01}},
		"tenfold":            {"worse_by = \"900%\"\nmetric = \"serving/latency\"", another, results.Gate{Scenario: "serving", Metric: "latency", WorseBy: 9, Alpha: 0.01}},
		"a label with slash": {"worse_by = \"3%\"\nmetric = \"again/and again/latency\"", another, results.Gate{Scenario: "again/and again", Metric: "latency", WorseBy: 0.03, Alpha: 0.01}},
		"runs of resources":  {"worse_by = \"3%\"\nmetric = \"serving/rss\"", another, results.Gate{Scenario: "serving", Metric: "rss", WorseBy: 0.03, Alpha: 0.01}},
		"several metrics": {
			"worse_by = \"3%\"\nalso = { throughput = \"5%\", lost = \"0.1%\" }\nalarms = { rss = \"10%\" }", oneServing,
			results.Gate{Scenario: "serving", Metric: "latency", WorseBy: 0.03, Alpha: 0.01, Also: []results.GateLimit{
				{Metric: "lost", WorseBy: 0.001}, {Metric: "throughput", WorseBy: 0.05}, {Metric: "rss", WorseBy: 0.1, Alarm: true},
			}},
		},
		"everything": {
			"worse_by = \"100%\"\nmetric = \"serving/latency\"\nalpha = 0.05\nreference = \"mine\"\nvariants = [\"yours\"]", oneServing,
			results.Gate{Scenario: "serving", Metric: "latency", WorseBy: 1, Alpha: 0.05, Reference: "mine", Variants: []string{"yours"}},
		},
	} {
		f, err := Parse("b.toml", []byte("name = \"x\"\n[gate]\n"+c.gate+c.scenarios), gateable())
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if diff := cmp.Diff(&c.want, f.Gate); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	f, err := Parse("b.toml", []byte("name = \"x\""+oneServing), gateable())
	if err != nil || f.Gate != nil {
		t.Errorf("a file without a gate has %+v, %v", f.Gate, err)
	}
}

func TestGateMistakes(t *testing.T) {
	for gate, want := range map[string]string{
		`metric = "lost"`:              `b.toml:4: lost counts events: the metric of a gate is a mean (name it in also, or ask a [[question]] about it, or take a metric that is not a count)`,
		`also = { latncy = "3%" }`:     `b.toml:4: unknown metric "latncy" (did you mean "latency"?)`,
		`also = { latency = "3%" }`:    `b.toml:4: latency is judged already (take it out)`,
		`alarms = { requests = "3%" }`: `b.toml:4: requests is only informative: neither less nor more of it is worse (take a metric of which less, or more, is better)`,
		`also = { rss = 3 }`:           `b.toml:4: rss: 3 has no unit (a percentage in quotes, such as "2%")`,
		`also = "rss"`:                 `b.toml:4: also: want a table, got the string "rss"`,
		`metric = "requests"`:          `b.toml:4: requests is only informative: neither less nor more of it is worse (take a metric of which less, or more, is better)`,
		`metric = "serving/capacity"`:  `b.toml:4: capacity is found by calibration, before anything is compared (take what is measured)`,
		`metric = "latncy"`:            `b.toml:4: unknown metric "latncy" (did you mean "latency"?)`,
		`metric = "servign/latency"`:   `b.toml:4: no scenario is called "servign" (did you mean "serving"?)`,
		`metric = "/latency"`:          `b.toml:4: no scenario is called "" (known: serving)`,
		`metric = "latency/p99"`:       `b.toml:4: "latency/p99": a gate is about means (ask a [[question]] about the quantile)`,
		`metric = ["latency"]`:         `b.toml:4: metric: want a string, got a list (put it into quotes)`,
		`reference = 3`:                `b.toml:4: reference: want a string, got the integer 3 (put it into quotes)`,
		`variants = []`:                `b.toml:4: variants is an empty list`,
		`alpha = "1%"`:                 `b.toml:4: alpha: want a number, got the string "1%" (such as 0.05)`,
	} {
		_, err := Parse("b.toml", []byte("name = \"x\"\n[gate]\nworse_by = \"3%\"\n"+gate+oneServing), gateable())
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v\nwant %s", gate, err, want)
		}
	}
	for _, c := range []struct{ gate, scenarios, want string }{
		{"worse_by = \"3%\"\nmetric = \"latency\"", another, `b.toml:4: metric: there are several scenarios, and "latency" does not say whose (write "serving/latency")`},
		{"worse_by = \"3%\"\nmetric = \"again/and again/rss\"", another, `b.toml:4: rss is read from the runs of resources, and scenario again/and again has resources = 0 (set resources to 3 or more, or take another metric)`},
		{`worse_by = "3%"`, "\n[[scenario]]\nuse = \"aimless\"\nvariants = [\"none\"]\n", `b.toml:2: scenario aimless has no primary metric (add metric = …)`},
		{`worse_by = "0%"`, oneServing, `b.toml:3: worse_by: "0%" is out of range: more than 0 and at most 10000 % (such as "2%")`},
		{`worse_by = "10001%"`, oneServing, `b.toml:3: worse_by: "10001%" is out of range: more than 0 and at most 10000 % (such as "2%")`},
	} {
		_, err := Parse("b.toml", []byte("name = \"x\"\n[gate]\n"+c.gate+c.scenarios), gateable())
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v\nwant %s", c.gate, err, c.want)
		}
	}
}
