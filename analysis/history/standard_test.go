package history

import (
	"flag"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"moobench/analysis/stats"
)

const standardNS = 2400

var updates = flag.Int("updates", 40, "simulate so many histories in which moobench is updated")

// shared is the history of a shared machine, whose speed differs from night to night; cells
// follow it otherwise than their reference by a fifth. From a night on a version of moobench
// runs that knows the standard speed.
func shared(r *rand.Rand, nights, from int, step float64) *History {
	h := &History{}
	for i := range nights {
		speed := 0.1 * r.NormFloat64()
		chance, rule := 0.005*r.NormFloat64(), 0.002*r.NormFloat64() // rule: versions carry differently
		at := 0.1 + chance
		if i >= nights-1 {
			at += step
		}
		n := made(key(cell), i, at+0.2*speed+rule)
		if i >= from {
			n.Log = at + 0.2*speed
			n.Standard = &StandardNight{NS: standardNS, AtNS: standardNS * math.Exp(speed), Log: &at, SE: n.SE, DF: n.DF, Response: stats.Response{N: 15, Groups: 1}}
		}
		h.Records = append(h.Records, record(n))
	}
	return h
}

// alarms is how many of many histories have something to measure again.
func alarms(t *testing.T, histories, nights, from int, step float64) (share float64) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	n := 0
	for range histories {
		f, err := Check(shared(r, nights, from, step), 0)
		if err != nil {
			t.Fatal(err)
		}
		n += min(1, len(f.Unsettled()))
	}
	return 100 * float64(n) / float64(histories)
}

// A new version that judges at the standard speed raises no more alarms in the nights after
// it than none would, and finds what as-it-ran nights hide.
func TestAnUpdateRaisesNoAlarm(t *testing.T) {
	histories := *updates
	for _, after := range []int{1, 7} {
		without := alarms(t, histories, 30+after, 1000, 0)
		with := alarms(t, histories, 30+after, 30, 0)
		t.Logf("%d nights after the update: %.1f %% alarms, without it %.1f %%", after, with, without)
		if chance := 3 * 100 * math.Sqrt(2*0.1*0.9/float64(histories)); with > without+chance {
			t.Errorf("%d nights after the update %.1f %% of the histories have an alarm, and %.1f %% without it", after, with, without)
		}
	}
	hidden, found := alarms(t, histories, 40, 1000, 0.04), alarms(t, histories, 40, 0, 0.04)
	t.Logf("4 %%: %.0f %% found as it ran, %.0f %% at the standard", hidden, found)
	if found < hidden+10 {
		t.Errorf("a change of 4 %% is found in %.0f %% at the standard, as it ran in %.0f %%: want far more", found, hidden)
	}
}

// Nights before and after the update stand in one series, and are not compared once there
// are enough after it; a night far from the others' speed is not judged, and that is said.
func TestNightsAtStandard(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct{ nights, from, segments int }{{20, 1000, 1}, {30, 27, 1}, {30, 20, 2}, {30, 0, 1}} {
		h := shared(r, c.nights, c.from, 0)
		f, err := Check(h, 0)
		if err != nil {
			t.Fatal(err)
		}
		s := f.Series[0]
		last := s.Segments[len(s.Segments)-1]
		if len(s.Segments) != c.segments || last.AtStandard != (c.nights-c.from >= leastNights) {
			t.Errorf("%d nights, from %d: %+v", c.nights, c.from, s.Segments)
		}
	}
	h := shared(r, 20, 0, 0)
	far := h.Records[10].Night
	far.Standard.AtNS, far.Standard.Log, far.Log = standardNS*1.6, nil, 0.4
	f, err := Check(h, 0)
	if err != nil || len(f.Unsettled()) > 0 || !strings.Contains(strings.Join(f.Warnings, "\n"), "1 night is not judged: the CPU was more than 40 % faster or slower than usual") {
		t.Errorf("%v, %v, %+v", err, f.Warnings, f.Unsettled())
	}
}

func TestNightCost(t *testing.T) {
	n := made(key(cell), 0, 0.1)
	if n.Cost() != 100 {
		t.Errorf("as it ran: %v", n.Cost())
	}
	n.Standard = &StandardNight{NS: 2000, AtNS: 2200, Response: stats.Response{N: 15, Groups: 1}}
	if c := n.Cost(); math.Abs(c-100/1.1) > 1e-9 { // nothing is known of its elasticity but the prior
		t.Errorf("at the standard: %v", c)
	}
}
