package growth

import (
	"strings"
	"testing"

	"moobench/analysis/chapter"
	"moobench/analysis/infer"
	"moobench/analysis/internal/testdoc"
	"moobench/analysis/reading"
	"moobench/analysis/report/doc"
	"moobench/results"
)

// laid is a curve whose line is laid: over a span of 10, its slope and its bend are known to the standard
// errors, and its means lie off the line by so much.
func laid(slope, se, bend, bendSE, off, margin float64, bendP, lackOfFitP *float64) *curve {
	c := &curve{
		Line: &Line{
			Factor: "loaded", Points: make([]Point, shapeLevels), Margin: margin, BendP: bendP, LackOfFitP: lackOfFitP,
		},
		unit: "ns", span: 10, least: shapeInvocations, off: off,
		slope: infer.Scale{N: 20, Value: slope, SE: se, DF: 18, SD: se, Size: 1},
		bend:  &infer.Scale{N: 20, Value: bend, SE: bendSE, DF: 17, SD: bendSE, Size: 1},
	}
	c.Slope, _ = c.slope.Estimate(reading.Confidence)
	return c
}

// A shape is flat before it is linear, and linear before it bends; a test at its level is not below it, and a
// bend or a distance as large as the slight ones is one of them. An interval without width ends where it begins.
func TestShape(t *testing.T) {
	p := func(x float64) *float64 { return &x }
	const n = 0 // exactly known
	for _, c := range []struct {
		name string
		*curve
		want Shape
		why  string
	}{
		{
			"flat to the margin", laid(0.1, 0.01, 0, n, 2, 2, nil, nil), Flat,
			"over the whole range it grows by 0.827 … 1.173 ns (90 % CI), which is within ± 2 ns",
		},
		{"a mean beyond it", laid(0.1, 0.01, 0, n, 2.01, 2, nil, nil), Linear, "a bend is at most 0 % of the growth"},
		{"a slight bend", laid(10, 0.01, 0.1, n, 0, 0, nil, nil), Linear, "a bend is at most 10 % of the growth"},
		{
			"as slight a bend downwards", laid(-10, 0.01, -0.1, n, 0, 0, nil, nil), Linear,
			"a bend is at most 10 % of the growth",
		},
		{
			"on the line", laid(10, 0.01, 0, n, 0, 0, nil, p(0.05)), Linear,
			"a bend is at most 0 % of the growth, and the means lie on the line within chance (lack of fit p = 0.050)",
		},
		{
			"slightly off", laid(10, 0.01, 0, n, 10, 0, nil, p(0.04)), Linear,
			"a bend is at most 0 % of the growth; the means lie off the line (lack of fit p = 0.040), but by " +
				"no more than 10 % of it",
		},
		{
			"off", laid(10, 0.01, 0, n, 10.1, 0, nil, p(0.04)), Other,
			"the means lie off the line (lack of fit p = 0.040), by up to 10.10 ns",
		},
		{
			"more than slight", laid(10, 0.01, 0.2, n, 0, 0, p(0.04), nil), Faster,
			"it bends upwards (p = 0.040), so the line is too low at the end",
		},
		{
			"downwards", laid(10, 0.01, -0.2, n, 0, 0, p(0.04), nil), Other,
			"slower than linear: it bends downwards (p = 0.040)",
		},
		{
			"it falls", laid(-10, 0.01, 0.2, n, 0, 0, p(0.04), nil), Other,
			"it bends (p = 0.040) and does not rise throughout",
		},
		{
			"it may fall", laid(10, 10, 0.2, n, 0, 0, p(0.04), nil), Other,
			"it bends (p = 0.040) and does not rise throughout",
		},
		{
			"it falls faster", laid(-10, 0.01, -0.2, n, 0, 0, p(0.04), nil), Other,
			"it bends (p = 0.040) and does not rise throughout",
		},
		{
			"no bend is shown", laid(10, 0.01, 0.2, n, 0, 0, p(0.05), p(0.05)), Undecided,
			"it grows, and no bend is shown, but there may be one of as much as 20 % of the growth",
		},
		{
			"may be nothing", laid(0.1, 1, 0, n, 0, 0, nil, nil), Undecided,
			"growth over the whole range may be −16.34 … 18.34 ns (90 % CI), and no margin says how much would matter",
		},
		{
			"beyond the margin", laid(0.1, 1, 0, n, 0, 2, nil, nil), Undecided,
			"growth over the whole range may be −16.34 … 18.34 ns (90 % CI), which is not within ± 2 ns: " +
				"more invocations may tell",
		},
	} {
		if c.decide(); c.Verdict != c.want || c.Why != c.why {
			t.Errorf("%s: %s, %s; want %s, %s", c.name, c.Verdict, c.Why, c.want, c.why)
		}
	}
}

// A shape needs so many values, and no fewer, of so many invocations each.
func TestShapeNeeds(t *testing.T) {
	for _, c := range []struct {
		change func(*curve)
		want   string // "": there is a shape
	}{
		{func(*curve) {}, ""},
		{func(c *curve) { c.invalid = 2 }, "2 of its cells have no answer, so that there are no values"},
		{func(c *curve) { c.Points = c.Points[:2] }, "2 values of loaded, and a shape needs 3"},
		{func(c *curve) { c.least = 4 }, "only 4 invocations at one value of loaded, and a shape needs 5 at each"},
		{func(c *curve) { c.Slope = nil }, "no line can be laid through its values"},
		{func(c *curve) { c.bend = nil }, "no line can be laid through its values"},
	} {
		one := laid(10, 0.01, 0, 0, 0, 0, nil, nil)
		c.change(one)
		if one.decide(); (one.Verdict == Undecided) != (c.want != "") || c.want != "" && one.Why != c.want {
			t.Errorf("%s: %s, want %s", one.Verdict, one.Why, c.want)
		}
	}
}

// A factor is switched only where both have it: neither may have fewer factors.
func TestSwitchedWithinBoth(t *testing.T) {
	off, on := results.Value{Name: "one", Value: "false"}, results.Value{Name: "one", Value: "true"}
	more := results.Value{Name: "loaded", Value: "10"}
	for _, c := range []struct {
		a, b []results.Value
		want bool
	}{
		{[]results.Value{off, more}, []results.Value{on}, false},
		{[]results.Value{off}, nil, false},
		{[]results.Value{off}, []results.Value{{Name: "two", Value: "true"}}, false},
		{[]results.Value{off, more}, []results.Value{on, more}, true},
		{
			[]results.Value{off, {Name: "two", Value: "false"}, more},
			[]results.Value{on, {Name: "two", Value: "false"}, more},
			true,
		},
	} {
		if here, there, ok := switched(c.a, c.b); ok != c.want {
			t.Errorf("switched(%v, %v) = %q, %q, %v", c.a, c.b, here, there, ok)
		}
	}
	for r, want := range map[float64]string{
		0: "0 %", 0.5: "1/2.0", 0.501: "50 %", 1.499: "150 %", 1.5: "1.5 times", 9.96: "10.0 times", 10: "10 times",
		0.1: "1/10",
	} {
		if got := fraction(r); got != want {
			t.Errorf("fraction(%v) = %s, want %s", r, got, want)
		}
	}
}

// Units of a factor are in the singular beside a slope.
func TestPerUnit(t *testing.T) {
	for unit, want := range map[string]string{
		"": " per unit of loaded", "1": " per unit of loaded", "ns": " per ns", "classes": " per class",
		"bytes": " per byte",
	} {
		if got := (&curve{Line: &Line{Factor: "loaded", Unit: unit}}).perUnit(); got != want {
			t.Errorf("%q: %q, want %q", unit, got, want)
		}
	}
}

// Where nothing scatters, a bend shows from more than a tenth of the slope.
func TestBendWithoutScatter(t *testing.T) {
	for _, c := range []struct {
		slope, bend float64
		shown       bool
	}{{10, 0.1, false}, {10, 0.11, true}, {-10, -0.11, true}, {0, 0.11, false}} {
		one := laid(c.slope, 0, c.bend, 0, 0, 0, nil, nil)
		if p := one.bendP(); (p == 0) != c.shown {
			t.Errorf("slope %v, bend %v: p = %v", c.slope, c.bend, p)
		}
	}
}

// The table of all points is for readers who want everything, and each line has a mark of its own.
func TestPointsAreForThoseWhoWantAll(t *testing.T) {
	lines := Lines{{Metric: "x", Factor: "loaded", Variant: "a", Points: []Point{{X: 1, Mean: slope()}, {X: 2}}}}
	at := &chapter.Scene{ID: "s0", Metrics: []results.Metric{{Name: "x", Unit: "ns"}}}
	for _, paged := range []bool{false, true} {
		at.Paged = paged
		tables, figures := testdoc.Blocks[*doc.Table](lines.Show(at)), testdoc.Blocks[*doc.Figure](lines.Show(at))
		if len(tables) != 2 || tables[0].Depth == doc.Full || tables[1].Depth != doc.Full || !tables[1].Split {
			t.Fatalf("%+v", tables)
		}
		if head := tables[0].Columns[1].Head; !strings.HasPrefix(head, "slope") || (len(figures) == 1) != paged {
			t.Errorf("%s, %d figures", head, len(figures))
		}
	}
}
