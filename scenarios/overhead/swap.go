package overhead

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"

	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

// Calls are made before a class is swapped, so that it is loaded, running and compiled
// when that happens, and again after it: a hot method is back at its speed after 3,000 to
// 13,000 calls. Slow methods get fewer of them, because the compiler has more time
// meanwhile.
const (
	primeCalls = 20_000
	primeTime  = 5 * time.Second // of the busy wait alone
)

// probe is the variant's probe in a running JVM.
type probe struct {
	ctx     context.Context
	subject run.Subject
	ask     run.Asker
	inv     plan.Invocation

	removed bool  // it is out again, and must stay silent
	before  int64 // how often it was entered when the window opened; -1: unknown
}

// prepare has the variant's late agent attached, its probe swapped in, and out again. The
// probe sees and records calls that are not measured.
func (p *probe) prepare(rec run.Recorder) error {
	in, err := p.inv.Activate()
	out, failed := p.inv.Deactivate()
	if err := cmp.Or(err, failed); err != nil {
		return err
	}
	fromStart := p.inv.Cell.Recipe.Attach == "" && in == ""
	if fromStart && out == "" {
		return nil
	}
	seen, err := p.prime() // calls that the probe saw
	if err != nil {
		return err
	}
	if !fromStart {
		if err := p.subject.Attach(p.ctx); err != nil {
			return err
		}
		if err := p.change("activate", in); err != nil {
			return err
		}
		if seen, err = p.prime(); err != nil {
			return err
		}
	}
	if p.removed = out != ""; !p.removed {
		rec.Expected(p.inv.Cell.Records(seen + p.inv.Cell.Calls()))
		return nil
	}
	rec.Expected(p.inv.Cell.Records(seen))
	if err := p.change("deactivate", out); err != nil {
		return err
	}
	_, err = p.prime()
	return err
}

// prime returns how many calls were made.
func (p *probe) prime() (int64, error) {
	calls := int64(primeCalls)
	work := p.inv.Cell.Work
	if work.WaitNS > 0 {
		calls = max(1, min(calls, int64(primeTime)/work.WaitNS))
	}
	if work.Pattern != "" { // what it names is called often in a call
		calls = min(calls, work.Calls)
	}
	answer, err := p.ask.Last("prime", map[string]string{"calls": strconv.FormatInt(calls, 10)})
	if err != nil {
		return 0, err
	}
	return answer.Int("calls")
}

// change swaps the probe, if there is a pattern. A swap that changes nothing, or fails in
// part, would have something else measured than the variant's name says.
func (p *probe) change(verb, pattern string) error {
	if pattern == "" {
		return nil
	}
	answer, err := p.ask(verb, map[string]string{"pattern": pattern})
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
	switch {
	case failed > 0 || len(reasons) > 0:
		return jvm.Failuref(run.KindSwap, "%s %q failed for %d classes: %s", verb, pattern, max(failed, int64(len(reasons))), strings.Join(reasons, "; "))
	case methods == 0:
		return jvm.Failuref(run.KindSwap, "%s %q changed nothing: it matches no loaded method that can hold a probe, or it was so already", verb, pattern)
	}
	return nil
}

// open reads how often the probe was entered before the window, where a pattern says what
// is monitored, or the probe is out again.
func (p *probe) open() (err error) {
	p.before = -1
	if p.removed || p.inv.Cell.Work.Pattern != "" {
		p.before, err = p.entered()
	}
	return err
}

// close reads it after the window. A probe that was taken out must have seen nothing of
// it; an exact number of records shows that, too. With a pattern it is only known now how
// many records a call makes: every entered probe must have made one.
func (p *probe) close(rec run.Recorder) error {
	if p.before < 0 {
		return nil
	}
	after, err := p.entered()
	if err != nil {
		return err
	}
	if p.removed && after != p.before {
		return jvm.Failuref(run.KindSwap, "the probe was taken out, but saw %d calls after that: it is still in", after-p.before)
	}
	c := &p.inv.Cell
	if c.Work.Pattern == "" {
		return nil
	}
	if c.Proof.Kind == results.ProofCount {
		rec.Expected(after)
	}
	rec.Scalar(run.RecordsPerCall, float64(after-p.before)/float64(max(1, c.Calls())))
	return nil
}

// entered is how often the probe was entered; -1 is unknown.
func (p *probe) entered() (int64, error) {
	answer, err := p.ask.Last("records", nil)
	if err != nil || answer.String("entered") == "" {
		return -1, err
	}
	return answer.Int("entered")
}
