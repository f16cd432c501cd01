package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/history"
	"moobench/refusal"
	"moobench/results"
)

// historyAddOptions are the flags of moobench history add.
type historyAddOptions struct{ file, commit, reference string }

func historyAddVerb(t *terminal) *cobra.Command {
	var o historyAddOptions
	cmd := &cobra.Command{
		Use:   "add DIR…",
		Short: "add campaigns to the history",
		Long: `Adds a row for each cell and metric of campaigns that are finished. What is there
already is not added again, and nothing is ever taken away.

The commit that was measured is --commit, else that of the CI job, else that of
the working directory. Of several folders it is only known with --commit. The
reference is --reference, else that of the campaign's [gate], else the baseline.

` + exitHelp,
		Example: `  moobench history add results/runs/2026-11-21T030000Z-nightly
  moobench history add results/runs/2026-11-21T030000Z-nightly --commit 4f2a9c1 --reference pinned`,
		Args: positional(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			return t.historyAdd(c.Context(), o, args)
		},
	}
	f := cmd.Flags()
	registerHistory(f, &o.file)
	f.StringVar(&o.commit, "commit", "", "what was measured (default: the CI job's commit, else that of the working directory)")
	f.StringVar(&o.reference, "reference", "", "the variant that the others are compared with (default: that of [gate], else the baseline)")
	return cmd
}

// historyAdd adds all of the campaigns, or none.
func (t *terminal) historyAdd(ctx context.Context, o historyAddOptions, dirs []string) error {
	commit, err := commitFor(ctx, o.commit, len(dirs))
	if err != nil {
		return err
	}
	var records []history.Record
	var wrong []error
	for _, dir := range dirs {
		nights, err := t.nightsOf(dir, commit, o.reference)
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		for i := range nights {
			records = append(records, history.Record{Format: history.Format, Kind: history.KindNight, Night: &nights[i]})
		}
	}
	if err := errors.Join(wrong...); err != nil {
		return err
	}
	added, err := history.Append(o.file, records...)
	if err != nil {
		return err
	}
	if commit == "" {
		fmt.Fprintln(t.err, "moobench: warning: which commit was measured is not known, so that changes of these nights can't name theirs: add nights one by one with --commit")
	}
	t.sayAdded(o.file, added, len(records), len(dirs), commit)
	return nil
}

func (t *terminal) sayAdded(file string, added, rows, nights int, commit string) {
	of := figure.Plural(nights, "night", "nights")
	if commit != "" {
		of += " of " + visible(commit)
	}
	switch {
	case added == 0:
		fmt.Fprintf(t.out, "nothing added to %s: %s of %s, and all are there already\n", visible(file), figure.Plural(rows, "row", "rows"), of)
	case added < rows:
		fmt.Fprintf(t.out, "added %s of %s to %s; %d were there already\n", figure.Plural(added, "row", "rows"), of, visible(file), rows-added)
	default:
		fmt.Fprintf(t.out, "added %s of %s to %s\n", figure.Plural(added, "row", "rows"), of, visible(file))
	}
	check := "moobench history check --confirm"
	if file != historyFile {
		check += " --history " + visible(file)
	}
	fmt.Fprintf(t.out, "next: %s\n", check)
}

// nightsOf are the rows of a campaign's folder.
func (t *terminal) nightsOf(dir, commit, reference string) ([]history.Night, error) {
	store, err := results.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := canBeNight(store); err != nil {
		return nil, fmt.Errorf("adding %s: %w", visible(dir), err)
	}
	c := store.Campaign()
	if reference == "" && c.Gate != nil {
		reference = c.Gate.Reference
	}
	if err := isVariant(c, reference); err != nil {
		return nil, usageError{fmt.Errorf("adding %s: %w", visible(dir), err)}
	}
	pinned, err := analysis.Pin(store, reference)
	if err != nil {
		return nil, fmt.Errorf("adding %s: %w", visible(dir), err)
	}
	answers, err := analysis.Analyse(store)
	if err != nil {
		return nil, fmt.Errorf("adding %s: %w", visible(dir), err)
	}
	t.tellWarnings(dir+": ", answers.Warnings)
	o := history.Origin{Commit: commit, Folder: folderName(dir), Artifacts: artifactsOf(store)}
	nights := history.Nights(answers, pinned, o)
	absent := absences(pinned)
	if len(nights) == 0 {
		return nil, fmt.Errorf("adding %s: no cell has a value that can be compared with the reference\n%s", visible(dir), strings.Join(absent, "\n"))
	}
	for _, why := range absent {
		fmt.Fprintf(t.err, "moobench: warning: %s: not added: %s\n", visible(dir), why)
	}
	return nights, nil
}

// canBeNight says why a campaign is no night.
func canBeNight(store *results.Store) error {
	c := store.Campaign()
	if c.Source != "moobench" {
		return refusal.New(fmt.Errorf("it was imported from %s, which recorded no blocks: what the machine did that night can't be told from a change", visible(c.Source)),
			"moobench report shows it by itself")
	}
	if c.Confirm != nil {
		return errors.New("it measured old and new of an alarm again: moobench confirm has added what it says")
	}
	if c.Design != results.DesignBlocks {
		return fmt.Errorf("its design is %q: without blocks nothing pairs a cell with its reference", visible(string(c.Design)))
	}
	sealed, changed := store.Sealed()
	if changed != "" {
		return refusal.New(errors.New(visible(changed)), fmt.Sprintf("restore what was changed from a copy: moobench verify %s names every file", visible(store.Dir())))
	}
	if !sealed {
		return refusal.New(errors.New("it is not finished"), "finish it first with: moobench run --resume "+visible(store.Dir()))
	}
	return nil
}

// isVariant says which variants a campaign has when the reference is none of
// them.
func isVariant(c *results.Campaign, reference string) error {
	var all []string
	for _, cell := range c.Cells {
		if cell.Role != results.RoleProof && !slices.Contains(all, cell.Variant) {
			all = append(all, cell.Variant)
		}
	}
	if reference == "" || slices.Contains(all, reference) {
		return nil
	}
	return fmt.Errorf("it has no variant %q to compare the others with: there are %s", reference, visible(strings.Join(all, ", ")))
}

// folderName is the name of a campaign's folder, without where it lies.
func folderName(dir string) string {
	if whole, err := filepath.Abs(dir); err == nil {
		dir = whole
	}
	return filepath.Base(dir)
}

// artifactsOf are the files that went into each cell, as its invocations
// recorded them: with their content's hash, which the plan does not know.
func artifactsOf(store *results.Store) map[string][]results.Artifact {
	list, err := store.Invocations()
	if err != nil {
		return nil // the analysis says what can't be read
	}
	all := map[string]map[results.Artifact]bool{}
	for _, inv := range list {
		if inv.Superseded || inv.Status != results.StatusOK {
			continue
		}
		if all[inv.Cell] == nil {
			all[inv.Cell] = map[results.Artifact]bool{}
		}
		for _, a := range inv.Artifacts {
			all[inv.Cell][a] = true
		}
	}
	sorted := map[string][]results.Artifact{}
	for cell, set := range all {
		sorted[cell] = slices.SortedFunc(maps.Keys(set), func(a, b results.Artifact) int {
			return strings.Compare(a.Name+"\x00"+a.SHA256, b.Name+"\x00"+b.SHA256)
		})
	}
	return sorted
}

// absences say which cells have no row of what a scenario is about, and why.
func absences(pinned []analysis.Pinned) []string {
	var all []string
	for _, p := range pinned {
		if p.Absent != "" && p.Metric.Primary && p.Cell != p.Reference {
			all = append(all, visible(p.Metric.Name+" of "+p.Absent))
		}
	}
	return all
}
