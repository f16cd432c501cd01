package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"moobench/analysis/history"
	"moobench/refusal"
)

// confirmOptions are the flags of moobench confirm. What is empty or 0 has its
// default.
type confirmOptions struct {
	history, series, runs, kept string

	night      string  // ID
	least      float64 // change worth a word, as a share
	blocks     int
	seed       uint64 // of the order; 0 is a random one
	dir        string // of the campaign
	resume     string // folder of an interrupted one
	dry, quiet bool
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
			options, err := leastChange(least)
			if err != nil {
				return err
			}
			o.least = options.Least
			return t.confirm(c.Context(), o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.history, "history", historyFile, "the history")
	f.StringVar(&o.series, "series", "", "settle this series only, named as moobench history check does, or by its cell")
	f.StringVar(&o.night, "night", "", "settle what changed in the night with this ID")
	registerLeast(f, &least)
	f.IntVar(&o.blocks, "blocks", 0, "number of blocks (default: what the alarm needs)")
	f.StringVarP(&o.dir, "output", "o", "", "folder of the campaign (default RUNS/<time>-<name>-confirm)")
	f.StringVar(&o.runs, "runs", runsDir, "the folder of the campaigns")
	f.StringVar(&o.kept, "artifacts", keptDir, "the folder of the jars that were kept")
	f.StringVar(&o.resume, "resume", "", "go on with the interrupted confirmation in this folder")
	f.Uint64Var(&o.seed, "seed", 0, "seed of the order (default: a random one)")
	f.BoolVarP(&o.dry, "dry-run", "n", false, "print what would be measured; start nothing")
	f.BoolVar(&o.quiet, "quiet", false, "print no progress, only warnings")
	return cmd
}

// Where moobench keeps things unless a flag says.
const (
	historyFile = "results/history.jsonl"
	runsDir     = "results/runs"
)

func (o confirmOptions) filled() confirmOptions {
	o.history = cmp.Or(o.history, historyFile)
	o.runs, o.kept = cmp.Or(o.runs, runsDir), cmp.Or(o.kept, keptDir)
	return o
}

// fit says which flags don't go together.
func (o confirmOptions) fit() error {
	begins := o.series != "" || o.night != "" || o.least != 0 || o.blocks != 0 || o.seed != 0 || o.dir != "" || o.dry
	switch {
	case o.resume != "" && begins:
		return errors.New("--resume goes on with a confirmation as it was planned: --series, --night, --least, --blocks, --seed, -o and -n don't go with it")
	case o.blocks != 0 && (o.blocks < fewestBlocks || o.blocks > 1000):
		return fmt.Errorf("--blocks %d: from %d on an A/A says something, and 1000 are the most", o.blocks, fewestBlocks)
	}
	return nil
}

// fewestBlocks are those of an A/A that says something.
const fewestBlocks = 5

// confirm measures again what a history suspects, and writes down what came out.
// The error is errWorse when a change for the worse was confirmed, errIncomplete
// when something stays open.
func (t *terminal) confirm(ctx context.Context, o confirmOptions) error {
	o = o.filled()
	if err := o.fit(); err != nil {
		return usageError{err}
	}
	if o.resume != "" {
		return t.confirmResumed(ctx, o)
	}
	alarms, err := remeasurements(o)
	if err != nil {
		return err
	}
	if len(alarms) == 0 {
		fmt.Fprintf(t.out, "nothing to confirm: %s suspects nothing that was not measured again (what is open is, with --blocks)\n", visible(o.history))
		return nil
	}
	planned, worst := t.planConfirmations(o, alarms)
	if o.dir != "" && len(planned) > 1 {
		return usageError{refusal.New(fmt.Errorf("-o names one folder, and %d campaigns are needed", len(planned)), "choose one with --series")}
	}
	for _, s := range planned {
		if o.dry {
			if err := printPlan(t, s); err != nil {
				return err
			}
			continue
		}
		got, err := t.confirmOne(ctx, o, s)
		if err != nil {
			return err
		}
		worst = worse(worst, got)
	}
	return worst
}

// worse is the one of two results that decides the exit status: errWorse, then
// errIncomplete, then nil.
func worse(a, b error) error {
	if errors.Is(a, errWorse) || b == nil {
		return a
	}
	return b
}

// planConfirmations plans a campaign for each group of alarms. Those that can't
// be confirmed are told, and leave the result incomplete.
func (t *terminal) planConfirmations(o confirmOptions, alarms []history.Remeasurement) (planned []*sitting, result error) {
	for _, g := range grouped(alarms) {
		s, err := t.planConfirmation(o, g)
		if err == nil {
			planned = append(planned, s)
			continue
		}
		result = errIncomplete
		for _, a := range g {
			fmt.Fprintf(t.out, "%s: can't be confirmed, and stays %s: %s\n", visible(a.Series.Key.String()), a.Change.State, visible(refusal.Inline(err, "; ")))
		}
	}
	return planned, result
}

// confirmOne measures one campaign, and settles its alarms.
func (t *terminal) confirmOne(ctx context.Context, o confirmOptions, s *sitting) (result, err error) {
	dir, err := confirmDir(o, s.file.Name)
	if err != nil {
		return nil, err
	}
	t.announceConfirm(o, s)
	release, err := t.lockMachine(dir)
	if err != nil {
		return nil, err
	}
	defer release()
	store, err := s.measure(ctx, dir, fmt.Sprintf("nothing sealed is lost; go on with: moobench confirm --resume %s --history %s", dir, o.history))
	if err != nil {
		return nil, err
	}
	return t.writeVerdicts(o, store)
}

// announceConfirm says what is about to be settled.
func (t *terminal) announceConfirm(o confirmOptions, s *sitting) {
	c := s.plan.Campaign.Confirm
	if o.quiet || c == nil {
		return
	}
	for _, a := range c.Alarms {
		fmt.Fprintf(t.err, "confirming %s: %s, %s\n", visible(a.HistoryKey.String()), changeText(a.Log), visible(commits(c)))
	}
}

// confirmDir is the folder of the campaign: one that is not there yet.
func confirmDir(o confirmOptions, name string) (string, error) {
	if o.dir != "" {
		return o.dir, nil
	}
	base := filepath.Join(o.runs, time.Now().UTC().Format("2006-01-02T150405Z")+"-"+name)
	dir := base
	for n := 2; ; n++ {
		_, err := os.Lstat(dir)
		if errors.Is(err, os.ErrNotExist) {
			return dir, nil
		}
		if err != nil || n > 1000 {
			return "", fmt.Errorf("looking for a free folder in %s: %w", o.runs, err)
		}
		dir = fmt.Sprintf("%s-%d", base, n)
	}
}

// confirmResumed goes on with a confirmation that was interrupted; one that was
// complete is judged again.
func (t *terminal) confirmResumed(ctx context.Context, o confirmOptions) error {
	old, err := openResumable(o.resume)
	if err != nil {
		return err
	}
	if old.campaign.Confirm == nil {
		return usageError{refusal.New(fmt.Errorf("%s measures no alarm again", o.resume), "go on with it by: moobench run --resume "+o.resume)}
	}
	s, err := prepare(t, runOptions{resume: o.resume, quiet: o.quiet}, nil)
	if err != nil {
		return err
	}
	release, err := t.lockMachine(o.resume)
	if err != nil {
		return err
	}
	defer release()
	store, err := s.measure(ctx, o.resume, "nothing sealed is lost; go on with: moobench confirm --resume "+o.resume)
	if err != nil {
		return err
	}
	result, err := t.writeVerdicts(o, store)
	return cmp.Or(err, result)
}
