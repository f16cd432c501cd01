package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"moobench/cmd/internal/console"
	"moobench/cmd/internal/nightly"
)

func historyAcceptVerb(t *terminal) *cobra.Command {
	var a nightly.Acceptance
	cmd := &cobra.Command{
		Use:   "accept SERIES [--night ID] [--why TEXT]",
		Short: "make a changed level the new normal",
		Long: `Makes the level that a series has now the new normal: checks no longer fail of the
change, and later nights are compared with it. The history keeps both levels, and
why. SERIES is a name as moobench history show takes it; with * it may be several.

Without --night it is the change that the check speaks of; with it, the one that
began in that night: its ID, its day (2026-11-21), or its commit.

` + exitHelp,
		Example: `  moobench history accept 'overhead/duration/mine*' --why "records carry a checksum now"
  moobench history accept '*/mine*' --night 2026-11-21`,
		Args: positional(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			a.Series = args[0]
			accepted, err := a.Accept(time.Now().UTC())
			if err != nil {
				return err
			}
			for _, line := range accepted {
				fmt.Fprintln(t.out, console.Visible(line))
			}
			fmt.Fprintf(t.out, "next: keep %s where your nights read it\n", console.Visible(a.History))
			return nil
		},
	}
	f := cmd.Flags()
	registerHistory(f, &a.History)
	f.StringVar(&a.Night, "night", "", "the first night of the new level: its ID, day or commit (default: that of the change the check speaks of)")
	f.StringVar(&a.Why, "why", "", "why the new level is right, for whoever reads the history later")
	return cmd
}
