package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/results"
)

const (
	// multiplesMost is how many cells have small multiples: more would make the
	// page slow, and nobody looks at them.
	multiplesMost = 60
	// The inside of a small multiple, in the units of its view box.
	multipleWidth  = 220.0
	multipleHeight = 70.0
)

// multiple is one small drawing of one cell.
type multiple struct {
	Label, Short string
	High, Low    string // the values at the top and at the bottom
	Zero         string // y of the mean, "" without
	Dots         []dot
	Lines        []string // points of polylines
	Class        string   // of the cell, "" when it is not told
	Before       []shade  // what lies before the windows
	series       []float64
	blocks       []int
}

type dot struct {
	X, Y, Title string
	Disturbed   bool
}

// valued are the invocations of a cell that have a value.
func valued(a *analysis.Answers, cell string) []analysis.Invocation {
	var found []analysis.Invocation
	for _, inv := range a.Invocations {
		if inv.Cell == cell && inv.Value != nil {
			found = append(found, inv)
		}
	}
	return found
}

// newDrift draws each cell block by block, in per cent of its own mean, all on
// one scale. It returns how many cells were left out.
func newDrift(a *analysis.Answers, s *analysis.Scenario) (all []multiple, more int) {
	if a.Campaign.Design == results.DesignUnordered {
		return nil, 0
	}
	reach, last := 0.005, 1
	for i := range s.Cells {
		m := multiple{Label: s.Cells[i].Label, Short: shorten(s.Cells[i].Label, 34)}
		mean := metricOf(&s.Cells[i], s.Primary)
		if mean == nil || mean.Mean == nil || mean.Mean.Value == 0 {
			continue
		}
		for _, inv := range valued(a, s.Cells[i].ID) {
			v := *inv.Value/mean.Mean.Value - 1
			m.series, m.blocks = append(m.series, v), append(m.blocks, inv.Block)
			m.Dots = append(m.Dots, dot{Title: inv.ID + ": " + figure.Quantity(*inv.Value, primary(s).Unit), Disturbed: inv.Disturbed != nil})
			reach, last = max(reach, math.Abs(v)), max(last, inv.Block)
		}
		all = append(all, m)
	}
	for i := range all {
		all[i].drift(reach, last)
	}
	if len(all) > multiplesMost {
		all, more = all[:multiplesMost], len(all)-multiplesMost
	}
	return all, more
}

func (m *multiple) drift(reach float64, last int) {
	m.High, m.Low, m.Zero = "+"+figure.Percent(reach), "−"+figure.Percent(reach), px(multipleHeight/2)
	var points []string
	for i, v := range m.series {
		x, y := 4+(multipleWidth-8)*float64(m.blocks[i]-1)/float64(max(1, last-1)), multipleHeight/2*(1-v/reach*0.94)
		m.Dots[i].X, m.Dots[i].Y = px(x), px(y)
		points = append(points, px(x)+","+px(y))
	}
	m.Lines = []string{strings.Join(points, " ")}
}

// newTraces draws the inside of all invocations of each cell.
func newTraces(a *analysis.Answers, s *analysis.Scenario) (all []multiple, more int) {
	for i := range s.Cells {
		var traces [][]float64
		var froms []float64
		for _, inv := range valued(a, s.Cells[i].ID) {
			if len(inv.Trace) > 1 {
				traces, froms = append(traces, inv.Trace), append(froms, inv.From)
			}
		}
		if len(traces) == 0 {
			continue
		}
		m := multiple{Label: s.Cells[i].Label, Short: shorten(s.Cells[i].Label, 34), Class: steadyText(s.Cells[i].Steady), Before: shades(froms), series: average(traces)}
		m.trace(traces, primary(s).Unit)
		all = append(all, m)
	}
	if len(all) > multiplesMost {
		all, more = all[:multiplesMost], len(all)-multiplesMost
	}
	return all, more
}

// shade is a part of a drawing that lies before the window of some invocations:
// the more of them, the darker.
type shade struct{ X, Width, Opacity string }

// shades cuts a drawing where windows begin; froms are shares of its width.
func shades(froms []float64) []shade {
	var all []shade
	slices.Sort(froms)
	at := 0.0
	for i, from := range froms {
		if from > at && from <= 1 {
			before := float64(len(froms)-i) / float64(len(froms))
			all = append(all, shade{px(multipleWidth * at), px(multipleWidth * (from - at)), strconv.FormatFloat(0.1+0.3*before, 'f', 2, 64)})
			at = from
		}
	}
	return all
}

func (m *multiple) trace(traces [][]float64, unit string) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, t := range traces {
		for _, v := range t {
			low, high = min(low, v), max(high, v)
		}
	}
	m.Low, m.High = figure.Quantity(low, unit), figure.Quantity(high, unit)
	if high == low {
		high = low + 1
	}
	for _, t := range traces {
		var points []string
		for i, v := range t {
			x := multipleWidth * (float64(i) + 0.5) / float64(len(t))
			points = append(points, px(x)+","+px(2+(multipleHeight-4)*(high-v)/(high-low)))
		}
		m.Lines = append(m.Lines, strings.Join(points, " "))
	}
}

// average is the mean trace of invocations, as long as the shortest.
func average(traces [][]float64) []float64 {
	n := len(traces[0])
	for _, t := range traces {
		n = min(n, len(t))
	}
	mean := make([]float64, n)
	for _, t := range traces {
		for i := range mean {
			mean[i] += t[i] / float64(len(traces))
		}
	}
	return mean
}
