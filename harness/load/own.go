package load

import (
	"fmt"
	"os"
	"slices"

	"golang.org/x/sys/unix"

	"moobench/harness/proc"
	"moobench/results"
	"moobench/results/summary"
)

// busy is the share of our CPUs above which we may ourselves contribute to the latencies.
const busy = 0.8

// watch waits for the end of the load, and returns the mean number of CPUs that this process used during the hold.
func (s *sender) watch() float64 {
	a := s.alarm()
	defer a.close()
	if !a.until(s.holdNS) {
		return 0
	}
	atNS, cpuNS := s.clock.now(), proc.CPUNS(os.Getpid())
	if !a.until(s.endNS) {
		return 0
	}
	return (proc.CPUNS(os.Getpid()) - cpuNS) / float64(max(1, s.clock.now()-atNS))
}

// result assembles the recorded samples, in order of due time.
func (s *sender) result(samples, apart []Sample, busyCPUs float64) *Result {
	var cpus unix.CPUSet
	if err := unix.SchedGetaffinity(os.Getpid(), &cpus); err != nil {
		s.fail(fmt.Errorf("reading which CPUs we may use: %w", err))
		return nil
	}
	own := Own{CPUShare: busyCPUs / float64(max(1, cpus.Count())), Waited: s.waited.Load()}
	for i := range samples {
		if sample := &samples[i]; sample.SentNS == 0 {
			sample.SentNS, sample.DoneNS, sample.Outcome = s.endNS, s.endNS, Late
			own.Unsent++
		}
	}
	if own.Waited > 0 {
		own.Words = append(own.Words, fmt.Sprintf("%d of %d requests were due while all %d clients were busy, "+
			"and waited for one; %d of %d were never sent",
			own.Waited, len(samples), s.Clients, own.Unsent, len(samples)))
	}
	if own.CPUShare >= busy {
		own.Words = append(own.Words, fmt.Sprintf("the load generator used %.0f %% of its CPUs: "+
			"part of the latency may be its own", 100*own.CPUShare))
	}
	slices.SortStableFunc(apart, byDue)
	hold, _ := slices.BinarySearchFunc(samples, Sample{intendedNS: s.holdNS}, byDue)
	r := &Result{
		BeginNS: s.beginNS, HoldNS: s.holdNS, EndNS: s.endNS,
		Ramp: samples[:hold:hold], Hold: samples[hold:], Asides: apart, Wrong: s.wrong, Own: own,
	}
	r.Own.LagP99NS = r.lag(0.99)
	return r
}

// lag is a quantile of our own delay in sending the requests due during the hold, in ns.
func (r *Result) lag(p float64) int64 {
	lags := results.Each(r.Hold, Sample.lagNS)
	slices.Sort(lags)
	return summary.NearestRank(lags, p)
}
