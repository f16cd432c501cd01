package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"moobench/analysis"
	"moobench/analysis/report/doc"
	"moobench/results"
)

// origin is one thing that is known of where numbers come from.
type origin struct{ name, value string }

// provenance says where the answers come from, as far as it is known.
func provenance(a *analysis.Answers) []origin {
	c := a.Campaign
	all := []origin{
		{"campaign", c.Name},
		{"created", c.Created.UTC().Format("2006-01-02T15:04:05Z")},
		{"source", c.Source},
		{"design", string(c.Design)},
	}
	if c.Design != results.DesignUnordered {
		all = append(all, origin{"seed", fmt.Sprint(c.Seed)}, origin{"blocks", fmt.Sprint(c.Blocks)})
	}
	all = append(all, origin{"plan", c.PlanHash}, origin{"jdk", strings.Join(c.Runtimes, ", ")})
	var seen []string
	for _, m := range a.Machines {
		if m != nil && !slices.Contains(seen, m.ID) {
			seen = append(seen, m.ID)
			all = append(all, origin{"machine", strings.Join(machineLine(m, nil), " · ")})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Versions)) {
		all = append(all, origin{name, c.Versions[name]})
	}
	for i := range all {
		all[i] = origin{doc.Clean(all[i].name), doc.Clean(all[i].value)}
	}
	return slices.DeleteFunc(all, func(o origin) bool { return o.value == "" })
}

// provenanceLine is all of it in one line.
func provenanceLine(a *analysis.Answers) string {
	var parts []string
	for _, o := range provenance(a) {
		parts = append(parts, o.name+" "+o.value)
	}
	return strings.Join(parts, " · ")
}
