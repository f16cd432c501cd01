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
	factorBenchmark = "benchmark"
	factorThreads   = "threads"
)

// modes describes what JMH's modes measure.
var modes = map[string]string{
	"thrpt":  "operations per time, the mean over the iterations of a fork",
	"avgt":   "average time of one operation, the mean over the iterations of a fork",
	"sample": "time of one operation, sampled, the mean over the iterations of a fork",
	"ss":     "time of one shot, without warm-up unless it was asked for, the mean over the iterations of a fork",
}

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

// secondaryName is the name of a secondary metric; older versions of JMH put a dot
// before those of profilers.
func secondaryName(name string) string { return strings.TrimPrefix(name, "·") }

// newCampaign begins a campaign with the cell of each benchmark.
func newCampaign(r importer.Request, all []*benchmark) (*importer.Builder, error) {
	if err := nameVariants(all, r.By); err != nil {
		return nil, err
	}
	varied := varying(all, r.By)
	b := importer.NewBuilder(r, tool, about, results.Scenario{
		Label: scenario, Window: results.WindowAll, Metrics: metrics(all), About: "benchmarks of JMH, mode " + all[0].Mode,
	})
	for _, e := range all {
		e.cell = b.Cell(results.Cell{
			Variant: e.variant, Factors: e.factors(varied), Parameters: e.parameters(), Launch: results.Launch{JVMArgs: e.JVMArgs},
		})
	}
	metric := b.Scenario().Metrics[0].Name
	return b, b.Compare(r.Baseline, importer.Question{Metric: metric, Text: func(cell, baseline *results.Cell) string {
		return fmt.Sprintf("How much does the %s of %s differ from that of %s?", metric, cell.Label(), baseline.Label())
	}})
}

// nameVariants gives a variant to benchmarks whose file has none: the value of the
// parameter by, or their names with as few packages as keep them different.
func nameVariants(all []*benchmark, by string) error {
	mistakes := &importer.Mistakes{}
	var short map[string]string
	for parts, clash := 1, true; clash; parts++ {
		taken, longest := map[string]string{}, 0
		short, clash = map[string]string{}, false
		for _, b := range all {
			words := strings.Split(b.Name, ".")
			longest = max(longest, len(words))
			name := strings.Join(words[max(0, len(words)-parts):], ".")
			other, ok := taken[name]
			clash = clash || ok && other != b.Name
			short[b.Name], taken[name] = name, b.Name
		}
		clash = clash && parts < longest
	}
	for _, b := range all {
		switch value, ok := b.Params[by]; {
		case by != "" && !ok:
			mistakes.Add(b.file, b.line, "%s has no parameter %s: it has %s", b.Name, by, strings.Join(slices.Sorted(maps.Keys(b.Params)), ", "))
		case by != "":
			b.variant = value
		case b.variant == "":
			b.variant = short[b.Name]
		}
	}
	return mistakes.Err()
}

// varying returns the names of what differs between benchmarks beside the variant: the
// benchmark, unless each variant has only one, the threads, and parameters.
func varying(all []*benchmark, by string) []string {
	first, varied := map[string]string{}, map[string]bool{}
	note := func(name, value string) {
		if known, ok := first[name]; ok && known != value {
			varied[name] = true
		}
		first[name] = value
	}
	byVariant, several := map[string]string{}, false // the benchmark of each variant
	for _, b := range all {
		known, ok := byVariant[b.variant]
		several = several || ok && known != b.Name
		byVariant[b.variant] = b.Name
		note(factorBenchmark, b.Name)
		note(factorThreads, strconv.Itoa(b.Threads))
		for name, value := range b.Params {
			if name != by {
				note(name, value)
			}
		}
	}
	if !several {
		delete(varied, factorBenchmark)
	}
	return slices.Sorted(maps.Keys(varied))
}

// factors returns the values of what varies, without parameters that the benchmark does
// not have.
func (b *benchmark) factors(names []string) []results.Value {
	var all []results.Value
	for _, name := range names {
		value, ok := b.Params[name]
		switch {
		case ok:
		case name == factorBenchmark:
			value = b.Name
		case name == factorThreads:
			value = strconv.Itoa(b.Threads)
		default:
			continue
		}
		all = append(all, results.Value{Name: name, Value: value})
	}
	return all
}

// parameters returns how the benchmark was measured, as far as the file tells.
func (b *benchmark) parameters() []results.Value {
	all := []results.Value{{Name: factorBenchmark, Value: b.Name}, {Name: "mode", Value: b.Mode}}
	if b.Threads > 0 {
		all = append(all, results.Value{Name: factorThreads, Value: strconv.Itoa(b.Threads)})
	}
	for _, name := range slices.Sorted(maps.Keys(b.Params)) {
		if name != factorBenchmark && name != factorThreads && name != "mode" {
			all = append(all, results.Value{Name: name, Value: b.Params[name]})
		}
	}
	return all
}

// metrics returns the score, and the secondary metrics of any benchmark.
func metrics(all []*benchmark) []results.Metric {
	q := quantityOf(all[0].Primary.Unit)
	about := cmp.Or(modes[all[0].Mode], "the mean over the iterations of a fork")
	found := []results.Metric{importer.Metric(metricScore(q), q.unit, q.better, about)}
	found[0].Primary = true
	others := map[string]quantity{}
	for _, b := range all {
		for name, m := range b.Secondary {
			if len(m.forks) > 0 && secondaryName(name) != found[0].Name {
				others[secondaryName(name)] = quantityOf(m.Unit)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(others)) {
		about = "JMH's secondary metric " + name + ", the mean over the iterations of a fork"
		found = append(found, importer.Metric(name, others[name].unit, others[name].better, about))
	}
	return found
}
