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
		schema := config.Schema{Name: s.Name(), Parameters: s.Parameters(), Metrics: s.Metrics()}
		if w, ok := s.(plan.Windowed); ok {
			schema.Window = w.Window()
		}
		k.Scenarios = append(k.Scenarios, schema)
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
		return config.Knob{Name: k.Name(), About: k.About().Does}
	}
	return config.Knob{Name: k.Name(), About: k.About().Does, Values: s.Values(), Check: s.Check}
}
