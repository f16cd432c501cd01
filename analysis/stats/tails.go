package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// fTail returns P(F > f) of the F distribution with d1 and d2 degrees of freedom, directly as
// I(d2/(d2 + d1 f); d2/2, d1/2). Source: Abramowitz and Stegun 1964, 26.6.2.
func fTail(f, d1, d2 float64) float64 {
	if f <= 0 {
		return 1
	}
	odds := f * d1 / d2
	return incompleteBeta(d2/2, d1/2, 1/(1+odds), 1/(1+1/odds))
}

// UpperSD returns the factor that turns the standard deviation of normal values, with df degrees of
// freedom, into an upper confidence bound at 1 - alpha. Source: Fisher 1925.
func UpperSD(df, alpha float64) float64 {
	return math.Sqrt(df / distuv.ChiSquared{K: df}.Quantile(alpha))
}

// chiSquareTail returns P(X > x) of chi-square with df degrees of freedom, directly as Q(df/2,
// x/2). Source: Abramowitz and Stegun 1964, 26.4.19.
func chiSquareTail(x, df float64) float64 { return distuv.ChiSquared{K: df}.Survival(x) }

// normalTail returns P(Z > z) of the standard normal distribution, as erfc(z/sqrt 2)/2.
func normalTail(z float64) float64 { return math.Erfc(z/math.Sqrt2) / 2 }

// NormalTail returns P(Z > z) of a standard normal Z.
func NormalTail(z float64) float64 { return normalTail(z) }

// NormalQuantile returns the z with P(Z > z) = p of a standard normal Z.
func NormalQuantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(1-2*p) }

// TTail returns P(T > t) of Student's t with df degrees of freedom, directly as I(df/(df+t²); df/2,
// 1/2)/2, so that 1e-31 is not lost in 1 - CDF. It is NaN if t is or df is not positive. Source:
// Abramowitz and Stegun 1964, 26.7.1.
func TTail(t, df float64) float64 {
	switch {
	case math.IsNaN(t) || !(df > 0):
		return math.NaN()
	case t < 0:
		return 1 - TTail(-t, df)
	case df > nearlyNormal:
		return math.Erfc(normalOf(t, df)/math.Sqrt2) / 2
	case t < 0.5: // here the other end of the beta integral is exact
		return 0.5 - mathext.RegIncBeta(0.5, df/2, t*t/(df+t*t))/2
	}
	return distuv.StudentsT{Sigma: 1, Nu: df}.Survival(t)
}

// nearlyNormal is the df beyond which the incomplete beta function loses digits, and Hill's
// expansion does not.
const nearlyNormal = 1e4

// normalOf returns the normal deviate with the tail of t. Source: Hill 1970, algorithm 395.
func normalOf(t, df float64) float64 {
	if math.IsInf(df, 1) || math.IsInf(t, 1) {
		return t
	}
	a := df - 0.5
	b := 48 * a * a
	y := a * math.Log1p(t*t/df)
	if y > beyondTail {
		return math.Sqrt(y) // else the cubes of y would overflow
	}
	z := (-0.4*y-3.3)*y - 24
	z = (z*y-85.5)/(0.8*y*y+100+b) + y + 3
	return math.Sqrt(y) * (1 + z/b)
}

// beyondTail is the square of a deviate whose tail is far below the smallest float64: there Hill's
// correction is meaningless.
const beyondTail = 1e6

// density returns the density of t, to the few digits needed by Newton's steps.
func density(t, df float64) float64 {
	if df <= nearlyNormal {
		return distuv.StudentsT{Sigma: 1, Nu: df}.Prob(t)
	}
	return distuv.UnitNormal.Prob(normalOf(t, df))
}

// TTwoSided returns P(|T| > |t|) of Student's t with df degrees of freedom.
func TTwoSided(t, df float64) float64 { return min(1, 2*TTail(math.Abs(t), df)) }

// TQuantile returns the t with upper tail p: TTail(TQuantile(p, df), df) = p. It is infinite for p
// at or beyond 0 and 1. Newton's steps are taken on the logarithm of the directly computed tail
// over that of t: this curve is concave, so steps from above the root stay above it and can't
// diverge.
func TQuantile(p, df float64) float64 {
	switch {
	case math.IsNaN(p) || !(df > 0):
		return math.NaN()
	case p <= 0:
		return math.Inf(1)
	case p == 0.5:
		return 0
	case p > 0.5:
		return -TQuantile(1-p, df)
	}
	if t := nearQuantile(p, df); t > 0 {
		return tQuantileFrom(t, p, df)
	}
	t := 1.0
	for TTail(t, df) > p && t < math.MaxFloat64/2 {
		t *= 2
	}
	for t > math.SmallestNonzeroFloat64 && TTail(t/2, df) <= p {
		t /= 2
	}
	return tQuantileFrom(t, p, df)
}

// nearQuantile returns the quantile to a few digits, by its expansion in 1/df around that of a normal
// variate, or 0 where that is no good: with few degrees of freedom and far out. Source: Abramowitz and
// Stegun 1964, 26.7.5.
func nearQuantile(p, df float64) float64 {
	if df < 3 || p < 1e-5 || p > 0.45 {
		return 0
	}
	z := NormalQuantile(p)
	z2 := z * z
	first := (z2 + 1) / 4
	second := ((5*z2+16)*z2 + 3) / 96
	third := (((3*z2+19)*z2+17)*z2 - 15) / 384
	return z * (1 + (first+(second+third/df)/df)/df)
}

// tQuantileFrom takes Newton's steps from t, which is above the quantile or near it, and less than
// twice as large if the tail of t may be below 1e-308. A step from below leads above it.
func tQuantileFrom(t, p, df float64) float64 {
	low, last := t/2, math.Inf(1)
	for range 100 {
		tail := TTail(t, df)
		if tail == 0 { // underflow
			t = low + (t-low)/2
			continue
		}
		next := t * math.Exp(math.Log(tail/p)*tail/(t*density(t, df)))
		step := math.Abs(next - t)
		if !(next > 0) || step <= 0x1p-52*t || step < 1e-9*t && step >= last {
			break // the tail has no more digits to go by
		}
		t, last = next, step
	}
	return t
}

// incompleteBeta returns I(x; a, b) with y = 1 - x, which the caller may know more precisely: the
// continued fraction on the side where it converges in about sqrt(max(a, b)) steps, times a factor
// without cancellation, so that counts of millions keep their digits too. Sources: DLMF 8.17.22;
// Loader 2000.
func incompleteBeta(a, b, x, y float64) float64 {
	switch {
	case x <= 0:
		return 0
	case y <= 0:
		return 1
	case x > (a+1)/(a+b+2):
		return 1 - smallBeta(b, a, y, x)
	}
	return smallBeta(a, b, x, y)
}

// smallBeta is incompleteBeta where the continued fraction converges fast.
func smallBeta(a, b, x, y float64) float64 {
	// log(x^a y^b Γ(a+b)/(Γ(a) Γ(b))): from the peak at x = a/n the linear parts of
	// both logarithms cancel.
	n := a + b
	u, v := (x*b-y*a)/a, (y*a-x*b)/b
	log := a*log1pLess(u) + b*log1pLess(v) + math.Log(a/(2*math.Pi)*(b/n))/2 + stirling(n) - stirling(a) - stirling(b)
	f, c, d := 1.0, 1.0, 0.0 // 1 + d1/(1 + d2/(1 + …)) by Lentz's method
	for m := range 1_000_000 {
		k := float64(m)
		for _, term := range [2]float64{
			-(a + k) * (a + b + k) * x / ((a + 2*k) * (a + 2*k + 1)),
			(k + 1) * (b - k - 1) * x / ((a + 2*k + 1) * (a + 2*k + 2)),
		} {
			d = 1 / (1 + term*d)
			c = 1 + term/c
			f *= c * d
		}
		if math.Abs(c*d-1) < 1e-16 {
			break
		}
	}
	return math.Exp(log) / (a * f)
}

// log1pLess returns log(1+t) - t.
func log1pLess(t float64) float64 {
	if math.Abs(t) > 0.3 {
		return math.Log1p(t) - t
	}
	r := t / (2 + t)
	r2, sum, power := r*r, 0.0, r
	for k := 3.0; k < 31; k += 2 {
		power *= r2
		sum += power / k
	}
	return 2*sum - t*r
}

// stirling returns log Γ(a) minus Stirling's formula (a-1/2) log a - a + log(2π)/2.
func stirling(a float64) float64 {
	if a < 20 {
		gamma, _ := math.Lgamma(a)
		return gamma - (a-0.5)*math.Log(a) + a - math.Log(2*math.Pi)/2
	}
	a2 := a * a
	return (1.0/12 - (1.0/360-(1.0/1260-(1.0/1680-1.0/(1188*a2))/a2)/a2)/a2) / a
}

// TQuantiles holds quantiles of Student's t for one upper tail, computed once. Between integer
// degrees of freedom it interpolates the logarithm linearly in their reciprocal, which from 5
// degrees on is accurate to 0.2 %.
type TQuantiles struct {
	p    float64
	logs []float64 // for 1, 2, … degrees of freedom, up to tabled
	most float64   // for infinite degrees of freedom
}

// tabled is the largest tabulated number of degrees of freedom: beyond, interpolation to infinity
// is accurate to 0.03 % for tails of 1e-5 and more.
const tabled = 100

// NewTQuantiles computes the quantiles of an upper tail p below 0.5.
func NewTQuantiles(p float64) *TQuantiles {
	q := &TQuantiles{p: p, most: math.Log(NormalQuantile(p))}
	t := TQuantile(p, 1)
	for df := 1; df <= tabled; df++ {
		t = tQuantileFrom(t, p, float64(df)) // quantiles decrease with the degrees of freedom
		q.logs = append(q.logs, math.Log(t))
	}
	return q
}

// At returns the quantile for df degrees of freedom.
func (q *TQuantiles) At(df float64) float64 {
	if !(df >= 1) {
		return TQuantile(q.p, df)
	}
	low := min(math.Floor(df), tabled)
	from, to, next := q.logs[int(low)-1], q.most, 0.0
	if low < tabled {
		to, next = q.logs[int(low)], 1/(low+1)
	}
	part := (1/low - 1/df) / (1/low - next)
	return math.Exp(from + part*(to-from))
}

// Bisect halves the interval [low, high] the given number of times; holds is true up to a point in
// it.
func Bisect(low, high float64, times int, holds func(float64) bool) (from, to float64) {
	for range times {
		if mid := (low + high) / 2; holds(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return low, high
}

// secant returns the zero of an increasing f that is 0 once it is close enough, if the secant method comes
// to it within a few steps from x. From near the zero that takes half the calls of [root].
func secant(f func(float64) float64, x float64) (float64, bool) {
	y, next := f(x), 0.999*x
	for range 8 {
		if y == 0 {
			return x, true
		}
		last, above := x, y
		x, y = next, f(next)
		next = x - y*(x-last)/(y-above)
		if !(next > 0.5*x && next < 2*x) {
			break // the slope is no guide there
		}
	}
	return 0, false
}

// rootBelow returns the root of an increasing f somewhere below high.
func rootBelow(f func(float64) float64, high float64) float64 {
	low := high - 1
	for step := 1.0; f(low) > 0; step *= 2 {
		low -= step
	}
	return root(f, low, high)
}

// root returns the zero of f, which increases over [low, high], or the nearer end if f has no zero
// there: regula falsi that halves the weight of an end that stays twice in a row (the Illinois
// method), which takes about ten calls.
func root(f func(float64) float64, low, high float64) float64 {
	atLow, atHigh := f(low), f(high)
	if atLow >= 0 {
		return low
	}
	if atHigh <= 0 {
		return high
	}
	side := 0 // the end that was moved last
	for range 200 {
		x := (low*atHigh - high*atLow) / (atHigh - atLow)
		if !(x > low && x < high) {
			x = low + (high-low)/2
		}
		y := f(x)
		switch {
		case y == 0 || high-low <= 4e-16*math.Abs(x):
			return x
		case y < 0:
			if low, atLow = x, y; side < 0 {
				atHigh /= 2
			}
			side = -1
		default:
			if high, atHigh = x, y; side > 0 {
				atLow /= 2
			}
			side = 1
		}
	}
	return low + (high-low)/2
}
