package moobenchcsv

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moobench/results"
	"moobench/results/importer"
)

// The names of an imported campaign: scenario, series, columns and metrics.
const (
	scenario          = "moobench"
	seriesDuration    = "duration"
	columnTime        = "t"
	columnHeap        = "heap"
	columnCollections = "gc"
	metricDuration    = "duration"
	metricHeap        = "heap"
	metricCollections = "gc_count"
	parameterDepth    = "depth"
)

// about is what a reader of the figures must know of where they come from.
const about = `MooBench's raw files: each is one JVM, and its loop is the number of its block. ` +
	`MooBench's scripts start the configurations of a loop one after the other in a fixed order; ` +
	`the files do not record it, so that nothing is paired. ` +
	`Times are of one call with its whole recursion: newer versions of MooBench's own statistics divide by the depth. ` +
	`Nothing says whether the records of a configuration were written: it is not proven that it monitors.`

// newCampaign has a cell for each configuration and depth, and the cell of each
// run.
func newCampaign(made results.Campaign, f *found, o Options) (*results.Campaign, []string, error) {
	variants, err := f.variants()
	if err != nil {
		return nil, nil, err
	}
	depths := distinct(f.runs, func(r run) int { return r.depth })
	cells := importer.Cells{Scenario: scenario}
	of := make([]string, len(f.runs))
	for i, r := range f.runs {
		of[i] = cells.ID(variants[r.config], factors(r, len(depths) > 1)...)
	}
	settled, err := cells.Settle(o.Baseline)
	if err != nil {
		return nil, nil, err
	}
	for i := range settled {
		r := f.runs[slices.Index(of, settled[i].ID)]
		settled[i].Framework = f.labels[r.folder].framework
		settled[i].Parameters = factors(r, true)
	}
	c := &results.Campaign{
		Name: made.Name, About: about, Created: made.Created, Versions: made.Versions, Source: Tool, Design: results.DesignUnordered,
		Scenarios: []results.Scenario{{
			Label: scenario, Use: scenario, Window: o.Window, Pool: results.PoolLastLoop,
			About: "one call of the monitored method, measured by MooBench",
		}},
		Cells: settled,
	}
	for cell, b := range importer.Compared(settled) {
		c.Scenarios[0].Questions = append(c.Scenarios[0].Questions, question(cell, b))
	}
	return c, of, nil
}

// variants names the configurations of all folders, which must be of one
// framework: a number means something else in another.
func (f *found) variants() (map[int]string, error) {
	var frameworks []string
	for _, l := range f.labels {
		if l.framework != "" && !slices.Contains(frameworks, l.framework) {
			frameworks = append(frameworks, l.framework)
		}
	}
	if len(frameworks) > 1 {
		return nil, importer.Refuse("the folders are of different frameworks (%s), whose configurations have the same numbers: import each by itself", strings.Join(frameworks, ", "))
	}
	named := map[int]string{}
	for i := range f.labels {
		configs := distinct(f.runs, func(r run) int {
			if r.folder != i {
				return -1
			}
			return r.config
		})
		for config, name := range f.labels[i].variants(slices.DeleteFunc(configs, func(n int) bool { return n < 0 })) {
			if known := named[config]; known != "" && known != name {
				return nil, importer.Refuse("configuration %d is %q in one folder and %q in another: import each by itself", config, known, name)
			}
			named[config] = name
		}
	}
	return named, nil
}

// distinct are the values of the runs, sorted.
func distinct(runs []run, value func(run) int) []int {
	var all []int
	for _, r := range runs {
		all = append(all, value(r))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func factors(r run, with bool) []results.Value {
	if !with {
		return nil
	}
	return []results.Value{{Name: parameterDepth, Value: strconv.Itoa(r.depth), Unit: "calls"}}
}

func question(cell, baseline *results.Cell) results.Question {
	return results.Question{
		ID: "duration-" + cell.ID, Text: fmt.Sprintf("How much longer does a call take with %s than with %s?", cell.Label(), baseline.Label()),
		Metric: metricDuration, A: cell.ID, B: baseline.ID, Test: results.TestWelch, Family: importer.Family(cell, metricDuration),
	}
}

// metrics are those that the files have columns for.
func metrics(has layout) []results.Metric {
	all := []results.Metric{{
		Name: metricDuration, Unit: "ns", Better: results.Lower, Primary: true, Profile: results.ProfileTiming,
		Series: seriesDuration, Column: columnTime, About: "one call of the monitored method, with its recursion",
	}}
	if has.heap >= 0 {
		all = append(all, results.Metric{
			Name: metricHeap, Unit: "B", Better: results.Neither, Profile: results.ProfileTiming,
			Series: seriesDuration, Column: columnHeap, About: "heap in use after a call",
		})
	}
	if has.gc >= 0 {
		all = append(all, results.Metric{
			Name: metricCollections, Unit: "1", Better: results.Lower, Profile: results.ProfileTiming,
			About: "garbage collections from the first call to the last, warm-up included",
		})
	}
	return all
}
