package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"moobench/analysis/figure"
	"moobench/cmd/internal/console"
	"moobench/cmd/internal/exchange"
	"moobench/cmd/internal/outcome"
	"moobench/refusal"
	"moobench/results"
	"moobench/results/importer"
)

// aboutImport is the help of moobench import, with a paragraph for each format.
func aboutImport() string {
	text := `Makes a campaign of the results of another tool, which moobench report then
analyses with our method. What a path is of is told by its name and its first
line, or said with --from:

`
	for _, f := range exchange.Imported() {
		text += fmt.Sprintf("  %-13s %s\n", f.Name, strings.ReplaceAll(f.About, "\n", "\n"+strings.Repeat(" ", 16)))
	}
	return text + `
The baseline is MooBench's first configuration, OpenTelemetry's agent none, and
else the first variant; --baseline names another. What the source does not say is
absent: order, blocks and A/A, so that drift of the machine is not told from
differences.

`
}

func importVerb(t *terminal) *cobra.Command {
	var r importer.Request
	var variants []string
	var from string
	cmd := &cobra.Command{
		Use:   "import PATH… [--variant NAME=FILE]… [-o DIR]",
		Short: "make a campaign of another tool's results (MooBench, JMH, JMeter, OpenTelemetry)",
		Long:  aboutImport() + exitHelp,
		Example: `  moobench import moobench/frameworks/Kieker-java/results
  moobench import jmh-result.json --by agent --baseline none
  moobench import --variant none=1.jtl --variant agent=2.jtl --variant none=3.jtl --variant agent=4.jtl -o imported`,
		RunE: func(cmd *cobra.Command, args []string) error {
			var wrong []error
			for _, v := range variants { // files with a variant are the first
				name, path, ok := strings.Cut(v, "=")
				if !ok || name == "" || path == "" {
					wrong = append(wrong, fmt.Errorf("--variant %q: want NAME=FILE, such as none=1.jtl", v))
					continue
				}
				r.Files = append(r.Files, importer.File{Variant: name, Path: path})
			}
			for _, path := range args {
				r.Files = append(r.Files, importer.File{Path: path})
			}
			if len(r.Files) == 0 && len(wrong) == 0 {
				wrong = append(wrong, errors.New("nothing to import: name a results folder of MooBench, or result files of JMH, JMeter or OpenTelemetry"))
			}
			format, err := exchange.FormatOf(r.Files, from)
			wrong = append(wrong, err)
			for _, option := range []string{"by", "mode", "variant", "window"} {
				if cmd.Flags().Changed(option) && format.Name != "" && !slices.Contains(format.Options, option) {
					wrong = append(wrong, fmt.Errorf("--%s is of %s, and this is %s", option, exchange.Obeying(option, " and "), format.Name))
				}
			}
			if r.Window != results.WindowSteady && r.Window != results.WindowHalf {
				wrong = append(wrong, fmt.Errorf("--window %q: want steady or half", r.Window))
			}
			if r.Name == "" || strings.ContainsAny(r.Name, "/\x00") {
				wrong = append(wrong, fmt.Errorf("--name %q is no name of a folder", r.Name))
			}
			if err := errors.Join(wrong...); err != nil {
				return outcome.Usage(err)
			}
			return t.importFiles(cmd.Context(), format, r)
		},
	}
	f := cmd.Flags()
	f.StringVar(&from, "from", "", strings.Join(exchange.ImportedNames(), ", ")+" (default: by name and first line)")
	f.StringArrayVar(&variants, "variant", nil, "NAME=FILE: a file, and which variant it is of; may be repeated ("+exchange.Obeying("variant", ", ")+")")
	f.StringVar(&r.Baseline, "baseline", "", "variant that the others are compared with")
	f.StringVar(&r.By, "by", "", "parameter whose values are the variants ("+exchange.Obeying("by", ", ")+")")
	f.StringVar(&r.Mode, "mode", "", "import this mode only: thrpt, avgt, sample, ss ("+exchange.Obeying("mode", ", ")+")")
	f.StringVar((*string)(&r.Window), "window", "steady", "samples that means are taken over: steady, half ("+exchange.Obeying("window", ", ")+")")
	f.StringVar(&r.Name, "name", "imported", "name of the campaign")
	f.StringVarP(&r.Dir, "output", "o", "", "folder of the campaign (default results/runs/<time>-<name>)")
	return cmd
}

func (t *terminal) importFiles(ctx context.Context, format importer.Format, r importer.Request) error {
	r.Created, r.Versions = time.Now().UTC(), map[string]string{"moobench": build()}
	r.Dir = cmp.Or(r.Dir, filepath.Join("results", "runs", r.Created.Format("2006-01-02T150405Z")+"-"+r.Name))
	last := r.Created
	r.Progress = func(done, all int) {
		if now := time.Now(); now.Sub(last) > 10*time.Second {
			last = now
			fmt.Fprintf(t.err, "imported %d of %s\n", done, figure.Plural(all, "file", "files"))
		}
	}
	store, err := format.Import(ctx, r)
	var mistakes *refusal.Mistakes
	switch {
	case err != nil && ctx.Err() != nil:
		return fmt.Errorf("interrupted: nothing was imported, and %s was not made", console.Visible(r.Dir))
	case errors.As(err, &mistakes):
		return outcome.Usage(err)
	case err != nil:
		return err
	}
	list, err := store.Invocations()
	if err != nil {
		return err
	}
	c := store.Campaign()
	_, err = fmt.Fprintf(t.out, "imported %s of %s from %s into %s\nmoobench report %s\n", figure.Plural(len(list), "invocation", "invocations"),
		figure.Plural(len(c.Cells), "cell", "cells"), c.Source, console.Visible(r.Dir), console.Visible(r.Dir))
	return err
}
