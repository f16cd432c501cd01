package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/results"
	"moobench/results/importer/jtl"
	"moobench/results/importer/tidy"
)

// exportFormat is a format of another tool.
type exportFormat struct {
	name string
	// all says whether the format takes all invocations if none is chosen.
	all bool
	// fits says whether an invocation has what the format is about, which what
	// names.
	fits func(*results.Invocation) bool
	what string
	// write writes invocations to the output, and says what the reader must know
	// of it.
	write func(ctx context.Context, t *terminal, output string, s *results.Store, list []*results.Invocation) (note string, err error)
}

func exportFormats() []exportFormat {
	anything := func(*results.Invocation) bool { return true }
	tables := func(f tidy.Format) exportFormat {
		return exportFormat{
			name: string(f), all: true, fits: anything, what: "numbers",
			write: func(ctx context.Context, t *terminal, output string, s *results.Store, list []*results.Invocation) (string, error) {
				return t.exportTables(ctx, f, output, s, list)
			},
		}
	}
	return []exportFormat{
		tables(tidy.Parquet), tables(tidy.CSV),
		{name: "jtl", fits: jtl.HasRequests, what: "requests", write: exportJTL},
	}
}

func exportNames() []string {
	var names []string
	for _, f := range exportFormats() {
		names = append(names, f.name)
	}
	return names
}

func exportJTL(_ context.Context, t *terminal, output string, s *results.Store, list []*results.Invocation) (string, error) {
	var done jtl.Written
	err := writeWhole(t.out, output, func(w io.Writer) (err error) {
		done, err = jtl.Write(w, s, list)
		return err
	})
	return fmt.Sprintf("%d requests; times of day are exact to ± %v, differences between them to 1 ms", done.Requests, done.Exact.Round(time.Millisecond)), err
}

// exportTables writes tidy tables into a folder.
func (t *terminal) exportTables(ctx context.Context, f tidy.Format, output string, s *results.Store, list []*results.Invocation) (string, error) {
	all, err := analysis.Measure(s)
	if err != nil {
		fmt.Fprintf(t.err, "moobench: warning: not everything can be read, and the rest is exported: %v\n", err)
	}
	if text := analysis.Recomputed(all); text != "" {
		t.tellWarnings("", []string{text})
	}
	measured := map[results.Identity]tidy.Measured{}
	for _, m := range all {
		measured[m.Identity] = tidy.Measured{Values: m.Values, Class: m.Class, WindowFrom: m.WindowFrom}
	}
	dir := output
	if dir == "" {
		path, err := filepath.Abs(s.Dir())
		if err != nil {
			return "", fmt.Errorf("exporting: %w", err)
		}
		dir = filepath.Base(path) + "-" + string(f)
	}
	names, err := tidy.Write(ctx, dir, f, s, list, measured)
	if err != nil {
		return "", err
	}
	for _, name := range names {
		fmt.Fprintln(t.out, visible(filepath.Join(dir, name)))
	}
	return "results/importer/README.md says how R, pandas and DuckDB read it", nil
}

// exported chooses what is exported.
type exported struct{ invocation, cell string }

const aboutExport = `Writes a campaign, one invocation, or those of one cell, for other tools:

  parquet  a folder of tidy tables: invocations (a row each), metrics (a row for
           each that an invocation observed, with its unit, over the window that
           reports take), columns and names, which say what samples mean, and every
           sample. For R, pandas, DuckDB
  csv      the same without the samples
  jtl      Apache JMeter's result file as CSV, a line for each request, of one
           invocation or cell of scenarios that send requests. elapsed is from the
           sending to the last byte, in whole milliseconds; what is not known is 0,
           empty or null, as JMeter writes it. JMeter's own report of it:
           jmeter -g FILE -o FOLDER

Tables have all invocations, also those that failed or don't count, and the column
counts.

`

func exportVerb(t *terminal) *cobra.Command {
	var format, output string
	var choice exported
	cmd := &cobra.Command{
		Use:   "export DIR --format FORMAT [--invocation ID | --cell LABEL] [-o PATH]",
		Short: "write what was measured for R, pandas, DuckDB, or in the format of JMeter",
		Long:  aboutExport + exitHelp,
		Example: `  moobench export results/runs/2026-11-21T030000Z-nightly --format parquet -o tables
  moobench export results/runs/2026-11-21T030000Z-nightly --format csv
  moobench export results/runs/2026-11-21T030000Z-nightly --format jtl --cell probe/hotswap/collect > requests.jtl`,
		Args: positional(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			formats := exportFormats()
			i := slices.IndexFunc(formats, func(f exportFormat) bool { return f.name == format })
			if i < 0 {
				return usageError{fmt.Errorf("unknown --format %q: there are %s", format, strings.Join(exportNames(), ", "))}
			}
			if choice.invocation != "" && choice.cell != "" {
				return usageError{errors.New("--invocation and --cell both choose: give one of them")}
			}
			return t.export(cmd.Context(), args[0], formats[i], choice, output)
		},
	}
	f := cmd.Flags()
	f.StringVar(&format, "format", "", strings.Join(exportNames(), ", "))
	f.StringVar(&choice.invocation, "invocation", "", "one invocation, such as b0001.s02.r0")
	f.StringVar(&choice.cell, "cell", "", "all invocations of a cell, such as probe/hotswap/collect")
	f.StringVarP(&output, "output", "o", "", "folder, or file of jtl (default <campaign>-<format>, and of jtl standard output)")
	return cmd
}

func (t *terminal) export(ctx context.Context, dir string, format exportFormat, choice exported, output string) error {
	store, err := results.Open(dir)
	if err != nil {
		return err
	}
	all, err := store.Invocations()
	if err != nil {
		fmt.Fprintf(t.err, "moobench: warning: not everything can be read, and the rest is exported: %v\n", err)
	}
	if _, changed := store.Sealed(); changed != "" {
		t.tellWarnings("", []string{changed})
	}
	list, err := choice.among(store.Campaign(), all, format)
	if err != nil {
		return usageError{err}
	}
	note, err := format.write(ctx, t, output, store, list)
	if err != nil {
		return err
	}
	fmt.Fprintf(t.err, "exported %d of %s: %s\n", len(list), figure.Plural(len(all), "invocation", "invocations"), note)
	return nil
}

// among are the chosen invocations: one, or those of one cell, or all where the
// format takes them. What was chosen must be about the format. For a format that
// knows no marks only those that count are chosen by their cell.
func (e exported) among(c *results.Campaign, all []*results.Invocation, format exportFormat) ([]*results.Invocation, error) {
	var list []*results.Invocation
	cells := map[string]bool{}
	for _, inv := range all {
		label := inv.Cell
		if cell := c.Cell(inv.Cell); cell != nil {
			label = cell.Label()
		}
		if !format.fits(inv) || e.invocation == "" && !format.all && !counts(inv) {
			continue
		}
		cells[label] = true
		if e.invocation == inv.Identity.String() || e.invocation == "" && (e.cell == "" || e.cell == label || e.cell == inv.Cell) {
			list = append(list, inv)
		}
	}
	return list, e.refuse(len(list), cells, format)
}

// counts says whether times are read from an invocation.
func counts(inv *results.Invocation) bool {
	return inv.Status == results.StatusOK && inv.Void == "" && !inv.Superseded && inv.Profile == results.ProfileTiming
}

// refuse says why a choice can't be exported.
func (e exported) refuse(chosen int, cells map[string]bool, format exportFormat) error {
	switch labels := visible(strings.Join(slices.Sorted(maps.Keys(cells)), ", ")); {
	case len(cells) == 0 && e.invocation == "":
		return fmt.Errorf("no invocation of this campaign has %s", format.what)
	case chosen == 0 && e.invocation != "":
		return fmt.Errorf("there is no invocation %q with %s", e.invocation, format.what)
	case chosen == 0:
		return fmt.Errorf("no cell %q has %s: there are %s", e.cell, format.what, labels)
	case chosen > 1 && e.cell == "" && !format.all:
		return fmt.Errorf("%d invocations have %s: choose one with --invocation, or a cell with --cell: %s", chosen, format.what, labels)
	}
	return nil
}
