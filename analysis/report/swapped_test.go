package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/analysis"
	"moobench/analysis/chapter/breakeven"
	"moobench/analysis/chapter/growth"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/report/doc"
)

// swapped is a campaign of swapped probes, its growths and break-evens filled in
// by hand: every verdict, and everything that may be absent.
func swapped(t *testing.T) *analysis.Answers {
	t.Helper()
	return sharedBy(t, "swapped", swappedAnew)
}

func swappedAnew(t *testing.T) *analysis.Answers {
	t.Helper()
	a := analyse(t, testcampaign.Swapped())
	a.Scenarios[2].Growths = nil
	for _, metric := range []string{"turnaround", "match"} {
		for _, at := range []string{"false", "true"} {
			for _, variant := range []string{"probe/manual/collect", "probe/hotswap/collect", "probe/attach/collect"} {
				a.Scenarios[2].Growths = append(a.Scenarios[2].Growths, growing(&a.Scenarios[2], metric, variant, at))
			}
		}
	}
	wide := growing(&a.Scenarios[2], "turnaround", "probe/hotswap/collect", "false")
	wide.Factor, wide.Slope, wide.Intercept, wide.Verdict = "loaded", around(40, 12, 30), ptr(310e3), growth.Flat
	wide.Why = "+3.304 µs (3.228 … 3.380) per class; linear: a bend is at most 3 % of the growth"
	for i, x := range []float64{1000, 10_000, 50_000, 200_000} {
		wide.Points[i].X = x
	}
	bare := growth.Line{Factor: "loaded", Metric: "turnaround", Variant: "probe/attach/collect", Verdict: growth.Undecided, Why: "1 level", Text: "undecided: 1 level"}
	a.Scenarios[2].Growths = append(a.Scenarios[2].Growths, wide, bare)
	pays := breakeven.Answer{
		Swapped: "probe/hotswap/collect", Switchable: "probe/manual/collect", SwapScenario: "turnaround", CostScenario: "overhead", Level: "depth=10",
		Parts: []string{"turnaround", "recovery"}, Price: around(10, 40.4e6, 0.3e6), Saved: around(10, 20, 3), Calls: ptr(2_021_750.0), Low: ptr(1_740_000.0), High: ptr(2_390_000.0),
		Confidence: 0.95, Off: around(10, 12, 2), Verdict: breakeven.Pays, Text: "pays after 2,020,000 calls (95 % CI 1,740,000 … 2,390,000)",
	}
	may := pays
	may.Swapped, may.High, may.Verdict, may.Saved, may.Text = "probe/hybrid/collect", nil, breakeven.Perhaps, around(10, 2, 3), "may pay after 20,000,000 calls, or never"
	least := may
	least.Level, least.Calls, least.Saved, least.Text = "depth=1", nil, around(10, -1, 3), "may never pay: after 1,740,000 calls at the least"
	never := pays
	never.Swapped, never.Calls, never.Low, never.High, never.Never, never.Off, never.Saved = "probe/attach/collect", nil, nil, nil, true, nil, around(10, -40, 5)
	never.Verdict = breakeven.Never
	never.Text = "never pays: it costs more per call than the switchable one"
	unmeasured := breakeven.Answer{
		Swapped: "probe/hotswap/collect", Switchable: "probe/list/collect", SwapScenario: "turnaround", CostScenario: "overhead", Level: "depth=10",
		Parts: []string{"turnaround", "recovery"}, Saved: around(10, 20, 3), Verdict: breakeven.Undecided, Text: "cannot be decided: recovery is not known for any invocation, and is part of the price",
	}
	a.BreakEvens = breakeven.Answers{pays, may, least, never, unmeasured}
	return a
}

// growth draws a line by hand through the cells of a variant.
func growing(s *analysis.Scenario, metric, variant, one string) growth.Line {
	g := growth.Line{
		Factor: "at_once", Unit: "classes", Metric: metric, Variant: variant, At: "one_by_one=" + one,
		LackOfFitP: ptr(0.41), BendP: ptr(0.73), Exponent: ptr(0.84), Margin: 100e3, Verdict: growth.Linear, Why: "a bend is at most 3 % of the growth",
	}
	for i := range s.Cells {
		c := &s.Cells[i]
		for _, f := range c.Factors {
			var x float64
			if _, err := fmt.Sscan(f.Value, &x); f.Name == "at_once" && err == nil && c.Variant == variant && c.Role != "aa" && factorOf(c, "one_by_one") == one {
				g.Points = append(g.Points, growth.Point{X: x, Cell: c.ID, Mean: metricOf(c, metric).Mean})
			}
		}
	}
	first, last := g.Points[0], g.Points[len(g.Points)-1]
	slope := (last.Mean.Value - first.Mean.Value) / (last.X - first.X)
	g.Slope, g.Intercept = around(40, slope, 0.02*slope+10), ptr(first.Mean.Value-slope*first.X)
	switch variant {
	case "probe/manual/collect":
		g.Verdict, g.Why = growth.Flat, "grows by less than 100 µs over the whole range"
	case "probe/attach/collect":
		g.Verdict, g.LackOfFitP, g.Why = growth.Faster, ptr(1e-7), "it bends upwards"
		g.Caveats = []analysis.Mark{{Kind: "few values", Show: "4 values", Text: "with 4 values of at_once a few slow invocations move the whole line"}}
		g.Against = []growth.SlopeRatio{{At: "one_by_one=true", Ratio: ptr(0.024), Text: "one_by_one=false grows by 1/41 (1/45 … 1/37) of one_by_one=true"}}
	}
	g.Text = doc.Difference(g.Slope, "ns").String() + " per class; " + string(g.Verdict) + ": " + g.Why
	return g
}

func factorOf(c *analysis.Cell, name string) string {
	for _, f := range c.Factors {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

func TestSwappedText(t *testing.T) {
	for name, o := range map[string]Options{
		"swapped-80.txt":  {Width: 80},
		"swapped-100.txt": {Width: 100},
		"swapped-all.txt": {Width: 120, All: true},
	} {
		t.Run(name, func(t *testing.T) { compareText(t, name, swapped(t), o) })
	}
}

// What the page says of growths, of break-evens and of published figures.
func TestSwappedPage(t *testing.T) {
	a := swapped(t)
	parts := a.BreakEvens.Show(nil)
	for i := range a.Scenarios[1:] {
		b := paged(a, 1+i)
		b.id = fmt.Sprint("s", 1+i)
		sec := &doc.Section{ID: b.id, Blocks: b.selfTestTexts()}
		for _, s := range append([]doc.Block{&doc.Section{Blocks: []doc.Block{b.answer()}}, b.published()}, b.chapter("growths")...) {
			sec.Add(s)
		}
		parts = append(parts, sec)
	}
	got := fragment(parts...)
	if diff := cmp.Diff(string(golden(t, "swapped.html", []byte(got))), got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Names, notes and sentences of others are text wherever they stand.
func TestHostileGrowth(t *testing.T) {
	a := changeable(swapped(t))
	s := &a.Scenarios[2]
	for i := range s.Growths {
		g := &s.Growths[i]
		g.Variant, g.At, g.Why, g.Unit, g.Verdict = testcampaign.Script, "\x1b[31m", testcampaign.Script, testcampaign.Script, testcampaign.Script
	}
	a.Scenarios[1].Published[0].Note, a.Scenarios[1].Published[0].Source, a.Scenarios[1].Published[1].Variant = testcampaign.Script, "\u202egnp", testcampaign.Script
	a.BreakEvens[0].Text, a.BreakEvens[0].Swapped, a.BreakEvens[0].Parts = testcampaign.Script, testcampaign.Script, []string{testcampaign.Script}
	page := string(htmlOf(t, a, nil))
	if strings.Count(page, "<script") != 1 || strings.ContainsAny(page, "\x1b\u202e") {
		t.Error("a text became more than text")
	}
	if options := chartOptions(t, a); bytes.ContainsAny(options, "<>&") {
		t.Error("chart options hold markup")
	}
	var b bytes.Buffer
	if err := Text(&b, a, Options{Width: 100}); err != nil {
		t.Fatal(err)
	}
	inspect(t, b.String(), Options{Width: 500})
}

func TestWholeNumber(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 12: "12", 999.6: "1,000", 2_021_750: "2,020,000", 500: "500", -1234: "−1,230", 1e300: "1.000e+300"} {
		if got := wholeNumber(v); got != want {
			t.Errorf("wholeNumber(%v) = %q, want %q", v, got, want)
		}
	}
}
