package settling

import (
	"fmt"
	"math"
	"slices"
	"time"

	"moobench/analysis/caveat"
	"moobench/analysis/chapter"
	"moobench/analysis/evidence"
	"moobench/analysis/figure"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
	"moobench/analysis/rows"
	"moobench/analysis/steady"
	"moobench/results"
)

// Pilot shows a decision on a number of calls, with the last runs of each cell behind it.
type Pilot struct {
	*results.SettlingDecision
	runs map[string][]steady.Inside
}

// Of returns the decision of a scenario with its pilots' runs; nil if the number of calls was given, or is open.
func Of(z *results.Settling, pilots []evidence.Invocation) *Pilot {
	if z == nil || z.Decision == nil {
		return nil
	}
	p := &Pilot{z.Decision, map[string][]steady.Inside{}}
	for _, e := range pilots {
		if len(e.Samples.Trace) > 1 {
			p.runs[e.Cell] = append(p.runs[e.Cell], e.Inside())
		}
	}
	for _, g := range p.Groups {
		for _, s := range g.Cells {
			runs := p.runs[s.Cell]
			p.runs[s.Cell] = runs[max(0, len(runs)-s.JVMs):]
		}
	}
	return p
}

// Show says how the number of calls was found, and on a page draws the runs of each cell behind it.
func (p *Pilot) Show(at *chapter.Scene) []doc.Block {
	if p == nil {
		return nil
	}
	sec, svg := &doc.Section{Title: "Pilot: how many calls", Depth: doc.Full}, ""
	sec.Add(doc.Paragraph{Text: p.Reason})
	byGroup := results.Each(p.Groups, func(g results.SettledGroup) []results.SettledCell { return g.Cells })
	for _, s := range slices.Concat(byGroup...) {
		c, runs := at.Cell(s.Cell), p.runs[s.Cell]
		if c == nil || !at.Paged || len(runs) == 0 {
			continue
		}
		label := c.Label + ", " + figure.Plural(int(s.Tried), "call", "calls")
		drawn, _ := plot.Traces(label, at.Metric(at.Primary).Unit, runs, plot.TraceStepsLeast, len(runs))
		svg += drawn
	}
	if svg != "" {
		sec.Add(doc.FigureOf(plot.TraceLegend+`<div class="multiples">`+svg+"</div>",
			"The last runs of the pilot of each cell, from the first call (left) to the last. They are in no number."))
	}
	return []doc.Block{sec}
}

// Rows is empty: pilots are in no number.
func (p *Pilot) Rows(*chapter.Scene) []rows.Row { return nil }

// Notes note how many calls a pilot found, if there was one.
func Notes(z *results.Settling) []string {
	if z == nil || z.Decision == nil {
		return nil
	}
	fewest, most := int64(math.MaxInt64), int64(0)
	for _, g := range z.Decision.Groups {
		fewest, most = min(fewest, g.Calls), max(most, g.Calls)
	}
	return []string{fmt.Sprintf("%s%s calls a JVM, found by a pilot of 2 JVMs a cell",
		prose.If(fewest < most, "%s to ", figure.Count(fewest)), figure.Count(most))}
}

// Marks flags a cell whose pilot did not settle. If its series falls or rises to the end, its number
// depends on how long one measures.
func Marks(z *results.Settling, cell string) (ms caveat.List) {
	if z == nil || z.Decision == nil {
		return nil
	}
	for _, g := range z.Decision.Groups {
		for _, s := range g.Cells {
			rank := caveat.Misleading
			if s.Trend == results.TrendChanges {
				rank = caveat.Remark
			}
			ms.Add(s.Cell == cell && s.Trend != "", rank, "unsettled", cannot(&s),
				"after %s of calls its series %s, and the number depends on how long it is measured; "+
					"raise settle_within, or look at its series for a queue that fills up",
				figure.Roughly(time.Duration(z.WithinNS)), trends[s.Trend])
		}
	}
	return ms
}
