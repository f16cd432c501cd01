package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"moobench/harness/machine"
	"moobench/harness/plan"
	"moobench/refusal"
	"moobench/results"
)

// canVary makes sure, before the first JVM, that the machine can be what each
// cell wants of it: so many CPUs, this frequency.
func (s *sitting) canVary(q *machine.Quiet) error {
	var unmet []results.KnobState
	var errs []error
	seen := map[string]bool{}
	for _, c := range s.plan.Cells {
		frequency, cpus := c.Parameter(plan.FactorFrequency), c.Int(plan.FactorCPUs)
		key := fmt.Sprint(frequency, cpus)
		if seen[key] {
			continue
		}
		seen[key] = true
		if frequency != "" {
			unmet = append(unmet, unmetBy(s.t.tree, q.Placement, frequency)...)
		}
		if err := hasCPUs(q, int(cpus)); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", c.Label(), err))
		}
	}
	if len(unmet) > 0 {
		return &frequencyError{unmet}
	}
	return errors.Join(errs...)
}

// unmetBy is what a value of the factor frequency requires in vain.
func unmetBy(tree machine.Tree, on machine.Placement, frequency string) []results.KnobState {
	return slices.DeleteFunc(machine.CanMeet(tree, on, machine.Frequency(frequency)), func(k results.KnobState) bool {
		return k.Policy != results.PolicyRequire || !k.Unmet()
	})
}

// hasCPUs says whether a fixture can have n CPUs, 0 being those of the campaign.
func hasCPUs(q *machine.Quiet, n int) error {
	if n == 0 {
		return nil
	}
	if _, err := q.Placement.Take(n); err != nil {
		return err
	}
	if own := len(q.Placement.Fixture); n > own && q.Subject().ControlGroup != "" {
		return refusal.New(fmt.Errorf("cpus = %d are more than the %d that the knob cpuset keeps for the fixture", n, own),
			`take more CPUs with pin in [machine], or take cpuset out: cpuset = { policy = "observe" }`)
	}
	return nil
}

// frequencyError says that a cell can't have the frequency that it stands for.
type frequencyError struct{ unmet []results.KnobState }

func (e *frequencyError) Error() string {
	cause := (&machine.RequireError{Unmet: e.unmet}).Error()
	text, _, _ := strings.Cut(cause, "\nhint: ")
	return "the factor frequency can't be had here: " + strings.TrimPrefix(text, "this machine is not as [machine] requires: ") +
		"\nhint: take frequency out of the [[scenario]], or measure where the frequency can be set"
}

func (e *frequencyError) Unwrap() error { return &machine.RequireError{Unmet: e.unmet} }
