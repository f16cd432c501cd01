package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"moobench/harness/framework"
	"moobench/results"
)

func listVerb(t *terminal) *cobra.Command {
	return &cobra.Command{
		Use:   "list [variants|scenarios|campaigns]",
		Short: "list what can be measured, and what was",
		Long: `Lists the variants of the catalogue, the scenarios with their parameters and
metrics, or the campaigns in results/runs; without an argument, the first two.

` + exitHelp,
		Example:   "  moobench list\n  moobench list campaigns",
		Args:      positional(cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs)),
		ValidArgs: []string{"variants", "scenarios", "campaigns"},
		RunE: func(_ *cobra.Command, args []string) error {
			what := strings.Join(args, "")
			if what == "campaigns" {
				return listCampaigns(t.out, filepath.Join("results", "runs"))
			}
			if what != "scenarios" {
				if err := listVariants(t.out); err != nil {
					return err
				}
			}
			if what != "variants" {
				t.listScenarios()
			}
			return nil
		},
	}
}

func listVariants(w io.Writer) error {
	set, err := framework.Catalogue()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "variants (framework/mode/stage)\n  %-38s %s\n", framework.None, "the baseline: nothing monitors")
	for _, name := range set.Names() {
		v, err := set.Variant(name)
		if err != nil {
			return err
		}
		proof := "proof: " + string(v.Proof.Kind)
		if v.Proof.Sibling != "" {
			proof += " of " + v.Proof.Sibling
		}
		fmt.Fprintf(w, "  %-38s %s\n", name, proof)
	}
	return nil
}

func (t *terminal) listScenarios() {
	w := t.out
	for _, s := range t.scenarios {
		fmt.Fprintf(w, "scenario %s\n  parameters\n", s.Name())
		for _, p := range s.Parameters() {
			about := p.About
			if len(p.Values) > 0 {
				about += " (" + strings.Join(p.Values, ", ") + ")"
			}
			if p.Factor {
				about += "; may be a list"
			}
			fmt.Fprintf(w, "    %-14s = %-12s %s\n", p.Name, p.Default, about)
		}
		fmt.Fprintln(w, "  metrics")
		for _, m := range s.Metrics() {
			fmt.Fprintf(w, "    %-22s %-4s %-8s %s\n", m.Name, m.Unit, m.Better, m.About)
		}
	}
}

// listCampaigns names every campaign below dir, with what became of it.
func listCampaigns(w io.Writer, dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*", "campaign.json"))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		fmt.Fprintf(w, "no campaigns in %s\n", dir)
	}
	for _, f := range files {
		campaign := filepath.Dir(f)
		store, err := results.Open(campaign)
		if err != nil {
			fmt.Fprintf(w, "%s  unreadable: %v\n", campaign, err)
			continue
		}
		state := "unfinished: go on with moobench run --resume " + campaign
		if sealed, err := store.Sealed(); sealed && err == nil {
			state = "complete"
		}
		fmt.Fprintf(w, "%s  %d cells  %s\n", campaign, len(store.Campaign().Cells), state)
	}
	return nil
}
