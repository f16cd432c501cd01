package stats

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// Response are the sums that a power law y ∝ x^ε is fitted from, over the logarithms of
// pairs (x, y). Each group of pairs has a constant of its own, so that only what happens
// inside groups tells of the exponent.
type Response struct {
	N      int `json:"n"`      // pairs
	Groups int `json:"groups"` // groups of them
	// XX, XY and YY are the sums of squares and products of ln x and ln y about the means
	// of their groups.
	XX float64 `json:"s_xx"`
	XY float64 `json:"s_xy"`
	YY float64 `json:"s_yy"`
}

// ResponseOf sums one group up. It is of nothing where a value is not above 0, or there
// are fewer than two pairs.
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

// Plus are the groups of both.
func (r Response) Plus(o Response) Response {
	return Response{r.N + o.N, r.Groups + o.Groups, r.XX + o.XX, r.XY + o.XY, r.YY + o.YY}
}

// Of are the sums that n pairs in the same groups would have, which move as much as these and
// scatter as much about the law. Pairs beyond these follow it with the exponent. Where these do
// not tell a scatter, they stay as they are.
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

// Prior is what is known of an elasticity before a program is measured: it is 1 on
// average, with the standard deviation SD in most programs, and Wide in a share of them.
// The wide part keeps one program that follows unlike all others from being pulled
// towards these (a mixture of normals, as in Berger and Berliner 1986).
type Prior struct {
	SD, Wide, Share float64
}

// Elasticity is how many per cent y takes longer where x takes one per cent longer.
type Elasticity struct {
	Value    float64 `json:"value"`
	Variance float64 `json:"variance"`
	// Lost is how many degrees of freedom the data gave for Value: 1 where they alone
	// decided, 0 where the prior did.
	Lost float64 `json:"degrees_lost,omitempty"`
}

// Sensitivity is by how much a value changes where an elasticity is larger by one: its
// derivative. Values on the same elasticity are off together.
type Sensitivity struct {
	On *Elasticity
	By float64
}

const (
	// leastFit is how many degrees of freedom the scatter about the power law must have
	// before it is believed: that of fewer is as good as unknown, and the prior decides.
	leastFit = 2
	// leastScatter is the least scatter about the law, as a share: few values that happen
	// to lie on one line do not make it sure.
	leastScatter = 0.003
)

// Elasticity is the posterior mean and variance of the exponent. With s² the variance of
// ln y about the least-squares line and k = XX/s², each part of the prior gives
// V = 1/(1/SD² + k) and V (1/SD² + XY/s²); its weight is the likelihood of the
// least-squares exponent under it, which is normal about 1 with variance SD² + 1/k.
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
	if !(sum > 0) { // so far from both that neither has a likelihood: the data alone
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

// NeighbourBlocks is how many values in order it takes to ask whether neighbours are alike.
const NeighbourBlocks = 8

const (
	// mostAlike is the largest correlation of neighbours that is believed of so few values.
	mostAlike = 0.6
	// shrunkBy is the number of values that count against a correlation: of n values the
	// share n/(n + shrunkBy) of it is taken. Without it, values that are not correlated had
	// intervals 15 % too wide at eight blocks, 9 % at 23; with it 6 %.
	shrunkBy = 8
)

// Alike is by how many times the variance of the mean of values in order of time is larger
// than that of independent ones, (1 + ρ)/(1 − ρ) of a first-order autoregression, at least
// 1; it is 1 of fewer than eight. ρ is the correlation of neighbours, corrected for the
// bias −1/n and shrunk towards 0. Source: Bayley and Hammersley 1946.
func Alike(xs []float64) float64 {
	r, _, err := Lag1(xs)
	n := float64(len(xs))
	if err != nil || len(xs) < NeighbourBlocks {
		return 1
	}
	rho := min(mostAlike, max(0, r+1/n)) * n / (n + shrunkBy)
	return (1 + rho) / (1 - rho)
}
