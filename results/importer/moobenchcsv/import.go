// Package moobenchcsv reads the results folders of MooBench, the overhead
// benchmark of the Kieker community: raw files with a line for each call, or the
// zip file that its scripts make of them.
//
// A raw file is named raw-LOOP-DEPTH-CONFIGURATION.csv, or .csv.gz, and comes from one
// JVM; its lines are thread;ns;heap;gc, or thread;ns from the program for Python.
package moobenchcsv

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"moobench/refusal"
	"moobench/results"
	"moobench/results/importer"
)

// Format reads MooBench's results.
func Format() importer.Format {
	return importer.Format{
		Name: "moobench-csv", Paths: []string{"a folder", "*.zip", "raw-*.csv.gz"}, Import: importFiles,
		Options: []string{"window"},
		About: `results folders of MooBench, their results.zip, or raw files
(raw-LOOP-DEPTH-CONFIGURATION.csv, or .csv.gz): each file is an
invocation, each configuration a variant; --window half takes the
samples that MooBench takes`,
		Named: func(path string) bool {
			info, err := os.Stat(path)
			return err == nil && info.IsDir() || isRaw(path)
		},
	}
}

// importFiles makes a campaign of MooBench's results: folders, zip files, or raw files. Each raw file is an
// invocation whose block is its loop; each configuration is a variant; the depth is a factor if it varies. All
// mistakes in the files are in one *refusal.Mistakes. The samples of one file are held in memory at a time, and
// their number is limited. Links out of a folder are not followed. It stops when ctx is done.
func importFiles(ctx context.Context, r importer.Request) (*results.Store, error) {
	mistakes := &refusal.Mistakes{}
	f, err := find(r.Files, mistakes)
	defer func() {
		for _, c := range f.closers {
			c.Close()
		}
	}()
	if err = cmp.Or(err, mistakes.Err()); err != nil {
		return nil, err
	}
	b, err := f.campaign(r)
	if err != nil {
		return nil, err
	}
	first := map[results.Identity]string{}
	for i := range f.runs {
		r := &f.runs[i]
		r.id = results.Identity{Block: r.loop, Slot: b.Slot(r.cell)}
		if other, twice := first[r.id]; twice {
			mistakes.At(r.name, 0, "this loop of this configuration and depth is in %s too: "+
				"import folders of different experiments each by itself", refusal.OneLine(other))
		}
		first[r.id] = r.name
	}
	if err := mistakes.Err(); err != nil {
		return nil, err
	}
	fl := &filler{b: b, mistakes: mistakes, shapes: map[shape]int{}, longest: map[int]int64{}}
	return b.Make(func() error {
		for i, run := range f.runs {
			if err := fl.add(ctx, run); err != nil {
				return fmt.Errorf("importing %s: %w", refusal.Visible(run.name), err)
			}
			if r.Progress != nil {
				r.Progress(i+1, len(f.runs))
			}
		}
		return fl.finish(f.runs)
	})
}

// filler adds the invocations, and collects the properties of the whole campaign.
type filler struct {
	b        *importer.Builder
	mistakes *refusal.Mistakes
	copies   importer.Copies
	shapes   map[shape]int    // -1 if runs or threads differ
	longest  map[int]int64    // calls of the longest file of each folder
	lengths  []int64          // calls of each run
	has      [allColumns]bool // columns of any file
}

// shape is a number of a cell: its threads, or the calls of each thread.
type shape struct{ cell, name string }

// add adds the invocation of a run, and notes the properties that the files of its cell may share. After a
// mistake it only reads the file.
func (fl *filler) add(ctx context.Context, r run) error {
	in, err := r.open()
	if err != nil {
		return unread(r.name, err, fl.mistakes)
	}
	defer in.Close()
	var c *calls
	err = fl.copies.Read(r.name, importer.UntilDone(ctx, in), fl.mistakes, func(text io.Reader) error {
		c = read(r.name, text, bounds{sizeMost, callsMost}, fl.mistakes)
		return nil
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	if err != nil || c == nil {
		return err // c is nil after a mistake
	}
	fl.lengths = append(fl.lengths, c.count)
	fl.longest[r.folder] = max(fl.longest[r.folder], c.count)
	if fl.mistakes.Count > 0 {
		return nil
	}
	for i, at := range c.has.at {
		fl.has[i] = fl.has[i] || at >= 0
	}
	fl.note(r.cell, "threads", len(c.threads))
	for _, t := range c.threads {
		fl.note(r.cell, "calls", len(t.values[took]))
	}
	inv, samples := c.invocation()
	inv.Cell = r.cell
	return fl.b.Add(ctx, r.id, inv, samples...)
}

// note records a number of a run, or of one of its threads.
func (fl *filler) note(cell, name string, n int) {
	if known, ok := fl.shapes[shape{cell, name}]; ok && known != n {
		n = -1
	}
	fl.shapes[shape{cell, name}] = n
}

// finish adds the properties of the whole campaign: metrics for the columns that any file has, and calls and
// threads where all runs of a cell agree.
func (fl *filler) finish(runs []run) error {
	if fl.mistakes.Count == 0 {
		// MooBench makes the same number of calls in each JVM: a file shorter than others of its folder was cut
		// off.
		for i, r := range runs {
			if n, most := fl.lengths[i], fl.longest[r.folder]; n < most {
				fl.mistakes.At(r.name, 0, "it has %d calls, and the longest file of its folder %d: "+
					"it was cut off; move it away to import the others", n, most)
			}
		}
	}
	if err := fl.mistakes.Err(); err != nil {
		return err
	}
	for i, c := range columns {
		if i == thread || !fl.has[i] {
			continue
		}
		if c.metric.Primary = i == took; i != gc {
			c.metric.Series, c.metric.Column = metricDuration, c.samples.Name
		}
		fl.b.Scenario().Metrics = append(fl.b.Scenario().Metrics, c.metric)
	}
	cells := fl.b.Campaign.Cells
	for i := range cells {
		c := &cells[i]
		for _, name := range []string{"calls", "threads"} {
			if n := fl.shapes[shape{c.ID, name}]; n >= 0 {
				c.Parameters = append(c.Parameters, results.Value{Name: name, Value: strconv.Itoa(n), Unit: name})
			}
		}
	}
	return nil
}

// invocation returns the invocation of the calls, with their samples. All threads count the same collections of
// their JVM, so the largest count is taken, not the sum.
func (c *calls) invocation() (*results.Invocation, []importer.Samples) {
	inv, most := &results.Invocation{}, int64(0)
	var all []importer.Samples
	for _, t := range c.threads {
		s := importer.Samples{Series: results.Series{Name: metricDuration, Thread: int(t.id), Batch: 1}}
		for c, values := range t.values {
			if values != nil {
				s.Series.Columns, s.Values = append(s.Series.Columns, columns[c].samples), append(s.Values, values)
			}
		}
		all = append(all, s)
		var collections int64
		for _, n := range t.values[gc] {
			collections += n
		}
		most = max(most, collections)
	}
	if c.has.at[gc] >= 0 {
		inv.Scalars = map[string]float64{metricCollections: float64(most)}
	}
	if c.negative > 0 {
		inv.Warnings = append(inv.Warnings, fmt.Sprintf(
			"%d calls took less than nothing: the clock was set back meanwhile; they are in the mean", c.negative))
	}
	if c.has.width == 3 && c.has.at[gc] < 0 && c.has.at[heap] < 0 {
		inv.Warnings = append(inv.Warnings, "the third column is left out: nothing says what it is")
	}
	return inv, all
}

// tool is the source of an imported campaign.
const tool = "MooBench"

// Names in an imported campaign: its scenario and metrics. The series of calls is named after the first metric,
// one of its columns after the second.
const (
	scenario          = "moobench"
	metricDuration    = "duration"
	metricHeap        = "heap"
	metricCollections = "gc_count"
)

const about = `MooBench's raw files: each is one JVM, and its loop is the number of its block. ` +
	`MooBench's scripts start the configurations of a loop one after the other, ` +
	`so that they are compared within loops. ` +
	`Their order in a loop is always the same and not recorded, and there is no second run without a probe. ` +
	`Times are of one call with its whole recursion: ` +
	`newer versions of MooBench's own statistics divide by the depth. ` +
	`Nothing says whether the records of a configuration were written: it is not proven that it monitors.`

// campaign begins a campaign with a cell for each configuration and depth, and sets the cells of the runs. All
// folders must be of one framework, since the numbers of configurations mean something else in another.
func (f *found) campaign(r importer.Request) (*importer.Builder, error) {
	var frameworks []string
	for _, l := range f.labels {
		if l.framework != "" && !slices.Contains(frameworks, l.framework) {
			frameworks = append(frameworks, l.framework)
		}
	}
	if len(frameworks) > 1 {
		return nil, refusal.Mistake("the folders are of different frameworks (%s), "+
			"whose configurations have the same numbers: import each on its own", strings.Join(frameworks, ", "))
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
				return nil, refusal.Mistake(
					"configuration %d is %q in one folder and %q in another: import each on its own",
					config, known, name)
			}
			variants[config] = name
		}
	}
	b := importer.NewBuilder(r, tool, about, results.Scenario{
		Label: scenario, Window: r.Window, Pool: results.PoolLastLoop,
		About: "one call of the monitored method, measured by MooBench",
	})
	b.Campaign.Design = results.DesignPaired
	for i := range f.runs {
		run := &f.runs[i]
		c := results.Cell{
			Variant: variants[run.config], Framework: f.labels[run.folder].framework,
			Parameters: []results.Value{{Name: "depth", Value: strconv.Itoa(run.depth), Unit: "calls"}},
		}
		if f.runs[0].depth != f.runs[len(f.runs)-1].depth { // runs are sorted by depth
			c.Factors = slices.Clone(c.Parameters)
		}
		run.cell = b.Cell(c)
	}
	text := func(cell, baseline *results.Cell) string {
		return fmt.Sprintf("How much longer does a call take with %s than with %s?", cell.Label(), baseline.Label())
	}
	return b, b.Compare(r.Baseline, importer.Question{Metric: metricDuration, Text: text})
}
