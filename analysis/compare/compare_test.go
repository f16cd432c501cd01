package compare

import (
	"errors"
	"math"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/infer"
	"moobench/analysis/internal/testnumber"
	"moobench/results"
)

// twoSided is P(|T| > t) for an even number of degrees of freedom, by the finite
// series of Abramowitz and Stegun 1964, 26.7.3: another way than that of stats.
func twoSided(t float64, df int) float64 {
	theta := math.Atan(t / math.Sqrt(float64(df)))
	term, sum := 1.0, 1.0
	for k := 2; k <= df-2; k += 2 {
		term *= float64(k-1) / float64(k) * math.Cos(theta) * math.Cos(theta)
		sum += term
	}
	return 1 - math.Sin(theta)*sum
}

// Two campaigns of five blocks, each with a standard error of 0.01/sqrt 2: the
// difference has one of 0.01, and eight degrees of freedom. From tables,
// t(8; 0.025) = 2.306004 and t(8; 0.05) = 1.859548.
func five(log float64) made {
	c := variant("kieker/bci/collect", log, 0.01/math.Sqrt2)
	c.df, c.n = 4, 5
	return c
}

func TestVerdicts(t *testing.T) {
	for name, c := range map[string]struct {
		older, newer float64
		better       results.Better
		margin       float64
		want         infer.Judgement
	}{
		"dearer":                {0.5, 0.55, results.Lower, 0, infer.Differs},
		"cheaper":               {0.55, 0.5, results.Lower, 0, infer.Differs},
		"more is better":        {0.5, 0.55, results.Higher, 0, infer.Differs},
		"less is not":           {0.55, 0.5, results.Higher, 0, infer.Differs},
		"nobody judges":         {0.5, 0.55, results.Neither, 0, infer.Changed},
		"within the margin":     {0.5, 0.501, results.Lower, 0, infer.Same},
		"shown, and within it":  {0.5, 0.55, results.Lower, 0.1, infer.Same},
		"just beyond":           {0.5, 0.52307, results.Lower, 0.01, infer.Differs}, // 0.02307 > 2.306004 · 0.01
		"just not":              {0.5, 0.52305, results.Lower, 0.01, infer.UndecidedYet},
		"too wide to be within": {0.5, 0.501, results.Lower, 0.01, infer.UndecidedYet},
	} {
		older, newer := night(1, baseline(1000), five(c.older)), night(2, baseline(1000), five(c.newer))
		for _, a := range []*analysis.Answers{older, newer} {
			a.Scenarios[0].Metrics[0].Better = c.better
		}
		got := only(t, compared(t, older, newer, Options{Margin: c.margin}), "kieker/bci/collect")
		if got.Verdict != c.want {
			t.Errorf("%s: %s, want %s", name, got.Verdict, c.want)
		}
		if (got.Estimate.Detectable != nil) != (c.want == infer.UndecidedYet) {
			t.Errorf("%s: detectable %v", name, got.Estimate.Detectable)
		}
	}
}

// What is worse and what is better takes what nights differ by; without it two
// campaigns differ tonight.
func TestDirections(t *testing.T) {
	older, newer := night(1, baseline(1000), five(0.5)), night(2, baseline(1000), five(0.55))
	up := only(t, compared(t, older, newer, Options{Margin: 0.01}), "kieker/bci/collect")
	down := only(t, compared(t, newer, older, Options{Margin: 0.01}), "kieker/bci/collect")
	known := &Between{SD: 0.001, Nights: 10}
	for _, c := range []struct {
		change  Change
		between *Between
		better  results.Better
		want    infer.Judgement
	}{
		{up, known, results.Lower, infer.Regression},
		{up, known, results.Higher, infer.Improvement},
		{down, known, results.Lower, infer.Improvement},
		{down, known, results.Higher, infer.Regression},
		{up, known, results.Neither, infer.Changed},
		{up, nil, results.Lower, infer.Differs},
		{down, nil, results.Higher, infer.Differs},
		{up, nil, results.Neither, infer.Changed},
	} {
		c.change.Between = c.between
		if got := (contrast{Change: &c.change}).verdict(c.change.Estimate, c.better); got != c.want {
			t.Errorf("%v, %s is better, between nights %v: %s, want %s", c.change.Estimate.Value, c.better, c.between, got, c.want)
		}
	}
}

func TestReferenceValues(t *testing.T) {
	got := only(t, compared(t, night(1, baseline(1000), five(0.5)), night(2, baseline(1100), five(0.55)), Options{}), "kieker/bci/collect")
	e := got.Estimate
	for what, pair := range map[string][2]float64{
		"ratio": {e.Value, math.Exp(0.05)}, "low": {e.Interval.Low, math.Exp(0.05 - 0.02306004)}, "high": {e.Interval.High, math.Exp(0.05 + 0.02306004)},
		"level": {e.Interval.Level, 0.95}, "t": {e.Test.T, 5}, "df": {e.Test.DF, 8}, "p": {e.Test.P, twoSided(5, 8)}, "se": {*got.SE, 0.01}, "Holm": {*got.PHolm, twoSided(5, 8)},
		"equivalence low": {got.Equivalence.Interval.Low, math.Exp(0.05 - 0.01859548)}, "equivalence high": {got.Equivalence.Interval.High, math.Exp(0.05 + 0.01859548)},
	} {
		if !testnumber.Near(pair[0], pair[1], 1e-6) {
			t.Errorf("%s: %v, want %v", what, pair[0], pair[1])
		}
	}
	if !got.Relative || got.Raw || got.Family != 1 {
		t.Errorf("%+v", got)
	}
}

// METHOD: two samples of five find 2.02 standard deviations of one value.
func TestDetectable(t *testing.T) {
	wide := func(log float64) made {
		c := five(log)
		c.se = 0.1 / math.Sqrt2
		return c
	}
	got := only(t, compared(t, night(1, baseline(1000), wide(0.5)), night(2, baseline(1000), wide(0.5)), Options{}), "kieker/bci/collect")
	if got.Verdict != infer.UndecidedYet || got.Estimate.Detectable == nil {
		t.Fatalf("%+v", got)
	}
	if d := math.Log1p(*got.Estimate.Detectable); !testnumber.Near(d, 2.02*0.1*math.Sqrt(5.0/2), 0.005) {
		t.Errorf("detects a logarithm of %v", d)
	}
}

// The degrees of freedom of a sized scenario are its pilot's, whatever the number
// of blocks: they and the standard error come from the interval.
func TestStein(t *testing.T) {
	sized := variant("kieker/bci/collect", 0.5, 0.004)
	sized.n, sized.df = 40, 9
	fixed := variant("kieker/bci/collect", 0.52, 0.003)
	fixed.n, fixed.df = 20, 19
	got := only(t, compared(t, night(1, baseline(1000), sized), night(2, baseline(1000), fixed), Options{}), "kieker/bci/collect")
	df := 0.005 * 0.005 * 0.005 * 0.005 / (math.Pow(0.004, 4)/9 + math.Pow(0.003, 4)/19)
	if !testnumber.Near(*got.SE, 0.005, 1e-9) || !testnumber.Near(got.Estimate.Test.DF, df, 1e-9) || got.Estimate.N != 20 {
		t.Errorf("se %v df %v n %d, want 0.005, %v and 20", *got.SE, got.Estimate.Test.DF, got.Estimate.N, df)
	}
}

// A sized interval of 98.75 % has the same standard error as one of 95 %.
func TestLevelOfTheReportDoesNotMatter(t *testing.T) {
	older, newer := night(1, baseline(1000), five(0.5)), night(2, baseline(1000), five(0.55))
	want := only(t, compared(t, older, newer, Options{}), "kieker/bci/collect")
	e := older.Scenarios[0].Cells[1].Metrics[0].Ratio
	// t(4; 0.00625) = 4.314700
	low, high := 0.5-4.3146995*0.01/math.Sqrt2, 0.5+4.3146995*0.01/math.Sqrt2
	e.Interval = &analysis.Interval{Low: math.Exp(low), High: math.Exp(high), Level: 0.9875}
	got := only(t, compared(t, older, newer, Options{}), "kieker/bci/collect")
	if !testnumber.Near(*got.SE, *want.SE, 1e-5) {
		t.Errorf("se %v, want %v", *got.SE, *want.SE)
	}
}

// Four variants of a level share 5 %; baselines and A/As stand by themselves and
// are not judged.
func TestFamily(t *testing.T) {
	cells := func(shift float64) []made {
		aa := variant("none", shift, 0.01/math.Sqrt2)
		aa.role, aa.variant = results.RoleAA, "none#aa"
		all := []made{baseline(1000 * (1 + shift)), aa}
		for _, name := range []string{"a", "b", "c", "d"} {
			all = append(all, five(0.5))
			all[len(all)-1].variant = name
		}
		all[2].log += shift
		deep := five(0.7)
		deep.variant, deep.level = "a", "10"
		return append(all, deep)
	}
	c := compared(t, night(1, cells(0)...), night(2, cells(0.05)...), Options{})
	a := only(t, c, "a")
	if a.Family != 4 || !testnumber.Near(a.Estimate.Interval.Level, 0.9875, 1e-12) || a.Verdict != infer.Differs || !testnumber.Near(*a.PHolm, 4*twoSided(5, 8), 1e-6) {
		t.Errorf("a: %+v", a)
	}
	if deep := only(t, c, "a depth=10"); deep.Family != 1 || deep.Estimate.Interval.Level != 0.95 {
		t.Errorf("another level: %+v", deep)
	}
	aa, none := only(t, c, "none#aa"), only(t, c, "none")
	if aa.Family != 1 || aa.Verdict != infer.Changed || aa.Raw {
		t.Errorf("A/A: %+v", aa)
	}
	if none.Verdict != infer.Changed || !none.Raw || !none.Relative || !testnumber.Near(none.Estimate.Value, 1.05, 1e-9) {
		t.Errorf("baseline: %+v", none)
	}
	if m := c.Scenarios[0].Metrics[0]; m.Count(infer.Differs) != 1 || m.Count(infer.Changed) != 0 || m.Count(infer.UndecidedYet)+m.Count(infer.Same) != 4 {
		t.Errorf("%d differ", m.Count(infer.Differs))
	}
}

// Of two changes the second may have a p of Holm's below 5 % and an interval that
// holds no change: t = 2.5 with 8 degrees of freedom is p = 0.037, and t(8; 0.0125)
// is 2.75. That is said, and only then.
func TestHolmIsSharperThanTheIntervals(t *testing.T) {
	two := func(a, b float64) []made {
		x, y := five(0.5+a), five(0.5+b)
		x.variant, y.variant = "a", "b"
		return []made{baseline(1000), x, y}
	}
	for name, c := range map[string]struct {
		a, b    float64
		verdict infer.Judgement
		want    string
	}{
		"one undecided":  {0.05, 0.025, infer.UndecidedYet, "b (duration): Holm's p is below 0.05, although the simultaneous interval leaves the change undecided"},
		"both shown":     {0.05, 0.05, infer.Differs, ""},
		"neither is":     {0, 0.025, infer.UndecidedYet, ""},
		"in the margin":  {0.05, 0.0, infer.Same, ""},
		"by a hair less": {0.05, 0.0230, infer.UndecidedYet, ""},
	} {
		got := compared(t, night(1, two(0, 0)...), night(2, two(c.a, c.b)...), Options{})
		if v := only(t, got, "b").Verdict; v != c.verdict {
			t.Errorf("%s: %s, want %s", name, v, c.verdict)
		}
		if n := len(got.Notes); c.want == "" && n != 1 || c.want != "" && (n != 2 || !strings.HasPrefix(got.Notes[1], c.want)) {
			t.Errorf("%s: notes %q", name, got.Notes)
		}
	}
	several, err := Several([]*analysis.Answers{night(1, two(0, 0)...), night(2, two(0.05, 0.05)...), night(3, two(0.05, 0.026)...)}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := "b (duration, C): Holm's p is below 0.05"
	if n := several.Notes; len(n) != 2 || !strings.HasPrefix(n[1], want) {
		t.Errorf("notes %q, want %s", n, want)
	}
}

// What has no ratio is compared in its own unit: a baseline that allocates
// nothing.
func TestWithoutRatio(t *testing.T) {
	bytes := func(day int, added, se float64) *analysis.Answers {
		a := night(day, baseline(1000), variant("x", 0.5, 0.01))
		a.Scenarios[0].Metrics[0] = results.Metric{Name: "duration", Unit: "B", Better: results.Lower, Profile: results.ProfileTiming}
		x := &a.Scenarios[0].Cells[1].Metrics[0]
		x.Ratio, x.NoRatio = nil, "a value is 0 or below, so there is no ratio"
		x.Mean, x.Difference = estimate(added, se, 9, 10), estimate(added, se, 9, 10)
		zero := &a.Scenarios[0].Cells[0].Metrics[0]
		zero.Mean = estimate(0, 0, 9, 10)
		return a
	}
	for name, c := range map[string]struct {
		older, newer, se float64
		want             infer.Judgement
	}{
		"more":          {48, 56, 0.5, infer.Differs},
		"less":          {56, 48, 0.5, infer.Differs},
		"the same":      {48, 48.1, 0.1, infer.Same}, // within 3 % of 48
		"undecided":     {48, 50, 2, infer.UndecidedYet},
		"never varies":  {48, 48, 0, infer.Same},
		"nothing twice": {0, 0, 0, infer.Same},
	} {
		comparison := compared(t, bytes(1, c.older, c.se), bytes(2, c.newer, c.se), Options{})
		got := only(t, comparison, "x")
		if got.Verdict != c.want || got.Relative || got.Estimate.Value != c.newer-c.older {
			t.Errorf("%s: %+v", name, got)
		}
		if base := only(t, comparison, "none"); base.Verdict != infer.Same || !base.Raw || base.Relative {
			t.Errorf("%s: baseline %+v", name, base)
		}
	}
}

// Without pairs the ratio is that of the means: errors of 0.4 % and 0.3 % make
// one of 0.5 %.
func TestUnordered(t *testing.T) {
	unordered := func(day int, mean float64) *analysis.Answers {
		x := variant("x", math.Log(mean/1000), 1)
		x.sem = 0.004 * mean
		base := baseline(1000)
		base.sem = 3
		a := night(day, base, x)
		a.Campaign.Design, a.Campaign.Source = results.DesignUnordered, "jtl"
		answer := &a.Scenarios[0].Cells[1].Metrics[0]
		answer.Ratio, answer.NoRatio = nil, "unordered: there are no pairs"
		return a
	}
	got := only(t, compared(t, unordered(1, 2000), unordered(2, 2200), Options{}), "x")
	if !got.Relative || got.Raw || !testnumber.Near(got.Estimate.Value, 1.1, 1e-9) || !testnumber.Near(*got.SE, 0.005*math.Sqrt2, 1e-9) {
		t.Errorf("%+v, se %v", got, *got.SE)
	}
}

func TestNoAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*analysis.Cell)
		want  string
	}{
		"void": {func(c *analysis.Cell) { c.Invalid = "not instrumented: no record arrived" }, "new: not instrumented"},
		"no pairs": {func(c *analysis.Cell) {
			c.Metrics[0].Ratio, c.Metrics[0].Difference, c.Metrics[0].NoDifference = nil, nil, "no block holds both"
		}, "new: no block holds both"},
		"nothing": {func(c *analysis.Cell) {
			c.Metrics[0] = analysis.MetricAnswer{Metric: "duration", Absent: "no invocation observed it"}
		}, "new: no invocation observed it"},
		"one block": {func(c *analysis.Cell) { c.Metrics[0].Ratio = ratio(0.5, 0, 0, 1) }, "only one block: "},
		"a rate":    {func(c *analysis.Cell) { c.Metrics[0].Rate = &analysis.Rate{Arm: infer.Arm{PerMillion: 3}} }, "new: rates of events"},
	} {
		newer := night(2, baseline(1000), variant("x", 0.5, 0.01))
		c.spoil(&newer.Scenarios[0].Cells[1])
		got := only(t, compared(t, night(1, baseline(1000), variant("x", 0.5, 0.01)), newer, Options{}), "x")
		if got.Verdict != infer.NotJudged || !strings.HasPrefix(got.Absent, c.want) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// Other metrics are there when they are asked for, and have an answer.
func TestMetrics(t *testing.T) {
	with := func(day int, key bool) *analysis.Answers {
		a := night(day, baseline(1000), variant("x", 0.5, 0.01))
		s := &a.Scenarios[0]
		s.Metrics = append(s.Metrics, results.Metric{Name: "rss", Unit: "B", Key: key}, results.Metric{Name: "never", Unit: "B", Key: true})
		for i := range s.Cells {
			other := s.Cells[i].Metrics[0]
			other.Metric = "rss"
			s.Cells[i].Metrics = append(s.Cells[i].Metrics, other, analysis.MetricAnswer{Metric: "never", Absent: "no invocation observed it"})
		}
		return a
	}
	for name, c := range map[string]struct {
		key, all bool
		want     int
	}{"key": {true, false, 2}, "neither": {false, false, 1}, "all": {false, true, 2}} {
		got := compared(t, with(1, c.key), with(2, c.key), Options{All: c.all}).Scenarios[0].Metrics
		if len(got) != c.want || !got[0].Primary {
			t.Errorf("%s: %d metrics, want %d", name, len(got), c.want)
		}
	}
}

func TestMatching(t *testing.T) {
	deep := variant("x", 0.5, 0.01)
	deep.level = "10"
	base10 := baseline(1000)
	base10.level = "10"
	other := variant("gone", 0.5, 0.01)
	older := night(1, baseline(1000), variant("x", 0.5, 0.01), other)
	older.Scenarios[0].Common = append(older.Scenarios[0].Common, results.Value{Name: "depth", Value: "10", Unit: "calls"})
	shallow, base1 := deep, base10
	shallow.level, base1.level = "1", "1"
	newer := night(2, base1, shallow, base10, deep)
	c := compared(t, older, newer, Options{})
	if got := only(t, c, "x"); got.Estimate == nil || got.Estimate.Value != 1 {
		t.Errorf("what is fixed in one campaign is a factor of the other: %+v", got)
	}
	var lacking []string
	for _, o := range c.Only {
		lacking = append(lacking, o.Cell+" "+strings.Join(o.In, ","))
	}
	if got := strings.Join(lacking, "; "); got != "gone old; none depth=1 new; x depth=1 new" {
		t.Errorf("only: %s", got)
	}
	strange := night(2, baseline(1000))
	strange.Scenarios[0].Label = "other"
	if _, err := two(older, strange, Options{}); !errors.Is(err, ErrNothing) {
		t.Errorf("nothing in common: %v", err)
	}
	for _, margin := range []float64{-0.1, math.NaN(), math.Inf(1)} {
		if _, err := two(older, older, Options{Margin: margin}); err == nil {
			t.Errorf("a margin of %v is none", margin)
		}
	}
	if _, err := Several([]*analysis.Answers{older}, Options{}); err == nil {
		t.Error("one campaign is not a comparison")
	}
}

// Three campaigns: the changes of both later ones are one family.
func TestSeveral(t *testing.T) {
	gone := night(3, baseline(1000), variant("y", 0.4, 0.01))
	c, err := Several([]*analysis.Answers{
		night(1, baseline(1000), variant("x", 0.5, 0.005), variant("y", 0.4, 0.01)),
		night(2, baseline(1000), variant("x", 0.6, 0.005), variant("y", 0.4, 0.01)),
		gone,
	}, Options{Folders: []string{"one", "two"}})
	if err != nil {
		t.Fatal(err)
	}
	rows := c.Scenarios[0].Metrics[0].Rows
	if len(rows) != 3 || len(rows[1].Changes) != 1 || len(rows[2].Changes) != 2 || rows[1].Changes[0].Family != 3 || rows[1].Changes[0].Campaign != "B" || rows[1].Changes[0].Verdict != infer.Differs {
		t.Errorf("%+v", rows)
	}
	if rows[1].Sides[2].Absent == "" || c.Campaigns[0].Title != "A" || c.Campaigns[1].Folder != "two" || c.Campaigns[2].Folder != "" {
		t.Errorf("%+v %+v", rows[1].Sides, c.Campaigns)
	}
	if !strings.HasPrefix(c.Notes[0], "each campaign is one night: "+notIncluded) {
		t.Errorf("%q", c.Notes)
	}
}

func TestCampaigns(t *testing.T) {
	newer := night(2, baseline(1000), variant("x", 0.5, 0.01))
	newer.Scenarios[0].AA = []analysis.AA{{State: analysis.AAFailed, Text: analysis.Sentence{Opening: "failed", Rest: "two equal baselines differ"}, Level: "depth=1"}, {State: analysis.AAResolves, Text: analysis.Sentence{Rest: "resolves 1 %"}}}
	newer.Unanswered = []string{"overhead: the A/A at depth=1 failed"}
	c := compared(t, night(1, baseline(1000), variant("x", 0.5, 0.01)), newer, Options{})
	if got := c.Campaigns[1].Failed; len(got) != 1 || got[0] != "overhead depth=1: two equal baselines differ" || !c.Incomplete() {
		t.Errorf("%q, incomplete %v", got, c.Incomplete())
	}
	if c.Campaigns[0].Title != "old" || c.Campaigns[1].Title != "new" || c.Campaigns[0].Machines[0] != "bench-01 Made-up 7402P (m1)" || c.Campaigns[0].Moobench != "0.1.0" {
		t.Errorf("%+v", c.Campaigns[0])
	}
	if !strings.HasPrefix(c.Notes[0], "one night against one night: "+notIncluded) {
		t.Errorf("%q", c.Notes)
	}
}
