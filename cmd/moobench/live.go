package main

import (
	"fmt"
	"io"
	"strings"

	"moobench/harness/plan"
	"moobench/results"
)

// live is the progress on a terminal: a row for each cell with a bar and the
// running mean, and a line that says what is measured now. It draws between
// invocations only and has no ticker: a display that wakes up while a JVM is
// timed disturbs what it shows.
type live struct {
	w     io.Writer
	width int
	gauge gauge
	pace  *pace

	plan  *plan.Plan
	rows  map[string]*row
	drawn int
}

type row struct {
	label         string
	planned, done int
	failed        int
	sum           float64 // of n values
	n             int
	unit          string
}

func (l *live) Planned(p *plan.Plan, there []*results.Invocation, _ int) {
	l.plan, l.rows = p, map[string]*row{}
	l.pace.begin(p, len(there))
	for _, c := range p.Campaign.Cells {
		l.rows[c.ID] = &row{label: named(&c)}
	}
	l.countPlanned()
	for _, inv := range there {
		l.count(inv)
	}
}

// countPlanned counts the slots of each row's cell in the plan as it is now.
func (l *live) countPlanned() {
	for _, r := range l.rows {
		r.planned = 0
	}
	for _, b := range l.plan.Campaign.Blocks {
		for _, id := range b.Order {
			if r := l.rows[id]; r != nil {
				r.planned++
			}
		}
	}
}

func (l *live) Decided(p *plan.Plan, s results.Scenario, total int) {
	l.plan = p
	l.pace.decided(s)
	l.countPlanned()
	l.erase()
	fmt.Fprintln(l.w, decision(s, total))
}

// count enters an invocation into its cell's row.
func (l *live) count(got *results.Invocation) {
	r := l.rows[got.Cell]
	if r == nil {
		return
	}
	r.done++
	r.planned = max(r.planned, r.done) // extra blocks are decided on the way
	if got.Status == results.StatusFailed {
		r.failed++
		return
	}
	if got.Profile != results.ProfileTiming {
		return
	}
	if v, unit, ok := l.gauge(got); ok {
		r.sum += v
		r.n++
		r.unit = unit
	}
}

func (l *live) Begin(inv plan.Invocation, done, total int) {
	l.draw(fmt.Sprintf("now: %s · block %d · %s", visible(named(&inv.Cell.Cell)), inv.Block, l.pace.of(done+1, done, total)))
}

func (l *live) End(inv plan.Invocation, got *results.Invocation, done, total int) {
	l.count(got)
	if got.Status == results.StatusFailed {
		l.Note("%s %s failed (%s): %s", got.Identity, inv.Cell.Label(), got.Failure.Kind, got.Failure.Message)
	}
	if done == total {
		l.erase()
	}
}

func (l *live) Note(format string, args ...any) {
	l.erase()
	fmt.Fprintf(l.w, "moobench: warning: %s\n", visible(fmt.Sprintf(format, args...)))
}

func (l *live) draw(status string) {
	l.erase()
	var b strings.Builder
	for _, c := range l.plan.Campaign.Cells {
		if r := l.rows[c.ID]; r.planned > 0 {
			b.WriteString(l.clip(r.String()) + "\n")
			l.drawn++
		}
	}
	b.WriteString(l.clip("  "+status) + "\n")
	l.drawn++
	io.WriteString(l.w, b.String())
}

func (r *row) String() string {
	const bar = 15
	full := min(bar, bar*r.done/max(1, r.planned))
	s := fmt.Sprintf("  %-34s %s%s %3d of %-3d", visible(r.label), strings.Repeat("█", full), strings.Repeat("░", bar-full), r.done, r.planned)
	if r.n > 0 {
		s += fmt.Sprintf(" %12s", quantity(r.sum/float64(r.n), r.unit))
	}
	if r.failed > 0 {
		s += fmt.Sprintf("  ! %d failed", r.failed)
	}
	return s
}

// named is a cell's label, with what it is for when it is not measured.
func named(c *results.Cell) string {
	if c.Role == results.RoleProof {
		return c.Label() + " (proof)"
	}
	return c.Label()
}

// erase takes back what was drawn.
func (l *live) erase() {
	if l.drawn > 0 {
		fmt.Fprintf(l.w, "\x1b[%dA\x1b[J", l.drawn)
	}
	l.drawn = 0
}

// clip keeps a line from wrapping: a wrapped one can't be taken back.
func (l *live) clip(s string) string {
	runes := []rune(s)
	if len(runes) >= l.width {
		return string(runes[:max(0, l.width-2)]) + "…"
	}
	return s
}
