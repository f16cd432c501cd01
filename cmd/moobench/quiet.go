package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"moobench/analysis/figure"
	"moobench/cmd/internal/demand"
	"moobench/harness/config"
	"moobench/harness/machine"
	"moobench/harness/machine/cpu"
	"moobench/harness/machine/knob"
	"moobench/results"
)

// lockMachine makes sure that nobody else measures here. What a moobench that
// died left changed is put back first, so that none of it counts as found. What
// can't be put back is a warning, and stays in the journal.
func (t *terminal) lockMachine(dir string) (release func() error, err error) {
	release, err = machine.Lock(machine.LockPath(), dir)
	if err != nil {
		return nil, err
	}
	left, err := machine.Leftover(t.tree, machine.JournalPath())
	if err == nil && left != nil {
		fmt.Fprintf(t.err, "moobench: warning: %s: it is put back before anything is measured\n", visible(left.String()))
		var done machine.Restored
		done, err = left.Restore()
		t.tellRestored(done)
	}
	if err != nil {
		return nil, errors.Join(err, release())
	}
	return release, nil
}

// tellRestored says what could not be put back, or was left to somebody else.
func (t *terminal) tellRestored(r machine.Restored) {
	for _, s := range slices.Concat(r.Left, r.Problems) {
		fmt.Fprintf(t.err, "moobench: warning: %s\n", visible(s))
	}
	if len(r.Problems) > 0 {
		hint(t.err, "try again with: moobench doctor --restore")
	}
}

// met are the wishes that came true: only what moobench has set can be changed
// by somebody else.
func met(wishes []knob.Wish, states []results.KnobState) []knob.Wish {
	return slices.DeleteFunc(wishes, func(w knob.Wish) bool {
		return !slices.ContainsFunc(states, func(k results.KnobState) bool { return k.Name == w.Knob && k.Wanted != "" && !k.Unmet() })
	})
}

// quieten sets what the campaign wants of the machine, and describes it then.
func (s *sitting) quieten(dir string) (*machine.Quiet, results.Machine, error) {
	t := s.t
	place := func() (cpu.Placement, error) { return demand.Place(s.file.Machine, t.tree) }
	q, err := machine.Quieten(t.tree, machine.JournalPath(), dir, place, demand.Wishes(s.file.Machine))
	if err != nil {
		return nil, results.Machine{}, err
	}
	host := machine.Observe(t.tree, q.Placement)
	host.Knobs = append(q.States(), pinned(s.file.Machine, host, q.Placement)...)
	t.calibrated(&host)
	return q, host, nil
}

// pinned is what [machine] says beside the knobs: the pin and the host.
func pinned(m config.Machine, host results.Machine, p cpu.Placement) []results.KnobState {
	var states []results.KnobState
	if m.PinPolicy != "" {
		got := p.Fixture.String()
		states = append(states, results.KnobState{Name: "pin", Wanted: m.CPUs, Got: got, Policy: m.PinPolicy})
	}
	if m.Host != "" {
		k := results.KnobState{Name: "host", Found: host.Host, Wanted: m.Host, Got: host.Host, Policy: results.PolicyTry}
		if k.Unmet() {
			k.Reason = "this is another machine: a gate gives no verdict here"
		}
		states = append(states, k)
	}
	return states
}

// putBack restores the machine, and says what was left.
func (s *sitting) putBack(q *machine.Quiet) error {
	if q == nil {
		return nil
	}
	done, err := q.Restore()
	s.t.tellRestored(done)
	if n := len(done.Done); n > 0 && !s.o.quiet {
		fmt.Fprintf(s.t.err, "the machine is as it was found: %s put back\n", figure.Plural(n, "setting", "settings"))
	}
	return err
}

// printQuiet says in a line what was set, and in a line each what could not be.
func printQuiet(w io.Writer, knobs []results.KnobState) {
	var set []string
	for _, k := range knobs {
		if k.Wanted != "" && !k.Unmet() && k.Found != k.Wanted {
			set = append(set, k.Name+" "+k.Wanted)
		}
	}
	if len(set) > 0 {
		fmt.Fprintf(w, "  quiet   %s · what was found is put back at the end\n", visible(strings.Join(set, " · ")))
	}
	unmet := slices.DeleteFunc(slices.Clone(knobs), func(k results.KnobState) bool { return !k.Unmet() })
	for _, line := range machine.ByReason(unmet, func(k results.KnobState) string { return k.Name + " is not " + k.Wanted }) {
		fmt.Fprintf(w, "  !       %s\n", visible(line))
	}
}
