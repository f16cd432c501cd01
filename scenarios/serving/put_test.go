package serving

import (
	"context"
	"errors"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/jvm"
	"moobench/harness/load"
	"moobench/harness/run"
	"moobench/results"
)

// observed is a subject that used 100 ns of CPU time more each time it is looked at, and the recorder of its load.
type observed struct {
	run.Subject
	recorder
	used            float64
	gone            bool
	beginErr, ended error
	endNS           int64
	rows            []results.Series
}

func (o *observed) Snapshot() (jvm.Snapshot, error) {
	if o.used += 100; o.gone {
		return jvm.Snapshot{}, errors.New("it is gone")
	}
	return jvm.Snapshot{CPUNS: o.used}, nil
}

func (o *observed) Begin() error { return o.beginErr }

func (o *observed) End(endNS int64) error {
	o.endNS = endNS
	return o.ended
}

func (o *observed) Rows(s results.Series, _ ...[]int64) error {
	o.rows = append(o.rows, s)
	return nil
}

// small is a load of some ms on a server that answers at once.
func small(t *testing.T) load.Load {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(s.Close)
	return load.Load{
		Requests: []load.Request{{URL: s.URL}}, Arrival: load.Constant, Clients: 4, Rate: 1000,
		Hold: 10 * time.Millisecond, Timeout: 10 * time.Second,
	}
}

// TestPut: the window is that of the load, and CPU time is shared by all of its requests.
func TestPut(t *testing.T) {
	o := &observed{recorder: recorder{scalars: map[string]float64{}}}
	r, err := Put(t.Context(), small(t), o, o, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	all, _ := r.Counts()
	if n := float64(all.Total()); n == 0 || o.scalars[CPUPerRequest] != 100/n || o.scalars["requests_all"] != n {
		t.Errorf("%v requests: %v", n, o.scalars)
	}
	if o.endNS != r.EndNS || o.scalars[run.LoopNS] != float64(r.EndNS-r.BeginNS) {
		t.Errorf("ended at %d: %v, want %d", o.endNS, o.scalars[run.LoopNS], r.EndNS)
	}
	for _, s := range o.rows {
		if s.Batch != 1 {
			t.Errorf("%+v", s)
		}
	}
	o = &observed{recorder: recorder{scalars: map[string]float64{}}, gone: true}
	if _, err := Put(t.Context(), small(t), o, o, time.Hour); err != nil || !math.IsNaN(o.scalars[CPUPerRequest]) {
		t.Errorf("of a subject that is gone: %v, %v", o.scalars, err)
	}
}

// TestNothingIsPut: of a load without a request there is no CPU time of one; a window that can't be opened or closed,
// and a load that can't be sent, are errors.
func TestNothingIsPut(t *testing.T) {
	o := &observed{recorder: recorder{scalars: map[string]float64{}}}
	none := small(t)
	none.Rate, none.Hold = 0.001, time.Nanosecond
	r, err := Put(t.Context(), none, o, o, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	all, _ := r.Counts()
	if _, told := o.scalars[CPUPerRequest]; told != (all.Total() > 0) || all.Total() > 1 {
		t.Errorf("%d requests: %v", all.Total(), o.scalars)
	}
	sent := small(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		ctx context.Context
		o   observed
	}{
		"not begun": {t.Context(), observed{beginErr: broken}},
		"not ended": {t.Context(), observed{ended: broken}},
		"not sent":  {ended, observed{}},
	} {
		c.o.scalars = map[string]float64{}
		if r, err := Put(c.ctx, sent, &c.o, &c.o, time.Hour); r != nil || err == nil || len(c.o.scalars) > 0 {
			t.Errorf("%s: %v, %v, %v", name, r, err, c.o.scalars)
		}
	}
}

// TestWaitedFor: what all clients waited for while the load was held is what ended after its beginning, and is told as
// such only where there is any.
func TestWaitedFor(t *testing.T) {
	for done, want := range map[int64]float64{999: 0, 1000: 0, 1001: 1} {
		f := &recorder{scalars: map[string]float64{}}
		waited := []load.Sample{{SentNS: 100, DoneNS: done, Outcome: load.TimedOut}}
		r := &load.Result{HoldNS: 1000, EndNS: 2000, Ramp: waited}
		err := record(f, load.Load{Hold: time.Second}, r, time.Millisecond)
		if err != nil || f.scalars["requests"] != want || len(f.warnings) != int(want) || (f.void == "") != (want > 0) {
			t.Errorf("done at %d: %v, %v; %q, %q", done, err, f.scalars, f.warnings, f.void)
		}
	}
}

// TestOwnLag: requests were late through us, unless more than one of a hundred waited for the server and our CPUs were
// not nearly all busy.
func TestOwnLag(t *testing.T) {
	for _, c := range []struct {
		own  load.Own
		ours bool
	}{
		{load.Own{LagP99NS: 1000}, false},
		{load.Own{LagP99NS: 1001}, true},
		{load.Own{LagP99NS: 1001, Waited: 10}, true},
		{load.Own{LagP99NS: 1001, Waited: 11}, false},
		{load.Own{LagP99NS: 1001, Unsent: 11}, false},
		{load.Own{LagP99NS: 1001, Waited: 6, Unsent: 5}, false},
		{load.Own{LagP99NS: 1001, Waited: 5, Unsent: 5}, true},
		{load.Own{LagP99NS: 1001, Waited: 11, CPUShare: 0.89}, false},
		{load.Own{LagP99NS: 1001, Waited: 11, CPUShare: 0.9}, true},
	} {
		if got := OwnLag(&load.Result{Own: c.own, Hold: make([]load.Sample, 1000)}, 1000); got != c.ours {
			t.Errorf("%+v: ours %t", c.own, got)
		}
	}
	f := &recorder{}
	judge(f, &load.Result{Hold: make([]load.Sample, 1), Own: load.Own{LagP99NS: 11_276_000}}, 10*time.Millisecond)
	if want := "1 % of the requests were sent 11.3ms late or more, and "; !strings.HasPrefix(f.late, want) {
		t.Errorf("%s, want %s", f.late, want)
	}
}

// TestAnswered: an answer counts from the hold's beginning to its end, whenever its request was sent.
func TestAnswered(t *testing.T) {
	for _, c := range []struct {
		sent, done int64
		outcome    load.Outcome
		want       float64
	}{
		{1, 1001, load.Right, 1},
		{0, 1001, load.Right, 0},
		{1, 1000, load.Right, 0},
		{1, 1000 + 1e9, load.Late, 1},
		{1, 1001 + 1e9, load.Late, 0},
		{1, 1001, load.Wrong, 1},
		{1, 1001, load.Truncated, 0},
		{1, 1001, load.TimedOut, 0},
	} {
		s := []load.Sample{{SentNS: c.sent, DoneNS: c.done, Outcome: c.outcome}}
		for _, r := range []load.Result{{Ramp: s}, {Hold: s}} {
			r.HoldNS, r.EndNS = 1000, 1000+1e9
			if got := Answered(&r); got != c.want {
				t.Errorf("%+v: %v answers a second, want %v", s[0], got, c.want)
			}
		}
	}
}

// TestParameters: the least of each parameter of a load, and what each metric is counted out of.
func TestParameters(t *testing.T) {
	least := map[string]int64{}
	for _, p := range append(Parameters(), SearchParameter()) {
		least[p.Name] = p.Min
	}
	want := map[string]int64{
		"arrival": 0, "clients": 1, "rate": 1, "ramp": 0, "hold": 1e8, "think": 0, "lost_after": 1e6, "late_after": 1e6,
		"lag_bound": 1e3, "search_step": 1e8,
	}
	if diff := cmp.Diff(want, least); diff != "" {
		t.Errorf("least values (-want +got):\n%s", diff)
	}
	of := map[string]string{}
	for _, m := range Metrics() {
		if m.Of != "" {
			of[m.Name] = m.Of
		}
	}
	counted := map[string]string{
		"lost": "requests", "lost_all": "requests_all", "right": "requests", "wrong": "requests", "refused": "requests",
		"reset": "requests", "timed_out": "requests", "truncated": "requests", "late": "requests",
	}
	if diff := cmp.Diff(counted, of); diff != "" {
		t.Errorf("counted out of (-want +got):\n%s", diff)
	}
}

// TestFirstLimit: of equal refused loads the first is the limit, and a lower one takes its place.
func TestFirstLimit(t *testing.T) {
	s := server(0, 1<<20, false)
	var limits []*load.Result
	for _, height := range []float64{8, 8, 9, 7} {
		if took, err := s.Try(t.Context(), height); took || err != nil {
			t.Fatalf("%v: %t, %v", height, took, err)
		}
		limits = append(limits, s.Limit().Result)
	}
	if limits[0] != limits[1] || limits[1] != limits[2] || limits[2] == limits[3] || s.Limit().Height != 7 {
		t.Errorf("%v: %+v", limits, s.Limit())
	}
}
