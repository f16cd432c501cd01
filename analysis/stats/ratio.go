package stats

import (
	"cmp"
	"fmt"
	"math"
)

// Ratio is the ratio of two arithmetic means with Fieller's confidence set. A bounded set is Low to
// High. Otherwise the denominator is not significantly different from 0: the set is everything
// outside (Low, High) if Exclusive, else the half or whole line from Low to High.
type Ratio struct {
	Value     float64
	Interval  Interval
	Bounded   bool
	Exclusive bool
	DF        float64
	N         int // pairs, or values of the smaller sample
}

// means holds two means with their variances and covariance, each scaled by a power of two, so that
// no square over- or underflows.
type means struct {
	x, y         float64
	vx, vy, cov  float64
	unitX, unitY int // binary exponents
	ratio        float64
	df           float64
	n            int
}

// Fieller estimates mean x / mean y with the set of all ratios r for which a t test of mean x - r
// mean y does not reject 0 at the level. Paired samples have the covariance of the pairs and n-1
// degrees of freedom, others those of Welch and Satterthwaite at the estimated ratio (Tamhane and
// Logan 2004). A mean of 0 in y returns ErrZeroBelow. Source: Fieller 1954.
func Fieller(x, y []float64, paired bool, level float64) (Ratio, error) {
	m, err := meansOf(x, y, paired)
	return m.fieller(level, err)
}

// FiellerSummary is Fieller for independent samples given by their summaries.
func FiellerSummary(x, y Sample, level float64) (Ratio, error) {
	m, err := independent(x, y)
	return m.fieller(level, err)
}

// Known is an estimate given by its value, standard error and degrees of freedom.
type Known struct{ Value, SE, DF float64 }

// FiellerKnown is Fieller for independent estimates whose degrees of freedom don't follow from a
// number of values, such as those of sized campaigns. N of the result is 0. A value of 0 in y
// returns ErrZeroBelow.
func FiellerKnown(x, y Known, level float64) (Ratio, error) {
	if !(x.DF > 0) || !(y.DF > 0) || x.SE < 0 || y.SE < 0 {
		return Ratio{}, ErrTooFew
	}
	m := means{ratio: x.Value / y.Value}
	m.scale(x, y)
	r := m.x / m.y
	m.df = SumOfVariances(Variance{m.vx, x.DF}, Variance{r * r * m.vy, y.DF}).DF
	return m.fieller(level, belowTheLine(y.Value, finite(x.Value, x.SE, y.Value, y.SE, m.ratio)))
}

// Wider inflates the variances of the means of pairs.
type Wider struct {
	Times  float64 // factor of all variances, and of the covariance
	Beside float64 // then added to the variance of the mean of x
	DF     float64 // degrees of freedom, instead of n-1
}

// FiellerWider is Fieller for pairs whose values are dependent, or depend on estimated quantities.
func FiellerWider(x, y []float64, w Wider, level float64) (Ratio, error) {
	m, err := meansOf(x, y, true)
	if err == nil && (!(w.Times > 0) || !(w.DF > 0) || w.Beside < 0) {
		err = ErrTooFew
	}
	m.vx = w.Times*m.vx + math.Ldexp(w.Beside, -2*m.unitX)
	m.vy, m.cov, m.df = w.Times*m.vy, w.Times*m.cov, w.DF
	return m.fieller(level, err)
}

func belowTheLine(mean float64, err error) error {
	if err != nil && mean == 0 {
		return ErrZeroBelow
	}
	return in(fmt.Sprintf("a mean of %v below the line", mean), err)
}

// DeltaRatio estimates mean x / mean y by the delta method: r ± t(df; level) se, se² = (vx - 2 r
// cov + r² vy)/my², with the variances of the means and the degrees of freedom of Fieller. The
// interval is always bounded, and too narrow if Fieller's is not. SD is the standard deviation of
// (x - r y)/my over pairs, else the root mean square of both samples' parts in it. The test is
// whether the ratio is 1. Source: Cramér 1946.
func DeltaRatio(x, y []float64, paired bool, level float64) (Estimate, error) {
	m, err := meansOf(x, y, paired)
	if err := cmp.Or(checkLevel(level), err); err != nil {
		return Estimate{}, err
	}
	r := m.x / m.y
	se := math.Sqrt(max(0, m.vx-2*r*m.cov+r*r*m.vy)) / math.Abs(m.y)
	se = math.Ldexp(se, m.unitX-m.unitY)
	e := studentised(m.ratio, se, m.df, TwoSided, level)
	e.N, e.SD = m.n, se*math.Sqrt(float64(m.n))
	e.Test = TestT(m.ratio-1, se, m.df, TwoSided)
	return e.checked(TwoSided)
}

func meansOf(x, y []float64, paired bool) (means, error) {
	sx, sy, errSamples := samplesOf(x, y)
	m, err := independent(sx, sy)
	switch err := cmp.Or(errSamples, err); {
	case errSamples == nil && paired && len(x) != len(y):
		return means{}, ErrUnpaired
	case !paired || err != nil:
		return m, err
	}
	n := float64(len(x))
	for i := range x {
		m.cov += math.Ldexp(x[i]-sx.Mean, -m.unitX) * math.Ldexp(y[i]-sy.Mean, -m.unitY) / (n * (n - 1))
	}
	m.df = n - 1
	return m, nil
}

// independent returns the means of independent samples.
func independent(x, y Sample) (means, error) {
	m := means{ratio: x.Mean / y.Mean, n: min(x.N, y.N)}
	if err := cmp.Or(checkBoth(x, y, TwoSided, 0.5), belowTheLine(y.Mean, finite(m.ratio))); err != nil {
		return means{}, err
	}
	m.scale(Known{Value: x.Mean, SE: x.se()}, Known{Value: y.Mean, SE: y.se()})
	r := m.x / m.y
	m.df = satterthwaite(math.Sqrt(m.vx), x.N, math.Abs(r)*math.Sqrt(m.vy), y.N)
	return m, nil
}

// scale sets the means and their variances, scaled by powers of two.
func (m *means) scale(x, y Known) {
	_, m.unitX = math.Frexp(max(math.Abs(x.Value), x.SE))
	_, m.unitY = math.Frexp(max(math.Abs(y.Value), y.SE))
	m.x, m.y = math.Ldexp(x.Value, -m.unitX), math.Ldexp(y.Value, -m.unitY)
	ex, ey := math.Ldexp(x.SE, -m.unitX), math.Ldexp(y.SE, -m.unitY)
	m.vx, m.vy = ex*ex, ey*ey
}

// fieller solves a r² + b r + c <= 0, a = my² - t² vy, b = -2(mx my - t² cov), c = mx² - t² vx, for
// r minus s = cov/vy: without covariance, the discriminant is a sum without cancellation. It
// returns an error of the means unchanged.
func (m means) fieller(level float64, err error) (Ratio, error) {
	if err := cmp.Or(err, checkLevel(level)); err != nil {
		return Ratio{}, err
	}
	t := TQuantile((1-level)/2, m.df)
	s := 0.0
	if m.vy > 0 {
		s = m.cov / m.vy
	}
	x, vx := m.x-s*m.y, max(0, m.vx-s*m.cov)
	a, half, c := m.y*m.y-t*t*m.vy, x*m.y, x*x-t*t*vx
	r := Ratio{Value: m.ratio, DF: m.df, N: m.n, Bounded: a > 0}
	low, high := math.Inf(-1), math.Inf(1)
	switch d := t * t * (a*vx + x*x*m.vy); {
	case a != 0 && d >= 0:
		r.Exclusive = a < 0
		low, high = 0, 0
		if q := half + math.Copysign(math.Sqrt(d), half); q != 0 { // both roots without cancellation
			low, high = min(q/a, c/q), max(q/a, c/q)
		}
	case a == 0 && half > 0:
		low = c / (2 * half)
	case a == 0 && half < 0:
		high = c / (2 * half)
	}
	unit := m.unitX - m.unitY
	r.Interval = Interval{math.Ldexp(low+s, unit), math.Ldexp(high+s, unit), level}
	if r.Bounded || r.Exclusive {
		return r, finite(r.Interval.Low, r.Interval.High)
	}
	return r, nil
}
