// Package nightly is what becomes of nights: campaigns are added to a history, which
// is checked; old and new of a change are measured again; a level is accepted as the
// new normal; and what nobody needs any more is removed.
//
// It knows no flags and no exit statuses. Who measures is its caller's to say: it
// plans a confirmation, and judges the campaign that came of it.
package nightly

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"moobench/analysis/history"
	"moobench/analysis/report/doc"
	"moobench/cmd/internal/outcome"
	"moobench/refusal"
)

// Where nights are kept unless somebody says otherwise.
const (
	HistoryFile = "results/history.jsonl"
	RunsFolder  = "results/runs"
)

// Check reads a history and says what is in it. A least of 0 is the usual least
// change worth a word; else it is a share.
func Check(file string, least float64) (*history.Findings, error) {
	h, err := history.Read(file)
	if err != nil {
		return nil, err
	}
	if len(h.Records) == 0 && len(h.Warnings) == 0 {
		return nil, refusal.New(fmt.Errorf("%s holds no night yet", doc.Clean(file)), "add a campaign with: moobench history add DIR")
	}
	f, err := history.Check(h, history.Options{Least: least})
	if err != nil {
		return nil, fmt.Errorf("checking %s: %w", doc.Clean(file), err)
	}
	return f, nil
}

// Levels is what a history says of its series, for who compares campaigns, with the
// warnings about its lines. A file that is not there is an error: a comparison would
// silently do without.
func Levels(file string) (found *history.Findings, warnings []string, err error) {
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return nil, nil, refusal.New(fmt.Errorf("reading the history: there is no %s", doc.Clean(file)),
			fmt.Sprintf("moobench history add DIR --history %s begins one", doc.Clean(file)))
	}
	h, err := history.Read(file)
	if err != nil {
		return nil, nil, err
	}
	if found, err = history.Check(h, history.Options{}); err != nil {
		err = fmt.Errorf("looking for the current level in %s: %w", doc.Clean(file), err)
	}
	return found, h.Warnings, err
}

// seriesNamed is how many series an error lists.
const seriesNamed = 12

// Choose are the series that any of the patterns names, all of them without a
// pattern. A pattern is the name of a series, or of its cell; * stands for anything.
// One that names none is a mistake in how
// moobench was called.
func Choose(f *history.Findings, patterns []string) ([]history.Series, error) {
	if len(patterns) == 0 {
		return f.Series, nil
	}
	var wrong []error
	matched := make([]bool, len(f.Series))
	for _, p := range patterns {
		found := false
		whole := regexp.MustCompile(`^(?s:` + strings.ReplaceAll(regexp.QuoteMeta(p), `\*`, `.*`) + `)$`)
		for i := range f.Series {
			if k := f.Series[i].Key; whole.MatchString(k.String()) || whole.MatchString(k.Cell) {
				found, matched[i] = true, true
			}
		}
		if !found {
			wrong = append(wrong, fmt.Errorf("no series is called %q", p))
		}
	}
	if len(wrong) > 0 {
		var all []string
		for i := range f.Series {
			if name := doc.Clean(f.Series[i].Key.String()); !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
		if len(all) > seriesNamed {
			all = append(all[:seriesNamed], "… (moobench history show lists all)")
		}
		return nil, outcome.Usage(refusal.New(errors.Join(wrong...), "there are: "+strings.Join(all, ", ")))
	}
	var chosen []history.Series
	for i, ok := range matched {
		if ok {
			chosen = append(chosen, f.Series[i])
		}
	}
	return chosen, nil
}

// folderName is the name of a campaign's folder, also of ".", without where it lies.
func folderName(dir string) string {
	if whole, err := filepath.Abs(dir); err == nil {
		dir = whole
	}
	return filepath.Base(dir)
}
