package run

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/jvm"
	"moobench/results"
)

// answering is a subject that gives one answer to whatever it is asked, and the recorder of it.
type answering struct {
	Subject
	Recorder
	answer   string
	began    int
	end      int64
	recorded []int64
	dumped   int
	scalars  map[string]float64
}

func (o *answering) Start(context.Context) error { return nil }
func (o *answering) Begin() error                { o.began++; return nil }
func (o *answering) End(ns int64) error          { o.end = ns; return nil }
func (o *answering) Recorded(n int64)            { o.recorded = append(o.recorded, n) }
func (o *answering) Dumped(results.Series)       { o.dumped++ }
func (o *answering) Scalar(name string, v float64) {
	o.scalars[name] = v
}

func (o *answering) Ask(context.Context, jvm.Message) ([]jvm.Message, error) {
	m, err := jvm.ParseMessage(o.answer)
	return []jvm.Message{m}, err
}

// TestMeasured: each figure of an answer is kept that a fixture tells, from 0 on; the reference's only above.
func TestMeasured(t *testing.T) {
	for _, c := range []struct {
		answer   string
		want     map[string]float64
		recorded []int64
	}{
		{"measured begin_ns=3 end_ns=10", map[string]float64{LoopNS: 7}, nil},
		{
			"measured begin_ns=3 end_ns=10 delay_ns=0 cpu_ns=0 reference_ns=0 threads_ns=0 recorded=0",
			map[string]float64{LoopNS: 7, RunDelayNS: 0, threadsCPUNS: 0, threadsLoopNS: 0},
			[]int64{0},
		},
		{
			"measured begin_ns=3 end_ns=10 delay_ns=1 cpu_ns=2 reference_ns=3 threads_ns=4 recorded=5",
			map[string]float64{LoopNS: 7, RunDelayNS: 1, threadsCPUNS: 2, referenceNS: 3, threadsLoopNS: 4},
			[]int64{5},
		},
		{
			"measured begin_ns=3 end_ns=10 delay_ns=-1 cpu_ns=-1 reference_ns=-1 threads_ns=-1",
			map[string]float64{LoopNS: 7},
			nil,
		},
	} {
		o := &answering{answer: c.answer, scalars: map[string]float64{}}
		ask := StartFixture(t.Context(), o)
		Measure(ask, o)
		if ask.Err != nil || o.began != 1 || o.end != 10 {
			t.Errorf("%s: %v, from %d to %d", c.answer, ask.Err, o.began, o.end)
		}
		if diff := cmp.Diff(c.want, o.scalars); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.answer, diff)
		}
		if diff := cmp.Diff(c.recorded, o.recorded); diff != "" {
			t.Errorf("%s: records (-want +got):\n%s", c.answer, diff)
		}
	}
}

// TestSamplesOfAProfile: a profile of resources takes the heap instead of samples, and a proof neither.
func TestSamplesOfAProfile(t *testing.T) {
	for _, c := range []struct {
		profile results.Profile
		heap    bool
		none    bool
	}{
		{results.ProfileProof, false, true},
		{results.ProfileResources, true, true},
		{results.ProfileTiming, false, false},
	} {
		o := &answering{answer: "collected heap_used_bytes=7", scalars: map[string]float64{}}
		ask := StartFixture(t.Context(), o)
		series := Samples(ask, c.profile, o)
		if heap, is := o.scalars[HeapAfterGC]; is != c.heap || c.heap && heap != 7 || (series == nil) != c.none ||
			ask.Err != nil {
			t.Errorf("%s: %v, %v, %v", c.profile, o.scalars, series, ask.Err)
		}
	}
}

// TestAskerAfterAnError: the first error stays, and nothing is done after it.
func TestAskerAfterAnError(t *testing.T) {
	o := &answering{answer: "measured end_ns=x", scalars: map[string]float64{}}
	ask := StartFixture(t.Context(), o)
	m := ask.Last("measure", nil)
	if n := ask.Int(m, "end_ns"); n != 0 || ask.Err == nil {
		t.Errorf("%d, %v", n, ask.Err)
	}
	first := ask.Err
	ask.Fail(KindCounts, "another")
	ask.Do(func() error { t.Error("it goes on"); return nil })
	if m, before := ask.Lines("dump", nil); m.Verb != "" || before != nil || ask.Err != first {
		t.Errorf("%v, %v, %v", m, before, ask.Err)
	}
	if Dump(ask) != nil {
		t.Error("series after an error")
	}
}
