package jmh

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"moobench/results"
	"moobench/results/importer"
)

// The names of an imported campaign.
const (
	scenario        = "jmh"
	seriesIteration = "iteration"
	columnScore     = "score"

	factorBenchmark = "benchmark"
	factorThreads   = "threads"
)

// modes are what JMH's modes measure.
var modes = map[string]string{
	"thrpt":  "operations per time, the mean over the iterations of a fork",
	"avgt":   "average time of one operation, the mean over the iterations of a fork",
	"sample": "time of one operation, sampled, the mean over the iterations of a fork",
	"ss":     "time of one shot, without warm-up unless it was asked for, the mean over the iterations of a fork",
}

// about is what a reader of the figures must know of where they come from.
const about = `JMH's result files: each invocation is a fork, and its value the mean over the fork's iterations. ` +
	`JMH starts the forks of a benchmark one after the other, so that a drift of the machine is in the differences; nothing is paired. ` +
	`Its own error is over the iterations of all forks together, as if they were independent; here intervals are over forks.`

// metricScore is the name of the primary metric.
func metricScore(q quantity) string {
	switch {
	case q.unit == "ns":
		return "time"
	case q.better == results.Higher:
		return "throughput"
	}
	return "score"
}

// secondaryName is the name of another metric; older versions of JMH put a dot
// before those of profilers.
func secondaryName(name string) string { return strings.TrimPrefix(name, "·") }

// newCampaign settles the cell of each entry.
func newCampaign(made results.Campaign, all []*entry, o Options) (*results.Campaign, error) {
	if err := nameVariants(all, o); err != nil {
		return nil, err
	}
	varied := varying(all, o)
	cells := importer.Cells{Scenario: scenario}
	for _, e := range all {
		e.cell = cells.ID(e.variant, e.factors(varied)...)
	}
	settled, err := cells.Settle(o.Baseline)
	if err != nil {
		return nil, err
	}
	for i := range settled {
		e := all[slices.IndexFunc(all, func(e *entry) bool { return e.cell == settled[i].ID })]
		settled[i].Parameters, settled[i].Launch.JVMArgs = e.parameters(), e.JVMArgs
	}
	c := &results.Campaign{
		Name: made.Name, About: about, Created: made.Created, Versions: made.Versions, Source: Tool, Design: results.DesignUnordered,
		Scenarios: []results.Scenario{{
			Label: scenario, Use: scenario, Window: results.WindowAll, Metrics: metrics(all),
			About: "benchmarks of JMH, mode " + all[0].Mode,
		}},
		Cells: settled,
	}
	metric := c.Scenarios[0].Metrics[0].Name
	for cell, b := range importer.Compared(settled) {
		c.Scenarios[0].Questions = append(c.Scenarios[0].Questions, results.Question{
			ID: metric + "-" + cell.ID, Text: fmt.Sprintf("How much does the %s of %s differ from that of %s?", metric, cell.Label(), b.Label()),
			Metric: metric, A: cell.ID, B: b.ID, Test: results.TestWelch, Family: importer.Family(cell, metric),
		})
	}
	return c, nil
}

// nameVariants gives a variant to entries whose file has none.
func nameVariants(all []*entry, o Options) error {
	mistakes := &importer.Mistakes{}
	short := shortNames(all)
	for _, e := range all {
		switch value, ok := e.Params[o.By]; {
		case o.By != "" && !ok:
			mistakes.Add(e.file, e.line, "%s has no parameter %s: it has %s", e.Name, o.By, strings.Join(slices.Sorted(maps.Keys(e.Params)), ", "))
		case o.By != "":
			e.variant = value
		case e.variant == "":
			e.variant = short[e.Name]
		}
	}
	return mistakes.Err()
}

// shortNames are the benchmarks' names without the packages, as far as they
// stay different.
func shortNames(all []*entry) map[string]string {
	for parts := 1; ; parts++ {
		short, taken, clash := map[string]string{}, map[string]string{}, false
		longest := 0
		for _, e := range all {
			words := strings.Split(e.Name, ".")
			longest = max(longest, len(words))
			name := strings.Join(words[max(0, len(words)-parts):], ".")
			if other, ok := taken[name]; ok && other != e.Name {
				clash = true
			}
			short[e.Name], taken[name] = name, e.Name
		}
		if !clash || parts >= longest {
			return short
		}
	}
}

// varying are the names of what differs between entries beside the variant: the
// benchmark, unless each variant has but one, the threads, and parameters.
func varying(all []*entry, o Options) []string {
	found, of := values{}, values{} // of: the benchmarks of each variant
	for _, e := range all {
		of.note(e.variant, e.Name)
		found.note(factorBenchmark, e.Name)
		found.note(factorThreads, strconv.Itoa(e.Threads))
		for name, value := range e.Params {
			if name != o.By {
				found.note(name, value)
			}
		}
	}
	if len(of.several()) == 0 {
		delete(found, factorBenchmark)
	}
	return found.several()
}

// values are the different ones by name.
type values map[string]map[string]bool

func (v values) note(name, value string) {
	if v[name] == nil {
		v[name] = map[string]bool{}
	}
	v[name][value] = true
}

// several are the names with more than one value.
func (v values) several() []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if len(v[name]) > 1 {
			names = append(names, name)
		}
	}
	return names
}

// factors are the values of what varies; a parameter that the benchmark does not
// have is none of its factors.
func (e *entry) factors(names []string) []results.Value {
	var all []results.Value
	for _, name := range names {
		value, ok := e.Params[name]
		switch {
		case ok:
		case name == factorBenchmark:
			value, ok = e.Name, true
		case name == factorThreads:
			value, ok = strconv.Itoa(e.Threads), true
		}
		if ok {
			all = append(all, results.Value{Name: name, Value: value})
		}
	}
	return all
}

// parameters are what the file says of how the entry was measured.
func (e *entry) parameters() []results.Value {
	all := []results.Value{{Name: factorBenchmark, Value: e.Name}, {Name: "mode", Value: e.Mode}}
	if e.Threads > 0 {
		all = append(all, results.Value{Name: factorThreads, Value: strconv.Itoa(e.Threads)})
	}
	for _, name := range slices.Sorted(maps.Keys(e.Params)) {
		if name != factorBenchmark && name != factorThreads && name != "mode" {
			all = append(all, results.Value{Name: name, Value: e.Params[name]})
		}
	}
	return all
}

// metrics are the score, and what else some benchmark says of each fork.
func metrics(all []*entry) []results.Metric {
	q := quantityOf(all[0].Primary.Unit)
	found := []results.Metric{{
		Name: metricScore(q), Unit: q.unit, Better: q.better, Primary: true, Profile: results.ProfileTiming,
		About: cmp.Or(modes[all[0].Mode], "the mean over the iterations of a fork"),
	}}
	units := map[string]quantity{}
	for _, e := range all {
		for name, m := range e.Secondary {
			if len(m.forks()) > 0 && secondaryName(name) != found[0].Name {
				units[secondaryName(name)] = quantityOf(m.Unit)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(units)) {
		found = append(found, results.Metric{
			Name: name, Unit: units[name].unit, Better: units[name].better, Profile: results.ProfileTiming,
			About: "JMH's secondary metric " + name + ", the mean over the iterations of a fork",
		})
	}
	return found
}
