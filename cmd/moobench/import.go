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
	"moobench/cmd/internal/outcome"
	"moobench/cmd/internal/session"
	"moobench/refusal"
	"moobench/results"
	"moobench/results/importer"
	"moobench/results/importer/datajs"
	"moobench/results/importer/jmh"
	"moobench/results/importer/jtl"
	"moobench/results/importer/moobenchcsv"
	"moobench/results/importer/otel"
)

// imported returns the formats that can be imported as campaigns.
func imported() []importer.Format {
	return []importer.Format{
		moobenchcsv.Format(),
		jmh.Format(),
		jtl.Format(),
		otel.Format(),
	}
}

// withNights returns the formats that can be imported into a history.
func withNights() []importer.Format { return []importer.Format{otel.Format(), datajs.Format()} }

// nightsFormat returns the format of files with nights, recognised by their first lines. The error
// lists the problems of all files.
func nightsFormat(paths []string) (format importer.Format, err error) {
	var wrong []error
	for _, path := range paths {
		head, err := importer.Head(path, true)
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		all := withNights()
		at := slices.IndexFunc(all, func(f importer.Format) bool { return f.Header(importer.FirstLine(head)) })
		switch {
		case at < 0:
			wrong = append(wrong, fmt.Errorf("%s holds no nights: "+
				"want results.csv of OpenTelemetry's benchmark-overhead, or data.js of github-action-benchmark",
				console.Visible(path)))
		case format.Name != "" && format.Name != all[at].Name:
			wrong = append(wrong, fmt.Errorf("%s comes from %s, and %s before it from %s: add each on its own",
				console.Visible(path), all[at].Name, console.Visible(paths[0]), format.Name))
		default:
			format = all[at]
		}
	}
	return format, errors.Join(wrong...)
}

// importedNames lists the formats that support an option; "": all of them.
func importedNames(option string) []string {
	var names []string
	for _, f := range imported() {
		if option == "" || slices.Contains(f.Options, option) {
			names = append(names, f.Name)
		}
	}
	return names
}

// aboutImported returns a paragraph for each format, for the help of moobench import.
func aboutImported() (text string) {
	for _, f := range imported() {
		text += fmt.Sprintf("  %-13s %s\n", f.Name, strings.ReplaceAll(f.About, "\n", "\n"+strings.Repeat(" ", 16)))
	}
	return text
}

func importVerb(t *terminal) *cobra.Command {
	var r importer.Request
	var variants []string
	var from string
	cmd := &cobra.Command{
		Use:   "import PATH… [--variant NAME=FILE]… [-o DIR]",
		Short: "make a campaign of another tool's results (MooBench, JMH, JMeter, OpenTelemetry)",
		Long:  aboutImported(),
		RunE: func(cmd *cobra.Command, args []string) error {
			var wrong []error
			for _, v := range variants { // files with a variant come first
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
				wrong = append(wrong, errors.New("nothing to import: name a results folder of MooBench, "+
					"or result files of JMH, JMeter or OpenTelemetry"))
			}
			format, err := importedFormat(r.Files, from)
			wrong = append(wrong, err)
			for _, option := range []string{"by", "mode", "secrets", "variant", "whole-labels", "window"} {
				if cmd.Flags().Changed(option) && format.Name != "" && !slices.Contains(format.Options, option) {
					wrong = append(wrong,
						fmt.Errorf("--%s is for %s, and this is %s", option, obeying(option, " and "), format.Name))
				}
			}
			if r.Window != results.WindowSteady && r.Window != results.WindowHalf {
				wrong = append(wrong, fmt.Errorf("--window %q: want steady or half", r.Window))
			}
			if r.Name == "" || strings.ContainsAny(r.Name, "/\x00") {
				wrong = append(wrong, fmt.Errorf("--name %q is not a name of a folder", r.Name))
			}
			if err := errors.Join(wrong...); err != nil {
				return outcome.Usage(err)
			}
			return t.importFiles(cmd.Context(), format, r)
		},
	}
	f := cmd.Flags()
	f.StringVar(&from, "from", "", strings.Join(importedNames(""), ", ")+" (default: by name and first line)")
	complete(cmd, "from", cobra.FixedCompletions(importedNames(""), cobra.ShellCompDirectiveNoFileComp))
	f.StringArrayVar(&variants, "variant", nil,
		"NAME=FILE: a file, and which variant it is of; may be repeated ("+obeying("variant", ", ")+")")
	f.StringVar(&r.Baseline, "baseline", "", "variant that the others are compared with")
	f.StringVar(&r.By, "by", "", "parameter whose values are the variants ("+obeying("by", ", ")+")")
	f.StringVar(&r.Mode, "mode", "", "import this mode only: thrpt, avgt, sample, ss ("+obeying("mode", ", ")+")")
	f.BoolVar(&r.Secrets, "secrets", false,
		"keep values that look secret, which are cut otherwise: api.key=…, "+
			"user information of URIs ("+obeying("secrets", ", ")+")")
	f.BoolVar(&r.WholeLabels, "whole-labels", false,
		"keep queries, fragments and credentials of labels that are URLs ("+obeying("whole-labels", ", ")+")")
	f.StringVar((*string)(&r.Window), "window", "steady",
		"samples that means are taken over: steady, half ("+obeying("window", ", ")+")")
	f.StringVar(&r.Name, "name", "imported", "name of the campaign")
	f.StringVarP(&r.Dir, "output", "o", "", "folder of the campaign (default results/runs/<time>-<name>)")
	return cmd
}

func (t *terminal) importFiles(ctx context.Context, format importer.Format, r importer.Request) error {
	r.Created, r.Versions = time.Now().UTC(), map[string]string{"moobench": build()}
	r.Dir = cmp.Or(r.Dir, session.FreeFolder(session.RunsFolder, r.Created, r.Name))
	last := r.Created
	r.Progress = func(done, all int) {
		if now := time.Now(); now.Sub(last) > 10*time.Second {
			last = now
			fmt.Fprintf(t.Err, "imported %d of %s\n", done, figure.Plural(all, "file", "files"))
		}
	}
	store, err := format.Import(ctx, r)
	switch {
	case err != nil && ctx.Err() != nil:
		return fmt.Errorf("interrupted: nothing was imported, and %s was not made", console.Visible(r.Dir))
	case errors.As(err, new(*refusal.Mistakes)):
		return outcome.Usage(err)
	case err != nil:
		return err
	}
	list, err := store.Invocations()
	if err != nil {
		return err
	}
	t.saidOfImport(list)
	c := store.Campaign()
	for _, text := range c.LeftOut {
		t.Warn(text, "")
	}
	_, err = fmt.Fprintf(t.Out, "imported %s of %s from %s into %s\nmoobench report %s\n",
		figure.Plural(len(list), "invocation", "invocations"),
		figure.Plural(len(c.Cells), "cell", "cells"), c.Source, console.Visible(r.Dir), console.Visible(r.Dir))
	return err
}

// saidMost is the number of import warnings to show; the report has all.
const saidMost = 10

// saidOfImport prints the invocations' warnings, each once.
func (t *terminal) saidOfImport(list []*results.Invocation) {
	var all []string
	for _, inv := range list {
		for _, w := range inv.Warnings {
			if !slices.Contains(all, w) {
				all = append(all, w)
			}
		}
	}
	for _, w := range all[:min(len(all), saidMost)] {
		t.Warn(w, "")
	}
	if rest := len(all) - saidMost; rest > 0 {
		t.Warn(fmt.Sprintf("%d more, which the report has", rest), "")
	}
}

// obeying names the formats that support an option, the last one first.
func obeying(option, separator string) string {
	names := importedNames(option)
	slices.Reverse(names)
	return strings.Join(names, separator)
}

// importedFormat returns the format of all files: the named one, or for "" the one that all files
// are recognised as. The error lists the problems of all files.
func importedFormat(files []importer.File, name string) (format importer.Format, err error) {
	all := imported()
	if i := slices.IndexFunc(all, func(f importer.Format) bool { return f.Name == name }); i >= 0 {
		return all[i], nil
	}
	if name != "" {
		return format, fmt.Errorf("unknown --from %q: there are %s", name, strings.Join(importedNames(""), ", "))
	}
	var wrong []error
	var first string // first file of this format
	for _, file := range files {
		switch found, err := recognise(all, file.Path); {
		case err != nil:
			wrong = append(wrong, err)
		case format.Name == "":
			format, first = found, file.Path
		case format.Name != found.Name:
			const text = "%s comes from %s, and %s from %s: import each on its own, or say what they are with --from"
			wrong = append(wrong, fmt.Errorf(text,
				console.Visible(first), format.Name, console.Visible(file.Path), found.Name))
		}
	}
	return format, errors.Join(wrong...)
}

// recognise determines a file's format from its name and, if several fit, from its first line.
// Files of tools that no format supports are recognised by their beginning, whatever their name.
func recognise(all []importer.Format, path string) (found importer.Format, err error) {
	if i := slices.IndexFunc(all, func(f importer.Format) bool { return f.Named != nil && f.Named(path) }); i >= 0 {
		return all[i], nil
	}
	head, err := importer.Head(path, false)
	if err != nil {
		return found, err
	}
	var want []string
	ending := "*" + strings.ToLower(filepath.Ext(path))
	for _, f := range all {
		for _, p := range f.Paths {
			if !slices.Contains(want, p) {
				want = append(want, p)
			}
		}
		switch {
		case !slices.Contains(f.Paths, ending):
		case f.Header == nil:
			found = f
		case f.Header(importer.FirstLine(head)):
			return f, nil
		}
	}
	if found.Name == "" {
		last := len(want) - 1
		err = fmt.Errorf("%s: its name does not say what it is: want %s or %s, or say it with --from",
			console.Visible(path), strings.Join(want[:last], ", "), want[last])
	}
	return found, err
}
