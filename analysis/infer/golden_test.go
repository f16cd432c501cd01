package infer

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"moobench/analysis/stats"
	"moobench/internal/testgolden"
	"moobench/results"
)

// digits writes a number to five digits; what rounding leaves of a zero is none.
func digits(x float64) string {
	if math.Abs(x) < 1e-12 {
		x = 0
	}
	return fmt.Sprintf("%.5g", x)
}

// told is what is there, by name.
type told []string

func (t *told) add(name string, values ...float64) {
	text := name
	for _, v := range values {
		text += " " + digits(v)
	}
	*t = append(*t, strings.TrimSpace(text))
}

func (t *told) maybe(name string, v *float64) {
	if v != nil {
		t.add(name, *v)
	}
}

func (t *told) interval(name string, i *Interval) {
	if i != nil {
		t.add(name, i.Low, i.High, i.Level)
	}
}

func (t *told) caveats(all []Caveat) {
	for _, c := range all {
		t.add("caveat "+string(c.Kind), float64(c.N), float64(c.Of), c.Value)
	}
}

func (t *told) estimate(name string, e *Estimate, why string) {
	if e == nil {
		t.add(name + ": " + why)
		return
	}
	t.add(name, e.Value)
	t.add("of", float64(e.N))
	t.maybe("sd", e.SD)
	t.maybe("se", e.SE)
	t.maybe("df", e.DF)
	if t.interval("in", e.Interval); e.NoInterval != "" {
		t.add(e.NoInterval)
	}
	if x := e.Test; x != nil {
		t.add("t", x.T, x.DF, x.P)
		if x.Kind != "" || x.Alternative != "" {
			t.add("by " + strings.TrimSpace(x.Kind+" "+x.Alternative))
		}
	}
	t.maybe("detects", e.Detectable)
}

func (t *told) equivalence(e *Equivalence) {
	if e != nil {
		t.add(fmt.Sprintf("within %v, beyond %v, share %v", e.Within, e.Beyond(), e.Relative), e.Margin, e.P)
		t.interval("at", &e.Interval)
	}
}

func tell(a *Answer) string {
	t := told{string(a.Verdict)}
	t.estimate("difference", a.Difference, a.NoDifference)
	t.estimate("ratio", a.Ratio, a.NoRatio)
	t.equivalence(a.Equivalence)
	if d := a.Doubt; d != nil {
		t.add(fmt.Sprintf("doubt, decided %v", d.Decided), d.Share, d.Amount)
		t.interval("so in", d.Interval)
	}
	if h := a.Hosts; h != nil {
		t.add(fmt.Sprintf("hosts, these %v, complete %v, like %s", h.OfThese, h.Complete, h.LikeVerdict))
		for _, e := range h.Each {
			t.add("one", float64(e.Host), float64(e.Pairs), e.Value, e.DF, e.Ratio)
			t.maybe("se", e.SE)
			t.interval("in", e.Interval)
		}
		t.estimate("like", h.Like, "")
		t.estimate("like ratio", h.LikeRatio, "")
		t.maybe("between", h.Between)
		t.interval("next", h.Next)
	}
	if t.caveats(a.Caveats); a.Exact {
		t.add("exact")
	}
	return strings.Join(t, "; ")
}

// answered are samples, and what is asked about them.
type answered struct {
	name string
	data Data
	ask  []Question
}

// asked are all tests of these values: of a difference in each direction, and of three margins.
func asked() []Question {
	var all []Question
	for _, k := range Kinds() {
		for _, alt := range []stats.Alternative{"", stats.Less, stats.Greater} {
			if !k.Counts && (alt == "" || !k.TwoSided) {
				all = append(all, Question{Kind: k.Name, Alternative: alt, Alpha: 0.05})
			}
		}
		for _, m := range []results.Margin{{Amount: 2}, {Share: 0.02}, {Share: 0.05, Amount: 4, ShareFrom: 101}} {
			if !k.Counts {
				all = append(all, Question{Kind: k.Name, Alpha: 0.1, Family: 2, Margin: &m})
			}
		}
	}
	return all
}

// TestAnswers holds every figure of answers about samples of many kinds. The reference values of tests are those
// of R, elsewhere; here are those that belong to an answer as a whole: what it leaves out and why, its caveats,
// and the doubts and hosts that widen it.
func TestAnswers(t *testing.T) {
	y := []float64{100, 101, 99, 102, 98, 100, 103, 97}
	x := []float64{101, 103, 100, 104.5, 99, 100.5, 105, 98.5}
	of := func(values ...float64) Sample { return Sample{Values: values} }
	paired := func(x, y Sample) Data { return Data{X: x, Y: y, Paired: true} }
	on := func(s Sample, by float64, e *stats.Elasticity) Sample {
		for range s.Values {
			s.Sensitivities = append(s.Sensitivities, []Sensitivity{{On: e, By: by}})
		}
		return s
	}
	one, other := &stats.Elasticity{
		Value: 1, Variance: 0.04, Lost: 1,
	}, &stats.Elasticity{Value: 1, Variance: 0.01, Lost: 0.5}
	few := []Question{
		{Alpha: 0.05},
		{Alpha: 0.05, Alternative: stats.Greater, Margin: &results.Margin{Share: 0.02}},
		{Kind: results.TestWelch, Alpha: 0.05},
		{Kind: results.TestSignedRank, Alpha: 0.05, Margin: &results.Margin{Amount: 3}},
		{Kind: results.TestSign, Alpha: 0.05, Margin: &results.Margin{Share: 0.02}},
		{Kind: results.TestTOST, Alpha: 0.05, Margin: &results.Margin{Amount: 1}},
		{Kind: Fieller, Alpha: 0.05},
		{Kind: LogRatio, Alpha: 0.05, Margin: &results.Margin{Share: 0.02}},
	}
	ordered, piloted, doubted := paired(of(x...), of(y...)), paired(of(x...), of(y...)), paired(of(x...), of(y...))
	ordered.Ordered, piloted.Pilot, doubted.Beside = true, 4, 0.01
	hosted := onHosts(
		[]float64{1, 1.2, 0.9}, []float64{2, 2.2}, []float64{3, 2.9, 3.1}, []float64{2.5, 2.4}, []float64{1.5, 1.7},
	)
	complete := onHosts([]float64{1, 1.2, 0.9}, []float64{2, 2.2})
	complete.X.Complete = true
	var b strings.Builder
	solver := Solver{}
	for _, c := range []answered{
		{"pairs", paired(of(x...), of(y...)), asked()},
		{"independent", Data{X: of(x...), Y: of(y[:6]...)}, asked()},
		{"differences", Data{X: of(1, 2, 1, 2.5, 1, 0.5, 2, 0), Alone: true}, asked()},
		{"in order", ordered, few},
		{"after a pilot", piloted, few},
		{"in doubt", doubted, few},
		{"on one elasticity", paired(on(of(x...), 0.5, one), on(of(y...), 0.4, one)), few},
		{"on two elasticities", paired(on(of(x...), 2, one), on(of(y...), 3, other)), few},
		{"independent, on two elasticities", Data{X: on(of(x...), 2, one), Y: on(of(y[:6]...), 3, other)}, few},
		{"on hosts", hosted, few},
		{"on all hosts", complete, few},
		{"one block on each host", onHosts([]float64{1}, []float64{2}, []float64{1.5}), few},
		{"five pairs", paired(of(x[:5]...), of(y[:5]...)), few},
		{"one pair", paired(of(x[:1]...), of(y[:1]...)), few},
		{"one against many", Data{X: of(x[:1]...), Y: of(y...)}, few},
		{"many against one", Data{X: of(x...), Y: of(y[:1]...)}, few},
		{"nothing", paired(of(), of()), few},
		{"nothing against nothing", Data{}, few},
		{"equal", paired(of(y...), of(y...)), few},
		{"constant", paired(of(5, 5, 5, 5, 5, 5), of(4, 4, 4, 4, 4, 4)), few},
		{"too few constants", paired(of(5, 5, 5), of(4, 4, 4)), few},
		{"about 0", paired(of(-1, 2, -3, 4, 0, 1), of(0, 1, 2, -3, 1, -1)), few},
		{"with zeros and ties", paired(of(3, 2, 2, 5, 5, 7, 9), of(2, 2, 2, 4, 5, 6, 7)), few},
		{"infinite", paired(of(1, 2, math.Inf(1)), of(1, 2, 3)), few},
		{
			"summaries",
			Data{
				X: Sample{Summary: &stats.Sample{Mean: 12, SD: 3, N: 10}},
				Y: Sample{Summary: &stats.Sample{Mean: 10, SD: 2, N: 8}},
			},
			few,
		},
		{"a summary alone", Data{X: Sample{Summary: &stats.Sample{Mean: 2, SD: 3, N: 10}}, Alone: true}, few},
		{
			"an unknown test", paired(of(x...), of(y...)),
			[]Question{{Kind: "none", Alpha: 0.05}, {Kind: results.TestRates, Alpha: 0.05}},
		},
	} {
		for _, q := range c.ask {
			margin := ""
			if q.Margin != nil {
				margin = fmt.Sprintf(" %v", *q.Margin)
			}
			a := solver.Compare(q, c.data)
			fmt.Fprintf(&b, "%s: %s %s%s: %s\n", c.name, q.Kind, q.Alternative, margin, tell(&a))
		}
	}
	testgolden.Check(t, "testdata/answers.txt", b.String())
}

// TestRatesAnswered holds every figure of answers about counts.
func TestRatesAnswered(t *testing.T) {
	runs := func(exposure float64, events ...int64) stats.EventRuns {
		r := stats.EventRuns{Events: events}
		for range events {
			r.Exposure = append(r.Exposure, exposure)
		}
		return r
	}
	unlike := stats.EventRuns{Events: []int64{50, 1, 1, 1, 1, 1}, Exposure: []float64{1000, 10, 10, 10, 10, 10}}
	var b strings.Builder
	for _, c := range []struct {
		name string
		data Counts
	}{
		{"alike", Counts{A: runs(1e5, 3, 2, 4, 3, 2, 3), B: runs(1e5, 2, 3, 3, 2, 4, 3)}},
		{"more", Counts{A: runs(1e5, 30, 28, 35, 31, 29, 33), B: runs(1e5, 2, 3, 3, 2, 4, 3)}},
		{
			"more, in blocks",
			Counts{A: runs(1e5, 30, 28, 35, 31, 29, 33), B: runs(1e5, 2, 3, 3, 2, 4, 3), Blocked: true},
		},
		{"scattered", Counts{A: runs(1e5, 0, 90, 3, 200, 1, 5), B: runs(1e5, 40, 0, 0, 2, 90, 3)}},
		{
			"scattered, in blocks",
			Counts{A: runs(1e5, 0, 90, 3, 200, 1, 5), B: runs(1e5, 40, 0, 0, 2, 90, 3), Blocked: true},
		},
		{"none against none", Counts{A: runs(1e5, 0, 0, 0, 0, 0, 0), B: runs(1e5, 0, 0, 0, 0, 0, 0)}},
		{"some against none", Counts{A: runs(1e5, 1, 2, 3, 0, 1, 2), B: runs(1e5, 0, 0, 0, 0, 0, 0)}},
		{"few runs", Counts{A: runs(1e5, 5, 2, 3), B: runs(1e5, 1, 0, 2)}},
		{"one run", Counts{A: runs(1e5, 5), B: runs(1e5, 1)}},
		{"more events than chances", Counts{A: runs(2, 5, 6, 7, 5, 6, 4), B: runs(2, 1, 2, 3, 2, 1, 2)}},
		{"all of the chances", Counts{A: runs(10, 10, 10, 10, 10, 10, 10), B: runs(10, 9, 10, 10, 9, 10, 10)}},
		{"parts of chances", Counts{A: runs(10.5, 1, 2, 1, 0, 1, 1), B: runs(10.5, 3, 2, 4, 3, 3, 2)}},
		{"exposed unlike", Counts{A: unlike, B: runs(100, 6, 5, 6, 7, 6, 6)}},
		{"no runs", Counts{}},
	} {
		for _, q := range []Question{
			{Alpha: 0.05},
			{Alpha: 0.05, Alternative: stats.Greater, Family: 2},
			{Alpha: 0.05, Margin: &results.Margin{Amount: 20}},
			{Alpha: 0.05, Margin: &results.Margin{Share: 0.5}},
		} {
			x, err := CompareRates(q, c.data)
			if err != nil {
				fmt.Fprintf(&b, "%s: %v\n", c.name, err)
				continue
			}
			out := told{string(x.Verdict)}
			for _, a := range []Arm{x.A, x.B} {
				out.add("arm", float64(a.N), float64(a.Events), a.Exposure, a.PerMillion)
			}
			out.add("difference", x.Difference)
			if out.interval("in", x.Interval); x.NoInterval != "" {
				out.add(x.NoInterval)
			}
			out.maybe("ratio", x.Ratio)
			out.maybe("from", x.RatioLow)
			out.maybe("to", x.RatioHigh)
			out.maybe("p", x.Poisson)
			out.maybe("detects", x.Detectable)
			out.equivalence(x.Equivalence)
			out.add(fmt.Sprintf("fails %v, by %s", x.PoissonFails, x.Decided))
			out.caveats(x.Caveats)
			fmt.Fprintf(&b, "%s: %s\n", c.name, strings.Join(out, "; "))
		}
	}
	for _, r := range []stats.EventRuns{
		runs(1e5, 3, 2, 4), runs(1e5, 0, 90, 3), runs(2, 5, 6), runs(10, 10, 10), runs(10.5, 1, 2), runs(1<<30, 1, 0),
		runs(1e5, 0, 0),
		{},
	} {
		i, scattered, err := IntervalOf(r, 0.95)
		var out told
		out.interval("", &i)
		fmt.Fprintf(&b, "%v of %v: %s, scattered %v, %v\n", r.Events, r.Exposure, out, scattered, err)
	}
	testgolden.Check(t, "testdata/rates.txt", b.String())
}
