package report

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"moobench/analysis/figure"
	"moobench/analysis/history"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
	"moobench/analysis/stats"
	"moobench/results"
)

// WriteTrend prints a history in a format of documents: its series, night by night.
func WriteTrend(w io.Writer, format string, f *history.Findings, o Options) error {
	return writeHistory(w, format, f, (*trend).overview, o)
}

// WriteCheck prints a check of a history: the changes that need attention, and whether it fails.
func WriteCheck(w io.Writer, format string, f *history.Findings, o Options) error {
	return writeHistory(w, format, f, (*trend).check, o)
}

// writeHistory prints a page of all series or, in another format, the document that build makes.
func writeHistory(w io.Writer, format string, f *history.Findings, build func(*trend) *doc.Document, o Options) error {
	return WriteDocument(w, format, f, func(paged bool) *doc.Document {
		if paged {
			build = (*trend).page
		}
		return build(newTrend(f))
	}, o)
}

// trend makes the documents of a history.
type trend struct {
	f         *history.Findings
	series    []*history.Series // most urgent first
	differs   []bool            // by part of their keys: whether it varies
	shared    []string          // the parts that do not vary
	quantiles map[float64]float64
}

func newTrend(f *history.Findings) *trend {
	t := &trend{f: f, series: f.ByUrgency(), quantiles: map[float64]float64{}}
	if len(f.Series) == 0 {
		return t
	}
	for j, part := range keyParts(f.Series[0].Key) {
		differs := slices.ContainsFunc(f.Series, func(s history.Series) bool { return keyParts(s.Key)[j] != part })
		t.differs = append(t.differs, differs)
		t.shared = append(t.shared, prose.NonEmpty(textIf(!differs, part))...)
	}
	return t
}

// keyParts are the parts of a key in readable form, without the cell.
func keyParts(k history.Key) []string {
	return []string{
		k.Campaign, k.Scenario, k.Metric, "against " + cmp.Or(k.Reference, "the baseline"),
		prefixed("on ", k.Machine), prefixed("JDK ", k.Runtime),
	}
}

// name is the cell of a series, followed by the parts of its key that vary.
func (t *trend) name(s *history.Series) string {
	name := s.Cell
	for j, part := range keyParts(s.Key) {
		name += textIf(t.differs[j], prefixed(" · ", part))
	}
	return name
}

// document begins a document with the subject of the findings.
func (t *trend) document() *doc.Document {
	d := &doc.Document{Facts: slices.Clone(t.shared)}
	if len(t.series) > 0 && !t.differs[0] && t.series[0].Campaign != "" {
		d.Title, d.Facts = d.Facts[0], d.Facts[1:]
	}
	d.Facts = append(d.Facts,
		figure.Plural(len(t.f.Series), "series", "series")+" × "+figure.Plural(len(t.f.Nights), "night", "nights"))
	if n := len(t.f.Nights); n > 0 {
		d.Facts = append(d.Facts, day(t.f.Nights[0].When)+" … "+day(t.f.Nights[n-1].When))
	}
	d.Add(doc.Paragraphs(doc.Paragraph{Mark: "!", Tone: doc.Warning}, t.f.Warnings...)...)
	return d
}

func day(when time.Time) string { return when.UTC().Format("2006-01-02") }

// overview has a line for each series: its state, its latest ratio, the change of that, and the course of the
// last nights.
func (t *trend) overview() *doc.Document {
	d := t.document()
	if len(t.series) == 0 {
		return d
	}
	columns := append(t.columns(), doc.NewColumn(doc.Column{Head: "last nights", Rank: 1}, lastNights))
	table := t.table(columns)
	legend := doc.Paragraph{
		Tone: doc.Soft,
		Text: latest + ". ! is a confirmed change for the worse: a check fails because of it",
	}
	moves := &doc.Section{Silent: true, Flush: true, Blocks: doc.Paragraphs(doc.Paragraph{}, t.moves()...)}
	d.Add(&doc.Section{Silent: true, Blocks: []doc.Block{table}}, moves,
		&doc.Section{Silent: true, Flush: true, Blocks: []doc.Block{legend}})
	return d
}

// latest explains the newest figures.
const latest = "latest: the ratio to the reference of the same blocks, ± half of its 95 % interval"

// lastNights draws the course of the last nights with the characters of a terminal.
func lastNights(s *history.Series) doc.Cell {
	last := logs(s.Nights[max(0, len(s.Nights)-sparkNights):])
	axis := plot.CloseAxis(last, leastSpan) // it spans at least the noise
	bars := []rune("▁▂▃▄▅▆▇█")
	spark := each(last, func(v float64) string {
		return cmp.Or(textIf(!math.IsNaN(v), string(bars[int(math.Round(axis.At(v)*float64(len(bars)-1)))])), " ")
	})
	return doc.Cell{Text: strings.Join(spark, "")}
}

// columns are what a table shows of a series: its state, its latest ratio, and the change of that.
func (t *trend) columns() doc.View[*history.Series] {
	return doc.View[*history.Series]{
		doc.TextColumn("series", t.name),
		doc.NewColumn(doc.Column{Head: "state"}, func(s *history.Series) doc.Cell {
			c := s.Standing()
			return doc.Cell{Text: textIf(c.Fails(), "! ") + seriesState(s), Kind: changeKind(c)}
		}),
		doc.NewColumn(doc.Column{Head: "latest", Number: true}, t.latest),
		doc.NewColumn(doc.Column{Head: "change", Number: true}, changeSize),
	}
}

// table has a row for each series, in the tone of its change.
func (t *trend) table(columns doc.View[*history.Series]) *doc.Table {
	table := columns.Table(t.series)
	for i, s := range t.series {
		table.Rows[i].Tone = changeTone(s.Standing())
	}
	return table
}

// latest is the ratio of a series' last night.
func (t *trend) latest(s *history.Series) doc.Cell {
	if len(s.Nights) == 0 {
		return doc.Cell{}
	}
	last := &s.Nights[len(s.Nights)-1]
	half := t.half(last)
	return doc.Cell{Text: ratioText(last.Log), Half: textIf(half > 0, halfText(half)), Sort: &last.Log}
}

// changeSize is the size of a series' standing change.
func changeSize(s *history.Series) doc.Cell {
	c := s.Standing()
	if c == nil {
		return doc.Cell{}
	}
	return doc.Cell{Text: figure.SignedPercent(c.Size()), Sort: new(c.Size())}
}

func ratioText(log float64) string { return figure.Ratio(math.Exp(log)) }

func halfText(half float64) string { return "± " + figure.Percent(math.Expm1(half)) }

// half is the half-width of a night's 95 % interval, as a logarithm; 0 if the night has none. Quantiles of t
// are cached by degrees of freedom, which most nights share.
func (t *trend) half(n *history.Night) float64 {
	if !(n.SE > 0) || !(n.DF > 0) {
		return 0
	}
	if t.quantiles[n.DF] == 0 {
		t.quantiles[n.DF] = stats.TQuantile(0.025, n.DF)
	}
	return t.quantiles[n.DF] * n.SE
}

const (
	// sparkNights is the number of nights in a series' line of text.
	sparkNights = 30
	// leastSpan is the least span of the drawing of a ratio, as a logarithm: else the noise of a quiet series
	// would look like a mountain range.
	leastSpan = 0.05
	// floorReach is the half-width of the noise floor's band in standard deviations: 95 nights of 100 lie
	// within.
	floorReach = 1.96
)

// logs are the logarithms of the ratios of nights.
func logs(nights []history.Night) []float64 {
	return each(nights, func(n history.Night) float64 { return n.Log })
}

// moves says which series continue on another machine.
func (t *trend) moves() (all []string) {
	for _, s := range t.series {
		all = append(all, each(movesOf(s), func(text string) string { return t.name(s) + " " + text })...)
	}
	return all
}

// movesOf says on which machine a series continues, and since when it continues another one here.
func movesOf(s *history.Series) (all []string) {
	for i := range s.Shifts {
		all = append(all, continues(s, &s.Shifts[i])+": shift "+s.Shifts[i].String()+", added to the nights before")
	}
	return append(all, prose.NonEmpty(prefixed("continues on ", s.MovedTo))...)
}

// continues says since when a series is measured on another machine.
func continues(s *history.Series, shift *history.Shift) string {
	since := textIf(shift.Night < len(s.Nights), " since "+day(s.Nights[min(shift.Night, len(s.Nights)-1)].When))
	return "continues that of " + shift.From + since
}

// stateText puts a change's direction and state in words.
func stateText(s *history.Series, c *history.Change) string {
	direction := "better, "
	switch n := len(s.Nights); {
	case c.State == history.StateRefuted || c.State == history.StateAccepted:
		direction = ""
	case c.Worse:
		direction = "worse, "
	case n == 0 || s.Nights[n-1].Better == results.Neither:
		direction = "changed, "
	}
	return direction + string(c.State)
}

// seriesState puts the present state of a series in words.
func seriesState(s *history.Series) string {
	switch c := s.Standing(); {
	case s.MovedTo != "":
		return "moved"
	case s.Ended:
		return "ended"
	case s.IsFloor():
		return "noise floor"
	case c != nil:
		return stateText(s, c)
	case s.Short > 0 || len(s.Segments) == 0:
		return "too few nights"
	}
	return "no change"
}

// changeTone is the tone of a standing change on a terminal.
func changeTone(c *history.Change) doc.Tone {
	return map[string]doc.Tone{"badmark": doc.Bad, "warn": doc.Warning}[changeKind(c)]
}

// changeKind is the kind of the badge of a series with this standing change.
func changeKind(c *history.Change) string {
	switch {
	case c == nil:
		return ""
	case c.Fails():
		return "badmark"
	case c.Settled():
		return "none"
	case c.Worse:
		return "warn"
	}
	return "lower"
}

// sentenceOf is the check's sentence about a change, or else a short description: its state, its size, and
// since when.
func sentenceOf(s *history.Series, c *history.Change) string {
	if c.Sentence != "" {
		return c.Sentence
	}
	return strings.TrimSpace(stateText(s, c) + " · " + figure.SignedPercent(c.Size()) + " " + since(s, c))
}

// since is the first changed night with its commit.
func since(s *history.Series, c *history.Change) string {
	if c.Night < 0 || c.Night >= len(s.Nights) {
		return ""
	}
	n := &s.Nights[c.Night]
	return join("since "+day(n.When), shortCommit(n.Commit))
}

// shortCommit shortens a hash to its usual length; other names stay whole.
func shortCommit(commit string) string {
	if strings.Trim(commit, "0123456789abcdef") != "" {
		return commit
	}
	return commit[:min(len(commit), 9)]
}

// check has the changes that need attention, with those whose alarm of the last night was refuted, and the
// verdict; the summary of a night has its figures, too.
func (t *trend) check() *doc.Document {
	d := t.document()
	news := &doc.Entries{Inner: true}
	for _, s := range t.series {
		c := s.Standing()
		if c == nil || !s.News(c) && (c.State != history.StateRefuted || c.Night != len(s.Nights)-1) {
			continue
		}
		term := textIf(c.Fails(), "! ") + stateText(s, c) + ": " + t.name(s)
		news.Items = append(news.Items, doc.Entry{Term: term, Tone: changeTone(c), Items: []doc.Paragraph{
			{Text: sentenceOf(s, c)},
			{Text: join(figure.SignedPercent(c.Size()), since(s, c)), Tone: doc.Soft, Depth: doc.Written},
		}})
	}
	figures := t.table(t.columns())
	figures.Depth, figures.Legend = doc.Written, []string{latest}
	d.Add(news, t.verdict(doc.Plain), figures)
	return d
}

// verdict is the last line of a check, with the number of series in each state, the most urgent first. A
// failure has a bad tone, success the tone passed.
func (t *trend) verdict(passed doc.Tone) doc.Paragraph {
	if len(t.series) == 0 {
		return doc.Paragraph{
			Text: "not passed: the history holds no night that can be read, and nothing was checked",
			Tone: doc.Bad,
		}
	}
	p := doc.Paragraph{Text: "passed: no change for the worse is confirmed", Tone: passed}
	if n := len(t.f.Worse()); n > 0 {
		p = doc.Paragraph{
			Text: "worse: " + figure.Plural(n, "change", "changes") + " for the worse confirmed",
			Tone: doc.Bad,
		}
	}
	p.Text += " (" + strings.Join(tallied(each(t.series, seriesState)), " · ") + ")"
	return p
}
