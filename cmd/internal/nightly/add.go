package nightly

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"unicode"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/history"
	"moobench/analysis/report/doc"
	"moobench/cmd/internal/console"
	"moobench/cmd/internal/outcome"
	"moobench/refusal"
	"moobench/results"
)

// Addition describes campaigns to add to a history as nights.
type Addition struct {
	History   string
	Commit    string // commit measured; "": unknown
	Reference string // variant that the others are compared with; "": the gate's, or else the baseline
	Dirs      []string
}

// Add adds all of the campaigns or none, and prints the result and the next step.
func (a Addition) Add(c console.Console) error {
	var records []history.Record
	var wrong []error
	for _, dir := range a.Dirs {
		nights, warnings, err := a.nights(dir)
		for _, w := range warnings {
			c.Warn(dir+": "+w, "")
		}
		wrong = append(wrong, err)
		for i := range nights {
			records = append(records, history.Record{Kind: history.KindNight, Night: &nights[i]})
		}
	}
	if err := errors.Join(wrong...); err != nil {
		return err
	}
	fresh, err := history.Append(a.History, records...)
	if err != nil {
		return err
	}
	if a.Commit == "" {
		c.Warn("which commit was measured is not known, so changes in these nights can't name theirs: "+
			"add nights one by one with --commit", "")
	}
	file, nights, rows := doc.Clean(a.History), figure.Plural(len(a.Dirs), "night", "nights"), len(records)
	if a.Commit != "" {
		nights += " of " + doc.Clean(a.Commit)
	}
	switch {
	case fresh == 0:
		fmt.Fprintf(c.Out, "nothing added to %s: %s of %s, and all are there already\n",
			file, figure.Plural(rows, "row", "rows"), nights)
	case fresh < rows:
		fmt.Fprintf(c.Out, "added %s of %s to %s; %s there already\n",
			figure.Plural(fresh, "row", "rows"), nights, file, figure.Plural(rows-fresh, "was", "were"))
	default:
		fmt.Fprintf(c.Out, "added %s of %s to %s\n", figure.Plural(fresh, "row", "rows"), nights, file)
	}
	check := "moobench history check --confirm"
	if a.History != HistoryFile {
		check += " --history " + file
	}
	fmt.Fprintf(c.Out, "next: %s\n", check)
	return nil
}

// nights returns the history rows for a campaign's folder.
func (a Addition) nights(dir string) (nights []history.Night, warnings []string, err error) {
	store, err := results.Open(dir)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("adding %s: %w", doc.Clean(dir), err)
		}
	}()
	if err := canBeNight(store); err != nil {
		return nil, nil, err
	}
	c, reference := store.Campaign(), a.Reference
	if reference == "" && c.Gate != nil {
		reference = c.Gate.Reference
	}
	var variants []string
	for _, cell := range c.Cells {
		if cell.Role != results.RoleProof && !slices.Contains(variants, cell.Variant) {
			variants = append(variants, cell.Variant)
		}
	}
	if reference != "" && !slices.Contains(variants, reference) {
		return nil, nil, outcome.Usage(fmt.Errorf("it has no variant %q to compare the others with: there are %s",
			reference, doc.Clean(strings.Join(variants, ", "))))
	}
	answers, pinned, err := analysis.Pin(store, reference)
	if err != nil {
		return nil, nil, err
	}
	var absent []string // cells without a row for the primary metric
	for _, p := range pinned {
		if p.Absent != "" && p.Metric.Primary && p.Cell != p.Reference {
			absent = append(absent, doc.Clean(p.Metric.Name+" of "+p.Cell.Label+": "+p.Absent))
		}
	}
	nights = history.Nights(answers, pinned, history.Origin{
		Commit: a.Commit, Folder: store.Name(), Artifacts: artifactsOf(store),
	})
	warnings = answers.Warnings
	if len(nights) == 0 {
		return nil, warnings, errors.New("no cell has a value that can be compared with the reference\n" +
			strings.Join(absent, "\n"))
	}
	for _, why := range absent {
		warnings = append(warnings, "not added: "+why)
	}
	return nights, warnings, nil
}

// canBeNight returns the reason why a campaign can't be added, or nil.
func canBeNight(store *results.Store) error {
	c := store.Campaign()
	switch {
	case c.Design == results.DesignPaired:
		return refusal.New(fmt.Errorf("it holds several nights, measured by %s", doc.Clean(c.Source)),
			"add what it was imported from: moobench history import FILE")
	case c.Source != "moobench":
		return refusal.New(fmt.Errorf("it was imported from %s, which recorded no blocks: "+
			"what the machine did that night can't be told from a change", doc.Clean(c.Source)),
			"moobench report shows it by itself")
	case c.Confirm != nil:
		return errors.New("it measured old and new of an alarm again: moobench confirm has added its result")
	case c.Design != results.DesignBlocks:
		return fmt.Errorf("its design is %q: without blocks nothing pairs a cell with its reference",
			doc.Clean(string(c.Design)))
	}
	sealed, changed := store.Sealed() // Sealed reads every file
	switch {
	case changed != "":
		return refusal.New(errors.New(doc.Clean(changed)),
			"restore what was changed from a copy: moobench verify "+doc.Clean(store.Dir())+" names every file")
	case !sealed:
		return refusal.New(errors.New("it is not finished"),
			"finish it first with: moobench run --resume "+doc.Clean(store.Dir()))
	}
	return nil
}

// artifactsOf returns each cell's files as recorded by its invocations, because the plan does not
// know their checksums.
func artifactsOf(store *results.Store) map[string][]results.Artifact {
	list, err := store.Invocations()
	if err != nil {
		return nil // the analysis reports unreadable files
	}
	all := map[string][]results.Artifact{}
	for _, inv := range list {
		if !inv.Superseded && inv.Status == results.StatusOK {
			all[inv.Cell] = append(all[inv.Cell], inv.Artifacts...)
		}
	}
	for cell, files := range all {
		slices.SortFunc(files, func(a, b results.Artifact) int {
			return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.SHA256, b.SHA256))
		})
		all[cell] = slices.Compact(files)
	}
	return all
}

// CommitFor returns the commit that the campaigns measured: the given one, or else the CI job's, or
// else the working directory's. Several campaigns rarely measure the same commit, so it does not
// guess one for them; "" means unknown.
func CommitFor(ctx context.Context, given string, campaigns int) (string, error) {
	switch {
	case strings.ContainsFunc(given, func(r rune) bool { return !unicode.IsPrint(r) || r == ' ' }) || len(given) > 200:
		return "", outcome.Usage(fmt.Errorf("--commit %q is not a name of a commit", given))
	case given != "" || campaigns > 1:
		return given, nil
	}
	if commit := cmp.Or(os.Getenv("GITHUB_SHA"), os.Getenv("CI_COMMIT_SHA")); commit != "" {
		return commit, nil
	}
	out, err := exec.CommandContext(ctx, "git", "rev-parse", "--verify", "HEAD").Output()
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("asking git for the commit: %w", ctx.Err())
	case errors.Is(err, exec.ErrNotFound), errors.As(err, new(*exec.ExitError)): // no git, or no repository
		return "", nil
	case err != nil:
		return "", refusal.New(fmt.Errorf("asking git for the commit: %w", err), "name it with --commit")
	}
	return strings.TrimSpace(string(out)), nil
}
