package main

import (
	"math"

	"github.com/spf13/cobra"

	"moobench/cmd/internal/nightly"
	"moobench/cmd/internal/session"
)

func confirmVerb(t *terminal) *cobra.Command {
	var o nightly.Options
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
stand in as a bound.`,
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
			return nightly.Confirm(c.Context(), &t.Lab, o)
		},
	}
	f := cmd.Flags()
	registerHistory(f, &o.History)
	f.StringVar(&o.Series, "series", "", "settle this series only, named as moobench history check does, or by its cell")
	f.StringVar(&o.Night, "night", "", "settle what changed in the night with this ID")
	registerLeast(f, &least)
	f.IntVar(&o.Blocks, "blocks", 0, "number of blocks (default: what the alarm needs)")
	f.StringVarP(&o.Dir, "output", "o", "", "folder of the campaign (default RUNS/<time>-<name>-confirm)")
	f.StringVar(&o.Runs, "runs", session.RunsFolder, "the folder of the campaigns")
	f.StringVar(&o.Artifacts, "artifacts", session.KeptFolder, "the folder of the jars that were kept")
	f.StringVar(&o.Resume, "resume", "", "go on with the interrupted confirmation in this folder")
	f.Uint64Var(&o.Seed, "seed", 0, "seed of the order (default: a random one)")
	f.BoolVarP(&o.Dry, "dry-run", "n", false, "print what would be measured; start nothing")
	complete(cmd, "resume", campaigns(math.MaxInt))
	registerMeasuring(f, "", &o.Options)
	return cmd
}
