// Package report prints answers: as text for a terminal, as JSON, as one self-contained HTML page, and in the
// formats of other tools, which FORMATS.md documents. Labels come from benchmarks.toml and from JVMs, and are
// never trusted.
package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"moobench/analysis"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/page"
	"moobench/analysis/report/plot"
)

// Options of a report; each format uses those that apply to it.
type Options struct {
	Width int  // columns of the terminal, 80 when 0
	Color bool // never carries meaning alone
	All   bool // text, Markdown, LaTeX: everything, not only the answer
	// Table is the name of the only table that LaTeX prints; "": all of them.
	Table string
	// EChartsJS is echarts.min.js of the pinned release, as page.FindECharts returns it: it adds interactive
	// charts to pages.
	EChartsJS []byte
}

// depth is the depth that the reader of a text asked for.
func (o Options) depth() doc.Depth { return map[bool]doc.Depth{true: doc.Full}[o.All] }

// format is an output format, its other names, and its purpose.
type format struct {
	name  string
	also  []string
	about string // "" if the name says it
	// document writes a document; nil for a format of numbers alone.
	document func(io.Writer, *doc.Document, Options) error
	// answers writes answers, for formats that need more than their document.
	answers func(io.Writer, *analysis.Answers, Options) error
}

// table lists all formats.
func table() []format {
	markdown := func(w io.Writer, d *doc.Document, o Options) error { return doc.Markdown(w, d, o.depth()) }
	latex := func(w io.Writer, d *doc.Document, o Options) error {
		if o.Table != "" {
			return doc.LaTeXTable(w, d, o.Table)
		}
		return doc.LaTeX(w, d, o.depth())
	}
	text := func(w io.Writer, d *doc.Document, o Options) error {
		return doc.Text(w, d, doc.TextOptions{Width: o.Width, Color: o.Color, Depth: o.depth()})
	}
	return []format{
		{name: "text", about: "for a terminal", document: text},
		{name: "json", about: "all of it", answers: func(w io.Writer, a *analysis.Answers, _ Options) error {
			return WriteJSON(w, a)
		}},
		{name: "html", about: "one page that needs no network", document: writePage, answers: writeHTML},
		{name: "markdown", about: "also for the summary of a CI job", also: []string{"md"}, document: markdown},
		{name: "comment", about: "Markdown of 15 lines at most for a pull request", answers: writeComment},
		{name: "latex", about: "tables for \\input", also: []string{"tex"}, document: latex},
		{name: "latex-macros", about: "its numbers as commands", answers: writeMacros},
		{
			name:    "methods",
			about:   "how it was measured, in Markdown for a paper",
			answers: writeMethods(doc.EscapeMarkdown),
		},
		{name: "latex-methods", about: "the same in LaTeX", answers: writeMethods(doc.EscapeLaTeX)},
		{name: "svg", about: "a figure of all overheads", answers: writeSheet(plot.NewSVG)},
		{name: "pgf", also: []string{"tikz"}, about: "the same figure for \\input", answers: writeSheet(plot.NewPGF)},
		{name: "csv", about: "a line for each cell and metric", answers: writeCSV},
		{name: "junit", about: "a test case for each question", answers: writeJUnit},
		{name: "gobench", about: "which benchstat reads", also: []string{"benchstat"}, answers: writeGoBench},
		{name: "github-action-benchmark", also: []string{"github-action"}, answers: writeGitHubAction},
		{name: "bencher", also: []string{"bmf"}, answers: writeBencher},
		{name: "openmetrics", also: []string{"prometheus"}, answers: writeOpenMetrics},
	}
}

// DocumentFormats names the formats of a comparison, a history, a replication, a test or a machine.
func DocumentFormats() []string { return []string{"text", "json", "markdown", "html", "latex"} }

// Formats names the formats of answers: tables for a terminal, everything for programs, one self-contained
// page, and those of other tools.
func Formats() []string {
	return each(table(), func(f format) string { return f.name })
}

// Tables names the tables of a campaign in LaTeX by scenario and section, as their labels do.
func Tables(a *analysis.Answers) []string { return doc.LaTeXTables(campaign(a, false, 0)) }

// AboutFormats describes the formats in a sentence. The page comes before JSON, because more people ask for it;
// formats of other tools go by one name.
func AboutFormats() string {
	all := each(table(), func(f format) string {
		return f.name + textIf(len(f.also) > 0 && f.document != nil, " (or "+strings.Join(f.also, ", ")+")") +
			prefixed(", ", f.about)
	})
	all[1], all[2] = all[2], all[1]
	return "Formats: " + strings.Join(all, "; ") + "."
}

// find returns the format with this name, or this other name; ok is false without one.
func find(name string) (f format, ok bool) {
	all := table()
	i := slices.IndexFunc(all, func(f format) bool { return f.name == name || slices.Contains(f.also, name) })
	if i < 0 {
		return format{name: name}, false
	}
	return all[i], true
}

// Named returns the name of the format with this name, or this other name; ok is false without one.
func Named(name string) (format string, ok bool) {
	f, ok := find(name)
	return f.name, ok
}

// Write prints the answers in the format of this name.
func Write(w io.Writer, name string, a *analysis.Answers, o Options) error {
	switch f, ok := find(name); {
	case !ok:
		return fmt.Errorf("unknown format %q (want one of %s)", name, strings.Join(Formats(), ", "))
	case f.answers != nil:
		return f.answers(w, a, o)
	default:
		return f.document(w, campaign(a, false, 0), o)
	}
}

// WriteDocument prints a value as its document, or itself as JSON. The document of a page has more than that of
// other formats.
func WriteDocument(w io.Writer, name string, value any, build func(paged bool) *doc.Document, o Options) error {
	f, _ := find(name)
	var err error
	switch {
	case !slices.Contains(DocumentFormats(), f.name):
		return fmt.Errorf("unknown format %q (want one of %s)", f.name, strings.Join(DocumentFormats(), ", "))
	case f.document == nil:
		err = WriteJSON(w, value)
	default:
		err = f.document(w, build(f.name == "html"), o)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", f.name, err)
	}
	return nil
}

// Text prints the answers for a terminal.
func Text(w io.Writer, a *analysis.Answers, o Options) error { return Write(w, "text", a, o) }

// contentMost is the largest size of a page without the ECharts script, in bytes: with it, it stays below 2 MB,
// and can be mailed.
const contentMost = 960_000

// writeHTML prints the answers as one page. If it would be too large to mail, fewer cells are shown in detail,
// and it says so.
func writeHTML(w io.Writer, a *analysis.Answers, o Options) error {
	foot := "moobench · " + a.Campaign.Name + " · " + a.Campaign.Created.UTC().Format("2006-01-02 15:04 UTC") +
		prefixed(" · plan ", a.Campaign.PlanHash)
	for step := 0; ; step++ {
		text, size, err := page.Render(campaign(a, true, step), page.Options{
			EChartsJS: o.EChartsJS,
			Version:   a.Campaign.Versions["moobench"],
			Foot:      foot,
		})
		if err != nil {
			return fmt.Errorf("writing the page: %w", err)
		}
		if size <= contentMost || step == len(details)-1 {
			_, err = w.Write(text)
			return err
		}
	}
}

// writePage prints a document as one page.
func writePage(w io.Writer, d *doc.Document, o Options) error {
	text, _, err := page.Render(d, page.Options{EChartsJS: o.EChartsJS})
	if err == nil {
		_, err = w.Write(text)
	}
	return err
}

// WriteJSON prints a value indented, with a newline at the end. Unprintable characters that encoding/json
// leaves alone (control characters beyond the first 32, and direction marks) are escaped: a reader gets the
// same texts, and a terminal nothing to obey.
func WriteJSON(w io.Writer, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	var b bytes.Buffer
	b.Grow(len(data) + 1)
	from := 0
	for i, r := range string(data) { // only texts have such characters
		if r == '\n' || ' ' <= r && r <= '~' || unicode.IsPrint(r) {
			continue
		}
		b.Write(data[from:i])
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
		from = i + utf8.RuneLen(r)
	}
	b.Write(data[from:])
	b.WriteByte('\n')
	_, err = w.Write(b.Bytes())
	return err
}
