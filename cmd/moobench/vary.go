package main

import (
	"errors"
	"fmt"

	"moobench/cmd/internal/demand"
	"moobench/harness/machine"
	"moobench/harness/machine/knob"
	"moobench/harness/plan"
	"moobench/refusal"
)

// canVary makes sure, before the first JVM, that the machine can be what each
// cell wants of it: so many CPUs, this frequency.
func (s *sitting) canVary(q *machine.Quiet) error {
	var unmet []knob.State
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
			unmet = append(unmet, demand.Unmet(s.t.tree, q.Placement, frequency)...)
		}
		if err := hasCPUs(q, int(cpus)); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", c.Label(), err))
		}
	}
	if len(unmet) > 0 {
		return refusal.New(&machine.RequireError{Unmet: unmet, For: "the factor frequency can't be had here"},
			"take frequency out of the [[scenario]], or measure where the frequency can be set")
	}
	return errors.Join(errs...)
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
