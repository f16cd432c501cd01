package summary

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func distributionOf(t interface{ Fatal(...any) }, values []int64) Distribution {
	c := build(t, values, max(1, len(values)))
	d, err := NewDistribution([]Window{c.Whole()}, c)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// typeSeven is the quantile of sorted values, from its definition.
func typeSeven(sorted []int64, p float64) float64 {
	h := p * float64(len(sorted)-1)
	k := int(h)
	if k+1 == len(sorted) {
		return float64(sorted[k])
	}
	return float64(sorted[k]) + (h-float64(k))*(float64(sorted[k+1])-float64(sorted[k]))
}

// What was counted apart and merged has the quantiles of all samples together.
func TestMergedDistributionsAreTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var parts []Distribution
		var all []int64
		for range rapid.IntRange(1, 4).Draw(t, "parts") {
			values := drawValues(t)
			all = append(all, values...)
			parts = append(parts, distributionOf(t, values))
		}
		merged := Merge(parts...)
		if merged.N() != int64(len(all)) {
			t.Fatalf("%d samples of %d", merged.N(), len(all))
		}
		if len(all) == 0 {
			if !math.IsNaN(merged.Quantile(0.5)) {
				t.Fatal("a quantile of nothing")
			}
			return
		}
		slices.Sort(all)
		for _, p := range []float64{0, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 0.999, 1} {
			want, got := typeSeven(all, p), merged.Quantile(p)
			if math.Abs(got-want) > want/2000 {
				t.Fatalf("p %v: got %v, want %v", p, got, want)
			}
		}
	})
}

// Negative samples are counted, and no quantile is made up of them.
func TestMergeBelow(t *testing.T) {
	a, b := distributionOf(t, []int64{-5, -3, 10}), distributionOf(t, []int64{-9, 20, 30})
	m := Merge(a, Distribution{}, b)
	if m.N() != 6 || m.below != (Below{3, -9, -3}) {
		t.Errorf("%d samples, below %+v", m.N(), m.below)
	}
	if got := m.Quantile(0); got != -9 {
		t.Errorf("the least is %v", got)
	}
	if got := m.Quantile(0.4); !math.IsNaN(got) {
		t.Errorf("a quantile among the negative ones is %v", got)
	}
	if got := m.Quantile(0.8); got != 20 {
		t.Errorf("the fifth of six is %v", got)
	}
}
