package history

import (
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"moobench/analysis/stats"
	"moobench/results"
)

// mean is the arithmetic mean; NaN for an empty slice.
func mean(xs []float64) float64 { return stat.Mean(xs, nil) }

// squares is the sum of squares about a value; 0 for an empty slice.
func squares(xs []float64, about float64) (sum float64) {
	for _, x := range xs {
		sum += (x - about) * (x - about)
	}
	return sum
}

// pool pools the scatter of several groups of nights.
type pool struct {
	ss, df    float64
	within, n float64 // sum of the squared standard errors, and their number
	lag1      float64 // lag-1 correlation of nights
}

// add adds nights that scatter about a value, whose estimate took the given degrees of freedom.
func (p *pool) add(value float64, taken int, xs, ses []float64) {
	p.ss += squares(xs, value)
	p.df += float64(len(xs) - taken)
	for _, se := range ses {
		p.within += se * se
		p.n++
	}
}

// join adds the scatter of other groups.
func (p *pool) join(other pool) {
	p.ss, p.df = p.ss+other.ss, p.df+other.df
	p.within, p.n = p.within+other.within, p.n+other.n
}

// widen multiplies the deviations by a factor.
func (p *pool) widen(factor float64) {
	p.ss, p.within = factor*factor*p.ss, factor*factor*p.within
}

// widening returns the factor by which the nights of another machine vary more than these, at least
// 1. ok is false if there are too few nights.
func (p *pool) widening(other *pool) (factor float64, ok bool) {
	if other.df < LeastPairs-1 || p.df < leastNights-1 || p.ss == 0 {
		return 0, false
	}
	return max(1, other.scatter().SD/p.scatter().SD), true
}

// scatter returns the pooled standard deviation.
func (p *pool) scatter() *results.Scatter {
	return &results.Scatter{SD: math.Sqrt(p.ss / p.df), DF: p.df, Within: math.Sqrt(p.within / p.n), Lag1: p.lag1}
}

// farOff is the number of robust standard deviations at which a night of a level is an outlier;
// gaussian scales the median absolute deviation to a standard deviation.
const (
	farOff   = 3.5
	gaussian = 1.4826
)

// typical returns the values of a level without outliers, and their standard errors. A single night
// in twenty that is off by five standard deviations would inflate the standard deviation by half,
// and hide changes. It uses Hampel's identifier: further from the median than 3.5 times the scaled
// median absolute deviation. Source: Davies and Gather 1993. If half of the nights are equal, all
// are kept.
func typical(xs, ses []float64) (kept, keptSEs []float64) {
	sorted := slices.Sorted(slices.Values(xs))
	middle, mad := medians(sorted)
	if mad == 0 {
		return xs, ses
	}
	kept, keptSEs = make([]float64, 0, len(xs)), make([]float64, 0, len(xs))
	for i, x := range xs {
		if math.Abs(x-middle) <= farOff*gaussian*mad {
			kept, keptSEs = append(kept, x), append(keptSEs, ses[i])
		}
	}
	return kept, keptSEs
}

// medians returns the median of ascending values and their median absolute deviation; 0 for an
// empty slice. It merges the distances from both sides.
func medians(sorted []float64) (middle, mad float64) {
	n := len(sorted)
	if n == 0 {
		return 0, 0
	}
	middle = (sorted[(n-1)/2] + sorted[n/2]) / 2
	below, above := (n-1)/2, (n-1)/2+1 // nearest values on each side not counted yet
	for i := 0; i <= n/2; i++ {
		var distance float64
		if above >= n || below >= 0 && middle-sorted[below] <= sorted[above]-middle {
			distance = middle - sorted[below]
			below--
		} else {
			distance = sorted[above] - middle
			above++
		}
		if i == (n-1)/2 {
			mad += distance / 2
		}
		if i == n/2 {
			mad += distance / 2
		}
	}
	return middle, mad
}

// floors sets the noise floor of a scenario's series: the standard deviation between nights of the
// second baseline's ratio to the first, over the last nights. If both are pinned to another
// variant, it is the standard deviation of the difference of their logarithms; 0 if there is no
// first baseline.
func floors(tracks []*track) {
	byKey := map[Key]*track{}
	for _, t := range tracks {
		byKey[t.Key] = t
	}
	// level is the key shared by all series of a factor level; cells are named by variant and
	// level.
	level := func(t *track) Key {
		k := t.Key
		_, k.Cell, _ = strings.Cut(k.Cell, " ")
		return k
	}
	floor := map[Key]float64{}
	for _, t := range tracks {
		if !t.last().AA {
			continue
		}
		variant, _, _ := strings.Cut(t.Cell, " ")
		variant = strings.TrimSuffix(variant, "#aa")
		first := level(t)
		first.Cell = strings.TrimSpace(variant + " " + first.Cell)
		ratios := t.x
		if variant != t.Reference {
			ratios = nil // of the nights that both have
			value := map[string]float64{}
			if baseline := byKey[first]; baseline != nil {
				for i, x := range baseline.x {
					value[baseline.night(i).ID] = x
				}
			}
			for i, x := range t.x {
				if y, ok := value[t.night(i).ID]; ok {
					ratios = append(ratios, x-y)
				}
			}
		}
		floor[level(t)], _ = stats.SD(ratios[max(0, len(ratios)-window):]) // 0 if too few
	}
	for _, t := range tracks {
		t.Floor = floor[level(t)]
	}
}
