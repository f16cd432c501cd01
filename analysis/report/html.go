package report

import (
	"fmt"
	"io"

	"moobench/analysis"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/page"
)

// contentMost is what a page may have in bytes besides the ECharts script, so that it
// stays below 2 MB with it, and can go by mail.
const contentMost = 968_000

// HTML prints the answers as one page. Where it would become too large to be mailed,
// fewer cells are shown in detail, and it says so.
func HTML(w io.Writer, a *analysis.Answers, o Options) error {
	foot := "moobench · " + a.Campaign.Name + " · " + a.Campaign.Created.UTC().Format("2006-01-02 15:04 UTC") + behind(" · plan ", a.Campaign.PlanHash)
	var text []byte
	for step := range details {
		var size int
		var err error
		text, size, err = page.Render(campaign(a, true, step), page.Options{EChartsJS: o.EChartsJS, Version: a.Campaign.Versions["moobench"], Foot: foot})
		if err != nil {
			return fmt.Errorf("writing the page: %w", err)
		}
		if size <= contentMost {
			break
		}
	}
	_, err := w.Write(text)
	return err
}

// writePage prints a document as one page.
func writePage(w io.Writer, d *doc.Document, o Options) error {
	text, _, err := page.Render(d, page.Options{EChartsJS: o.EChartsJS})
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}
