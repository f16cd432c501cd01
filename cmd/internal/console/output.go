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

// widthOfFiles is the text width, in columns, when the output is not a terminal.
const widthOfFiles = 100

// Document holds the user's choices for a document.
type Document struct {
	Format  string
	Output  string // output file; "": standard output
	ECharts string // file of the page's script; "": the copy in the local Maven repository
	All     bool   // every metric
	Table   string // table of a LaTeX document; "": all of them
}

// Write writes the document whole or not at all.
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

// JSON writes v as JSON.
func (c Console) JSON(v any) error { return report.WriteJSON(c.Out, v) }

// Item prints a name and, from the given column on, its description. On a terminal the description
// is wrapped, elsewhere it is one line.
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

// Options returns the width of the results' terminal, and whether the user wants colour.
func (c Console) Options() report.Options {
	f := Screen(c.Out)
	return report.Options{
		Width: width(f, widthOfFiles),
		Color: f != nil && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb",
	}
}

// Page writes the page into a campaign's folder, and returns its path. The folder may come from
// somebody else, so symbolic links in it are not followed.
func (c Console) Page(a *analysis.Answers, dir string) (name string, err error) {
	o := report.Options{Width: widthOfFiles, EChartsJS: c.charts("")}
	name = filepath.Join(dir, "report.html")
	if err := safefile.Renew(name, 0, func(w io.Writer) error { return report.Write(w, "html", a, o) }); err != nil {
		return "", fmt.Errorf("writing the page: %w", err)
	}
	return name, nil
}

// charts finds the script that draws the page's charts. Without it the page still has its tables
// and inline SVG, and a warning is printed.
func (c Console) charts(explicit string) []byte {
	r := framework.Resolver{Log: c.Err}
	repository, _ := r.LocalRepository(context.Background()) // "" if unknown
	js, err := page.FindECharts(repository, explicit)
	if err != nil && explicit == "" {
		// The script is missing: Maven may fetch it. FindECharts checks its digest.
		if FetchCharts(context.Background(), &r) == nil {
			js, err = page.FindECharts(repository, explicit)
		}
	}
	if err != nil {
		fmt.Fprintf(c.Err, "moobench: warning: the page has no interactive charts: %v\n", err)
		return nil
	}
	return js
}

// FetchCharts has Maven fetch the script of the page's charts, unless it is in the local repository.
func FetchCharts(ctx context.Context, r *framework.Resolver) error {
	echarts := framework.Artifact{Name: "echarts", Maven: page.EChartsMaven}
	_, err := r.Resolve(ctx, echarts, "Apache-2.0")
	return err
}

// WriteWhole writes the file whole or not at all; if name is "", it writes to out.
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
