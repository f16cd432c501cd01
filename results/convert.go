package results

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"moobench/results/safefile"
	"moobench/results/summary"
)

// convert turns the raw dumps of an invocation's series into samples.parquet
// and summary.json, and returns the names of the dumps that are no longer
// needed. A failed invocation yields only their names.
func (s *Store) convert(dir string, inv *Invocation) ([]string, error) {
	for _, name := range []string{samplesFile, summaryFile} {
		// Files of an earlier attempt must not be taken for this one's.
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			return nil, diskError("removing", filepath.Join(dir, name), err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, diskError("reading", dir, err)
	}
	var dumps []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), dumpSuffix) {
			dumps = append(dumps, e.Name())
		}
	}
	left := slices.Clone(dumps) // each belongs to exactly one series
	for _, series := range inv.Series {
		i := slices.Index(left, series.Dump)
		if i < 0 {
			return nil, dumpError(problemDump, filepath.Join(dir, series.Dump), "the dump of series %s, thread %d, is missing or used twice", series.Name, series.Thread)
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
	if err != nil {
		return nil, err
	}
	hash, err := hashFile(filepath.Join(dir, samplesFile))
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
	if err := s.step.at("create " + samplesFile); err != nil {
		return nil, diskError("writing", path, err)
	}
	f, err := createAnew(path)
	if err != nil {
		return nil, diskError("writing", path, err)
	}
	defer func() { err = errors.Join(err, diskError("writing", path, closeSynced(f, err))) }()
	w := newSampleWriter(f, series)
	for i := range series {
		cs, err := s.convertDump(dir, w, series, i)
		if err != nil {
			return nil, err
		}
		columns = append(columns, cs...)
	}
	return columns, diskError("writing", path, w.close())
}

// convertDump appends the dump of series i to the sample file, and summarises it.
func (s *Store) convertDump(dir string, w *sampleWriter, series []Series, i int) ([]summary.Column, error) {
	path := filepath.Join(dir, series[i].Dump)
	if err := s.step.at("convert " + series[i].Dump); err != nil {
		return nil, diskError("converting", path, err)
	}
	f, err := safefile.Open(path)
	if err != nil {
		return nil, diskError("reading", path, err)
	}
	defer f.Close()
	sum := newSummariser(series[i])
	err = readDump(f, path, series[i], func(columns [][]int64) error {
		for c, values := range columns {
			sum.add(c, values)
		}
		return diskError("writing", filepath.Join(dir, samplesFile), w.write(i, columns))
	})
	if err == nil {
		err = diskError("writing", filepath.Join(dir, samplesFile), w.endSeries())
	}
	if err != nil {
		return nil, err
	}
	return sum.columns()
}

// summariser summarises the quantities among the columns of one series.
type summariser struct {
	series   Series
	builders []*summary.Builder // nil for instants and ids
}

func newSummariser(s Series) *summariser {
	m := &summariser{series: s, builders: make([]*summary.Builder, len(s.Columns))}
	for i, c := range s.Columns {
		if c.Kind == KindDuration || c.Kind == KindCount {
			m.builders[i] = summary.NewBuilder(s.Count)
		}
	}
	return m
}

// add adds the next values of a column.
func (m *summariser) add(column int, values []int64) {
	if b := m.builders[column]; b != nil {
		b.Add(values)
	}
}

// columns returns the summaries of all columns.
func (m *summariser) columns() ([]summary.Column, error) {
	var columns []summary.Column
	for i, b := range m.builders {
		if b == nil {
			continue
		}
		c, err := b.Column()
		if err != nil {
			return nil, fmt.Errorf("summarising series %s, column %s: %w", m.series.Name, m.series.Columns[i].Name, err)
		}
		c.Series, c.Thread, c.Name = m.series.Name, m.series.Thread, m.series.Columns[i].Name
		columns = append(columns, c)
	}
	return columns, nil
}
