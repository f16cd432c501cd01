package report

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moobench/analysis/history"
)

// Whatever the nights say, the drawing stays inside its frame, and has a place
// for each of them.
func TestTrendPlotStaysInside(t *testing.T) {
	places := regexp.MustCompile(` (?:x|x1|x2|width|d|points)="([^"]*)"`)
	numbers, dots := regexp.MustCompile(`-?\d+(\.\d+)?`), regexp.MustCompile(`<path class="plain [^"]*" d="([^"]*)"`)
	ticks := regexp.MustCompile(`<text class="quiet"[^>]*>([^<]*)<`)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "nights")
		s := madeUpSeries("x", n, 0, 0, 1)
		value := rapid.Float64Range(-300, 300)
		for i := range s.Nights {
			s.Nights[i].Log = value.Draw(t, "log")
			s.Nights[i].Raw = rapid.Float64Range(0, 1e18).Draw(t, "raw")
			s.Nights[i].SE = rapid.Float64Range(0, 20).Draw(t, "se")
		}
		s.Segments = []history.Segment{{First: 0, Last: n - 1, Mean: value.Draw(t, "mean")}}
		s.Changes = []history.Change{{Night: rapid.IntRange(0, n-1).Draw(t, "change")}}
		svg := newTrend(findingsOf(s)).figure(&s, "x").SVG
		for _, place := range places.FindAllStringSubmatch(svg, -1) {
			for _, number := range numbers.FindAllString(place[1], -1) {
				if v, err := strconv.ParseFloat(number, 64); err != nil || v < 0 || v > 960 {
					t.Fatalf("%q leaves the frame: %s", number, place[0])
				}
			}
		}
		if got := strings.Count(dots.FindStringSubmatch(svg)[1], "M"); got != n {
			t.Fatalf("%d dots for %d nights", got, n)
		}
		for _, tick := range ticks.FindAllStringSubmatch(svg, -1) {
			if strings.ContainsAny(tick[1], "NI") {
				t.Fatalf("tick %s", tick[1])
			}
		}
	})
}

// The half-width is that of the t interval: 2.1448 standard errors with 14
// degrees of freedom (R: qt(0.975, 14)).
func TestHalfWidths(t *testing.T) {
	f := newTrend(&history.Findings{})
	for range 2 {
		if got := f.half(&history.Night{SE: 0.01, DF: 14}); math.Abs(got-0.02144787) > 1e-8 {
			t.Errorf("half-width %v", got)
		}
	}
	if got := f.half(&history.Night{SE: 0, DF: 14}); got != 0 {
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
