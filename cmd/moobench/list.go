package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"moobench/cmd/internal/agents"
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

// listing is the output of moobench list --format json, with the requested kinds of things.
type listing struct {
	Version   int               `json:"format"`
	Variants  []listedVariant   `json:"variants,omitempty"`
	Steps     []results.Step    `json:"steps,omitempty"` // steps of an execution
	Fixtures  []listedFixture   `json:"fixtures,omitempty"`
	Scenarios []listedScenario  `json:"scenarios,omitempty"`
	Campaigns []listedCampaign  `json:"campaigns,omitempty"`
	Agents    []framework.Entry `json:"agents,omitempty"`
}

type listedVariant struct {
	Name   string            `json:"name"`
	About  string            `json:"about"`
	Proof  results.ProofKind `json:"proof"`
	Prover string            `json:"sibling,omitempty"` // sibling whose records prove it
	Path   []string          `json:"path"`              // names of steps
	Change string            `json:"change,omitempty"`  // how probes change while the program runs
}

type listedFixture struct {
	Name  string `json:"name"`
	About string `json:"about"`
}

// listedScenario is a scenario; without a name, it holds the parameters and metrics of all
// scenarios.
type listedScenario struct {
	Name       string              `json:"name,omitempty"`
	Parameters []results.Parameter `json:"parameters"`
	Metrics    []results.Metric    `json:"metrics"`
}

type listedCampaign struct {
	Folder string `json:"folder"`
	Cells  int    `json:"cells"`
	State  string `json:"state"`
}

func listVerb(t *terminal) *cobra.Command {
	var format string
	var whole bool
	topics := []string{"variants", "fixtures", "scenarios", "campaigns"}
	cmd := &cobra.Command{
		Use:   "list [variants|fixtures|scenarios|campaigns|NAME]",
		Short: "list what can be measured, and what was",
		Args:  positional(cobra.MaximumNArgs(1)),
		ValidArgsFunction: upTo(1, func(c *cobra.Command, named []string, begun string) ([]string, cobra.ShellCompDirective) {
			all, directive := variants(c, named, begun)
			return append(all, topics...), directive
		}),
		RunE: func(_ *cobra.Command, args []string) (err error) {
			what := strings.Join(args, "")
			l := listing{Version: results.Format}
			if whole {
				return l.agents(t, format, what)
			}
			if format == "markdown" {
				return outcome.Usage(errors.New("--format markdown goes with --agents"))
			}
			part := ""
			if !slices.Contains(topics, what) {
				part = what
			}
			if part != "" || what == "" || what == "variants" {
				err = l.variants(part)
			}
			if err == nil && (what == "" || what == "fixtures") {
				err = l.fixtures(jvmfixtures.Sources)
			}
			if what == "" || what == "scenarios" {
				l.scenarios(t.Scenarios)
			}
			if what == "campaigns" {
				l.campaigns()
			}
			switch {
			case err != nil:
				return err
			case format == "json":
				return t.JSON(l)
			case what == "campaigns" && len(l.Campaigns) == 0:
				fmt.Fprintf(t.Out, "no campaigns in %s\n", session.RunsFolder)
			}
			l.write(t.Console)
			return nil
		},
	}
	registerFormat(cmd, &format, append(slices.Clone(textOrJSON), "markdown"))
	cmd.Flags().BoolVar(&whole, "agents", false,
		"the frameworks of the catalogue: version, licence, who counts, and what was seen in real JVMs")
	return cmd
}

// agents lists the catalogue's frameworks whose names contain part.
func (l *listing) agents(t *terminal, format, part string) error {
	set, err := framework.Catalogue()
	if err != nil {
		return err
	}
	if l.Agents, err = set.Entries(); err != nil {
		return err
	}
	l.Agents = slices.DeleteFunc(l.Agents, func(e framework.Entry) bool { return !strings.Contains(e.Name, part) })
	switch {
	case len(l.Agents) == 0:
		return outcome.Usage(refusal.New(fmt.Errorf("no framework of the catalogue has %q in its name", part),
			"moobench list --agents names them all"))
	case format == "json":
		return t.JSON(l)
	case format == "markdown":
		agents.Markdown(t.Console, l.Agents)
	default:
		agents.Text(t.Console, l.Agents)
	}
	return nil
}

// variants lists the catalogue's variants whose names contain part, and the steps of an execution.
func (l *listing) variants(part string) error {
	set, err := framework.Catalogue()
	if err != nil {
		return err
	}
	for _, name := range append([]string{framework.None}, set.Names()...) {
		if v, err := set.Variant(name); err != nil {
			return err
		} else if part == "" || name != framework.None && strings.Contains(name, part) {
			l.Variants = append(l.Variants,
				listedVariant{name, v.About, v.Proof.Kind, v.Proof.Sibling, v.Path, v.Change})
		}
	}
	if len(l.Variants) == 0 {
		return outcome.Usage(refusal.New(fmt.Errorf("no variant of the catalogue has %q in its name", part),
			"moobench list variants names them all"))
	}
	l.Steps = results.Steps()
	return nil
}

// fixtures lists the Java modules with a program to start, as described in their pom.xml.
func (l *listing) fixtures(sources fs.FS) error {
	mains, err := fs.Glob(sources, "*/src/main/java/moobench/*/Main.java")
	if err != nil {
		return err
	}
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
		l.Fixtures = append(l.Fixtures, listedFixture{module, strings.TrimPrefix(pom.Name, module+": ")})
	}
	return nil
}

// scenarios lists the scenarios with their parameters and metrics; metrics of all scenarios are
// listed once.
func (l *listing) scenarios(all []run.Scenario) {
	var shared []results.Metric
	if len(all) > 1 {
		shared = slices.DeleteFunc(all[0].Schema().Metrics, func(m results.Metric) bool {
			return slices.ContainsFunc(all, func(s run.Scenario) bool {
				return !slices.Contains(s.Schema().Metrics, m)
			})
		})
	}
	for _, s := range all {
		own := s.Schema()
		own.Metrics = slices.DeleteFunc(own.Metrics, func(m results.Metric) bool { return slices.Contains(shared, m) })
		l.Scenarios = append(l.Scenarios, listedScenario{
			Name: own.Name, Parameters: own.Parameters, Metrics: own.Metrics,
		})
	}
	l.Scenarios = append(l.Scenarios, listedScenario{Parameters: plan.Environment(), Metrics: shared})
}

// campaigns lists every campaign in the folder of runs, with its state.
func (l *listing) campaigns() {
	for _, folder := range session.Campaigns() {
		c := listedCampaign{Folder: folder, State: "complete"}
		if store, err := results.Open(folder); err != nil {
			c.State = "unreadable: " + err.Error()
		} else {
			c.Cells = len(store.Campaign().Cells)
			if sealed, changed := store.Sealed(); changed != "" {
				c.State = console.Visible(changed)
			} else if !sealed {
				c.State = "unfinished: go on with moobench run --resume " + folder
			}
		}
		l.Campaigns = append(l.Campaigns, c)
	}
}

// write writes the listing as text.
func (l *listing) write(c console.Console) {
	const column = 41
	if len(l.Variants) > 0 {
		c.Item("", 0, "variants (framework/mode/stage) · proof · what an execution passes through · "+
			"how probes change while the program runs")
	}
	for _, v := range l.Variants {
		proof := "proof: " + string(v.Proof)
		switch {
		case v.Name == framework.None:
			proof = ""
		case v.Prover != "":
			proof += " of " + v.Prover
		}
		c.Item("  "+v.Name, max(column, len(v.Name)+4), proof, strings.Join(v.Path, ", "), v.Change, v.About)
	}
	if len(l.Steps) > 0 {
		c.Item("", 0, "steps that an execution passes through, and the part of the cost that each belongs to")
	}
	for _, s := range l.Steps {
		c.Item(fmt.Sprintf("  %-14s %s", s.Name, s.Part), 20, s.About)
	}
	if len(l.Fixtures) > 0 {
		c.Item("", 0, "fixtures")
	}
	for _, f := range l.Fixtures {
		c.Item("  "+f.Name, 17, f.About)
	}
	for _, s := range l.Scenarios {
		s.write(c)
	}
	for _, x := range l.Campaigns {
		fmt.Fprintf(c.Out, "%s  %d cells  %s\n", x.Folder, x.Cells, x.State)
	}
}

func (s listedScenario) write(c console.Console) {
	title := "every scenario"
	if s.Name != "" {
		title = "scenario " + s.Name
	}
	c.Item("", 0, title)
	c.Item("", 2, "parameters")
	for _, p := range s.Parameters {
		about := p.About
		if len(p.Values) > 0 {
			about += " (" + strings.Join(p.Values, ", ") + ")"
		}
		if p.Factor {
			about += "; may be a list"
		}
		c.Item(fmt.Sprintf("    %-14s = %-12s ", p.Name, p.Default), 34, about)
	}
	if len(s.Metrics) > 0 {
		c.Item("", 2, "metrics")
	}
	for _, m := range s.Metrics {
		mark := ""
		switch {
		case m.Primary:
			mark = "**"
		case m.Key:
			mark = "*"
		}
		c.Item(fmt.Sprintf("    %-22s %-2s %-4s %-8s ", m.Name, mark, m.Unit, m.Better), 44, m.About)
	}
}
