package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
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

func (l *lines) Planned(c *results.Campaign, there []*results.Invocation, total int) {
	l.pace.begin(c, len(there))
	if len(there) > 0 {
		fmt.Fprintf(l.w, "resuming: %d of %d invocations are there\n", len(there), total)
	}
}

func (l *lines) Begin(plan.Invocation, int, int) {}

func (l *lines) End(inv plan.Invocation, got *results.Invocation, done, total int) {
	fmt.Fprintf(l.w, "%s  %-36s %12s  %5.1f s  %s\n", got.Identity, visible(named(&inv.Cell.Cell)), outcome(l.gauge, got),
		got.End.Sub(got.Start).Seconds(), l.pace.of(done, done, total))
	if got.Failure != nil {
		fmt.Fprintf(l.w, "  failed (%s): %s\n", got.Failure.Kind, visible(got.Failure.Message))
		for _, line := range tailOf(got.Failure.LogTail, 8) {
			fmt.Fprintf(l.w, "  | %s\n", visible(line))
		}
	}
}

func (l *lines) Decided(s results.Scenario, total int) {
	l.pace.decided(s)
	fmt.Fprintln(l.w, decision(s, total))
}

// decision is the line that a decision on blocks leaves.
func decision(s results.Scenario, total int) string {
	return visible(fmt.Sprintf("%s: %s · %s in all", s.Label, s.Sizing.Decision.Because, figure.Plural(total, "invocation", "invocations")))
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
func visible(s string) string { return doc.Clean(s) }

// pace tells from what this sitting did how long the rest will take.
type pace struct {
	start  time.Time
	first  int
	now    func() time.Time
	pilots map[string]bool // scenarios that have still to decide on blocks
}

func newPace() *pace { return &pace{now: time.Now} }

func (p *pace) begin(what *results.Campaign, done int) {
	p.start, p.first, p.pilots = p.now(), done, map[string]bool{}
	for _, s := range what.Scenarios {
		if undecided(s) {
			p.pilots[s.Label] = true
		}
	}
}

func (p *pace) decided(s results.Scenario) { delete(p.pilots, s.Label) }

// of says where a campaign stands: at the n-th of all invocations that are
// planned so far, of which done are there.
func (p *pace) of(n, done, total int) string {
	s := fmt.Sprintf("%d of %d", n, total)
	if len(p.pilots) > 0 {
		s += " (pilot)"
	}
	return s + p.left(done, total)
}

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
