package console

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"moobench/analysis"
	"moobench/analysis/report"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/page"
	"moobench/harness/framework"
	"moobench/refusal"
	"moobench/results/safefile"
)

// widthOfFiles is how many columns a text has that goes to no terminal.
const widthOfFiles = 100

// Document is how a user wants a document.
type Document struct {
	Format  string
	Output  string // file that it goes to, "" is standard output
	ECharts string // file of the page's script, "" is the copy in the local Maven repository
	All     bool   // every metric
	Table   string // of a document as LaTeX, "" for all of them
}

// Write writes a document whole, or not at all.
func (c Console) Write(d Document, write func(io.Writer, report.Options) error) error {
	o := report.Options{Width: widthOfFiles}
	if d.Output == "" {
		o = c.Options()
	}
	o.All, o.Table = d.All, d.Table
	if d.Format == "html" {
		o.EChartsJS = c.charts(d.ECharts)
	}
	return WriteWhole(c.Out, d.Output, func(w io.Writer) error { return write(w, o) })
}

// JSON writes a value as JSON.
func (c Console) JSON(v any) error { return report.WriteJSON(c.Out, v) }

// Item writes a name, and from a column on what is said of it: in lines that fit the
// terminal, or in one where there is none.
func (c Console) Item(name string, column int, says ...string) {
	text := strings.Join(slices.DeleteFunc(says, func(s string) bool { return s == "" }), " · ")
	lines := []string{text}
	if f := Screen(c.Out); f != nil {
		lines = doc.Wrap(text, max(20, width(f, widthOfFiles)-column))
	}
	for _, line := range lines {
		fmt.Fprintf(c.Out, "%-*s%s\n", column, name, line)
		name = ""
	}
}

// Options fit the terminal that results go to: its width, and colour only where it is
// wanted.
func (c Console) Options() report.Options {
	f := Screen(c.Out)
	return report.Options{
		Width: width(f, widthOfFiles),
		Color: f != nil && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb",
	}
}

// Page writes the page into a campaign's folder, and returns its path. The folder may have
// been a stranger's, and so no link there is followed.
func (c Console) Page(a *analysis.Answers, dir string) (name string, err error) {
	o := report.Options{Width: widthOfFiles, EChartsJS: c.charts("")}
	name = filepath.Join(dir, "report.html")
	if err := safefile.Renew(name, 0, func(w io.Writer) error { return report.Write(w, "html", a, o) }); err != nil {
		return "", fmt.Errorf("writing the page: %w", err)
	}
	return name, nil
}

// charts finds the script that draws the page's charts. Without it the page still has
// its tables and inline SVG, and says so.
func (c Console) charts(explicit string) []byte {
	r := framework.Resolver{Log: c.Err}
	repository, _ := r.LocalRepository(context.Background()) // "" where it is not known
	js, err := page.FindECharts(repository, explicit)
	if err != nil && explicit == "" {
		// Not there yet: Maven may fetch it. FindECharts checks its digest.
		if _, fetchErr := r.Resolve(context.Background(), framework.Artifact{Name: "echarts", Maven: page.EChartsMaven}, "Apache-2.0"); fetchErr == nil {
			js, err = page.FindECharts(repository, explicit)
		}
	}
	if err != nil {
		fmt.Fprintf(c.Err, "moobench: warning: the page has no interactive charts: %v\n", err)
		return nil
	}
	return js
}

// WriteWhole writes a file whole or not at all, or to out where it has no name.
func WriteWhole(out io.Writer, name string, write func(io.Writer) error) error {
	if name == "" {
		return write(out)
	}
	var content error
	err := safefile.Replace(name, func(w io.Writer) error {
		content = write(w)
		return content
	})
	switch {
	case content != nil:
		return fmt.Errorf("writing the output: %w", err)
	case err != nil:
		return refusal.New(fmt.Errorf("writing the output: %w", err), "choose another file with -o")
	}
	return nil
}
