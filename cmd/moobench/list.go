package main

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"moobench/cmd/internal/inventory"
	jvmfixtures "moobench/jvm-fixtures"
)

func listVerb(t *terminal) *cobra.Command {
	return &cobra.Command{
		Use:   "list [variants|fixtures|scenarios|campaigns]",
		Short: "list what can be measured, and what was",
		Long: `Lists the variants of the catalogue, the fixtures (the Java programs that are
driven), the scenarios with their parameters and metrics, or the campaigns in
results/runs; without an argument, the first three. A metric with a * stands in
every report, one with ** is the one that verdicts are about.

` + exitHelp,
		Example:   "  moobench list\n  moobench list campaigns",
		Args:      positional(cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs)),
		ValidArgs: []string{"variants", "fixtures", "scenarios", "campaigns"},
		RunE: func(_ *cobra.Command, args []string) error {
			what := strings.Join(args, "")
			if what == "campaigns" {
				return inventory.Campaigns(t.out, filepath.Join("results", "runs"))
			}
			if what == "" || what == "variants" {
				if err := inventory.Variants(t.out); err != nil {
					return err
				}
			}
			if what == "" || what == "fixtures" {
				if err := inventory.Fixtures(t.out, jvmfixtures.Sources); err != nil {
					return err
				}
			}
			if what == "" || what == "scenarios" {
				inventory.Scenarios(t.out, t.scenarios)
			}
			return nil
		},
	}
}
