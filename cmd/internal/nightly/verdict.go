package nightly

import (
	"fmt"
	"math"
	"time"

	"moobench/analysis"
	"moobench/analysis/history"
	"moobench/analysis/infer"
	"moobench/analysis/report/doc"
	"moobench/cmd/internal/outcome"
	"moobench/results"
)

// verdict is what measuring again said of a change.
type verdict struct {
	alarm    results.Alarm
	sentence string
	outcome  error                 // ErrIncomplete: it stays open; ErrWorse: a regression is confirmed
	record   *history.Confirmation // nil: nothing was said that could be written down
}

// judged are the verdicts on the alarms of the campaign in a folder. A record's time
// is that of the last invocation, and all else that the verdict needs was fixed in the
// plan, so that judging the same campaign again adds nothing.
func judged(c *results.Campaign, dir string, answers *analysis.Answers) []verdict {
	when := c.Created
	if answers.Campaign.End != nil {
		when = *answers.Campaign.End
	}
	distrusted := ""
	for _, s := range answers.Scenarios {
		for _, aa := range s.AA {
			if aa.State == analysis.AAFailed && distrusted == "" {
				distrusted = aa.Text.String()
			}
		}
	}
	var all []verdict
	for _, a := range c.Confirm.Alarms {
		v := verdict{alarm: a, outcome: outcome.ErrIncomplete}
		answer := answerTo(answers, a)
		switch {
		case answer == nil:
			v.sentence = "stays unsettled: the campaign does not ask about it"
		case answer.Ratio == nil || answer.Ratio.SE == nil:
			v.sentence = "stays unsettled: " + answer.Sentence.String()
		default:
			r := answer.Ratio
			tonight := results.Remeasured{When: when.UTC().Truncate(time.Millisecond), Log: math.Log(r.Value), SE: *r.SE, DF: *r.DF}
			record := history.ConfirmationOf(c.Confirm, a, tonight, r.N)
			record.Folder = folderName(dir)
			if distrusted != "" {
				record.Distrust("the A/A " + distrusted)
			}
			v.settle(&record)
		}
		all = append(all, v)
	}
	return all
}

// answerTo finds the answer to an alarm's question, or nil.
func answerTo(answers *analysis.Answers, a results.Alarm) *analysis.Answer {
	for _, s := range answers.Scenarios {
		for i := range s.Answers {
			if s.Label == a.Scenario && s.Answers[i].ID == a.Question {
				return &s.Answers[i]
			}
		}
	}
	return nil
}

// settle says what a record has settled, and what to do about it.
func (v *verdict) settle(r *history.Confirmation) {
	word := string(r.Verdict)
	if r.Verdict == infer.Open {
		word = "open"
	}
	v.record, v.sentence = r, word+": "+r.Reason
	series := v.alarm.HistoryKey.String()
	switch {
	case r.NeedsNight():
		v.sentence += " → it needs another night: moobench history check --confirm goes on after the next one, with the same old and new"
	case r.Verdict == infer.Open:
		v.sentence += fmt.Sprintf(" → ask again with more blocks: moobench confirm --series '%s' --blocks %d", series, min(2*max(r.N, fewestBlocks), 1000))
	case r.Verdict == infer.Confirmed && history.Regresses(v.alarm.Better, v.alarm.Log):
		v.sentence += fmt.Sprintf(" → mend it, or take it for the new normal: moobench history accept '%s'", series)
		v.outcome = outcome.ErrWorse
	default:
		v.outcome = nil
	}
}

// commits names old and new.
func commits(c *results.Confirm) string {
	night := func(id, commit string) string {
		if commit == "" {
			return id
		}
		return fmt.Sprintf("%s (commit %s)", id, doc.Clean(commit[:min(len(commit), 12)]))
	}
	return fmt.Sprintf("old %s, new %s", night(c.Against, c.OldCommit), night(c.Night, c.NewCommit))
}
