package saturation

import (
	"math"

	"moobench/analysis/chapter"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
	"moobench/analysis/rows"
	"moobench/results"
)

// Show shows which rates cells sustain, with curves on the page.
func (all Curves) Show(at *chapter.Scene) []doc.Block {
	if len(all) == 0 {
		return nil
	}
	knees := &doc.Table{Columns: []doc.Column{
		{Head: "calls per second"},
		{
			Head:   "sustains",
			Number: true,
			Help: "the highest rate at which at least 99 % of the calls are made, " +
				"and of their records delivered: the median over JVMs",
		},
		{
			Head:   "95 % CI",
			Number: true,
			Help:   "of the median, from the rates that JVMs sustained to those that they did not",
		},
		{Head: "JVMs", Number: true, Depth: doc.Full},
		{Head: "then"},
	}}
	for _, s := range all {
		row := doc.Row{Cells: doc.Texts(s.Label, "–", "–", "0", s.Text)}
		if k := s.Knee; k != nil {
			interval := k.interval()
			if k.Level == 0 {
				interval = "–"
			}
			row.Cells = doc.Texts(s.Label, k.figure(), interval, figure.Count(int64(k.JVMs)), k.why())
		}
		knees.Rows = append(knees.Rows, row)
	}
	sec := &doc.Section{
		Title:  "Saturation",
		About:  "what becomes of records, calls and CPU time as calls come more often",
		Silent: true,
	}
	if at.Paged {
		sec.Silent = false
		sec.Add(all.curves(at))
	}
	sec.Add(knees)
	for _, s := range all {
		for _, text := range s.Caveats {
			sec.Add(doc.Paragraph{Mark: "!", Text: s.Label + ": " + text, Tone: doc.Warning})
		}
	}
	sec.Add(&doc.Section{Title: "rate by rate", Folded: true, Depth: doc.Full, Blocks: []doc.Block{ratesTable(all)}})
	return []doc.Block{sec}
}

// ratesTable has a row for each rate of the curve.
func ratesTable(all []Curve) *doc.Table {
	t := &doc.Table{
		Legend: []string{
			"mean ± half of its 95 % interval over JVMs; offered is what was really called, " +
				"more is the difference from the baseline at the same rate",
		},
		Columns: append(doc.TextColumns("rate by rate"),
			doc.Column{Head: "asked", Number: true},
			doc.Column{Head: "offered", Number: true},
			doc.Column{Head: "delivered", Number: true},
			doc.Column{Head: "call", Number: true, Rank: 3, Help: "from its start"},
			doc.Column{Head: "more", Number: true},
			doc.Column{
				Head:   "from due",
				Number: true,
				Rank:   4,
				Help:   "from when it was due: this includes waiting for the calls before, and the wake-up of the thread",
			},
			doc.Column{
				Head:   "CPU",
				Number: true,
				Rank:   2,
				Help:   "of the whole process per call, until its records had come",
			},
			doc.Column{Head: "CPU more", Number: true, Rank: 1}),
		Joined: true, Split: true,
	}
	for _, s := range all {
		for _, r := range s.Rates {
			share := doc.Cell{Text: "–"}
			if r.Share != nil {
				share.Text = delivered(r.Share.Value)
			}
			row := []doc.Cell{{Text: s.Label}, {Text: figure.Count(r.Asked)}, {Text: "–"}, share}
			if r.Offered != nil {
				row[2].Text = figure.Count(int64(math.Round(r.Offered.Value)))
			}
			row = append(row, doc.Mean(r.Call, "ns"), doc.Difference(r.CallMore, "ns"), doc.Mean(r.FromDue, "ns"),
				doc.Mean(r.CPU, "ns"), doc.Difference(r.CPUMore, "ns"))
			t.Rows = append(t.Rows, doc.Row{Cells: row})
		}
	}
	return t
}

// delivered formats a share of records in per cent, which is 100 % only if none is missing.
func delivered(share float64) string { return figure.Share(int64(math.Round(share*1e6)), 1e6) }

// curves is one drawing of panels over the same axis: records delivered, cost of a call, its end after it was
// due, and its CPU time; each with the knees.
func (all Curves) curves(at *chapter.Scene) *doc.Figure {
	var rates []float64
	var drawn []Curve
	for _, s := range all {
		if c := at.Cell(s.Cell); c != nil && c.Role != results.RoleBaseline {
			drawn = append(drawn, s)
		}
		for _, r := range s.Rates {
			if r.Offered != nil {
				rates = append(rates, float64(r.Asked), r.Offered.Value)
			}
		}
	}
	if len(rates) == 0 || len(drawn) == 0 {
		return doc.FigureOf("", "")
	}
	x := plot.NewAxis(rates, true)
	x.Title = "calls per second, as they were really made (log)"
	x.Text = func(v float64) string { return figure.Count(int64(math.Round(v))) }
	svg := ""
	var lines []plot.Series
	share := func(r Rate) *infer.Estimate { return r.Share }
	callMore := func(r Rate) *infer.Estimate { return r.CallMore }
	fromDue := func(r Rate) *infer.Estimate { return r.FromDue }
	cpuMore := func(r Rate) *infer.Estimate { return r.CPUMore }
	for _, p := range []curvePanel{
		{"Records delivered", share, true},
		{"A call takes longer than without, by", callMore, false},
		{"A call is over after it was due, by", fromDue, false},
		{"CPU time of a call is more than without, by", cpuMore, false},
	} {
		drawing, series := p.draw(drawn, x)
		svg, lines = svg+drawing, append(lines, series...)
	}
	caption := "Means over JVMs with their 95 % intervals. " +
		"A line across is the highest rate that a variant sustains, in the band its interval: " +
		"at least 99 % of the calls are made, and of their records delivered."
	return doc.FigureOf(plot.Tiled(svg, lines), caption)
}

// curvePanel is one panel of the curves.
type curvePanel struct {
	title string
	of    func(Rate) *infer.Estimate
	share bool
}

// draw draws the panel; "" if nothing is known.
func (p curvePanel) draw(all []Curve, x plot.Axis) (string, []plot.Series) {
	var lines []plot.Series
	for i, s := range all {
		line := plot.Series{Name: s.Label, Look: plot.LookOf(i), Line: true, Band: true, Dots: plot.Shapes}
		for _, r := range s.Rates {
			e := p.of(r)
			if e == nil || r.Offered == nil {
				continue
			}
			text := doc.Quantity(e, "ns").String()
			if p.share {
				text = delivered(e.Value)
			}
			rate := figure.Count(int64(math.Round(r.Offered.Value)))
			line.Points = append(line.Points,
				plot.Estimate(r.Offered.Value, e, s.Label+", "+rate+" calls per second: "+text))
		}
		lines = append(lines, line)
	}
	_, ys := plot.Reach(lines, false)
	if len(ys) == 0 {
		return "", nil
	}
	d := plot.XY{Alt: p.title + "; the tables below have the same numbers", Frame: plot.Panel, X: x}
	switch d.Y = plot.InUnit(plot.NewAxis(ys, plot.SpansDecades(ys, 1)), "", "ns", ys); {
	case p.share:
		d.Y = plot.Axis{Title: "%", Low: 0, High: 1, Step: 0.2, Factor: 0.01}
	case d.Y.Log: // each tick in the unit that fits it
		d.Y.Title, d.Y.Text = "logarithmic axis", func(v float64) string { return figure.Exactly(v, "ns") }
	}
	for i, s := range all {
		d.Bands = append(d.Bands, kneeBand(s.Knee, plot.LookOf(i), &d)...)
		if k := s.Knee; k != nil && k.Value != nil {
			lines = append(lines, plot.Series{
				Look:  plot.LookOf(i),
				Curve: [][2]float64{{*k.Value, d.Y.Low}, {*k.Value, d.Y.High}},
			})
		}
	}
	d.Series = lines
	return plot.Tile("tail", p.title, d.SVG()), lines[:len(all)]
}

// kneeBand is the interval of a knee across a panel, to its end if there is no upper bound; none if no rate
// that was tried bounds the knee.
func kneeBand(k *Knee, look plot.Look, d *plot.XY) []plot.Band {
	if k == nil || k.Level == 0 || k.Low == nil || k.Below == nil {
		return nil
	}
	to := d.X.High
	if k.High != nil {
		to = *k.High
	}
	return []plot.Band{{FromX: *k.Low, ToX: to, Low: d.Y.Low, High: d.Y.High, Class: "band " + look.Class()}}
}

// Rows has the highest rate that each cell sustains.
func (all Curves) Rows(at *chapter.Scene) []rows.Row {
	var found []rows.Row
	for _, s := range all {
		k, c := s.Knee, at.Cell(s.Cell)
		if k == nil || k.Value == nil || c == nil {
			continue
		}
		e := &infer.Estimate{N: k.JVMs, Value: *k.Value}
		if k.Low != nil && k.High != nil && k.Level > 0 {
			e.Interval = &infer.Interval{Low: *k.Low, High: *k.High, Level: k.Level}
		}
		found = append(found, rows.Row{
			Key:       c.Key,
			Metric:    &results.Metric{Name: "calls", Unit: "1/s", Better: results.Higher},
			Statistic: "sustained",
			About:     "the highest rate that a JVM sustains: the median over JVMs",
			Unit:      "1/s",
			Estimate:  e,
			Alone:     c.Marks,
		})
	}
	return found
}
