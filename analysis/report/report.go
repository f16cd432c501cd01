// Package report prints answers: as text for a terminal, as JSON, and as one
// self-contained HTML page. Labels come from benchmarks.toml and from what JVMs
// say, and are trusted nowhere.
package report

import (
	"fmt"
	"io"
	"strings"

	"moobench/analysis"
)

// Options of a report; each format takes what concerns it.
type Options struct {
	Width int  // columns of the terminal, 80 when 0
	Color bool // never carries meaning alone
	All   bool // text: every metric, not only the primary one
	HTMLOptions
}

// format is a way to print answers.
type format struct {
	name  string
	write func(io.Writer, *analysis.Answers, Options) error
}

// table lists all formats.
func table() []format {
	return []format{
		{"text", Text},
		{"json", func(w io.Writer, a *analysis.Answers, _ Options) error { return JSON(w, a) }},
		{"html", func(w io.Writer, a *analysis.Answers, o Options) error { return HTML(w, a, o.HTMLOptions) }},
	}
}

// Formats are the names of the formats: tables for a terminal, everything for
// programs, one self-contained page.
func Formats() []string {
	var names []string
	for _, f := range table() {
		names = append(names, f.name)
	}
	return names
}

// Write prints the answers in the format of this name.
func Write(w io.Writer, name string, a *analysis.Answers, o Options) error {
	for _, f := range table() {
		if f.name == name {
			return f.write(w, a, o)
		}
	}
	return fmt.Errorf("unknown format %q (want one of %s)", name, strings.Join(Formats(), ", "))
}
