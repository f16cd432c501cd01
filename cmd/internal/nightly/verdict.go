package main

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
	"moobench/refusal"
	"moobench/results"
)

// settled is what measuring again said of an alarm. Without a record it said
// nothing that could be written down.
type settled struct {
	alarm    results.Alarm
	record   *history.Confirmation
	sentence string
}

// writeVerdicts judges the alarms of a campaign, appends what came out to the
// history, and prints it. The result is errWorse, errIncomplete or nil.
func (t *terminal) writeVerdicts(o confirmOptions, store *results.Store) (result, err error) {
	answers, err := analysis.Analyse(store)
	if err != nil {
		return nil, err
	}
	page := filepath.Join(store.Dir(), "report.html")
	if err := t.page(answers, page); err != nil {
		return nil, fmt.Errorf("writing the page: %w", err)
	}
	var records []history.Record
	all := verdictsOf(store.Campaign(), store.Dir(), answers)
	for _, v := range all {
		if v.record != nil {
			records = append(records, history.Record{Format: history.Format, Kind: history.KindConfirmation, Confirmation: v.record})
		}
	}
	if _, err := history.Append(o.history, records...); err != nil {
		return nil, refusal.New(fmt.Errorf("writing down what was confirmed: %w", err), "it is not lost; once that is mended: moobench confirm --resume "+store.Dir())
	}
	for _, v := range all {
		fmt.Fprintf(t.out, "%s: %s\n", visible(v.alarm.HistoryKey.String()), visible(v.sentence))
		result = worse(result, v.result())
	}
	fmt.Fprintf(t.out, "report: %s\n", page)
	return result, nil
}

// result is what the exit status hangs on.
func (v settled) result() error {
	switch {
	case v.record == nil || v.record.Verdict == infer.Open:
		return errIncomplete
	case v.record.Verdict == infer.Confirmed && forTheWorse(v.alarm):
		return errWorse
	}
	return nil
}

// forTheWorse says whether the alarm is about a change that is not wanted.
func forTheWorse(a results.Alarm) bool {
	return a.Better == results.Lower && a.Log > 0 || a.Better == results.Higher && a.Log < 0
}

// verdictsOf judges each alarm of the campaign in a folder.
func verdictsOf(c *results.Campaign, dir string, answers *analysis.Answers) []settled {
	var all []settled
	for _, a := range c.Confirm.Alarms {
		v := settled{alarm: a}
		answer := answerTo(answers, a)
		switch {
		case answer == nil:
			v.sentence = "stays unsettled: the campaign does not ask about it"
		case answer.Ratio == nil || answer.Ratio.SE == nil:
			v.sentence = "stays unsettled: " + answer.Sentence.String()
		default:
			v.record = recordOf(c, a, answers, answer)
			v.record.Folder = filepath.Base(absolute(dir))
			v.sentence = string(v.record.Verdict) + ": " + v.record.Because + whatNext(v)
		}
		all = append(all, v)
	}
	return all
}

// absolute is a path that names its folder, also of "."; what can't be told stays
// as it is.
func absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
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

// recordOf is what goes into the history. Its time is that of the last
// invocation, and all else that the verdict needs was fixed in the plan, so that
// judging the same campaign again adds nothing.
func recordOf(c *results.Campaign, a results.Alarm, answers *analysis.Answers, answer *analysis.Answer) *history.Confirmation {
	r := answer.Ratio
	tonight := results.Remeasured{When: c.Created.UTC(), Log: math.Log(r.Value), SE: *r.SE, DF: *r.DF}
	if answers.Campaign.End != nil {
		tonight.When = answers.Campaign.End.UTC()
	}
	tonight.When = tonight.When.Truncate(time.Millisecond)
	record := history.ConfirmationOf(c.Confirm, a, tonight, r.N)
	record.Because = fmt.Sprintf("new is %s against old (%s interval %s), and %s raised the alarm; %s; %s",
		changeText(record.Log), figure.Level(1-record.Alpha), changeRange(record.Low, record.High), changeText(a.Log), figure.Plural(r.N, "block", "blocks"), jointText(record.Joint))
	if why := distrusted(answers); why != "" {
		record.Verdict, record.Joint, record.Distrusted = infer.Open, nil, true
		record.Because += "; but the A/A " + why
	}
	return &record
}

// jointText is the interval that the verdict was read from.
func jointText(j *history.Joint) string {
	if j.Scatter == nil {
		return "by how much nights differ is not known, so nothing is confirmed"
	}
	return fmt.Sprintf("with what nights differ by, over %s: %s (%s interval %s)",
		figure.Plural(j.Nights, "night", "nights"), changeText(j.Log), figure.Level(1-j.Alpha), changeRange(j.Low, j.High))
}

// changeRange is an interval in per cent.
func changeRange(low, high float64) string { return changeText(low) + " … " + changeText(high) }

// distrusted says why no difference of the campaign can be trusted; "" is that
// they can.
func distrusted(answers *analysis.Answers) string {
	for _, s := range answers.Scenarios {
		for _, aa := range s.AA {
			if aa.State == analysis.AAFailed {
				return aa.Text.String()
			}
		}
	}
	return ""
}

// whatNext says what to do about a verdict.
func whatNext(v settled) string {
	series := v.alarm.HistoryKey.String()
	switch {
	case v.record.NeedsNight():
		return " → it needs another night: moobench history check --confirm goes on after the next one, with the same old and new"
	case v.record.Verdict == infer.Open:
		return fmt.Sprintf(" → ask again with more blocks: moobench confirm --series '%s' --blocks %d", series, min(2*max(v.record.N, fewestBlocks), 1000))
	case v.record.Verdict == infer.Confirmed && forTheWorse(v.alarm):
		return fmt.Sprintf(" → mend it, or take it for the new normal: moobench history accept '%s'", series)
	}
	return ""
}
