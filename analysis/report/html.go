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
	Stamps   []string // failed A/As
	Short    string   // that and how much a replication was shortened
	Machined []calibration
	Hosts    []host
	Payoffs  []payoff
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
	Groups      []answerGroup
	Sizes       []sizeRow
	Parts       []partRow
	Split       forest
	Spread      []spreadRow
	Warmups     []warmupRow
	OtherWindow string
	Quantiles   []cellQuantiles
	Names       []string // of the quantiles
	Pool        []pooledRow
	PooledTitle string
	Odd         []oddRow
	HasPer      bool // some cell has a cost per record, or a reason for none
	Keys        keyTable
	Figures     []figureTable
	FiguresSay  string
	Sources     []string // of published figures
	Grown       []growthGroup
	Short       string // as in page
	load
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
	p := &page{Answers: a, Headline: headline(a), Stamps: failedSelfTests(a), Short: shortened(a), Machined: calibrations(a), Hosts: newHosts(a), Payoffs: newPayoffs(a)}
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
	sec.Groups, sec.Sizes, sec.Spread = newGroups(s), newSizes(s), newSpread(s)
	sec.Parts, sec.Split = newParts(s)
	sec.Warmups, sec.OtherWindow = newWarmups(s)
	sec.Quantiles, sec.Names = newQuantiles(s), quantileNames(s)
	sec.Pool, sec.PooledTitle = newPooled(s), pooledTitle(s)
	sec.Odd = newOdd(a, s)
	sec.Keys, sec.Grown = newKeys(s), newGrowths(s)
	sec.Figures, sec.FiguresSay, sec.Sources = newFigures(s), figuresAbout(s), sources(s)
	sec.Short, sec.load = shortened(a), newLoad(s)
	notes := &footnotes{}
	for i := range s.Cells {
		notes.refer(&s.Cells[i])
		sec.HasPer = sec.HasPer || s.Cells[i].PerRecord != nil && !sec.Metric.Once
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

// words are what the template says with.
func words() template.FuncMap {
	return template.FuncMap{
		"primary": func(c *analysis.Cell, s section) *analysis.MetricAnswer {
			if m := metricOf(c, s.Primary); m != nil {
				return m
			}
			return &analysis.MetricAnswer{}
		},
		"halved":     halved,
		"difference": differenceOf,
		"ratio":      showRatio,
		"per":        showDifference,
		"steady":     steadyText,
		"detectable": detectable,
		"records":    recordsText,
		"count":      count,
		"quantity":   func(n int64, unit string) string { return figure.Quantity(float64(n), unit) },
		"percent":    figure.Percent,
		"settings":   settingsText,
		"level":      figure.Level,
		"number":     figure.Count,
		"shell":      shell,
		"machine":    func(m *results.Machine) string { return strings.Join(machineLine(m, nil), " · ") },
		"at":         func(cs []analysis.Cell, i int) *analysis.Cell { return &cs[i] },
		"isAA":       func(c *analysis.Cell) bool { return c.Role == results.RoleAA },
		"verdict":    verdictClass,
		"badge":      badge,
		"statement":  statement,
		"add":        func(n int) int { return n + 1 },
		"slashes":    func(s string) []string { return strings.SplitAfter(s, "/") },
		"deref":      func(x *float64) float64 { return *x },
	}
}

// halved is a mean with half of its interval, apart.
func halved(a *analysis.MetricAnswer, unit string) shown {
	value, half, ok := strings.Cut(meanText(a, unit), " ± ")
	if ok {
		half = "± " + half
	}
	return shown{value, half}
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

// verdictClass is the class of a verdict's badge.
func verdictClass(v analysis.Verdict) string {
	switch v {
	case analysis.VerdictMore, analysis.VerdictLess, analysis.VerdictFree, analysis.VerdictSmall, analysis.VerdictUndecided:
		return string(v)
	}
	return "none"
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
