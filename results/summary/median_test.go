package summary

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []int64
		want   float64
	}{
		{nil, 0}, {[]int64{7}, 7}, {[]int64{9, 1, 5}, 5}, {[]int64{4, 1, 3, 2}, 2.5}, {[]int64{1 << 62, 1 << 62}, 1 << 62},
	} {
		if got := Median(c.values); got != c.want {
			t.Errorf("%v: %v, want %v", c.values, got, c.want)
		}
	}
}

func TestNearestRank(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(rapid.Int64Range(-50, 50), 1, 300).Draw(t, "values")
		slices.Sort(all)
		k := rapid.IntRange(1, 100).Draw(t, "per cent")
		rank := (k*len(all) + 99) / 100 // the definition, in whole numbers
		if got := NearestRank(all, float64(k)/100); got != all[rank-1] {
			t.Fatalf("the %d %% quantile of %v is %d, want %d", k, all, got, all[rank-1])
		}
	})
	if NearestRank[int64](nil, 0.5) != 0 {
		t.Error("no values have a quantile")
	}
}
