package nightly

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/history"
	"moobench/analysis/infer"
	"moobench/analysis/report/doc"
	"moobench/cmd/internal/console"
	"moobench/cmd/internal/outcome"
	"moobench/cmd/internal/session"
	"moobench/refusal"
	"moobench/results"
)

// Options says which changes to measure again, and how. Empty and 0 fields have defaults.
type Options struct {
	History string
	Series  string  // series as named by moobench history check, or its cell; "": any
	Night   string  // ID of the first changed night; "": any
	Least   float64 // smallest relevant change, as a share
	Blocks  int     // 0: as many as the alarm needs

	session.Options        // Seed 0: a random seed
	Runs            string // folder of the campaigns
	Artifacts       string // folder of the kept files
}

// fit returns what an option can't be.
func (o Options) fit() error {
	if o.Blocks != 0 && (o.Blocks < fewestBlocks || o.Blocks > 1000) {
		return fmt.Errorf("--blocks %d: want %d to 1000: an A/A of fewer shows nothing", o.Blocks, fewestBlocks)
	}
	return nil
}

// Confirm measures suspected changes of a history again and records the results, or resumes an
// interrupted confirmation. The error is outcome.ErrWorse if a regression was confirmed, and
// outcome.ErrIncomplete if a change stays open.
func Confirm(ctx context.Context, lab *session.Lab, o Options) error {
	o.History = cmp.Or(o.History, HistoryFile)
	o.Runs = cmp.Or(o.Runs, session.RunsFolder)
	o.Artifacts = cmp.Or(o.Artifacts, session.KeptFolder)
	if err := o.fit(); err != nil {
		return outcome.Usage(err)
	}
	if o.Resume != "" {
		return resume(ctx, lab, o)
	}
	groups, err := o.alarms()
	if err != nil {
		return err
	}
	if len(groups) == 0 {
		fmt.Fprintf(lab.Out, "nothing to confirm: all that %s suspects was measured again "+
			"(--blocks measures once more what is still open)\n", console.Visible(o.History))
		return nil
	}
	var planned []*session.Session
	var worst error
	for _, g := range groups {
		s, err := o.plan(lab, g)
		if err == nil {
			planned = append(planned, s)
			continue
		}
		worst = outcome.ErrIncomplete
		for _, a := range g {
			fmt.Fprintf(lab.Out, "%s: can't be confirmed, and stays %s: %s\n",
				console.Visible(a.Series.Key.String()), a.Change.State, console.Visible(refusal.Inline(err, "; ")))
		}
	}
	if o.Dir != "" && len(planned) > 1 {
		return outcome.Usage(refusal.New(fmt.Errorf("-o names one folder, and %d campaigns are needed", len(planned)),
			"choose one with --series"))
	}
	for _, s := range planned {
		if o.Dry {
			if err := s.Preview(); err != nil {
				return err
			}
			continue
		}
		dir := cmp.Or(o.Dir, session.FreeFolder(o.Runs, time.Now(), s.File.Name))
		for _, a := range s.Plan.Campaign.Confirm.Alarms {
			if !o.Quiet {
				fmt.Fprintf(lab.Err, "confirming %s: %s, %s\n", console.Visible(a.HistoryKey.String()),
					figure.SignedPercent(math.Expm1(a.Log)), console.Visible(commits(s.Plan.Campaign.Confirm)))
			}
		}
		verdict, err := settle(ctx, lab, s, o.History, dir, " --history "+o.History)
		if err != nil {
			return err
		}
		worst = outcome.Worst(worst, verdict)
	}
	return worst
}

// resume continues an interrupted confirmation, or judges a complete one again.
func resume(ctx context.Context, lab *session.Lab, o Options) error {
	old, _, err := session.Resumable(o.Resume)
	if err != nil {
		return err
	}
	if old.Confirm == nil {
		return outcome.Usage(refusal.New(fmt.Errorf("%s measures no alarm again", o.Resume),
			"continue it with: moobench run --resume "+o.Resume))
	}
	s, err := lab.Open(session.Options{Resume: o.Resume, Quiet: o.Quiet, Wait: o.Wait})
	if err != nil {
		return err
	}
	verdict, err := settle(ctx, lab, s, o.History, o.Resume, "")
	return cmp.Or(err, verdict)
}

// settle measures a campaign in a folder, judges its alarms, appends the results to the history,
// and prints them. Judging a campaign again adds nothing to the history. flags complete the command
// to resume after an interruption. The verdict is an outcome.
func settle(ctx context.Context, lab *session.Lab, s *session.Session, file, dir, flags string) (verdict, err error) {
	resume := "moobench confirm --resume " + dir
	err = s.Measure(ctx, dir, resume+flags, func(store *results.Store, answers *analysis.Answers) error {
		page, err := lab.Page(answers, dir)
		if err != nil {
			return err
		}
		verdicts := judged(store.Campaign(), store.Name(), answers)
		var records []history.Record
		for _, v := range verdicts {
			if v.record != nil {
				records = append(records, history.Record{Kind: history.KindConfirmation, Confirmation: v.record})
			}
		}
		if _, err := history.Append(file, records...); err != nil {
			return refusal.New(fmt.Errorf("writing down what was confirmed: %w", err),
				"it is not lost; once that is fixed: "+resume)
		}
		for _, v := range verdicts {
			fmt.Fprintf(lab.Out, "%s: %s\n", console.Visible(v.alarm.HistoryKey.String()), console.Visible(v.sentence))
			verdict = outcome.Worst(verdict, v.outcome)
		}
		fmt.Fprintf(lab.Out, "report: %s\n", page)
		return nil
	})
	return verdict, err
}

// verdict is the result of re-measuring a change.
type verdict struct {
	alarm    results.Alarm
	sentence string
	outcome  error                 // ErrIncomplete: it stays open; ErrWorse: a regression is confirmed
	record   *history.Confirmation // nil: there is no result to record
}

// judged returns the verdicts on a campaign's alarms. A record has the time of the campaign's end,
// and everything else is fixed in the plan, so judging the same campaign again adds nothing.
func judged(c *results.Campaign, folder string, answers *analysis.Answers) []verdict {
	when := *cmp.Or(answers.Campaign.End, &c.Created)
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
		var answer *analysis.Answer
		for _, s := range answers.Scenarios {
			asks := func(q analysis.Answer) bool { return s.Label == a.Scenario && q.ID == a.Question }
			if i := slices.IndexFunc(s.Answers, asks); i >= 0 {
				answer = &s.Answers[i]
			}
		}
		switch {
		case answer == nil:
			v.sentence = "stays unsettled: the campaign does not ask about it"
		case answer.Ratio == nil || answer.Ratio.SE == nil:
			v.sentence = "stays unsettled: " + answer.Sentence.String()
		default:
			r := answer.Ratio
			tonight := results.Remeasured{
				When: when.UTC().Truncate(time.Millisecond), Log: math.Log(r.Value), SE: *r.SE, DF: *r.DF,
			}
			record := history.ConfirmationOf(c.Confirm, a, tonight, r.N)
			record.Folder = folder
			if distrusted != "" {
				record.Distrust("the A/A " + distrusted)
			}
			v.settle(&record)
		}
		all = append(all, v)
	}
	return all
}

// settle sets the verdict's sentence, advice and outcome from a record.
func (v *verdict) settle(r *history.Confirmation) {
	word := string(r.Verdict)
	if r.Verdict == infer.Open {
		word = "open"
	}
	v.record, v.sentence = r, word+": "+r.Reason
	series := v.alarm.HistoryKey.String()
	switch {
	case r.NeedsNight():
		v.sentence += " → it needs another night: moobench history check --confirm goes on after the next one, " +
			"with the same old and new"
	case r.Verdict == infer.Open:
		v.sentence += fmt.Sprintf(" → ask again with more blocks: moobench confirm --series '%s' --blocks %d",
			series, min(2*max(r.N, fewestBlocks), 1000))
	case r.Verdict == infer.Confirmed && history.Regresses(v.alarm.Better, v.alarm.Log):
		v.sentence += fmt.Sprintf(" → fix it, or make it the new normal: moobench history accept '%s'", series)
		v.outcome = outcome.ErrWorse
	default:
		v.outcome = nil
	}
}

// commits names the old and the new night, with their commits.
func commits(c *results.Confirm) string {
	night := func(id, commit string) string {
		if commit == "" {
			return id
		}
		return fmt.Sprintf("%s (commit %s)", id, doc.Clean(commit[:min(len(commit), 12)]))
	}
	return fmt.Sprintf("old %s, new %s", night(c.Against, c.OldCommit), night(c.Night, c.NewCommit))
}

// group is a list of changes that one campaign settles: changes of the same cell between the same
// two nights. A change that can't be measured again is a group of its own.
type group []history.Remeasurement

// alarms returns the changes to measure again, by default the unsettled ones.
func (o Options) alarms() ([]group, error) {
	h, err := history.Read(o.History)
	switch {
	case err != nil:
		return nil, err
	case len(h.Records) == 0:
		return nil, refusal.New(fmt.Errorf("confirming: %s holds no night", doc.Clean(o.History)),
			"add a campaign with: moobench history add DIR")
	}
	f, err := history.Check(h, o.Least)
	if err != nil {
		return nil, fmt.Errorf("confirming: %w", err)
	}
	changes := f.Unsettled()
	if o.Series != "" || o.Night != "" {
		if changes, err = o.chosen(f); err != nil {
			return nil, outcome.Usage(err)
		}
	} else if o.Blocks > 0 { // more blocks may settle changes that an earlier confirmation left open
		for s, c := range f.Changes() {
			open := c.Confirmation != nil && c.Confirmation.Verdict == infer.Open && c.State != history.StateAccepted
			known := slices.ContainsFunc(changes, func(u history.Unsettled) bool { return u.Change == c })
			if open && !known && c.Worse && c.Over == "" {
				changes = append(changes, history.Unsettled{Series: s, Change: c})
			}
		}
	}
	return grouped(h.Choose(changes)), nil
}

// chosen returns the changes of a series or a night, whatever their state: without a night, the
// latest of each series.
func (o Options) chosen(f *history.Findings) ([]history.Unsettled, error) {
	var found []history.Unsettled
	named := false
	for i := range f.Series {
		s := &f.Series[i]
		if o.Series != "" && s.Key.String() != o.Series && s.Cell != o.Series {
			continue
		}
		named = true
		var last *history.Change
		for j := range s.Changes {
			c := &s.Changes[j]
			if (o.Night == "" || s.Nights[c.Night].ID == o.Night) && (last == nil || c.Night >= last.Night) {
				last = c
			}
		}
		if last != nil {
			found = append(found, history.Unsettled{Series: s, Change: last})
		}
	}
	switch {
	case !named:
		return nil, refusal.New(fmt.Errorf("no series of %s is called %q", doc.Clean(o.History), o.Series),
			"moobench history show lists them")
	case len(found) == 0 && o.Night != "":
		return nil, refusal.New(fmt.Errorf("no change began in a night %q", o.Night),
			"moobench history check names nights and changes")
	case len(found) == 0:
		return nil, fmt.Errorf("series %q has not changed: there is nothing to confirm", o.Series)
	}
	return found, nil
}

func grouped(alarms []history.Remeasurement) []group {
	var groups []group
	for _, a := range alarms {
		i := slices.IndexFunc(groups, func(g group) bool {
			x, y := g[0].Series.Key, a.Series.Key
			x.Metric, y.Metric = "", ""
			return g[0].Why == "" && a.Why == "" && x == y && g[0].Old.ID == a.Old.ID && g[0].New.ID == a.New.ID
		})
		if i < 0 {
			groups = append(groups, group{a})
		} else {
			groups[i] = append(groups[i], a)
		}
	}
	return groups
}
