package plot

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"moobench/analysis/steady"
)

// A trace changes its look where its steady state begins.
func TestStrokes(t *testing.T) {
	values := []float64{9, 7, 5, 5, 5, 5, 5, 5, 5, 5}
	for name, c := range map[string]struct {
		from  *float64
		class string
		want  string
	}{
		"warming up":  {new(0.2), "warmup", "warming:3 resting:8"},
		"at rest":     {new(0.0), "flat", "resting:10"},
		"never":       {nil, "no steady state", "never:10"},
		"not told":    {nil, "", "untold:10"},
		"at its end":  {new(1.0), "warmup", "warming:10"},
		"out of mind": {new(7.0), "warmup", "warming:10"},
	} {
		var got []string
		for _, s := range strokes(steady.Inside{SteadyFrom: c.from, Class: c.class}, values) {
			got = append(got, s.Class+":"+strconv.Itoa(len(s.Points)))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// The begin of the steady state in the median is drawn, and says of how many it is.
func TestSettled(t *testing.T) {
	trace := func(froms ...*float64) string {
		var runs []steady.Inside
		for _, from := range froms {
			runs = append(runs, steady.Inside{SteadyFrom: from, Trace: []float64{2, 1}})
		}
		svg, _ := Traces("x", "ns", runs, 100, 3)
		return svg
	}
	if svg := trace(new(0.5), new(0.1), new(0.2), nil); !strings.Contains(svg, `<line class="settled" x1="44"`) || !strings.Contains(svg, "steady from 20 % on (3 of 4)") {
		t.Errorf("%s", svg)
	}
	if svg := trace(nil, nil, nil, nil); strings.Contains(svg, "settled") || strings.Contains(svg, "steady from") {
		t.Errorf("%s", svg)
	}
}

// Neighbours' means are kept where a trace is made coarser.
func TestCoarser(t *testing.T) {
	if got := coarser([]float64{1, 3, 5, 7, 9}, 2); len(got) != 2 || got[0] != 2 || got[1] != 7 {
		t.Errorf("%v", got)
	}
	if got := coarser([]float64{1, 3}, 5); len(got) != 2 {
		t.Errorf("%v", got)
	}
}

// The more windows begin later, the darker.
func TestDarker(t *testing.T) {
	for name, c := range map[string]struct {
		froms []float64
		want  []Span
	}{
		"none":     {[]float64{0, 0}, nil},
		"all half": {[]float64{0.5, 0.5}, []Span{{From: 0, To: 0.5, Class: "before", opacity: 0.4}}},
		"two":      {[]float64{0.5, 0.25}, []Span{{From: 0, To: 0.25, Class: "before", opacity: 0.4}, {From: 0.25, To: 0.5, Class: "before", opacity: 0.25}}},
	} {
		got := darker(c.froms)
		if len(got) != len(c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: %v, want %v", name, got, c.want)
			}
		}
	}
}

// The mean is that of all invocations, up to the end of the shortest; peaks of the warm-up are cut off where they would
// flatten the window.
func TestTraces(t *testing.T) {
	level := func(n int, first, rest float64) []float64 {
		return append([]float64{first}, slices.Repeat([]float64{rest}, n-1)...)
	}
	svg, mean := Traces("x", "ns", []steady.Inside{
		{Trace: level(10, 900, 100), From: 0.1}, {Trace: level(8, 700, 104), From: 0.125}, {Trace: level(9, 500, 102), From: 0.2},
	}, 100, 2, "about", "")
	if len(mean) != 8 || mean[0] != 700 || mean[7] != 102 {
		t.Errorf("mean %v", mean)
	}
	for _, want := range []string{"100.0 ns … 900.0 ns, drawn up to 105.0 ns, 2 of 3 drawn", "<small><span>about</span></small>"} {
		if !strings.Contains(svg, want) {
			t.Errorf("it does not say %q:\n%s", want, svg)
		}
	}
	if n := strings.Count(svg, "<small>"); n != 2 {
		t.Errorf("%d lines of text", n)
	}
	from := 0.1
	for n, want := range map[int]string{1: "steady from 10 % on (1 of 2)", 2: "steady from 10 % on</span>"} {
		runs := []steady.Inside{{Trace: level(10, 9, 1), From: 0.1}, {Trace: level(10, 9, 1), From: 0.1}}
		for i := range n {
			runs[i].SteadyFrom = &from
		}
		if said, _ := Traces("x", "ns", runs, 100, 2); !strings.Contains(said, want) {
			t.Errorf("it does not say %q:\n%s", want, said)
		}
	}
	if flat, _ := Traces("x", "ns", []steady.Inside{{Trace: []float64{5, 5}}}, 100, 1); strings.Contains(flat, "drawn") || strings.Contains(flat, "NaN") {
		t.Errorf("%s", flat)
	}
}
