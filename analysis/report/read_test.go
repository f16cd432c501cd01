package report

import (
	"encoding/json"
	"io"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/report/doc"
)

// paged builds the parts of a scenario as a page has them.
func paged(a *analysis.Answers, scenario int) *builder {
	return newBuilder(a, &a.Scenarios[scenario], "s0", true)
}

// fragment are blocks as they stand in a page.
func fragment(blocks ...doc.Block) string {
	return doc.HTML(&doc.Document{Blocks: blocks}).Body
}

// chartOptions are those of all charts of a page.
func chartOptions(t *testing.T, a *analysis.Answers) []byte {
	t.Helper()
	rendered := doc.HTML(campaign(a, true, 0))
	data, err := json.Marshal(rendered.Charts)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// inMarkdown is a text as Markdown has it.
func inMarkdown(s string) string { return rendered(doc.Markdown, s, "\n- **1** ", "\n") }

// inLaTeX is a text as LaTeX has it.
func inLaTeX(s string) string { return rendered(doc.LaTeX, s, "\\midrule\n    ", " &") }

// rendered is a text as a format of documents writes it: it stands in a table of one
// row, and in its first note in Markdown.
func rendered(format func(io.Writer, *doc.Document, doc.Depth) error, s, before, after string) string {
	var b strings.Builder
	table := &doc.Table{Columns: []doc.Column{{Head: "what"}, {Head: "text"}, {Head: "more"}}, Rows: []doc.Row{{Cells: doc.Texts(s, "x", "y")}}}
	if err := format(&b, &doc.Document{Blocks: []doc.Block{table, doc.Paragraph{Mark: "1", Text: s}}}, doc.Full); err != nil {
		panic(err)
	}
	_, rest, _ := strings.Cut(b.String(), before)
	text, _, _ := strings.Cut(rest, after)
	return text
}
