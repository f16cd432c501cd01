package run

import (
	"maps"

	"moobench/harness/jvm"
	"moobench/harness/machine"
	"moobench/harness/machine/knob"
	"moobench/harness/plan"
)

// attributes are what every subject is started with besides its CPUs.
func (r *Runner) attributes() jvm.Attributes {
	if r.Host.Quiet == nil {
		return jvm.Attributes{}
	}
	s := r.Host.Quiet.Subject()
	a := jvm.Attributes{FixedAddresses: s.FixedAddresses, Nice: s.Nice, Scheduling: s.Scheduling, LockableBytes: s.LockableBytes}
	if s.ControlGroup != "" {
		a.ControlGroup = "/" + s.ControlGroup
	}
	return a
}

// java is the JDK of a cell, or that of the campaign.
func (r *Runner) java(c plan.Cell) jvm.Java {
	if j, ok := r.Javas[c.JDK.Home]; ok {
		return j
	}
	return r.Java
}

// settings puts those of the machine together with those that were read back
// from the living subject. What was asked for the subject and is not so is a
// warning at its number.
func (r *Runner) settings(a *attempt, s settled) {
	if len(s.settings)+len(a.life.settings) == 0 {
		return
	}
	a.got.Settings = maps.Clone(a.life.settings)
	if a.got.Settings == nil {
		a.got.Settings = map[string]string{}
	}
	maps.Copy(a.got.Settings, s.settings)
	for _, w := range r.Host.Wishes {
		got, known := a.life.settings[w.Knob]
		if known && w.Value != "" && got != w.Value {
			a.warn("%s: %s was wanted, and the living process had %s", w.Knob, w.Value, got)
		}
	}
}

// ownSettings are those of a living process.
func ownSettings(pid int) map[string]string {
	return knob.ReadSubject(machine.System(), pid)
}
