package main

import (
	"github.com/spf13/cobra"

	"moobench/cmd/internal/nightly"
)

func historyAddVerb(t *terminal) *cobra.Command {
	var a nightly.Addition
	cmd := &cobra.Command{
		Use:   "add DIR…",
		Short: "add campaigns to the history",
		Long: `Adds a row for each cell and metric of campaigns that are finished. What is there
already is not added again, and nothing is ever taken away.

The commit that was measured is --commit, else that of the CI job, else that of
the working directory. Of several folders it is only known with --commit. The
reference is --reference, else that of the campaign's [gate], else the baseline.

` + exitHelp,
		Example: `  moobench history add results/runs/2026-11-21T030000Z-nightly
  moobench history add results/runs/2026-11-21T030000Z-nightly --commit 4f2a9c1 --reference pinned`,
		Args: positional(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			if a.Commit, err = nightly.CommitFor(c.Context(), a.Commit, len(args)); err != nil {
				return err
			}
			a.Dirs = args
			added, err := a.Add()
			t.warnAll(added.Warnings)
			if err != nil {
				return err
			}
			added.Print(t.out)
			return nil
		},
	}
	f := cmd.Flags()
	registerHistory(f, &a.History)
	f.StringVar(&a.Commit, "commit", "", "what was measured (default: the CI job's commit, else that of the working directory)")
	f.StringVar(&a.Reference, "reference", "", "the variant that the others are compared with (default: that of [gate], else the baseline)")
	return cmd
}
