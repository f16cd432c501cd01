package stats

import "math"

// contradictAlpha is the level of the test whether two estimates of one quantity contradict each
// other.
const contradictAlpha = 0.01

// furtherLevel is the confidence of the interval used by FurtherEnd.
const furtherLevel = 0.90

// FurtherEnd returns the larger absolute end of the 90 % t interval.
func (k Known) FurtherEnd() float64 {
	return math.Abs(k.Value) + TQuantile((1-furtherLevel)/2, k.DF)*k.SE
}

// Pooled returns the inverse-variance weighted mean of two independent estimates of one quantity;
// its variance is the inverse of the sum of the weights, with degrees of freedom (Σw)²/Σ(w²/df). ok
// is false if one has no standard error above 0, or if a t test at 0.01 rejects that they estimate
// one quantity. Source: Cochran 1954; Satterthwaite 1946.
func (k Known) Pooled(other Known) (mean Known, ok bool) {
	if !(k.SE > 0) || !(other.SE > 0) || !(k.DF > 0) || !(other.DF > 0) {
		return Known{}, false
	}
	apart := SumOfVariances(Variance{Value: k.SE * k.SE, DF: k.DF}, Variance{Value: other.SE * other.SE, DF: other.DF})
	if TTwoSided(math.Abs(k.Value-other.Value)/apart.SE(), apart.DF) < contradictAlpha {
		return Known{}, false
	}
	// Use shares of the weights: no square of a small standard error underflows.
	share := other.SE * other.SE / (k.SE*k.SE + other.SE*other.SE)
	rest := 1 - share
	return Known{
		Value: share*k.Value + rest*other.Value,
		SE:    k.SE * other.SE / math.Hypot(k.SE, other.SE),
		DF:    1 / (share*share/k.DF + rest*rest/other.DF),
	}, true
}
