package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"moobench/analysis/figure"
	"moobench/analysis/report"
	"moobench/harness/plan"
	"moobench/results"
)

// gauge reads one invocation's value of the primary metric, in its unit.
type gauge func(*results.Invocation) (value float64, unit string, ok bool)

// lines is the progress of a run whose standard error is no terminal: a line
// for each invocation.
type lines struct {
	w     io.Writer
	notes io.Writer // gets warnings, also when progress is not wanted
	gauge gauge
	pace  *pace
}

func (l *lines) Planned(_ *plan.Plan, there []*results.Invocation, total int) {
	l.pace.begin(len(there))
	if len(there) > 0 {
		fmt.Fprintf(l.w, "resuming: %d of %d invocations are there\n", len(there), total)
	}
}

func (l *lines) Begin(plan.Invocation, int, int) {}

func (l *lines) End(inv plan.Invocation, got *results.Invocation, done, total int) {
	fmt.Fprintf(l.w, "%s  %-36s %12s  %5.1f s  %d of %d%s\n", got.Identity, visible(named(&inv.Cell.Cell)), outcome(l.gauge, got),
		got.End.Sub(got.Start).Seconds(), done, total, l.pace.left(done, total))
	if got.Failure != nil {
		fmt.Fprintf(l.w, "  failed (%s): %s\n", got.Failure.Kind, visible(got.Failure.Message))
		for _, line := range tailOf(got.Failure.LogTail, 8) {
			fmt.Fprintf(l.w, "  | %s\n", visible(line))
		}
	}
}

func (l *lines) Note(format string, args ...any) {
	fmt.Fprintf(l.notes, "moobench: warning: %s\n", visible(fmt.Sprintf(format, args...)))
}

func outcome(g gauge, got *results.Invocation) string {
	switch {
	case got.Status == results.StatusFailed:
		return "failed"
	case got.Profile != results.ProfileTiming:
		return string(got.Profile)
	}
	if v, unit, ok := g(got); ok {
		return quantity(v, unit)
	}
	return "done"
}

func tailOf(log string, n int) []string {
	if log == "" {
		return nil
	}
	all := strings.Split(strings.TrimRight(log, "\n"), "\n")
	return all[max(0, len(all)-n):]
}

// quantity writes a value in the unit that reads best.
func quantity(v float64, unit string) string {
	s := figure.Fit(unit, v)
	return s.WithUnit(s.Number(v))
}

// visible keeps a label from doing anything but standing there.
func visible(s string) string { return report.Clean(s) }

// pace tells from what this sitting did how long the rest will take.
type pace struct {
	start time.Time
	first int
	now   func() time.Time
}

func newPace() *pace { return &pace{now: time.Now} }

func (p *pace) begin(done int) { p.start, p.first = p.now(), done }

// left is "" until there is something to go by.
func (p *pace) left(done, total int) string {
	n := done - p.first
	if n < 1 || done >= total {
		return ""
	}
	each := p.now().Sub(p.start) / time.Duration(n)
	return "  about " + roughly(each*time.Duration(total-done)) + " left"
}

// roughly prints a duration as people say it.
func roughly(d time.Duration) string {
	switch {
	case d < 90*time.Second:
		return fmt.Sprintf("%.0f s", math.Ceil(d.Seconds()))
	case d < 90*time.Minute:
		return fmt.Sprintf("%.0f min", math.Ceil(d.Minutes()))
	}
	return fmt.Sprintf("%d h %02d min", int(d.Hours()), int(d.Minutes())%60)
}
