package trace

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"moobench/analysis/chapter/locks"
	"moobench/analysis/chapter/locks/locked"
	"moobench/refusal"
	"moobench/results/events"
	"moobench/results/safefile"
)

// The formats of lock metrics, by the endings of file names.
const (
	metricsCSV  = ".metrics.csv"
	metricsJSON = ".metrics.json"
	// metricsMost is the size limit of a metrics file, in bytes.
	metricsMost = 64 << 20
)

// MostRuns is the largest number of runs of a program.
const MostRuns = locks.MostRuns

// RunFolder returns the folder of one of several runs.
func RunFolder(dir string, run int) string { return filepath.Join(dir, "run-"+strconv.Itoa(run)) }

// runFiles returns the logs in a folder by run: its own logs, or those of several runs below it.
func runFiles(dir string) (runs [][]string, err error) {
	files, err := events.Files(dir)
	if err != nil || len(files) > 0 {
		return [][]string{files}, err
	}
	for run := 1; run <= MostRuns; run++ {
		below := RunFolder(dir, run)
		if _, err := os.Stat(below); err != nil {
			break
		}
		if files, err = events.Files(below); err != nil {
			return nil, err
		}
		if len(files) > 0 {
			runs = append(runs, files)
		}
	}
	return runs, nil
}

// metrics returns the metrics of all runs.
func (r *Result) metrics(version string) (*locks.Metrics, error) {
	m := &locks.Metrics{Format: locks.MetricsFormat, Version: version, Command: r.wanted.command}
	m.Log = append([]string{}, r.wanted.given.Log...)
	for _, files := range r.runs {
		one := *r
		one.files = files
		var run locks.Run
		reports, pids, err := read(&one, func(in io.ReadSeeker) (*locks.Report, int64, error) {
			report, err := locks.Read(in)
			if err != nil {
				return nil, 0, err
			}
			return report, report.Ended, nil
		})
		if err != nil {
			return nil, err
		}
		run.JVMs, run.Unread = []locks.JVMMetrics{}, len(one.unread)
		for i, report := range reports {
			run.JVMs = append(run.JVMs, report.Metrics(pids[i]))
		}
		m.Runs = append(m.Runs, run)
	}
	return m, nil
}

// saveMetrics writes the metrics of all runs, as CSV or JSON.
func (r *Result) saveMetrics(w io.Writer, name, version string) error {
	m, err := r.metrics(version)
	if err != nil {
		return err
	}
	if strings.HasSuffix(name, metricsCSV) {
		return m.WriteCSV(w)
	}
	text, err := json.MarshalIndent(m, "", "\t")
	if err != nil {
		return fmt.Errorf("writing metrics: %w", err)
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// before returns the metrics of the runs to compare with, from a folder of kept logs or a metrics
// file.
func (r *Result) before(version string) (*locks.Metrics, error) {
	from := r.wanted.Against
	info, err := os.Stat(from)
	if err != nil {
		return nil, fmt.Errorf("reading what is compared with: %w", err)
	}
	if !info.IsDir() {
		text, err := safefile.Read(from, metricsMost)
		if err != nil {
			return nil, fmt.Errorf("reading what is compared with: %w", err)
		}
		m, err := locks.ReadMetrics(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", from, err)
		}
		return m, nil
	}
	w, err := Kept(Locks, from)
	if err != nil {
		return nil, err
	}
	kept, err := Find(w, from)
	if err != nil {
		return nil, err
	}
	return kept.metrics(version)
}

// CheckAgainst refuses a path that can't be compared with.
func CheckAgainst(from string) error {
	if !strings.HasSuffix(from, metricsJSON) {
		if info, err := os.Stat(from); err == nil && !info.IsDir() {
			err := fmt.Errorf("%s is not a folder of kept logs", from)
			return refusal.New(err, "name one that --keep made, or a file that -o x"+metricsJSON+" wrote")
		}
	}
	_, err := (&Result{wanted: Wanted{Against: from}}).before("")
	return err
}

// Verdict returns a sentence on how waits changed since the earlier runs, and whether they got
// worse; "" without a comparison.
func (r *Result) Verdict(version string) (said string, worse bool, err error) {
	c, err := r.compare(version)
	if err != nil || c == nil {
		return "", false, err
	}
	return locked.Verdict(c), c.Worse(), nil
}

// compare compares the runs with the earlier ones; nil without --against.
func (r *Result) compare(version string) (*locks.Comparison, error) {
	if r.wanted.Against == "" || r.compared != nil {
		return r.compared, nil
	}
	before, err := r.before(version)
	if err != nil {
		return nil, err
	}
	after, err := r.metrics(version)
	if err != nil {
		return nil, err
	}
	if len(before.Runs) == 0 || len(after.Runs) == 0 {
		return nil, errors.New("there is no run to compare")
	}
	r.compared, err = locks.Against(before, after)
	return r.compared, err
}
