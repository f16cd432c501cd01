package report

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moobench/analysis/history"
)

// Whatever the nights say, the drawing stays inside its frame, and has a place
// for each of them.
func TestTrendPlotStaysInside(t *testing.T) {
	numbers := regexp.MustCompile(`-?\d+`)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "nights")
		s := madeUpSeries("x", n, 0, 0, 1)
		value := rapid.Float64Range(-300, 300)
		for i := range s.Nights {
			s.Nights[i].Log = value.Draw(t, "log")
			s.Nights[i].Raw = rapid.Float64Range(0, 1e18).Draw(t, "raw")
		}
		s.Segments = []history.Segment{{First: 0, Last: n - 1, Mean: value.Draw(t, "mean")}}
		s.Changes = []history.Change{{Night: rapid.IntRange(0, n-1).Draw(t, "change")}}
		halves := make([]float64, n)
		for i := range halves {
			halves[i] = rapid.Float64Range(0, 50).Draw(t, "half")
		}
		p := newTrendPlot(&s, halves)
		for _, path := range []string{p.Line, p.Dots, p.Whiskers, p.Raw, p.RawBase} {
			for _, number := range numbers.FindAllString(path, -1) {
				if v, err := strconv.Atoi(number); err != nil || v < 0 || v > trendWidth {
					t.Fatalf("%q leaves the frame: %s", number, path)
				}
			}
		}
		if got := strings.Count(p.Dots, "M"); got != n {
			t.Fatalf("%d dots for %d nights", got, n)
		}
		ticks := append(slices.Clone(p.Ticks), p.Days...)
		for _, tick := range ticks {
			if tick.At < 0 || tick.At > trendWidth || strings.ContainsAny(tick.Text, "NI") {
				t.Fatalf("tick %+v", tick)
			}
		}
	})
}

// The half-width is that of the t interval: 2.1448 standard errors with 14
// degrees of freedom (R: qt(0.975, 14)).
func TestHalfWidths(t *testing.T) {
	h := halfWidths{}
	for range 2 {
		if got := h.of(&history.Night{SE: 0.01, DF: 14}); math.Abs(got-0.02144787) > 1e-8 {
			t.Errorf("half-width %v", got)
		}
	}
	if got := h.of(&history.Night{SE: 0, DF: 14}); got != 0 {
		t.Errorf("a night without spread has the half-width %v", got)
	}
}

func TestShortCommit(t *testing.T) {
	for commit, want := range map[string]string{
		"":                       "",
		"abc":                    "abc",
		strings.Repeat("a1", 20): "a1a1a1a1a",
		"v1.2.3-rc1":             "v1.2.3-rc1",
	} {
		if got := shortCommit(commit); got != want {
			t.Errorf("%q is called %q, want %q", commit, got, want)
		}
	}
}
