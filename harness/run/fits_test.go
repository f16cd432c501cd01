package run

import (
	"math"
	"strings"
	"testing"

	"moobench/harness/jvm"
	"moobench/results"
	"moobench/results/summary"
)

// TestFits: what a fixture says of a loop and what it took are judged by what can both be true. All
// loops have a million samples of 1 µs and 4000 references of 5 µs, and take 1.1 s, unless they say
// otherwise.
func TestFits(t *testing.T) {
	const sample, reference, loop = 1e9, 20e6, 1.1e9
	for _, c := range []struct {
		name    string
		sums    map[string]float64 // of series; nil: those of all loops
		scalars map[string]float64 // beside those of the loop
		gone    []string           // scalars that are not known
		wants   string             // "": it fits
	}{
		{name: "as it was"},
		{name: "nothing is known of the loop", sums: map[string]float64{"duration": 1e12}, gone: []string{threadsLoopNS}},
		{name: "samples too long", sums: map[string]float64{"duration": 1.4e9, "reference": reference}, wants: "duration of thread 0 sums up to 1.4s in column t, and the loop took 1.1s"},
		{name: "just over", sums: map[string]float64{"duration": 1.31e9, "reference": reference}, wants: "sum up to 1.33s, and the threads of the loop took 1.1s"},
		{name: "just within", sums: map[string]float64{"duration": 1.25e9, "reference": reference}},
		{name: "a slow loop whose samples are short", sums: map[string]float64{"duration": 7e6, "reference": reference}, scalars: map[string]float64{LoopNS: 9e9, threadsLoopNS: 9e9, threadsCPUNS: 9e9}, wants: "took 9s of CPU time"},
		{name: "one that slept", sums: map[string]float64{"duration": 7e6, "reference": reference}, scalars: map[string]float64{LoopNS: 9e9, threadsLoopNS: 9e9}, wants: "ran for 8.998s"},
		{name: "one that waited for a CPU", sums: map[string]float64{"duration": 2e9, "reference": reference}, scalars: map[string]float64{LoopNS: 9e9, threadsLoopNS: 9e9, RunDelayNS: 6e9}},
		{name: "one during collections", sums: map[string]float64{"duration": 2e9, "reference": reference}, scalars: map[string]float64{LoopNS: 9e9, threadsLoopNS: 9e9, safepointNS: 6e9}},
		{name: "nobody knows why it stood still", sums: map[string]float64{"duration": 2e9, "reference": reference}, scalars: map[string]float64{LoopNS: 9e9, threadsLoopNS: 9e9}, gone: []string{RunDelayNS}},
		{name: "quick calls, between which is most of the loop", sums: map[string]float64{"duration": 20e6, "reference": reference}, scalars: map[string]float64{threadsCPUNS: 1e9}},
		{name: "two threads", sums: map[string]float64{"duration": 1e9, "duration 1": 1e9, "reference": reference}, scalars: map[string]float64{threadsLoopNS: 2.2e9}},
		{name: "two threads, one after the other", sums: map[string]float64{"duration": .5e9, "duration 1": .4e9, "reference": reference}, scalars: map[string]float64{threadsLoopNS: 1.1e9}},
		{name: "more CPU time than the process", scalars: map[string]float64{threadsCPUNS: 3e9}, wants: "its threads took 3s of CPU time, and the whole process 1.2s"},
		{name: "a reference that took more than its times", scalars: map[string]float64{referenceNS: 60e6}, wants: "the reference took 60ms of CPU time, and its times sum up to 20ms"},
		{name: "all of a reference's work", scalars: map[string]float64{referenceNS: 25e6}},
		{name: "compilers, several at a time", sums: map[string]float64{"duration": sample, "reference": reference, "compiling": 2e9}},
		{name: "compilers that worked more than all compilers", sums: map[string]float64{"duration": sample, "reference": reference, "compiling": 4e9}, wants: "all compilers since its start 2.5s"},
		{name: "runs", sums: map[string]float64{"round": 1.09e9, "execution": .5e9}},
		{name: "runs that took no time", sums: map[string]float64{"round": 1e6}, gone: []string{RunDelayNS, threadsCPUNS}, wants: "samples and reference sum up to 1ms"},
		{name: "executions longer than their runs", sums: map[string]float64{"round": 1.09e9, "execution": 2e9}, wants: "execution of thread 0 sums up to 2s"},
		{name: "changes, between which it waits", sums: map[string]float64{"turnaround": 1e6}},
		{name: "changes that took longer", sums: map[string]float64{"turnaround": 2e9}, wants: "turnaround of thread 0"},
		{name: "counts are no times", sums: map[string]float64{"duration": sample, "records": 1e15}},
	} {
		if c.sums == nil {
			c.sums = map[string]float64{"duration": sample, "reference": reference}
		}
		a := &attempt{got: &results.Invocation{Scalars: map[string]float64{
			LoopNS: loop, threadsLoopNS: loop, RunDelayNS: 1e6, threadsCPUNS: 1.05e9, referenceNS: 24e6,
		}}}
		a.end = jvm.Snapshot{CPUNS: 1.2e9, HSPerf: jvm.HSPerf{JITNS: 2.5e9, SafepointNS: 1e6}}
		var columns []summary.Column
		for name, sum := range c.sums {
			series, second := strings.CutSuffix(name, " 1")
			s := results.Series{Name: series, Count: 1e6, Columns: []results.Column{{Name: "t", Unit: "ns", Kind: results.KindDuration}}}
			if second {
				s.Thread = 1
			}
			if series == "records" {
				s.Columns[0].Kind = results.KindCount
			}
			a.got.Series = append(a.got.Series, s)
			columns = append(columns, summary.Column{Series: series, Thread: s.Thread, Name: "t", Sum: []float64{sum / 4, sum / 2, sum / 4}})
		}
		for name, value := range c.scalars {
			a.got.Scalars[name] = value
			if name == safepointNS {
				a.end.SafepointNS = value
			}
		}
		for _, name := range c.gone {
			delete(a.got.Scalars, name)
		}
		err := a.fits(columns)
		if (err == nil) != (c.wants == "") || err != nil && !strings.Contains(err.Error(), c.wants) {
			t.Errorf("%s: %v, want %q", c.name, err, c.wants)
		}
	}
}

// TestFitsWithoutCounters: what a JVM or a kernel doesn't tell is nothing to judge by.
func TestFitsWithoutCounters(t *testing.T) {
	a := &attempt{got: &results.Invocation{Scalars: map[string]float64{LoopNS: 9e9, threadsLoopNS: 9e9, threadsCPUNS: 8e9}}}
	a.begin = jvm.Snapshot{CPUNS: math.NaN(), HSPerf: jvm.HSPerf{JITNS: math.NaN(), SafepointNS: math.NaN()}}
	a.end = a.begin
	a.got.Series = []results.Series{{Name: "duration", Count: 1e6, Columns: []results.Column{{Name: "t", Unit: "ns", Kind: results.KindDuration}}}}
	if err := a.fits([]summary.Column{{Series: "duration", Name: "t", Sum: []float64{8.5e9}}}); err != nil {
		t.Error(err)
	}
}
