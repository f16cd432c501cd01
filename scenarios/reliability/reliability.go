// Package reliability measures whether a server loses transactions while what
// is monitored in it is changed: clients send requests, a probe is put in and
// taken out again once per second, and every answer is looked at.
//
// What it knows of a load it shares with the scenario of the user's own server.
package reliability

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moobench/harness/load"
	"moobench/harness/plan"
	"moobench/results"
)

// Scenario is the reliability scenario.
type Scenario struct{}

// The names of the parameters that it has beside those of its load.
const (
	server     = "server"
	share      = "share"
	monitored  = "monitored"
	toggle     = "toggle"
	workers    = "workers"
	searchStep = "search_step"
)

// Name is what benchmarks.toml calls it.
func (Scenario) Name() string { return "reliability" }

// Parameters are what benchmarks.toml may set.
func (Scenario) Parameters() []results.Parameter {
	own := []results.Parameter{
		{Name: "fixture", Type: results.TypeEnum, Default: "server", Values: []string{"server"}, About: "the Java program that is driven"},
		{
			Name: server, Type: results.TypeEnum, Default: "jdk", Values: []string{"jdk", "virtual", "jetty"}, Factor: true,
			About: "who serves: the JDK's own HTTP server with a pool of threads, the same with a virtual thread per request, or Jetty",
		},
		{
			Name: share, Type: results.TypeInt, Unit: "%", Default: "0", Factor: true,
			About: "of the highest load at which the uninstrumented server loses none and answers none late, which is searched for first, from clients or rate on: per cent; at 100 read losses against the baseline only; 0 is the load that these say",
		},
		{
			Name: monitored, Type: results.TypeEnum, Default: "handler", Values: []string{"handler", "leaf"}, Factor: true,
			About: "the method whose probe is toggled: the handler, in which every thread does its requests, those to toggle too; or a leaf, which a GET calls and nothing else is in",
		},
		{Name: toggle, Type: results.TypeDuration, Default: "1s", About: "how often the probe is put in or taken out again; 0s: it is in all the time"},
		{Name: workers, Type: results.TypeInt, Unit: "threads", Default: "200", Min: 1, About: "threads of a server that has a pool"},
		{Name: searchStep, Type: results.TypeDuration, Default: "3s", Min: int64(leastStep), About: "how long each load is held while the highest one is searched for"},
	}
	return append(own, LoadParameters()...)
}

// Metrics are what it measures.
func (Scenario) Metrics() []results.Metric {
	return slices.Concat(RequestMetrics(), toggleMetrics(), PerInvocation())
}

// Window is the whole hold: the ramp is a series of its own.
func (Scenario) Window() results.Window { return results.WindowAll }

// Questions asks of every variant whether it loses more than its baseline, and
// what it adds to the latency.
func (Scenario) Questions(cells []results.Cell) []results.Question {
	var qs []results.Question
	for _, c := range cells {
		if c.Role != results.RoleVariant || c.Baseline == "" {
			continue
		}
		family := func(metric string) string { return c.Scenario + "/" + metric + "/" + c.Level() }
		qs = append(
			qs,
			results.Question{
				ID: "lost-" + c.ID, Text: fmt.Sprintf("Does the server lose transactions with %s?", c.Label()),
				Metric: Lost, A: c.ID, B: c.Baseline, Family: family(Lost), Test: results.TestRates,
			},
			results.Question{
				ID: "latency-" + c.ID, Text: fmt.Sprintf("What does %s add to the latency?", c.Label()),
				Metric: Latency, A: c.ID, B: c.Baseline, Family: family(Latency),
			},
		)
	}
	return qs
}

// Calibration is what the highest load of a baseline hangs on, in words; "" is
// of a cell whose load is given.
func (Scenario) Calibration(c results.Cell) string {
	if c.Parameter(share) == "0" {
		return ""
	}
	name := fmt.Sprintf("the baseline of %s arrival=%s server=%s", c.Scenario, c.Parameter(Arrival), c.Parameter(server))
	for _, f := range c.Factors {
		if f.Name != share && f.Name != server && f.Name != scaled(c) {
			name += " " + f.Name + "=" + f.Readable()
		}
	}
	return name
}

// scaled is the parameter that a share scales.
func scaled(c results.Cell) string {
	if c.Parameter(Arrival) == string(load.Closed) {
		return Clients
	}
	return Rate
}

// Check finds what does not go together: the key, why, and what to do; why is ""
// when all is well.
func (Scenario) Check(c results.Cell) (key, why, hint string) {
	cell := plan.Cell{Cell: c}
	needs := map[string]int{"virtual": 21, "jetty": 17}[c.Parameter(server)]
	switch jdk := major(c.Parameter(plan.FactorJDK)); {
	case cell.Int(share) > 100:
		return share, fmt.Sprintf("share = %d: the server can't take more than 100 %% of what it takes", cell.Int(share)), "1 to 100, or 0: the load is given"
	case jdk > 0 && jdk < needs:
		return server, fmt.Sprintf("server = %s needs Java %d, and a cell has %s", c.Parameter(server), needs, c.Parameter(plan.FactorJDK)), "name the JDKs in jdk, or make it two scenarios"
	case cell.Int(toggle) > 0 && cell.Int(toggle) >= cell.Int(Ramp)+cell.Int(Hold):
		return toggle, "ramp and hold are over before the first toggle", "make hold longer, or toggle = \"0s\": the probe is in all the time"
	case c.Launch.Deactivate != "":
		return "variants", c.Variant + " is taken out before it is measured, and here probes change while it is", "take it out; every other toggle does that"
	}
	return CheckLoad(c)
}

// major is the feature release of an exact version, 0 when there is none.
func major(version string) int {
	first, _, _ := strings.Cut(strings.TrimPrefix(version, "1."), ".")
	first, _, _ = strings.Cut(first, "+")
	n, err := strconv.Atoi(first)
	if err != nil {
		return 0
	}
	return n
}
