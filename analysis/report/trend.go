package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"moobench/analysis/figure"
	"moobench/analysis/history"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
	"moobench/analysis/stats"
	"moobench/results"
)

// WriteTrend prints a history in a format of documents: its series, night by night.
func WriteTrend(w io.Writer, format string, f *history.Findings, o Options) error {
	return WriteDocument(w, format, f, func(paged bool) *doc.Document {
		t := newTrend(f)
		if paged {
			return t.page()
		}
		return t.overview()
	}, o)
}

// WriteCheck prints what a check of a history says: the changes that need attention,
// and whether it fails.
func WriteCheck(w io.Writer, format string, f *history.Findings, o Options) error {
	return WriteDocument(w, format, f, func(paged bool) *doc.Document {
		t := newTrend(f)
		if paged {
			return t.page()
		}
		return t.check()
	}, o)
}

// trend makes the documents of a history.
type trend struct {
	f         *history.Findings
	series    []*history.Series // those first that need attention
	differs   []bool            // which parts of their keys tell series apart
	shared    []string          // the others
	quantiles map[float64]float64
}

func newTrend(f *history.Findings) *trend {
	t := &trend{f: f, series: f.ByUrgency(), quantiles: map[float64]float64{}}
	if len(f.Series) == 0 {
		return t
	}
	first := keyParts(f.Series[0].Key)
	t.differs = make([]bool, len(first))
	for i := range f.Series {
		for j, part := range keyParts(f.Series[i].Key) {
			t.differs[j] = t.differs[j] || part != first[j]
		}
	}
	for j, part := range first {
		if !t.differs[j] && part != "" {
			t.shared = append(t.shared, part)
		}
	}
	return t
}

// keyParts are the parts of a key as one reads them, but for the cell.
func keyParts(k history.Key) []string {
	parts := []string{k.Campaign, k.Scenario, k.Metric, "against the baseline", "", ""}
	if k.Reference != "" {
		parts[3] = "against " + k.Reference
	}
	if k.Machine != "" {
		parts[4] = "on " + k.Machine
	}
	if k.Runtime != "" {
		parts[5] = "JDK " + k.Runtime
	}
	return parts
}

// name is the cell of a series, and behind it what else tells the series from the
// others.
func (t *trend) name(s *history.Series) string {
	name := []string{s.Cell}
	for j, part := range keyParts(s.Key) {
		if t.differs[j] && part != "" {
			name = append(name, part)
		}
	}
	return strings.Join(name, " · ")
}

// document begins a document with what the findings are about.
func (t *trend) document() *doc.Document {
	d := &doc.Document{Facts: slices.Clone(t.shared)}
	d.Facts = append(d.Facts, figure.Plural(len(t.f.Series), "series", "series")+" × "+figure.Plural(len(t.f.Nights), "night", "nights"))
	if n := len(t.f.Nights); n > 0 {
		d.Facts = append(d.Facts, day(t.f.Nights[0].When)+" … "+day(t.f.Nights[n-1].When))
	}
	for _, text := range t.f.Warnings {
		d.Blocks = append(d.Blocks, doc.Paragraph{Mark: "!", Text: text, Tone: doc.Warning})
	}
	return d
}

func day(when time.Time) string { return when.UTC().Format("2006-01-02") }

// title names the campaigns, which are one as a rule.
func (t *trend) title() string {
	var names []string
	for i := range t.f.Series {
		if name := t.f.Series[i].Campaign; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "history"
	}
	return named(names, ", ")
}

// overview has a line for each series: its state, its latest ratio, by how much that
// changed, and the course of its last nights.
func (t *trend) overview() *doc.Document {
	d := t.document()
	if len(t.series) == 0 {
		return d
	}
	table := &doc.Table{Columns: []doc.Column{{Head: "series"}, {Head: "state"}, {Head: "latest", Number: true}, {Head: "change", Number: true}, {Head: "last nights", Rank: 1}}}
	for _, s := range t.series {
		r := t.row(s)
		r.Cells = append(r.Cells, doc.Cell{Text: sparkText(s)})
		table.Rows = append(table.Rows, r)
	}
	legend := &doc.Section{Silent: true, Flush: true, Blocks: []doc.Block{doc.Paragraph{Tone: doc.Soft, Text: "latest: the ratio to the reference of the same blocks, ± half of its 95 % interval. ! is a change for the worse that is confirmed: a check fails of it"}}}
	d.Blocks = append(d.Blocks, &doc.Section{Silent: true, Blocks: []doc.Block{table}}, legend)
	return d
}

// row is a series in a table.
func (t *trend) row(s *history.Series) doc.Row {
	c := s.Standing()
	r := doc.Row{Cells: doc.Texts(t.name(s), seriesState(s), "", "")}
	switch {
	case c.Fails():
		r.Tone, r.Cells[1].Text = doc.Bad, "! "+r.Cells[1].Text
	case c != nil && c.Worse && !c.Settled():
		r.Tone = doc.Warning
	}
	if n := len(s.Nights); n > 0 {
		last := &s.Nights[n-1]
		r.Cells[2] = doc.Cell{Text: ratioText(last.Log), Sort: &last.Log}
		if half := t.half(last); half > 0 {
			r.Cells[2].Half = halfText(half)
		}
	}
	if c != nil {
		r.Cells[3] = doc.Cell{Text: figure.SignedPercent(c.Share), Sort: &c.Share}
	}
	return r
}

func ratioText(log float64) string { return figure.Ratio(math.Exp(log)) }

func halfText(half float64) string { return "± " + figure.Percent(math.Expm1(half)) }

// half is half of a night's 95 % interval, as a logarithm; 0 where the night has none.
// Quantiles of t are remembered by degrees of freedom, which most nights have in
// common.
func (t *trend) half(n *history.Night) float64 {
	if !(n.SE > 0) || !(n.DF > 0) {
		return 0
	}
	q, known := t.quantiles[n.DF]
	if !known {
		q = stats.TQuantile(0.025, n.DF)
		t.quantiles[n.DF] = q
	}
	return q * n.SE
}

const (
	// sparkNights is how many nights a series' line of text draws.
	sparkNights = 30
	// leastSpan is what the drawing of a ratio spans at least, as a logarithm: else
	// the noise of a quiet series would look like a mountain range.
	leastSpan = 0.05
	// floorReach is how many standard deviations the noise floor's band reaches to
	// either side: 95 nights of 100 lie within.
	floorReach = 1.96
)

// logs are the ratios of nights.
func logs(nights []history.Night) []float64 {
	vs := make([]float64, len(nights))
	for i := range nights {
		vs[i] = nights[i].Log
	}
	return vs
}

// sparkText draws the last nights in letters, on a scale that spans at least what
// noise does.
func sparkText(s *history.Series) string {
	vs := logs(s.Nights[max(0, len(s.Nights)-sparkNights):])
	bars := []rune("▁▂▃▄▅▆▇█")
	axis := plot.CloseAxis(vs, leastSpan)
	var b strings.Builder
	for _, v := range vs {
		if math.IsNaN(v) {
			b.WriteRune(' ')
			continue
		}
		b.WriteRune(bars[int(math.Round(axis.At(v)*float64(len(bars)-1)))])
	}
	return b.String()
}

// stateText is a change's direction and state in words.
func stateText(s *history.Series, c *history.Change) string {
	better := results.Neither
	if n := len(s.Nights); n > 0 {
		better = s.Nights[n-1].Better
	}
	switch {
	case c.State == history.StateRefuted || c.State == history.StateAccepted:
		return string(c.State)
	case c.Worse:
		return "worse, " + string(c.State)
	case better == results.Neither:
		return "changed, " + string(c.State)
	}
	return "better, " + string(c.State)
}

// seriesState is the present state of a series in words.
func seriesState(s *history.Series) string {
	switch c := s.Standing(); {
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

// stateCounts says how many series are in which state, most urgent first.
func (t *trend) stateCounts() string {
	var order []string
	counts := map[string]int{}
	for _, s := range t.series {
		state := seriesState(s)
		if counts[state] == 0 {
			order = append(order, state)
		}
		counts[state]++
	}
	for i, state := range order {
		order[i] = figure.Count(int64(counts[state])) + " " + state
	}
	return strings.Join(order, " · ")
}

// changeKind is how the badge of a change looks.
func changeKind(c *history.Change) string {
	switch {
	case c.Fails():
		return "badmark"
	case c.Settled():
		return "none"
	case c.Worse:
		return "warn"
	}
	return "less"
}

// sentenceOf is what the check says of a change, or else the change in a few words:
// which state, when, whose.
func sentenceOf(s *history.Series, c *history.Change) string {
	if c.Sentence != "" {
		return c.Sentence
	}
	return strings.TrimSpace(stateText(s, c) + " · " + figure.SignedPercent(c.Share) + " " + since(s, c))
}

// since is the first changed night with its commit.
func since(s *history.Series, c *history.Change) string {
	if c.Night < 0 || c.Night >= len(s.Nights) {
		return ""
	}
	n := &s.Nights[c.Night]
	return join("since "+day(n.When), shortCommit(n.Commit))
}

// shortCommit is as much of a hash as people say; other names stay whole.
func shortCommit(commit string) string {
	if strings.Trim(commit, "0123456789abcdef") != "" {
		return commit
	}
	return commit[:min(len(commit), 9)]
}

// check is the changes that need attention, those whose alarm of the last night was
// refuted among them, and the verdict.
func (t *trend) check() *doc.Document {
	d := t.document()
	news := &doc.Entries{Inner: true}
	for _, s := range t.series {
		c := s.Standing()
		if c == nil || !s.News(c) && (c.State != history.StateRefuted || c.Night != len(s.Nights)-1) {
			continue
		}
		head := stateText(s, c)
		tone := doc.Plain
		switch {
		case c.Fails():
			head, tone = "! "+head, doc.Bad
		case c.Worse && !c.Settled():
			tone = doc.Warning
		}
		news.Items = append(news.Items, doc.Entry{Term: head + ": " + t.name(s), Tone: tone, Items: []doc.Paragraph{{Text: sentenceOf(s, c)}}})
	}
	if len(news.Items) > 0 {
		d.Blocks = append(d.Blocks, news)
	}
	text, failed := t.verdict()
	tone := doc.Plain
	if failed {
		tone = doc.Bad
	}
	d.Blocks = append(d.Blocks, doc.Paragraph{Text: text, Tone: tone})
	return d
}

// verdict is the last word of a check, and whether it fails.
func (t *trend) verdict() (text string, failed bool) {
	if n := len(t.f.Worse()); n > 0 {
		return "worse: " + figure.Plural(n, "change", "changes") + " for the worse confirmed (" + t.stateCounts() + ")", true
	}
	if len(t.f.Series) == 0 {
		return "not passed: the history holds no night that can be read, and nothing was checked", true
	}
	return "passed: no change for the worse is confirmed (" + t.stateCounts() + ")", false
}

// page has all series: what needs attention, a table to sort and filter, and each
// series night by night.
func (t *trend) page() *doc.Document {
	d := t.document()
	d.Title = t.title()
	d.Facts = slices.DeleteFunc(d.Facts, func(f string) bool { return f == d.Title })
	d.Source = "Bars are each night’s own 95 % interval: they know of the blocks of one night, not of what differs between nights. Levels are means between change points; a change is suspected of one night or until five nights have followed it, detected from then on, and confirmed only when old and new were measured again in fresh blocks."
	failing, news := &doc.Entries{}, &doc.Entries{}
	all := &doc.Table{Explore: "series series", Columns: []doc.Column{{Head: "series"}, {Head: "state"}, {Head: "latest", Number: true}, {Head: "change", Number: true}, {Head: "course"}, {Head: "nights", Number: true}}}
	nights := &doc.Section{ID: "nights", Title: "Night by night"}
	for i, s := range t.series {
		c := s.Standing()
		if s.News(c) {
			e := doc.Entry{Term: t.name(s), Badge: doc.Badge{Text: stateText(s, c), Kind: changeKind(c)}, Items: []doc.Paragraph{{Text: sentenceOf(s, c)}, {Text: since(s, c), Tone: doc.Soft}}}
			if c.Fails() {
				failing.Items = append(failing.Items, e)
			} else {
				news.Items = append(news.Items, e)
			}
		}
		r := t.row(s)
		r.Cells = append(r.Cells, doc.Cell{Drawing: spark(s)}, doc.Cell{Text: strconv.Itoa(len(s.Nights))})
		all.Rows = append(all.Rows, r)
		nights.Add(t.section(s, "s"+strconv.Itoa(i)))
	}
	text, failed := t.verdict()
	tone := doc.Good
	if failed {
		tone = doc.Bad
	}
	d.Blocks = append(d.Blocks, doc.Paragraph{Text: text, Tone: tone})
	for _, x := range []struct {
		title   string
		entries *doc.Entries
	}{{"A check fails of these", failing}, {"Needs attention", news}} {
		if len(x.entries.Items) > 0 {
			d.Blocks = append(d.Blocks, &doc.Section{ID: doc.Slug(x.title), Title: x.title, Blocks: []doc.Block{x.entries}})
		}
	}
	if len(all.Rows) > 0 {
		about := "What each cell costs, as the ratio to a reference that was measured in the same blocks: what the machine does to both cancels. Those that need attention come first."
		d.Blocks = append(d.Blocks, &doc.Section{ID: "series", Title: "Series", About: about, Blocks: []doc.Block{all}}, nights)
	}
	return d
}

// section is one series with its drawing, its levels and its nights.
func (t *trend) section(s *history.Series, id string) *doc.Section {
	sec := &doc.Section{ID: id, Title: t.name(s), About: seriesState(s), Folded: true}
	changes := &doc.Entries{Facts: true}
	for i := range s.Changes {
		c := &s.Changes[i]
		changes.Items = append(changes.Items, doc.Entry{Term: letter(i) + "  " + stateText(s, c) + ": " + sentenceOf(s, c)})
	}
	if len(changes.Items) > 0 {
		sec.Add(changes)
	}
	sec.Blocks = append(sec.Blocks, t.figure(s, id)...)
	for _, fact := range noiseFacts(s) {
		sec.Add(doc.Paragraph{Text: fact, Tone: doc.Soft})
	}
	levels := &doc.Table{Legend: []string{"levels"}, Columns: []doc.Column{{Head: "from"}, {Head: "to"}, {Head: "nights", Number: true}, {Head: "ratio", Number: true}, {Head: "sd between nights", Number: true}}}
	for _, g := range s.Segments {
		if g.First < 0 || g.Last >= len(s.Nights) || g.First > g.Last {
			continue
		}
		n, sd := g.Last-g.First+1, "–" // one night tells of no other
		if n > 1 {
			sd = figure.Percent(math.Expm1(g.SD))
		}
		levels.Rows = append(levels.Rows, doc.Row{Cells: doc.Texts(day(s.Nights[g.First].When), day(s.Nights[g.Last].When), strconv.Itoa(n), ratioText(g.Mean), sd)})
	}
	if len(levels.Rows) > 0 {
		sec.Add(levels)
	}
	sec.Add(&doc.Section{Title: "Every night", Folded: true, Blocks: []doc.Block{t.nights(s)}})
	return sec
}

// noiseFacts say what a series' nights differ by, and what could be found.
func noiseFacts(s *history.Series) []string {
	var facts []string
	if s.Noise > 0 {
		facts = append(facts, "nights of the present level differ by "+figure.Percent(math.Expm1(s.Noise))+" (standard deviation)")
	}
	if s.Floor > 0 {
		facts = append(facts, "two equal baselines by "+figure.Percent(math.Expm1(s.Floor))+" (the noise floor)")
	}
	if s.Detectable > 0 {
		facts = append(facts, "one night alone shows a change of "+figure.Percent(s.Detectable)+" four times in five")
	}
	if len(s.Nights) > 2 && s.Lag1 != 0 {
		facts = append(facts, "neighbouring nights correlate by "+strconv.FormatFloat(s.Lag1, 'f', 2, 64))
	}
	return facts
}

// letter names the changes of a series: a … z, then 27, 28, …
func letter(i int) string {
	if i < 26 {
		return string(rune('a' + i))
	}
	return strconv.Itoa(i + 1)
}

// nights are all nights of a series, newest first.
func (t *trend) nights(s *history.Series) *doc.Table {
	var values []float64
	for i := range s.Nights {
		values = append(values, s.Nights[i].Raw, s.Nights[i].ReferenceRaw)
	}
	unit := figure.Fit(s.Unit, values...)
	remarks := map[int][]string{}
	for i := range s.Changes {
		c := &s.Changes[i]
		remarks[c.Night] = append(remarks[c.Night], letter(i)+": "+stateText(s, c))
	}
	table := &doc.Table{Columns: []doc.Column{{Head: "night"}, {Head: "ratio", Number: true}, {Head: "value", Number: true}, {Head: "reference", Number: true}, {Head: "commit"}, {Head: "remarks"}}}
	for i := len(s.Nights) - 1; i >= 0; i-- {
		n := &s.Nights[i]
		table.Rows = append(table.Rows, doc.Row{Cells: []doc.Cell{
			{Text: day(n.When)},
			{Text: ratioText(n.Log), Half: halfText(t.half(n))},
			{Text: unit.WithUnit(unit.Number(n.Raw))},
			{Text: unit.WithUnit(unit.Number(n.ReferenceRaw))},
			{Text: shortCommit(n.Commit)},
			{Text: strings.Join(append(remarks[i], n.Marks...), "; ")},
		}})
	}
	return table
}

// spark is the course of a series in a few strokes.
func spark(s *history.Series) string {
	vs := logs(s.Nights)
	line := plot.Series{Class: "course", Line: true}
	for i, v := range vs {
		line.Points = append(line.Points, plot.Point{X: float64(i), Y: v})
	}
	p := plot.XY{Alt: "course", Frame: plot.Spark, X: plot.Axis{High: float64(max(1, len(vs)-1)), Step: 1}, Y: plot.CloseAxis(vs, leastSpan), Series: []plot.Series{line}}
	return p.SVG()
}

// figure draws a series: above, the ratio night by night on a logarithmic axis, with
// its levels and changes; below, the values themselves and the reference's: what moves
// both is the machine.
func (t *trend) figure(s *history.Series, id string) []doc.Block {
	n := len(s.Nights)
	if n == 0 {
		return nil
	}
	x := plot.Axis{High: float64(max(1, n-1)), Step: 1}
	for i := 0; i < n; i += max(1, (n+5)/6) {
		x.Values = append(x.Values, float64(i))
	}
	x.Text = func(v float64) string { return day(s.Nights[int(v)].When) }
	ratios := plot.Series{Name: t.name(s), Class: "course", Line: true, Dots: plot.Plain}
	raw, base := plot.Series{Name: "value", Class: "course", Line: true}, plot.Series{Name: "reference", Class: "base", Line: true, Look: plot.LookOf(1)}
	// The axis spans the nights and a little of their intervals: one night with two
	// blocks must not flatten all the others.
	axis := plot.CloseAxis(logs(s.Nights), leastSpan)
	room := (axis.High - axis.Low) / 2
	reach := []float64{axis.Low, axis.High}
	var values []float64
	for i := range s.Nights {
		night := &s.Nights[i]
		half := t.half(night)
		pt := plot.Point{X: float64(i), Y: night.Log, Low: night.Log - half, High: night.Log + half, Title: day(night.When) + ": " + ratioText(night.Log) + " " + halfText(half)}
		if !night.Judged() {
			pt.Kind = "ring"
		}
		reach = append(reach, night.Log-min(half, room), night.Log+min(half, room))
		ratios.Points = append(ratios.Points, pt)
		raw.Points, base.Points = append(raw.Points, plot.Point{X: float64(i), Y: night.Raw}), append(base.Points, plot.Point{X: float64(i), Y: night.ReferenceRaw})
		values = append(values, night.Raw, night.ReferenceRaw)
	}
	y := plot.CloseAxis(reach, leastSpan)
	y.Text = ratioText
	upper := plot.XY{Alt: t.name(s) + ", night by night; the table below has the same numbers", Frame: plot.Nights, X: x, Y: y, Series: []plot.Series{ratios}}
	banded := ""
	for _, g := range s.Segments {
		from, to := float64(g.First), float64(g.Last)
		if from == to { // one night has a level too
			from, to = from-0.3, to+0.3
		}
		upper.Series = append(upper.Series, plot.Series{Class: "level", Line: true, Points: []plot.Point{{X: from, Y: g.Mean}, {X: to, Y: g.Mean}}})
		if r := floorReach * s.Floor; r > 0 {
			upper.Bands = append(upper.Bands, plot.Band{FromX: from, ToX: to, Low: g.Mean - r, High: g.Mean + r, Class: "floor"})
			banded = "; the band is what two equal baselines differ by"
		}
	}
	for i := range s.Changes {
		c := &s.Changes[i]
		at := max(0, float64(c.Night)-0.5)
		kind := "down"
		if c.Settled() {
			kind = "over"
		} else if c.Worse {
			kind = "up"
		}
		upper.Rules = append(upper.Rules, plot.Rule{X: &at, Class: "mark " + kind, Letter: letter(i), Title: stateText(s, c) + " · " + figure.SignedPercent(c.Share) + " " + since(s, c)})
	}
	lower := plot.XY{Alt: "the values themselves, and the reference’s", Frame: plot.Under, X: plot.Axis{High: x.High, Step: 1, Values: []float64{}}, Y: inUnit(plot.CloseAxis(values, 0), "", s.Unit, values), Series: []plot.Series{raw, base}}
	chart := plot.XY{X: plot.Axis{Title: "night"}, Y: plot.Axis{Title: "ratio"}, Series: []plot.Series{{Name: t.name(s), Line: true, Dots: plot.Shapes}}}
	for _, pt := range ratios.Points {
		chart.Series[0].Points = append(chart.Series[0].Points, plot.Point{X: pt.X, Y: math.Exp(pt.Y), Low: math.Exp(pt.Low), High: math.Exp(pt.High)})
	}
	reference := ""
	if s.Reference != "" {
		reference = " to " + s.Reference
	}
	return chartedFigure(id+"-nights", upper.Alt, `<div class="still">`+upper.SVG()+lower.SVG()+"</div>", chart.Chart(),
		fmt.Sprintf("Above, the ratio%s night by night on a logarithmic axis, with each night’s own interval and the levels; a ring is a night that is not judged, because its A/A failed or it is void%s. Below, the values themselves (line) and the reference’s (dashes): what moves both is the machine.", reference, banded))
}
