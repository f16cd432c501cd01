package run

import (
	"bufio"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"moobench/harness/jvm"
	"moobench/harness/machine/watch"
	"moobench/harness/proc"
	"moobench/harness/receiver"
	"moobench/results"
	"moobench/results/safefile"
)

// Dir implements Recorder, as the methods below do.
func (a *attempt) Dir() string { return a.dir }

// Begin reads the subject first and the machine last, and End the other way round, to keep our own reading out of
// the machine's window. A subject not yet started has used nothing.
func (a *attempt) Begin() error {
	err := a.followJVM()
	if err != nil {
		return fmt.Errorf("beginning the course of the JVM: %w", err)
	}
	if a.subject.PID() != 0 {
		if a.begin, err = a.subject.Snapshot(); err != nil {
			return fmt.Errorf("reading the subject's counters before the window: %w", err)
		}
	}
	a.window, err = watch.OpenWindow(a.cpus, a.subject.PID())
	a.selfNS = proc.CPUNS(os.Getpid())
	if err == nil {
		a.follow()
	}
	return err
}

func (a *attempt) End(endNS int64) error {
	a.course.stop()
	a.selfNS = proc.CPUNS(os.Getpid()) - a.selfNS
	a.Scalar(HarnessCPUNS, a.selfNS)
	a.endNS = endNS
	for _, source := range a.sources {
		if source != nil {
			source.Mark(endNS)
		}
	}
	exit, gone := a.subject.ended()
	gone = gone && a.begin.MonotonicNS == 0
	if gone {
		a.window.Took(exit.UserNS, exit.SystemNS)
	}
	usage, err := a.window.Close()
	if err != nil {
		return fmt.Errorf("reading who used the measured CPUs: %w", err)
	}
	if !gone {
		if a.end, err = a.subject.Snapshot(); err != nil {
			return fmt.Errorf("reading the subject's counters after the window: %w", err)
		}
	}
	a.usage = usage
	a.got.Disturbed = usage.Disturbance()
	a.got.Warnings = append(a.got.Warnings, usage.Warnings()...)
	for name, value := range usage.Scalars() {
		a.Scalar(name, value)
	}
	return a.keepCourse()
}

func (a *attempt) Dumped(s results.Series) { a.got.Series = append(a.got.Series, s) }

func (a *attempt) Rows(s results.Series, columns ...[]int64) error {
	if len(columns) > 0 {
		s.Count = int64(len(columns[0]))
	}
	s.Dump = fmt.Sprintf("own.%d.i64", len(a.got.Series))
	f, err := os.Create(filepath.Join(a.dir, s.Dump))
	if err != nil {
		return fmt.Errorf("writing samples: %w", err)
	}
	sum := crc32.NewIEEE() // the subject can write there, too
	if err := results.WriteDump(io.MultiWriter(f, sum), s, columns...); err != nil {
		return errors.Join(err, f.Close())
	}
	s.Checksum = results.FormatChecksum(sum.Sum32())
	a.Dumped(s)
	return f.Close()
}

func (a *attempt) Scalar(name string, value float64) {
	if !math.IsNaN(value) && !math.IsInf(value, 0) {
		a.got.Scalars[name] = value
	}
}

func (a *attempt) Recorded(n int64) { a.recorded = n }

func (a *attempt) Arrived() []int64 {
	return results.Each(a.sources, func(source receiver.Source) int64 {
		if live, ok := source.(receiver.Live); ok {
			return live.Arrived()
		}
		return -1
	})
}

func (a *attempt) Expected(n int64) { a.got.Proof.Expected = n }

func (a *attempt) AtLeast(name string, value float64) {
	a.got.AtLeast = map[string]float64{name: value}
}

func (a *attempt) Printed(o *results.Output) { a.got.Output = o }

func (a *attempt) Invalid(format string, args ...any) {
	a.got.Invalid = fmt.Sprintf(format, args...)
}

func (a *attempt) Void(metrics []string, format string, args ...any) {
	if a.got.Void == nil {
		a.got.Void = map[string]string{}
	}
	for _, name := range metrics {
		a.got.Void[name] = fmt.Sprintf(format, args...)
	}
}

func (a *attempt) Warn(format string, args ...any) {
	a.got.Warnings = append(a.got.Warnings, fmt.Sprintf(format, args...))
}

// toKeep returns the files to keep in the folder, for pictures, and their size in bytes: those of the first block, as
// good as any other, unless a source calls them too large.
func (a *attempt) toKeep() (names []string, bytes int64) {
	if a.inv.Block != 1 || a.inv.Profile != results.ProfileTiming {
		return nil, 0
	}
	for _, source := range a.sources {
		keeper, ok := source.(receiver.Keeper)
		if !ok {
			continue
		}
		files, most := keeper.Keep()
		sum := int64(0)
		for _, name := range files {
			sum += size(filepath.Join(a.dir, name))
		}
		if sum <= most {
			names, bytes = append(names, files...), bytes+sum
		}
	}
	return names, bytes
}

// finish turns the observations of a subject that ended well into scalars, and leaves in its folder only the files
// to be sealed.
func (a *attempt) finish() error {
	lost, err := repairFolder(a.dir)
	if err != nil {
		return fmt.Errorf("looking at the invocation's folder: %w", err)
	}
	if lost != "" {
		return jvm.Failuref(kindFolder, "the subject %s, %s, and its log with it: have it write and remove elsewhere",
			lost, a.dir)
	}
	redefined, measuring := redefinitions(a.dir)
	a.Scalar(ClassesRedef, redefined)
	if len(measuring) > 0 {
		a.Warn("classes that measure were redefined while it ran: %s", strings.Join(measuring, ", "))
	}
	keep := []string{".log", ".i64"} // sealing turns raw dumps into samples
	kept, bytes := a.toKeep()
	written, err := sweep(a.dir, append(keep, kept...)...)
	if err != nil {
		return err
	}
	a.Scalar(WrittenBytes, float64(written+bytes-a.given))
	s, proof := a.subject, &a.got.Proof
	if s.mainNS > 0 {
		a.Scalar(StartupNS, float64(s.mainNS-s.StartNS()))
		a.Scalar(StartupCPUNS, s.vm.Greeted().CPUNS)
	}
	if s.last.MonotonicNS > 0 {
		a.Scalar(RSSPeakBytes, s.last.PeakRSSBytes)
	}
	a.got.Waited = a.usage.Waited(a.loop())
	if a.end.MonotonicNS > 0 { // otherwise there was no window, or it contained its whole life
		a.inWindow()
	}
	received, listens := int64(0), false
	for i, source := range a.sources {
		if source != nil && len(source.Vars()) > 0 { // its source listens
			received, listens = received+a.got.Proofs()[i].Bytes, true
		}
	}
	if listens {
		a.Scalar(ReceivedBytes, float64(received))
	}
	if proof.ByExit > 0 && proof.DrainNS > 0 {
		a.Scalar(drainNS, float64(proof.DrainNS))
	}
	c := &a.inv.Cell
	// All that arrived, over all calls.
	if _, told := a.got.Scalars[RecordsPerCall]; !told && c.Work.Pattern != "" && a.counted() > 0 {
		a.Scalar(RecordsPerCall, float64(a.counted())/float64(max(1, c.Calls())))
	}
	return nil
}

// known returns a scalar, or NaN if unknown.
func (a *attempt) known(name string) float64 {
	if x, ok := a.got.Scalars[name]; ok {
		return x
	}
	return math.NaN()
}

// loop describes the timed loop, as far as its threads reported.
func (a *attempt) loop() watch.Loop {
	l := watch.Loop{LengthNS: a.known(LoopNS), CPUNS: a.known(threadsCPUNS), DelayNS: a.known(RunDelayNS)}
	for _, s := range a.got.Series {
		l.Threads = max(l.Threads, s.Thread+1)
	}
	return l
}

// counted returns the number of delivered records; 0 if the proof is not their count.
func (a *attempt) counted() int64 {
	if a.inv.Cell.Proof.Kind != results.ProofCount {
		return 0
	}
	return a.got.Proof.ByExit
}

// inWindow records the process's resource usage between Begin and End, and its CPU time from the first call to its
// exit, also per delivered record: exporting a queue after the last call is part of the cost. The CPU time of the
// reference and of the dump of our samples is subtracted. Counters that this JDK lacks are NaN, which Scalar
// ignores.
func (a *attempt) inWindow() {
	b, e, s := a.begin, a.end, a.subject
	a.got.Threads = s.threadsIn(b, e)
	e.CPUNS -= a.got.Scalars[referenceNS]
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
	ours := s.last.CPUNS - e.CPUNS // including the reference
	cpu := float64(s.exit.UserNS+s.exit.SystemNS) + s.exit.OutlivedNS - b.CPUNS - ours
	a.Scalar(cpuExitNS, cpu)
	if n := a.counted(); n > 0 {
		a.Scalar(cpuPerRecordNS, cpu/float64(n))
	}
}

// redefineLog is the file to which the JVM logs each class that it redefines, and nothing else. No counter of the
// JVM shows this from outside.
const redefineLog = "redefine.log"

// measuringPackage is the package of the classes that measure.
const measuringPackage = "moobench.kernel."

// redefinitions counts the redefined and retransformed classes (NaN: unknown), and names up to fewClasses distinct
// ones that measure.
func redefinitions(dir string) (n float64, measuring []string) {
	f, err := safefile.Open(filepath.Join(dir, redefineLog))
	if err != nil {
		return math.NaN(), nil
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		_, name, is := strings.Cut(lines.Text(), "redefined name=")
		if !is {
			continue
		}
		n++
		name, _, _ = strings.Cut(name, ",")
		further := len(measuring) < fewClasses && !slices.Contains(measuring, name)
		if strings.HasPrefix(name, measuringPackage) && further {
			measuring = append(measuring, name)
		}
	}
	return n, measuring
}
