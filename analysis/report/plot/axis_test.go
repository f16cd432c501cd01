package plot

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestAxes: where axes end, and what stands at their ticks.
func TestAxes(t *testing.T) {
	factor := NewAxis([]float64{2000, 9000}, false)
	factor.Factor = 1000
	chosen := CloseAxis([]float64{0, 3}, 1)
	chosen.Values = []float64{1, 2}
	named := CloseAxis([]float64{0, 2}, 1)
	named.Names = []string{"Mon", "Tue", "Wed"}
	own := CloseAxis([]float64{0, 1}, 1)
	own.Text = func(v float64) string { return Number(100*v) + " %" }
	for name, c := range map[string]struct {
		axis      Axis
		low, high float64
		ticks     string
	}{
		"with 0":      {NewAxis([]float64{30, 47}, false), 0, 50, "0 10 20 30 40 50"},
		"below 0":     {NewAxis([]float64{-0.31, 0.12}, false), -0.4, 0.2, "-0.4 -0.3 -0.2 -0.1 0 0.1 0.2"},
		"all below":   {NewAxis([]float64{-7, -3}, false), -8, 0, "-8 -6 -4 -2 0"},
		"nothing":     {NewAxis([]float64{0}, false), 0, 1, "0 0.2 0.4 0.6 0.8 1"},
		"logarithmic": {NewAxis([]float64{13, 1000}, true), 10, 1300, "10 20 50 100 200 500 1000"},
		"decades":     {NewAxis([]float64{13, 1e6}, true), 10, 1.3e6, "10 100 1000 10000 100000 1000000"},
		"far apart":   {NewAxis([]float64{1.3, 1e14}, true), 1, 1.3e14, "1 100 10000 1000000 100000000 1e+10 1e+12 1e+14"},
		"scaled":      {factor, 0, 10000, "0 2 4 6 8 10"},
		"close":       {CloseAxis([]float64{3, 7}, 1), 3, 7, "3 4 5 6 7"},
		"too close":   {CloseAxis([]float64{3, 4}, 3), 2, 5, "2 2.5 3 3.5 4 4.5 5"},
		"of one":      {CloseAxis([]float64{500}, 0), 495, 505, "496 498 500 502 504"},
		"of none":     {CloseAxis([]float64{math.NaN(), math.Inf(1)}, 0), -1, 1, "-1 -0.5 0 0.5 1"},
		"chosen":      {chosen, 0, 3, "1 2"},
		"nights":      {named, 0, 2, ""},
		"own text":    {own, 0, 1, "0 % 20 % 40 % 60 % 80 % 100 %"},
	} {
		var texts []string
		for _, v := range c.axis.ticks() {
			if name != "nights" {
				texts = append(texts, c.axis.text(v))
			}
		}
		if math.Abs(c.axis.Low-c.low) > 1e-9 || math.Abs(c.axis.High-c.high) > 1e-9*c.high || strings.Join(texts, " ") != c.ticks {
			t.Errorf("%s: from %v to %v, %q, want from %v to %v, %q", name, c.axis.Low, c.axis.High, texts, c.low, c.high, c.ticks)
		}
	}
	if got := named.text(2); got != "Wed" {
		t.Errorf("night 2 is %s", got)
	}
}

// TestAt: a value has its place, and what lies outside is at an end.
func TestAt(t *testing.T) {
	linear, decades := Axis{Low: -10, High: 30}, Axis{Low: 1, High: 100, Log: true}
	for _, c := range []struct {
		axis *Axis
		v    float64
		want float64
	}{
		{&linear, -10, 0},
		{&linear, 0, 0.25},
		{&linear, 30, 1},
		{&linear, -11, 0},
		{&linear, 31, 1},
		{&linear, math.NaN(), 0},
		{&decades, 1, 0},
		{&decades, 10, 0.5},
		{&decades, 100, 1},
		{&decades, 0, 0},
		{&decades, -5, 0},
		{&decades, math.Inf(1), 1},
	} {
		if got := c.axis.At(c.v); got != c.want {
			t.Errorf("%v is at %v, want %v", c.v, got, c.want)
		}
		down := c.axis.between(300, 100)
		if got := down.place(c.v); got != 300-200*c.want {
			t.Errorf("%v is drawn at %v, want %v", c.v, got, 300-200*c.want)
		}
	}
}

// TestRowValues: an axis holds all values that have a place on it.
func TestRowValues(t *testing.T) {
	items := []Row{{Value: ptr(0), Low: ptr(-2), High: ptr(3)}, {Value: ptr(math.MaxFloat64)}, {Value: ptr(math.NaN())}, {Box: &Box{Values: [8]float64{1, 1, 1, 1, 1, 1, 1, 9}}}}
	for _, c := range []struct {
		rows Rows
		want []float64
	}{
		{Rows{Items: items[:3]}, []float64{0, -2, 3}},
		{Rows{Items: items[:3], Axis: Axis{Log: true}}, []float64{3}},
		{Rows{Items: []Row{{Value: ptr(math.MaxFloat64 / 10)}}}, []float64{math.MaxFloat64 / 10}},
		{Rows{Items: items[3:], Band: &[2]float64{-4, 5}}, []float64{1, 1, 1, 1, 1, 1, 1, 9, -4, 5}},
	} {
		if got := c.rows.Values(); !slices.Equal(got, c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}

// TestSteps: steps are 1, 2 or 5 times a power of ten, and there are at most six of them; few values span decades.
func TestSteps(t *testing.T) {
	for span, want := range map[float64]float64{1: 0.2, 5: 1, 6: 1, 6.1: 2, 12: 2, 12.1: 5, 30: 5, 31: 10, 0.004: 0.001} {
		if got := niceStep(span); math.Abs(got-want) > 1e-12 {
			t.Errorf("%v has steps of %v, want %v", span, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		span := math.Pow(10, rapid.Float64Range(-200, 200).Draw(t, "exponent"))
		if steps := span / niceStep(span); steps > 6.0001 || steps < 2 {
			t.Fatalf("%v has %v steps", span, steps)
		}
	})
	for _, c := range []struct {
		values []float64
		want   bool
	}{
		{[]float64{5, 1, 101}, true}, {[]float64{1, 100}, false}, {[]float64{0, 1e9}, false}, {[]float64{-1, 1e9}, false},
	} {
		if got := SpansDecades(c.values, 2); got != c.want {
			t.Errorf("%v: %t", c.values, got)
		}
	}
}

func TestNumbers(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 1.5: "1.5", 0.1 + 0.2: "0.3", 999_999_999: "999999999", 1e9: "1e+09", -2.5e12: "-2.5e+12", 0.0000004: "0", 0.0000006: "0.000001",
	} {
		if got := Number(v); got != want {
			t.Errorf("%v is %s, want %s", v, got, want)
		}
	}
	for v, want := range map[float64]string{12.34: "12.3", 12.35: "12.4", -0.04: "-0", 1e6: "1000000", 1e6 + 1: "0", math.Inf(-1): "0"} {
		if got := px(v); got != want {
			t.Errorf("%v is at %s, want %s", v, got, want)
		}
	}
	a := Axis{Factor: 1000}
	for v, want := range map[float64]float64{123_456_789: 123_460, 1234: 1.234, 0: 0, math.Inf(-1): -math.MaxFloat64, 2e-320: 2e-320 / 1000} {
		if got := a.charted(v); got != want {
			t.Errorf("%v is %v in a chart, want %v", v, got, want)
		}
	}
	if got := a.charted(math.NaN()); got != 0 {
		t.Errorf("no number is %v", got)
	}
}

// TestLabels: what is too long for its place loses its middle, and a pointer over it is shown all of it.
func TestLabels(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{shorten("abcdefgh", 8), "abcdefgh"},
		{shorten("abcdefghi", 8), "abcd…ghi"},
		{shorten("abcdefghi", 7), "abc…ghi"},
		{fitting("WWWW", 4*textSize, textSize), "WWWW"},
		{fitting("WWWWW", 4*textSize, textSize), "WW…W"},
		{fitting("iiii", 4*0.42*textSize, textSize), "iiii"},
		{fitting("abc", 1, textSize), "abc"},
		{fitting("abcd", 1, textSize), "a…d"},
		{heading("a < b"), `<b title="a &lt; b">a &lt; b</b>`},
		{heading(strings.Repeat("x", 45)), `<b title="` + strings.Repeat("x", 45) + `">` + strings.Repeat("x", 22) + "…" + strings.Repeat("x", 21) + "</b>"},
		{List("legend", "a", "b"), `<ul class="legend">ab</ul>`},
		{Key("14", "<x/>", "b"), `<li><svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true"><x/></svg> b</li>`},
		{Strip(Axis{Low: -10, High: 10}, ptr(5), ptr(-5), ptr(8)), `<svg viewBox="0 0 100 9"><path d="M25 4H90"/><path d="M75 4h0"/></svg>`},
		{Strip(Axis{Low: -10, High: 10}, ptr(5), nil, ptr(8)), `<svg viewBox="0 0 100 9"><path d="M75 4h0"/></svg>`},
		{StripZero(Axis{Low: -10, High: 30}), "25"},
		{methodOf("a.B.put"), "put"},
		{methodOf("put"), "put"},
	} {
		if c.got != c.want {
			t.Errorf("got  %s\nwant %s", c.got, c.want)
		}
	}
	for text, want := range map[string]float64{"m…": 2, "日": 1, "il.1": 4 * 0.42, "AZ": 2 * 0.76, "ab9": 3 * 0.64, "": 0} {
		if got := textWidth(text, 10); math.Abs(got-10*want) > 1e-9 {
			t.Errorf("%q is %v wide, want %v", text, got, 10*want)
		}
	}
}

// TestShades: what is there is seen, and nothing is darker than all of it.
func TestShades(t *testing.T) {
	for share, want := range map[float64]int{-1: 0, 0: 0, 1e-9: 1, 0.149: 1, 0.15: 2, 0.5: 5, 0.949: 9, 0.95: 10, 7: 10} {
		if got := shade(share); got != want {
			t.Errorf("%v has shade %d, want %d", share, got, want)
		}
	}
}

// TestLooks: lines next to each other differ in colour and in shape, and of two with one colour the shapes differ.
func TestLooks(t *testing.T) {
	var seen []Look
	for i := range tints * len(shapes) {
		look := LookOf(i)
		if slices.Contains(seen, look) {
			t.Errorf("line %d looks like another one", i)
		}
		seen = append(seen, look)
	}
	if got := LookOf(9).Class(); got != "t1" {
		t.Errorf("the tenth line is %s", got)
	}
}

// TestDodge: the points of several lines stand beside each other, in the middle of their places, and not too far away.
func TestDodge(t *testing.T) {
	for n, want := range map[int][]float64{1: {0}, 2: {-3, 3}, 3: {-6, 0, 6}, 11: {-15, -12, -9, -6, -3, 0, 3, 6, 9, 12, 15}} {
		p := XY{Series: make([]Series, n)}
		p.Dodge()
		for i, s := range p.Series {
			if math.Abs(s.aside-want[i]) > 1e-9 {
				t.Errorf("%d lines: line %d stands %v aside, want %v", n, i, s.aside, want[i])
			}
		}
	}
}

// TestReach: the lower ends of intervals count where an axis has a place for them.
func TestReach(t *testing.T) {
	lines := []Series{
		{Points: []Point{{X: 2, Y: 5, Low: 1, High: 9}, {X: 1, Y: 5, Low: 0, High: 8}}},
		{Points: []Point{{X: 2, Y: 0, Low: -1, High: 1}, {X: 3, Y: 5, Low: -2, High: 7}}},
	}
	for low, want := range map[bool][]float64{
		false: {5, 9, 1, 5, 8, 0, 1, -1, 5, 7}, true: {5, 9, 1, 5, 8, 0, 0, 1, -1, 5, 7, -2},
	} {
		if xs, ys := Reach(lines, low); !slices.Equal(xs, []float64{1, 2, 3}) || !slices.Equal(ys, want) {
			t.Errorf("%t: %v, %v, want %v", low, xs, ys, want)
		}
	}
}
