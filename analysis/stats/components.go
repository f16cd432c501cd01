package stats

import (
	"fmt"
	"math"
)

// Components are the variances of the levels of an experiment, such as samples
// within invocations within blocks, from the lowest level to the top one, and
// the mean with its interval. Source: Kalibera and Jones 2013.
type Components struct {
	// Mean is the unweighted mean of the means, so that a longer window has no
	// more say; N is the number of values at the top level.
	Mean float64
	N    int
	// S2 is the biased estimate: the variance of the means of each level.
	S2 []float64
	// T2 is what each level adds: S2 less what comes from the level below it.
	// As estimated, so it may be negative where a level adds little.
	T2 []float64
	// ICC is the share of the top level in the sum of T2, none of them below 0;
	// 0 when nothing varies.
	ICC float64
	// Interval is Mean ± t(N-1; level) sqrt(S2/N), S2 of the top level.
	Interval Interval
}

// node is the mean of a part of the experiment, the variances S² and T² of the
// levels below it, and the variance that its mean has because of them.
type node struct {
	mean, noise float64
	s2, t2      []float64
}

// TwoLevels estimates the variance between invocations and within them, from
// the samples (or batch means) of each: S1² is the mean of the variances
// within, S2² that of the means; T1² = S1², T2² = S2² - mean(s_i²/r_i), which
// is S1²/r where all invocations have r samples.
func TwoLevels(invocations [][]float64, level float64) (Components, error) {
	nodes, err := leaves(invocations)
	if err != nil {
		return Components{}, err
	}
	return componentsOf(nodes, level)
}

// TwoLevelsFromMoments is TwoLevels when only the mean, variance (with r-1) and
// count of each invocation are known.
func TwoLevelsFromMoments(means, variances []float64, counts []int, level float64) (Components, error) {
	if len(means) != len(variances) || len(means) != len(counts) {
		return Components{}, fmt.Errorf("%w: %d means, %d variances, %d counts", ErrUnpaired, len(means), len(variances), len(counts))
	}
	nodes := make([]node, len(means))
	for i := range means {
		if counts[i] < 2 || !(variances[i] >= 0) {
			return Components{}, fmt.Errorf("invocation %d: %w: %d samples with the variance %v", i+1, ErrTooFew, counts[i], variances[i])
		}
		if err := finite(means[i], variances[i]); err != nil {
			return Components{}, fmt.Errorf("invocation %d: %w", i+1, err)
		}
		nodes[i] = leaf(means[i], variances[i], counts[i])
	}
	return componentsOf(nodes, level)
}

// ThreeLevels is TwoLevels one level higher: x[i] are the invocations of, say,
// build or host i. T3² = S3² less the mean of S2²/r2.
func ThreeLevels(x [][][]float64, level float64) (Components, error) {
	nodes := make([]node, len(x))
	for i, invocations := range x {
		below, err := leaves(invocations)
		if err != nil {
			return Components{}, fmt.Errorf("group %d: %w", i+1, err)
		}
		if nodes[i], err = join(below); err != nil {
			return Components{}, fmt.Errorf("group %d: %w", i+1, err)
		}
	}
	return componentsOf(nodes, level)
}

func leaves(invocations [][]float64) ([]node, error) {
	nodes := make([]node, len(invocations))
	for i, xs := range invocations {
		mean, err := Mean(xs)
		if err != nil {
			return nil, fmt.Errorf("invocation %d: %w", i+1, err)
		}
		sd, err := SD(xs)
		if err != nil {
			return nil, fmt.Errorf("invocation %d: %w", i+1, err)
		}
		nodes[i] = leaf(mean, sd*sd, len(xs))
	}
	return nodes, nil
}

func leaf(mean, variance float64, n int) node {
	return node{mean, variance / float64(n), []float64{variance}, []float64{variance}}
}

// join makes one node of several: their variance is a level of its own.
func join(nodes []node) (node, error) {
	if len(nodes) < 2 {
		return node{}, fmt.Errorf("%w: the variance of %d", ErrTooFew, len(nodes))
	}
	n := float64(len(nodes))
	means, noise := make([]float64, len(nodes)), 0.0
	s2, t2 := make([]float64, len(nodes[0].s2)+1), make([]float64, len(nodes[0].t2)+1)
	for i, below := range nodes {
		means[i] = below.mean
		noise += below.noise / n
		for l := range below.s2 {
			s2[l] += below.s2[l] / n
			t2[l] += below.t2[l] / n
		}
	}
	mean, err := Mean(means)
	if err != nil {
		return node{}, err
	}
	sd, err := SD(means)
	if err != nil {
		return node{}, err
	}
	top := len(s2) - 1
	s2[top] = sd * sd
	t2[top] = s2[top] - noise
	return node{mean, s2[top] / n, s2, t2}, nil
}

func componentsOf(nodes []node, level float64) (Components, error) {
	if !(level > 0 && level < 1) {
		return Components{}, fmt.Errorf("%w: %v", ErrLevel, level)
	}
	all, err := join(nodes)
	if err != nil {
		return Components{}, err
	}
	h := TQuantile((1-level)/2, float64(len(nodes)-1)) * math.Sqrt(all.noise)
	c := Components{Mean: all.mean, N: len(nodes), S2: all.s2, T2: all.t2, Interval: Interval{all.mean - h, all.mean + h, level}}
	sum := 0.0
	for _, v := range all.t2 {
		sum += max(0, v)
	}
	if sum > 0 {
		c.ICC = max(0, all.t2[len(all.t2)-1]) / sum
	}
	return c, finite(append(append([]float64{sum, c.ICC, c.Interval.Low, c.Interval.High}, c.S2...), c.T2...)...)
}
