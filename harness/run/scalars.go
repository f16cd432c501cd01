package run

import (
	"moobench/harness/jvm"
	"moobench/results"
)

// finish turns what was observed of a successful attempt into its scalars.
func (a *attempt) finish(wallNS int64) {
	rec, got := a.rec, a.got
	rec.Scalar(WallNS, float64(wallNS))
	a.startup()
	if rec.end.MonotonicNS > 0 { // else the scenario opened no window
		a.window()
		a.untilExit()
	}
	rec.Scalar(WrittenBytes, float64(a.written))
	if a.redefinitions >= 0 {
		rec.Scalar(ClassesRedef, float64(a.redefinitions))
	}
	if a.source != nil && len(a.source.Vars()) > 0 { // it has a port
		rec.Scalar(ReceivedBytes, float64(got.Proof.Bytes))
	}
	if got.Proof.ByExit > 0 && got.Proof.DrainNS > 0 {
		rec.Scalar(DrainNS, float64(got.Proof.DrainNS))
	}
	a.perCall()
	got.Series, got.Scalars, got.Warnings, got.Void = rec.series, rec.scalars, rec.warnings, rec.void
	got.Disturbed = disturbance(rec.disturbed, a.knobs)
}

// perCall records how many records a call made, where a pattern leaves that
// open and the probe itself didn't tell: all that arrived, over all calls.
func (a *attempt) perCall() {
	c, n := a.inv.Cell, a.got.Proof.ByExit
	if _, told := a.rec.scalars[RecordsPerCall]; told || c.Pattern() == "" || c.Proof.Kind != results.ProofCount || n == 0 {
		return
	}
	a.rec.Scalar(RecordsPerCall, float64(n)/float64(max(1, c.Calls())))
}

// startup records what it took to reach main, and the peak of memory.
func (a *attempt) startup() {
	l := a.life
	if l.mainNS > 0 {
		a.rec.Scalar(StartupNS, float64(l.mainNS-l.startNS))
		a.rec.Scalar(StartupCPUNS, l.greeted.CPUNS)
	}
	if l.lastKnown {
		a.rec.Scalar(RSSPeakBytes, l.last.PeakRSSBytes)
	}
}

// window records what the process used between Begin and End.
func (a *attempt) window() {
	rec, calls := a.rec, max(1, a.inv.Cell.Calls())
	b, e := rec.begin, rec.end
	rec.Scalar(CPUNS, (e.CPUNS-b.CPUNS)/float64(calls))
	rec.Scalar(HarnessCPUNS, float64(rec.selfEnd-rec.selfBegin))
	rec.Scalar(Voluntary, e.Voluntary-b.Voluntary)
	rec.Scalar(Involuntary, e.Involuntary-b.Involuntary)
	a.counters(b.HSPerf, e.HSPerf)
}

// counters records the JVM's own counters. Those that this JDK lacks are NaN,
// which Scalar leaves out.
func (a *attempt) counters(b, e jvm.HSPerf) {
	rec := a.rec
	rec.Scalar(GCCount, e.GCCount-b.GCCount)
	rec.Scalar(GCNS, e.GCNS-b.GCNS)
	rec.Scalar(SafepointNS, e.SafepointNS-b.SafepointNS)
	rec.Scalar(JITNS, e.JITNS)
	rec.Scalar(ClassesLoaded, e.ClassesLoaded)
}

// untilExit records the CPU time of the whole process from the first call to
// its exit, and spreads it over the records that were delivered: what a queue
// exports after the last call is paid as well. Writing our samples down is not.
func (a *attempt) untilExit() {
	if !a.life.lastKnown {
		return
	}
	ours := a.life.last.CPUNS - a.rec.end.CPUNS
	cpu := float64(a.life.exit.UserNS+a.life.exit.SystemNS) - a.rec.begin.CPUNS - ours
	a.rec.Scalar(CPUExitNS, cpu)
	if n := a.got.Proof.ByExit; n > 0 && a.inv.Cell.Proof.Kind == results.ProofCount {
		a.rec.Scalar(CPUPerRecordNS, cpu/float64(n))
	}
}
