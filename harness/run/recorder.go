package run

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"moobench/harness/machine/watch"
	"moobench/harness/proc"
	"moobench/results"
)

// An attempt is the Recorder of its invocation.

func (a *attempt) Dir() string { return a.dir }

// Begin reads the subject first and the machine last, and End the other way round, so
// that our own reading is not in the machine's window. A subject that is not started yet
// has used nothing.
func (a *attempt) Begin() error {
	var err error
	if a.subject.PID() != 0 {
		if a.begin, err = a.subject.Snapshot(); err != nil {
			return fmt.Errorf("reading the subject's counters before the window: %w", err)
		}
	}
	a.window, err = watch.OpenWindow(a.cpus, a.subject.PID())
	a.selfNS = proc.CPUNS(os.Getpid())
	return err
}

func (a *attempt) End(endNS int64) error {
	a.selfNS = proc.CPUNS(os.Getpid()) - a.selfNS
	a.Scalar(HarnessCPUNS, a.selfNS)
	a.endNS = endNS
	if a.source != nil {
		a.source.Mark(endNS)
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
	a.got.Disturbed = usage.Disturbance()
	a.got.Warnings = append(a.got.Warnings, usage.Warnings()...)
	for name, value := range usage.Scalars() {
		a.Scalar(name, value)
	}
	return nil
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
	if err := results.WriteDump(f, s, columns...); err != nil {
		return errors.Join(err, f.Close())
	}
	a.Dumped(s)
	return f.Close()
}

func (a *attempt) Scalar(name string, value float64) {
	if !math.IsNaN(value) && !math.IsInf(value, 0) {
		a.got.Scalars[name] = value
	}
}

func (a *attempt) Recorded(n int64) { a.recorded = n }

func (a *attempt) Expected(n int64) { a.got.Proof.Expected = n }

func (a *attempt) Invalid(format string, args ...any) {
	a.got.Invalid = fmt.Sprintf(format, args...)
}

func (a *attempt) Warn(format string, args ...any) {
	a.got.Warnings = append(a.got.Warnings, fmt.Sprintf(format, args...))
}
