package testcampaign

import (
	"slices"

	"moobench/results"
)

// place sets a cell's framework, mode and stage, and the properties that the catalogue gives such a
// cell.
func place(c *results.Cell, framework, mode, stage string) {
	c.Framework, c.Mode, c.Stage = framework, mode, stage
	c.Change = map[string]string{
		"hotswap": results.ChangeSwapped,
		"hybrid":  results.ChangeSwapped,
		"attach":  results.ChangeSwapped,
	}[mode]
	if framework+"/"+mode == "probe/manual" {
		c.Change = results.ChangeSwitched
	}
	asks := map[string][]string{
		"probe/manual": {"check"}, "probe/hybrid": {"switch"}, "kieker/manual": {"enabled", "check"},
		"kieker/bci": {"enabled", "check"}, "kieker/hotswap": {"enabled"},
		"opentelemetry/bci": {"check"},
	}[framework+"/"+mode]
	switch {
	case stage == "inactive" && framework == "kieker":
		c.Path = []string{"enabled", "check", "list"}
	case stage == "inactive":
		c.Path = []string{"check"}
	case stage == "collect":
		c.Path = slices.Concat(asks, []string{"collect"})
	default:
		c.Path = slices.Concat(asks, []string{"collect", "write"})
	}
	c.Body = map[string]string{"probe": "probe", "kieker": "api"}[framework]
	if c.Body == "" || mode == "bci" {
		c.Body = mode
	}
}
