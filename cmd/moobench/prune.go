package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"moobench/cmd/internal/nightly"
	"moobench/cmd/internal/outcome"
	"moobench/cmd/internal/session"
)

func pruneVerb(t *terminal) *cobra.Command {
	var o nightly.Prune
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "remove the folders of old campaigns, and jars that nobody needs",
		Args:  positional(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			if o.Keep < 1 {
				return outcome.Usage(fmt.Errorf("--keep %d: one campaign of each name stays at least", o.Keep))
			}
			return o.Run(t.Out)
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.Keep, "keep", 30, "how many complete campaigns of each name stay")
	f.StringVar(&o.Runs, "runs", session.RunsFolder, "the folder of the campaigns")
	f.StringVar(&o.Artifacts, "artifacts", session.KeptFolder, "the folder of the jars that were kept")
	f.StringVar(&o.History, "history", nightly.HistoryFile, "the history: the jars that it names stay")
	f.BoolVarP(&o.Dry, "dry-run", "n", false, "say what would go; remove nothing")
	return cmd
}
