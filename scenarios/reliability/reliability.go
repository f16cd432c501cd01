// Package reliability measures whether a server loses transactions while its monitoring changes: clients send
// requests, a probe is put in and taken out once per second, and every answer is checked.
package reliability

import (
	"fmt"
	"slices"
	"time"

	"moobench/harness/load"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
	"moobench/scenarios/serving"
)

// Scenario is the reliability scenario.
type Scenario struct{ plan.Plain }

// Names of the parameters besides those of the load.
const server, share, monitored, toggle, workers = "server", "share", "monitored", "toggle", "workers"

// toggleCount is the number of changes of monitoring, and toggleTook their mean time.
const toggleCount, toggleTook = "toggles", "toggle_took"

// settings are the parameters of a cell.
type settings struct {
	serving.Settings
	server string
	share  int64 // per cent of the highest load; 0: the load is given
	toggle time.Duration
}

func settingsOf(c *results.Cell, block int) settings {
	return settings{serving.SettingsOf(c, block), c.Parameter(server), c.Int(share), time.Duration(c.Int(toggle))}
}

// Schema has the whole hold as the window; the ramp is a series of its own. The metrics are about requests, and
// changes under load.
func (Scenario) Schema() plan.Schema {
	const capacity = "highest load at which the baseline loses none and answers none late: " +
		"clients where they wait for their answers, else requests per second"
	parameters := append([]results.Parameter{
		{
			Name: "fixture", Type: results.TypeEnum, Default: "server", Values: []string{"server"},
			About: "the Java program that is driven",
		},
		{
			Name: server, Type: results.TypeEnum, Default: "jdk",
			Values: []string{"jdk", "virtual", "jetty"}, Factor: true,
			About: "who serves: the JDK's own HTTP server with a pool of threads, " +
				"the same with a virtual thread per request, or Jetty",
		},
		{
			Name: share, Type: results.TypeInt, Unit: "%", Default: "0", Factor: true,
			About: "of the highest load at which the uninstrumented server loses none and answers none late, " +
				"which is searched for first, from clients or rate on: per cent; " +
				"at 100 read losses against the baseline only; 0 is the load that these say",
		},
		{
			Name: monitored, Type: results.TypeEnum, Default: "handler",
			Values: []string{"handler", "leaf"}, Factor: true,
			About: "the method whose probe is toggled: the handler, in which every thread does its requests, " +
				"those to toggle too; or a leaf, which a GET calls and nothing else is in",
		},
		{
			Name: toggle, Type: results.TypeDuration, Default: "1s",
			About: "how often the probe is put in or taken out again; 0s: it is in all the time",
		},
		{
			Name: workers, Type: results.TypeInt, Unit: "threads", Default: "200", Min: 1,
			About: "threads of a server that has a pool",
		},
		serving.SearchParameter(),
	}, serving.Parameters()...)
	metrics := slices.Concat(serving.Metrics(), []results.Metric{
		run.Timing(toggleCount, "1", results.Neither, "swaps of the probes, ramp and hold"),
		run.Key(run.Timing(toggleTook, "ns", results.Lower, "mean time of one swap of the probes")),
		run.Deciding(results.DecidesCapacity, "most load",
			run.In(results.ProfileCalibration, run.Timing(run.CapacityScalar, "1", results.Higher, capacity))),
	}, serving.ProcessMetrics())
	return plan.Schema{
		Name: "reliability", Fixture: "fixture", Window: results.WindowAll, Parameters: parameters, Metrics: metrics,
	}
}

// Questions asks for every variant whether it loses more than its baseline, and how much latency it adds.
func (Scenario) Questions(cells []results.Cell) []results.Question {
	return plan.Against(cells, func(*results.Cell) []results.Question {
		return []results.Question{
			{
				ID: "lost", Text: "Does the server lose transactions with %s?",
				Metric: serving.Lost, Test: results.TestRates,
			},
			{ID: "latency", Text: "What does %s add to the latency?", Metric: serving.Latency},
		}
	})
}

// Work returns the load. If that is a share of the highest load, cells that differ only in the share, the
// server or the scaled height use the same search.
func (Scenario) Work(c *results.Cell) plan.Work {
	s := settingsOf(c, 0)
	w := s.Work(s.share != 0)
	if s.share == 0 {
		return w
	}
	scaled := serving.Rate
	if s.Arrival == load.Closed {
		scaled = serving.Clients
	}
	w.Calibration = fmt.Sprintf("the baseline of %s arrival=%s server=%s", c.Scenario, s.Arrival, s.server)
	for _, f := range c.Factors {
		if f.Name != share && f.Name != server && f.Name != scaled {
			w.Calibration += " " + f.Name + "=" + f.Readable()
		}
	}
	return w
}

// mostWorkers are as many threads as a server may have.
const mostWorkers = 1 << 14

// Check refuses parameters that do not go together.
func (Scenario) Check(c *plan.Cell) []plan.Refusal {
	s := settingsOf(&c.Cell, 0)
	switch needs := map[string]int{"virtual": 21, "jetty": 17}[s.server]; {
	case s.share > 100:
		why := fmt.Sprintf("share = %d: the server can't take more than 100 %% of what it takes", s.share)
		return plan.Refuse(share, why, "1 to 100, or 0: the load is given")
	case c.JDK.Major > 0 && c.JDK.Major < needs:
		why := fmt.Sprintf("server = %s needs Java %d, and a cell has %s", s.server, needs, c.JDK.Version)
		return plan.Refuse(server, why, "name the JDKs in jdk, or make it two scenarios")
	case c.Int(workers) > mostWorkers:
		why := fmt.Sprintf("workers = %d: the fixture has at most %d", c.Int(workers), mostWorkers)
		return plan.Refuse(workers, why, "make it smaller")
	case s.toggle > 0 && s.toggle >= s.Ramp+s.Hold:
		return plan.Refuse(toggle, "ramp and hold are over before the first toggle",
			"make hold longer, or toggle = \"0s\": the probe is in all the time")
	case c.Launch.Deactivate != "":
		return plan.Refuse("variants",
			c.Variant+" is taken out before it is measured, and here probes change while it is",
			"take it out; every other toggle does that")
	}
	return serving.Check(&c.Cell)
}
