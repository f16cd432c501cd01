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

// Merge makes a campaign of the shards of a plan, gives each model of CPU its standard speed, seals
// it, and answers. The same shards make the same campaign, in whatever order they are named.
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
			err = errors.Join(err, os.RemoveAll(dir)) // not sealed: what was measured is in the shards
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

// lastEnd is when the last invocation of a campaign had ended: the time that what follows from all of
// them has, so that merging again makes the same bytes.
func lastEnd(store *results.Store) (last time.Time, err error) {
	all, err := store.Invocations()
	for _, inv := range all {
		if inv.End.After(last) {
			last = inv.End
		}
	}
	return last.UTC().Truncate(time.Second), err
}

// errMerged marks what went wrong once the campaign was sealed.
var errMerged = errors.New("the campaign is merged")

// tellMerged says which shards are in a campaign, and how those that lack are measured.
func (l *Lab) tellMerged(m *results.Merged, dir string) {
	fmt.Fprintf(l.Err, "%d of %s in %s\n", len(m.Shards), figure.Plural(m.Count, "shard", "shards"), console.Visible(dir))
	for _, d := range m.Doubles {
		l.Warn(fmt.Sprintf("shard %d/%d was measured twice: the one that was sealed first counts, and the other one is kept in %s/doubles", d.Index, m.Count, dir), "")
	}
	for _, x := range m.Missing {
		l.Warn(fmt.Sprintf("shard %d/%d is missing: %s", x.Index, m.Count, figure.Plural(x.Blocks, "block", "blocks")),
			fmt.Sprintf("measure it: moobench run --shard %d/%d plan.json, and merge again", x.Index, m.Count))
	}
}
