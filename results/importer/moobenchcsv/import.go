// Package moobenchcsv reads the results folders of MooBench, the overhead
// benchmark of the Kieker community: raw files with a line for each call, or the
// zip file that its scripts make of them.
//
// A raw file is named raw-LOOP-DEPTH-CONFIGURATION.csv, or .csv.gz, and is of one JVM; its
// lines are thread;ns;heap;gc, or thread;ns of the program for Python.
package moobenchcsv

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"moobench/results"
	"moobench/results/importer"
)

// Format reads MooBench's results.
func Format() importer.Format {
	return importer.Format{
		Name: "moobench-csv", Paths: []string{"a folder", "*.zip", "raw-*.csv.gz"}, Options: []string{"window"}, Import: importFiles,
		Named: func(path string) bool {
			info, err := os.Stat(path)
			return err == nil && info.IsDir() || isRaw(path)
		},
	}
}

// importFiles makes a campaign of MooBench's results: folders, zip files, or raw
// files. Each raw file is an invocation, its loop the block of its identity; each
// configuration is a variant; the depth is a factor where there are several. What is
// wrong in the files is in one *importer.Mistakes. The samples of one file are held
// in memory at a time, and their number has a bound. No link is followed out of a
// folder. It ends when ctx is done.
func importFiles(ctx context.Context, r importer.Request) (*results.Store, error) {
	mistakes := &importer.Mistakes{}
	f, err := find(r.Files, mistakes)
	if err != nil {
		return nil, err
	}
	defer f.close()
	if err := mistakes.Err(); err != nil {
		return nil, err
	}
	b, err := f.campaign(r)
	if err != nil {
		return nil, err
	}
	f.checkTwice(mistakes)
	if err := mistakes.Err(); err != nil {
		return nil, err
	}
	fl := newFiller(b, mistakes)
	return b.Make(func() error {
		for i, run := range f.runs {
			if err := fl.add(ctx, run); err != nil {
				return fmt.Errorf("importing %s: %w", importer.Visible(run.name), err)
			}
			if r.Progress != nil {
				r.Progress(i+1, len(f.runs))
			}
		}
		return fl.finish(f.runs)
	})
}

// checkTwice finds runs of the same loop of a cell.
func (f *found) checkTwice(mistakes *importer.Mistakes) {
	type place struct {
		cell string
		loop int
	}
	first := map[place]string{}
	for _, r := range f.runs {
		p := place{r.cell, r.loop}
		if other, twice := first[p]; twice {
			mistakes.Add(r.name, 0, "this loop of this configuration and depth is in %s too: import folders of different experiments each by itself", importer.OneLine(other))
		}
		first[p] = r.name
	}
}

// filler adds the invocations, and remembers what the campaign says of all.
type filler struct {
	b        *importer.Builder
	mistakes *importer.Mistakes
	shapes   map[string]shape // by cell
	longest  map[int]int64    // calls of the longest file of each folder
	lengths  []int64          // calls of each run
	has      layout           // columns that some file has
}

// shape is how many calls each thread of a cell made, and how many threads there
// were; -1 where runs or threads differ.
type shape struct{ calls, threads int64 }

func newFiller(b *importer.Builder, mistakes *importer.Mistakes) *filler {
	return &filler{b: b, mistakes: mistakes, shapes: map[string]shape{}, longest: map[int]int64{}, has: layout{heap: -1, gc: -1}}
}

// add adds the invocation of a run. After a mistake files are only read.
func (fl *filler) add(ctx context.Context, r run) error {
	in, err := r.open()
	switch {
	case errors.Is(err, errNotGzip):
		fl.mistakes.Add(r.name, 0, "%v", errNotGzip)
		return nil
	case refused(err) != "":
		fl.mistakes.Add(r.name, 0, "it is not read: %s", refused(err))
		return nil
	case err != nil:
		return err
	}
	defer in.Close()
	c := read(r.name, importer.UntilDone(ctx, in), bounds{sizeMost, callsMost}, fl.mistakes)
	if err := ctx.Err(); err != nil {
		return err
	}
	fl.lengths = append(fl.lengths, c.count)
	fl.longest[r.folder] = max(fl.longest[r.folder], c.count)
	if fl.mistakes.Count > 0 {
		return nil
	}
	fl.note(r.cell, c)
	var all []importer.Samples
	for _, t := range c.threads {
		s := importer.Samples{Series: results.Series{Name: metricDuration, Thread: int(t.id), Batch: 1}}
		s.Column(columnTime, "ns", results.KindDuration, t.took)
		if t.heap != nil {
			s.Column(metricHeap, "B", results.KindCount, t.heap)
		}
		if t.gc != nil {
			s.Column("gc", "1", results.KindCount, t.gc)
		}
		all = append(all, s)
	}
	inv := &results.Invocation{Cell: r.cell, Scalars: c.scalars(), Warnings: c.warnings()}
	return fl.b.Add(ctx, results.Identity{Block: r.loop, Slot: fl.b.Slot(r.cell)}, inv, all...)
}

// note remembers what the calls have in common with those of other files.
func (fl *filler) note(cell string, c *calls) {
	fl.has.heap, fl.has.gc = max(fl.has.heap, c.has.heap), max(fl.has.gc, c.has.gc)
	now := shape{int64(len(c.threads[0].took)), int64(len(c.threads))}
	for _, t := range c.threads {
		if int64(len(t.took)) != now.calls {
			now.calls = -1
		}
	}
	if known, ok := fl.shapes[cell]; ok {
		if known.calls != now.calls {
			now.calls = -1
		}
		if known.threads != now.threads {
			now.threads = -1
		}
	}
	fl.shapes[cell] = now
}

// finish adds what all files together say of the campaign.
func (fl *filler) finish(runs []run) error {
	if fl.mistakes.Count == 0 {
		// MooBench makes as many calls in each JVM: a file that is shorter than others of
		// its folder was cut off.
		for i, r := range runs {
			if n, most := fl.lengths[i], fl.longest[r.folder]; n < most {
				fl.mistakes.Add(r.name, 0, "it has %d calls, and the longest file of its folder %d: it was cut off; move it away to import the others", n, most)
			}
		}
	}
	if err := fl.mistakes.Err(); err != nil {
		return err
	}
	fl.b.Scenario().Metrics = metrics(fl.has)
	cells := fl.b.Cells()
	for i := range cells {
		c := &cells[i]
		if n := fl.shapes[c.ID].calls; n >= 0 {
			c.Parameters = append(c.Parameters, results.Value{Name: "calls", Value: strconv.FormatInt(n, 10), Unit: "calls"})
		}
		if n := fl.shapes[c.ID].threads; n >= 0 {
			c.Parameters = append(c.Parameters, results.Value{Name: "threads", Value: strconv.FormatInt(n, 10), Unit: "threads"})
		}
	}
	return nil
}

// scalars: threads count the same collections of their JVM, so that they are not
// added up.
func (c *calls) scalars() map[string]float64 {
	if c.has.gc < 0 {
		return nil
	}
	var most int64
	for _, t := range c.threads {
		var sum int64
		for _, n := range t.gc {
			sum += n
		}
		most = max(most, sum)
	}
	return map[string]float64{metricCollections: float64(most)}
}
