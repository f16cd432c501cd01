package stats

import (
	"errors"
	"math"
	"slices"
)

// Group is the mean of observations that have something in common which other groups have not, such
// as the host that they were made on.
type Group struct {
	N    int     // observations
	Mean float64 // of them
	// SE is the standard error of Mean within the group, with DF degrees of freedom; both are 0 of
	// one observation, about whose spread it says nothing.
	SE, DF float64
}

// spread says whether the group shows how much its observations scatter.
func (g Group) spread() bool { return g.N > 1 && g.DF > 0 }

// fewestAlone is how many degrees of freedom a group needs for its own spread to be taken.
const fewestAlone = 5

// errFewGroups means that too few groups have two observations for their spread to be known.
var errFewGroups = errors.New("fewer than half of the groups have two observations")

// PooledWithin is the variance of one observation, which all groups are taken to have in common.
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

// mostlySpread says whether at least half of the groups show their spread.
func mostlySpread(groups []Group) bool {
	n := 0
	for _, g := range groups {
		if g.spread() {
			n++
		}
	}
	return n > 0 && 2*n >= len(groups)
}

// TheseGroups is the mean of the groups' means, each with the same weight, and the variance of that:
// what is said of these groups, and of no others. A group of one observation is taken to scatter as
// the others do on average. The degrees of freedom are Satterthwaite's (1946), of the linear
// combination of the groups' own variances. The error is ErrTooFew of no groups, and errFewGroups.
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
	var parts []Variance // each group's own variance, and its share in that of the groups that have none
	for _, g := range groups {
		if !g.spread() {
			continue
		}
		own := g.SE * g.SE * float64(g.N)
		parts = append(parts, Variance{Value: own * (1/float64(g.N) + alone*g.DF/within.DF) / (k * k), DF: g.DF})
	}
	return mean, SumOfVariances(parts...), nil
}

// Population is what is said of groups like those that were seen.
type Population struct {
	groups int // that were seen
	Mean   float64
	SE, DF float64 // standard error of Mean, with one degree of freedom less than there are groups
	// Tau is the standard deviation between groups; TauKnown is false where most groups have one
	// observation, in which it can't be told from the spread within them.
	Tau      float64
	TauKnown bool
	q        float64 // Hartung and Knapp's factor of SE², at least 1
}

// LikeGroups estimates the mean of the population that groups come from. The variance between them is
// Paule and Mandel's (1982), over the groups of at least two observations; the standard error is
// that of Hartung and Knapp (2001) and Sidik and Jonkman (2002), with a factor of at least 1, so that
// it is never smaller than if the variance between groups were known to be what was estimated.
// Groups with fewer than five degrees of freedom have the pooled variance within groups: their own
// would give weight to those that came out alike by chance. Where most groups have one observation,
// it is the mean of the groups' means with the standard error of these. The error is ErrTooFew of
// fewer than two groups.
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
	if math.IsInf(weight, 1) { // no group scatters, and all are alike
		p.SE = 0
	}
	return p, nil
}

// weighted is the mean of some groups, each weighted by the inverse of its variance, what they scatter
// about it in units of these, and the sum of the weights.
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

// pauleMandel finds the variance between groups with which they scatter as much as they are expected
// to: Q falls with it, so that it is found by bisection.
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

// fewestPredicted is how many groups it takes to say where another one will lie.
const fewestPredicted = 5

// Predict is the interval in which the mean of another group of the population lies, with k - 2
// degrees of freedom (Higgins, Thompson and Spiegelhalter 2009). It is not known of fewer than five
// groups, nor where Tau is not.
func (p Population) Predict(level float64) (Interval, bool) {
	if p.groups < fewestPredicted || !p.TauKnown {
		return Interval{}, false
	}
	return IntervalT(p.Mean, math.Hypot(p.Tau, p.SE), p.DF-1, TwoSided, level), true
}
