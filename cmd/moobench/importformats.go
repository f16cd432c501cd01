package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"moobench/results/importer"
	"moobench/results/importer/jmh"
	"moobench/results/importer/jtl"
	"moobench/results/importer/moobenchcsv"
	"moobench/results/importer/otel"
	"moobench/results/safefile"
)

// importFormats are the formats of moobench import.
func importFormats() []importer.Format {
	return []importer.Format{moobenchcsv.Format(), jmh.Format(), jtl.Format(), otel.Format()}
}

func importNames() []string {
	var names []string
	for _, f := range importFormats() {
		names = append(names, f.Name)
	}
	return names
}

// obeying names the formats that obey an option, the last of the table first.
func obeying(option string) []string {
	var names []string
	for _, f := range slices.Backward(importFormats()) {
		if slices.Contains(f.Options, option) {
			names = append(names, f.Name)
		}
	}
	return names
}

// format is the one of all files.
func (f *importFlags) format(files []importer.File) (importer.Format, error) {
	all := importFormats()
	name, of, wrong := f.from, "", []error{}
	for _, file := range files {
		if f.from != "" {
			break
		}
		found, err := recognise(all, file.Path)
		switch {
		case err != nil:
			wrong = append(wrong, err)
		case name == "":
			name, of = found, file.Path
		case name != found:
			wrong = append(wrong, fmt.Errorf("%s is of %s, and %s of %s: import each by itself, or say what they are with --from", visible(of), name, visible(file.Path), found))
		}
	}
	i := slices.IndexFunc(all, func(f importer.Format) bool { return f.Name == name })
	if i < 0 && f.from != "" {
		wrong = append(wrong, fmt.Errorf("unknown --from %q: there are %s", f.from, strings.Join(importNames(), ", ")))
	}
	if i < 0 {
		return importer.Format{}, errors.Join(wrong...)
	}
	return all[i], errors.Join(wrong...)
}

// recognise tells a format from the name of a path and, where that leaves a
// choice, from the first line of the file.
func recognise(all []importer.Format, path string) (string, error) {
	var found string
	var want []string
	ending := "*" + strings.ToLower(filepath.Ext(path))
	for _, f := range all {
		if f.Named != nil && f.Named(path) {
			return f.Name, nil
		}
		if slices.Contains(f.Paths, ending) && f.Header == nil {
			found = f.Name
		}
		for _, p := range f.Paths {
			if !slices.Contains(want, p) {
				want = append(want, p)
			}
		}
	}
	for _, f := range all {
		if f.Header == nil || !slices.Contains(f.Paths, ending) {
			continue
		}
		line, err := firstLine(path)
		if err != nil {
			return "", err
		}
		if f.Header(line) {
			return f.Name, nil
		}
	}
	if found == "" {
		last := len(want) - 1
		return "", fmt.Errorf("%s: its name does not say what it is: want %s or %s, or say it with --from", visible(path), strings.Join(want[:last], ", "), want[last])
	}
	return found, nil
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
