package serving

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"moobench/harness/load"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

// recorder remembers what it is told.
type recorder struct {
	run.Recorder
	scalars  map[string]float64
	warnings []string
	void     string
	late     string // why latencies are void
}

func (r *recorder) Scalar(name string, value float64)         { r.scalars[name] = value }
func (r *recorder) Rows(s results.Series, _ ...[]int64) error { return nil }
func (r *recorder) Invalid(format string, args ...any)        { r.void = fmt.Sprintf(format, args...) }

func (r *recorder) Void(_ []string, format string, args ...any) {
	r.late = fmt.Sprintf(format, args...)
}

func (r *recorder) Warn(format string, args ...any) {
	r.warnings = append(r.warnings, fmt.Sprintf(format, args...))
}

func TestInvalid(t *testing.T) {
	for _, c := range []struct {
		name string
		own  load.Own
		void string
	}{
		{"in time", load.Own{LagP99NS: 10e6}, ""},
		{"late", load.Own{LagP99NS: 11e6}, "sent 11ms late or more, and lag_bound is 10ms"},
		{"the server kept all clients busy", load.Own{LagP99NS: 500e6, Waited: 20, Words: []string{"20 waited"}}, ""},
		{"few waited", load.Own{LagP99NS: 500e6, Waited: 1}, "500ms late"},
		{"both are busy", load.Own{LagP99NS: 500e6, Waited: 20, CPUShare: 0.95}, "500ms late"},
		{"own CPUs are busy, but in time", load.Own{CPUShare: 0.99, Words: []string{"used 99 %"}}, ""},
	} {
		f := &recorder{scalars: map[string]float64{}}
		judge(f, &load.Result{Own: c.own, Hold: make([]load.Sample, 1000)}, 10*time.Millisecond)
		if f.void != "" || (f.late == "") != (c.void == "") || !strings.Contains(f.late, c.void) || len(f.warnings) != len(c.own.Words) {
			t.Errorf("%s: void %q, latencies %q, want %q; warned %q", c.name, f.void, f.late, c.void, f.warnings)
		}
	}
	f := &recorder{}
	if judge(f, &load.Result{Ramp: make([]load.Sample, 10)}, time.Second); !strings.Contains(f.void, "no request was due") {
		t.Errorf("nothing was due, void %q", f.void)
	}
}

// A server that stalls from the ramp on answers nothing while the load is held: the
// requests that all clients wait for are that load, and none is left out.
func TestStalledServerIsNotInvalid(t *testing.T) {
	r := &load.Result{HoldNS: 1000, EndNS: 2000, Ramp: []load.Sample{
		{SentNS: 100, DoneNS: 200}, {SentNS: 900, DoneNS: 2500, Outcome: load.TimedOut}, {SentNS: 950, DoneNS: 2100, Outcome: load.Late},
	}}
	f := &recorder{scalars: map[string]float64{}}
	if err := record(f, load.Load{Hold: time.Second}, r, time.Millisecond); err != nil || f.void != "" || len(f.warnings) != 1 {
		t.Errorf("%v, void %q, warned %q", err, f.void, f.warnings)
	}
	for name, want := range map[string]float64{"requests": 2, Lost: 1, "late": 1, "requests_all": 3, "lost_all": 1} {
		if f.scalars[name] != want {
			t.Errorf("%s: %v, want %v", name, f.scalars[name], want)
		}
	}
}

// mortal is a subject that is gone when its channel is closed.
type mortal struct {
	run.Subject
	done chan struct{}
}

func (m mortal) Done() <-chan struct{} { return m.done }

func TestWhileAlive(t *testing.T) {
	m := mortal{done: make(chan struct{})}
	alive, cancel := WhileAlive(t.Context(), m)
	if alive.Err() != nil {
		t.Error("it ended before the subject")
	}
	close(m.done)
	<-alive.Done()
	if !errors.Is(context.Cause(alive), ErrDied) {
		t.Errorf("it ended because %v", context.Cause(alive))
	}
	cancel()
	alive, cancel = WhileAlive(t.Context(), mortal{})
	cancel()
	<-alive.Done()
	if errors.Is(context.Cause(alive), ErrDied) {
		t.Error("what was never started has died")
	}
}

func TestWork(t *testing.T) {
	of := func(arrival, rate, clients, think string) results.Cell {
		return results.Cell{Parameters: []results.Value{
			{Name: "arrival", Value: arrival},
			{Name: Rate, Value: rate},
			{Name: Clients, Value: clients},
			{Name: "think", Value: think},
			{Name: "ramp", Value: "1000000000"},
			{Name: "hold", Value: "9000000000"},
		}}
	}
	for _, test := range []struct {
		name     string
		cell     results.Cell
		requests int64
		ns       float64
	}{
		{"an open loop sends its rate", of("poisson", "1000", "200", "0"), 10_000, 10e9},
		{"clients that think send one at a time", of("closed", "1000", "200", "1000000000"), 2000, 10e9},
		{"clients that don't send what a server answers", of("closed", "1000", "200", "0"), 200_000, 10e9},
		{"more than anybody sends", of("poisson", "9000000000000000000", "200", "0"), plan.MostSamples, 10e9},
		{"without a load there are none", results.Cell{}, 0, 0},
	} {
		got := SettingsOf(&test.cell, 0).Work(false)
		if got.Values != 6*test.requests || got.MayTakeNS != test.ns || got.TakesNS != test.ns {
			t.Errorf("%s: %+v, want %d requests, %v ns", test.name, got, test.requests, test.ns)
		}
	}
}
