package load

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// sent is a sender whose load begins at 1000, is held from 2000 on, and ends at 3000.
func sent(t *testing.T, waited int64) *sender {
	t.Helper()
	s := &sender{Load: Load{Clients: 3}, beginNS: 1000, holdNS: 2000, endNS: 3000, wrong: []WrongAnswer{{Why: "it is"}}}
	s.fail = func(err error) { t.Error(err) }
	s.waited.Store(waited)
	return s
}

// TestOwnWords: that the load generator itself may be why answers are late is said where it was busy or had no client,
// and nowhere else.
func TestOwnWords(t *testing.T) {
	var cpus unix.CPUSet
	if err := unix.SchedGetaffinity(os.Getpid(), &cpus); err != nil {
		t.Fatal(err)
	}
	const one = "1 of 4 requests were due while all 3 clients were busy, and waited for one; 1 of 4 were never sent"
	const waiting = "2 of 4 requests were due while all 3 clients were busy, and waited for one; 1 of 4 were never sent"
	const working = "the load generator used 81 % of its CPUs: part of the latency may be its own"
	for _, c := range []struct {
		share  float64
		waited int64
		want   []string
	}{
		{0, 0, nil},
		{0, 1, []string{one}},
		{0.79, 0, nil},
		{0.81, 0, []string{working}},
		{0.79, 2, []string{waiting}},
		{0.81, 2, []string{waiting, working}},
	} {
		samples := []Sample{{intendedNS: 1500, SentNS: 1500}, {intendedNS: 1600}, {intendedNS: 2000, SentNS: 2000}, {intendedNS: 2500, SentNS: 2500}}
		own := sent(t, c.waited).result(samples, nil, c.share*float64(cpus.Count())).Own
		if diff := cmp.Diff(c.want, own.Words); diff != "" || own.Unsent != 1 || own.Waited != c.waited {
			t.Errorf("%v of the CPUs, %d waited: %+v (-want +got):\n%s", c.share, c.waited, own, diff)
		}
	}
}

// TestResult: what was due before the hold is the ramp's, what was never sent is late at the end, and what was sent
// apart is in the order in which it was due.
func TestResult(t *testing.T) {
	samples := []Sample{
		{intendedNS: 1500, SentNS: 1501, DoneNS: 1600},
		{intendedNS: 1999, SentNS: 1999, DoneNS: 2100, Outcome: Wrong},
		{intendedNS: 2000, SentNS: 2007, DoneNS: 2200},
		{intendedNS: 2900, SentNS: 0, request: 2},
	}
	apart := []Sample{{intendedNS: 2500, request: 1}, {intendedNS: 1200}, {intendedNS: 2500, request: 2}, {intendedNS: 1800, request: 3}}
	r := sent(t, 0).result(samples, apart, 0)
	if len(r.Ramp) != 2 || len(r.Hold) != 2 || cap(r.Ramp) != 2 || r.Hold[0].intendedNS != 2000 {
		t.Errorf("%d in the ramp, of room for %d, and in the hold %+v", len(r.Ramp), cap(r.Ramp), r.Hold)
	}
	if last := r.Hold[1]; last != (Sample{intendedNS: 2900, SentNS: 3000, DoneNS: 3000, Outcome: Late, request: 2}) || r.Own.Unsent != 1 {
		t.Errorf("never sent: %+v", last)
	}
	var requests []int32
	for _, a := range r.Asides {
		requests = append(requests, a.request)
	}
	if !slices.Equal(requests, []int32{0, 3, 1, 2}) {
		t.Errorf("sent apart, in the order of %v", requests)
	}
	if r.BeginNS != 1000 || r.HoldNS != 2000 || r.EndNS != 3000 || len(r.Wrong) != 1 || r.Own.LagP99NS != 100 || r.lag(0.5) != 7 {
		t.Errorf("%+v", r)
	}
}

// TestTimelineSteps: rows are as long as asked, but no shorter than a millisecond, and no more than a thousand; what is
// due at the ends is in the first row and in the last.
func TestTimelineSteps(t *testing.T) {
	ms := int64(time.Millisecond)
	for _, c := range []struct {
		lastsMS int64
		step    time.Duration
		rows    int
		stepMS  int64
	}{
		{100, 10 * time.Millisecond, 10, 10},
		{101, 10 * time.Millisecond, 11, 10},
		{10, time.Microsecond, 10, 1},
		{1000, time.Millisecond, 1000, 1},
		{1001, time.Millisecond, 501, 2},
		{10_001, 10 * time.Millisecond, 501, 20},
	} {
		r := &Result{BeginNS: 5 * ms, EndNS: (5 + c.lastsMS) * ms}
		r.Ramp, r.Hold = []Sample{{intendedNS: 4 * ms, DoneNS: 4 * ms}}, []Sample{{intendedNS: r.EndNS + ms, DoneNS: r.EndNS + 2*ms}}
		rows := r.Timeline(c.step)
		last := len(rows[0]) - 1
		if last+1 != c.rows || rows[0][1] != c.stepMS*ms || rows[1][0] != 1 || rows[1][last] != 1 || rows[5][last] != ms {
			t.Errorf("%d ms in steps of %v: %d rows of %d ms; %d due in the first, %d in the last, of %d ns", c.lastsMS, c.step, last+1, rows[0][1]/ms, rows[1][0], rows[1][last], rows[5][last])
		}
	}
}
