package main

import (
	"strings"

	"github.com/spf13/cobra"

	"moobench/cmd/internal/starter"
	"moobench/scenarios/overhead"
)

func initVerb(t *terminal) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "init [first-look|catalogue|nightly]",
		Short: "write a benchmarks.toml to start from, or all of a nightly run",
		Long: `Writes a benchmarks.toml to start from, and never overwrites one.

  first-look   one agent against none (the default)
  catalogue    every variant of every framework that moobench knows
  nightly      a nightly run of an agent of your own: benchmarks.toml, the script
               of one night, and files for GitHub Actions, GitLab CI, systemd and
               cron that call it; -o is the folder, by default this one

` + exitHelp,
		Example:   "  moobench init\n  moobench init catalogue -o catalogue.toml\n  moobench init nightly",
		Args:      positional(cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs)),
		ValidArgs: []string{"first-look", "catalogue", "nightly"},
		RunE: func(c *cobra.Command, args []string) error {
			switch strings.Join(args, "") {
			case "nightly":
				if !c.Flags().Changed("output") {
					output = "."
				}
				return starter.Nightly(t.console(), output)
			case "catalogue":
				text, err := starter.Catalogue(output, overhead.Scenario{}.Parameters())
				if err != nil {
					return err
				}
				return starter.Write(t.console(), output, text)
			}
			return starter.Write(t.console(), output, starter.FirstLook(output))
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "benchmarks.toml", "file to write, or folder of a nightly run")
	return cmd
}
