package saturation

import (
	"strings"
	"testing"

	"moobench/results"
)

func number(x float64) *float64 { return &x }

// A knee is a number with its bounds, or what bounds it.
func TestKneeInWords(t *testing.T) {
	for _, c := range []struct {
		name                  string
		k                     Knee
		figure, interval, why string
	}{
		{
			"both bounds",
			Knee{JVMs: 10, Value: number(23_444), Low: number(21_000), High: number(25_151), Below: number(26_000), Lost: 10},
			"23,400", "21,000 … 25,200", "above it, records are lost",
		},
		{
			"open above",
			Knee{JVMs: 4, Above: number(99_000), Low: number(99_000)},
			"above 99,000", "above 99,000", "no rate that was tried is too high",
		},
		{
			"open below",
			Knee{JVMs: 4, Below: number(1_000), High: number(1_000), Slowed: 4},
			"below 1,000", "below 1,000", "above it, calls take too long for the rate, and no record is lost",
		},
		{
			"some JVMs",
			Knee{JVMs: 5, Above: number(9_000), Lost: 1, Slowed: 1},
			"above 9,000", "nothing bounds it",
			"no rate that was tried is too high, but in 2 of 5 JVMs: there records are lost (1 JVM) or calls " +
				"take too long for the rate (1)",
		},
		{"nothing", Knee{}, "–", "nothing bounds it", "no rate that was tried is too high"},
	} {
		if got := c.k.figure(); got != c.figure {
			t.Errorf("%s: figure %q, want %q", c.name, got, c.figure)
		}
		if got := c.k.interval(); got != c.interval {
			t.Errorf("%s: interval %q, want %q", c.name, got, c.interval)
		}
		if got := c.k.why(); got != c.why {
			t.Errorf("%s: %q, want %q", c.name, got, c.why)
		}
	}
	few := Curve{Knee: &Knee{JVMs: 3, Value: number(5_000), Low: number(4_000), High: number(6_000)}}
	if got := few.words(); !strings.HasPrefix(got, "sustains 5,000 calls per second (4,000 … 6,000 over all of 3 JVMs; an interval needs six): ") {
		t.Errorf("%s", got)
	}
	if got := (&Curve{}).words(); got != "no JVM shows which rate it sustains" {
		t.Errorf("%s", got)
	}
}

// Rates below ten thousand are printed to three digits, and no rate gets digits that it has not.
func TestPerSecond(t *testing.T) {
	for x, want := range map[float64]string{123: "123", 99.4: "99", 1_234: "1,230", 1_235_000: "1,240,000", 7: "7"} {
		if got := perSecond(x); got != want {
			t.Errorf("%v: %s, want %s", x, got, want)
		}
	}
}

// If the baseline bears no more, the calling program is the limit.
func TestFixtureIsTheLimit(t *testing.T) {
	c := &results.Campaign{Cells: []results.Cell{{ID: "n"}, {ID: "a", Baseline: "n"}}}
	curves := func(baseHigh, baseLow, low, high float64, slowed int) Curves {
		return Curves{
			{Cell: "n", Knee: &Knee{Value: number(50_000), Low: &baseLow, High: &baseHigh, Slowed: 3}},
			{Cell: "a", Knee: &Knee{Low: &low, High: &high, Slowed: slowed}},
		}
	}
	without := func(all Curves, i int) Curves { // of the end that is looked at
		if k := all[i].Knee; i == 0 {
			k.Low = nil
		} else {
			k.High = nil
		}
		return all
	}
	for _, tt := range []struct {
		name string
		all  Curves
		want bool
	}{
		{"as much as the baseline", curves(55_000, 45_000, 44_000, 46_000, 2), true},
		{"up to where the baseline's begins", curves(55_000, 45_000, 40_000, 45_000, 2), true},
		{"the baseline has no lower end", without(curves(55_000, 45_000, 44_000, 46_000, 2), 0), false},
		{"it has no upper end", without(curves(55_000, 45_000, 44_000, 46_000, 2), 1), false},
		{"less", curves(55_000, 45_000, 20_000, 30_000, 2), false},
		{"it loses records instead", curves(55_000, 45_000, 44_000, 46_000, 0), false},
	} {
		s := tt.all[1]
		s.fixtures(c, tt.all)
		if got := len(s.Caveats) == 1 && strings.Contains(s.Caveats[0], "without it, no more calls per second are made either (50,000)"); got != tt.want {
			t.Errorf("%s: %q", tt.name, s.Caveats)
		}
	}
}

// Figures of a window are per call, and shares of records never exceed the whole.
func TestFiguresOfAWindow(t *testing.T) {
	w := results.Rated{Calls: 100, Made: 100, BusyNS: 5_000, LateNS: 1_000, CPUNS: 20_000, Delivered: 120}
	if callOf(w) != 50 || fromDueOf(w) != 60 || cpuOf(w) != 200 {
		t.Errorf("%v, %v, %v", callOf(w), fromDueOf(w), cpuOf(w))
	}
	w.CPUNS = -1
	if x := cpuOf(w); x == x {
		t.Errorf("unknown CPU time is %v", x)
	}
}
