package history

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/results"
)

// share converts a log change to a share of the level before.
func share(log float64) float64 { return math.Expm1(log) }

// percent formats a log change in per cent, with its sign.
func percent(log float64) string { return figure.SignedPercent(share(log)) }

// interval formats an interval of log changes, of the named kind.
func interval(alpha float64, name string, low, high float64) string {
	return fmt.Sprintf("(%s %s %s … %s)", figure.Level(1-alpha), name, percent(low), percent(high))
}

// jointText describes the joint estimate of all nights of a pair, with its interval.
func (j *Joint) jointText(name string) string {
	return fmt.Sprintf("with the variation between nights, over %s: %s %s",
		figure.Plural(j.Nights, "night", "nights"), percent(j.Log), interval(j.Alpha, name, j.Low, j.High))
}

// String formats the shift with its interval and number of pairs.
func (s Shift) String() string {
	pairs := figure.Plural(s.Pairs, "pair", "pairs")
	return fmt.Sprintf("%s %s, from %s of nights", percent(s.Log), interval(1-confidence, "CI", s.Low, s.High), pairs)
}

// notCarried says why a series starts afresh on its machine, given its number of pairs.
func (t *track) notCarried(pairs int) string {
	from, known := t.move.From.ID, figure.Plural(pairs, "pair", "pairs")
	why := fmt.Sprintf("%s of nights show the shift, and %d are needed", known, LeastPairs)
	const move = "measure the same files on both, and then: moobench history move --from '%s' --to '%s'"
	next := fmt.Sprintf(move, from, t.Machine)
	return fmt.Sprintf("%s on %s does not continue that of %s: %s; %s", t.Key, t.Machine, from, why, next)
}

// sentence says what changed, by how much, in which direction and since when, the certainty, and
// the next step.
func (t *track) sentence(c *Change) string {
	size, direction := figure.Percent(math.Abs(c.Size())), map[bool]string{true: "lower", false: "higher"}[c.Size() < 0]
	if again := c.remeasured(); again != nil {
		direction += " " + interval(again.Alpha, "CI", again.Low, again.High)
	} else { // after selecting a change for its size, its interval undercovers
		direction += prose.If(c.State == StateConfirmed, "%s", c.nights())
	}
	judged, worse := slices.Contains([]results.Better{results.Lower, results.Higher}, t.last().Better), t.worse(c.Log)
	direction += prose.If(judged && worse, ", which is worse,") + prose.If(judged && !worse, ", which is better,")
	n, next := &t.Nights[c.Night], t.advice(c)
	commit := prose.If(n.Commit != "", ", commit %s", n.Commit[:min(12, len(n.Commit))])
	since := "the night of " + n.When.Format("2 January 2006") + commit
	return fmt.Sprintf("%s of %s, against %s, is %s %s since %s; %s%s",
		t.Metric, t.Cell, t.Reference, size, direction, since, t.certainty(c), prose.If(next != "", "; %s", next))
}

// nights formats the interval of the change from the nights alone, "" if unknown.
func (c *Change) nights() string {
	return prose.If(c.Low != c.High, " (95 %% CI %s … %s)", percent(c.Low), percent(c.High))
}

// certainty says how certain the change is.
func (t *track) certainty(c *Change) string {
	first, _ := slices.BinarySearch(t.at, c.Night)
	level := 0 // start of the level before
	for _, b := range t.bounds {
		if b.at < first {
			level = b.at
		}
	}
	before := figure.Plural(first-level, "night", "nights") // judged ones
	after := figure.Plural(len(t.x)-first, "night", "nights")
	text := string(c.State) + ": "
	switch {
	case c.State == StateAccepted:
		for _, a := range slices.Backward(t.accepted) { // the last given reason
			if at, ok := t.position(a.Night); ok && a.Why != "" && t.at[min(at, len(t.at)-1)] >= c.Night-slack {
				return "accepted as the new normal (" + a.Why + ")"
			}
		}
		return "accepted as the new normal"
	case c.remeasured() != nil:
		again := c.Confirmation
		text += "new exceeded old by that much, re-measured in " + figure.Plural(again.N, "block", "blocks")
		if again.Joint != nil {
			text += "; " + again.Joint.jointText("CI")
		}
		text += "; the nights alone say " + percent(c.Log) + c.nights()
	case c.Confirmation != nil:
		again := c.Confirmation
		blocks := figure.Plural(again.N, "block", "blocks")
		text += fmt.Sprintf("re-measured in %s, new against old is %s %s",
			blocks, percent(again.Log), interval(again.Alpha, "CI", again.Low, again.High))
		if again.Joint != nil {
			text += "; " + again.Joint.jointText("CI")
		}
		small := again.Verdict == infer.Confirmed && c.State == StateRefuted
		text += prose.If(again.Verdict == infer.Open, ", which does not settle it") +
			prose.If(small, ", which is below the least change reported")
	case c.Alarm:
		last := after
		if len(t.x)-first == 1 {
			last = "night"
		}
		text += fmt.Sprintf("the last %s against the %s before (%s)", last, before, figure.P(c.P))
	case c.State == StateDetected:
		text += fmt.Sprintf("%s since then, and %s before (%s)", after, before, figure.P(c.P))
	default:
		const few = "%s since then, and %d are needed to be sure of a level (%s)"
		text += fmt.Sprintf(few, after, detectedFrom, figure.P(c.P))
	}
	return text + prose.If(c.Over != "", "; %s", c.Over)
}

// advice says what to do.
func (t *track) advice(c *Change) string {
	key := strings.ReplaceAll(t.Key.String(), "'", `'\''`) // as the shell quotes it
	accept := fmt.Sprintf("moobench history accept '%s' --night %s", key, t.Nights[c.Night].ID)
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
		return "it needs another night: " +
			"moobench history check --confirm goes on after the next one, with the same old and new"
	case c.Confirmation != nil:
		return "measure again with more blocks: moobench confirm --blocks " + fmt.Sprint(2*c.Confirmation.N)
	case c.State == StateDetected:
		return "let moobench confirm settle whether it is the code, or make it the new normal: " + accept
	}
	return "it proves nothing yet: moobench confirm measures old and new again, in the same blocks"
}
