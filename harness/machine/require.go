package machine

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/knob"
	"moobench/refusal"
	"moobench/results"
)

// CanMeet reports for each wish, without changing anything, whether this machine could meet it: either Got is the
// wanted value, or Reason says why not.
func CanMeet(tree Tree, on cpu.Placement, wishes []knob.Wish) []knob.State {
	q := Quiet{states: knob.Observe(tree, on)}
	var states []knob.State
	for _, w := range wishes {
		s := *q.state(w.Knob)
		s.Policy = w.Policy
		if w.Value == "" || w.Policy == results.PolicyObserve {
			states = append(states, s)
			continue
		}
		k, value, err := resolved(tree, on, w)
		switch {
		case err != nil:
		case k.Changes != nil:
			_, _, err = plan(tree, on, k, w.Value)
		case k.Hold != nil:
			if err = tree.Writable(k.Files[0]); err != nil {
				err = refused(err, knob.Change{Path: k.Files[0], Value: w.Value}, nil)
			}
		default:
			err = k.Ask(new(knob.Subject), w.Value)
		}
		s.Wanted, s.Got, s.Reason, s.Why = value, value, "", nil
		if err != nil {
			s.Got = s.Found
			s.Refuse(err)
		}
		states = append(states, s)
	}
	return states
}

// resolved returns the knob of a wish, and the meaning of its value on this machine. The error says why it can't
// be set.
func resolved(tree Tree, on cpu.Placement, w knob.Wish) (k knob.Knob, value string, err error) {
	k, ok := knob.Named(w.Knob)
	switch {
	case !ok:
		return k, w.Value, errors.New("there is no such knob")
	case k.Check == nil:
		return k, w.Value, errors.New("it can only be observed")
	}
	value, err = k.Resolved(tree, on, w.Value)
	return k, value, err
}

// RequireError lists knobs that do not have their required value.
type RequireError struct {
	Unmet []knob.State
	// For says what requires them, as a sentence without a full stop; "": [machine] does.
	For string
}

func (e *RequireError) Error() string {
	all := ByReason(knob.Recorded(e.Unmet), func(s results.KnobState) string {
		return fmt.Sprintf("%s should be %s, and is %s", s.Name, s.Wanted, cmp.Or(s.Got, s.Found, "unknown"))
	})
	return cmp.Or(e.For, "this machine is not as [machine] requires") + ": " + strings.Join(all, "; ")
}

// Required returns a *RequireError for knobs required by [machine], with advice.
func Required(unmet ...knob.State) error {
	var err error = &RequireError{Unmet: unmet}
	for _, s := range unmet {
		if do := refusal.Do(s.Why); !strings.Contains(s.Reason, do) {
			err = refusal.New(err, do)
		}
	}
	return refusal.New(err, `do what it says, or go on without: policy = "try" in [machine]`)
}

// ByReason lists each reason once, after the results of say for the knobs that have it.
func ByReason(knobs []results.KnobState, say func(results.KnobState) string) []string {
	var reasons []string
	names := map[string][]string{}
	for _, k := range knobs {
		if names[k.Reason] == nil {
			reasons = append(reasons, k.Reason)
		}
		names[k.Reason] = append(names[k.Reason], say(k))
	}
	return results.Each(reasons, func(r string) string { return strings.Join(names[r], ", ") + ": " + r })
}
