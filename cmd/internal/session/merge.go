package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/report"
	"moobench/cmd/internal/console"
	"moobench/cmd/internal/outcome"
	"moobench/cmd/internal/standard"
	"moobench/results"
	"moobench/results/fleet"
)

// Merge merges the shards of a plan into a campaign, sets the standard speed of each CPU model,
// seals the campaign, and answers. The result does not depend on the order of the shards.
func (l *Lab) Merge(ctx context.Context, shards []string, dir string, across bool) (err error) {
	if dir == "" {
		dir = FreeFolder(RunsFolder, time.Now(), "merged")
	}
	store, err := fleet.Merge(ctx, shards, dir, across)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil && !outcome.Said(err) && !errors.Is(err, errMerged) {
			err = errors.Join(err, os.RemoveAll(dir)) // not sealed; the shards still hold the measurements
		}
	}()
	speeds, _ := analysis.Speeds(store)
	ended, err := lastEnd(store)
	if err == nil {
		_, err = standard.Finish(store, speeds, &standard.File{}, ended)
	}
	if err != nil {
		return err
	}
	if err := store.Seal(); err != nil {
		return err
	}
	l.tellMerged(store.Campaign().Merged, dir)
	answers, err := analysis.Analyse(store)
	if err != nil {
		return errors.Join(errMerged, err)
	}
	unheard := report.Text(l.Out, answers, l.Options())
	page, err := l.Page(answers, dir)
	if err != nil {
		return errors.Join(errMerged, err)
	}
	fmt.Fprintf(l.Out, "\nreport: %s\n", page)
	return cmp.Or(unheard, outcome.ForAnswers(answers))
}

// lastEnd returns the end of the campaign's last invocation. Results computed from all invocations
// bear this time, so that merging again gives the same bytes.
func lastEnd(store *results.Store) (last time.Time, err error) {
	all, err := store.Invocations()
	for _, inv := range all {
		if inv.End.After(last) {
			last = inv.End
		}
	}
	return last.UTC().Truncate(time.Second), err
}

// errMerged marks errors that occur after the campaign was sealed.
var errMerged = errors.New("the campaign is merged")

// tellMerged prints which shards are in a campaign, and how to measure missing ones.
func (l *Lab) tellMerged(m *results.Merged, dir string) {
	fmt.Fprintf(l.Err, "%d of %s in %s\n", len(m.Shards), figure.Plural(m.Count, "shard", "shards"),
		console.Visible(dir))
	for _, d := range m.Doubles {
		l.Warn(fmt.Sprintf("shard %d/%d was measured twice: the one that was sealed first counts, "+
			"and the other one is kept in %s/doubles", d.Index, m.Count, dir), "")
	}
	for _, x := range m.Missing {
		l.Warn(fmt.Sprintf("shard %d/%d is missing: %s", x.Index, m.Count, figure.Plural(x.Blocks, "block", "blocks")),
			fmt.Sprintf("measure it: moobench run --shard %d/%d plan.json, and merge again", x.Index, m.Count))
	}
}
