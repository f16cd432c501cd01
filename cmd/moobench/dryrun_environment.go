package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"moobench/harness/config"
	"moobench/harness/plan"
	"moobench/results"
)

// printControl says what [machine] wants of the machine; nothing of it is tried
// in a dry run.
func printControl(w io.Writer, c *results.Control, m config.Machine) {
	if c == nil {
		return
	}
	words := []string{"profile " + c.Profile}
	if m.Host != "" {
		words = append(words, "meant for "+m.Host)
	}
	if m.PinPolicy != "" {
		words = append(words, pinText(m))
	}
	if c.QuietNS > 0 {
		words = append(words, "waits up to "+roughly(time.Duration(c.QuietNS))+" for quiet")
	}
	if c.Repeat {
		words = append(words, "repeats what was disturbed")
	}
	fmt.Fprintf(w, "  machine: %s\n", visible(strings.Join(words, " · ")))
	for _, policy := range []results.Policy{results.PolicyRequire, results.PolicyTry, results.PolicyObserve} {
		if knobs := knobsOf(c, policy); len(knobs) > 0 {
			fmt.Fprintf(w, "    %-7s  %s\n", policy, visible(strings.Join(knobs, " · ")))
		}
	}
}

// pinText says who is pinned where; the CPUs that are not named are shared out.
func pinText(m config.Machine) string {
	var who []string
	if m.CPUs != "" {
		who = append(who, "fixture on CPU "+m.CPUs)
	}
	if m.Housekeeping != "" {
		who = append(who, "moobench on CPU "+m.Housekeeping)
	}
	return fmt.Sprintf("%s (%s)", strings.Join(who, ", "), m.PinPolicy)
}

func knobsOf(c *results.Control, policy results.Policy) []string {
	var knobs []string
	for _, k := range c.Wishes {
		if k.Policy == policy {
			knobs = append(knobs, strings.TrimSpace(k.Name+" "+k.Wanted))
		}
	}
	return knobs
}

// printJDKs lists the JDKs, where there are several.
func printJDKs(w io.Writer, cells []plan.Cell) {
	var seen []plan.JDK
	for _, c := range cells {
		if c.JDK != (plan.JDK{}) && !slices.Contains(seen, c.JDK) {
			seen = append(seen, c.JDK)
			fmt.Fprintf(w, "  JDK %s in %s\n", visible(c.JDK.Version), visible(c.JDK.Home))
		}
	}
}

// printFactors says what each scenario's cells differ in, and which environment
// all of them have.
func printFactors(w io.Writer, c *results.Campaign) {
	for _, s := range c.Scenarios {
		var words []string
		for _, name := range factorNames(c, s.Label) {
			words = append(words, name+" "+strings.Join(valuesOf(c, s.Label, name), ", "))
		}
		if len(words) > 0 {
			fmt.Fprintf(w, "  %s: %s\n", visible(s.Label), visible(strings.Join(words, " · ")))
		}
	}
}

// factorNames are the factors of a scenario, and those of its environment that
// have a single value.
func factorNames(c *results.Campaign, label string) []string {
	environment := plan.Environment()
	var names []string
	for _, cell := range c.Cells {
		if cell.Scenario != label {
			continue
		}
		for _, v := range cell.Parameters {
			own := slices.ContainsFunc(environment, func(p results.Parameter) bool { return p.Name == v.Name })
			if (own || cell.Factor(v.Name) != "") && !slices.Contains(names, v.Name) {
				names = append(names, v.Name)
			}
		}
	}
	return names
}

// valuesOf are the values of a parameter, in the order of the cells.
func valuesOf(c *results.Campaign, label, name string) []string {
	var values []string
	for _, cell := range c.Cells {
		for _, v := range cell.Parameters {
			if text := v.Readable(); cell.Scenario == label && v.Name == name && !slices.Contains(values, text) {
				values = append(values, text)
			}
		}
	}
	return values
}
