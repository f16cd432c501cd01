package history

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/results"
)

// share is a change of the logarithm as a share of the level before.
func share(log float64) float64 { return math.Expm1(log) }

// counted is a count with its noun.
func counted(n int, one, many string) string { return figure.Plural(n, one, many) }

// describe puts every change into words.
func (t *track) describe() {
	for i := range t.Changes {
		c := &t.Changes[i]
		c.Sentence = t.what(c) + "; " + t.sure(c)
		if next := t.next(c); next != "" {
			c.Sentence += "; " + next
		}
	}
}

// what says what changed, by how much, and since when.
func (t *track) what(c *Change) string {
	size, direction := figure.Percent(math.Abs(c.Share)), "higher"
	if c.Log < 0 {
		direction = "lower"
	}
	interval := "" // that of a change that was picked because it is large holds too rarely
	if c.State == StateConfirmed && c.Low != c.High {
		interval = fmt.Sprintf(" (95 %% CI %s … %s)", figure.SignedPercent(share(c.Low)), figure.SignedPercent(share(c.High)))
	}
	return fmt.Sprintf("%s of %s, against %s, is %s %s%s%s since %s",
		t.Metric, t.Cell, t.Reference, size, direction, interval, t.wanted(c), t.since(c))
}

// wanted says whether that is good or bad.
func (t *track) wanted(c *Change) string {
	switch {
	case t.last().Better != results.Lower && t.last().Better != results.Higher:
		return ""
	case t.worse(c.Log):
		return ", which is worse,"
	}
	return ", which is better,"
}

func (t *track) since(c *Change) string {
	n := &t.Nights[c.Night]
	text := "the night of " + n.When.Format("2 January 2006")
	if n.Commit != "" {
		text += ", commit " + n.Commit[:min(12, len(n.Commit))]
	}
	return text
}

// sure says how sure the change is.
func (t *track) sure(c *Change) string {
	text := string(c.State) + ": "
	switch {
	case c.State == StateAccepted:
		return "accepted as the new normal" + t.why(c)
	case c.Confirmation != nil:
		text += t.again(c.Confirmation, c.State)
	case c.Alarm:
		last := "the last night"
		if n := t.after(c); n > 1 {
			last = "the last " + counted(n, "night", "nights")
		}
		text += fmt.Sprintf("%s against the %s before (%s)", last, counted(t.before(c), "night", "nights"), figure.P(c.P))
	case c.State == StateDetected:
		text += fmt.Sprintf("%s since then, and %s before (%s)", counted(t.after(c), "night", "nights"), counted(t.before(c), "night", "nights"), figure.P(c.P))
	default:
		text += fmt.Sprintf("%s since then, and %d are needed to be sure of a level (%s)", counted(t.after(c), "night", "nights"), detectedFrom, figure.P(c.P))
	}
	if c.Over != "" {
		text += "; " + c.Over
	}
	return text
}

// again says what measuring again said.
func (t *track) again(c *Confirmation, state State) string {
	text := fmt.Sprintf("re-measured in %s, new against old is %s (%s CI %s … %s)", counted(c.N, "block", "blocks"),
		figure.SignedPercent(share(c.Log)), figure.Level(1-c.Alpha), figure.SignedPercent(share(c.Low)), figure.SignedPercent(share(c.High)))
	if j := c.Joint; j != nil {
		text += fmt.Sprintf("; with what nights differ by, over %s: %s (%s CI %s … %s)", counted(j.Nights, "night", "nights"),
			figure.SignedPercent(share(j.Log)), figure.Level(1-j.Alpha), figure.SignedPercent(share(j.Low)), figure.SignedPercent(share(j.High)))
	}
	switch {
	case c.Verdict == infer.Open:
		text += ", which does not settle it"
	case c.Verdict == infer.Confirmed && state == StateRefuted:
		text += ", which is less than what is worth a word"
	}
	return text
}

// next says what to do.
func (t *track) next(c *Change) string {
	accept := fmt.Sprintf("moobench history accept %s --night %s", quoted(t.Key.String()), t.Nights[c.Night].ID)
	switch {
	case c.Over != "" || c.State == StateAccepted:
		return ""
	case c.State == StateRefuted:
		return "what was measured did not change so much: look for the machine, the JDK or chance"
	case !c.Worse:
		return ""
	case c.State == StateConfirmed:
		return "mend it, or make it the new normal: " + accept
	case c.Confirmation != nil && c.Confirmation.NeedsNight():
		return "it needs another night: moobench history check --confirm goes on after the next one, with the same old and new"
	case c.Confirmation != nil:
		return "measure again with more blocks: moobench confirm --blocks " + fmt.Sprint(2*c.Confirmation.N)
	case c.State == StateDetected:
		return "let moobench confirm settle whether it is the code, or make it the new normal: " + accept
	}
	return "it proves nothing yet: moobench confirm measures old and new again, in the same blocks"
}

// why is the reason that an acceptance gives.
func (t *track) why(c *Change) string {
	for _, a := range slices.Backward(t.accepted) {
		if at, ok := t.position(a.Night); ok && a.Why != "" && t.at[min(at, len(t.at)-1)] >= c.Night-slack {
			return " (" + a.Why + ")"
		}
	}
	return ""
}

// before and after count the judged nights of the level before a change, and
// those since.
func (t *track) before(c *Change) int {
	at, _ := slices.BinarySearch(t.at, c.Night)
	from := 0
	for _, b := range t.bounds {
		if b.at < at {
			from = b.at
		}
	}
	return at - from
}

func (t *track) after(c *Change) int {
	at, _ := slices.BinarySearch(t.at, c.Night)
	return len(t.x) - at
}

// quoted is an argument of a shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
