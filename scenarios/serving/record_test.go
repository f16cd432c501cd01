package serving

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/load"
	"moobench/results"
)

// written is a recorder that keeps the rows of each series.
type written struct {
	recorder
	series []string
}

func (w *written) Rows(s results.Series, columns ...[]int64) error {
	w.series = append(w.series, fmt.Sprintf("%s %d × %d", s.Name, len(columns[0]), len(s.Columns)))
	return nil
}

// TestRecord: what became of the requests of a load, by numbers, rows and words.
func TestRecord(t *testing.T) {
	second := int64(time.Second)
	r := &load.Result{
		BeginNS: second, HoldNS: 2 * second, EndNS: 4 * second,
		Ramp: []load.Sample{{SentNS: second, DoneNS: second + 5}, {SentNS: second, DoneNS: second + 7, Outcome: load.Refused}},
		Hold: []load.Sample{
			{SentNS: 2 * second, DoneNS: 2*second + 9},
			{SentNS: 2 * second, DoneNS: 2*second + 9, Outcome: load.Wrong},
			{SentNS: 3 * second, DoneNS: 3*second + 9},
			{SentNS: 3 * second, DoneNS: 5 * second, Outcome: load.Late},
			{SentNS: 3 * second, DoneNS: 3*second + 2, Outcome: load.Reset},
			{SentNS: 3 * second, DoneNS: 5 * second, Outcome: load.TimedOut},
		},
		Wrong: []load.WrongAnswer{{AtNS: 2*second + 1_400_000, Request: "GET /", Status: 500, Body: "oh", Why: "status 500"}},
		Own:   load.Own{CPUShare: 0.25, LagP99NS: 42},
	}
	w := &written{recorder: recorder{scalars: map[string]float64{}}}
	if err := record(w, load.Load{Hold: 2 * time.Second}, r, time.Second); err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{
		"requests": 6, "lost": 3, "requests_all": 8, "lost_all": 4, "right": 2, "wrong": 1, "refused": 0, "reset": 1, "timed_out": 1, "truncated": 0,
		"late": 1, "throughput": 1, "lag_p99": 42, "load_cpu": 0.25,
	}
	if diff := cmp.Diff(want, w.scalars); diff != "" {
		t.Errorf("scalars (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"request 5 × 6", "broken 1 × 6", "ramp 1 × 6", "ramp_broken 1 × 6", "timeline 30 × 6"}, w.series); diff != "" {
		t.Errorf("series (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{`a wrong answer to GET /, 1.001s after the load began: status 500; status 500, body "oh"`}, w.warnings); diff != "" || w.void+w.late != "" {
		t.Errorf("%q, %q; warnings (-want +got):\n%s", w.void, w.late, diff)
	}
	r.Own.LagP99NS, r.Own.Words = 2*second, []string{"it was busy"}
	if err := record(w, load.Load{Hold: 2 * time.Second}, r, time.Second); err != nil || !strings.HasPrefix(w.late, "1 % of the requests were sent 2s late or more, and lag_bound is 1s: ") ||
		!strings.HasPrefix(w.warnings[len(w.warnings)-1], "it was busy; lower rate or clients") {
		t.Errorf("%v: %s; %q", err, w.late, w.warnings)
	}
	r.Ramp, r.Hold, r.Own = nil, r.Hold[:1], load.Own{}
	w = &written{recorder: recorder{scalars: map[string]float64{}}}
	if err := record(w, load.Load{Hold: 2 * time.Second}, r, time.Second); err != nil || len(w.series) != 2 {
		t.Errorf("%v: what has no row is left out: %q", err, w.series)
	}
}

// TestBorne: what a server bears is what it answers while the load is held; a rate that it does not bear is named.
func TestBorne(t *testing.T) {
	second := int64(time.Second)
	r := &load.Result{HoldNS: second, EndNS: 3 * second}
	at := func(sent, done float64, o load.Outcome) load.Sample {
		return load.Sample{SentNS: int64(sent * 1e9), DoneNS: int64(done * 1e9), Outcome: o}
	}
	r.Ramp = []load.Sample{at(0.5, 1, load.Right), at(0.5, 1.5, load.Right)}
	r.Hold = []load.Sample{
		at(1, 2, load.Right), at(1, 3, load.Late), at(1, 2, load.Wrong), at(1, 3.1, load.Late), at(1, 2, load.Refused), at(1, 2, load.Reset), at(1, 2, load.TimedOut), at(0, 2, load.Late),
	}
	if got := Answered(r); got != 2 {
		t.Errorf("%v answers a second, want 2", got)
	}
	const says = "the server answered 94 of 100 requests in time at 50/s, and handles about 47/s: latencies are those of a growing queue; " +
		"lower rate in its [[scenario]] (moobench cost: --rate)"
	for _, c := range []struct {
		arrival  load.Arrival
		late     int
		expected string
	}{{load.Constant, 5, ""}, {load.Constant, 6, says}, {load.Closed, 50, ""}, {load.Poisson, 6, says}} {
		hold := make([]load.Sample, 100)
		for i := range hold {
			hold[i] = at(1, 2, load.Right)
			switch {
			case i < c.late:
				hold[i].Outcome = load.TimedOut
			case i == c.late:
				hold[i].Outcome = load.Wrong
			}
		}
		if got := NotBorne(load.Load{Arrival: c.arrival, Rate: 50}, &load.Result{HoldNS: second, EndNS: 3 * second, Hold: hold}); got != c.expected {
			t.Errorf("%s, %d late: %q, want %q", c.arrival, c.late, got, c.expected)
		}
	}
	if got := NotBorne(load.Load{Arrival: load.Constant}, &load.Result{}); got != "" {
		t.Errorf("nothing was sent: %s", got)
	}
}

// TestCheck: parameters that don't go together are refused by their name.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		parameters map[string]string
		key, why   string
	}{
		{map[string]string{arrival: "closed", think: "5"}, "", ""},
		{map[string]string{arrival: "closed", Rate: defaultRate}, "", ""},
		{map[string]string{arrival: "closed", Rate: "7"}, Rate, "rate means nothing with arrival = closed"},
		{map[string]string{arrival: "constant", Rate: "7"}, "", ""},
		{map[string]string{arrival: "poisson", think: "1"}, think, "think means nothing with arrival = poisson"},
		{map[string]string{arrival: "constant", lateAfter: "5", lostAfter: "5"}, "", ""},
		{map[string]string{arrival: "constant", lateAfter: "6", lostAfter: "5"}, lateAfter, "no answer can be later than late_after: it is lost by then"},
	} {
		var cell results.Cell
		for name, value := range c.parameters {
			cell.Parameters = append(cell.Parameters, results.Value{Name: name, Value: value})
		}
		got := Check(&cell)
		if len(got) > 1 || (len(got) == 1) != (c.key != "") || len(got) == 1 && (got[0].Key != c.key || !strings.HasPrefix(got[0].Why, c.why)) {
			t.Errorf("%v: %+v, want %s", c.parameters, got, c.key)
		}
	}
}

// TestSettings: each parameter of a cell has its place in the load, and the block is the seed.
func TestSettings(t *testing.T) {
	var cell results.Cell
	for i, name := range []string{Clients, Rate, ramp, hold, think, lostAfter, lateAfter, lagBound, searchStep} {
		cell.Parameters = append(cell.Parameters, results.Value{Name: name, Value: fmt.Sprint(i + 1)})
	}
	cell.Parameters = append(cell.Parameters, results.Value{Name: arrival, Value: "poisson"})
	want := Settings{LagBound: 8, SearchStep: 9, Load: load.Load{
		Arrival: load.Poisson, Clients: 1, Rate: 2, Ramp: 3, Hold: 4, Think: 5, Timeout: 6, LateAfter: 7, Seed: 12,
	}}
	if diff := cmp.Diff(want, SettingsOf(&cell, 12)); diff != "" {
		t.Error(diff)
	}
	if w := want.Work(true); w.MayTakeNS != 7+600e9 || w.TakesNS != 7 {
		t.Errorf("a search may take %v ns", w.MayTakeNS)
	}
}

// TestMetrics: wrong answers alone spoil a baseline, and each outcome is counted out of the requests of the hold.
func TestMetrics(t *testing.T) {
	names := map[string]bool{}
	for _, m := range append(Metrics(), ProcessMetrics()...) {
		if names[m.Name] {
			t.Errorf("%s is there twice", m.Name)
		}
		names[m.Name] = true
		if (m.BaselineMost > 0) != (m.Name == "wrong") || m.BaselineMost > 0.01 || m.Primary != (m.Name == Latency) {
			t.Errorf("%+v", m)
		}
		if m.Of != "" && m.Of != "requests" && m.Of != "requests_all" {
			t.Errorf("%s is counted out of %s", m.Name, m.Of)
		}
	}
	for _, name := range append(results.Outcomes[:0:0], results.Outcomes...) {
		if !names[strings.ReplaceAll(name, " ", "_")] {
			t.Errorf("nobody counts what is %s", name)
		}
	}
	for _, name := range Timed {
		if !names[name] && name != results.DerivedSettled {
			t.Errorf("there is no metric %s", name)
		}
	}
}
