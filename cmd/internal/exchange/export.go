package exchange

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/cmd/internal/console"
	"moobench/cmd/internal/outcome"
	"moobench/results"
	"moobench/results/importer/jtl"
	"moobench/results/importer/tidy"
)

// Export is a format of another tool that a campaign is written in.
type Export struct {
	Name string
	// all says whether the format takes all invocations if none is chosen.
	all bool
	// fits says whether an invocation has what the format is about, which what names.
	fits func(*results.Invocation) bool
	what string
	// write writes invocations to the output, and says what the reader must know of it.
	write func(ctx context.Context, c console.Console, output string, s *results.Store, list []*results.Invocation) (note string, err error)
}

// Exported are the formats that campaigns are written in.
func Exported() []Export {
	anything := func(*results.Invocation) bool { return true }
	tables := func(f tidy.Format) Export {
		return Export{
			Name: string(f), all: true, fits: anything, what: "numbers",
			write: func(ctx context.Context, c console.Console, output string, s *results.Store, list []*results.Invocation) (string, error) {
				return writeTables(ctx, c, f, output, s, list)
			},
		}
	}
	return []Export{tables(tidy.Parquet), tables(tidy.CSV), {Name: "jtl", fits: jtl.HasRequests, what: "requests", write: writeJTL}}
}

// ExportedNames are the names of these formats.
func ExportedNames() []string {
	var names []string
	for _, f := range Exported() {
		names = append(names, f.Name)
	}
	return names
}

func writeJTL(_ context.Context, c console.Console, output string, s *results.Store, list []*results.Invocation) (string, error) {
	var done jtl.Written
	err := console.WriteWhole(c.Out, output, func(w io.Writer) (err error) {
		done, err = jtl.Write(w, s, list)
		return err
	})
	return fmt.Sprintf("%d requests; times of day are exact to ± %v, differences between them to 1 ms", done.Requests, done.Exact.Round(time.Millisecond)), err
}

// writeTables writes tidy tables into a folder.
func writeTables(ctx context.Context, c console.Console, f tidy.Format, output string, s *results.Store, list []*results.Invocation) (string, error) {
	all, err := analysis.Measure(s)
	if err != nil {
		warnPartly(c, err)
	}
	if text := analysis.Recomputed(all); text != "" {
		c.Warn(text, "")
	}
	measured := map[results.Identity]tidy.Measured{}
	for _, m := range all {
		measured[m.Identity] = tidy.Measured{Values: m.Values, Class: m.Class, WindowFrom: m.WindowFrom}
	}
	if output == "" {
		path, err := filepath.Abs(s.Dir())
		if err != nil {
			return "", fmt.Errorf("exporting: %w", err)
		}
		output = filepath.Base(path) + "-" + string(f)
	}
	names, err := tidy.Write(ctx, output, f, s, list, measured)
	if err != nil {
		return "", err
	}
	for _, name := range names {
		fmt.Fprintln(c.Out, console.Visible(filepath.Join(output, name)))
	}
	return "results/importer/README.md says how R, pandas and DuckDB read it", nil
}

func warnPartly(c console.Console, err error) {
	fmt.Fprintf(c.Err, "moobench: warning: not everything can be read, and the rest is exported: %s\n", console.VisibleLines(err.Error()))
}

// Choice is what of a campaign is exported: one invocation, those of one cell, or what
// the format takes.
type Choice struct{ Invocation, Cell string }

// Write exports what is chosen of the campaign in a folder.
func (e Export) Write(ctx context.Context, c console.Console, dir string, choice Choice, output string) error {
	store, err := results.Open(dir)
	if err != nil {
		return err
	}
	all, err := store.Invocations()
	if err != nil {
		warnPartly(c, err)
	}
	if _, changed := store.Sealed(); changed != "" {
		c.Warn(changed, "")
	}
	list, err := choice.among(store.Campaign(), all, e)
	if err != nil {
		return outcome.Usage(err)
	}
	note, err := e.write(ctx, c, output, store, list)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.Err, "exported %d of %s: %s\n", len(list), figure.Plural(len(all), "invocation", "invocations"), note)
	return nil
}

// among returns the chosen invocations: one, or those of one cell, or all where the
// format takes them. What was chosen must be of use to the format. For a format without
// a place for caveats only invocations that count are chosen by their cell.
func (choice Choice) among(c *results.Campaign, all []*results.Invocation, format Export) ([]*results.Invocation, error) {
	var list []*results.Invocation
	cells := map[string]bool{}
	for _, inv := range all {
		label := inv.Cell
		if cell := c.Cell(inv.Cell); cell != nil {
			label = cell.Label()
		}
		wanted := choice.Invocation == inv.Identity.String()
		if choice.Invocation == "" {
			counts := inv.Status == results.StatusOK && inv.Invalid == "" && !inv.Superseded && inv.Profile == results.ProfileTiming
			if !format.all && !counts {
				continue
			}
			wanted = slices.Contains([]string{"", label, inv.Cell}, choice.Cell)
		}
		if !format.fits(inv) {
			continue
		}
		if cells[label] = true; wanted {
			list = append(list, inv)
		}
	}
	switch labels := console.Visible(strings.Join(slices.Sorted(maps.Keys(cells)), ", ")); {
	case len(cells) == 0 && choice.Invocation == "":
		return nil, fmt.Errorf("no invocation of this campaign has %s", format.what)
	case len(list) == 0 && choice.Invocation != "":
		return nil, fmt.Errorf("there is no invocation %q with %s", choice.Invocation, format.what)
	case len(list) == 0:
		return nil, fmt.Errorf("no cell %q has %s: there are %s", choice.Cell, format.what, labels)
	case len(list) > 1 && choice.Cell == "" && !format.all:
		return nil, fmt.Errorf("%d invocations have %s: choose one with --invocation, or a cell with --cell: %s", len(list), format.what, labels)
	}
	return list, nil
}
