package prose

import (
	"testing"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
)

// rates are those of lost requests, 30 of a million against 10.
func rates(v infer.Verdict, low, value, high float64, changes ...func(*Rates)) *Rates {
	w := &Rates{First: "agent", Second: "none", Events: "lost", Of: "requests", Rates: &infer.Rates{
		Question: infer.Question{Alpha: 0.05, Family: 1}, Verdict: v, Decided: "both tests",
		A: infer.Arm{N: 8, Events: 30, Exposure: 1e6}, B: infer.Arm{N: 7, Events: 10, Exposure: 1e6},
		Difference: value, Interval: &infer.Interval{Low: low, High: high, Level: 0.95},
	}}
	for _, change := range changes {
		change(w)
	}
	return w
}

func times(ratio, low, high *float64) func(*Rates) {
	return func(w *Rates) { w.Ratio, w.RatioLow, w.RatioHigh = ratio, low, high }
}

func oneWay(a stats.Alternative) func(*Rates) { return func(w *Rates) { w.Alternative = a } }

func alike(margin, low, high float64, relative bool) func(*Rates) {
	return func(w *Rates) { w.Equivalence = equivalence(margin, low, high, relative) }
}

const both = "30 of 1,000,000 with agent, 10 of 1,000,000 with none"

func TestRates(t *testing.T) {
	const more = "20.00 more of a million requests are lost with agent than with none (95 % CI 5.00 … 35.00): " + both
	const fewer = "20.00 fewer of a million requests are lost with agent than with none (95 % CI 5.00 … 35.00): " + both
	const apart = "in lost requests, agent differs from none by −5.00 … +45.00 per million (95 % CI)"
	unknown := func(w *Rates) { w.Interval, w.NoInterval = nil, infer.OnePair }
	found := func(w *Rates) { w.Rates.Detectable = new(40.0) }
	for _, c := range []struct {
		w    *Rates
		want string
	}{
		{rates(infer.Higher, 5, 20, 35), more},
		{rates(infer.Higher, 5, 20, 35, oneWay(stats.Greater)), "yes: 20.00 more of a million requests are lost with agent than with none (90 % CI 5.00 … 35.00): " + both},
		{rates(infer.Higher, 5, 20, 35, times(new(3.0), new(1.5), new(6.0))), more + "; 3.000 times as often (1.500 … 6.000)"},
		{rates(infer.Higher, 5, 20, 35, times(nil, new(1.5), nil)), more + "; at least 1.500 times as often"},
		{rates(infer.Higher, 5, 20, 35, times(new(3.0), nil, new(6.0))), more},
		{rates(infer.Higher, 5, 20, 35, times(nil, new(0.0), nil)), more},
		{rates(infer.Higher, 5, 20, 35, times(nil, new(0.9), nil)), more + "; at least 0.9000 times as often"},
		{rates(infer.Higher, 5, 20, 35, times(new(0.0), new(1.5), new(6.0))), more + "; at least 1.500 times as often"},
		{rates(infer.Higher, 5, 20, 35, times(nil, nil, new(6.0))), more},
		{rates(infer.Lower, -35, -20, -5, times(nil, new(0.1), nil)), fewer},
		{
			rates(infer.Higher, 0, 0, 0, times(nil, new(1.5), new(6.0))),
			"0 more of a million requests are lost with agent than with none (95 % CI 0 … 0): " + both,
		},
		{rates(infer.Lower, -35, -20, -5), fewer},
		{rates(infer.Lower, -35, -20, -5, times(new(0.0), nil, new(0.5))), fewer + "; at most 0.5000 times as often"},
		{rates(infer.Lower, -35, -20, -5, times(nil, new(0.1), new(0.0))), fewer},
		{rates(infer.Higher, 5, 20, 35, unknown), "20.00 more of a million requests are lost with agent than with none: " + both},
		{rates(infer.Negligible, 5, 20, 35, alike(50, 7, 33, false)), more + "; that is within the margin of 50 per million"},
		{rates(infer.Undecided, -5, 20, 45), "undecided: " + apart + ": " + both},
		{rates(infer.Undecided, -5, 20, 45, found), "undecided: " + apart + ": " + both + "; could have detected 40.00 per million with 80 % power"},
		{
			rates(infer.Undecided, -5, 20, 45, func(w *Rates) { w.Caveats = []infer.Caveat{{Kind: infer.CaveatOpposite}} }),
			"undecided: " + apart + "; " + infer.Opposite + ": " + both,
		},
		{
			rates(infer.NoAnswer, 0, 20, 0, unknown),
			"no answer: in lost requests, agent differs from none by +20.00 per million, without an interval (" + infer.OnePair + "): " + both,
		},
		{rates(infer.No, -35, -20, -5, oneWay(stats.Greater)), "no: requests are not lost more often with agent than with none: " + both},
		{rates(infer.No, 5, 20, 35, oneWay(stats.Less)), "no: requests are not lost less often with agent than with none: " + both},
		{
			rates(infer.Equivalent, -5, 20, 45, alike(50, -4, 44, false)),
			"equivalent within 50 per million: as to lost requests, the difference of agent from none lies within −4.00 … +44.00 per million (90 % CI) (" + both + ")",
		},
		{
			rates(infer.Equivalent, -5, 20, 45, alike(0.05, 0.99, 1.02, true), oneWay(stats.Greater)),
			"undecided: equivalent within 5 %: as to lost requests, the difference of agent from none lies within −1.0 % … +2.0 % (90 % CI) (" + both + ")",
		},
	} {
		if got := c.w.Sentence().String(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// TestNothingLost: without any event the rate has a bound, that of the arm with fewer chances.
func TestNothingLost(t *testing.T) {
	for _, c := range []struct {
		a, b float64
		want string
	}{
		{1e6, 5e5, "undecided: no requests are lost in either: 0 of 1,000,000 with agent, 0 of 500,000 with none; fewer than 7.378 per million (95 %)"},
		{5e5, 1e6, "undecided: no requests are lost in either: 0 of 500,000 with agent, 0 of 1,000,000 with none; fewer than 7.378 per million (95 %)"},
		{0, 1e6, "undecided: no requests are lost in either: 0 of 0 with agent, 0 of 1,000,000 with none; how few that means is not known"},
	} {
		w := rates(infer.Undecided, -5, 0, 5, func(w *Rates) { w.A.Events, w.A.Exposure, w.B.Events, w.B.Exposure = 0, c.a, 0, c.b })
		if got := w.Sentence().String(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestDetailOfRates(t *testing.T) {
	tested := func(w *Rates) { w.Poisson = new(0.0104) }
	scattered := func(p *float64, exact, least bool) func(*Rates) {
		return func(w *Rates) {
			w.Scatter = &stats.RateScatter{Chi2: 14.21, DF: 13, P: 0.431, F: 8.125, PQuasi: 0.0131, PPermuted: p, Exact: exact, Least: least}
		}
	}
	const scatter = "dispersion χ² = 14.21, df 13, p = 0.431"
	const quasi = scatter + ", quasi-Poisson F = 8.125, df 1 and 13, p = 0.013"
	for _, c := range []struct {
		w    *Rates
		want string
	}{
		{rates(infer.Higher, 5, 20, 35), "n = 8 and 7 invocations, decided by both tests"},
		{rates(infer.Higher, 5, 20, 35, tested, oneWay(stats.Less)), "exact conditional test p = 0.010 (less), n = 8 and 7 invocations, decided by both tests"},
		{rates(infer.Higher, 5, 20, 35, scattered(nil, false, false)), scatter + ", n = 8 and 7 invocations, decided by both tests"},
		{
			rates(infer.Higher, 5, 20, 35, tested, scattered(nil, false, false)),
			"exact conditional test p = 0.010, " + quasi + ", n = 8 and 7 invocations, decided by both tests",
		},
		{
			rates(infer.Higher, 5, 20, 35, tested, scattered(new(0.02), true, true), func(w *Rates) { w.PoissonFails = true }),
			"struck out, because the counts scatter: exact conditional test p = 0.010, " + quasi +
				", invocations permuted, all ways of it, p = 0.020, the least that so few can have, n = 8 and 7 invocations, decided by both tests",
		},
		{
			rates(infer.Higher, 5, 20, 35, scattered(new(0.02), false, false), func(w *Rates) { w.Blocked = true }, alike(0.05, 0.99, 1.02, true)),
			scatter + ", signs flipped within blocks, p = 0.020, n = 8 pairs of invocations, decided by both tests, margin 5 %, TOST p = 0.010",
		},
	} {
		if got := c.w.Detail(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
