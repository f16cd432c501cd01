package report

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/results"
)

//go:embed page
var pageFiles embed.FS

// HTMLOptions are what the page is given besides the answers.
type HTMLOptions struct {
	// EChartsJS is echarts.min.js of the pinned release, as FindECharts returns
	// it. Without it, or when it is any other script, the page has no
	// interactive charts and says so.
	EChartsJS []byte
}

// page is what the template prints.
type page struct {
	*analysis.Answers
	Headline []string
	Sections []section
	Charts   template.JS // JSON: chart ID → options
	NoCharts string
	Style    template.CSS
	Script   template.JS
	ECharts  template.JS
}

// section is one scenario of the page.
type section struct {
	*analysis.Scenario
	ID          string
	Description string
	Metric      results.Metric
	Versus      string
	PerCall     string
	Footnotes   []footnote
	Forest      forest
	Drift       []multiple
	Traces      []multiple
	Blocks      blockTable
	Resources   []metricTable
	Runs        []cellRuns
	More        int // cells whose small multiples are left out
}

// HTML prints the answers as one page that needs nothing else: no network, and
// no JavaScript for its tables and drawings. The same answers give the same
// bytes.
func HTML(w io.Writer, a *analysis.Answers, o HTMLOptions) error {
	p, err := newPage(a, o)
	if err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	t, err := template.New("page.tmpl").Funcs(words()).ParseFS(pageFiles, "page/*.tmpl")
	if err != nil {
		return fmt.Errorf("reading the page's template: %w", err)
	}
	var buf bytes.Buffer
	if err := t.Execute(&buf, p); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	_, err = w.Write(buf.Bytes())
	return err
}

func newPage(untrusted *analysis.Answers, o HTMLOptions) (*page, error) {
	a, err := cleanCopy(untrusted)
	if err != nil {
		return nil, err
	}
	p := &page{Answers: a, Headline: headline(a)}
	style, err := pageFiles.ReadFile("page/page.css")
	if err != nil {
		return nil, err
	}
	p.Style = template.CSS(style)
	for i := range a.Scenarios {
		p.Sections = append(p.Sections, newSection(a, i))
	}
	if len(o.EChartsJS) == 0 {
		p.NoCharts = "The ECharts script was not found when this page was written: it has its tables and drawings, and no interactive charts."
		return p, nil
	}
	if err := checkECharts(o.EChartsJS); err != nil {
		p.NoCharts = "The ECharts script that this page was offered is not the one it knows (" + err.Error() + "): it has its tables and drawings, and no interactive charts."
		return p, nil
	}
	return p, p.addCharts(o.EChartsJS)
}

func (p *page) addCharts(js []byte) error {
	options, err := chartOptions(p.Sections)
	if err != nil {
		return err
	}
	script, err := pageFiles.ReadFile("page/page.js")
	if err != nil {
		return err
	}
	// The options hold no raw <: Go's encoder escapes it.
	p.Charts, p.Script, p.ECharts = template.JS(options), template.JS(script), template.JS(js)
	return nil
}

func newSection(a *analysis.Answers, i int) section {
	s := &a.Scenarios[i]
	sec := section{
		Scenario: s, ID: "s" + strconv.Itoa(i), Description: describe(s), Metric: primary(s), Versus: versus(s), PerCall: unitHead(primary(s)),
		Forest: newForest(s), Blocks: newBlockTable(a, s), Runs: newRuns(a, s),
	}
	notes := &footnotes{}
	for i := range s.Cells {
		notes.refer(&s.Cells[i])
	}
	sec.Footnotes = notes.notes
	sec.Drift, sec.More = newDrift(a, s)
	sec.Traces, _ = newTraces(a, s)
	for _, m := range s.Metrics {
		if m.Name != s.Primary && observed(s, m.Name) {
			sec.Resources = append(sec.Resources, newMetricTable(s, m))
		}
	}
	return sec
}

// metricTable is one metric over all cells.
type metricTable struct {
	results.Metric
	Rows []metricRow
}

type metricRow struct {
	Label, N, Mean, Difference, Ratio string
}

func newMetricTable(s *analysis.Scenario, m results.Metric) metricTable {
	t := metricTable{Metric: m}
	for i := range s.Cells {
		c := &s.Cells[i]
		if c.Role == results.RoleAA {
			continue
		}
		r := metricRow{Label: c.Label, Mean: "–"}
		if a := metricOf(c, m.Name); a != nil && c.Void == "" {
			r.N, r.Mean, r.Difference, r.Ratio = count(a.Mean), meanText(a, m.Unit), differenceText(a, m.Unit), ratioText(a)
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

// cellRuns are the invocations of a cell, with their command lines.
type cellRuns struct {
	*analysis.Cell
	Runs []analysis.Invocation
}

func newRuns(a *analysis.Answers, s *analysis.Scenario) []cellRuns {
	var all []cellRuns
	for i := range s.Cells {
		runs := cellRuns{Cell: &s.Cells[i]}
		for _, inv := range a.Invocations {
			if inv.Cell == s.Cells[i].ID {
				runs.Runs = append(runs.Runs, inv)
			}
		}
		all = append(all, runs)
	}
	return all
}

// blockTable is the primary metric block by block.
type blockTable struct {
	Cells []string
	Rows  []blockRow
}

type blockRow struct {
	Block  int
	Values []string
}

func newBlockTable(a *analysis.Answers, s *analysis.Scenario) blockTable {
	var t blockTable
	if a.Campaign.Design == results.DesignUnordered {
		return t
	}
	column := map[string]int{}
	for _, c := range s.Cells {
		column[c.ID] = len(t.Cells)
		t.Cells = append(t.Cells, c.Label)
	}
	for _, inv := range a.Invocations {
		at, ok := column[inv.Cell]
		if !ok || inv.Value == nil && inv.Status == results.StatusOK {
			continue
		}
		if n := len(t.Rows); n == 0 || t.Rows[n-1].Block != inv.Block {
			t.Rows = append(t.Rows, blockRow{inv.Block, make([]string, len(t.Cells))})
		}
		text := string(inv.Status)
		if inv.Value != nil {
			text = figure.Quantity(*inv.Value, primary(s).Unit)
			if inv.Disturbed != nil {
				text += " ! disturbed"
			}
		}
		t.Rows[len(t.Rows)-1].Values[at] = text
	}
	return t
}

// words are what the template says with.
func words() template.FuncMap {
	return template.FuncMap{
		"primary": func(c *analysis.Cell, s section) *analysis.MetricAnswer {
			if m := metricOf(c, s.Primary); m != nil {
				return m
			}
			return &analysis.MetricAnswer{}
		},
		"mean":       meanText,
		"difference": differenceText,
		"ratio":      ratioText,
		"records":    recordsText,
		"count":      count,
		"quantity":   func(n int64, unit string) string { return figure.Quantity(float64(n), unit) },
		"percent":    figure.Percent,
		"number":     figure.Count,
		"shell":      shell,
		"machine":    func(m *results.Machine) string { return strings.Join(machineLine(m, nil), " · ") },
		"at":         func(cs []analysis.Cell, i int) *analysis.Cell { return &cs[i] },
		"isAA":       func(c *analysis.Cell) bool { return c.Role == results.RoleAA },
		"quantile":   quantileText,
		"badge":      badge,
		"statement":  statement,
		"join":       func(labels []string) string { return strings.Join(labels, ", ") },
		"deref":      func(x *float64) float64 { return *x },
	}
}

// badge is a verdict in a word or two.
func badge(v analysis.Verdict, b results.Better) string {
	switch {
	case v == analysis.VerdictMore && b == results.Lower:
		return "dearer"
	case v == analysis.VerdictLess && b == results.Lower:
		return "cheaper"
	}
	return string(v)
}

// statement is an answer's sentence without the verdict, which the badge says.
func statement(a analysis.Answer) string {
	return strings.TrimPrefix(a.Sentence, string(a.Verdict)+": ")
}

func quantileText(q analysis.Quantile, unit string) string {
	text := figure.Quantity(q.Estimate.Value, unit)
	if i := q.Estimate.Interval; i != nil {
		s := figure.Fit(unit, i.Low, i.High)
		text += " (" + s.WithUnit(s.Number(i.Low)+" … "+s.Number(i.High)) + ")"
	}
	return text
}

// shell writes a command line so that it can be copied into a shell.
func shell(env, command []string) string {
	var words []string
	for _, w := range append(append([]string{}, env...), command...) {
		if w == "" || strings.ContainsAny(w, " \t\n\"'`$&|;<>(){}[]*?!#~\\") {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}
