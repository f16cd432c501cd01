package report

import (
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/results"
)

const (
	// smallAcross is how many metrics stand beside each other.
	smallAcross = 4
	// The layout of a row of small drawings, in the units of its view box.
	smallWidth  = 1000.0
	smallLabel  = 250.0 // the drawings begin here
	smallGap    = 22.0  // between them
	smallRow    = 18.0
	smallTop    = 40.0
	smallBottom = 26.0
)

// smallRows are small drawings beside each other: one for each metric, and in
// it a dot with its interval for each cell, in one row with the cell's label.
type smallRows struct {
	Width, Height, LabelX string
	Labels                []smallLabelled
	Drawings              []smallDrawing
	Names                 string // of the metrics
}

// smallLabelled is a label at its row.
type smallLabelled struct{ Y, Label, Full, TextY string }

// smallDrawing is one metric: Intervals and Dots are paths, Zero and Baseline
// places on its axis.
type smallDrawing struct {
	Name, Unit                string
	Left, Right, Top, Bottom  string
	Intervals, Dots, Baseline string
	First, Last               tick
	Missing                   []smallLabelled // cells that have no value
	scale                     scale
	factor                    float64 // of the unit that is shown
}

// newSmalls draws the metrics that have a better direction or are key ones, as
// many beside each other as there is room for.
func newSmalls(s *analysis.Scenario) (all []smallRows) {
	var metrics []results.Metric
	for _, m := range s.Metrics {
		if m.Name != s.Primary && (m.Better != results.Neither || m.Key) && observed(s, m.Name) {
			metrics = append(metrics, m)
		}
	}
	for len(metrics) > 0 {
		n := min(smallAcross, len(metrics))
		all = append(all, newSmallRows(s, metrics[:n]))
		metrics = metrics[n:]
	}
	return all
}

func newSmallRows(s *analysis.Scenario, metrics []results.Metric) smallRows {
	var cells []*analysis.Cell
	for i := range s.Cells {
		if c := &s.Cells[i]; c.Role != results.RoleAA && c.Void == "" {
			cells = append(cells, c)
		}
	}
	bottom := smallTop + smallRow*float64(len(cells))
	r := smallRows{Width: px(smallWidth), Height: px(bottom + smallBottom), LabelX: px(smallLabel - 12)}
	for i, c := range cells {
		y := smallTop + smallRow*(float64(i)+0.5)
		r.Labels = append(r.Labels, smallLabelled{Y: px(y), TextY: px(y + 4), Label: shorten(c.Label, 32), Full: c.Label})
	}
	width := (smallWidth - smallLabel) / smallAcross
	var names []string
	for i, m := range metrics {
		left := smallLabel + width*float64(i)
		r.Drawings = append(r.Drawings, drawSmall(cells, m, left, left+width-smallGap, bottom))
		names = append(names, m.Name)
	}
	r.Names = strings.Join(names, ", ")
	return r
}

// drawSmall draws one metric of all cells; the baseline's value is a line, the
// first one's where there are several.
func drawSmall(cells []*analysis.Cell, m results.Metric, left, right, bottom float64) smallDrawing {
	var values []float64
	for _, c := range cells {
		if e := meanIn(c, m.Name); e != nil {
			low, high := ends(e)
			values = append(values, low, high)
		}
	}
	d := smallDrawing{Name: shorten(m.Name, 24), Left: px(left), Right: px(right), Top: px(smallTop), Bottom: px(bottom)}
	if len(values) == 0 {
		return d
	}
	fit := figure.Fit(m.Unit, values...)
	d.factor = fit.Factor
	for i := range values { // so that the ends of the axis are round in the unit that is shown
		values[i] /= d.factor
	}
	d.scale = newScale(values, spansDecades(values, 2), left, right)
	d.Unit = strings.TrimSpace(fit.Unit + d.scale.remark())
	for i, c := range cells {
		d.add(c, meanIn(c, m.Name), smallTop+smallRow*(float64(i)+0.5))
	}
	if ticks := d.scale.ticks(); len(ticks) > 1 {
		first, last := ticks[0], ticks[len(ticks)-1]
		d.First, d.Last = tick{px(d.scale.at(first)), tickText(first)}, tick{px(d.scale.at(last)), tickText(last)}
	}
	return d
}

// add draws the value of a cell, or says that there is none.
func (d *smallDrawing) add(c *analysis.Cell, e *analysis.Estimate, y float64) {
	if e == nil {
		d.Missing = append(d.Missing, smallLabelled{Y: px(y + 4), Full: c.Label})
		return
	}
	low, high := ends(e)
	if e.Interval != nil {
		d.Intervals += "M" + d.at(low) + " " + px(y) + "H" + d.at(high)
	}
	d.Dots += "M" + d.at(e.Value) + " " + px(y) + "h0"
	if c.Role == results.RoleBaseline && d.Baseline == "" {
		d.Baseline = d.at(e.Value)
	}
}

// at is the place of a value in the metric's unit.
func (d *smallDrawing) at(v float64) string { return px(d.scale.at(v / d.factor)) }

// meanIn is the mean of a metric in a cell, nil when it has none.
func meanIn(c *analysis.Cell, metric string) *analysis.Estimate {
	if a := metricOf(c, metric); a != nil {
		return a.Mean
	}
	return nil
}
