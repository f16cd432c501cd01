package report

import (
	"fmt"
	"io"
	"math"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/history"
)

// sparkNights is how many nights a series' line of text draws.
const sparkNights = 30

// TrendText prints a line for each series: its state, its latest ratio, by how
// much that changed, and the course of its last nights.
func TrendText(w io.Writer, f *history.Findings, o TrendOptions) error {
	p := newTrendPrinter(w, o)
	namer := newSeriesNamer(f)
	p.wrapped(bold, "", strings.Join(trendHeadline(f, namer), " · "))
	p.trendWarnings(f)
	if len(f.Series) == 0 {
		return p.err
	}
	p.print(plain, "")
	rows := []row{{cells: []string{"", "state", "latest", "change", "last nights"}, style: dim}}
	for _, s := range byUrgency(f) {
		rows = append(rows, trendRow(s, namer))
	}
	rows, _ = p.fit(rows, []int{0, 0, 0, 0, 1})
	p.table(rows)
	p.print(plain, "")
	p.wrapped(dim, "", "latest: the ratio to the reference of the same blocks, ± half of its 95 % interval. ! is a change for the worse that is confirmed: a check fails of it")
	return p.err
}

func newTrendPrinter(w io.Writer, o TrendOptions) *printer {
	p := &printer{w: w, width: o.Width, colour: o.Color}
	if p.width <= 0 {
		p.width = 80
	}
	p.width = max(p.width, 40)
	return p
}

func (p *printer) trendWarnings(f *history.Findings) {
	for _, w := range f.Warnings {
		p.wrapped(warn, "! ", w)
	}
}

func trendRow(s *history.Series, namer seriesNamer) row {
	c := Standing(s)
	r := row{cells: []string{namer.of(s.Key), seriesState(s), "", "", sparkText(s)}, style: trendStyle(c)}
	if n := len(s.Nights); n > 0 {
		last := &s.Nights[n-1]
		r.cells[2] = ratioText(last.Log)
		if half := (halfWidths{}).of(last); half > 0 {
			r.cells[2] += " " + halfText(half)
		}
	}
	if c != nil {
		r.cells[3] = figure.SignedPercent(c.Share)
	}
	if failingChange(c) {
		r.cells[1] = "! " + r.cells[1]
	}
	return r
}

func trendStyle(c *history.Change) style {
	switch {
	case failingChange(c):
		return bad
	case c != nil && c.Worse && urgency(c) < settledUrgency:
		return warn
	}
	return plain
}

// sparkText draws the last nights in letters, on a scale that spans at least
// what noise does.
func sparkText(s *history.Series) string {
	nights := s.Nights[max(0, len(s.Nights)-sparkNights):]
	vs := make([]float64, len(nights))
	for i := range nights {
		vs[i] = nights[i].Log
	}
	bars := []rune("▁▂▃▄▅▆▇█")
	y := newTrendAxis(vs, leastSpan, 0, len(bars)-1)
	var b strings.Builder
	for _, v := range vs {
		if math.IsNaN(v) {
			b.WriteRune(' ')
			continue
		}
		b.WriteRune(bars[y.at(v)])
	}
	return b.String()
}

// CheckText prints what a check says: the changes that need attention, and
// whether it fails.
func CheckText(w io.Writer, f *history.Findings, o TrendOptions) error {
	p := newTrendPrinter(w, o)
	namer := newSeriesNamer(f)
	p.wrapped(bold, "", strings.Join(trendHeadline(f, namer), " · "))
	p.trendWarnings(f)
	for _, n := range checkNews(f) {
		head := stateText(n.series, n.change)
		if failingChange(n.change) {
			head = "! " + head
		}
		p.wrapped(trendStyle(n.change), "  ", head+": "+namer.of(n.series.Key))
		p.wrapped(plain, "      ", sentenceOf(n.series, n.change))
	}
	verdict, failed := checkVerdict(f)
	if failed {
		p.wrapped(bad, "", verdict)
	} else {
		p.wrapped(plain, "", verdict)
	}
	return p.err
}

// CheckMarkdown prints what a check says as Markdown: for a CI job's summary.
func CheckMarkdown(w io.Writer, f *history.Findings, _ TrendOptions) error {
	namer := newSeriesNamer(f)
	verdict, _ := checkVerdict(f)
	var b strings.Builder
	fmt.Fprintf(&b, "### moobench: %s\n\n%s\n", markdown(trendTitle(f)), markdown(verdict))
	if news := checkNews(f); len(news) > 0 {
		b.WriteString("\n| series | state | change | since | what to do |\n|---|---|---:|---|---|\n")
		for _, n := range news {
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", markdown(namer.of(n.series.Key)), markdown(stateText(n.series, n.change)),
				figure.SignedPercent(n.change.Share), markdown(sinceText(n.series, n.change)), markdown(sentenceOf(n.series, n.change)))
		}
	}
	fmt.Fprintf(&b, "\n%s\n", markdown(strings.Join(trendHeadline(f, namer), " · ")))
	for _, w := range f.Warnings {
		fmt.Fprintf(&b, "\n> %s\n", markdown(w))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// sinceText is the first changed night with its commit.
func sinceText(s *history.Series, c *history.Change) string {
	return strings.TrimSpace(dayOfChange(s, c) + " " + commitOf(s, c))
}

// markdown keeps a text from being anything but a line of text.
func markdown(text string) string { return inMarkdown(oneLine(text)) }

// checkEntry is one series that a check has something to say of.
type checkEntry struct {
	series *history.Series
	change *history.Change
}

// checkNews are the series that need attention, and those whose alarm of the
// last night was refuted.
func checkNews(f *history.Findings) []checkEntry {
	var news []checkEntry
	for _, s := range byUrgency(f) {
		c := Standing(s)
		if c == nil {
			continue
		}
		refuted := c.State == history.StateRefuted && c.Night == len(s.Nights)-1
		if isNews(s, c) || refuted {
			news = append(news, checkEntry{s, c})
		}
	}
	return news
}

// checkVerdict is the last word of a check, and whether it fails.
func checkVerdict(f *history.Findings) (text string, failed bool) {
	states := stateCounts(byUrgency(f))
	if n := len(f.Worse()); n > 0 {
		return "worse: " + figure.Plural(n, "change", "changes") + " for the worse confirmed (" + states + ")", true
	}
	if len(f.Series) == 0 {
		return "not passed: the history holds no night that can be read, and nothing was checked", true
	}
	return "passed: no change for the worse is confirmed (" + states + ")", false
}
