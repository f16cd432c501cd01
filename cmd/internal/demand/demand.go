// Package demand translates a benchmarks.toml's [machine] section into settings of the machine at
// hand.
package demand

import (
	"cmp"
	"slices"
	"strings"

	"moobench/harness/config"
	"moobench/harness/machine"
	"moobench/harness/machine/cpu"
	"moobench/harness/machine/knob"
	"moobench/refusal"
	"moobench/results"
)

// Wishes returns the knob values that [machine] asks for.
func Wishes(m config.Machine) []knob.Wish {
	return knob.Wishes(m.Profile, results.Each(m.Knobs, func(k results.KnobState) knob.Wish {
		return knob.Wish{Knob: k.Name, Value: k.Wanted, Policy: k.Policy}
	}))
}

// Place assigns the CPUs as [machine] asks. If a pin can't be met, it assigns them as usual: with
// policy "try" the remark says so, with "require" the error is a *machine.RequireError.
func Place(m config.Machine, tree machine.Tree) (cpu.Placement, error) {
	allowed, err := cpu.Allowed()
	topology, unread := cpu.ReadTopology(tree)
	if err := cmp.Or(err, unread); err != nil {
		return cpu.Placement{}, err
	}
	p := cpu.Place(allowed, topology)
	if m.Profile == results.ProfileFixedHardware {
		p = p.OnePerCore(topology)
	}
	if m.PinPolicy == "" || m.PinPolicy == results.PolicyObserve {
		return p, nil
	}
	pinned, err := cpu.Pin(allowed, topology, m.CPUs, m.Housekeeping)
	if err == nil {
		return pinned, nil
	}
	if m.PinPolicy == results.PolicyRequire {
		return p, machine.Required(knob.State{Why: err, KnobState: results.KnobState{
			Name: "pin", Wanted: m.CPUs, Found: p.Fixture.String(), Policy: m.PinPolicy, Reason: err.Error(),
		}})
	}
	p.Remark = strings.TrimPrefix(p.Remark+"; not pinned as wished: "+refusal.Text(err), "; ")
	return p, nil
}

// Foreseen returns a *machine.RequireError for the requirements of [machine] that can't be met, as
// far as can be told without changing anything.
func Foreseen(m config.Machine, tree machine.Tree) error {
	on, err := Place(m, tree)
	if err != nil {
		return nil // by the run, other CPUs may be available
	}
	if lack := inVain(tree, on, Wishes(m)); len(lack) > 0 {
		return machine.Required(lack...)
	}
	return nil
}

// Unmet returns the knobs that a level of the factor frequency requires but can't get.
func Unmet(tree machine.Tree, on cpu.Placement, frequency string) []knob.State {
	return inVain(tree, on, knob.Frequency(frequency))
}

func inVain(tree machine.Tree, on cpu.Placement, wishes []knob.Wish) []knob.State {
	return slices.DeleteFunc(machine.CanMeet(tree, on, wishes), func(k knob.State) bool {
		return k.Policy != results.PolicyRequire || !k.Unmet()
	})
}
