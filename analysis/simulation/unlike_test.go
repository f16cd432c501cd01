package simulation

import (
	"strings"
	"testing"

	"moobench/analysis/infer"
)

// counted is a campaign whose invocations of the variant lost a, and those of the
// baseline b: pairs of events and requests.
func counted(a, b [][2]float64) *visited {
	v := (losses{blocks: len(a)}).lose(nil, 1)
	for _, run := range v.runs {
		c := b[run.Block-1]
		if run.Cell == "c2" {
			c = a[run.Block-1]
		}
		run.Scalars = map[string]float64{"lost": c[0], "requests": c[1]}
	}
	return v
}

// The variant loses more in each block, and less of all its requests, because
// baseline and variant served unlike numbers of them.
func TestUnlikeExposures(t *testing.T) {
	var a, b [][2]float64
	for _, lost := range [][2]float64{{15, 100}, {16, 101}, {14, 99}, {15, 98}, {17, 102}} {
		a, b = append(a, [2]float64{lost[0], 1e5}), append(b, [2]float64{lost[1], 1e6})
	}
	for _, lost := range []float64{3, 4, 2, 3, 3} {
		a, b = append(a, [2]float64{lost, 1e6}), append(b, [2]float64{0, 1e5})
	}
	x := answered(counted(a, b))
	if x.Verdict != infer.Undecided || !strings.Contains(x.Text.String(), "opposite directions") {
		t.Errorf("%s: %s", x.Verdict, x.Text)
	}
	if i := x.Interval; i != nil && (i.Low > i.High || i.Low > x.Difference || x.Difference > i.High || i.Low > 0 || i.High < 0) {
		t.Errorf("an undecided difference of %v in %+v", x.Difference, i)
	}
	if x.Ratio == nil || *x.Ratio >= 1 || x.Difference >= 0 {
		t.Errorf("ratio %v, difference %v", *x.Ratio, x.Difference)
	}
}

// One pair of invocations has no verdict, whatever it lost.
func TestOnePairOfCounts(t *testing.T) {
	x := answered(counted([][2]float64{{120, 1e6}}, [][2]float64{{30, 1e6}}))
	if x.Verdict != infer.NoAnswer && x.Verdict != infer.Undecided || x.Interval != nil || x.RatioLow != nil || x.RatioHigh != nil || x.Detectable != nil {
		t.Errorf("%s: %s, %+v", x.Verdict, x.Text, x.Interval)
	}
	if !strings.Contains(x.Text.String(), "one complete pair") {
		t.Errorf("%q does not say why", x.Text)
	}
}

// No rate of events out of so many chances is above a million per million.
func TestNoRateAboveAll(t *testing.T) {
	x := answered(counted([][2]float64{{0, 1}, {0, 1}}, [][2]float64{{0, 1}, {1, 1}}))
	if x.Detectable != nil && *x.Detectable > 1e6 {
		t.Errorf("detects %v per million", *x.Detectable)
	}
	if i := x.Interval; i != nil && (i.Low < -1e6 || i.High > 1e6) {
		t.Errorf("a difference in %+v per million", i)
	}
}
