package jmh

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"moobench/refusal"
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

// newCampaign begins a campaign with the cell of each benchmark. Its metrics are the
// score, and the secondary metrics of any benchmark.
func newCampaign(r importer.Request, all []*benchmark) (*importer.Builder, error) {
	if err := nameVariants(all, r.By); err != nil {
		return nil, err
	}
	q := quantityOf(all[0].Primary.Unit)
	metric := metricScore(q)
	metrics := []results.Metric{importer.Metric(metric, q.unit, q.better, cmp.Or(modes[all[0].Mode], "the mean over the iterations of a fork"))}
	metrics[0].Primary = true
	others := map[string]quantity{}
	for _, b := range all {
		for name, m := range b.Secondary {
			if len(m.forks) > 0 && secondaryName(name) != metric {
				others[secondaryName(name)] = quantityOf(m.Unit)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(others)) {
		about := "JMH's secondary metric " + name + ", the mean over the iterations of a fork"
		metrics = append(metrics, importer.Metric(name, others[name].unit, others[name].better, about))
	}
	b := importer.NewBuilder(r, tool, about, results.Scenario{
		Label: scenario, Window: results.WindowAll, Metrics: metrics, About: "benchmarks of JMH, mode " + all[0].Mode,
	})
	varied := varying(all, r.By)
	for _, e := range all {
		c := results.Cell{
			Variant: e.variant, Launch: results.Launch{JVMArgs: e.JVMArgs},
			Parameters: []results.Value{{Name: factorBenchmark, Value: e.Name}, {Name: "mode", Value: e.Mode}},
		}
		if e.Threads > 0 {
			c.Parameters = append(c.Parameters, results.Value{Name: factorThreads, Value: strconv.Itoa(e.Threads)})
		}
		for _, name := range slices.Sorted(maps.Keys(e.Params)) {
			if name != factorBenchmark && name != factorThreads && name != "mode" {
				c.Parameters = append(c.Parameters, results.Value{Name: name, Value: e.Params[name]})
			}
		}
		properties := e.properties()
		for _, name := range varied {
			if value, ok := properties[name]; ok {
				c.Factors = append(c.Factors, results.Value{Name: name, Value: value})
			}
		}
		e.cell = b.Cell(c)
	}
	return b, b.Compare(r.Baseline, importer.Question{Metric: metric, Text: func(cell, baseline *results.Cell) string {
		return fmt.Sprintf("How much does the %s of %s differ from that of %s?", metric, cell.Label(), baseline.Label())
	}})
}

// nameVariants gives a variant to benchmarks whose file has none: the value of the
// parameter by, or their names with as few packages as keep them different.
func nameVariants(all []*benchmark, by string) error {
	mistakes := &refusal.Mistakes{}
	var short map[string]string
	for parts, clash := 1, true; clash; parts++ {
		taken := map[string]string{}
		short, clash = map[string]string{}, false
		for _, b := range all {
			words := strings.Split(b.Name, ".")
			name := strings.Join(words[max(0, len(words)-parts):], ".")
			clash = clash || cmp.Or(taken[name], b.Name) != b.Name
			short[b.Name], taken[name] = name, b.Name
		}
	}
	for _, b := range all {
		switch value, ok := b.Params[by]; {
		case by != "" && !ok:
			mistakes.At(b.file, b.line, "%s has no parameter %s: it has %s", b.Name, by, strings.Join(slices.Sorted(maps.Keys(b.Params)), ", "))
		case by != "":
			b.variant = value
		case b.variant == "":
			b.variant = short[b.Name]
		}
	}
	return mistakes.Err()
}

// properties are what benchmarks may differ in beside their variants: their names, the
// threads, and parameters.
func (b *benchmark) properties() map[string]string {
	all := map[string]string{factorBenchmark: b.Name, factorThreads: strconv.Itoa(b.Threads)}
	maps.Copy(all, b.Params)
	return all
}

// varying returns the names of the properties that differ between benchmarks, without the
// parameter by, which is the variant, and without the benchmark's name where each variant
// has only one.
func varying(all []*benchmark, by string) []string {
	first, varied := map[string]string{}, map[string]bool{}
	byVariant, several := map[string]string{}, false // the benchmark of each variant
	for _, b := range all {
		known, ok := byVariant[b.variant]
		several = several || ok && known != b.Name
		byVariant[b.variant] = b.Name
		for name, value := range b.properties() {
			if known, ok := first[name]; ok && known != value {
				varied[name] = true
			}
			first[name] = value
		}
	}
	delete(varied, by)
	if !several {
		delete(varied, factorBenchmark)
	}
	return slices.Sorted(maps.Keys(varied))
}
