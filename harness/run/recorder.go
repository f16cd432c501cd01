package run

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"moobench/harness/jvm"
	"moobench/harness/machine/watch"
	"moobench/harness/receiver"
	"moobench/results"
)

// recorder is the Recorder of one invocation.
type recorder struct {
	dir     string
	subject *subject
	source  receiver.Source // nil: nobody counts
	cpus    []int           // measured

	begin, end         jvm.Snapshot
	selfBegin, selfEnd int64
	window             *watch.Window
	disturbed          *results.Disturbance
	endNS              int64
	recorded           int64
	hasRecorded        bool
	expected           int64 // 0: as planned
	series             []results.Series
	scalars            map[string]float64
	warnings           []string
	invalid            string
}

func (r *recorder) Dir() string { return r.dir }

// Begin reads the subject first and the machine last, and End the other way round, so
// that our own reading is not in the machine's window. A subject that is not started yet
// has used nothing.
func (r *recorder) Begin() error {
	var err error
	if r.subject.PID() != 0 {
		if r.begin, err = r.subject.Snapshot(); err != nil {
			return fmt.Errorf("reading the subject's counters before the window: %w", err)
		}
	}
	r.window, err = watch.OpenWindow(r.cpus, r.subject.PID())
	r.selfBegin = selfCPU()
	return err
}

func (r *recorder) End(endNS int64) error {
	r.selfEnd = selfCPU()
	r.endNS = endNS
	if r.source != nil {
		r.source.Mark(endNS)
	}
	exit, gone := r.subject.ended()
	gone = gone && r.begin.MonotonicNS == 0
	if gone {
		r.window.Took(exit.UserNS, exit.SystemNS)
		r.Scalar(HarnessCPUNS, float64(r.selfEnd-r.selfBegin))
	}
	usage, err := r.window.Close()
	if err != nil {
		return fmt.Errorf("reading who used the measured CPUs: %w", err)
	}
	if !gone {
		if r.end, err = r.subject.Snapshot(); err != nil {
			return fmt.Errorf("reading the subject's counters after the window: %w", err)
		}
	}
	r.disturbed = usage.Disturbance()
	r.warnings = append(r.warnings, usage.Warnings()...)
	for name, value := range usage.Scalars() {
		r.Scalar(name, value)
	}
	return nil
}

func (r *recorder) Dumped(s results.Series) { r.series = append(r.series, s) }

func (r *recorder) Rows(s results.Series, columns ...[]int64) error {
	if len(columns) > 0 {
		s.Count = int64(len(columns[0]))
	}
	s.Dump = fmt.Sprintf("own.%d.i64", len(r.series))
	f, err := os.Create(filepath.Join(r.dir, s.Dump))
	if err != nil {
		return fmt.Errorf("writing samples: %w", err)
	}
	if err := results.WriteDump(f, s, columns...); err != nil {
		return errors.Join(err, f.Close())
	}
	r.series = append(r.series, s)
	return f.Close()
}

func (r *recorder) Scalar(name string, value float64) {
	if !math.IsNaN(value) && !math.IsInf(value, 0) {
		r.scalars[name] = value
	}
}

func (r *recorder) Recorded(n int64) { r.recorded, r.hasRecorded = n, true }

func (r *recorder) Expected(n int64) { r.expected = n }

func (r *recorder) Invalid(format string, args ...any) { r.invalid = fmt.Sprintf(format, args...) }

func (r *recorder) Warn(format string, args ...any) {
	r.warnings = append(r.warnings, fmt.Sprintf(format, args...))
}

// selfCPU is moobench's own CPU time in ns, receivers included.
func selfCPU() int64 {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return u.Utime.Nano() + u.Stime.Nano()
}
