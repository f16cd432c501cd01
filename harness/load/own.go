package load

import (
	"fmt"
	"os"
	"runtime/debug"
	"slices"

	"golang.org/x/sys/unix"

	"moobench/results/summary"
)

// busy is the share of our CPUs above which the latencies may be our own.
const busy = 0.8

// usage is what this process had used at some time, or used between two.
type usage struct {
	atNS, cpuNS, pauseNS, gcs int64
}

// watch waits for the end of the load, and returns what was used during the hold.
func (s *sender) watch() usage {
	a := s.alarm()
	defer a.close()
	if !a.until(s.holdNS) {
		return usage{}
	}
	begin := s.usage()
	if !a.until(s.endNS) {
		return usage{}
	}
	end := s.usage()
	return usage{end.atNS - begin.atNS, end.cpuNS - begin.cpuNS, end.pauseNS - begin.pauseNS, end.gcs - begin.gcs}
}

func (s *sender) usage() usage {
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		s.fail(fmt.Errorf("reading our own CPU time: %w", err))
	}
	var gc debug.GCStats
	debug.ReadGCStats(&gc)
	return usage{s.clock.now(), used.Utime.Nano() + used.Stime.Nano(), int64(gc.PauseTotal), gc.NumGC}
}

// result puts together what was recorded, in order.
func (s *sender) result(samples []Sample, apart []AsideSample, used usage) *Result {
	own := Own{
		GCPauseNS: used.pauseNS, GCs: used.gcs,
		MaxUnderWay: int(s.mostUnderWay.Load()), Waited: s.waited.Load(),
	}
	var cpus unix.CPUSet
	if err := unix.SchedGetaffinity(os.Getpid(), &cpus); err != nil {
		s.fail(fmt.Errorf("reading which CPUs we may use: %w", err))
		return nil
	}
	own.CPUShare = float64(used.cpuNS) / float64(max(1, used.atNS)) / float64(max(1, cpus.Count()))
	for i := range samples {
		if sample := &samples[i]; sample.SentNS == 0 {
			sample.SentNS, sample.DoneNS, sample.Outcome = s.endNS, s.endNS, Late
			own.Unsent++
		}
	}
	hold, _ := slices.BinarySearchFunc(samples, Sample{IntendedNS: s.holdNS}, byDue)
	r := &Result{
		BeginNS: s.beginNS, HoldNS: s.holdNS, EndNS: s.endNS,
		Ramp: samples[:hold:hold], Hold: samples[hold:], Asides: apart, Wrong: s.wrong, Own: own,
	}
	slices.SortStableFunc(r.Asides, func(a, b AsideSample) int { return byDue(a.Sample, b.Sample) })
	lags := make([]int64, len(r.Hold))
	for i, sample := range r.Hold {
		lags[i] = sample.LagNS()
	}
	slices.Sort(lags)
	r.Own.LagP50NS, r.Own.LagP99NS = summary.NearestRank(lags, 0.5), summary.NearestRank(lags, 0.99)
	r.Own.LagMaxNS = summary.NearestRank(lags, 1)
	if own.Waited > 0 {
		r.Own.Words = append(r.Own.Words, fmt.Sprintf("%d of %d requests were due while all %d clients were busy, and waited for one; %d of %d were never sent",
			own.Waited, len(samples), s.Clients, own.Unsent, len(samples)))
	}
	if own.CPUShare >= busy {
		r.Own.Words = append(r.Own.Words, fmt.Sprintf("the load generator used %.0f %% of its CPUs: part of the latency may be its own", 100*own.CPUShare))
	}
	return r
}
