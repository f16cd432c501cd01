package main

import (
	"moobench/harness/config"
	"moobench/harness/machine/cpu"
	"moobench/harness/machine/knob"
	"moobench/harness/plan"
)

// known is what may stand in a benchmarks.toml.
func (t *terminal) known() config.Known {
	k := config.Known{Environment: plan.Environment(), CPUs: cpu.Check}
	for _, s := range t.scenarios {
		k.Scenarios = append(k.Scenarios, config.Schema{
			Name: s.Name(), Parameters: s.Parameters(), Metrics: s.Metrics(), Window: s.Traits().Window,
		})
	}
	for _, setting := range knob.All() {
		k.Knobs = append(k.Knobs, config.Knob{Name: setting.Name, About: setting.Does, Values: setting.Values, Check: setting.Check})
	}
	return k
}
