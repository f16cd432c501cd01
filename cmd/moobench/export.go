package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/cmd/internal/console"
	"moobench/cmd/internal/outcome"
	"moobench/results"
	"moobench/results/importer/jtl"
	"moobench/results/importer/tidy"
)

func exportVerb(t *terminal) *cobra.Command {
	x := export{terminal: t}
	var format string
	anything := func(*results.Invocation) bool { return true }
	formats := []exportFormat{
		{string(tidy.Parquet), true, anything, "numbers", export.tables},
		{string(tidy.CSV), true, anything, "numbers", export.tables},
		{"jtl", false, jtl.HasRequests, "requests", export.jtl},
	}
	names := results.Each(formats, func(f exportFormat) string { return f.name })
	cmd := &cobra.Command{
		Use:               "export [DIR] --format FORMAT [--invocation ID | --cell LABEL] [-o PATH]",
		Short:             "write what was measured for R, pandas, DuckDB, or in the format of JMeter",
		Args:              positional(cobra.MaximumNArgs(1)),
		ValidArgsFunction: campaigns(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			i := slices.Index(names, format)
			if i < 0 {
				return outcome.Usage(fmt.Errorf("unknown --format %q: there are %s", format, strings.Join(names, ", ")))
			}
			x.format = formats[i]
			args, err := t.orNewest(args, 1)
			if err != nil {
				return err
			}
			return x.write(cmd.Context(), args[0])
		},
	}
	f := cmd.Flags()
	registerAnyFormat(cmd, &format, "", names)
	f.StringVar(&x.invocation, "invocation", "", "one invocation, such as b0001.s02.r0")
	f.StringVar(&x.cell, "cell", "", "all invocations of a cell, such as probe/hotswap/collect")
	f.StringVarP(&x.output, "output", "o", "",
		"folder, or file of jtl (default <campaign>-<format>, and of jtl standard output)")
	return cmd
}

// exportFormat is another tool's format for a campaign's data.
type exportFormat struct {
	name string
	// all reports whether the format takes all invocations if none is chosen.
	all bool
	// fits reports whether an invocation has data for the format; what names these data.
	fits func(*results.Invocation) bool
	what string
	// write writes the invocations, and returns a note for the reader.
	write func(export, context.Context, []*results.Invocation) (note string, err error)
}

// export exports part of a campaign: one invocation, all invocations of a cell, or all that the
// format takes.
type export struct {
	*terminal
	format                   exportFormat
	invocation, cell, output string
	store                    *results.Store
}

// jtl writes requests to a file.
func (x export) jtl(_ context.Context, list []*results.Invocation) (string, error) {
	var done jtl.Written
	err := console.WriteWhole(x.Out, x.output, func(w io.Writer) (err error) {
		done, err = jtl.Write(w, x.store, list)
		return err
	})
	return fmt.Sprintf("%d requests; times of day are exact to ± %v, differences between them to 1 ms",
		done.Requests, done.Exact.Round(time.Millisecond)), err
}

// tables writes tidy tables into a folder.
func (x export) tables(ctx context.Context, list []*results.Invocation) (string, error) {
	all, err := analysis.Measure(x.store)
	if err != nil {
		x.warnPartly(err)
	}
	if text := analysis.Recomputed(all); text != "" {
		x.Warn(text, "")
	}
	measured, void := map[results.Identity]tidy.Measured{}, analysis.Uncounted(x.store.Campaign(), all)
	for i := range all {
		m := &all[i]
		measured[m.Identity] = tidy.Measured{
			Values: m.Values, Adjusted: adjusted(m), Class: m.Class, WindowFrom: m.WindowFrom, Void: void[m.Identity],
		}
	}
	x.output = cmp.Or(x.output, x.store.Name()+"-"+x.format.name)
	names, err := tidy.Write(ctx, x.output, tidy.Format(x.format.name), x.store, list, measured)
	if err != nil {
		return "", err
	}
	for _, name := range names {
		fmt.Fprintln(x.Out, console.Visible(filepath.Join(x.output, name)))
	}
	return "moobench help export says how R, pandas and DuckDB read it", nil
}

// adjusted returns the values of an invocation that were adjusted for the CPU's speed, in the form
// of the tables.
func adjusted(m *analysis.Measured) map[string]tidy.Adjusted {
	all := map[string]tidy.Adjusted{}
	for metric := range m.Values {
		if c, ok := m.CarriedOf(metric); ok {
			all[metric] = tidy.Adjusted{Unadjusted: c.Measured, ReferenceNS: math.Exp(c.Speed), AtNS: math.Exp(c.To)}
		}
	}
	return all
}

func (x export) warnPartly(err error) {
	fmt.Fprintf(x.Err, "moobench: warning: not everything can be read, and the rest is exported: %s\n",
		console.VisibleLines(err.Error()))
}

// write exports the chosen part of the campaign in a folder.
func (x export) write(ctx context.Context, dir string) (err error) {
	if x.store, err = results.Open(dir); err != nil {
		return err
	}
	all, err := x.store.Invocations()
	if err != nil {
		x.warnPartly(err)
	}
	if _, changed := x.store.Sealed(); changed != "" {
		x.Warn(changed, "")
	}
	list, err := x.chosen(all)
	if err != nil {
		return outcome.Usage(err)
	}
	note, err := x.format.write(x, ctx, list)
	if err != nil {
		return err
	}
	fmt.Fprintf(x.Err, "exported %d of %s: %s\n", len(list), figure.Plural(len(all), "invocation", "invocations"), note)
	return nil
}

// chosen returns the chosen invocations: one, all of a cell, or all if the format takes them. They
// must have the format's data. A format without room for caveats gets only valid, current timing
// invocations, unless one is named.
func (x export) chosen(all []*results.Invocation) ([]*results.Invocation, error) {
	var list []*results.Invocation
	cells := map[string]bool{}
	for _, inv := range all {
		label := inv.Cell
		if cell := x.store.Campaign().Cell(inv.Cell); cell != nil {
			label = cell.Label()
		}
		wanted := x.invocation == inv.Identity.String()
		if x.invocation == "" {
			valid := inv.Status == results.StatusOK && inv.Invalid == "" && !inv.Superseded
			counts := valid && inv.Profile == results.ProfileTiming
			if !x.format.all && !counts {
				continue
			}
			wanted = slices.Contains([]string{"", label, inv.Cell}, x.cell)
		}
		if !x.format.fits(inv) {
			continue
		}
		if cells[label] = true; wanted {
			list = append(list, inv)
		}
	}
	switch labels := console.Visible(strings.Join(slices.Sorted(maps.Keys(cells)), ", ")); {
	case len(cells) == 0 && x.invocation == "":
		return nil, fmt.Errorf("no invocation of this campaign has %s", x.format.what)
	case len(list) == 0 && x.invocation != "":
		return nil, fmt.Errorf("there is no invocation %q with %s", x.invocation, x.format.what)
	case len(list) == 0:
		return nil, fmt.Errorf("no cell %q has %s: there are %s", x.cell, x.format.what, labels)
	case len(list) > 1 && x.cell == "" && !x.format.all:
		return nil, fmt.Errorf("%d invocations have %s: choose one with --invocation, or a cell with --cell: %s",
			len(list), x.format.what, labels)
	}
	return list, nil
}
