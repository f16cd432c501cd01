// Package inventory lists what can be measured here, and what was.
package inventory

import (
	"encoding/xml"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"moobench/cmd/internal/console"
	"moobench/harness/framework"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

// Variants lists those of the catalogue, and the steps that an execution passes through.
func Variants(w io.Writer) error {
	set, err := framework.Catalogue()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "variants (framework/mode/stage), their proof, what an execution passes through, and how probes change while the program runs\n  %-38s %s\n",
		framework.None, "the baseline: nothing monitors")
	for _, name := range set.Names() {
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

// Fixtures names the modules of the Java sources that have a program to start, with what their
// build says of them.
func Fixtures(w io.Writer, sources fs.FS) error {
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

// Scenarios lists scenarios with their parameters and metrics, those that all of them have
// once.
func Scenarios(w io.Writer, all []run.Scenario) {
	var shared []results.Metric
	if len(all) > 1 {
		shared = slices.DeleteFunc(all[0].Metrics(), func(m results.Metric) bool {
			return slices.ContainsFunc(all, func(s run.Scenario) bool { return !slices.Contains(s.Metrics(), m) })
		})
	}
	for _, s := range all {
		fmt.Fprintf(w, "scenario %s\n  parameters\n", s.Name())
		writeParameters(w, s.Parameters())
		fmt.Fprintln(w, "  metrics")
		for _, m := range s.Metrics() {
			if !slices.Contains(shared, m) {
				writeMetric(w, m)
			}
		}
	}
	fmt.Fprintln(w, "every scenario\n  parameters")
	writeParameters(w, plan.Environment())
	if len(shared) > 0 {
		fmt.Fprintln(w, "  metrics")
	}
	for _, m := range shared {
		writeMetric(w, m)
	}
}

func writeParameters(w io.Writer, all []results.Parameter) {
	for _, p := range all {
		about := p.About
		if len(p.Values) > 0 {
			about += " (" + strings.Join(p.Values, ", ") + ")"
		}
		if p.Factor {
			about += "; may be a list"
		}
		fmt.Fprintf(w, "    %-14s = %-12s %s\n", p.Name, p.Default, about)
	}
}

func writeMetric(w io.Writer, m results.Metric) {
	mark := ""
	switch {
	case m.Primary:
		mark = "**"
	case m.Key:
		mark = "*"
	}
	fmt.Fprintf(w, "    %-22s %-2s %-4s %-8s %s\n", m.Name, mark, m.Unit, m.Better, m.About)
}

// Campaigns names every campaign below dir, with what became of it.
func Campaigns(w io.Writer, dir string) error {
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
		if sealed, changed := store.Sealed(); changed != "" {
			state = console.Visible(changed)
		} else if sealed {
			state = "complete"
		}
		fmt.Fprintf(w, "%s  %d cells  %s\n", campaign, len(store.Campaign().Cells), state)
	}
	return nil
}
