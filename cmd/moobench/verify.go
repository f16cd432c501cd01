package main

import (
	"github.com/spf13/cobra"

	"moobench/cmd/internal/integrity"
)

func verifyVerb(t *terminal) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "verify DIR…",
		Short: "check that campaigns are as they were sealed, file by file",
		Long: `Checks every file of campaigns against its checksum, and every summary against its
samples. Names each file that was changed, is gone, was added or can't be read, and
what to do about it. It changes nothing, and reads all samples.

A campaign that is not sealed is not finished, or its SEALED was removed: what is
there is checked, and it does not count as whole.

Exit status:
  0  all campaigns are whole: as they were sealed
  1  a campaign is not whole, or is none
  2  usage`,
		Example: `  moobench verify results/runs/2026-11-21T030000Z-nightly
  moobench verify results/runs/* --format json | jq '.folders[] | select(.whole | not)'`,
		Args: positional(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFormat(format, []string{"text", "json"}); err != nil {
				return err
			}
			r, err := integrity.Check(cmd.Context(), args)
			if err != nil {
				return err
			}
			if format == "json" {
				err = t.console().JSON(r)
			} else {
				err = r.WriteText(t.out)
			}
			if err != nil {
				return err
			}
			return r.Err()
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text, json")
	return cmd
}
