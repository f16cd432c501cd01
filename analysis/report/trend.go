package report

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/history"
)

// TrendOptions are what formats of a history are given besides the findings.
type TrendOptions struct {
	Width int  // columns of the terminal, 80 when 0
	Color bool // never carries meaning alone
}

// trendPage is what the template prints.
type trendPage struct {
	Title    string
	Facts    []string
	Failing  []trendNews // what a check fails of
	News     []trendNews // what else needs attention
	Series   []trendSeries
	States   []string // of the filter
	Warnings []string
	Style    template.CSS
	Script   template.JS
}

// trendNews is one series that needs attention.
type trendNews struct{ ID, Name, State, Class, Sentence, Day, Commit string }

// trendSeries is one series of the page.
type trendSeries struct {
	ID, Name, State, Class string
	Kind                   string // the state without its direction, for the filter
	Open                   bool
	Latest, Half, Change   string
	Count                  string
	Spark                  string
	Facts                  []string
	Plot                   trendPlot
	Changes                []trendChange
	Levels                 []trendLevelText
	Nights                 []nightText // newest first
	Reference              string
}

// trendChange is one change of a series.
type trendChange struct{ Letter, State, Class, Sentence string }

// trendLevelText is a segment in words.
type trendLevelText struct{ From, To, Nights, Ratio, SD string }

// nightText is a night in words.
type nightText struct{ Day, Ratio, Half, Raw, Base, Commit, Remark string }

// openMost is how many series that a check fails of are shown in full from the
// start.
const openMost = 5

// Trend prints a history as one page that needs nothing else: no network, and
// no JavaScript for its tables and drawings. The series that need attention
// come first. The same findings give the same bytes.
func Trend(w io.Writer, f *history.Findings, _ TrendOptions) error {
	p, err := newTrendPage(f)
	if err != nil {
		return fmt.Errorf("writing the trend page: %w", err)
	}
	t, err := template.ParseFS(pageFiles, "page/trend.tmpl")
	if err != nil {
		return fmt.Errorf("reading the trend page's template: %w", err)
	}
	var buf bytes.Buffer
	if err := t.Execute(&buf, p); err != nil {
		return fmt.Errorf("writing the trend page: %w", err)
	}
	_, err = w.Write(buf.Bytes())
	return err
}

// TrendJSON prints the findings as they are, indented.
func TrendJSON(w io.Writer, f *history.Findings) error { return WriteJSON(w, f) }

func newTrendPage(f *history.Findings) (*trendPage, error) {
	namer := newSeriesNamer(f)
	p := &trendPage{Title: trendTitle(f), Facts: trendHeadline(f, namer)}
	if len(p.Facts) > 0 && p.Facts[0] == p.Title {
		p.Facts = p.Facts[1:] // the campaign stands above
	}
	var err error
	if p.Style, p.Script, err = trendDress(); err != nil {
		return nil, err
	}
	halves := halfWidths{}
	for i, s := range byUrgency(f) {
		one := newTrendSeries(s, "s"+strconv.Itoa(i), namer, halves)
		p.Series = append(p.Series, one)
		if !slices.Contains(p.States, one.Kind) {
			p.States = append(p.States, one.Kind)
		}
		p.announce(s, &p.Series[i])
	}
	for _, w := range f.Warnings {
		p.Warnings = append(p.Warnings, Clean(w))
	}
	return p, nil
}

// trendDress is the page's style and script.
func trendDress() (style template.CSS, script template.JS, err error) {
	var parts []string
	for _, name := range []string{"page/page.css", "page/trend.css", "page/trend.js"} {
		text, err := pageFiles.ReadFile(name)
		if err != nil {
			return "", "", err
		}
		parts = append(parts, string(text))
	}
	return template.CSS(parts[0] + parts[1]), template.JS(parts[2]), nil
}

// trendTitle names the campaigns, which are one as a rule.
func trendTitle(f *history.Findings) string {
	var names []string
	for i := range f.Series {
		if name := Clean(f.Series[i].Campaign); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "history"
	}
	return shorten(strings.Join(names, ", "), 120)
}

// announce puts a series that needs attention among the news.
func (p *trendPage) announce(s *history.Series, one *trendSeries) {
	c := Standing(s)
	if c == nil || !isNews(s, c) {
		return
	}
	n := trendNews{ID: one.ID, Name: one.Name, State: one.State, Class: one.Class, Sentence: sentenceOf(s, c), Day: dayOfChange(s, c), Commit: commitOf(s, c)}
	if !failingChange(c) {
		p.News = append(p.News, n)
		return
	}
	p.Failing = append(p.Failing, n)
	one.Open = len(p.Failing) <= openMost
}

// sentenceOf is what the check says of a change.
func sentenceOf(s *history.Series, c *history.Change) string {
	if text := cleanLines(c.Sentence); text != "" {
		return text
	}
	return changeTitle(s, c)
}

// dayOfChange is that of the first changed night.
func dayOfChange(s *history.Series, c *history.Change) string {
	if c.Night < 0 || c.Night >= len(s.Nights) {
		return ""
	}
	return nightDay(&s.Nights[c.Night])
}

// commitOf is the commit of the first changed night, as people say it.
func commitOf(s *history.Series, c *history.Change) string {
	if c.Night < 0 || c.Night >= len(s.Nights) {
		return ""
	}
	return shortCommit(s.Nights[c.Night].Commit)
}

func newTrendSeries(s *history.Series, id string, namer seriesNamer, halves halfWidths) trendSeries {
	one := trendSeries{
		ID: id, Name: namer.of(s.Key), State: seriesState(s), Class: "soft",
		Count: figure.Plural(len(s.Nights), "night", "nights"), Spark: sparkPath(s), Facts: noiseFacts(s), Reference: Clean(s.Reference),
	}
	one.Kind = one.State
	if _, state, ok := strings.Cut(one.State, ", "); ok {
		one.Kind = state
	}
	if c := Standing(s); c != nil {
		one.Class, one.Change = badgeClass(c), figure.SignedPercent(c.Share)
	}
	spans := make([]float64, len(s.Nights))
	for i := range s.Nights {
		spans[i] = halves.of(&s.Nights[i])
	}
	if n := len(s.Nights); n > 0 {
		one.Latest, one.Half = ratioText(s.Nights[n-1].Log), halfText(spans[n-1])
	}
	one.Plot, one.Nights, one.Levels = newTrendPlot(s, spans), nightTexts(s, spans), levelTexts(s)
	for i := range s.Changes {
		c := &s.Changes[i]
		one.Changes = append(one.Changes, trendChange{changeLetter(i), stateText(s, c), badgeClass(c), sentenceOf(s, c)})
	}
	return one
}

// badgeClass is how the state of a change looks.
func badgeClass(c *history.Change) string {
	switch {
	case failingChange(c):
		return "badmark"
	case urgency(c) >= settledUrgency:
		return "none"
	case c.Worse:
		return "warn"
	}
	return "less"
}
