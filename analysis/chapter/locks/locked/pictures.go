package locked

import (
	"math"

	"moobench/analysis/chapter/locks"
	"moobench/analysis/divergent"
	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
)

// pictures are the times over the index of execution, with the line and the divergent executions, and a
// histogram of the times.
func pictures(x *locks.Section) []doc.Block {
	if x.Times.N < 2 {
		return nil
	}
	return []doc.Block{course(x.Times), histogram(x.Times)}
}

func course(t *divergent.Series) *doc.Figure {
	p := plot.XY{
		Alt:   "Times of executions in their order",
		Frame: plot.Wide,
		X:     plot.NewAxis([]float64{0, float64(max(1, t.N-1))}, false),
	}
	values := []float64{max(1, float64(t.LeastNS)), max(2, float64(t.MostNS))}
	p.Y = plot.NewAxis(values, plot.SpansDecades(values, 1))
	fit := figure.Fit("ns", values...)
	p.X.Title, p.X.Whole = "execution", true
	p.Y.Title, p.Y.Factor = "time, "+fit.Unit, fit.Factor
	if p.Y.Log {
		p.Y.Title += " (log)"
	}
	if t.SteadyFrom > 0 {
		p.Spans = append(p.Spans, plot.Span{From: 0, To: float64(t.SteadyFrom), Class: "ramp"})
	}
	one := plot.Series{Name: "execution", Look: plot.LookOf(0), Dots: plot.Plain}
	mean := plot.Series{Name: "mean", Look: plot.LookOf(0), Line: true}
	at := 0.0
	for _, c := range t.Columns {
		middle := at + float64(c.N-1)/2
		one.Points = append(one.Points, plot.Point{X: middle, Y: max(1, float64(c.MostNS))})
		mean.Points = append(mean.Points, plot.Point{X: middle, Y: max(1, float64(c.SumNS)/float64(c.N))})
		at += float64(c.N)
	}
	caption := "Each dot is an execution."
	p.Series = append(p.Series, one)
	if int64(len(t.Columns)) < t.N {
		p.Series = append(p.Series, mean)
		caption = "Each dot is the longest of " + figure.Count(t.Columns[0].N) +
			" executions, the line through them is their mean."
	}
	line := plot.Series{Name: "line by least squares", Look: plot.LookOf(1)}
	for i := range 100 {
		x := float64(t.N-1) * float64(i) / 99
		y := t.InterceptNS + t.SlopeNS*x
		if p.Y.Log && y < values[0] {
			y = math.NaN() // such an axis has no place for it
		}
		line.Curve = append(line.Curve, [2]float64{x, y})
	}
	p.Series = append(p.Series, line)
	if t.FenceNS > 0 && t.FenceNS <= values[1] {
		p.Rules = append(p.Rules, plot.Rule{Y: &t.FenceNS, Class: "zero"})
	}
	p.Series = append(p.Series, marks(&t.Paper, "void"), marks(&t.Ours, "failed"))
	caption += " The dashed line is that by least squares; a square is divergent by the paper's rule, " +
		"a cross by ours, above the limit that is drawn across; the warm-up is shaded."
	return &doc.Figure{SVG: p.SVG(), Alt: p.Alt, Caption: caption}
}

func marks(d *divergent.Divergent, kind string) plot.Series {
	s := plot.Series{Name: "divergent"}
	for _, e := range d.Named {
		s.Points = append(s.Points, plot.Point{
			X:     float64(e.Index),
			Y:     max(1, float64(e.NS)),
			Kind:  kind,
			Title: "execution " + figure.Count(e.Index) + ": " + ns(e.NS),
		})
	}
	return s
}

// histogram counts executions by their duration; both axes are logarithmic, so that one among millions is
// visible.
func histogram(t *divergent.Series) *doc.Figure {
	p := plot.XY{Alt: "How many executions took how long", Frame: plot.Wide}
	most := 1.0
	for _, b := range t.Bins {
		most = max(most, float64(b.N))
	}
	low, high := t.Bins[0].FromNS, t.Bins[len(t.Bins)-1].ToNS
	fit := figure.Fit("ns", low, high)
	p.X = plot.NewAxis([]float64{low, high}, true)
	p.X.Title, p.X.Factor = "time, "+fit.Unit+" (log)", fit.Factor
	p.Y = plot.NewAxis([]float64{1, most}, true)
	p.Y.Low, p.Y.Title = 0.7, "executions (log)"
	for _, b := range t.Bins {
		if b.N > 0 {
			p.Bands = append(p.Bands, plot.Band{
				FromX: b.FromNS,
				ToX:   b.ToNS,
				Low:   0.7,
				High:  float64(b.N),
				Class: "band t0",
			})
		}
	}
	return &doc.Figure{SVG: p.SVG(), Alt: p.Alt, Caption: "How many executions took how long."}
}
