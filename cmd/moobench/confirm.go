package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"moobench/cmd/internal/console"
	"moobench/cmd/internal/nightly"
	"moobench/cmd/internal/outcome"
	"moobench/cmd/internal/session"
	"moobench/refusal"
)

// confirmOptions are the flags of moobench confirm. What is empty or 0 has its
// default.
type confirmOptions struct {
	nightly.Request
	session.Options // Seed is a random one where it is 0

	runs, kept string
	dry        bool
}

func confirmVerb(t *terminal) *cobra.Command {
	var o confirmOptions
	var least string
	cmd := &cobra.Command{
		Use:   "confirm",
		Short: "measure old and new again, to settle an alarm of the history",
		Long: `Settles what a history suspects: the same variant is measured from the old and
from the new jars, which were kept, in fresh randomised blocks of one campaign. The
data that raised the alarm have no part in the verdict:

  confirmed  new over old is worth a word (--least), and beyond 1 by more than nights
             differ by without a change (a 99.98 % interval), on the side of the alarm
  refuted    what was measured is not worth a word, or its 99 % interval does not
             reach the alarm's change
  open       neither: another night may tell, or more blocks

The verdict goes into the history. Without flags, every change for the worse that
is suspected or detected, and was not re-measured yet, is; what one night left open
goes on with the same old and new after the next one, up to five nights; with
--blocks at once. There are as many blocks as show half of the alarm's change
nine times in ten, 10 to 40. By how much new over old differs from night to night
is known from earlier confirmations; until there are some, the nights of the history
stand in as a bound.

` + exitHelp,
		Example: `  moobench confirm -n                       # what would be measured
  moobench confirm
  moobench confirm --series overhead/duration/mine/bci/default --blocks 30
  moobench confirm --resume results/runs/2026-11-21T041500Z-nightly-confirm`,
		Args: positional(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			var err error
			if o.Least, err = leastChange(least); err != nil {
				return err
			}
			return t.confirm(c.Context(), o)
		},
	}
	f := cmd.Flags()
	registerHistory(f, &o.History)
	f.StringVar(&o.Series, "series", "", "settle this series only, named as moobench history check does, or by its cell")
	f.StringVar(&o.Night, "night", "", "settle what changed in the night with this ID")
	registerLeast(f, &least)
	f.IntVar(&o.Blocks, "blocks", 0, "number of blocks (default: what the alarm needs)")
	f.StringVarP(&o.Dir, "output", "o", "", "folder of the campaign (default RUNS/<time>-<name>-confirm)")
	f.StringVar(&o.runs, "runs", nightly.RunsFolder, "the folder of the campaigns")
	f.StringVar(&o.kept, "artifacts", session.KeptFolder, "the folder of the jars that were kept")
	f.StringVar(&o.Resume, "resume", "", "go on with the interrupted confirmation in this folder")
	f.Uint64Var(&o.Seed, "seed", 0, "seed of the order (default: a random one)")
	f.BoolVarP(&o.dry, "dry-run", "n", false, "print what would be measured; start nothing")
	f.BoolVar(&o.Quiet, "quiet", false, "print no progress, only warnings")
	return cmd
}

// fit says which flags don't go together.
func (o confirmOptions) fit() error {
	begins := o.Series != "" || o.Night != "" || o.Least != 0 || o.Blocks != 0 || o.Seed != 0 || o.Dir != "" || o.dry
	switch {
	case o.Resume != "" && begins:
		return errors.New("--resume goes on with a confirmation as it was planned: --series, --night, --least, --blocks, --seed, -o and -n don't go with it")
	case o.Blocks != 0 && (o.Blocks < nightly.FewestBlocks || o.Blocks > 1000):
		return fmt.Errorf("--blocks %d: from %d on an A/A says something, and 1000 are the most", o.Blocks, nightly.FewestBlocks)
	}
	return nil
}

// confirm measures again what a history suspects, and writes down what came out.
// The error is outcome.ErrWorse when a change for the worse was confirmed, outcome.ErrIncomplete
// when something stays open.
func (t *terminal) confirm(ctx context.Context, o confirmOptions) error {
	o.History = cmp.Or(o.History, nightly.HistoryFile)
	o.runs, o.kept = cmp.Or(o.runs, nightly.RunsFolder), cmp.Or(o.kept, session.KeptFolder)
	if err := o.fit(); err != nil {
		return outcome.Usage(err)
	}
	if o.Resume != "" {
		return t.confirmResumed(ctx, o)
	}
	alarms, err := o.Alarms()
	if err != nil {
		return err
	}
	if len(alarms) == 0 {
		fmt.Fprintf(t.out, "nothing to confirm: %s suspects nothing that was not measured again (what is open is, with --blocks)\n", console.Visible(o.History))
		return nil
	}
	var planned []*session.Session
	worst := nightly.Settled
	for _, g := range alarms {
		s, err := t.planConfirmation(o, g)
		if err == nil {
			planned = append(planned, s)
			continue
		}
		worst = nightly.Open
		for _, a := range g {
			fmt.Fprintf(t.out, "%s: can't be confirmed, and stays %s: %s\n", console.Visible(a.Series.Key.String()), a.Change.State, console.Visible(refusal.Inline(err, "; ")))
		}
	}
	if o.Dir != "" && len(planned) > 1 {
		return outcome.Usage(refusal.New(fmt.Errorf("-o names one folder, and %d campaigns are needed", len(planned)), "choose one with --series"))
	}
	for _, s := range planned {
		if o.dry {
			if err := s.Preview(); err != nil {
				return err
			}
			continue
		}
		got, err := t.confirmOne(ctx, o, s)
		if err != nil {
			return err
		}
		worst = max(worst, got)
	}
	return worst.Err()
}

// planConfirmation plans the campaign that settles a group of changes.
func (t *terminal) planConfirmation(o confirmOptions, g nightly.Group) (*session.Session, error) {
	lab := t.lab()
	site := nightly.Site{
		Tree: t.tree, Runs: o.runs, Artifacts: o.kept, Known: lab.Known(), Scenarios: lab.PlanScenarios(), Frameworks: session.Frameworks,
	}
	file, confirm, err := site.Plan(o.Request, g)
	if err != nil {
		return nil, err
	}
	o.Seeded = o.Seed != 0
	s, err := lab.Plan(o.Options, file)
	if err == nil {
		s.Plan.Campaign.Confirm = confirm
	}
	return s, err
}

// confirmOne measures one campaign, and settles its alarms.
func (t *terminal) confirmOne(ctx context.Context, o confirmOptions, s *session.Session) (nightly.Outcome, error) {
	dir := o.Dir
	if dir == "" {
		var err error
		if dir, err = nightly.FreeFolder(o.runs, s.File.Name, time.Now()); err != nil {
			return 0, err
		}
	}
	if !o.Quiet {
		for _, line := range nightly.Announce(s.Plan.Campaign.Confirm) {
			fmt.Fprintln(t.err, line)
		}
	}
	return t.settle(ctx, s, o.History, dir, " --history "+o.History)
}

// confirmResumed goes on with a confirmation that was interrupted; one that was
// complete is judged again.
func (t *terminal) confirmResumed(ctx context.Context, o confirmOptions) error {
	old, _, err := session.Resumable(o.Resume)
	if err != nil {
		return err
	}
	if old.Confirm == nil {
		return outcome.Usage(refusal.New(fmt.Errorf("%s measures no alarm again", o.Resume), "go on with it by: moobench run --resume "+o.Resume))
	}
	s, err := t.lab().Open(session.Options{Resume: o.Resume, Quiet: o.Quiet})
	if err != nil {
		return err
	}
	came, err := t.settle(ctx, s, o.History, o.Resume, "")
	return cmp.Or(err, came.Err())
}

// settle measures a campaign in a folder, judges its alarms, and prints what came out,
// which is in the history then. How to go on after an interruption ends with flags.
func (t *terminal) settle(ctx context.Context, s *session.Session, history, dir, flags string) (nightly.Outcome, error) {
	release, err := t.lab().Lock(dir)
	if err != nil {
		return 0, err
	}
	defer release()
	store, err := s.Measure(ctx, dir, "nothing sealed is lost; go on with: moobench confirm --resume "+dir+flags)
	if err != nil {
		return 0, err
	}
	verdicts, report, err := nightly.Judge(history, store, t.console().Page)
	if err != nil {
		return 0, err
	}
	worst := nightly.Settled
	for _, v := range verdicts {
		fmt.Fprintf(t.out, "%s: %s\n", console.Visible(v.Alarm.HistoryKey.String()), console.Visible(v.Sentence))
		worst = max(worst, v.Outcome)
	}
	fmt.Fprintf(t.out, "report: %s\n", report)
	return worst, nil
}
