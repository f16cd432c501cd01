package plot

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"moobench/analysis/infer"
)

func TestScales(t *testing.T) {
	for name, c := range map[string]struct {
		values []float64
		log    bool
		ticks  int
	}{
		"small":      {[]float64{5, 10, 50}, false, 6},
		"negative":   {[]float64{-3, 4}, false, 5},
		"none":       {[]float64{0, 0}, false, 6},
		"decades":    {[]float64{1000, 10_000, 200_000}, true, 7},
		"of one":     {[]float64{1000, 1000}, false, 6},
		"subnormal":  {[]float64{0, 5e-324}, false, 6},
		"overflows":  {[]float64{-1.7e308, 1.7e308}, false, 0},
		"everything": {[]float64{5e-324, 1.7e308}, true, 7},
	} {
		log := SpansDecades(c.values, 2)
		s := NewAxis(c.values, log).between(0, 100)
		if log != c.log || len(s.ticks()) < c.ticks || len(s.ticks()) > 12 {
			t.Errorf("%s: log %v, %d ticks: %v", name, log, len(s.ticks()), s.ticks())
		}
		for _, v := range c.values {
			if at := s.place(v); at < 0 || at > 100 {
				t.Errorf("%s: %v is at %v", name, v, at)
			}
		}
	}
}

func ptr(v float64) *float64 { return &v }

// A row without a value has its label and its text; one whose interval begins at 0 has
// an arrow on a logarithmic axis, and without a value above 0 no dot.
func TestRowsWithoutValues(t *testing.T) {
	r := Rows{Axis: Axis{Log: true}, Items: []Row{
		{Label: "none", Text: "< 2.5", Value: ptr(0), Low: ptr(0), High: ptr(2.5)},
		{Label: "agent", Value: ptr(60), Low: ptr(50), High: ptr(72)},
		{Label: "void", Text: "no answer"},
		{Label: "few", Value: ptr(1), Low: ptr(0), High: ptr(5)},
	}}
	var drawn []string
	wide, narrow, _ := strings.Cut(r.SVG(), `<div class="narrow">`)
	for _, row := range strings.Split(wide, `text-anchor="end">`)[1:] {
		label, _, _ := strings.Cut(row, "<")
		for _, mark := range []string{"polygon", "line class=\"ci\"", "circle"} {
			label += strings.Repeat(" "+mark[:4], strings.Count(row, "<"+mark))
		}
		drawn = append(drawn, label)
	}
	if got := strings.Join(drawn, ", "); got != "none poly line, agent line circ, void, few poly line circ" {
		t.Errorf("%s", got)
	}
	for _, mark := range []string{"<polygon", `<line class="ci"`, "<circle", ">none<", ">&lt; 2.5<", ">no answer<"} {
		if w, n := strings.Count(wide, mark), strings.Count(narrow, mark); w != n || n == 0 {
			t.Errorf("%s is %d times in the wide drawing, and %d times in the narrow one", mark, w, n)
		}
	}
	if empty := (&Rows{Items: []Row{{Label: "void", Text: "no answer"}}}).SVG(); empty != "" {
		t.Errorf("a drawing of nothing: %s", empty)
	}
}

// TestEstimateEnds: a point has the interval of its estimate, the value alone without one, and ends that can be drawn.
func TestEstimateEnds(t *testing.T) {
	const most = math.MaxFloat64 / 10
	for name, c := range map[string]struct {
		interval  *infer.Interval
		low, high float64
	}{
		"none":    {nil, 5, 5},
		"closed":  {&infer.Interval{Low: 4, High: 7}, 4, 7},
		"no end":  {&infer.Interval{Low: 4, High: math.Inf(1)}, 4, most},
		"no ends": {&infer.Interval{Low: math.Inf(-1), High: math.Inf(1)}, -most, most},
	} {
		p := Estimate(2, &infer.Estimate{Value: 5, Interval: c.interval}, "t")
		if want := (Point{X: 2, Y: 5, Low: c.low, High: c.high, Title: "t"}); !reflect.DeepEqual(p, want) {
			t.Errorf("%s: %+v, want %+v", name, p, want)
		}
	}
}
