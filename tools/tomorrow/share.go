package main

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"moobench/analysis/stats"
)

// level is the level of all intervals, unless stated otherwise.
const level = 0.95

// pair is a verdict on two campaigns, or on parts of them.
type pair struct {
	a, b    int  // campaigns
	differs bool // the interval excludes "no change"
	apart   bool // the verdict is neither undecided nor equivalent
}

// share is the share of pairs with a property. It is a U-statistic: pairs have campaigns in common, so that the
// number of pairs says little about its precision.
type share struct {
	value     float64
	low, high float64 // its interval, over campaigns
	pairs     int
}

// shareOf returns the share of pairs for which holds is true, with its interval over campaigns. Each group has
// campaigns that were drawn alike; every pair is within one group, or across the same two.
//
// Shares near 0 have no symmetric interval. The interval is Clopper's and Pearson's for the number of
// independent pairs with the jackknife's variance, reduced for the excess width of t over the normal (Korn and
// Graubard 1998). This number is at least that of pairs without a common campaign, and at most that of all
// pairs. If no pair or every pair holds, the jackknife is useless, and the least number is used.
func shareOf(all []pair, holds func(pair) bool, groups ...[]int) share {
	s := share{value: mean(all, holds, -1), pairs: len(all)}
	least := math.Inf(1)
	for _, group := range groups {
		least = min(least, float64(len(group)))
	}
	if len(groups) == 1 {
		least = math.Floor(least / 2)
	}
	tail, n := (1-level)/2, least
	if variance, df := jackknife(all, holds, groups); 0 < s.value && s.value < 1 && variance > 0 {
		ratio := stats.NormalQuantile(tail) / stats.TQuantile(tail, df)
		n = min(max(s.value*(1-s.value)/variance*ratio*ratio, least), float64(len(all)))
	}
	s.low, s.high = clopperPearson(s.value*n, n, tail)
	return s
}

// jackknife returns the variance of a share, with its degrees of freedom. One campaign is left out at a time,
// and each group contributes Σ (n-1)/n Σ (θ₋ₖ - θ̄)² (Arvesen 1969).
func jackknife(all []pair, holds func(pair) bool, groups [][]int) (variance, df float64) {
	for _, group := range groups {
		var left []float64
		for _, k := range group {
			left = append(left, mean(all, holds, k))
		}
		n := float64(len(group))
		if sd, err := stats.SD(left); err == nil {
			variance += (n - 1) * (n - 1) / n * sd * sd
		}
		df += n - 1
	}
	return variance, df
}

// mean returns the share of the pairs without a given campaign for which holds is true; NaN without any.
func mean(all []pair, holds func(pair) bool, without int) float64 {
	n, found := 0.0, 0.0
	for _, p := range all {
		if p.a == without || p.b == without {
			continue
		}
		n++
		if holds(p) {
			found++
		}
	}
	return found / n
}

// clopperPearson returns the exact interval of a share after k of n successes, with a tail on each side; k and
// n need not be integers (Clopper and Pearson 1934).
func clopperPearson(k, n, tail float64) (low, high float64) {
	low, high = 0, 1
	if k > 0 {
		low = distuv.Beta{Alpha: k, Beta: n - k + 1}.Quantile(tail)
	}
	if k < n {
		high = distuv.Beta{Alpha: k + 1, Beta: n - k}.Quantile(1 - tail)
	}
	return low, high
}
