package replication

import (
	"fmt"
	"math"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/stats"
)

// confidence is that of our intervals.
const confidence = 0.95

// pays decides dear: after how many calls A's price over B's is made up for,
// with Fieller's set, price and saving being of different invocations.
func (c *Claim) pays(j *Judged, ours *campaign) {
	price, _, err := ours.sample(Pair{c.Scenario, c.Metric, c.A, c.B})
	if err != nil {
		j.Verdict, j.Because = Undecided, err.Error()
		return
	}
	saved, found, err := ours.sample(*c.Saves)
	if err != nil {
		j.Verdict, j.Because = Undecided, err.Error()
		return
	}
	f, err := stats.FiellerSummary(price, saved, confidence)
	if err != nil {
		j.Verdict, j.Because = Undecided, fmt.Sprintf("dividing the price by what a call saves: %v", err)
		return
	}
	low, high := math.Inf(-1), math.Inf(1)
	if f.Bounded {
		low, high = f.Interval.Low, f.Interval.High
	}
	most := half(saved)
	switch {
	case saved.Mean+most < 0:
		j.Verdict = Reproduced
		j.Because = "it never pays: a call costs more, not less (" + figure.Range(saved.Mean-most, saved.Mean+most, "ns") + " saved)"
		return
	case saved.Mean > most && f.Bounded && low > c.Calls:
		j.Verdict = Reproduced
	case saved.Mean > most && f.Bounded && high < c.Calls:
		j.Verdict = NotReproduced
	default:
		j.Verdict = Undecided
	}
	j.Because = "a change costs " + figure.Quantity(price.Mean, "ns") + " more, a call saves " + figure.Range(saved.Mean-most, saved.Mean+most, "ns")
	if j.Verdict == Undecided {
		j.Detectable = found.detectable() + " per call saved"
		j.Because += fmt.Sprintf(": whether that pays within %s can't be told", figure.Calls(c.Calls))
		return
	}
	j.Because += fmt.Sprintf(": it pays after %s calls, and %s are asked about", figure.CallsRange(low, high), figure.Calls(c.Calls))
}

// half is the half-width of the interval of a mean.
func half(s stats.Sample) float64 {
	return stats.TQuantile((1-confidence)/2, float64(s.N-1)) * s.SD / math.Sqrt(float64(s.N))
}

// sample is the difference of a pair as the mean of so many pairs of
// invocations, and the answer that says so.
func (c *campaign) sample(p Pair) (stats.Sample, comparison, error) {
	s := c.scenario(p.Scenario)
	if s == nil {
		return stats.Sample{}, comparison{}, fmt.Errorf("the campaign has no scenario %q", p.Scenario)
	}
	found, err := p.find(s)
	if err != nil {
		return stats.Sample{}, found, err
	}
	d := found.Difference
	if d == nil || d.SD == nil || d.N < 2 {
		return stats.Sample{}, found, fmt.Errorf("%s: %s", found.Text, why(found.Answer))
	}
	x := stats.Sample{Mean: d.Value, SD: *d.SD, N: d.N}
	if found.reversed {
		x.Mean = -x.Mean
	}
	return x, found, nil
}

func why(a *analysis.Answer) string {
	if a.Sentence != "" {
		return a.Sentence
	}
	return "no answer"
}
