package summary

import "testing"

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
