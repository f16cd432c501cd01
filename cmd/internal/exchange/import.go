// Package exchange knows the files of other tools: which format a path is of, and what of
// a campaign fits into one.
package exchange

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"moobench/cmd/internal/console"
	"moobench/results/importer"
	"moobench/results/importer/jmh"
	"moobench/results/importer/jtl"
	"moobench/results/importer/moobenchcsv"
	"moobench/results/importer/otel"
	"moobench/results/safefile"
)

// Imported are the formats that campaigns are made of.
func Imported() []importer.Format {
	return []importer.Format{
		moobenchcsv.Format(),
		jmh.Format(),
		jtl.Format(),
		otel.Format(),
	}
}

// ImportedNames are the names of these formats.
func ImportedNames() []string {
	var names []string
	for _, f := range Imported() {
		names = append(names, f.Name)
	}
	return names
}

// Obeying names the formats that obey an option, the last one first.
func Obeying(option, separator string) string {
	var names []string
	for _, f := range slices.Backward(Imported()) {
		if slices.Contains(f.Options, option) {
			names = append(names, f.Name)
		}
	}
	return strings.Join(names, separator)
}

// FormatOf is the one of all files: the named one, or "" the one that all of them are
// recognised as. What is wrong with any of them is in the error.
func FormatOf(files []importer.File, name string) (importer.Format, error) {
	all := Imported()
	var wrong []error
	if name == "" {
		var first string // file that is of this format
		for _, file := range files {
			switch found, err := recognise(all, file.Path); {
			case err != nil:
				wrong = append(wrong, err)
			case name == "":
				name, first = found, file.Path
			case name != found:
				wrong = append(wrong, fmt.Errorf("%s is of %s, and %s of %s: import each by itself, or say what they are with --from", console.Visible(first), name, console.Visible(file.Path), found))
			}
		}
	} else if !slices.Contains(ImportedNames(), name) {
		wrong = append(wrong, fmt.Errorf("unknown --from %q: there are %s", name, strings.Join(ImportedNames(), ", ")))
	}
	for _, f := range all {
		if f.Name == name {
			return f, errors.Join(wrong...)
		}
	}
	return importer.Format{}, errors.Join(wrong...)
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
		return "", fmt.Errorf("%s: its name does not say what it is: want %s or %s, or say it with --from", console.Visible(path), strings.Join(want[:last], ", "), want[last])
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
