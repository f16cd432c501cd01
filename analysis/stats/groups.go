package stats

import (
	"errors"
	"math"
	"slices"
)

// Group is the mean of observations with a common factor that other groups don't share, such as the
// host they were made on.
type Group struct {
	N    int     // observations
	Mean float64 // of the observations
	// SE is the standard error of Mean within the group, with DF degrees of freedom; both are 0 for
	// one observation, whose spread is unknown.
	SE, DF float64
}

// spread reports whether the group's spread is known.
func (g Group) spread() bool { return g.N > 1 && g.DF > 0 }

// fewestAlone is the least number of degrees of freedom for a group's own variance to be used.
const fewestAlone = 5

// errFewGroups means that too few groups have two observations for their spread to be known.
var errFewGroups = errors.New("fewer than half of the groups have two observations")

// PooledWithin returns the pooled variance of one observation, assumed equal in all groups.
func PooledWithin(groups []Group) Variance {
	var v Variance
	for _, g := range groups {
		if g.spread() {
			v.Value += g.DF * g.SE * g.SE * float64(g.N)
			v.DF += g.DF
		}
	}
	if v.DF > 0 {
		v.Value /= v.DF
	}
	return v
}

// mostlySpread reports whether at least half of the groups have a known spread.
func mostlySpread(groups []Group) bool {
	n := 0
	for _, g := range groups {
		if g.spread() {
			n++
		}
	}
	return n > 0 && 2*n >= len(groups)
}

// TheseGroups returns the unweighted mean of the groups' means, and its variance: for inference
// about these groups only. A group of one observation is assumed to vary as the others do on
// average. The degrees of freedom are Satterthwaite's (1946), for the linear combination of the
// groups' own variances. The error is ErrTooFew without groups, or errFewGroups.
func TheseGroups(groups []Group) (mean float64, v Variance, err error) {
	k := float64(len(groups))
	if k == 0 {
		return 0, v, ErrTooFew
	}
	if !mostlySpread(groups) {
		return 0, v, errFewGroups
	}
	within, alone := PooledWithin(groups), 0.0
	for _, g := range groups {
		mean += g.Mean / k
		if !g.spread() {
			alone++
		}
	}
	var parts []Variance // each group's own variance, with its share in that of the groups without one
	for _, g := range groups {
		if !g.spread() {
			continue
		}
		own := g.SE * g.SE * float64(g.N)
		parts = append(parts, Variance{Value: own * (1/float64(g.N) + alone*g.DF/within.DF) / (k * k), DF: g.DF})
	}
	return mean, SumOfVariances(parts...), nil
}

// Population is the inference about the population of groups.
type Population struct {
	groups int // observed groups
	Mean   float64
	SE, DF float64 // of Mean; DF is the number of groups less one
	// Tau is the standard deviation between groups; TauKnown is false if most groups have one
	// observation, so that it can't be separated from the spread within them.
	Tau      float64
	TauKnown bool
	q        float64 // Hartung and Knapp's factor of SE², at least 1
}

// LikeGroups estimates the mean of the population of groups. The variance between groups is Paule
// and Mandel's (1982), over the groups of at least two observations; the standard error is by
// Hartung and Knapp (2001) and Sidik and Jonkman (2002), with a factor of at least 1, so that it is
// never smaller than with the estimated variance between groups taken as known. Groups with fewer
// than five degrees of freedom use the pooled variance within groups: their own would give weight
// to groups whose values agree by chance. If most groups have one observation, it returns the mean
// of the groups' means with its standard error. The error is ErrTooFew for fewer than two groups.
func LikeGroups(groups []Group) (Population, error) {
	p := Population{groups: len(groups), DF: float64(len(groups) - 1), q: 1}
	if len(groups) < 2 {
		return p, ErrTooFew
	}
	if !mostlySpread(groups) {
		means := make([]float64, len(groups))
		for i, g := range groups {
			means[i] = g.Mean
		}
		s, err := SampleOf(means)
		if err != nil {
			return p, err
		}
		p.Mean, p.SE = s.Mean, s.SD/math.Sqrt(float64(s.N))
		return p, nil
	}
	within := PooledWithin(groups)
	variances := make([]float64, len(groups))
	var spread []int
	for i, g := range groups {
		variances[i] = within.Value / float64(g.N)
		if g.DF >= fewestAlone {
			variances[i] = g.SE * g.SE
		}
		if g.spread() {
			spread = append(spread, i)
		}
	}
	tau2 := 0.0
	if len(spread) > 1 {
		tau2 = pauleMandel(groups, variances, spread)
	}
	all := make([]int, len(groups))
	for i := range all {
		all[i] = i
	}
	mean, q, weight := weighted(groups, variances, all, tau2)
	p.Mean, p.Tau, p.TauKnown = mean, math.Sqrt(tau2), true
	p.q = max(1, q/p.DF)
	p.SE = math.Sqrt(p.q / weight)
	if math.IsInf(weight, 1) { // no group varies, and all are equal
		p.SE = 0
	}
	return p, nil
}

// weighted returns the inverse-variance weighted mean of some groups, the sum of their weighted
// squared deviations from it, and the sum of the weights.
func weighted(groups []Group, variances []float64, which []int, tau2 float64) (mean, q, weight float64) {
	if slices.ContainsFunc(which, func(i int) bool { return variances[i]+tau2 <= 0 }) {
		for _, i := range which {
			mean += groups[i].Mean / float64(len(which))
		}
		for _, i := range which {
			if groups[i].Mean != mean {
				return mean, math.Inf(1), math.Inf(1)
			}
		}
		return mean, 0, math.Inf(1)
	}
	for _, i := range which {
		w := 1 / (variances[i] + tau2)
		weight += w
		mean += w * groups[i].Mean
	}
	mean /= weight
	for _, i := range which {
		q += (groups[i].Mean - mean) * (groups[i].Mean - mean) / (variances[i] + tau2)
	}
	return mean, q, weight
}

// pauleMandel finds the variance between groups at which Q equals its expectation. Q decreases with
// it, so bisection finds it.
func pauleMandel(groups []Group, variances []float64, which []int) float64 {
	expected := float64(len(which) - 1)
	excess := func(tau2 float64) float64 {
		_, q, _ := weighted(groups, variances, which, tau2)
		return q - expected
	}
	if !(excess(0) > 0) {
		return 0
	}
	low, high := 0.0, 0.0
	for _, i := range which {
		for _, j := range which {
			d := groups[i].Mean - groups[j].Mean
			high = max(high, d*d)
		}
	}
	for excess(high) > 0 {
		high *= 2
	}
	for range 200 {
		middle := low + (high-low)/2
		if middle == low || middle == high {
			break
		}
		if excess(middle) > 0 {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// fewestPredicted is the least number of groups for a prediction interval.
const fewestPredicted = 5

// Predict returns the prediction interval for the mean of another group of the population, with k -
// 2 degrees of freedom (Higgins, Thompson and Spiegelhalter 2009). It returns false for fewer than
// five groups, or if Tau is not known.
func (p Population) Predict(level float64) (Interval, bool) {
	if p.groups < fewestPredicted || !p.TauKnown {
		return Interval{}, false
	}
	return IntervalT(p.Mean, math.Hypot(p.Tau, p.SE), p.DF-1, TwoSided, level), true
}
