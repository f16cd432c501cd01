package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// RateInterval is the exact interval of a rate of which k events were seen in
// an exposure (calls, seconds): from m with P(X >= k; m) = (1-level)/2 to m with
// P(X <= k; m) = (1-level)/2, over the exposure. When there was no event, it is
// one-sided: from 0 to -log(1-level)/exposure. Source: Garwood 1936.
func RateInterval(k int64, exposure, level float64) (Interval, error) {
	if err := checkCount(k, exposure); err != nil {
		return Interval{}, err
	}
	if err := checkLevel(level); err != nil {
		return Interval{}, err
	}
	i := Interval{Level: level}
	if k == 0 {
		i.High = -math.Log1p(-level) / exposure
		return i, finite(i.High)
	}
	n, target := float64(k), math.Log((1-level)/2)
	reach := 10 + 10*math.Sqrt(n)*math.Sqrt(-target)
	i.Low = root(func(m float64) float64 { return math.Log(mathext.GammaIncReg(n, m)) - target }, 0, n)
	i.High = root(func(m float64) float64 { return target - math.Log(mathext.GammaIncRegComp(n+1, m)) }, n, n+reach-target*2)
	i.Low, i.High = i.Low/exposure, i.High/exposure
	return i, finite(i.Low, i.High)
}

func checkCount(k int64, exposure float64) error {
	if k < 0 || !(exposure > 0) {
		return fmt.Errorf("%w: %d events in an exposure of %v", ErrNotPositive, k, exposure)
	}
	return finite(exposure)
}
