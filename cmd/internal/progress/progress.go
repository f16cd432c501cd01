// Package progress shows a campaign's progress: occasional log lines or, on a terminal, a row for
// each cell.
package progress

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"moobench/analysis/figure"
	"moobench/cmd/internal/console"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

// Gauge gives the campaign's results so far.
type Gauge interface {
	// Value returns an invocation's value of the primary metric, in its unit, and remembers it for
	// Adds.
	Value(*results.Invocation) (value float64, unit string, ok bool)
	// Adds returns a cell's overhead over its baseline, and half its interval, 0 without an
	// interval; ok is false if the overhead is unknown.
	Adds(cell string) (value, half float64, ok bool)
}

// New returns the progress display for c.Err; a quiet one prints only warnings. The caller calls
// stop at the end, which erases the display.
func New(c console.Console, quiet bool, g Gauge) (p run.Progress, stop func()) {
	l := &lines{w: c.Err, notes: c, gauge: g, pace: pace{now: time.Now}}
	f := console.Screen(c.Err)
	switch {
	case quiet:
		l.w = io.Discard
		return l, func() {}
	case f == nil || os.Getenv("TERM") == "dumb" || os.Getenv("CI") != "":
		return l, func() {}
	}
	d := &live{c: c, gauge: g, pace: l.pace, size: func() (int, int) {
		if width, height, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width, height
		}
		return 80, 0
	}}
	unfollow := followSize(d.resized)
	return d, func() { unfollow(); d.stop() }
}

// settles is the wait after a resize signal, because resizing a window sends many of them.
const settles = 100 * time.Millisecond

// followSize calls changed whenever the terminal is resized, until stop is called.
func followSize(changed func()) (stop func()) {
	sizes := make(chan os.Signal, 1)
	signal.Notify(sizes, unix.SIGWINCH)
	go func() {
		for range sizes {
			time.Sleep(settles)
			changed()
		}
	}()
	return func() {
		signal.Stop(sizes) // no signal is sent after that
		close(sizes)
	}
}

// lines shows progress where there is no terminal.
type lines struct {
	w     io.Writer
	notes console.Console // prints warnings, even if progress is not wanted
	gauge Gauge
	pace  pace
	said  time.Time // time of the last line
	causes
}

// apart is the time between two lines that only report progress.
const apart = 10 * time.Second

func (l *lines) Planned(c *results.Campaign, there []*results.Invocation, total int) {
	l.pace.begin(c, len(there))
	if len(there) > 0 {
		fmt.Fprintln(l.w, resuming(c, there, total))
	}
}

// resuming describes the finished part of a resumed campaign. An interrupted block starts again as
// a whole, because invocations of different sessions can't be paired.
func resuming(c *results.Campaign, there []*results.Invocation, total int) string {
	of := map[int]int{}
	for _, inv := range there {
		of[inv.Block]++
	}
	left := func(b results.Block) int { // invocations still to start
		return len(slices.DeleteFunc(slices.Clone(b.Order), func(id string) bool {
			return c.LeavesOut(id, b)
		}))
	}
	text := fmt.Sprintf("resuming: %d of %d invocations are there", len(there), total)
	for _, b := range c.Blocks {
		if n := of[b.Number]; n > 0 && n < left(b) {
			text += fmt.Sprintf("; block %d was cut after %d of %d, and starts again", b.Number, n, len(b.Order))
		}
	}
	return text
}

func (l *lines) Begin(plan.Invocation, int, int) {}

// End prints the invocation's result, unless a line was printed just now; trouble is always
// printed.
func (l *lines) End(inv plan.Invocation, got *results.Invocation, done, total int) {
	now, why := l.pace.now(), unproven(&inv.Cell.Cell, got)
	if got.Failure == nil && why == "" && done < total && now.Sub(l.said) < apart {
		return
	}
	l.said = now
	came, label := "done", named(&inv.Cell.Cell)
	if got.Status == results.StatusFailed {
		came = "failed"
	} else if why != "" {
		came = why
	} else if peak, ok := got.Scalars[run.RSSPeakBytes]; ok && got.Profile == results.ProfileResources {
		came, label = figure.Quantity(peak, "B"), label+" ("+runOf(got.Profile)+")"
	} else if got.Profile != results.ProfileTiming {
		came = runOf(got.Profile)
	} else if void := doesNotCount(got); void != "" {
		came = void
	} else if v, unit, ok := l.gauge.Value(got); ok {
		came = figure.Quantity(v, unit)
	}
	fmt.Fprintf(l.w, "%s  %-36s %12s  %5.1f s  %s\n", got.Identity, label, came,
		got.End.Sub(got.Start).Seconds(), l.pace.at(done, done, total))
	if got.Failure == nil {
		return
	}
	fmt.Fprintf(l.w, "  failed (%s): %s\n", got.Failure.Kind, console.Visible(got.Failure.Message))
	l.tell(l.w, got)
}

// causes maps each failure cause already printed to its first invocation.
type causes map[string]results.Identity

// tell prints the cause of a failed invocation, or else the end of its log, unless the same text
// was already printed.
func (c *causes) tell(w io.Writer, got *results.Invocation) {
	const shown = 8
	tail := strings.Split(strings.TrimSpace(got.Failure.LogTail), "\n")
	text := cmp.Or(got.Failure.Cause, strings.Join(tail[max(0, len(tail)-shown):], "\n"))
	if text == "" {
		return
	}
	if first, told := (*c)[text]; told {
		fmt.Fprintf(w, "  | as in the log of %s\n", first)
		return
	}
	if *c == nil {
		*c = causes{}
	}
	(*c)[text] = got.Identity
	for line := range strings.SplitSeq(console.VisibleLines(text), "\n") {
		fmt.Fprintf(w, "  | %s\n", line)
	}
}

func (l *lines) Decided(s results.Scenario, total int) {
	l.pace.decided(s)
	fmt.Fprintln(l.w, decision(s, total))
}

func (l *lines) Note(format string, args ...any) { l.notes.Warn(fmt.Sprintf(format, args...), "") }

// runOf names the kind of an invocation outside the timed blocks.
func runOf(p results.Profile) string {
	if p == results.ProfileResources {
		return "memory run"
	}
	return string(p)
}

// doesNotCount returns the text shown instead of a number that is in no answer; otherwise "".
func doesNotCount(got *results.Invocation) string {
	switch {
	case got.Invalid != "":
		return "invalid"
	case len(got.AtLeast) > 0:
		return "not up in time"
	case len(got.Void) > 0:
		return "latency void"
	}
	return ""
}

// unproven returns the text shown instead of a number if the records do not prove that the cell was
// instrumented.
func unproven(c *results.Cell, got *results.Invocation) string {
	silent := got.Silent(c)
	switch {
	case silent == nil:
		return ""
	case silent != &got.Proof:
		return "not instrumented by all: " + c.Variant
	}
	of := ""
	if n := cmp.Or(silent.Expected, c.Proof.Expected); n > 0 {
		of = " of " + figure.Count(n)
	}
	return "not instrumented: 0" + of + " records"
}

// decision formats the newest decision of a scenario's pilot; the one on calls comes first.
func decision(s results.Scenario, total int) string {
	reason := ""
	if s.Sizing != nil && s.Sizing.Decision != nil {
		reason = s.Sizing.Decision.Reason
	} else if s.Settling != nil && s.Settling.Decision != nil {
		reason = s.Settling.Decision.Reason
	}
	return console.Visible(fmt.Sprintf("%s: %s · %s in all",
		s.Label, reason, figure.Plural(total, "invocation", "invocations")))
}

// named returns a cell's label as shown, marked if the cell only serves as a proof.
func named(c *results.Cell) string {
	label := c.Label()
	if c.Role == results.RoleProof {
		label += " (proof)"
	}
	return console.Visible(label)
}

// pace estimates the remaining time from this session's speed.
type pace struct {
	now    func() time.Time
	start  time.Time
	first  int             // invocations done before this session
	pilots map[string]bool // scenarios whose pilot has not decided on calls or blocks
}

func (p *pace) begin(c *results.Campaign, done int) {
	p.start, p.first, p.pilots = p.now(), done, map[string]bool{}
	for _, s := range c.Scenarios {
		if Undecided(s) {
			p.pilots[s.Label] = true
		}
	}
}

// decided removes a scenario whose pilot has decided.
func (p *pace) decided(s results.Scenario) {
	if !Undecided(s) {
		delete(p.pilots, s.Label)
	}
}

// at describes the campaign's position: the n-th of the total planned so far, of which done are
// finished. The remaining time follows after the first invocation of this session.
func (p *pace) at(n, done, total int) string {
	s := fmt.Sprintf("%d of %d", n, total)
	if len(p.pilots) > 0 {
		s += " (pilot)"
	}
	if here := done - p.first; here >= 1 && done < total {
		each := p.now().Sub(p.start) / time.Duration(here)
		s += "  about " + figure.Roughly(each*time.Duration(total-done)) + " left"
	}
	return s
}

// Undecided reports whether a scenario's pilot has still to decide on calls or blocks.
func Undecided(s results.Scenario) bool {
	return s.Settling.Undecided() || s.Sizing.Undecided()
}
