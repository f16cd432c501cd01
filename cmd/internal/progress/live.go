package progress

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"moobench/analysis/figure"
	"moobench/cmd/internal/console"
	"moobench/harness/plan"
	"moobench/results"
)

// live shows progress on a terminal: a row for each cell, with a bar and the overhead so far, and a
// line for the current invocation. It draws between invocations and when the terminal is resized.
// It has no ticker, because a display that wakes up during a measurement disturbs it.
type live struct {
	c     console.Console
	size  func() (width, height int) // of the terminal; height 0: unlimited
	gauge Gauge
	pace  pace
	causes

	mu       sync.Mutex // the terminal may be resized at any time
	campaign *results.Campaign
	rows     []*row   // in the order of the cells
	now      current  // the current invocation
	drawn    []string // lines on the terminal
}

// current is the invocation under way.
type current struct {
	inv         plan.Invocation
	done, total int
}

type row struct {
	cell          results.Cell
	planned, done int
	failed        int
	value         float64 // of the newest invocation
	unit          string  // "" without a value
	trouble       string  // shown instead of bar and estimate
}

func (l *live) Planned(c *results.Campaign, there []*results.Invocation, total int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(there) > 0 {
		width, _ := l.size()
		for line := range strings.SplitSeq(resuming(c, there, total), "; ") {
			fmt.Fprintln(l.c.Err, clip(line, width-1))
		}
	}
	l.campaign, l.rows = c, results.Each(c.Cells, func(c results.Cell) *row { return &row{cell: c} })
	l.pace.begin(c, len(there))
	l.countPlanned()
	for _, inv := range there {
		l.count(inv)
	}
}

// row returns a cell's row, or nil.
func (l *live) row(cell string) *row {
	if i := slices.IndexFunc(l.rows, func(r *row) bool { return r.cell.ID == cell }); i >= 0 {
		return l.rows[i]
	}
	return nil
}

// countPlanned counts each cell's slots in the current plan.
func (l *live) countPlanned() {
	for _, r := range l.rows {
		r.planned = 0
	}
	for _, b := range l.campaign.Blocks {
		for _, id := range b.Order {
			if r := l.row(id); r != nil && counted(b.Profile) {
				r.planned++
			}
		}
	}
}

// counted reports whether a cell's row counts an invocation: runs that measure only memory are not
// part of its blocks.
func counted(p results.Profile) bool { return p == results.ProfileTiming || p == results.ProfileProof }

func (l *live) Decided(s results.Scenario, total int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pace.decided(s)
	l.countPlanned()
	l.erase()
	fmt.Fprintln(l.c.Err, decision(s, total))
}

// count adds an invocation to its cell's row.
func (l *live) count(got *results.Invocation) {
	r := l.row(got.Cell)
	if r == nil {
		return
	}
	if counted(got.Profile) {
		r.done++
		r.planned = max(r.planned, r.done) // extra blocks are decided during the campaign
	}
	if got.Status == results.StatusFailed {
		r.failed++
	} else if why := unproven(&r.cell, got); why != "" {
		r.trouble = why
	} else if got.Profile == results.ProfileTiming {
		if v, unit, ok := l.gauge.Value(got); ok {
			r.value, r.unit = v, unit
		}
	}
}

func (l *live) End(inv plan.Invocation, got *results.Invocation, done, total int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.count(got)
	if got.Status == results.StatusFailed {
		l.note("%s %s failed (%s): %s", got.Identity, inv.Cell.Label(), got.Failure.Kind, got.Failure.Message)
		l.tell(l.c.Err, got)
	}
	if done == total {
		l.erase()
	}
}

func (l *live) Note(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.note(format, args...)
}

func (l *live) note(format string, args ...any) {
	l.erase()
	l.c.Warn(fmt.Sprintf(format, args...), "")
}

func (l *live) Begin(inv plan.Invocation, done, total int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now = current{inv, done, total}
	for _, r := range l.rows {
		given := slices.ContainsFunc(l.campaign.GivenUp, func(g results.GivenUp) bool { return g.Cell == r.cell.ID })
		switch {
		case !given || strings.HasSuffix(r.trouble, givenUp):
		case r.trouble != "":
			r.trouble += ", " + givenUp
		case r.unit == "":
			r.trouble = givenUp
		}
	}
	l.erase()
	l.draw()
}

const givenUp = "given up"

// resized redraws the display for the new size of the terminal.
func (l *live) resized() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.drawn) > 0 {
		l.erase()
		l.draw()
	}
}

// stop erases the display.
func (l *live) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.erase()
}

// draw shows the rows. If the terminal is too short for all of them, it shows those around the
// current cell, because lines that scroll away can't be erased.
func (l *live) draw() {
	const beside = 49 // columns of a row besides its label
	width, height := l.size()
	var rows []*row
	at, label := 0, 0
	for _, r := range l.rows {
		if r.cell.ID == l.now.inv.Cell.ID {
			at = len(rows)
		}
		if r.planned > 0 {
			rows, label = append(rows, r), max(label, utf8.RuneCountInString(named(&r.cell)))
		}
	}
	label = min(label, max(width-beside, 12))
	from, to := 0, len(rows)
	if room := height - 3; room > 0 && len(rows) > room {
		from = min(max(0, at-room/2), len(rows)-room)
		to = from + room
	}
	l.drawn = results.Each(rows[from:to], func(r *row) string {
		return "  " + padded(named(&r.cell), label) + "  " + l.text(r)
	})
	if to-from < len(rows) {
		l.drawn = append(l.drawn, fmt.Sprintf("  cells %d to %d of %d", from+1, to, len(rows)))
	}
	block := fmt.Sprintf("block %d", l.now.inv.Block)
	switch l.now.inv.Profile {
	case results.ProfileResources:
		block = runOf(results.ProfileResources)
	case results.ProfilePilot:
		block = "pilot of " + figure.Count(l.now.inv.Cell.Work.Calls) + " calls"
	}
	before, behind := "  "+block+" · ", " · "+l.pace.at(l.now.done+1, l.now.done, l.now.total)
	cell := named(&l.now.inv.Cell.Cell)
	room := max(12, width-1-utf8.RuneCountInString(before+behind))
	cell = padded(cell, min(room, utf8.RuneCountInString(cell)))
	l.drawn = append(l.drawn, before+strings.TrimRight(cell, " ")+behind)
	for i, line := range l.drawn {
		l.drawn[i] = clip(line, width-1) // a wrapped line can't be erased
	}
	io.WriteString(l.c.Err, strings.Join(l.drawn, "\n")+"\n")
}

// text returns the row without its label.
func (l *live) text(r *row) string {
	if r.trouble != "" {
		return "✗ " + r.trouble
	}
	const bar = 11
	full := min(bar, bar*r.done/max(1, r.planned))
	s := fmt.Sprintf("%s%s %3d of %-3d", strings.Repeat("█", full), strings.Repeat("░", bar-full), r.done, r.planned)
	switch value, half, ok := l.gauge.Adds(r.cell.ID); {
	case ok && r.unit != "":
		s += "  " + adds(value, half, r.unit)
	case r.unit != "":
		scale := figure.Fit(r.unit, r.value).Coarser(1)
		s += "  " + scale.WithUnit(scale.Number(r.value))
	}
	if r.failed > 0 {
		s += fmt.Sprintf("  ! %d failed", r.failed)
	}
	return strings.TrimRight(s, " ")
}

// adds formats a cell's overhead so far, with half its interval as a share. If the interval
// contains 0, both numbers are in the unit.
func adds(value, half float64, unit string) string {
	if half >= math.Abs(value) && half > 0 {
		s := figure.Fit(unit, value, half).Coarser(2)
		return s.Signed(value) + " ± " + s.WithUnit(s.Number(half))
	}
	s, more := figure.Fit(unit, value).Coarser(1), " more"
	if value < 0 {
		more = " less"
	}
	text := s.WithUnit(s.Number(math.Abs(value)))
	if half > 0 {
		text += " ± " + figure.Percent(half/math.Abs(value))
	}
	return text + more
}

// erase erases the drawn lines. A terminal that became narrower has wrapped them, so a line may
// take several rows.
func (l *live) erase() {
	width, _ := l.size()
	rows := 0
	for _, line := range l.drawn {
		rows += 1 + max(0, utf8.RuneCountInString(line)-1)/max(1, width)
	}
	if rows > 0 {
		fmt.Fprintf(l.c.Err, "\r\x1b[%dA\x1b[J", rows)
	}
	l.drawn = nil
}

// padded fits a text into the given number of columns, cutting its middle if necessary.
func padded(s string, columns int) string {
	runes := []rune(s)
	if over := len(runes) - columns; over > 0 {
		end := columns / 2
		return string(runes[:columns-end-1]) + "…" + string(runes[len(runes)-end:])
	}
	return s + strings.Repeat(" ", columns-len(runes))
}

// clip limits a line to the given number of columns.
func clip(s string, columns int) string {
	if runes := []rune(s); len(runes) > columns {
		return string(runes[:max(0, columns-1)]) + "…"
	}
	return s
}
