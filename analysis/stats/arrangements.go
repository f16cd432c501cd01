package stats

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/combin"
)

const (
	// mostArranged is the largest number of arrangements that are enumerated.
	mostArranged = 1 << 18
	// drawnArranged is the number drawn, with a fixed seed, if there are more.
	drawnArranged = 1<<16 - 1
)

// arrangements are the possible assignments of runs to two arms under the hypothesis that their
// rates have a given ratio. For each arrangement but the actual one, there is a ratio up to which
// the actual arms lie further apart. The permutation test and its interval are both read from these
// ratios, so they agree. Sources: Hartigan 1969, for the means of subsets, here their ratios;
// Pitman 1937.
type arrangements struct {
	ratios []float64 // sorted
	always float64   // number of arrangements that are as far apart at every ratio
	exact  bool
}

func newArrangements(ratios []float64, exact bool) *arrangements {
	a := &arrangements{exact: exact}
	for _, r := range ratios {
		if math.IsNaN(r) {
			a.always++
		} else {
			a.ratios = append(a.ratios, r)
		}
	}
	slices.Sort(a.ratios)
	return a
}

// ways returns the number of arrangements, including the actual one.
func (a *arrangements) ways() float64 { return float64(len(a.ratios)) + a.always + 1 }

// least returns the smallest possible p.
func (a *arrangements) least() float64 { return min(1, 2/a.ways()) }

// p returns the two-sided p of a ratio.
func (a *arrangements) p(ratio float64) float64 {
	below, _ := slices.BinarySearch(a.ratios, ratio*(1-1e-9))
	upTo, _ := slices.BinarySearch(a.ratios, ratio*(1+1e-9))
	fewer := min(upTo, len(a.ratios)-below)
	return min(1, 2*(float64(fewer)+a.always+1)/a.ways())
}

// interval returns the ratios whose p is above 1 - level, or above the smallest possible p if that
// is higher.
func (a *arrangements) interval(level float64) Interval {
	i := Interval{0, math.Inf(1), level}
	// The number of ratios beyond each bound, allowing for the actual arrangement and for rounding.
	n := len(a.ratios)
	k := min(int(max(1, (1-level)/2*a.ways()*(1+1e-12)+1e-9)-a.always), (n+1)/2)
	if k >= 1 {
		i.Low, i.High = a.ratios[k-1], a.ratios[n-k]
	}
	return i
}

// arrangePairs exchanges runs within pairs. Each pair contributes its events divided by the
// exposure of the whole arm, so that the sum over the pairs is the difference of the rates. Up to
// 16 pairs, it enumerates all subsets.
func arrangePairs(a, b EventRuns) *arrangements {
	_, sa := a.Total()
	_, sb := b.Total()
	n, scale := len(a.Events), sb/sa
	var ratios []float64
	if n <= 16 {
		ka, kb := make([]int64, 1<<n), make([]int64, 1<<n)
		for s := 1; s < 1<<n; s++ { // one bit per pair; the sums without the lowest pair are known
			pair, others := bits.TrailingZeros(uint(s)), s&(s-1)
			ka[s], kb[s] = ka[others]+a.Events[pair], kb[others]+b.Events[pair]
			ratios = append(ratios, float64(ka[s])/float64(kb[s])*scale)
		}
		return newArrangements(ratios, true)
	}
	rng, drawn := rand.New(rand.NewPCG(1, 3)), make([]uint64, (n+63)/64)
	for range drawnArranged {
		for i := range drawn {
			drawn[i] = rng.Uint64()
		}
		ka, kb := int64(0), int64(0)
		for i := range n {
			if drawn[i/64]>>(i%64)&1 == 1 {
				ka, kb = ka+a.Events[i], kb+b.Events[i]
			}
		}
		ratios = append(ratios, float64(ka)/float64(kb)*scale)
	}
	return newArrangements(ratios, false)
}

// arrangeRuns reassigns all runs to arms of the same sizes. The sum over an arm of its runs' excess
// over the common rate is proportional to the difference of the rates.
func arrangeRuns(a, b EventRuns) *arrangements {
	runs := EventRuns{slices.Concat(a.Events, b.Events), slices.Concat(a.Exposure, b.Exposure)}
	n, inA := len(runs.Events), len(a.Events)
	all, _ := runs.Total()
	_, sa := a.Total()
	_, sb := b.Total()
	var ratios []float64
	taken, sawActual := make([]bool, n), false
	// add adds the ratio for the runs chosen as first arm: the one at which the runs that left it
	// and those that joined it exceed the common rate equally; 0 or infinite if only one side has
	// events, NaN if neither.
	add := func(chosen []int) {
		clear(taken)
		for _, i := range chosen {
			taken[i] = true
		}
		events, left, came, moved := 0.0, 0.0, 0.0, false
		for i, taken := range taken {
			switch {
			case taken && i >= inA:
				events, came, moved = events+float64(runs.Events[i]), came+runs.Exposure[i], true
			case !taken && i < inA:
				events, left = events-float64(runs.Events[i]), left+runs.Exposure[i]
			}
		}
		if !moved && !sawActual {
			sawActual = true
			return
		}
		up, down := float64(all)*came-events*sb, float64(all)*left+events*sa
		ratios = append(ratios, max(0, up)/max(0, down))
	}
	if math.Round(math.Exp(logChoose(n, inA))) <= mostArranged {
		for g := combin.NewCombinationGenerator(n, inA); g.Next(); {
			add(g.Combination(nil))
		}
		return newArrangements(ratios, true)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range drawnArranged {
		add(rng.Perm(n)[:inA])
	}
	return newArrangements(ratios, false)
}
