package stats

import (
	"cmp"
	"fmt"
	"math"
)

// binaryRates holds ka events in exposure sa, and kb in sb. Given their sum, ka is binomial, and
// its odds are the ratio of the rates times sa/sb.
type binaryRates struct{ ka, sa, kb, sb float64 }

func newBinaryRates(a, b EventRuns) (binaryRates, error) {
	ka, sa := a.Total()
	kb, sb := b.Total()
	switch err := cmp.Or(checkCount(ka, sa), checkCount(kb, sb), finite(sa/sb, sb/sa, sa+sb)); {
	case err != nil:
		return binaryRates{}, err
	case max(ka, kb) > mostEvents:
		err := fmt.Errorf("%w: more than %d events are beyond exact arithmetic", ErrNotFinite, int64(mostEvents))
		return binaryRates{}, err
	}
	r := binaryRates{float64(ka), sa, float64(kb), sb}
	return r, finite(r.ka/sa, r.kb/sb)
}

// ratio is infinite if b has no event, and NaN if neither has.
func (r binaryRates) ratio() float64 { return r.ka / r.kb * (r.sb / r.sa) }

func (r binaryRates) difference() float64 { return r.ka/r.sa - r.kb/r.sb }

// exact returns the p of the conditional test of equal rates: one tail of the binomial, or twice
// the smaller one. Source: Fay 2010.
func (r binaryRates) exact(alt Alternative) float64 {
	d := binomial{r.ka + r.kb, r.sa / (r.sa + r.sb), r.sb / (r.sa + r.sb)}
	return alt.p(d.atMost(r.ka), d.atLeast(r.ka))
}

func (r binaryRates) clopperPearson(level float64) Interval {
	i := Interval{0, math.Inf(1), level}
	if r.ka > 0 {
		i.Low = leastOdds(r.ka, r.kb, (1-level)/2) * (r.sb / r.sa)
	}
	if r.kb > 0 {
		i.High = r.sb / r.sa / leastOdds(r.kb, r.ka, (1-level)/2)
	}
	return i
}

// deviance measures how much worse a ratio fits than the observed one.
func (r binaryRates) deviance(ratio float64) float64 {
	n, odds := r.ka+r.kb, ratio*(r.sa/r.sb)
	part := func(k, chance float64) float64 {
		if k == 0 {
			return 0
		}
		return 2 * k * math.Log(k/n/chance)
	}
	return max(0, part(r.ka, 1/(1+1/odds))+part(r.kb, 1/(1+odds)))
}

// quasi returns the interval of the ratios whose deviance, divided by the dispersion, is at most
// the quantile of F with 1 and df degrees of freedom.
func (r binaryRates) quasi(dispersion, df, level float64) Interval {
	t := TQuantile((1-level)/2, df)
	most := dispersion * t * t
	return Interval{r.leastRatio(most), 1 / binaryRates{r.kb, r.sb, r.ka, r.sa}.leastRatio(most), level}
}

// leastRatio returns the smallest ratio whose deviance is at most most; 0 if a has no event.
func (r binaryRates) leastRatio(most float64) float64 {
	switch {
	case r.ka == 0:
		return 0
	case r.kb == 0: // the deviance is 2 ka log(1 + 1/odds)
		return 1 / math.Expm1(most/(2*r.ka)) * (r.sb / r.sa)
	}
	excess := func(log float64) float64 { return most - r.deviance(math.Exp(log)) }
	return math.Exp(rootBelow(excess, math.Log(r.ratio())))
}

// differenceInterval returns the interval of the difference: the total number of events m times
// (ratio-1)/(ratio sa + sb), over the ellipse whose half axes are the distances of both bounds from
// the observed values, as in the method of variance estimates recovery (Zou and Donner 2008). The
// second factor has the sign of the difference, so the interval contains 0 exactly if that of the
// ratio contains 1, and it always contains the observed difference.
func (r binaryRates) differenceInterval(ratio, events Interval) Interval {
	low, high := -1/r.sb, 1/r.sa
	if ratio.Low > 0 {
		low = (ratio.Low - 1) / (ratio.Low*r.sa + r.sb)
	}
	if !math.IsInf(ratio.High, 1) {
		high = (1 - 1/ratio.High) / (r.sa + r.sb/ratio.High)
	}
	n := r.ka + r.kb
	if n == 0 {
		return Interval{events.High * low, events.High * high, ratio.Level}
	}
	observed := r.difference() / n
	return Interval{
		leastProduct(n, events, observed, observed-low),
		-leastProduct(n, events, -observed, high-observed),
		ratio.Level,
	}
}

// leastProduct returns the smallest product of a number of events, observed as n within bounds, and
// a factor, observed as x and lower by at most reach, on the ellipse with these half axes.
func leastProduct(n float64, bounds Interval, x, reach float64) float64 {
	more, less := bounds.High-n, n-bounds.Low
	product := func(angle float64) float64 {
		factor := x - reach*math.Cos(angle)
		if factor < 0 {
			return (n + more*math.Sin(angle)) * factor
		}
		return (n - less*math.Sin(angle)) * factor
	}
	const steps = 64
	best := 0
	for i := range steps + 1 {
		if product(float64(i)*math.Pi/2/steps) < product(float64(best)*math.Pi/2/steps) {
			best = i
		}
	}
	low, high := float64(max(0, best-1))*math.Pi/2/steps, float64(min(steps, best+1))*math.Pi/2/steps
	for range 60 { // ternary search
		third := (high - low) / 3
		if product(low+third) < product(high-third) {
			high -= third
		} else {
			low += third
		}
	}
	return min(product((low+high)/2), product(float64(best)*math.Pi/2/steps))
}

// mostEvents is the largest number of events in one arm; run time grows with its square root.
const mostEvents = 1 << 36

// leastOdds returns the odds at which a or more of a+b have the given probability.
func leastOdds(a, b, chance float64) float64 {
	excess := func(logOdds float64) float64 {
		x, y := 1/(1+math.Exp(-logOdds)), 1/(1+math.Exp(logOdds))
		return math.Log(incompleteBeta(a, b+1, x, y) / chance)
	}
	high := math.Log(a / (b + 0.5))
	for step := 1.0; excess(high) < 0; step *= 2 {
		high += step
	}
	return math.Exp(rootBelow(excess, high))
}

// binomial is the distribution of the number of successes in n; rest is 1 - chance.
type binomial struct{ n, chance, rest float64 }

func (d binomial) atLeast(k float64) float64 {
	switch {
	case k <= 0:
		return 1
	case k > d.n:
		return 0
	}
	return incompleteBeta(k, d.n-k+1, d.chance, d.rest)
}

func (d binomial) atMost(k float64) float64 { return binomial{d.n, d.rest, d.chance}.atLeast(d.n - k) }
