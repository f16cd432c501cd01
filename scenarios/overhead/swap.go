package overhead

import (
	"context"
	"strconv"
	"strings"
	"time"

	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/harness/run"
)

// Calls are made before a class is swapped, so that it is loaded, running and compiled
// when that happens, and again after it: a hot method is back at its speed after 3,000 to
// 13,000 calls. Slow methods get fewer of them, because the compiler has more time
// meanwhile.
const (
	primeCalls = 20_000
	primeTime  = 5 * time.Second // of the busy wait alone
)

// swaps is what is done to the running JVM of a variant before it is measured.
type swaps struct {
	ctx     context.Context
	subject run.Subject
	ask     run.Asker
	inv     plan.Invocation

	removed bool  // the probe is out again, and must stay silent
	entered int64 // probes entered when the window opened; -1: unknown
}

// prepare has the variant's late agent attached, its probe swapped in, and out again. The
// probe sees and records calls that are not measured.
func (s *swaps) prepare(rec run.Recorder) error {
	in, err := s.inv.Activate()
	if err != nil {
		return err
	}
	out, err := s.inv.Deactivate()
	if err != nil {
		return err
	}
	fromStart := s.inv.Cell.Recipe.Attach == "" && in == ""
	if fromStart && out == "" {
		return nil
	}
	seen, err := s.prime() // calls that the probe saw
	if err != nil {
		return err
	}
	if !fromStart {
		if err := s.subject.Attach(s.ctx); err != nil {
			return err
		}
		if in != "" {
			if err := s.change("activate", in); err != nil {
				return err
			}
		}
		if seen, err = s.prime(); err != nil {
			return err
		}
	}
	if out == "" {
		rec.Expected(s.inv.Cell.Records(seen + s.inv.Cell.Calls()))
		return nil
	}
	rec.Expected(s.inv.Cell.Records(seen))
	if err := s.change("deactivate", out); err != nil {
		return err
	}
	if _, err := s.prime(); err != nil {
		return err
	}
	s.removed = true
	s.entered, err = entered(s.ask)
	return err
}

// prime returns how many calls were made.
func (s *swaps) prime() (int64, error) {
	calls := int64(primeCalls)
	work := s.inv.Cell.Work
	if work.WaitNS > 0 {
		calls = max(1, min(calls, int64(primeTime)/work.WaitNS))
	}
	if work.Pattern != "" { // what it names is called often in a call
		calls = min(calls, work.Calls)
	}
	answer, err := s.ask.Last("prime", map[string]string{"calls": strconv.FormatInt(calls, 10)})
	if err != nil {
		return 0, err
	}
	return answer.Int("calls")
}

// change swaps the probe. A swap that changes nothing, or fails in part, would have
// something else measured than the variant's name says.
func (s *swaps) change(verb, pattern string) error {
	answer, err := s.ask(verb, map[string]string{"pattern": pattern})
	if err != nil {
		return err
	}
	last := answer[len(answer)-1]
	methods, err := last.Int("methods")
	if err != nil {
		return err
	}
	failed, _ := last.Int("failed") // a swapper of an older fixture refuses instead
	var reasons []string
	for _, m := range answer[:len(answer)-1] {
		reasons = append(reasons, m.String("reason"))
	}
	if failed > 0 || len(reasons) > 0 {
		return jvm.Failuref(run.KindSwap, "%s %q failed for %d classes: %s", verb, pattern, max(failed, int64(len(reasons))), strings.Join(reasons, "; "))
	}
	if methods == 0 {
		return jvm.Failuref(run.KindSwap, "%s %q changed nothing: it matches no loaded method that can hold a probe, or it was so already", verb, pattern)
	}
	return nil
}

// silent checks that a removed probe saw nothing of the window.
func (s *swaps) silent() error {
	if !s.removed || s.entered < 0 {
		return nil // the exact number of records shows it, too
	}
	now, err := entered(s.ask)
	if err == nil && now != s.entered {
		err = jvm.Failuref(run.KindSwap, "the probe was taken out, but saw %d calls after that: it is still in", now-s.entered)
	}
	return err
}
