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
		Args:  positional(cobra.NoArgs),
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
	f.StringVar(&o.Series, "series", "",
		"settle this series only, named as moobench history check does, or by its cell")
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
