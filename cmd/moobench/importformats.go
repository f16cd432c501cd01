package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"moobench/results"
	"moobench/results/importer/jmh"
	"moobench/results/importer/jtl"
	"moobench/results/importer/moobenchcsv"
	"moobench/results/importer/otel"
	"moobench/results/safefile"
)

// The formats of moobench import.
const (
	formatMooBench = "moobench-csv"
	formatJMH      = "jmh"
	formatJTL      = "jtl"
	formatOTel     = "otel"
)

// importFormat is a format of another tool.
type importFormat struct {
	name string
	// make makes the campaign.
	make func(ctx context.Context, dir string, made results.Campaign, f importFlags, files []importFile) (*results.Store, error)
}

func importFormats() []importFormat {
	return []importFormat{
		{formatMooBench, makeMooBench}, {formatJMH, makeJMH}, {formatJTL, makeJTL}, {formatOTel, makeOTel},
	}
}

func importNames() []string {
	var names []string
	for _, f := range importFormats() {
		names = append(names, f.name)
	}
	return names
}

// onlyOf are the formats that a flag is about, for flags that are not about all.
var onlyOf = map[string][]string{
	"variant": {formatJTL, formatJMH}, "by": {formatJMH}, "mode": {formatJMH}, "window": {formatMooBench},
}

// format is the one of all files.
func (f *importFlags) format(files []importFile) (importFormat, error) {
	all := importFormats()
	name, of, wrong := f.from, "", []error{}
	for _, file := range files {
		if f.from != "" {
			break
		}
		found, err := recognise(file.path)
		switch {
		case err != nil:
			wrong = append(wrong, err)
		case name == "":
			name, of = found, file.path
		case name != found:
			wrong = append(wrong, fmt.Errorf("%s is of %s, and %s of %s: import each by itself, or say what they are with --from", visible(of), name, visible(file.path), found))
		}
	}
	i := slices.IndexFunc(all, func(f importFormat) bool { return f.name == name })
	if i < 0 && f.from != "" {
		wrong = append(wrong, fmt.Errorf("unknown --from %q: there are %s", f.from, strings.Join(importNames(), ", ")))
	}
	if i < 0 {
		return importFormat{}, errors.Join(wrong...)
	}
	return all[i], errors.Join(wrong...)
}

// recognise tells a format from the name of a path and, where that leaves a
// choice, from the first line of the file.
func recognise(path string) (string, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() || moobenchcsv.IsRaw(path) {
		return formatMooBench, nil
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".zip":
		return formatMooBench, nil
	case ".json":
		return formatJMH, nil
	case ".jtl":
		return formatJTL, nil
	case ".csv":
		line, err := firstLine(path)
		if err == nil && otel.IsHeader(line) {
			return formatOTel, nil
		}
		return formatJTL, err
	}
	return "", fmt.Errorf("%s: its name does not say what it is: want a folder, *.zip, raw-*.csv.gz, *.json, *.jtl or *.csv, or say it with --from", visible(path))
}

// firstLine is the first line of a file, or the beginning of it.
func firstLine(path string) (string, error) {
	f, err := safefile.Open(path)
	if err != nil {
		return "", fmt.Errorf("importing: %w", err)
	}
	defer f.Close()
	line, err := bufio.NewReader(io.LimitReader(f, 64<<10)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("importing: %w", err)
	}
	return line, nil
}

func paths(files []importFile) []string {
	var all []string
	for _, f := range files {
		all = append(all, f.path)
	}
	return all
}

func makeMooBench(ctx context.Context, dir string, made results.Campaign, f importFlags, files []importFile) (*results.Store, error) {
	return moobenchcsv.Import(ctx, dir, made, paths(files), moobenchcsv.Options{Window: results.Window(f.window), Baseline: f.baseline, Progress: f.progress})
}

func makeOTel(ctx context.Context, dir string, made results.Campaign, f importFlags, files []importFile) (*results.Store, error) {
	return otel.Import(ctx, dir, made, paths(files), f.baseline)
}

func makeJMH(ctx context.Context, dir string, made results.Campaign, f importFlags, files []importFile) (*results.Store, error) {
	var sources []jmh.Source
	for _, file := range files {
		sources = append(sources, jmh.Source{Variant: file.variant, Path: file.path})
	}
	return jmh.Import(ctx, dir, made, sources, jmh.Options{By: f.by, Mode: f.mode, Baseline: f.baseline})
}

func makeJTL(ctx context.Context, dir string, made results.Campaign, f importFlags, files []importFile) (*results.Store, error) {
	var sources []jtl.Source
	for _, file := range files {
		if file.variant == "" {
			file.variant = strings.TrimSuffix(filepath.Base(file.path), filepath.Ext(file.path))
		}
		sources = append(sources, jtl.Source{Variant: file.variant, Path: file.path})
	}
	return jtl.Import(ctx, dir, made, sources, f.baseline)
}
