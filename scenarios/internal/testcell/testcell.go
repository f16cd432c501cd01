// Package testcell makes cells up.
package testcell

import (
	"moobench/harness/plan"
	"moobench/results"
)

// Of is a cell of a scenario with the defaults of all parameters but these, names and values in turn.
func Of(s plan.Schema, values ...string) results.Cell {
	own := map[string]string{}
	for i := 0; i < len(values); i += 2 {
		own[values[i]] = values[i+1]
	}
	c := results.Cell{}
	for _, p := range s.Parameters {
		value, given := own[p.Name]
		if !given {
			value = p.Default
		}
		c.Parameters = append(c.Parameters, results.Value{Name: p.Name, Value: value})
	}
	return c
}
