package run

import (
	"fmt"

	"moobench/harness/jvm"
	"moobench/results"
)

// finish turns what was observed of a subject that ended well into scalars, and leaves in
// its folder what is sealed.
func (a *attempt) finish() error {
	lost, err := repairFolder(a.dir)
	if err != nil {
		return fmt.Errorf("looking at the invocation's folder: %w", err)
	}
	if lost != "" {
		return jvm.Failuref(kindFolder, "the subject %s, %s, and its log with it: have it write and remove elsewhere", lost, a.dir)
	}
	if n := redefinitions(a.dir); n >= 0 {
		a.Scalar(ClassesRedef, float64(n))
	}
	written, err := sweep(a.dir, ".log", ".i64") // sealing turns raw dumps into samples
	if err != nil {
		return err
	}
	a.Scalar(WrittenBytes, float64(written-a.given))
	s, proof := a.subject, &a.got.Proof
	if s.mainNS > 0 {
		a.Scalar(StartupNS, float64(s.mainNS-s.StartNS()))
		a.Scalar(StartupCPUNS, s.vm.Greeted().CPUNS)
	}
	if s.last.MonotonicNS > 0 {
		a.Scalar(RSSPeakBytes, s.last.PeakRSSBytes)
	}
	if a.end.MonotonicNS > 0 { // else there was no window, or all of its life was in it
		a.inWindow()
	}
	if a.source != nil && len(a.source.Vars()) > 0 { // it has a port
		a.Scalar(ReceivedBytes, float64(proof.Bytes))
	}
	if proof.ByExit > 0 && proof.DrainNS > 0 {
		a.Scalar(drainNS, float64(proof.DrainNS))
	}
	c := &a.inv.Cell
	if _, told := a.got.Scalars[RecordsPerCall]; !told && c.Work.Pattern != "" && a.counted() > 0 { // all that arrived, over all calls
		a.Scalar(RecordsPerCall, float64(a.counted())/float64(max(1, c.Calls())))
	}
	return nil
}

// counted is the number of delivered records, 0 where something else than their count is
// the proof.
func (a *attempt) counted() int64 {
	if a.inv.Cell.Proof.Kind != results.ProofCount {
		return 0
	}
	return a.got.Proof.ByExit
}

// inWindow records what the process used between Begin and End, and its CPU time from the
// first call to its exit, also per delivered record: what a queue exports after the last
// call is part of the cost. Dumping our samples is not. Counters that this JDK lacks are
// NaN, which Scalar leaves out.
func (a *attempt) inWindow() {
	b, e, s := a.begin, a.end, a.subject
	for name, value := range map[string]float64{
		CPUNS:     (e.CPUNS - b.CPUNS) / float64(max(1, a.inv.Cell.Calls())),
		voluntary: e.Voluntary - b.Voluntary, involuntary: e.Involuntary - b.Involuntary,
		gcCount: e.GCCount - b.GCCount, gcNS: e.GCNS - b.GCNS,
		safepointNS: e.SafepointNS - b.SafepointNS, jitNS: e.JITNS, classesLoaded: e.ClassesLoaded,
	} {
		a.Scalar(name, value)
	}
	if s.last.MonotonicNS == 0 {
		return
	}
	ours := s.last.CPUNS - e.CPUNS
	cpu := float64(s.exit.UserNS+s.exit.SystemNS) - b.CPUNS - ours
	a.Scalar(cpuExitNS, cpu)
	if n := a.counted(); n > 0 {
		a.Scalar(cpuPerRecordNS, cpu/float64(n))
	}
}
