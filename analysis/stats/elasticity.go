package stats

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// Response holds the sums for fitting a power law y ∝ x^ε to the logarithms of pairs (x, y). Each
// group of pairs has its own constant, so only the variation within groups estimates the exponent.
type Response struct {
	N      int `json:"n"`      // pairs
	Groups int `json:"groups"` // groups of them
	// XX, XY and YY are the sums of squares and products of ln x and ln y about their group means.
	XX float64 `json:"s_xx"`
	XY float64 `json:"s_xy"`
	YY float64 `json:"s_yy"`
}

// ResponseOf returns the sums of one group. They are zero if a value is not above 0, or there are
// fewer than two pairs.
func ResponseOf(x, y []float64) Response {
	lx, errX := Logs(x)
	ly, errY := Logs(y)
	if errX != nil || errY != nil || len(x) != len(y) || len(x) < 2 {
		return Response{}
	}
	_, dx, errX := centre(lx)
	_, dy, errY := centre(ly)
	if errX != nil || errY != nil {
		return Response{}
	}
	return Response{N: len(x), Groups: 1, XX: floats.Dot(dx, dx), XY: floats.Dot(dx, dy), YY: floats.Dot(dy, dy)}
}

// Plus returns the sums of the groups of both.
func (r Response) Plus(o Response) Response {
	return Response{r.N + o.N, r.Groups + o.Groups, r.XX + o.XX, r.XY + o.XY, r.YY + o.YY}
}

// Of extrapolates the sums to n pairs in the same groups, with the same variance of x and the same
// scatter about the law. Additional pairs follow the law with the given exponent. If the scatter
// can't be estimated, the sums stay as they are.
func (r Response) Of(n int, exponent float64) Response {
	df, then := float64(r.N-r.Groups-1), float64(n-r.Groups-1)
	if df <= 0 || then <= 0 || !(r.XX > 0) {
		return r
	}
	scatter := (r.YY - r.XY*r.XY/r.XX) / df
	xx := r.XX * float64(n-r.Groups) / float64(r.N-r.Groups)
	xy := r.XY * min(1, xx/r.XX)
	xy += exponent * max(0, xx-r.XX)
	return Response{N: n, Groups: r.Groups, XX: xx, XY: xy, YY: xy*xy/xx + scatter*then}
}

// Prior is the prior of a program's elasticity: mean 1, with standard deviation SD for most
// programs, and Wide for a share of them. The wide part keeps a program that responds unlike all
// others from being shrunk towards them (a mixture of normals, as in Berger and Berliner 1986).
type Prior struct {
	SD, Wide, Share float64
}

// Elasticity is the percentage by which y increases when x increases by 1 %.
type Elasticity struct {
	Value    float64 `json:"value"`
	Variance float64 `json:"variance"`
	// Lost is the number of degrees of freedom used to estimate Value: 1 if it comes from the data
	// alone, 0 if from the prior.
	Lost float64 `json:"degrees_lost,omitempty"`
}

// Sensitivity is the derivative of a value with respect to an elasticity. Errors of values on the
// same elasticity are dependent.
type Sensitivity struct {
	On *Elasticity
	By float64
}

const (
	// leastFit is the least number of degrees of freedom for the scatter about the power law: with
	// fewer it is practically unknown, and the prior is used.
	leastFit = 2
	// leastScatter is the least scatter about the law, as a share: a few values that happen to lie
	// on one line do not make it certain.
	leastScatter = 0.003
)

// Elasticity returns the posterior mean and variance of the exponent. With s² the variance of ln y
// about the least-squares line and k = XX/s², each part of the prior gives variance V = 1/(1/SD² +
// k) and mean V (1/SD² + XY/s²); its weight is the likelihood of the least-squares exponent under
// it, which is normal about 1 with variance SD² + 1/k.
func (r Response) Elasticity(p Prior) Elasticity {
	prior := Elasticity{Value: 1, Variance: (1-p.Share)*p.SD*p.SD + p.Share*p.Wide*p.Wide}
	df := float64(r.N - r.Groups - 1)
	if df < leastFit || !(r.XX > 0) {
		return prior
	}
	scatter := max(leastScatter*leastScatter, (r.YY-r.XY*r.XY/r.XX)/df)
	k, ols := r.XX/scatter, r.XY/r.XX
	var weights, means, variances [2]float64
	for i, sd := range [2]float64{p.SD, p.Wide} {
		spread := sd*sd + 1/k
		weights[i] = [2]float64{1 - p.Share, p.Share}[i] / math.Sqrt(spread) * math.Exp(-(ols-1)*(ols-1)/2/spread)
		variances[i] = 1 / (1/(sd*sd) + k)
		means[i] = variances[i] * (1/(sd*sd) + k*ols)
	}
	sum := weights[0] + weights[1]
	if !(sum > 0) { // so far off that neither has a likelihood: the data alone
		return Elasticity{ols, 1 / k, 1}
	}
	var e Elasticity
	for i := range weights {
		e.Value += weights[i] / sum * means[i]
	}
	for i := range weights {
		e.Variance += weights[i] / sum * (variances[i] + (means[i]-e.Value)*(means[i]-e.Value))
	}
	e.Lost = min(1, k*e.Variance)
	return e
}

// NeighbourBlocks is the least number of ordered values to estimate their autocorrelation.
const NeighbourBlocks = 8

const (
	// mostAlike is the largest accepted lag-1 correlation, which is estimated from few values.
	mostAlike = 0.6
	// shrunkBy determines the shrinkage of the correlation: n values give it the factor n/(n +
	// shrunkBy). Without it, uncorrelated values had intervals 15 % too wide at eight blocks, 9 %
	// at 23; with it 6 %.
	shrunkBy = 8
)

// Alike returns the variance inflation factor of the mean of values in order of time, (1 + ρ)/(1 −
// ρ) for a first-order autoregression, at least 1; it is 1 for fewer than eight values. ρ is the
// lag-1 correlation, corrected for the bias −1/n and shrunk towards 0. Source: Bayley and
// Hammersley 1946.
func Alike(xs []float64) float64 {
	r, _, err := Lag1(xs)
	n := float64(len(xs))
	if err != nil || len(xs) < NeighbourBlocks {
		return 1
	}
	rho := min(mostAlike, max(0, r+1/n)) * n / (n + shrunkBy)
	return (1 + rho) / (1 - rho)
}
