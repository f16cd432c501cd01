package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// aboutSeveral is what the help of moobench report says of several campaigns.
const aboutSeveral = `Of two campaigns to ten it is a comparison with the first one, as moobench compare
has it of two: what changed, cell by cell, and how sure that is. It has the formats
of moobench compare.

`

// withSeveral lets moobench report take several campaigns: of these it is their
// comparison.
func (t *terminal) withSeveral(cmd *cobra.Command) *cobra.Command {
	var f compareFlags
	f.register(cmd.Flags())
	cmd.Use += "…"
	cmd.Long = strings.Replace(cmd.Long, exitHelp, aboutSeveral+exitHelp, 1)
	cmd.Example += "\n  moobench report v1 v2 v3 --format html -o versions.html"
	cmd.Args = positional(cobra.RangeArgs(1, 10))
	one := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			if err := f.alone(cmd.Flags()); err != nil {
				return err
			}
			return one(cmd, args)
		}
		return t.reportSeveral(cmd, args, f)
	}
	return cmd
}

// reportSeveral compares campaigns, with the flags that moobench report has for
// one.
func (t *terminal) reportSeveral(cmd *cobra.Command, dirs []string, f compareFlags) error {
	flags := cmd.Flags()
	var err error
	if f.format, err = flags.GetString("format"); err != nil {
		return err
	}
	if f.output, err = flags.GetString("output"); err != nil {
		return err
	}
	if f.all, err = flags.GetBool("all"); err != nil {
		return err
	}
	fromSamples, err := flags.GetBool("from-samples")
	if err != nil {
		return err
	}
	return t.compareCampaigns(cmd.Context(), dirs, &f, fromSamples)
}
