package moobenchcsv

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moobench/refusal"
	"moobench/results"
	"moobench/results/importer"
)

// tool is the source that an imported campaign names.
const tool = "MooBench"

// Names in an imported campaign: its scenario and metrics. The series of the calls has
// the name of the first metric, one of its columns that of the second.
const (
	scenario          = "moobench"
	metricDuration    = "duration"
	metricHeap        = "heap"
	metricCollections = "gc_count"
)

const about = `MooBench's raw files: each is one JVM, and its loop is the number of its block. ` +
	`MooBench's scripts start the configurations of a loop one after the other in a fixed order; ` +
	`the files do not record it, so that nothing is paired. ` +
	`Times are of one call with its whole recursion: newer versions of MooBench's own statistics divide by the depth. ` +
	`Nothing says whether the records of a configuration were written: it is not proven that it monitors.`

// campaign begins a campaign with a cell for each configuration and depth, which it sets
// in the runs. The folders must be of one framework: numbers of configurations mean
// something else in another.
func (f *found) campaign(r importer.Request) (*importer.Builder, error) {
	var frameworks []string
	for _, l := range f.labels {
		if l.framework != "" && !slices.Contains(frameworks, l.framework) {
			frameworks = append(frameworks, l.framework)
		}
	}
	if len(frameworks) > 1 {
		return nil, refusal.Mistake("the folders are of different frameworks (%s), whose configurations have the same numbers: import each by itself", strings.Join(frameworks, ", "))
	}
	variants := map[int]string{} // by configuration
	for i := range f.labels {
		var configs []int
		for _, r := range f.runs {
			if r.folder == i {
				configs = append(configs, r.config)
			}
		}
		slices.Sort(configs)
		for config, name := range f.labels[i].variants(slices.Compact(configs)) {
			if known := variants[config]; known != "" && known != name {
				return nil, refusal.Mistake("configuration %d is %q in one folder and %q in another: import each by itself", config, known, name)
			}
			variants[config] = name
		}
	}
	b := importer.NewBuilder(r, tool, about, results.Scenario{
		Label: scenario, Window: r.Window, Pool: results.PoolLastLoop, About: "one call of the monitored method, measured by MooBench",
	})
	for i := range f.runs {
		run := &f.runs[i]
		c := results.Cell{
			Variant: variants[run.config], Framework: f.labels[run.folder].framework,
			Parameters: []results.Value{{Name: "depth", Value: strconv.Itoa(run.depth), Unit: "calls"}},
		}
		if f.runs[0].depth != f.runs[len(f.runs)-1].depth { // they are sorted by it
			c.Factors = slices.Clone(c.Parameters)
		}
		run.cell = b.Cell(c)
	}
	return b, b.Compare(r.Baseline, importer.Question{Metric: metricDuration, Text: func(cell, baseline *results.Cell) string {
		return fmt.Sprintf("How much longer does a call take with %s than with %s?", cell.Label(), baseline.Label())
	}})
}
