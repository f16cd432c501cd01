package overhead

import (
	"errors"
	"testing"

	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/harness/run"
)

// A rate is told of calls that were made within a time, whose ends are known; a hundredth that is missing is not
// said.
func TestRatesThatAreTold(t *testing.T) {
	for _, c := range []struct {
		name, answer string
		rate, calls  int64
		offered      float64 // 0: not told
		warned       bool
	}{
		{"kept", "measured begin_ns=0 end_ns=998000000 late_ns=0", 1000, 1000, 1000, false},
		{"just kept", "measured begin_ns=0 end_ns=998000000 late_ns=0", 1000, 990, 990, false},
		{"not kept", "measured begin_ns=0 end_ns=998000000 late_ns=0", 1000, 989, 989, true},
		{"no calls", "measured begin_ns=0 end_ns=998000000 late_ns=0", 1000, 0, 0, false},
		{"no rate", "measured begin_ns=0 end_ns=998000000 late_ns=0", 0, 1000, 0, false},
		{"no time", "measured begin_ns=5 end_ns=5 late_ns=0", 1000, 1000, 0, false},
		{"a nanosecond", "measured begin_ns=4 end_ns=5 late_ns=0", 1, 1, 1 / (1e-9 + 2), true},
		{"no end", "measured begin_ns=0 late_ns=0", 1000, 1000, 0, false},
		{"no delay", "measured begin_ns=0 end_ns=998000000", 1000, 1000, 0, false},
	} {
		m, err := jvm.ParseMessage(c.answer)
		if err != nil {
			t.Fatal(err)
		}
		rec := &noting{scalars: map[string]float64{}}
		atRate(plan.Work{Rate: c.rate, Threads: 2}, c.calls, m, rec)
		got, told := rec.scalars[offered]
		if told != (c.offered > 0) || got < c.offered*(1-1e-12) || got > c.offered*(1+1e-12) ||
			(len(rec.warnings) == 1) != c.warned {
			t.Errorf("%s: %v, %q", c.name, rec.scalars, rec.warnings)
		}
	}
}

// busy is a subject whose CPU is busy more and more.
type busy struct {
	run.Subject
	looks int
	fails bool
}

func (b *busy) Snapshot() (jvm.Snapshot, error) {
	b.looks++
	if b.fails {
		return jvm.Snapshot{}, errors.New("it is gone")
	}
	return jvm.Snapshot{MonotonicNS: int64(b.looks) * 1e9, CPUNS: float64(b.looks*b.looks) * 1e8}, nil
}

// A loop that ends before the second look has no shares, nor has one whose process can't be looked at.
func TestSharesOfAShortLoop(t *testing.T) {
	for _, fails := range []bool{false, true} {
		s, rec := &busy{fails: fails}, &noting{scalars: map[string]float64{}}
		watchCPU(s, rec)()
		if s.looks != 1 || len(rec.scalars) != 0 {
			t.Errorf("%d looks: %v", s.looks, rec.scalars)
		}
	}
	look := func(second, cpu float64) jvm.Snapshot {
		return jvm.Snapshot{MonotonicNS: int64(second * 1e9), CPUNS: cpu * 1e9}
	}
	if mean, peak := cpuShares([]jvm.Snapshot{look(0, 0), look(2, 1)}); mean != 50 || peak != 50 {
		t.Errorf("two looks: %v, %v", mean, peak)
	}
	if mean, peak := cpuShares(nil); mean != 0 || peak != 0 {
		t.Errorf("no look: %v, %v", mean, peak)
	}
}
