package machine

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"moobench/results"
)

// CanMeet says for each wish whether it could be met here, without changing
// anything: Got is what is wanted, or else Reason says why not.
func CanMeet(tree Tree, on Placement, wishes []Wish) []results.KnobState {
	q := Quiet{states: observeKnobs(tree, on)}
	var states []results.KnobState
	for _, w := range wishes {
		s := *q.state(w.Knob)
		s.Policy = w.Policy
		if w.Value != "" && w.Policy != results.PolicyObserve {
			value, err := canMeet(tree, on, w)
			s.Wanted, s.Got, s.Reason = value, value, ""
			if err != nil {
				s.Got, s.Reason = s.Found, err.Error()
			}
		}
		states = append(states, s)
	}
	return states
}

// canMeet returns what the value of a wish stands for.
func canMeet(tree Tree, on Placement, w Wish) (string, error) {
	k, err := changeable(w.Knob)
	if err != nil {
		return w.Value, err
	}
	value, err := resolve(k, tree, on, w.Value)
	if err != nil {
		return value, err
	}
	switch k := k.(type) {
	case Setter:
		_, _, err = plan(tree, on, k, w.Value)
	case Holder:
		c := Change{Path: latencyFile, Value: w.Value}
		err = because(tree.Writable(latencyFile), c)
	case Personal:
		err = k.Ask(new(Subject), w.Value)
	}
	return value, err
}

// changeable is the knob of this name, a Setter, a Holder or Personal.
func changeable(name string) (Knob, error) {
	k, ok := KnobNamed(name)
	if !ok {
		return nil, errors.New("there is no such knob")
	}
	switch k.(type) {
	case Setter, Holder, Personal:
		return k, nil
	}
	return nil, errors.New("it can only be observed")
}

// RequireError says which knobs are required to have a value that they do not
// get.
type RequireError struct{ Unmet []results.KnobState }

func (e *RequireError) Error() string {
	all := ByReason(e.Unmet, func(s results.KnobState) string {
		return fmt.Sprintf("%s should be %s, and is %s", s.Name, s.Wanted, cmp.Or(s.Got, s.Found, unknown))
	})
	return "this machine is not as [machine] requires: " + strings.Join(all, "; ") +
		"\nhint: do what it says, or go on without: policy = \"try\" in [machine]"
}

// ByReason says each reason once, after all that is to be said of the knobs that
// have it.
func ByReason(knobs []results.KnobState, say func(results.KnobState) string) []string {
	var reasons []string
	of := map[string][]string{}
	for _, k := range knobs {
		if of[k.Reason] == nil {
			reasons = append(reasons, k.Reason)
		}
		of[k.Reason] = append(of[k.Reason], say(k))
	}
	for i, r := range reasons {
		reasons[i] = strings.Join(of[r], ", ") + ": " + r
	}
	return reasons
}
