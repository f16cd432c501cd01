package report

import (
	"fmt"
	"io"
	"strings"

	"moobench/analysis/compare"
)

// comparisonFormat is a way to print a comparison.
type comparisonFormat struct {
	name  string
	write func(io.Writer, *compare.Comparison, Options) error
}

// comparisonTable lists all formats of a comparison; COMPARISON.md documents the JSON.
func comparisonTable() []comparisonFormat {
	return []comparisonFormat{
		{"text", comparisonText},
		{"json", func(w io.Writer, c *compare.Comparison, _ Options) error { return WriteJSON(w, c) }},
		{"markdown", func(w io.Writer, c *compare.Comparison, _ Options) error { return compareMarkdown(w, c) }},
		{"html", func(w io.Writer, c *compare.Comparison, _ Options) error { return compareHTML(w, c) }},
	}
}

// ComparisonFormats are the names of the formats of a comparison.
func ComparisonFormats() []string {
	var names []string
	for _, f := range comparisonTable() {
		names = append(names, f.name)
	}
	return names
}

// WriteComparison prints a comparison in the format of this name; md is
// markdown.
func WriteComparison(w io.Writer, name string, c *compare.Comparison, o Options) error {
	if name == "md" {
		name = "markdown"
	}
	for _, f := range comparisonTable() {
		if f.name != name {
			continue
		}
		if err := f.write(w, c, o); err != nil {
			return fmt.Errorf("writing the comparison: %w", err)
		}
		return nil
	}
	return fmt.Errorf("unknown format %q of a comparison (want one of %s)", name, strings.Join(ComparisonFormats(), ", "))
}
