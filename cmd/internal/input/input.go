// Package input reads the numbers that the arguments of moobench test name: files,
// standard input, or figures of the command line itself. It finds all mistakes, and not
// only the first.
package input

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"moobench/analysis/numbers"
	"moobench/cmd/internal/console"
	"moobench/refusal"
)

// Source says how arguments are to be read.
type Source struct {
	Stdin    io.Reader // of the argument -
	Summary  bool      // arguments are mean,sd,n, or count,exposure of rates, and no files
	Columns  []string  // one for all files, one for each, or several of a single file
	Exposure string    // column of exposures, beside that of the counts

	used bool // standard input can be read once
}

// open returns the name to show, too. An argument that is no file, but looks like
// figures, was perhaps meant as a summary.
func (s *Source) open(arg string) (string, io.ReadCloser, error) {
	if arg == "-" {
		if s.used {
			return "", nil, errors.New("-: standard input can be read once only")
		}
		s.used = true
		return "standard input", io.NopCloser(s.Stdin), nil
	}
	f, err := os.Open(arg)
	if err != nil && looksLikeFigures(arg) {
		return "", nil, fmt.Errorf("%s is no file: figures such as mean,sd,n need --summary", console.Visible(arg))
	}
	if err != nil {
		return "", nil, fmt.Errorf("reading numbers: %w", err)
	}
	return console.Visible(arg), f, nil
}

func looksLikeFigures(arg string) bool {
	first, _, ok := strings.Cut(arg, ",")
	_, err := numbers.Parse(first)
	return ok && err == nil
}

// column returns the columns of the i-th of n arguments.
func (s *Source) column(i, n int) []string {
	if n > 1 && len(s.Columns) > 1 {
		return s.Columns[i : i+1]
	}
	return s.Columns
}

// Samples reads all that is to be compared.
func (s *Source) Samples(args []string) ([]numbers.Sample, error) {
	var all []numbers.Sample
	var wrong refusal.Mistakes
	if s.Summary {
		for i, arg := range args {
			figures, err := numbers.ParseSummary(arg)
			wrong.Add(err)
			all = append(all, numbers.Sample{Name: letter(i), Summary: &figures})
		}
		return all, wrong.Err()
	}
	if len(args) > 1 && len(s.Columns) > 1 && len(s.Columns) != len(args) {
		return nil, fmt.Errorf("%d files and %d columns: give one column for all files, one for each, or several of a single file", len(args), len(s.Columns))
	}
	for i, arg := range args {
		name, r, err := s.open(arg)
		if wrong.Add(err); err != nil {
			continue
		}
		var samples []numbers.Sample
		if columns := s.column(i, len(args)); len(columns) > 0 {
			samples, err = numbers.Table(name, r, columns)
		} else {
			samples = make([]numbers.Sample, 1)
			samples[0], err = numbers.Lines(name, r)
		}
		r.Close()
		wrong.Add(err)
		all = append(all, samples...)
	}
	rename(all)
	return all, wrong.Err()
}

// rename names samples after their files where those tell them apart, else after their
// columns.
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
		s.Name = console.Visible(s.Name)
	}
}

// Rates reads totals from the arguments, or runs from files.
func (s *Source) Rates(args []string) ([]numbers.Counts, error) {
	if len(s.Columns) > 1 && len(s.Columns) != len(args) {
		return nil, fmt.Errorf("%d files and %d columns of counts: give one column for all files, or one for each", len(args), len(s.Columns))
	}
	var all []numbers.Counts
	var wrong refusal.Mistakes
	for i, arg := range args {
		var c numbers.Counts
		_, err := os.Stat(arg)
		if s.Summary || err != nil && looksLikeFigures(arg) {
			c, err = numbers.ParseRate(arg)
			c.Name = letter(i)
		} else {
			var name string
			var r io.ReadCloser
			if name, r, err = s.open(arg); err == nil {
				c, err = numbers.Runs(name, r, strings.Join(s.column(i, len(args)), ""), s.Exposure)
				r.Close()
			}
		}
		wrong.Add(err)
		all = append(all, c)
	}
	return all, wrong.Err()
}

// letter names what has no name of its own.
func letter(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return fmt.Sprintf("sample %d", i+1)
}
