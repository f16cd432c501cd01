package calling

import (
	"strconv"
	"strings"
	"time"

	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

// Calls are made before a class is swapped, so that it is loaded, running and compiled by then, and again after
// it: a hot method is back at its speed after 3,000 to 13,000 calls. Slow methods get fewer calls, because the
// compiler has more time meanwhile.
const (
	primeCalls = 20_000
	primeTime  = 5 * time.Second // of the busy wait alone
)

// Probe is the variant's probe in a running JVM.
type Probe struct {
	Ask  *run.Asker
	Seen int64 // calls that it saw before the measurement

	inv     plan.Invocation
	removed bool  // it was taken out, and must stay silent
	before  int64 // number of entries when the window opened; -1: unknown
}

// prepare attaches the variant's late agent, swaps its probe in, and out again if the variant does so. The
// probe sees and records calls that are not measured.
func (p *Probe) prepare(rec run.Recorder) {
	var in, out string
	p.Ask.Do(func() (err error) {
		in, out, err = p.inv.Swaps()
		return err
	})
	fromStart := p.inv.Cell.Recipe.Attach == "" && in == ""
	if fromStart && out == "" {
		return
	}
	p.Seen = p.prime()
	if !fromStart {
		p.Ask.Attach()
		p.change("activate", in)
		p.Seen = p.prime()
	}
	if p.removed = out != ""; !p.removed {
		rec.Expected(p.inv.Cell.Records(0, p.Seen+p.inv.Cell.Calls()))
		return
	}
	rec.Expected(p.inv.Cell.Records(0, p.Seen))
	p.change("deactivate", out)
	p.prime()
}

// prime makes calls, and returns their number.
func (p *Probe) prime() int64 {
	calls := int64(primeCalls)
	work := p.inv.Cell.Work
	if work.WaitNS > 0 {
		calls = max(1, min(calls, int64(primeTime)/work.WaitNS))
	}
	if work.Pattern != "" { // one call makes many calls of the methods it names
		calls = min(calls, work.Calls)
	}
	return p.Ask.Int(p.Ask.Last("prime", map[string]string{"calls": strconv.FormatInt(calls, 10)}), "calls")
}

// change swaps the probe, if there is a pattern. It fails if the swap changes nothing or fails in part: the
// variant measured would not be the one named.
func (p *Probe) change(verb, pattern string) {
	if pattern == "" {
		return
	}
	last, lines := p.Ask.Lines(verb, map[string]string{"pattern": pattern})
	methods := p.Ask.Int(last, "methods")
	failed, _ := last.Int("failed") // a swapper of an older fixture refuses instead
	reasons := results.Each(lines, func(m jvm.Message) string { return m.String("reason") })
	switch {
	case failed > 0 || len(reasons) > 0:
		p.Ask.Fail(run.KindSwap, "%s %q failed for %d classes: %s",
			verb, pattern, max(failed, int64(len(reasons))), strings.Join(reasons, "; "))
	case methods == 0:
		p.Ask.Fail(run.KindSwap,
			"%s %q changed nothing: it matches no loaded method that can hold a probe, or it was so already",
			verb, pattern)
	}
}

// Open reads the probe's number of entries before the window, if a pattern selects methods, or the probe is out
// again.
func (p *Probe) Open() {
	p.before = -1
	if p.removed || p.inv.Cell.Work.Pattern != "" {
		p.before = p.entered()
	}
}

// Close reads the number again after the window. A probe that was taken out must have seen nothing since; an
// exact number of records shows that, too. With a pattern only this tells how many records a call makes: every
// entry must have made one.
func (p *Probe) Close(rec run.Recorder) {
	if p.before < 0 {
		return
	}
	after := p.entered()
	if p.removed && after != p.before {
		p.Ask.Fail(run.KindSwap, "the probe was taken out, but saw %d calls after that: it is still in", after-p.before)
	}
	c := &p.inv.Cell
	if c.Work.Pattern == "" {
		return
	}
	if c.Proof.Kind == results.ProofCount {
		rec.Expected(after)
	}
	rec.Scalar(run.RecordsPerCall, float64(after-p.before)/float64(max(1, c.Calls())))
}

// entered returns the probe's number of entries; -1: unknown.
func (p *Probe) entered() int64 {
	answer := p.Ask.Last("records", nil)
	if answer.String("entered") == "" {
		return -1
	}
	return p.Ask.Int(answer, "entered")
}
