package main

import (
	"moobench/harness/config"
	"moobench/harness/machine"
	"moobench/harness/plan"
)

// known is what may stand in a benchmarks.toml.
func (t *terminal) known() config.Known {
	k := config.Known{Environment: plan.Environment(), CPUs: machine.CheckCPUs}
	for _, s := range t.scenarios {
		k.Scenarios = append(k.Scenarios, config.Schema{
			Name: s.Name(), Parameters: s.Parameters(), Metrics: s.Metrics(), Window: s.Traits().Window,
		})
	}
	for _, knob := range machine.Knobs() {
		k.Knobs = append(k.Knobs, settable(knob))
	}
	return k
}

// settable says what a knob can be set to, be it one of the machine or of the
// subject's process; one that can only be observed has no Check.
func settable(k machine.Knob) config.Knob {
	s, ok := k.(interface {
		Values() []string
		Check(value string) (string, error)
	})
	if !ok {
		return config.Knob{Name: k.Name()}
	}
	return config.Knob{Name: k.Name(), Values: s.Values(), Check: s.Check}
}
