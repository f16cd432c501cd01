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

// Names in an imported campaign.
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
	`JMH starts the forks of a benchmark one after the other, so that a drift of the machine is in the differences; ` +
	`nothing is paired. ` +
	`Its own error is over the iterations of all forks together, as if they were independent; ` +
	`here intervals are over forks.`

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

// secondaryName returns the name of a secondary metric without JMH's prefix. Mode sample has the benchmark's
// method in front, as in call·p0.50 or, in newer versions, call:p0.50; older versions put a dot before the
// metrics of profilers.
func (b *benchmark) secondaryName(name string) string {
	method := b.Name[strings.LastIndexByte(b.Name, '.')+1:]
	for _, separator := range []string{"·", ":"} {
		if rest, own := strings.CutPrefix(name, method+separator); own && method != "" {
			return rest
		}
	}
	return strings.TrimPrefix(name, "·")
}

// newCampaign begins a campaign with the cell of each benchmark, and returns the benchmarks it includes. Its
// metrics are the score, and the secondary metrics of any benchmark.
func newCampaign(r importer.Request, all []*benchmark) (*importer.Builder, []*benchmark, error) {
	hidden := hideSecrets(all, r.Secrets)
	all, without, err := nameVariants(all, r.By)
	if err != nil {
		return nil, nil, err
	}
	b := importer.NewBuilder(r, tool, about, results.Scenario{
		Label: scenario, Window: results.WindowAll, Metrics: metricsOf(all),
		About: "benchmarks of JMH, mode " + all[0].Mode,
	})
	b.LeaveOut(without, hidden)
	varied := varying(all, r.By)
	setups := unlikeSetups(all, varied, r.By)
	for _, e := range all {
		c := e.newCell(varied, setups)
		if r.By == "" && e.variant == e.short && !e.monitored() {
			c.Proof.Kind = results.ProofBaseline // benchmarks that are compared with each other, without an agent
		}
		e.cell = b.Cell(c)
	}
	if first := b.Campaign.Cells[0]; r.Baseline == "" && len(b.Campaign.Cells) > 1 {
		b.Campaign.About += " The baseline is " + refusal.OneLine(first.Variant) +
			", the first in the files: --baseline names another."
	}
	metric := b.Scenario().Metrics[0].Name
	err = b.Compare(r.Baseline, importer.Question{Metric: metric, Text: func(cell, baseline *results.Cell) string {
		return fmt.Sprintf("How much does the %s of %s differ from that of %s?", metric, cell.Label(), baseline.Label())
	}})
	b.LeaveOut(apart(b.Campaign.Cells, setups)...)
	return b, all, err
}

// metricsOf returns the score, which is the primary metric, and the secondary metrics of any benchmark.
func metricsOf(all []*benchmark) []results.Metric {
	q := quantityOf(all[0].Primary.Unit)
	metric := metricScore(q)
	about := cmp.Or(modes[all[0].Mode], "the mean over the iterations of a fork")
	metrics := []results.Metric{importer.Metric(metric, q.unit, q.better, about)}
	metrics[0].Primary = true
	others := map[string]quantity{}
	for _, b := range all {
		for name, m := range b.Secondary {
			if name = b.secondaryName(name); len(m.forks) > 0 && name != metric {
				others[name] = quantityOf(m.Unit)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(others)) {
		about := "JMH's secondary metric " + name + ", the mean over the iterations of a fork"
		metrics = append(metrics, importer.Metric(name, others[name].unit, others[name].better, about))
	}
	return metrics
}

// newCell returns the cell of a benchmark. Its factors are the varying properties, and the setups in which
// otherwise comparable cells would differ.
func (b *benchmark) newCell(varied, setups []string) results.Cell {
	c := results.Cell{
		Variant: b.variant, Launch: results.Launch{JVMArgs: b.JVMArgs},
		Parameters: []results.Value{{Name: factorBenchmark, Value: b.Name}, {Name: "mode", Value: b.Mode}},
	}
	if b.Threads > 0 {
		c.Parameters = append(c.Parameters, results.Value{Name: factorThreads, Value: strconv.Itoa(b.Threads)})
	}
	properties, setup := b.properties(), b.setup()
	for _, name := range slices.Sorted(maps.Keys(b.Params)) {
		if name != factorBenchmark && name != factorThreads && name != "mode" {
			c.Parameters = append(c.Parameters, results.Value{Name: name, Value: b.Params[name]})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(setup)) {
		if _, taken := properties[name]; !taken && setup[name] != "" {
			c.Parameters = append(c.Parameters, results.Value{Name: name, Value: setup[name]})
		}
	}
	for _, name := range varied {
		if value, ok := properties[name]; ok {
			c.Factors = append(c.Factors, results.Value{Name: name, Value: value})
		}
	}
	for _, name := range setups {
		if setup[name] != "" {
			c.Factors = append(c.Factors, results.Value{Name: name, Value: setup[name]})
		}
	}
	return c
}

// nameVariants names the variants that files don't name: by the value of the parameter or setup by, or by the
// shortest unambiguous benchmark name. Benchmarks without that parameter are left out; without says which.
func nameVariants(all []*benchmark, by string) (of []*benchmark, without string, err error) {
	short := shortNames(all)
	var left []string
	for _, b := range all {
		value, ok := b.Params[by]
		if setup, is := b.setup()[by]; !ok && is {
			value, ok = setup, setup != ""
		}
		switch {
		case by != "" && !ok:
			left = append(left, short[b.Name])
			continue
		case by != "":
			b.variant = value
		case b.variant == "":
			b.variant, b.short = short[b.Name], short[b.Name]
		}
		of = append(of, b)
	}
	if len(of) == 0 {
		names := map[string]string{}
		for _, b := range all {
			maps.Copy(names, b.Params)
			maps.Copy(names, b.setup())
		}
		return nil, "", refusal.Mistake("no benchmark has a parameter %s: there are %s",
			by, strings.Join(slices.Sorted(maps.Keys(names)), ", "))
	}
	slices.Sort(left)
	if left = slices.Compact(left); len(left) > 0 {
		without = fmt.Sprintf("left out, since there is no parameter %s: %s", by, listed(left))
	}
	return of, without, nil
}

// shortNames returns the names of benchmarks with as few packages as keep them distinct.
func shortNames(all []*benchmark) map[string]string {
	for parts := 1; ; parts++ {
		taken, short, clash := map[string]string{}, map[string]string{}, false
		for _, b := range all {
			words := strings.Split(b.Name, ".")
			name := strings.Join(words[max(0, len(words)-parts):], ".")
			clash = clash || cmp.Or(taken[name], b.Name) != b.Name
			short[b.Name], taken[name] = name, b.Name
		}
		if !clash {
			return short
		}
	}
}

// monitored reports whether an agent was loaded with the benchmark.
func (b *benchmark) monitored() bool {
	return slices.ContainsFunc(b.JVMArgs, func(arg string) bool {
		return strings.HasPrefix(arg, "-javaagent") || strings.HasPrefix(arg, "-agent") ||
			strings.HasPrefix(arg, "-XX:StartFlightRecording")
	})
}

// label returns the variant of a benchmark, with the benchmark's name if the two differ.
func (b *benchmark) label() string {
	if strings.HasSuffix(b.Name, b.variant) {
		return b.variant
	}
	return b.variant + " (" + b.Name + ")"
}

// properties returns the possible differences between benchmarks of one variant: name, threads and parameters.
func (b *benchmark) properties() map[string]string {
	all := map[string]string{factorBenchmark: b.Name, factorThreads: strconv.Itoa(b.Threads)}
	maps.Copy(all, b.Params)
	return all
}

// varying returns the names of the properties that differ between benchmarks, without the parameter by, which
// is the variant, and without the benchmark's name if each variant has only one.
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
	delete(varied, by) // it is the variant
	if !several {
		delete(varied, factorBenchmark)
	}
	return slices.Sorted(maps.Keys(varied))
}
