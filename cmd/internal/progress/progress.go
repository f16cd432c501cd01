// Package progress shows how far a campaign is: now and then a line, or on a terminal a row
// for each cell.
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

// Gauge says what a campaign says so far.
type Gauge interface {
	// Value is one invocation's value of the primary metric, in its unit. Adds knows it
	// from then on.
	Value(*results.Invocation) (value float64, unit string, ok bool)
	// Adds is what a cell adds over its baseline, and half of the interval of that, 0 where
	// there is none yet; ok is false where nothing can be said.
	Adds(cell string) (value, half float64, ok bool)
}

// New is the progress that fits where messages go; a quiet one has warnings alone. stop is
// to be called in the end: it takes back what would be in the way of what comes then.
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

// settles is how long a terminal's size is waited for: a window that is drawn larger has
// many.
const settles = 100 * time.Millisecond

// followSize calls a function whenever the size of the terminal was changed, until stop.
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
		signal.Stop(sizes) // none is sent after that
		close(sizes)
	}
}

// lines is the progress where messages go to no terminal.
type lines struct {
	w     io.Writer
	notes console.Console // gets warnings, also when progress is not wanted
	gauge Gauge
	pace  pace
	said  time.Time // when the last line was
	causes
}

// apart is the time between two lines of a log that say nothing but how far it is.
const apart = 10 * time.Second

func (l *lines) Planned(c *results.Campaign, there []*results.Invocation, total int) {
	l.pace.begin(c, len(there))
	if len(there) > 0 {
		fmt.Fprintln(l.w, resuming(c, there, total))
	}
}

// resuming says what is there of a campaign that goes on. A block that was cut starts again as a
// whole: pairs of two sittings are no pairs.
func resuming(c *results.Campaign, there []*results.Invocation, total int) string {
	of := map[int]int{}
	for _, inv := range there {
		of[inv.Block]++
	}
	left := func(b results.Block) int { // what is still to be started of it
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

// End says what came, unless it said so of another one just now; trouble is always said.
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

// causes are those that were told of failed invocations, each with the first one of it.
type causes map[string]results.Identity

// tell shows what the log of a failed invocation says, unless that of another one has said
// so: its cause, or else its end.
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

// runOf names an invocation that is not of the measured blocks.
func runOf(p results.Profile) string {
	if p == results.ProfileResources {
		return "memory run"
	}
	return string(p)
}

// doesNotCount is said in place of a number that is in no answer; "" where it is in them.
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

// unproven is said in place of a number of which nothing shows that it is of what was to be
// measured.
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

// decision is the line that the newest decision leaves: that on calls comes first.
func decision(s results.Scenario, total int) string {
	reason := ""
	if s.Sizing != nil && s.Sizing.Decision != nil {
		reason = s.Sizing.Decision.Reason
	} else if s.Settling != nil && s.Settling.Decision != nil {
		reason = s.Settling.Decision.Reason
	}
	return console.Visible(fmt.Sprintf("%s: %s · %s in all", s.Label, reason, figure.Plural(total, "invocation", "invocations")))
}

// named is a cell's label as it is shown, with what the cell is for when it is not measured.
func named(c *results.Cell) string {
	label := c.Label()
	if c.Role == results.RoleProof {
		label += " (proof)"
	}
	return console.Visible(label)
}

// pace tells from what this session did how long the rest will take.
type pace struct {
	now    func() time.Time
	start  time.Time
	first  int             // invocations that were there at the start
	pilots map[string]bool // scenarios that have still to decide on calls or blocks
}

func (p *pace) begin(c *results.Campaign, done int) {
	p.start, p.first, p.pilots = p.now(), done, map[string]bool{}
	for _, s := range c.Scenarios {
		if Undecided(s) {
			p.pilots[s.Label] = true
		}
	}
}

// decided takes note of a decision about a scenario.
func (p *pace) decided(s results.Scenario) {
	if !Undecided(s) {
		delete(p.pilots, s.Label)
	}
}

// at says where a campaign stands: at the n-th of all invocations that are planned so
// far, of which done are there. How long the rest takes is said as soon as there is
// something to go by.
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

// Undecided says whether a scenario's pilot has still to decide on calls or blocks.
func Undecided(s results.Scenario) bool {
	return s.Settling.Undecided() || s.Sizing.Undecided()
}
