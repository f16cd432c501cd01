package timelines

import (
	"fmt"
	"math"
	"slices"

	"moobench/analysis/chapter"
	"moobench/analysis/evidence"
	"moobench/analysis/figure"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
	"moobench/analysis/rows"
	"moobench/results"
)

const (
	// timelineRows is the largest number of rows of the table.
	timelineRows = 20
	// togglesDrawn is the largest number of toggles that have a line across the latencies.
	togglesDrawn = 60
	// togglesApart is the largest number of toggles that are drawn one by one.
	togglesApart = 300
)

// stretch is a part of a load, by the time its requests were due. Times are in ns; quantiles are 0 without
// answers.
type stretch struct {
	evidence.TimelineRow
	until            float64
	on, off, longest float64 // toggles that began in it, and the longest time of one
}

// timelineBins divides a timeline, and joins its steps until there are at most most of them: counts are added up,
// and the largest quantile is kept, so that nothing is hidden.
func timelineBins(t *Timeline, most int) []stretch {
	all := results.Each(t.Rows, func(r evidence.TimelineRow) stretch {
		return stretch{TimelineRow: r, until: r.SinceNS + t.StepNS}
	})
	for _, g := range t.Toggles {
		i := slices.IndexFunc(all, func(s stretch) bool { return g.SinceNS >= s.SinceNS && g.SinceNS < s.until })
		if i < 0 {
			continue
		}
		if g.On {
			all[i].on++
		} else {
			all[i].off++
		}
		all[i].longest = max(all[i].longest, g.TookNS)
	}
	var joined []stretch
	for some := range slices.Chunk(all, max(1, (len(all)+most-1)/most)) {
		s := some[0]
		for _, o := range some[1:] {
			s.until, s.Requests, s.Lost = o.until, s.Requests+o.Requests, s.Lost+o.Lost
			s.P50NS, s.P99NS, s.MaxNS = max(s.P50NS, o.P50NS), max(s.P99NS, o.P99NS), max(s.MaxNS, o.MaxNS)
			s.on, s.off, s.longest = s.on+o.on, s.off+o.off, max(s.longest, o.longest)
		}
		joined = append(joined, s)
	}
	return joined
}

// Show draws loads over time, followed by the effects of toggles.
func (all Loads) Show(at *chapter.Scene) []doc.Block {
	return []doc.Block{all.Drawn(at), all.toggles(at)}
}

// Rows is empty: timelines are of one invocation each.
func (all Loads) Rows(*chapter.Scene) []rows.Row { return nil }

// Drawn draws the load of each cell over time, all on the same axes, each with its table; nil if no load was
// observed over time.
func (all Loads) Drawn(at *chapter.Scene) *doc.Section {
	drawn, more := chapter.Drawn(at, all.Timelines, func(t Timeline) string { return t.Cell })
	var latencies []float64
	end, most := 0.0, 0.0
	for i := range drawn {
		for _, s := range timelineBins(&drawn[i], chapter.DrawnPoints) {
			end, most = max(end, s.until), max(most, s.Lost)
			for _, v := range []float64{s.P50NS, s.P99NS, s.MaxNS} {
				if v > 0 {
					latencies = append(latencies, v)
				}
			}
		}
	}
	if len(latencies) == 0 || end <= 0 || !at.Paged {
		return nil
	}
	y := plot.InUnit(plot.NewAxis(latencies, plot.SpansDecades(latencies, 1)), "", "ns", latencies)
	x := plot.InUnit(plot.NewAxis([]float64{0, end}, false), "", "ns", []float64{end})
	x.High, x.Title = end, x.Title+" since the load began"
	svg := ""
	var tables []doc.Block
	for i := range drawn {
		t, label := &drawn[i], at.Label(drawn[i].Cell)
		if len(t.Rows) == 0 {
			continue
		}
		svg += plot.Tile("timeline", label, draw(at, t, x, y, most))
		table := &doc.Table{
			Legend: []string{timelineSays(t)},
			Columns: append(doc.NumberColumns("from", "requests", "lost", "median", "p99", "longest"),
				doc.TextColumns("toggles")...),
		}
		for _, s := range timelineBins(t, timelineRows) {
			p50, p99, worst, toggles := "–", "–", "–", ""
			if s.MaxNS > 0 {
				p50 = figure.Quantity(s.P50NS, "ns")
				p99 = figure.Quantity(s.P99NS, "ns")
				worst = figure.Quantity(s.MaxNS, "ns")
			}
			if s.on+s.off > 0 {
				toggles = figure.Count(int64(s.on)) + " on, " + figure.Count(int64(s.off)) + " off; the longest took " +
					figure.Quantity(s.longest, "ns")
			}
			table.Rows = append(table.Rows, doc.Row{
				Cells: doc.Texts(figure.Exactly(s.SinceNS, "ns"), figure.Count(int64(math.Round(s.Requests))),
					figure.Count(int64(math.Ceil(s.Lost))), p50, p99, worst, toggles),
			})
		}
		tables = append(tables, &doc.Section{
			Title:  label,
			About:  "over time, as a table",
			Folded: true,
			Depth:  doc.Paged,
			Blocks: []doc.Block{table},
		})
	}
	caption := "Of each cell the invocation with the median latency, all on the same axes. " +
		"The losses are those of each stretch; the number beside them is the most in any." +
		prose.If(more > 0, " %d more cells are not drawn.", more)
	return &doc.Section{
		Title: "Latency and losses over time",
		Blocks: append([]doc.Block{
			doc.FigureOf(timelineLegend+`<div class="timelines">`+svg+"</div>", caption),
		}, tables...),
	}
}

// timelineLegend explains the marks of timelines.
var timelineLegend = plot.List("legend timed",
	plot.Key("44", `<line class="worst" x1="0" x2="44" y1="7" y2="7"/>`, "longest"),
	plot.Key("44", `<line class="p99" x1="0" x2="44" y1="7" y2="7"/>`, "p99"),
	plot.Key("44", `<line class="p50" x1="0" x2="44" y1="7" y2="7"/>`, "median"),
	plot.Key("44", `<rect class="lost" x="16" y="1" width="12" height="12"/>`, "lost"),
	plot.Key("44",
		`<rect class="in" x="4" y="2" width="36" height="10"/>`+
			`<rect class="toggle" x="4" y="2" width="4" height="10"/>`,
		"the probe is in; a bar: it is put in or taken out"),
	plot.Key("44", `<rect class="ramp" x="4" y="0" width="36" height="14"/>`, "ramp"),
)

// draw draws one load: quantiles of latency above, losses and toggles below.
func draw(at *chapter.Scene, t *Timeline, x, y plot.Axis, most float64) string {
	p := plot.XY{Alt: at.Label(t.Cell) + ": " + timelineSays(t), Frame: plot.Timeline, X: x, Y: y}
	given := at.Common
	if c := at.Cell(t.Cell); c != nil {
		given = slices.Concat(given, c.Factors)
	}
	for _, v := range given {
		if ns, _ := v.Int(); v.Name == "ramp" && ns > 0 && p.Spans == nil {
			p.Spans = []plot.Span{{To: float64(ns), Class: "ramp"}}
		}
	}
	losses := plot.Lane{
		Top:    120,
		Bottom: 150,
		High:   max(1, most),
		Label:  figure.Count(int64(math.Ceil(most))) + " lost",
	}
	p.Series = []plot.Series{{Class: "worst", Line: true}, {Class: "p99", Line: true}, {Class: "p50", Line: true}}
	for _, s := range timelineBins(t, chapter.DrawnPoints) {
		for i, v := range []float64{s.MaxNS, s.P99NS, s.P50NS} {
			if v <= 0 {
				v = math.NaN()
			}
			p.Series[i].Points = append(p.Series[i].Points, plot.Point{X: (s.SinceNS + s.until) / 2, Y: v})
		}
		if s.Lost > 0 {
			lost := figure.Count(int64(math.Ceil(s.Lost)))
			losses.Blocks = append(losses.Blocks, plot.Block{
				From:  s.SinceNS,
				To:    s.until,
				Value: s.Lost,
				Class: "lost",
				Title: lost + " lost from " + figure.Quantity(s.SinceNS, "ns") + " on",
			})
		}
	}
	toggles := plot.Lane{Top: 156, Bottom: 165}
	if len(t.Toggles) > togglesApart {
		toggles.Blocks = []plot.Block{{
			To:    x.High,
			Class: "toggle",
			Title: figure.Count(int64(len(t.Toggles))) + " toggles: too many to be drawn apart",
		}}
	} else {
		for i, g := range t.Toggles {
			until := x.High
			if i+1 < len(t.Toggles) {
				until = t.Toggles[i+1].SinceNS
			}
			state := "off at "
			if g.On {
				state = "on at "
				toggles.Blocks = append(toggles.Blocks, plot.Block{From: g.SinceNS, To: until, Class: "in"})
			}
			toggles.Blocks = append(toggles.Blocks, plot.Block{
				From:  g.SinceNS,
				To:    g.SinceNS + g.TookNS,
				Class: "toggle",
				Title: state + figure.Quantity(g.SinceNS, "ns") + ", took " + figure.Quantity(g.TookNS, "ns"),
			})
			if len(t.Toggles) <= togglesDrawn {
				p.Rules = append(p.Rules, plot.Rule{X: &g.SinceNS, Class: "hair"})
			}
		}
	}
	p.Lanes = []plot.Lane{losses, toggles}
	return p.SVG()
}

// timelineSays summarises a timeline: b0003.s02.r0: 163,000 requests, 12 lost, 39 toggles.
func timelineSays(t *Timeline) string {
	requests, lost := 0.0, 0.0
	for _, r := range t.Rows {
		requests, lost = requests+r.Requests, lost+r.Lost
	}
	return prose.If(t.Invocation != "", "%s: ", t.Invocation) +
		figure.Plural(int(requests), "request", "requests") + ", " +
		figure.Count(int64(lost)) + " lost, " +
		figure.Plural(len(t.Toggles), "toggle", "toggles")
}

// toggles compares the latency just after a toggle with the rest of the time.
func (all Loads) toggles(at *chapter.Scene) *doc.Section {
	t := &doc.Table{Columns: append(doc.TextColumns("cell"), doc.NumberColumns("n", "p50 higher by", "p99 higher by")...)}
	within := 0.0
	for _, e := range all.ToggleEffects {
		if c := at.Cell(e.Cell); c != nil {
			within = max(within, e.WithinNS)
			t.Rows = append(t.Rows, doc.Row{
				Cells: []doc.Cell{
					{Text: c.Label},
					{Text: doc.Count(e.P50)},
					doc.Difference(e.P50, "ns"),
					doc.Difference(e.P99, "ns"),
				},
			})
		}
	}
	return &doc.Section{
		Title: "toggles", Depth: doc.Full, Blocks: []doc.Block{t},
		About: fmt.Sprintf(
			"latency within %s of a swap of the probes, against the rest of the time to the next; "+
				"the median over the changes of each invocation, over invocations with 95 %% intervals",
			figure.Exactly(within, "ns")),
	}
}
