package numbers

import (
	"strings"
	"testing"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
)

// TestMarginsAtTheirEdges: a bare number has the unit of the numbers. A margin that becomes 0 in it is refused.
func TestMarginsAtTheirEdges(t *testing.T) {
	for _, unit := range []string{"ns", "B", "us"} {
		if m, err := ParseMargin("0.3", unit); err != nil || m != (Margin{0.3, false}) {
			t.Errorf("0.3 in %s: %v, %v", unit, m, err)
		}
	}
	if m, err := ParseMargin("1e-320ns", "s"); err == nil || !strings.Contains(err.Error(), "can't be expressed") {
		t.Errorf("nothing is left of it: %v, %v", m, err)
	}
	if m, err := ParseMargin("1e-300ns", "s"); err != nil || m.Size <= 0 {
		t.Errorf("something is left of it: %v, %v", m, err)
	}
}

// TestSummaryOfDifferences: a summary of differences alone is compared with 0.
func TestSummaryOfDifferences(t *testing.T) {
	r, err := Compare(options(Paired), []Sample{{Name: "d", Summary: &Summary{Mean: 5, SD: 1, N: 16}}})
	if err != nil {
		t.Fatal(err)
	}
	c := r.Comparisons[0]
	if s := c.Statistic; c.Verdict != infer.Higher || *s.DF != 15 || s.Value != 20 || c.B.Name != "0" {
		t.Errorf("%+v", c)
	}
}

// TestPairsOfRates: arms that are compared run by run have as many runs as the first one.
func TestPairsOfRates(t *testing.T) {
	o := options(Poisson)
	o.Paired = true
	arms := []Counts{arm("new", 24, 27, 22), arm("old", 47, 55), arm("older", 48)}
	_, err := CompareRates(o, arms)
	for _, want := range []string{"old: holds 2 runs, and new 3: ", "older: holds 1 runs, and new 3: "} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestIntervalsInWords: a one-sided question has an interval only where both of its ends say something.
func TestIntervalsInWords(t *testing.T) {
	half, nothing, two := 0.5, 0.0, 2.0
	for _, c := range []struct {
		asked     stats.Alternative
		low, high *float64
		want      string
	}{
		{stats.TwoSided, &nothing, &two, "95 % CI 0.000 … 2.000"},
		{stats.Less, &half, &two, "95 % CI 0.500 … 2.000"},
		{stats.Less, &nothing, &two, "95 % bound: at most 2.000 times"},
		{stats.Greater, &half, nil, "95 % bound: at least 0.5000 times"},
		{stats.Less, nil, nil, "without a bound at 95 %"},
	} {
		e := &Estimate{Low: c.low, High: c.high, Level: 0.95, Neutral: 1}
		compared := &comparison{Options: Options{Alternative: c.asked}, Comparison: &Comparison{Estimate: e}}
		if got := compared.interval(); got != c.want {
			t.Errorf("%s from %v to %v: %s, want %s", c.asked, c.low, c.high, got, c.want)
		}
	}
}

// TestNumeric: a field was meant as a number if it begins like one, behind its sign.
func TestNumeric(t *testing.T) {
	for field, want := range map[string]bool{
		"": false, " ": false, "+": false, "-.": false, "x1": false, "/": false, ":": false,
		"0": true, "9": true, " -.5x": true, "1,5": true, "NaN": true, "3 ns": true,
	} {
		if got := numeric(field); got != want {
			t.Errorf("%q: %t", field, got)
		}
	}
}

// TestUnequalPairs: samples that are paired have as many values as the first one.
func TestUnequalPairs(t *testing.T) {
	six, two := Sample{Name: "six", Values: make([]float64, 6)}, Sample{Name: "two", Values: make([]float64, 2)}
	_, err := Compare(options(Paired), []Sample{six, two, six})
	const want = "two: holds 2 values, and six holds 6: pairs need as many"
	if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestQuote: a text in a message has forty characters at most.
func TestQuote(t *testing.T) {
	for n, want := range map[int]string{40: strings.Repeat("ä", 40), 41: strings.Repeat("ä", 40) + "…"} {
		if got := quote(strings.Repeat("ä", n)); got != `"`+want+`"` {
			t.Errorf("%d characters: %s", n, got)
		}
	}
}
