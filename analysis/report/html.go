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

	step int // of details
}

// page is what the template prints.
type page struct {
	*analysis.Answers
	Headline []string
	Printed  string // where a printed page comes from
	Imported bool   // there is neither plan nor A/A
	Open     few    // what has no answer that can be relied on
	Warned   few
	Stamps   []string // failed A/As
	Short    string   // that and how much a replication was shortened
	Machined []calibration
	Hosts    []host
	Payoffs  []payoff
	Sections []section
	Charts   template.JS // JSON: chart ID → options
	NoCharts string
	Style    template.CSS
	Foot     template.CSS // of every printed page
	Script   template.JS  // sorts, filters and copies
	Draw     template.JS  // draws the charts
	ECharts  template.JS
}

// section is one scenario of the page.
type section struct {
	*analysis.Scenario
	ID          string
	Description string
	Metric      results.Metric
	Versus      string
	Footnotes   []footnote
	Table       cellTable
	Calls       distributions
	Factors     []factorPlot
	Drift       []multiple
	SelfTests   []multiple
	Odds        []string // kinds of invocations that are not as planned, in the drawings
	Traces      []trace
	Blocks      []blockTable
	Smalls      []smallRows
	Resources   []metricTable
	Commands    []*commandGroup
	Unlisted    int // invocations that Commands leaves out
	Troubles    []trouble
	Untold      int // failures and warnings that Troubles leaves out
	More        int // cells that are not shown in detail
	MoreSays    string
	Tally       string // of the verdicts that Groups leaves out
	Groups      []answerGroup
	Sizes       []sizeRow
	Parts       []partRow
	PartNotes   []string
	Split       forest
	Spread      []spreadRow
	Warmups     []warmupRow
	OtherWindow string
	Quantiles   []cellQuantiles
	Names       []string // of the quantiles
	Pool        []pooledRow
	PooledTitle string
	Odd         []oddRow
	Keys        keyTable
	Figures     []figureTable
	FiguresSay  string
	Sources     []string // of published figures
	Grown       []growthGroup
	Short       string // as in page
	load
}

// HTML prints the answers as one page that needs nothing else: no network, and
// no JavaScript for its tables and drawings. Where it would become too large to
// be mailed, fewer cells are shown in detail, and it says so. The same answers
// give the same bytes.
func HTML(w io.Writer, a *analysis.Answers, o HTMLOptions) error {
	var page []byte
	for o.step = range details {
		p, err := newPage(a, o)
		if err != nil {
			return fmt.Errorf("writing the page: %w", err)
		}
		if page, err = p.render(); err != nil {
			return err
		}
		if len(page)-len(p.ECharts) <= contentMost {
			break
		}
	}
	_, err := w.Write(page)
	return err
}

func (p *page) render() ([]byte, error) {
	t, err := template.New("page.tmpl").Funcs(words()).ParseFS(pageFiles, "page/*.tmpl")
	if err != nil {
		return nil, fmt.Errorf("reading the page's template: %w", err)
	}
	var buf bytes.Buffer
	if err := t.Execute(&buf, p); err != nil {
		return nil, fmt.Errorf("writing the page: %w", err)
	}
	return buf.Bytes(), nil
}

func newPage(untrusted *analysis.Answers, o HTMLOptions) (*page, error) {
	a, err := cleanCopy(untrusted)
	if err != nil {
		return nil, err
	}
	p := &page{
		Answers: a, Headline: headline(a), Printed: provenanceLine(a), Open: fewOf(a.Unanswered), Warned: fewOf(a.Warnings), Stamps: failedSelfTests(a),
		Imported: a.Campaign.Design == results.DesignUnordered, Short: shortened(a), Machined: calibrations(a), Hosts: newHosts(a), Payoffs: newPayoffs(a),
	}
	style, err := pageFiles.ReadFile("page/page.css")
	if err != nil {
		return nil, err
	}
	script, err := pageFiles.ReadFile("page/page.js")
	if err != nil {
		return nil, err
	}
	p.Style, p.Script, p.Foot = template.CSS(style), template.JS(script), foot(a)
	for i := range a.Scenarios {
		p.Sections = append(p.Sections, newSection(a, i, o.step))
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
	script, err := pageFiles.ReadFile("page/charts.js")
	if err != nil {
		return err
	}
	// The options hold no raw <: Go's encoder escapes it.
	p.Charts, p.Draw, p.ECharts = template.JS(options), template.JS(script), template.JS(js)
	return nil
}

func newSection(a *analysis.Answers, i, step int) section {
	s := &a.Scenarios[i]
	sec := section{
		Scenario: s, ID: "s" + strconv.Itoa(i), Description: describe(s), Metric: primary(s), Versus: versus(s), Short: shortened(a),
		Table: newCells(s), Factors: newFactors(s), Grown: newGrowths(s),
	}
	sec.Groups, sec.Tally = newGroups(s)
	sec.Commands, sec.Unlisted = newCommands(a, s)
	sec.Troubles, sec.Untold = newTroubles(s)
	notes := &footnotes{}
	for i := range s.Cells {
		notes.refer(&s.Cells[i])
	}
	sec.Footnotes = notes.notes
	sec.detail(a, s, step)
	return sec
}

// detail fills in what only some cells have where there are very many.
func (sec *section) detail(a *analysis.Answers, all *analysis.Scenario, step int) {
	s, more := inDetail(all, step)
	if sec.More = more; more > 0 {
		sec.MoreSays = fmt.Sprintf("The first %d of %s cells are shown", len(s.Cells), figure.Count(int64(len(all.Cells))))
		sec.Scenario = s
	}
	points := tracePoints
	if more > 0 { // the table of all cells takes its room
		points /= 2
	}
	a = onlyOf(a, s)
	sec.Sizes, sec.Spread, sec.Odd = newSizes(s), newSpread(s), newOdd(a, s)
	sec.Parts, sec.PartNotes, sec.Split = newParts(s)
	sec.Warmups, sec.OtherWindow = newWarmups(s)
	sec.Quantiles, sec.Names, sec.Calls = newQuantiles(s), quantileNames(s), newDistributions(s)
	for i := range sec.Quantiles {
		sec.Quantiles[i].Compared = sec.Quantiles[i].Compared && more == 0
	}
	sec.Keys, sec.load = newKeys(s), newLoad(s)
	sec.Pool, sec.PooledTitle = newPooled(s), pooledTitle(s)
	sec.Figures, sec.FiguresSay, sec.Sources = newFigures(s), figuresAbout(s), sources(s)
	sec.Blocks, sec.Drift, sec.SelfTests, sec.Traces = newBlockTables(a, s), newDrift(a, s), newSelfTestDrift(a, s), newTraces(a, s, points)
	sec.Odds = odds(sec.Drift, sec.SelfTests)
	sec.Smalls = newSmalls(s)
	for _, m := range s.Metrics {
		if m.Name != s.Primary && observed(s, m.Name) {
			sec.Resources = append(sec.Resources, newMetricTable(s, m))
		}
	}
}

// words are what the template says with.
func words() template.FuncMap {
	return template.FuncMap{
		"gated":     newGate,
		"steady":    steadyText,
		"records":   recordsText,
		"quantity":  func(n int64, unit string) string { return figure.Quantity(float64(n), unit) },
		"percent":   figure.Percent,
		"level":     figure.Level,
		"number":    figure.Count,
		"machine":   func(m *results.Machine) string { return strings.Join(machineLine(m, nil), " · ") },
		"verdict":   verdictClass,
		"badge":     badge,
		"word":      word,
		"statement": statement,
		"add":       func(n int) int { return n + 1 },
		"slashes":   func(s string) []string { return strings.SplitAfter(s, "/") },
		"deref":     func(x *float64) float64 { return *x },
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

// badge is a verdict in a word or two; of an equivalence with its margin.
func badge(a analysis.Answer, b results.Better) string {
	if a.Verdict != analysis.VerdictFree || a.Equivalence == nil {
		return word(a.Verdict, b)
	}
	if a.Equivalence.Relative {
		return "free within " + figure.Level(a.Equivalence.Margin)
	}
	return "free within " + figure.Quantity(a.Equivalence.Margin, a.Unit)
}

// word is a verdict in a word.
func word(v analysis.Verdict, b results.Better) string {
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
