package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"moobench/cmd/internal/console"
	"moobench/cmd/internal/outcome"
	"moobench/cmd/internal/session"
	"moobench/harness/framework"
	"moobench/harness/plan"
	"moobench/harness/run"
	jvmfixtures "moobench/jvm-fixtures"
	"moobench/refusal"
	"moobench/results"
)

func listVerb(t *terminal) *cobra.Command {
	topics := []string{"variants", "fixtures", "scenarios", "campaigns"}
	return &cobra.Command{
		Use:   "list [variants|fixtures|scenarios|campaigns|NAME]",
		Short: "list what can be measured, and what was",
		Long: `Lists the variants of the catalogue, the fixtures (the Java programs that are
driven), the scenarios with their parameters and metrics, or the campaigns in
results/runs; without an argument, the first three; of any other NAME the variants
that have it in theirs. A metric with a * stands in every report, one with ** is
the one that verdicts are about.`,
		Example:   "  moobench list\n  moobench list kieker/bci\n  moobench list campaigns",
		Args:      positional(cobra.MaximumNArgs(1)),
		ValidArgs: topics,
		RunE: func(_ *cobra.Command, args []string) (err error) {
			what := strings.Join(args, "")
			switch {
			case what == "" || what == "variants":
				err = listVariants(t.Out, "")
			case !slices.Contains(topics, what):
				return listVariants(t.Out, what)
			}
			if err == nil && (what == "" || what == "fixtures") {
				err = listFixtures(t.Out, jvmfixtures.Sources)
			}
			if err == nil && (what == "" || what == "scenarios") {
				listScenarios(t.Out, t.Scenarios)
			}
			if what == "campaigns" {
				listCampaigns(t.Out)
			}
			return err
		},
	}
}

// listVariants lists those of the catalogue that have a part in their name, and the
// steps that an execution passes through.
func listVariants(w io.Writer, part string) error {
	set, err := framework.Catalogue()
	if err != nil {
		return err
	}
	names := slices.DeleteFunc(set.Names(), func(name string) bool { return !strings.Contains(name, part) })
	if len(names) == 0 {
		return outcome.Usage(refusal.New(fmt.Errorf("no variant of the catalogue has %q in its name", part), "moobench list variants names them all"))
	}
	fmt.Fprintf(w, "variants (framework/mode/stage), their proof, what an execution passes through, and how probes change while the program runs\n  %-38s %s\n",
		framework.None, "the baseline: nothing monitors")
	for _, name := range names {
		v, err := set.Variant(name)
		if err != nil {
			return err
		}
		proof := "proof: " + string(v.Proof.Kind)
		if v.Proof.Sibling != "" {
			proof += " of " + v.Proof.Sibling
		}
		fmt.Fprintf(w, "  %-38s %-46s %-36s %-9s %s\n", name, proof, strings.Join(v.Path, ", "), v.Change, v.About)
	}
	fmt.Fprintln(w, "steps that an execution passes through, and the part of the cost that each is of")
	for _, s := range results.Steps() {
		fmt.Fprintf(w, "  %-14s %s  %s\n", s.Name, s.Part, s.About)
	}
	return nil
}

// listFixtures names the modules of the Java sources that have a program to start, with what their
// build says of them.
func listFixtures(w io.Writer, sources fs.FS) error {
	mains, err := fs.Glob(sources, "*/src/main/java/moobench/*/Main.java")
	if err != nil {
		return err
	}
	fmt.Fprintln(w, "fixtures")
	for _, main := range mains {
		module, _, _ := strings.Cut(main, "/")
		data, err := fs.ReadFile(sources, module+"/pom.xml")
		if err != nil {
			return fmt.Errorf("listing the fixtures: %w", err)
		}
		var pom struct {
			Name string `xml:"name"`
		}
		if err := xml.Unmarshal(data, &pom); err != nil {
			return fmt.Errorf("listing the fixtures: %s/pom.xml: %w", module, err)
		}
		fmt.Fprintf(w, "  %-14s %s\n", module, strings.TrimPrefix(pom.Name, module+": "))
	}
	return nil
}

// listScenarios lists scenarios with their parameters and metrics, those that all of them
// have once.
func listScenarios(w io.Writer, all []run.Scenario) {
	var shared []results.Metric
	if len(all) > 1 {
		shared = slices.DeleteFunc(all[0].Metrics(), func(m results.Metric) bool {
			return slices.ContainsFunc(all, func(s run.Scenario) bool { return !slices.Contains(s.Metrics(), m) })
		})
	}
	for _, s := range all {
		particular := slices.DeleteFunc(s.Metrics(), func(m results.Metric) bool { return slices.Contains(shared, m) })
		writeScenario(w, "scenario "+s.Name(), s.Parameters(), particular)
	}
	writeScenario(w, "every scenario", plan.Environment(), shared)
}

func writeScenario(w io.Writer, title string, parameters []results.Parameter, metrics []results.Metric) {
	fmt.Fprintf(w, "%s\n  parameters\n", title)
	for _, p := range parameters {
		about := p.About
		if len(p.Values) > 0 {
			about += " (" + strings.Join(p.Values, ", ") + ")"
		}
		if p.Factor {
			about += "; may be a list"
		}
		fmt.Fprintf(w, "    %-14s = %-12s %s\n", p.Name, p.Default, about)
	}
	if len(metrics) > 0 {
		fmt.Fprintln(w, "  metrics")
	}
	for _, m := range metrics {
		mark := ""
		switch {
		case m.Primary:
			mark = "**"
		case m.Key:
			mark = "*"
		}
		fmt.Fprintf(w, "    %-22s %-2s %-4s %-8s %s\n", m.Name, mark, m.Unit, m.Better, m.About)
	}
}

// listCampaigns names every campaign that was measured here, with what became of it.
func listCampaigns(w io.Writer) {
	campaigns := session.Campaigns()
	if len(campaigns) == 0 {
		fmt.Fprintf(w, "no campaigns in %s\n", session.RunsFolder)
	}
	for _, campaign := range campaigns {
		store, err := results.Open(campaign)
		if err != nil {
			fmt.Fprintf(w, "%s  unreadable: %v\n", campaign, err)
			continue
		}
		state := "unfinished: go on with moobench run --resume " + campaign
		if sealed, changed := store.Sealed(); changed != "" {
			state = console.Visible(changed)
		} else if sealed {
			state = "complete"
		}
		fmt.Fprintf(w, "%s  %d cells  %s\n", campaign, len(store.Campaign().Cells), state)
	}
}
