package progress

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"moobench/analysis/figure"
	"moobench/cmd/internal/console"
	"moobench/harness/plan"
	"moobench/results"
)

// live is the progress on a terminal: a row for each cell with a bar and the
// running mean, and a line that says what is measured now. It draws between
// invocations only and has no ticker: a display that wakes up while a JVM is
// timed disturbs what it shows.
type live struct {
	c             console.Console
	width, height int // of the terminal; height 0 is unlimited
	gauge         Gauge
	pace          pace
	causes

	campaign *results.Campaign
	rows     map[string]*row // by cell
	drawn    int             // lines
}

type row struct {
	label         string
	planned, done int
	failed        int
	sum           float64 // of n values
	n             int
	unit          string
	trouble       string // stands in place of the mean
}

func (l *live) Planned(c *results.Campaign, there []*results.Invocation, _ int) {
	l.campaign, l.rows = c, map[string]*row{}
	l.pace.begin(c, len(there))
	for _, c := range c.Cells {
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
	for _, b := range l.campaign.Blocks {
		for _, id := range b.Order {
			if r := l.rows[id]; r != nil && counted(b.Profile) {
				r.planned++
			}
		}
	}
}

// counted says whether the row of a cell counts an invocation: those of further runs, for
// memory alone, are no more of its blocks.
func counted(p results.Profile) bool { return p == results.ProfileTiming || p == results.ProfileProof }

func (l *live) Decided(s results.Scenario, total int) {
	delete(l.pace.pilots, s.Label)
	l.countPlanned()
	l.erase()
	fmt.Fprintln(l.c.Err, decision(s, total))
}

// count enters an invocation into its cell's row.
func (l *live) count(got *results.Invocation) {
	r := l.rows[got.Cell]
	if r == nil {
		return
	}
	if counted(got.Profile) {
		r.done++
		r.planned = max(r.planned, r.done) // extra blocks are decided on the way
	}
	if got.Status == results.StatusFailed {
		r.failed++
	} else if why := unproven(l.campaign.Cell(got.Cell).Proof, got); why != "" {
		r.trouble = "✗ " + why
	} else if got.Profile == results.ProfileTiming {
		if v, unit, ok := l.gauge(got); ok {
			r.sum, r.n, r.unit = r.sum+v, r.n+1, unit
		}
	}
}

func (l *live) End(inv plan.Invocation, got *results.Invocation, done, total int) {
	l.count(got)
	if got.Status == results.StatusFailed {
		l.Note("%s %s failed (%s): %s", got.Identity, inv.Cell.Label(), got.Failure.Kind, got.Failure.Message)
		l.tell(l.c.Err, got)
	}
	if done == total {
		l.erase()
	}
}

func (l *live) Note(format string, args ...any) {
	l.erase()
	l.c.Warn(fmt.Sprintf(format, args...), "")
}

// Begin shows the rows, those around the cell that is measured now where the
// terminal has not room for all: what has left it can't be taken back.
func (l *live) Begin(inv plan.Invocation, done, total int) {
	l.erase()
	const fewest, beside = 34, 48 // columns of a label, and those that a row has besides it
	var rows []*row
	at, label := 0, fewest
	for _, c := range l.campaign.Cells {
		r := l.rows[c.ID]
		if r.planned == 0 {
			continue
		}
		if r.n == 0 && slices.ContainsFunc(l.campaign.GivenUp, func(g results.GivenUp) bool { return g.Cell == c.ID }) {
			r.trouble = cmp.Or(r.trouble, "✗ given up")
		}
		if c.ID == inv.Cell.ID {
			at = len(rows)
		}
		rows, label = append(rows, r), max(label, utf8.RuneCountInString(r.label))
	}
	label = max(fewest, min(label, l.width-beside))
	from, to := 0, len(rows)
	if room := l.height - 3; room > 0 && len(rows) > room {
		from = min(max(0, at-room/2), len(rows)-room)
		to = from + room
	}
	var b strings.Builder
	for _, r := range rows[from:to] {
		b.WriteString(l.clip(r.text(label)) + "\n")
	}
	l.drawn = to - from + 1
	if to-from < len(rows) {
		b.WriteString(l.clip(fmt.Sprintf("  cells %d to %d of %d", from+1, to, len(rows))) + "\n")
		l.drawn++
	}
	block := fmt.Sprintf("block %d", inv.Block)
	if inv.Profile == results.ProfileResources {
		block = runOf(inv.Profile)
	}
	now := fmt.Sprintf("  now: %s · %s · %s", named(&inv.Cell.Cell), block, l.pace.at(done+1, done, total))
	b.WriteString(l.clip(now) + "\n")
	io.WriteString(l.c.Err, b.String())
}

// text is the row with its label in so many columns.
func (r *row) text(label int) string {
	const bar = 15
	full := min(bar, bar*r.done/max(1, r.planned))
	s := fmt.Sprintf("  %-*s %s%s %3d of %-3d", label, r.label, strings.Repeat("█", full), strings.Repeat("░", bar-full), r.done, r.planned)
	if r.trouble != "" {
		s += "  " + r.trouble
	} else if r.n > 0 {
		s += fmt.Sprintf(" %12s", figure.Quantity(r.sum/float64(r.n), r.unit))
	}
	if r.failed > 0 {
		s += fmt.Sprintf("  ! %d failed", r.failed)
	}
	return s
}

// erase takes back what was drawn.
func (l *live) erase() {
	if l.drawn > 0 {
		fmt.Fprintf(l.c.Err, "\x1b[%dA\x1b[J", l.drawn)
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
