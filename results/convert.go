package results

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"moobench/results/summary"
)

// convert turns the raw dumps of an invocation's series into samples.parquet
// and summary.json, and returns the names of the dumps that are no longer
// needed. A failed invocation yields only their names.
func (d *Draft) convert(inv *Invocation) ([]string, error) {
	s, dir := d.store, d.dir
	for _, name := range []string{samplesFile, summaryFile} {
		// Files of an earlier attempt must not be taken for this one's.
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			return nil, diskError("removing", filepath.Join(dir, name), err)
		}
	}
	dumps, _ := fs.Glob(os.DirFS(dir), "*"+dumpSuffix) // it fails only for a malformed pattern
	left := slices.Clone(dumps)                        // each belongs to exactly one series
	for _, series := range inv.Series {
		i := slices.Index(left, series.Dump)
		if i < 0 {
			return nil, dumpError(problemDump, filepath.Join(dir, series.Dump),
				"the dump of series %s, thread %d, is missing or used twice", series.Name, series.Thread)
		}
		left = slices.Delete(left, i, i+1)
	}
	if inv.Status == StatusOK && len(left) > 0 {
		return nil, dumpError(problemDump, filepath.Join(dir, left[0]), "no series announced this dump")
	}
	if len(inv.Series) == 0 {
		return dumps, nil
	}
	columns, err := s.writeSamples(dir, inv.Series)
	if err == nil && d.Fits != nil {
		err = d.Fits(columns)
	}
	if err != nil {
		return nil, err
	}
	hash, err := hashFile(context.Background(), filepath.Join(dir, samplesFile), mostBytes)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, summaryFile)
	data, err := summary.Encode(&summary.Summary{Samples: hash, Columns: columns})
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", path, err)
	}
	return dumps, s.step.writeFile(path, data)
}

// writeSamples streams the dumps into samples.parquet, and returns their summaries.
func (s *Store) writeSamples(dir string, series []Series) (columns []summary.Column, err error) {
	path := filepath.Join(dir, samplesFile)
	f, err := s.step.create(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = diskError("writing", path, closeSynced(f, err)) }()
	w, sum := newSampleWriter(f, series), newSummariser(series)
	for i := range series {
		dump := filepath.Join(dir, series[i].Dump)
		if err := s.step.at("convert " + series[i].Dump); err != nil {
			return nil, diskError("converting", dump, err)
		}
		err := openDump(dump, series[i], func(columns [][]int64) error {
			for c, values := range columns {
				sum.add(i, c, values)
			}
			return diskError("writing", path, w.write(i, columns))
		})
		if err == nil {
			err = diskError("writing", path, w.endSeries())
		}
		if err != nil {
			return nil, err
		}
	}
	if columns, err = sum.columns(); err != nil {
		return nil, err
	}
	return columns, diskError("writing", path, w.w.Close())
}

// summariser builds the summaries of the duration and count columns of some series.
type summariser struct {
	series   []Series
	builders [][]*summary.Builder // by series and column, nil for instants and ids
}

func newSummariser(list []Series) *summariser {
	m := &summariser{list, make([][]*summary.Builder, len(list))}
	for i, s := range list {
		m.builders[i] = make([]*summary.Builder, len(s.Columns))
		for j, c := range s.Columns {
			if c.Kind == KindDuration || c.Kind == KindCount {
				m.builders[i][j] = summary.NewBuilder(s.Count)
			}
		}
	}
	return m
}

// add adds the next values of a column.
func (m *summariser) add(series, column int, values []int64) {
	if b := m.builders[series][column]; b != nil {
		b.Add(values)
	}
}

// columns returns the summaries of all columns.
func (m *summariser) columns() ([]summary.Column, error) {
	var columns []summary.Column
	for i, s := range m.series {
		for j, b := range m.builders[i] {
			if b == nil {
				continue
			}
			c, err := b.Column()
			if err != nil {
				return nil, fmt.Errorf("summarising series %s, column %s: %w", s.Name, s.Columns[j].Name, err)
			}
			c.Series, c.Thread, c.Name = s.Name, s.Thread, s.Columns[j].Name
			columns = append(columns, c)
		}
	}
	return columns, nil
}
