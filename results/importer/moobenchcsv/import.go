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
	"slices"
	"strconv"

	"moobench/results"
	"moobench/results/importer"
)

// Tool is what an imported campaign names as its source.
const Tool = "MooBench"

// Options are what an import leaves to choose.
type Options struct {
	// Window is the samples that means are taken over: steady, which "" is too,
	// or half, as MooBench takes it.
	Window results.Window
	// Baseline is the variant that others are compared with, "" the
	// configuration of the smallest number.
	Baseline string
	// Progress is told how many of all files are done; nil is nobody.
	Progress func(done, all int)
}

// Import makes a campaign in dir, which must be new or empty, of MooBench's
// results: folders, zip files, or raw files. Each raw file is an invocation,
// its loop the block of its identity; each configuration is a variant; the
// depth is a factor where there are several. Of the rest of the header only
// Name, Created and Versions are taken from made. The campaign is there whole or
// not at all. What is wrong in the files is in one *importer.Mistakes. The
// samples of one file are held in memory at a time, and their number has a bound.
// No link is followed out of a folder. It ends when ctx is done.
func Import(ctx context.Context, dir string, made results.Campaign, paths []string, o Options) (*results.Store, error) {
	mistakes := &importer.Mistakes{}
	f, err := find(paths, mistakes)
	if err != nil {
		return nil, err
	}
	defer f.close()
	if err := mistakes.Err(); err != nil {
		return nil, err
	}
	c, cells, err := newCampaign(made, f, o)
	if err != nil {
		return nil, err
	}
	f.checkTwice(cells, mistakes)
	if err := mistakes.Err(); err != nil {
		return nil, err
	}
	fl := &filler{
		mistakes: mistakes, seen: map[string]*seen{}, most: map[int]int64{}, has: layout{heap: -1, gc: -1}, progress: o.Progress,
	}
	return importer.Campaign(dir, c, func(store *results.Store) error {
		fl.store = store
		return fl.fill(ctx, f, cells)
	})
}

// checkTwice finds runs of the same loop of a cell.
func (f *found) checkTwice(cells []string, mistakes *importer.Mistakes) {
	type place struct {
		cell string
		loop int
	}
	first := map[place]string{}
	for i, r := range f.runs {
		p := place{cells[i], r.loop}
		if other, twice := first[p]; twice {
			mistakes.Add(r.name, 0, "this loop of this configuration and depth is in %s too: import folders of different experiments each by itself", importer.OneLine(other))
		}
		first[p] = r.name
	}
}

// filler adds the invocations, and remembers what the campaign says of all.
type filler struct {
	store    *results.Store
	mistakes *importer.Mistakes
	seen     map[string]*seen // by cell
	most     map[int]int64    // calls of the longest file of each folder
	lengths  []int64          // calls of each run
	has      layout           // columns that some file has
	progress func(done, all int)
}

// seen are the calls of each thread, and the threads, of the runs of a cell; -1
// where these differ.
type seen struct{ calls, threads int64 }

// fill adds an invocation for each file.
func (fl *filler) fill(ctx context.Context, f *found, cells []string) error {
	for i, r := range f.runs {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("importing: %w", err)
		}
		if err := fl.run(ctx, r, cells[i]); err != nil {
			return fmt.Errorf("importing %s: %w", importer.Visible(r.name), err)
		}
		if fl.progress != nil {
			fl.progress(i+1, len(f.runs))
		}
	}
	if fl.mistakes.Count == 0 {
		fl.checkLengths(f.runs)
	}
	if err := fl.mistakes.Err(); err != nil {
		return err
	}
	c := fl.store.Campaign()
	c.Scenarios[0].Metrics = metrics(fl.has)
	for i := range c.Cells {
		c.Cells[i].Parameters = append(c.Cells[i].Parameters, fl.seen[c.Cells[i].ID].parameters()...)
	}
	return nil
}

// checkLengths finds files that are shorter than others of their folder: MooBench
// makes as many calls in each JVM.
func (fl *filler) checkLengths(runs []run) {
	for i, r := range runs {
		if n, most := fl.lengths[i], fl.most[r.folder]; n < most {
			fl.mistakes.Add(r.name, 0, "it has %d calls, and the longest file of its folder %d: it was cut off; move it away to import the others", n, most)
		}
	}
}

// run adds one invocation. After a mistake files are only read.
func (fl *filler) run(ctx context.Context, r run, cell string) error {
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
	fl.most[r.folder] = max(fl.most[r.folder], c.count)
	if fl.mistakes.Count > 0 {
		return nil
	}
	fl.note(cell, c)
	inv := &results.Invocation{
		Cell: cell, Profile: results.ProfileTiming, Status: results.StatusOK,
		Scalars: c.scalars(), Warnings: c.warnings(),
	}
	slot := slices.IndexFunc(fl.store.Campaign().Cells, func(o results.Cell) bool { return o.ID == cell })
	var all []importer.Samples
	for _, t := range c.threads {
		all = append(all, t.samples())
	}
	return importer.Seal(fl.store, results.Identity{Block: r.loop, Slot: slot}, inv, all...)
}

// note remembers what the calls have in common with those of other files.
func (fl *filler) note(cell string, c *calls) {
	fl.has.heap, fl.has.gc = max(fl.has.heap, c.has.heap), max(fl.has.gc, c.has.gc)
	now := seen{int64(len(c.threads[0].took)), int64(len(c.threads))}
	for _, t := range c.threads {
		if int64(len(t.took)) != now.calls {
			now.calls = -1
		}
	}
	s := fl.seen[cell]
	if s == nil {
		fl.seen[cell] = &now
		return
	}
	if s.calls != now.calls {
		s.calls = -1
	}
	if s.threads != now.threads {
		s.threads = -1
	}
}

func (s *seen) parameters() []results.Value {
	var all []results.Value
	if s.calls >= 0 {
		all = append(all, results.Value{Name: "calls", Value: strconv.FormatInt(s.calls, 10), Unit: "calls"})
	}
	if s.threads >= 0 {
		all = append(all, results.Value{Name: "threads", Value: strconv.FormatInt(s.threads, 10), Unit: "threads"})
	}
	return all
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

// samples are the calls of a thread.
func (t *thread) samples() importer.Samples {
	s := importer.Samples{
		Series: results.Series{Name: seriesDuration, Thread: int(t.id), Batch: 1, Columns: []results.Column{
			{Name: columnTime, Unit: "ns", Kind: results.KindDuration},
		}},
		Values: [][]int64{t.took},
	}
	if t.heap != nil {
		s.Series.Columns = append(s.Series.Columns, results.Column{Name: columnHeap, Unit: "B", Kind: results.KindCount})
		s.Values = append(s.Values, t.heap)
	}
	if t.gc != nil {
		s.Series.Columns = append(s.Series.Columns, results.Column{Name: columnCollections, Unit: "1", Kind: results.KindCount})
		s.Values = append(s.Values, t.gc)
	}
	return s
}
