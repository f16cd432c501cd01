package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"moobench/analysis/numbers"
)

// source opens what the arguments name; standard input can be read once.
type source struct {
	stdin io.Reader
	used  bool
}

// open returns the name to show, too. An argument that is no file, but looks
// like figures, was perhaps meant as a summary.
func (s *source) open(arg string) (string, io.ReadCloser, error) {
	if arg == "-" {
		if s.used {
			return "", nil, errors.New("-: standard input can be read once only")
		}
		s.used = true
		return "standard input", io.NopCloser(s.stdin), nil
	}
	f, err := os.Open(arg)
	if err != nil && looksLikeFigures(arg) {
		return "", nil, fmt.Errorf("%s is no file: figures such as mean,sd,n need --summary", visible(arg))
	}
	if err != nil {
		return "", nil, fmt.Errorf("reading numbers: %w", err)
	}
	return visible(arg), f, nil
}

func looksLikeFigures(arg string) bool {
	first, _, ok := strings.Cut(arg, ",")
	_, err := numbers.Parse(first)
	return ok && err == nil
}

// readSamples reads all that is to be compared, and finds all mistakes.
func (f *testFlags) readSamples(stdin io.Reader, args []string) ([]numbers.Sample, error) {
	if f.summary {
		return summaries(args)
	}
	if len(args) > 1 && len(f.columns) > 1 && len(f.columns) != len(args) {
		return nil, fmt.Errorf("%d files and %d columns: give one column for all files, one for each, or several of a single file", len(args), len(f.columns))
	}
	var all []numbers.Sample
	var wrong numbers.Mistakes
	in := source{stdin: stdin}
	for i, arg := range args {
		columns := f.columns
		if len(args) > 1 && len(columns) > 1 {
			columns = columns[i : i+1]
		}
		samples, err := in.samples(arg, columns)
		wrong.Add(err)
		all = append(all, samples...)
	}
	rename(all)
	return all, wrong.Err()
}

func (s *source) samples(arg string, columns []string) ([]numbers.Sample, error) {
	name, r, err := s.open(arg)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if len(columns) > 0 {
		return numbers.Table(name, r, columns)
	}
	sample, err := numbers.Lines(name, r)
	return []numbers.Sample{sample}, err
}

// rename calls samples by their files where those tell them apart, else by
// their columns.
func rename(all []numbers.Sample) {
	files, columns := map[string]int{}, map[string]int{}
	for _, s := range all {
		files[s.File]++
		columns[s.Name]++
	}
	for i := range all {
		s := &all[i]
		switch {
		case len(files) == len(all) && len(all) > 1:
			s.Name = s.File
		case columns[s.Name] > 1:
			s.Name = fmt.Sprintf("%s (%s)", s.Name, letter(i))
		}
		s.Name = visible(s.Name)
	}
}

func summaries(args []string) ([]numbers.Sample, error) {
	var all []numbers.Sample
	var wrong numbers.Mistakes
	for i, arg := range args {
		s, err := numbers.ParseSummary(arg)
		wrong.Add(err)
		all = append(all, numbers.Sample{Name: letter(i), Summary: &s})
	}
	return all, wrong.Err()
}

// readRates reads totals from the arguments, or runs from files.
func (f *testFlags) readRates(stdin io.Reader, args []string) ([]numbers.Counts, error) {
	if len(f.columns) > 1 && len(f.columns) != len(args) {
		return nil, fmt.Errorf("%d files and %d columns of counts: give one column for all files, or one for each", len(args), len(f.columns))
	}
	var all []numbers.Counts
	var wrong numbers.Mistakes
	in := source{stdin: stdin}
	for i, arg := range args {
		var c numbers.Counts
		var err error
		if f.summary || isNoFile(arg) && looksLikeFigures(arg) {
			c, err = total(letter(i), arg)
		} else {
			c, err = in.counts(arg, f.countColumn(i), f.exposure)
		}
		wrong.Add(err)
		all = append(all, c)
	}
	return all, wrong.Err()
}

func isNoFile(arg string) bool {
	_, err := os.Stat(arg)
	return err != nil
}

func total(name, arg string) (numbers.Counts, error) {
	r, err := numbers.ParseRate(arg)
	return numbers.Counts{Name: name, Count: []int64{r.Count}, Exposure: []float64{r.Exposure}}, err
}

// countColumn is where the counts of the i-th file are.
func (f *testFlags) countColumn(i int) string {
	switch len(f.columns) {
	case 0:
		return ""
	case 1:
		return f.columns[0]
	}
	return f.columns[i]
}

func (s *source) counts(arg, count, exposure string) (numbers.Counts, error) {
	name, r, err := s.open(arg)
	if err != nil {
		return numbers.Counts{}, err
	}
	defer r.Close()
	return numbers.Runs(name, r, count, exposure)
}
