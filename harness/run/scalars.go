package run

import "moobench/results"

// finish turns what was observed of a successful attempt into its scalars.
func (a *attempt) finish(wallNS int64) {
	rec, got := a.rec, a.got
	rec.Scalar(WallNS, float64(wallNS))
	if a.life.mainNS > 0 {
		rec.Scalar(StartupNS, float64(a.life.mainNS-a.life.startNS))
		rec.Scalar(StartupCPUNS, a.life.greeted.CPUNS)
	}
	if a.life.lastKnown {
		rec.Scalar(RSSPeakBytes, a.life.last.PeakRSSBytes)
	}
	if rec.end.MonotonicNS > 0 { // else the scenario opened no window
		a.window()
	}
	rec.Scalar(WrittenBytes, float64(a.written))
	if a.redefinitions >= 0 {
		rec.Scalar(ClassesRedef, float64(a.redefinitions))
	}
	if a.source != nil && len(a.source.Vars()) > 0 { // it has a port
		rec.Scalar(ReceivedBytes, float64(got.Proof.Bytes))
	}
	if got.Proof.ByExit > 0 && got.Proof.DrainNS > 0 {
		rec.Scalar(drainNS, float64(got.Proof.DrainNS))
	}
	c := &a.inv.Cell
	if _, told := rec.scalars[RecordsPerCall]; !told && c.Work.Pattern != "" && a.counted() > 0 { // all that arrived, over all calls
		rec.Scalar(RecordsPerCall, float64(a.counted())/float64(max(1, c.Calls())))
	}
	got.Series, got.Scalars, got.Warnings, got.Invalid = rec.series, rec.scalars, rec.warnings, rec.invalid
	got.Disturbed = disturbance(rec.disturbed, a.knobs)
}

// counted is the number of delivered records, 0 where something else than their count is
// the proof.
func (a *attempt) counted() int64 {
	if a.inv.Cell.Proof.Kind != results.ProofCount {
		return 0
	}
	return a.got.Proof.ByExit
}

// window records what the process used between Begin and End, and its CPU time from the
// first call to its exit, also per delivered record: what a queue exports after the last
// call is part of the cost. Dumping our samples is not. Counters that this JDK lacks are
// NaN, which Scalar leaves out.
func (a *attempt) window() {
	rec, calls := a.rec, max(1, a.inv.Cell.Calls())
	b, e := rec.begin, rec.end
	rec.Scalar(CPUNS, (e.CPUNS-b.CPUNS)/float64(calls))
	rec.Scalar(HarnessCPUNS, float64(rec.selfEnd-rec.selfBegin))
	rec.Scalar(voluntary, e.Voluntary-b.Voluntary)
	rec.Scalar(involuntary, e.Involuntary-b.Involuntary)
	rec.Scalar(gcCount, e.GCCount-b.GCCount)
	rec.Scalar(gcNS, e.GCNS-b.GCNS)
	rec.Scalar(safepointNS, e.SafepointNS-b.SafepointNS)
	rec.Scalar(jitNS, e.JITNS)
	rec.Scalar(classesLoaded, e.ClassesLoaded)
	if !a.life.lastKnown {
		return
	}
	ours := a.life.last.CPUNS - e.CPUNS
	cpu := float64(a.life.exit.UserNS+a.life.exit.SystemNS) - b.CPUNS - ours
	rec.Scalar(cpuExitNS, cpu)
	if n := a.counted(); n > 0 {
		rec.Scalar(cpuPerRecordNS, cpu/float64(n))
	}
}
