package report

import (
	"math"
	"slices"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/results"
)

const (
	// multiplesMost is how many cells have timelines: more would make the page
	// slow, and nobody looks at them.
	multiplesMost = 60
	// The inside of a small multiple, in the units of its view box.
	multipleWidth  = 220.0
	multipleHeight = 70.0
)

// multiple is one small drawing: a value of each block, all on one scale.
type multiple struct {
	Label, Short string
	High, Low    string // the values at the top and at the bottom
	Zero         string // y of the mean, or of no difference
	Band         *block // the interval of an A/A
	Line, Dots   string // points of a polyline; a path of dots
	Odd          []oddDot
	Says         string
	series       []float64
	blocks       []int
	odd          []oddDot
	interval     *analysis.Interval // of the ratio of two baselines
}

// oddDot is an invocation that is not as it was planned: disturbed, out (of all
// numbers), failed or void, by its shape and in words.
type oddDot struct {
	X, Y, Kind, Title string
	block             int
	value             *float64
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
// one scale.
func newDrift(a *analysis.Answers, s *analysis.Scenario) (all []multiple) {
	if a.Campaign.Design == results.DesignUnordered {
		return nil
	}
	for i := range s.Cells {
		c := &s.Cells[i]
		mean := metricOf(c, s.Primary)
		if mean == nil || mean.Mean == nil || mean.Mean.Value == 0 {
			continue
		}
		m := multiple{Label: c.Label, Short: shorten(c.Label, 34)}
		for _, inv := range a.Invocations {
			if inv.Cell == c.ID {
				m.add(inv, mean.Mean.Value, primary(s))
			}
		}
		m.Says = "each block in per cent of its mean"
		all = append(all, m)
	}
	drawTogether(all)
	return all
}

// add places an invocation of a cell with this mean.
func (m *multiple) add(inv analysis.Invocation, mean float64, of results.Metric) {
	if inv.Value == nil {
		if kind, why := missing(inv, of); kind != "" {
			m.odd = append(m.odd, oddDot{Kind: kind, Title: inv.ID + ": " + why, block: inv.Block})
		}
		return
	}
	v := *inv.Value/mean - 1
	if kind, why := marked(inv); kind != "" {
		m.odd = append(m.odd, oddDot{Kind: kind, Title: inv.ID + ": " + figure.Quantity(*inv.Value, of.Unit) + ", " + why, block: inv.Block, value: &v})
	}
	m.series, m.blocks = append(m.series, v), append(m.blocks, inv.Block)
}

// marked says what is odd about an invocation that has a value.
func marked(inv analysis.Invocation) (kind, why string) {
	switch {
	case inv.RepeatedBy != "":
		return "disturbed", "disturbed, repeated as " + inv.RepeatedBy
	case inv.Disturbed != nil:
		return "disturbed", "disturbed"
	}
	return "", ""
}

// missing says why an invocation of a metric's profile has no value.
func missing(inv analysis.Invocation, of results.Metric) (kind, why string) {
	if of.Profile != "" && inv.Profile != of.Profile || of.Profile == "" && inv.Profile != results.ProfileTiming {
		return "", ""
	}
	switch {
	case inv.Status == results.StatusFailed:
		return "failed", "failed"
	case inv.Void != "":
		return "void", "void: " + inv.Void
	}
	return "", ""
}

// newSelfTestDrift draws by how much the second baseline of each level exceeds
// the first, block by block.
func newSelfTestDrift(a *analysis.Answers, s *analysis.Scenario) (all []multiple) {
	of := primary(s)
	for _, aa := range s.AA {
		c := cellOf(s, aa.Cell)
		if c == nil || aa.Metric != "" || a.Campaign.Design == results.DesignUnordered {
			continue
		}
		name := strings.TrimSpace("A/A " + aa.Level)
		m := multiple{Label: name, Short: shorten(name, 34), Says: "the second baseline less the first"}
		first := map[int]analysis.Invocation{}
		for _, inv := range valued(a, c.Baseline) {
			first[inv.Block] = inv
		}
		for _, inv := range valued(a, c.ID) {
			if b, ok := first[inv.Block]; ok && *b.Value != 0 {
				m.add(inv, *b.Value, of)
			}
		}
		if len(m.series) > 0 {
			if aa.Ratio != nil {
				m.interval = aa.Ratio.Interval
			}
			all = append(all, m)
		}
	}
	drawTogether(all)
	return all
}

func cellOf(s *analysis.Scenario, id string) *analysis.Cell {
	for i := range s.Cells {
		if s.Cells[i].ID == id {
			return &s.Cells[i]
		}
	}
	return nil
}

// drawTogether gives small multiples the same axes.
func drawTogether(all []multiple) {
	reach, last := 0.005, 1
	for _, m := range all {
		if m.interval != nil {
			reach = max(reach, math.Abs(m.interval.Low-1), math.Abs(m.interval.High-1))
		}
		for i, v := range m.series {
			reach, last = max(reach, math.Abs(v)), max(last, m.blocks[i])
		}
		for _, o := range m.odd {
			if last = max(last, o.block); o.value != nil {
				reach = max(reach, math.Abs(*o.value))
			}
		}
	}
	for i := range all {
		all[i].draw(reach, last)
	}
}

func (m *multiple) draw(reach float64, last int) {
	m.High, m.Low, m.Zero = "+"+figure.Percent(reach), "−"+figure.Percent(reach), px(multipleHeight/2)
	x := func(block int) string {
		return px(4 + (multipleWidth-8)*float64(block-1)/float64(max(1, last-1)))
	}
	y := func(v float64) float64 { return multipleHeight / 2 * (1 - v/reach*0.94) }
	var points []string
	for i, v := range m.series {
		at := x(m.blocks[i])
		points = append(points, at+","+px(y(v)))
		m.Dots += "M" + at + " " + px(y(v)) + "h0"
	}
	m.Line = strings.Join(points, " ")
	if i := m.interval; i != nil {
		top := y(i.High - 1)
		m.Band = &block{Y: px(top), Height: px(y(i.Low-1) - top)}
	}
	for _, o := range m.odd {
		o.X, o.Y = x(o.block), px(multipleHeight-4)
		if o.value != nil {
			o.Y = px(y(*o.value))
		}
		m.Odd = append(m.Odd, o)
	}
}

// odds are the kinds of odd dots that any drawing has, in a fixed order.
func odds(all ...[]multiple) (kinds []string) {
	for _, kind := range []string{"disturbed", "failed", "void"} {
		if slices.ContainsFunc(slices.Concat(all...), func(m multiple) bool {
			return slices.ContainsFunc(m.Odd, func(o oddDot) bool { return o.Kind == kind })
		}) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}
