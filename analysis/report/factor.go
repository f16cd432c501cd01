package report

import (
	"cmp"
	"math"
	"slices"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/results"
)

const (
	// factorPanels and factorLines are how much of a factor is drawn: small
	// drawings, and lines in each.
	factorPanels, factorLines = 12, 12
	// factorPoints is how many points the drawings of a factor have together, and
	// factorNamed up to how many each say what they are.
	factorPoints, factorNamed = 200, 120
	// factorLevels is how many values a factor needs to have a line.
	factorLevels = 2
)

// factorPlot is a metric against a numeric factor: a small drawing for each
// combination of the other factors, and in it a line for each variant.
type factorPlot struct {
	Title, Factor string
	Overhead      bool // the difference from the baseline, not the mean
	Panels        []factorPanel
	MorePanels    int
	Legend        []legendLine
	Xs            []string // heads of the table
	Rows          []factorRow
	x, y          scale
	unit          figure.Scale
	factorUnit    string
}

// factorPanel is one small drawing: At are the other factors, "" without.
type factorPanel struct {
	At        string
	MoreLines int
	Lines     []factorLine
	panelAxes
}

// factorLine is a variant along the factor.
type factorLine struct {
	legendLine
	Path       string // of the shape of its points
	Band, Line string // points of a polygon and of a polyline
	Plain      string // a path of dots, where they are too many to be named
	Dots       []dot
	points     []factorPoint
}

// factorPoint is a cell at a value of the factor.
type factorPoint struct {
	x        float64
	label    string
	estimate *analysis.Estimate
}

// dot is a point of a line.
type dot struct{ X, Y, Title string }

// factorRow is a line of the table.
type factorRow struct {
	Label  string
	Values []string
}

// newFactors draws the primary metric, and what is paid more than for the
// baseline, against each numeric factor; those that a growth shows already are
// left out.
func newFactors(s *analysis.Scenario) (all []factorPlot) {
	for _, factor := range numericFactors(s) {
		for _, overhead := range []bool{false, true} {
			shown := slices.ContainsFunc(s.Growths, func(g analysis.Growth) bool { return g.Factor == factor.Name && g.Metric == s.Primary })
			if shown && !overhead {
				continue
			}
			p := newFactorPlot(s, factor, overhead)
			if len(p.Panels) > 0 {
				all = append(all, p)
			}
		}
	}
	return all
}

// numericFactors are those with two values or more that are all numbers, in the
// order of the first cell's factors.
func numericFactors(s *analysis.Scenario) (all []results.Value) {
	seen := map[string]bool{}
	for i := range s.Cells {
		for _, f := range s.Cells[i].Factors {
			if seen[f.Name] {
				continue
			}
			seen[f.Name] = true
			if levelsOf(s, f.Name) >= factorLevels {
				all = append(all, f)
			}
		}
	}
	return all
}

// levelsOf is how many values a factor has, 0 when one is no number.
func levelsOf(s *analysis.Scenario, factor string) int {
	values := map[float64]bool{}
	for i := range s.Cells {
		for _, f := range s.Cells[i].Factors {
			if f.Name != factor {
				continue
			}
			x, ok := numberOf(f)
			if !ok {
				return 0
			}
			values[x] = true
		}
	}
	return len(values)
}

// numberOf is the value of a factor as a number.
func numberOf(v results.Value) (float64, bool) {
	x, ok := v.Number()
	return x, ok && math.Abs(x) < math.MaxFloat64/10
}

// apart is the value of a factor in a cell, and the cell's other factors as text.
func apart(c *analysis.Cell, factor string) (x float64, at string, ok bool) {
	var rest []results.Value
	for _, f := range c.Factors {
		if f.Name == factor {
			x, ok = numberOf(f)
			continue
		}
		rest = append(rest, f)
	}
	return x, (&results.Cell{Factors: rest}).Level(), ok
}

// newFactorPlot collects the cells of a plot, and draws them.
func newFactorPlot(s *analysis.Scenario, factor results.Value, overhead bool) factorPlot {
	m := primary(s)
	p := factorPlot{Title: m.Name + " against " + factor.Name, Factor: factor.Name, Overhead: overhead, factorUnit: factor.Unit}
	if overhead {
		p.Title = "overhead against " + factor.Name
	}
	for i := range s.Cells {
		c := &s.Cells[i]
		x, at, ok := apart(c, factor.Name)
		e := estimateOf(c, s.Primary, overhead)
		if ok && e != nil && math.Abs(e.Value) < math.MaxFloat64/10 {
			p.add(at, c.Variant, factorPoint{x, c.Label, e})
		}
	}
	p.trim()
	if len(p.Panels) > 0 {
		p.draw(factor, m)
	}
	return p
}

// estimateOf is what a plot shows of a cell; nil of what it does not.
func estimateOf(c *analysis.Cell, metric string, overhead bool) *analysis.Estimate {
	a := metricOf(c, metric)
	switch {
	case a == nil || c.Void != "" || c.Role == results.RoleAA:
		return nil
	case overhead:
		return a.Difference
	}
	return a.Mean
}

// add puts a point on the line of its variant, in the panel of its other factors.
func (p *factorPlot) add(at, variant string, point factorPoint) {
	i := slices.IndexFunc(p.Panels, func(f factorPanel) bool { return f.At == at })
	if i < 0 {
		i = len(p.Panels)
		p.Panels = append(p.Panels, factorPanel{At: at})
	}
	lines := &p.Panels[i].Lines
	k := slices.IndexFunc(*lines, func(l factorLine) bool { return l.Label == variant })
	if k < 0 {
		k = len(*lines)
		*lines = append(*lines, factorLine{legendLine: p.look(variant)})
		(*lines)[k].Path = shapes[slices.IndexFunc(p.Legend, func(l legendLine) bool { return l.Label == variant })%len(shapes)].path
	}
	(*lines)[k].points = append((*lines)[k].points, point)
}

// look is how the lines of a variant look, the same in every panel.
func (p *factorPlot) look(variant string) legendLine { return lookOf(&p.Legend, variant) }

// trim sorts the points, and leaves out lines of one point and what is too much
// to be drawn.
func (p *factorPlot) trim() {
	for i := range p.Panels {
		f := &p.Panels[i]
		f.Lines = slices.DeleteFunc(f.Lines, func(l factorLine) bool { return len(l.points) < factorLevels })
		for k := range f.Lines {
			slices.SortStableFunc(f.Lines[k].points, func(a, b factorPoint) int { return cmp.Compare(a.x, b.x) })
		}
		if more := len(f.Lines) - factorLines; more > 0 {
			f.Lines, f.MoreLines = f.Lines[:factorLines], more
		}
	}
	p.Panels = slices.DeleteFunc(p.Panels, func(f factorPanel) bool { return len(f.Lines) == 0 })
	most, total := 0, 0
	for most < min(factorPanels, len(p.Panels)) {
		if total += p.Panels[most].points(); most > 0 && total > factorPoints {
			break
		}
		most++
	}
	p.Panels, p.MorePanels = p.Panels[:most], len(p.Panels)-most
	p.Legend = slices.DeleteFunc(p.Legend, func(l legendLine) bool {
		return !slices.ContainsFunc(p.Panels, func(f factorPanel) bool {
			return slices.ContainsFunc(f.Lines, func(line factorLine) bool { return line.legendLine == l })
		})
	})
}

// points is how many the panel has.
func (f *factorPanel) points() int {
	n := 0
	for _, l := range f.Lines {
		n += len(l.points)
	}
	return n
}
