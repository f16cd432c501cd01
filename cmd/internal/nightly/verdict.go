package nightly

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"time"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/history"
	"moobench/analysis/infer"
	"moobench/analysis/report/doc"
	"moobench/refusal"
	"moobench/results"
)

// Verdict is what measuring again said of a change.
type Verdict struct {
	Alarm    results.Alarm
	Sentence string
	Outcome  Outcome
	// record is nil where nothing was said that could be written down.
	record *history.Confirmation
}

// Judge judges the changes that a campaign measured again, and writes the verdicts
// into a history; judging a campaign again adds nothing. The report is what page has
// written before that, in the campaign's folder.
func Judge(file string, store *results.Store, page func(a *analysis.Answers, name string) error) (verdicts []Verdict, report string, err error) {
	answers, err := analysis.Analyse(store)
	if err != nil {
		return nil, "", err
	}
	report = filepath.Join(store.Dir(), "report.html")
	if err := page(answers, report); err != nil {
		return nil, "", err
	}
	verdicts = judged(store.Campaign(), store.Dir(), answers)
	var records []history.Record
	for _, v := range verdicts {
		if v.record != nil {
			records = append(records, history.Record{Format: history.Format, Kind: history.KindConfirmation, Confirmation: v.record})
		}
	}
	if _, err := history.Append(file, records...); err != nil {
		return nil, "", refusal.New(fmt.Errorf("writing down what was confirmed: %w", err), "it is not lost; once that is mended: moobench confirm --resume "+store.Dir())
	}
	return verdicts, report, nil
}

// judged are the verdicts on the alarms of the campaign in a folder. A record's time
// is that of the last invocation, and all else that the verdict needs was fixed in the
// plan, so that judging the same campaign again adds nothing.
func judged(c *results.Campaign, dir string, answers *analysis.Answers) []Verdict {
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
	var all []Verdict
	for _, a := range c.Confirm.Alarms {
		v := Verdict{Alarm: a, Outcome: Open}
		answer := answerTo(answers, a)
		switch {
		case answer == nil:
			v.Sentence = "stays unsettled: the campaign does not ask about it"
		case answer.Ratio == nil || answer.Ratio.SE == nil:
			v.Sentence = "stays unsettled: " + answer.Sentence.String()
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
	for i := range answers.Scenarios {
		s := &answers.Scenarios[i]
		if s.Label != a.Scenario {
			continue
		}
		if n := slices.IndexFunc(s.Answers, func(q analysis.Answer) bool { return q.ID == a.Question }); n >= 0 {
			return &s.Answers[n]
		}
	}
	return nil
}

// settle says what a record has settled, and what to do about it.
func (v *Verdict) settle(r *history.Confirmation) {
	v.record, v.Sentence = r, string(r.Verdict)+": "+r.Because
	series := v.Alarm.HistoryKey.String()
	switch {
	case r.NeedsNight():
		v.Sentence += " → it needs another night: moobench history check --confirm goes on after the next one, with the same old and new"
	case r.Verdict == infer.Open:
		v.Sentence += fmt.Sprintf(" → ask again with more blocks: moobench confirm --series '%s' --blocks %d", series, min(2*max(r.N, FewestBlocks), 1000))
	case r.Verdict == infer.Confirmed && history.Regresses(v.Alarm.Better, v.Alarm.Log):
		v.Sentence += fmt.Sprintf(" → mend it, or take it for the new normal: moobench history accept '%s'", series)
		v.Outcome = Regressed
	default:
		v.Outcome = Settled
	}
}

// Announce says in a line each what a campaign is about to settle.
func Announce(c *results.Confirm) []string {
	var lines []string
	for _, a := range c.Alarms {
		lines = append(lines, fmt.Sprintf("confirming %s: %s, %s",
			doc.Clean(a.HistoryKey.String()), figure.SignedPercent(math.Expm1(a.Log)), doc.Clean(commits(c))))
	}
	return lines
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
