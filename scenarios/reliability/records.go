package reliability

import (
	"slices"
	"time"

	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

// Limit and interval of polling for the end of a load: requests that were given up are still served, and some
// writers count records only after their queue.
const settleWithin, settleEvery = 10 * time.Second, 50 * time.Millisecond

// probed has the counts of the probe; -1: unknown.
type probed struct{ entered, exited, recorded int64 }

// balanced reports whether every execution that began also ended, and was recorded.
func (p probed) balanced() bool {
	ended := p.entered < 0 || p.exited < 0 || p.entered == p.exited
	return ended && (p.entered < 0 || p.recorded < 0 || p.entered == p.recorded)
}

// served has the counts of the server.
type served struct{ gets, posts, calls int64 }

// all checks that the server served all rightly answered requests. Otherwise something in front of it did,
// whose answers cost nothing that is measured.
func (s served) all(right int64) error {
	if min(s.gets, s.calls) < right {
		return jvm.Failuref(run.KindCounts, "%d requests had the right answer, and the server says that it served %d, "+
			"with %d calls of its monitored method: something else answered them", right, s.gets, s.calls)
	}
	return nil
}

func counts(ask *run.Asker) served {
	answer := ask.Last("counts", nil)
	s := served{ask.Int(answer, "gets"), ask.Int(answer, "posts"), ask.Int(answer, "monitored_calls")}
	if failed, err := answer.Int("failed"); err == nil && failed > 0 {
		ask.Fail(run.KindSwap, "%d of %s toggles failed: %s", failed, answer.String("toggles"), answer.String("reason"))
	}
	return s
}

// waitSettled polls until the server is idle, and the probe's counts are balanced.
func waitSettled(ask *run.Asker, within time.Duration) (s served, p probed) {
	for end := time.Now().Add(within); ; time.Sleep(settleEvery) {
		before := s
		s = counts(ask)
		answer := ask.Last("records", nil)
		count := func(key string) int64 {
			n, err := answer.Int(key)
			if err != nil {
				return -1
			}
			return n
		}
		p = probed{count("entered"), count("exited"), count("recorded")}
		if ask.Err != nil || s == before && p.balanced() || time.Now().After(end) {
			return s, p
		}
	}
}

// prove records the expected and the actual number of records. A call that spans a change of the probe's state
// must be in both counts, or in neither.
func prove(c *plan.Cell, pattern string, s served, p probed, rec run.Recorder) error {
	if !p.balanced() {
		return jvm.Failuref(run.KindCounts,
			"the probe was entered %d times and left %d times, and there are %d records, some time after the load: "+
				"calls that ran while it was put in or taken out are half recorded",
			p.entered, p.exited, p.recorded)
	}
	if p.entered > s.calls {
		return jvm.Failuref(run.KindCounts, "the probe was entered %d times in %d monitored calls", p.entered, s.calls)
	}
	if p.recorded >= 0 {
		rec.Recorded(p.recorded)
	}
	if c.Proof.Kind != results.ProofCount {
		return nil
	}
	switch {
	case p.entered >= 0:
		rec.Expected(p.entered)
	case pattern == "": // it is always in, and its method is called once per request
		one := *c
		one.Parameters = append(slices.Clip(c.Parameters), results.Value{Name: "depth", Value: "1"})
		rec.Expected(one.Records(0, s.calls))
	}
	return nil
}
