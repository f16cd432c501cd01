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
	"moobench/results"
	"moobench/results/importer"
)

// importFlags is what moobench import was asked.
type importFlags struct {
	variants                   []string
	from, name, output         string
	baseline, by, mode, window string
}

const aboutImport = `Makes a campaign of the results of another tool, which moobench report then
analyses with our method. What a path is of is told by its name and its first
line, or said with --from:

  moobench-csv  results folders of MooBench, their results.zip, or raw files
                (raw-LOOP-DEPTH-CONFIGURATION.csv, or .csv.gz): each file is an
                invocation, each configuration a variant; --window half takes the
                samples that MooBench takes
  jmh           *.json of JMH (-rf json): each fork is an invocation. The variant
                is the file's (--variant), a parameter's value (--by), or else the
                benchmark; other parameters are factors
  jtl           *.jtl, *.csv of Apache JMeter, as CSV with the line that names the
                columns: each file is an invocation, whose variant is the file's
                name without its end, or what --variant says
  otel          results.csv of OpenTelemetry's benchmark-overhead: each agent on
                each line is an invocation

The baseline is MooBench's first configuration, OpenTelemetry's agent none, and
else the first variant; --baseline names another. What the source does not say is
absent: order, blocks and A/A, so that drift of the machine is not told from
differences.

`

func importVerb(t *terminal) *cobra.Command {
	var f importFlags
	cmd := &cobra.Command{
		Use:   "import PATH… [--variant NAME=FILE]… [-o DIR]",
		Short: "make a campaign of another tool's results (MooBench, JMH, JMeter, OpenTelemetry)",
		Long:  aboutImport + exitHelp,
		Example: `  moobench import moobench/frameworks/Kieker-java/results
  moobench import jmh-result.json --by agent --baseline none
  moobench import --variant none=1.jtl --variant agent=2.jtl --variant none=3.jtl --variant agent=4.jtl -o imported`,
		RunE: func(cmd *cobra.Command, args []string) error {
			format, files, err := f.settle(args, cmd.Flags().Changed)
			if err != nil {
				return usageError{err}
			}
			return t.importFiles(cmd.Context(), f, format, files)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.from, "from", "", strings.Join(importNames(), ", ")+" (default: by name and first line)")
	flags.StringArrayVar(&f.variants, "variant", nil, "NAME=FILE: a file, and which variant it is of; may be repeated (jtl, jmh)")
	flags.StringVar(&f.baseline, "baseline", "", "variant that the others are compared with")
	flags.StringVar(&f.by, "by", "", "parameter whose values are the variants (jmh)")
	flags.StringVar(&f.mode, "mode", "", "import this mode only: thrpt, avgt, sample, ss (jmh)")
	flags.StringVar(&f.window, "window", "steady", "samples that means are taken over: steady, half (moobench-csv)")
	flags.StringVar(&f.name, "name", "imported", "name of the campaign")
	flags.StringVarP(&f.output, "output", "o", "", "folder of the campaign (default results/runs/<time>-<name>)")
	return cmd
}

// settle finds out what is imported; its error is everything wrong with how the
// verb was called. given says whether a flag was.
func (f *importFlags) settle(args []string, given func(flag string) bool) (importer.Format, []importer.File, error) {
	files, wrong := f.files(args)
	format, err := f.format(files)
	wrong = append(wrong, err)
	for _, option := range []string{"by", "mode", "variant", "window"} {
		if given(option) && format.Name != "" && !slices.Contains(format.Options, option) {
			wrong = append(wrong, fmt.Errorf("--%s is of %s, and this is %s", option, strings.Join(obeying(option), " and "), format.Name))
		}
	}
	if f.window != string(results.WindowSteady) && f.window != string(results.WindowHalf) {
		wrong = append(wrong, fmt.Errorf("--window %q: want steady or half", f.window))
	}
	if f.name == "" || strings.ContainsAny(f.name, "/\x00") {
		wrong = append(wrong, fmt.Errorf("--name %q is no name of a folder", f.name))
	}
	return format, files, errors.Join(wrong...)
}

// files are all files: those with a given variant first.
func (f *importFlags) files(args []string) (all []importer.File, wrong []error) {
	for _, v := range f.variants {
		name, path, ok := strings.Cut(v, "=")
		if !ok || name == "" || path == "" {
			wrong = append(wrong, fmt.Errorf("--variant %q: want NAME=FILE, such as none=1.jtl", v))
			continue
		}
		all = append(all, importer.File{Variant: name, Path: path})
	}
	for _, path := range args {
		all = append(all, importer.File{Path: path})
	}
	if len(all) == 0 && len(wrong) == 0 {
		wrong = append(wrong, errors.New("nothing to import: name a results folder of MooBench, or result files of JMH, JMeter or OpenTelemetry"))
	}
	return all, wrong
}

func (t *terminal) importFiles(ctx context.Context, f importFlags, format importer.Format, files []importer.File) error {
	now := time.Now().UTC()
	dir := cmp.Or(f.output, filepath.Join("results", "runs", now.Format("2006-01-02T150405Z")+"-"+f.name))
	store, err := format.Import(ctx, importer.Request{
		Dir: dir, Files: files, Name: f.name, Created: now, Versions: map[string]string{"moobench": build()},
		Baseline: f.baseline, By: f.by, Mode: f.mode, Window: results.Window(f.window), Progress: t.sometimes(now),
	})
	var mistakes *importer.Mistakes
	switch {
	case err != nil && ctx.Err() != nil:
		return fmt.Errorf("interrupted: nothing was imported, and %s was not made", visible(dir))
	case errors.As(err, &mistakes):
		return usageError{err}
	case err != nil:
		return err
	}
	list, err := store.Invocations()
	if err != nil {
		return err
	}
	c := store.Campaign()
	fmt.Fprintf(t.out, "imported %s of %s from %s into %s\n", figure.Plural(len(list), "invocation", "invocations"), figure.Plural(len(c.Cells), "cell", "cells"), c.Source, visible(dir))
	fmt.Fprintf(t.out, "moobench report %s\n", visible(dir))
	return nil
}

// sometimes says every ten seconds how far an import is.
func (t *terminal) sometimes(last time.Time) func(done, all int) {
	return func(done, all int) {
		if now := time.Now(); now.Sub(last) > 10*time.Second {
			last = now
			fmt.Fprintf(t.err, "imported %d of %s\n", done, figure.Plural(all, "file", "files"))
		}
	}
}
