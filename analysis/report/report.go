// Package report prints answers: as text for a terminal, as JSON, as one
// self-contained HTML page, and in the formats of other tools, which FORMATS.md
// documents. Labels come from benchmarks.toml and from what JVMs say, and are
// trusted nowhere.
package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"moobench/analysis"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/page"
)

// Options of a report; each format takes what concerns it.
type Options struct {
	Width int  // columns of the terminal, 80 when 0
	Color bool // never carries meaning alone
	All   bool // text: every metric, not only the primary one
	// EChartsJS is echarts.min.js of the pinned release, as page.FindECharts returns
	// it: pages with it have interactive charts.
	EChartsJS []byte
}

// text are the options of a terminal.
func (o Options) text() doc.TextOptions {
	t := doc.TextOptions{Width: o.Width, Color: o.Color}
	if o.All {
		t.Depth = doc.Full
	}
	return t
}

// format is a way to print answers, and what else people call it.
type format struct {
	name  string
	write func(io.Writer, *analysis.Answers, Options) error
	also  []string
}

// table lists all formats.
func table() []format {
	return []format{
		{"text", Text, nil},
		{"json", plainly(JSON), nil},
		{"html", HTML, nil},
		{"markdown", plainly(Markdown), []string{"md"}},
		{"latex", plainly(LaTeX), []string{"tex"}},
		{"svg", plainly(SVG), nil},
		{"csv", plainly(CSV), nil},
		{"junit", plainly(JUnit), nil},
		{"gobench", plainly(GoBench), []string{"benchstat"}},
		{"github-action-benchmark", plainly(GitHubAction), []string{"github-action"}},
		{"bencher", plainly(Bencher), []string{"bmf"}},
		{"openmetrics", plainly(OpenMetrics), []string{"prometheus"}},
	}
}

// Text prints the answers for a terminal.
func Text(w io.Writer, a *analysis.Answers, o Options) error {
	return doc.Text(w, campaign(a, false, 0), o.text())
}

// Markdown prints the answers as Markdown, for the summary of a CI job.
func Markdown(w io.Writer, a *analysis.Answers) error { return doc.Markdown(w, campaign(a, false, 0)) }

// LaTeX prints the tables of the answers for a thesis.
func LaTeX(w io.Writer, a *analysis.Answers) error { return doc.LaTeX(w, campaign(a, false, 0)) }

// documentFormats are those of every document.
var documentFormats = []string{"text", "json", "markdown", "html", "latex"}

// DocumentFormats are the names of the formats of a comparison, a history, a
// replication or a test.
func DocumentFormats() []string { return slices.Clone(documentFormats) }

// WriteDocument prints a value as its document, or itself as JSON. The document of a
// page has more than that of other formats.
func WriteDocument(w io.Writer, format string, value any, build func(paged bool) *doc.Document, o Options) error {
	var err error
	switch format {
	case "text":
		err = doc.Text(w, build(false), o.text())
	case "json":
		err = WriteJSON(w, value)
	case "markdown", "md":
		err = doc.Markdown(w, build(false))
	case "latex", "tex":
		err = doc.LaTeX(w, build(false))
	case "html":
		var text []byte
		if text, _, err = page.Render(build(true), page.Options{EChartsJS: o.EChartsJS}); err == nil {
			_, err = w.Write(text)
		}
	default:
		return fmt.Errorf("unknown format %q (want one of %s)", format, strings.Join(documentFormats, ", "))
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", format, err)
	}
	return nil
}

// plainly is a format without options.
func plainly(write func(io.Writer, *analysis.Answers) error) func(io.Writer, *analysis.Answers, Options) error {
	return func(w io.Writer, a *analysis.Answers, _ Options) error { return write(w, a) }
}

// Formats are the names of the formats: tables for a terminal, everything for
// programs, one self-contained page, and those of other tools.
func Formats() []string {
	var names []string
	for _, f := range table() {
		names = append(names, f.name)
	}
	return names
}

// Named is the name of the format that somebody asks for by its name or by what
// else it is called; ok is false when there is none.
func Named(name string) (format string, ok bool) {
	for _, f := range table() {
		if f.name == name || slices.Contains(f.also, name) {
			return f.name, true
		}
	}
	return name, false
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
