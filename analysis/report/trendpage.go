package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/history"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
)

// openMost is the largest number of failing series that are unfolded from the start.
const openMost = 5

// page has all series: those that need attention, a table to sort and filter, and each series night by night.
func (t *trend) page() *doc.Document {
	d := t.document()
	names := prose.Unique(each(t.f.Series, func(s history.Series) string { return s.Campaign })) // usually one
	d.Title = cmp.Or(named(names, ", "), "history")
	d.Foot = "Bars are each night’s own 95 % interval: they cover the blocks of one night, " +
		"not the variation between nights. Levels are means between change points; " +
		"a change is suspected of one night or until five nights have followed it, detected from then on, " +
		"and confirmed only when old and new were measured again in fresh blocks."
	warnings := &doc.Section{
		Title:  "About the history itself",
		About:  figure.Plural(len(t.f.Warnings), "warning", "warnings"),
		Tone:   doc.Warning,
		Folded: true,
		Blocks: d.Blocks,
	}
	d.Blocks = nil
	d.Add(warnings)
	failing, news := &doc.Entries{}, &doc.Entries{}
	all := t.table(t.pageColumns())
	all.Explore = "series series"
	nights := &doc.Section{ID: "nights", Title: "Night by night"}
	for i, s := range t.series {
		c, id := s.Standing(), "s"+strconv.Itoa(i)
		all.Rows[i].Cells[0].Link = id
		one := t.section(s, id)
		if s.News(c) {
			e := doc.Entry{
				Term:  t.name(s),
				Link:  id,
				Badge: doc.Badge{Text: stateText(s, c), Kind: changeKind(c)},
				Items: []doc.Paragraph{{Text: sentenceOf(s, c)}, {Text: since(s, c), Tone: doc.Soft}},
			}
			if c.Fails() {
				failing.Items = append(failing.Items, e)
				one.Open = len(failing.Items) <= openMost
			} else {
				news.Items = append(news.Items, e)
			}
		}
		nights.Add(one)
	}
	d.Add(t.verdict(doc.Good))
	about := "What each cell costs, as the ratio to a reference that was measured in the same blocks: " +
		"what the machine does to both cancels. Those that need attention come first."
	d.Add(&doc.Section{ID: "a-check-fails-of-these", Title: "A check fails of these", Blocks: []doc.Block{failing}},
		&doc.Section{ID: "needs-attention", Title: "Needs attention", Blocks: []doc.Block{news}},
		&doc.Section{ID: "series", Title: "Series", About: about, Blocks: []doc.Block{all}}, nights)
	return d
}

// pageColumns are what the page's table shows of a series.
func (t *trend) pageColumns() doc.View[*history.Series] {
	course := func(s *history.Series) doc.Cell {
		values := logs(s.Nights)
		spark := plot.XY{Alt: "course", Frame: plot.Spark, Series: []plot.Series{lineOf("", "course", values)}}
		spark.X = plot.Axis{High: max(1, float64(len(values)-1)), Step: 1}
		spark.Y = plot.CloseAxis(values, leastSpan)
		return doc.Cell{Drawing: spark.SVG()}
	}
	return append(t.columns(),
		doc.NewColumn(doc.Column{Head: "course"}, course),
		doc.NewColumn(doc.Column{Head: "nights", Number: true}, func(s *history.Series) doc.Cell {
			return doc.Cell{Text: strconv.Itoa(len(s.Nights)), Sort: new(float64(len(s.Nights)))}
		}))
}

// lineOf is a line of this class through the values of nights.
func lineOf(name, class string, values []float64) plot.Series {
	line := plot.Series{Name: name, Class: class, Line: true}
	for i, v := range values {
		line.Points = append(line.Points, plot.Point{X: float64(i), Y: v})
	}
	return line
}

// chartsMost is the largest number of series that all have an interactive chart. Of more, only those that need
// attention have one: the page is mailed.
const chartsMost = 12

// section is one series with its drawing, its levels and its nights.
func (t *trend) section(s *history.Series, id string) *doc.Section {
	sec := &doc.Section{
		ID:     id,
		Title:  t.name(s),
		Badge:  doc.Badge{Text: seriesState(s), Kind: changeKind(s.Standing())},
		Folded: true,
	}
	sec.About = strings.Join(prose.NonEmpty(t.latest(s).String(), changeSize(s).String()), " · ")
	changes, remarks := &doc.Entries{Facts: true}, map[int][]string{}
	for i, c := range s.Changes {
		remarks[c.Night] = append(remarks[c.Night], letter(i)+": "+stateText(s, &c))
		changes.Items = append(changes.Items,
			doc.Entry{Name: letter(i), Term: stateText(s, &c) + ": " + sentenceOf(s, &c)})
	}
	sec.Add(changes)
	sec.Add(doc.Paragraphs(doc.Paragraph{}, movesOf(s)...)...)
	sec.Add(t.figure(s, id))
	// The spread of its nights, and the change that could be found.
	sec.Add(doc.Paragraphs(doc.Paragraph{Tone: doc.Soft},
		textIf(s.Noise > 0,
			"nights of the present level differ by "+figure.Percent(math.Expm1(s.Noise))+" (standard deviation)"),
		textIf(s.Floor > 0, "two equal baselines by "+figure.Percent(math.Expm1(s.Floor))+" (the noise floor)"),
		textIf(s.Detectable > 0, "one night alone shows a change of "+figure.Percent(s.Detectable)+" with 80 % power"),
		textIf(len(s.Nights) > 2 && s.Lag1 != 0,
			"neighbouring nights correlate by "+strconv.FormatFloat(s.Lag1, 'f', 2, 64)))...)
	nights := t.nights(s, remarks)
	sec.Add(levels(s), &doc.Section{Title: "Every night", Folded: true, Blocks: []doc.Block{nights}})
	return sec
}

// levels is the table of a series' levels between its changes.
func levels(s *history.Series) *doc.Table {
	nights := func(g history.Segment) int { return g.Last - g.First + 1 }
	columns := doc.View[history.Segment]{
		doc.TextColumn("from", func(g history.Segment) string { return day(s.Nights[g.First].When) }),
		doc.TextColumn("to", func(g history.Segment) string { return day(s.Nights[g.Last].When) }),
		doc.NumberColumn("nights", func(g history.Segment) string { return strconv.Itoa(nights(g)) }),
		doc.NumberColumn("ratio", func(g history.Segment) string { return ratioText(g.Mean) }),
		doc.NumberColumn("sd between nights", func(g history.Segment) string {
			return cmp.Or(textIf(nights(g) > 1, figure.Percent(math.Expm1(g.SD))), "–") // one night has no spread
		}),
	}
	t := columns.Table(slices.DeleteFunc(slices.Clone(s.Segments), func(g history.Segment) bool {
		return g.First < 0 || g.Last >= len(s.Nights) || g.First > g.Last
	}))
	t.Legend = []string{"levels"}
	return t
}

// nights is the table of a series' nights, the newest first; remarks are those about changes, by night.
func (t *trend) nights(s *history.Series, remarks map[int][]string) *doc.Table {
	var values []float64
	var newest []int
	for i, n := range s.Nights {
		values, newest = append(values, n.Raw, n.ReferenceRaw), append(newest, len(s.Nights)-1-i)
	}
	unit := figure.Fit(s.Unit, values...)
	text := func(head string, of func(n *history.Night) string) doc.ColumnOf[int] {
		return doc.TextColumn(head, func(i int) string { return of(&s.Nights[i]) })
	}
	number := func(head string, of func(n *history.Night) float64) doc.ColumnOf[int] {
		return doc.NumberColumn(head, func(i int) string { return unit.WithUnit(unit.Number(of(&s.Nights[i]))) })
	}
	columns := doc.View[int]{
		text("night", func(n *history.Night) string { return day(n.When) }),
		doc.NewColumn(doc.Column{Head: "ratio", Number: true}, func(i int) doc.Cell {
			n := &s.Nights[i] // without degrees of freedom it has no error of its own
			return doc.Cell{Text: ratioText(n.Log), Half: textIf(n.DF > 0, halfText(t.half(n)))}
		}),
		number("value", func(n *history.Night) float64 { return n.Raw }),
		number("reference", func(n *history.Night) float64 { return n.ReferenceRaw }),
		text("commit", func(n *history.Night) string { return shortCommit(n.Commit) }),
		doc.TextColumn("remarks", func(i int) string {
			return strings.Join(slices.Concat(remarks[i], s.Nights[i].Marks), "; ")
		}),
	}
	table := columns.Table(newest)
	table.Reads = true
	return table
}

// letter names the changes of a series: a … z, then 27, 28, …
func letter(i int) string {
	if i < 26 {
		return string(rune('a' + i))
	}
	return strconv.Itoa(i + 1)
}

// figure draws a series: above, the ratio night by night on a logarithmic axis, with its levels and changes;
// below, the values themselves and the reference's. A movement of both is the machine's.
func (t *trend) figure(s *history.Series, id string) *doc.Figure {
	n := len(s.Nights)
	if n == 0 {
		return &doc.Figure{}
	}
	x := plot.Axis{High: float64(max(1, n-1)), Step: 1}
	for i := 0; i < n; i += max(1, (n+5)/6) {
		x.Values = append(x.Values, float64(i))
	}
	x.Names = each(s.Nights, func(n history.Night) string { return day(n.When) })
	ratios := plot.Series{Name: t.name(s), Class: "course", Line: true, Dots: plot.Plain}
	// The axis spans the nights and a little of their intervals: one night with two
	// blocks must not flatten all the others.
	axis := plot.CloseAxis(logs(s.Nights), leastSpan)
	room := (axis.High - axis.Low) / 2
	reach := []float64{axis.Low, axis.High}
	var raw, base []float64
	for i := range s.Nights {
		night := &s.Nights[i]
		half := t.half(night)
		pt := plot.Point{
			X:     float64(i),
			Y:     night.Log,
			Low:   night.Log - half,
			High:  night.Log + half,
			Title: day(night.When) + ": " + join(ratioText(night.Log), textIf(night.DF > 0, halfText(half))),
		}
		if !night.Judged() {
			pt.Kind = "ring"
		}
		reach = append(reach, night.Log-min(half, room), night.Log+min(half, room))
		ratios.Points = append(ratios.Points, pt)
		raw, base = append(raw, night.Raw), append(base, night.ReferenceRaw)
	}
	y := plot.CloseAxis(reach, leastSpan)
	y.Text, y.Labels = ratioText, "ratio"
	upper := plot.XY{
		Alt:    t.name(s) + ", night by night; the table below has the same numbers",
		Frame:  plot.Nights,
		X:      x,
		Y:      y,
		Series: []plot.Series{ratios},
	}
	banded := ""
	for _, g := range s.Segments {
		from, to := float64(g.First), float64(g.Last)
		if from == to { // one night has a level too
			from, to = from-0.3, to+0.3
		}
		upper.Series = append(upper.Series, plot.Series{
			Class:  "level",
			Line:   true,
			Points: []plot.Point{{X: from, Y: g.Mean}, {X: to, Y: g.Mean}},
		})
		if r := floorReach * s.Floor; r > 0 {
			upper.Bands = append(upper.Bands, plot.Band{
				FromX: from,
				ToX:   to,
				Low:   g.Mean - r,
				High:  g.Mean + r,
				Class: "floor",
			})
			banded = "; the band is what two equal baselines differ by"
		}
	}
	for i, c := range s.Changes {
		at := max(0, float64(c.Night)-0.5)
		kind := cmp.Or(textIf(c.Settled(), "over"), textIf(c.Worse, "up"), "down")
		upper.Rules = append(upper.Rules, plot.Rule{
			X:      &at,
			Class:  "mark " + kind,
			Letter: letter(i),
			Title:  stateText(s, &c) + " · " + figure.SignedPercent(c.Size()) + " " + since(s, &c),
		})
	}
	for i := range s.Shifts {
		at, title := float64(s.Shifts[i].Night)-0.5, continues(s, &s.Shifts[i])+" · "+s.Shifts[i].String()
		upper.Rules = append(upper.Rules, plot.Rule{X: &at, Class: "mark over", Letter: "→", Title: title})
	}
	lower := plot.XY{Alt: "the values themselves, and the reference’s", Frame: plot.Under}
	lower.X = plot.Axis{High: x.High, Step: 1, Values: []float64{}}
	lower.Series = []plot.Series{lineOf("value", "course", raw), lineOf("reference", "base", base)}
	values := append(raw, base...)
	lower.Y = plot.InUnit(plot.CloseAxis(values, 0), "", s.Unit, values)
	var chart map[string]any
	if len(t.series) <= chartsMost || s.News(s.Standing()) {
		all := plot.XY{X: x, Y: y, Series: []plot.Series{ratios}}
		all.Series[0].Dots = plot.Shapes
		chart = all.Chart()
	}
	return doc.ChartedFigure(id+"-nights", upper.Alt, `<div class="read">`+upper.SVG()+lower.SVG()+"</div>", chart,
		fmt.Sprintf(
			"Above, the ratio%s night by night on a logarithmic axis, with each night’s own interval and the "+
				"levels; a ring is a night that is not judged, because its A/A failed or it is invalid%s. "+
				"Below, the values themselves (line) and the reference’s (dashes): what moves both is the machine.",
			prefixed(" to ", s.Reference), banded))
}
