package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"moobench/analysis/internal/testnumber"
)

// Of more pairs the sums move and scatter alike, what comes in addition follows the exponent,
// and so the exponent is known better; of as many pairs they are what they were.
func TestResponseOf(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	var x, y []float64
	for range 20 {
		speed := 0.05 * r.NormFloat64()
		x, y = append(x, math.Exp(speed)), append(y, math.Exp(1.2*speed+0.02*r.NormFloat64()))
	}
	prior := Prior{SD: 0.2, Wide: 0.5, Share: 0.3}
	seen := ResponseOf(x, y)
	near := func(got, want float64) bool { return testnumber.Near(got, want, 1e-9) }
	same := seen.Of(20, 3)
	if !near(same.XX, seen.XX) || !near(same.XY, seen.XY) || !near(same.YY, seen.YY) {
		t.Errorf("of as many pairs %+v, want %+v", same, seen)
	}
	scatter := func(r Response) float64 { return (r.YY - r.XY*r.XY/r.XX) / float64(r.N-r.Groups-1) }
	exponent := seen.XY / seen.XX
	for _, n := range []int{5, 80} {
		of := seen.Of(n, exponent)
		if !near(scatter(of), scatter(seen)) || !near(of.XX/float64(n-1), seen.XX/19) || !near(of.XY/of.XX, exponent) {
			t.Errorf("of %d pairs %+v, seen %+v", n, of, seen)
		}
	}
	few, many := seen.Of(5, exponent).Elasticity(prior).Variance, seen.Of(2000, exponent).Elasticity(prior).Variance
	if now := seen.Elasticity(prior).Variance; few <= now || many >= now/50 {
		t.Errorf("variances of 5, 20 and 2,000 pairs: %v, %v, %v", few, now, many)
	}
	if far := seen.Of(1_000_000, 0.7); math.Abs(far.XY/far.XX-0.7) > 0.001 {
		t.Errorf("what comes in addition follows 0.7, and all %v", far.XY/far.XX)
	}
	two := ResponseOf(x[:2], y[:2])
	if two.Of(50, 1) != two || (Response{}).Of(50, 1) != (Response{}) {
		t.Error("two pairs tell a scatter")
	}
}
