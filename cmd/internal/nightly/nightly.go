// Package nightly manages nights: it adds campaigns to a history and checks it, measures the old
// and new side of a change again, accepts a level as the new normal, and removes files that nobody
// needs any more.
//
// It knows no flags and no exit statuses. The caller decides who measures: nightly plans a
// confirmation, and judges the resulting campaign.
package nightly

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"moobench/analysis/figure"
	"moobench/analysis/history"
	"moobench/analysis/report/doc"
	"moobench/cmd/internal/outcome"
	"moobench/refusal"
)

// HistoryFile is the default history.
const HistoryFile = "results/history.jsonl"

// Check reads a history and analyses it. least is the smallest relevant change, as a share; 0 means
// the default.
func Check(file string, least float64) (*history.Findings, error) {
	h, err := some(file)
	if err != nil {
		return nil, err
	}
	f, err := history.Check(h, least)
	if err != nil {
		return nil, fmt.Errorf("checking %s: %w", doc.Clean(file), err)
	}
	return f, nil
}

// some reads a history, and refuses one without lines.
func some(file string) (*history.History, error) {
	h, err := history.Read(file)
	if err == nil && len(h.Records) == 0 && len(h.Warnings) == 0 {
		err = refusal.New(fmt.Errorf("%s holds no night yet", doc.Clean(file)),
			"add a campaign with: moobench history add DIR")
	}
	return h, err
}

// Rehearse reads a history and simulates its checks when nothing changes. It takes up to a minute.
func Rehearse(ctx context.Context, file string, o history.Rehearsing) (*history.Rehearsal, error) {
	h, err := some(file)
	if err != nil {
		return nil, err
	}
	r, err := history.Rehearse(ctx, h, o)
	if err != nil {
		return nil, fmt.Errorf("rehearsing %s: %w", doc.Clean(file), err)
	}
	return r, nil
}

// Levels returns the findings of a history for comparisons of campaigns, and the warnings about its
// lines. A missing file is an error, because the comparison would silently omit it.
func Levels(file string) (found *history.Findings, warnings []string, err error) {
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return nil, nil, refusal.New(fmt.Errorf("reading the history: there is no %s", doc.Clean(file)),
			fmt.Sprintf("moobench history add DIR --history %s begins one", doc.Clean(file)))
	}
	h, err := history.Read(file)
	if err != nil {
		return nil, nil, err
	}
	if found, err = history.Check(h, 0); err != nil {
		err = fmt.Errorf("looking for the current level in %s: %w", doc.Clean(file), err)
	}
	return found, h.Warnings, err
}

// seriesNamed limits the number of series that an error lists.
const seriesNamed = 12

// Choose returns the series that match any of the patterns, or all series without a pattern. A
// pattern is the name of a series or of its cell; * matches anything. A pattern without a match is
// a usage error.
func Choose(f *history.Findings, patterns []string) ([]history.Series, error) {
	if len(patterns) == 0 {
		return f.Series, nil
	}
	var wrong []error
	var named []func(history.Series) bool
	for _, p := range patterns {
		whole := regexp.MustCompile(`^(?s:` + strings.ReplaceAll(regexp.QuoteMeta(p), `\*`, `.*`) + `)$`)
		fits := func(s history.Series) bool {
			return whole.MatchString(s.Key.String()) || whole.MatchString(s.Key.Cell)
		}
		if named = append(named, fits); !slices.ContainsFunc(f.Series, fits) {
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
	return slices.DeleteFunc(slices.Clone(f.Series), func(s history.Series) bool {
		return !slices.ContainsFunc(named, func(fits func(history.Series) bool) bool { return fits(s) })
	}), nil
}

// Acceptance says which changed levels become the new normal.
type Acceptance struct {
	History string
	Series  string // pattern for Choose
	Night   string // first night of the new level; "": the one of the change that the check reports
	Why     string
}

// Accept accepts one change in each matching series, and prints a line for each. If no change can
// be accepted, that is a usage error.
func (a Acceptance) Accept(w io.Writer, now time.Time) error {
	f, err := Check(a.History, 0)
	if err != nil {
		return err
	}
	chosen, err := Choose(f, []string{a.Series})
	if err != nil {
		return err
	}
	var records []history.Record
	var lines, others []string
	for i := range chosen {
		s := &chosen[i]
		for _, c := range s.Acceptable() {
			others = append(others, doc.Clean(fmt.Sprintf("%s in night %s", s.Key, nightName(&s.Nights[c.Night]))))
		}
		if c := s.ToAccept(a.Night); c != nil {
			night := &s.Nights[c.Night]
			accepted := &history.Acceptance{Key: s.Key, Night: night.ID, When: now, Why: a.Why}
			records = append(records, history.Record{Kind: history.KindAcceptance, Acceptance: accepted})
			lines = append(lines, doc.Clean(fmt.Sprintf("accepted: %s, %s since %s",
				s.Key, figure.SignedPercent(c.Share), nightName(night))))
		}
	}
	switch {
	case len(records) > 0:
		if _, err := history.Append(a.History, records...); err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\nnext: keep %s where your nights read it\n", strings.Join(lines, "\n"), doc.Clean(a.History))
		return nil
	case a.Night != "" && len(others) > 0:
		err = refusal.New(fmt.Errorf("no change that could be accepted began in night %q", a.Night),
			"there is "+strings.Join(others, "; "))
	case len(chosen) == 1:
		err = fmt.Errorf("%s has no change that could be accepted", doc.Clean(chosen[0].Key.String()))
	default:
		err = errors.New("none of these series has a change that could be accepted")
	}
	return outcome.Usage(err)
}

// nightName returns a night's ID and commit.
func nightName(n *history.Night) string {
	if n.Commit == "" {
		return n.ID
	}
	return n.ID + " (" + n.Commit + ")"
}
