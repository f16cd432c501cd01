package distribution

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"moobench/results/summary"
)

func countsOf(t interface{ Fatal(...any) }, values []int64) summary.Distribution {
	b := summary.NewBuilder(int64(len(values)))
	b.Add(values)
	c, err := b.Column()
	if err != nil {
		t.Fatal(err)
	}
	d, err := summary.NewDistribution([]summary.Window{c.Whole()}, &c)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// A point of the tail says which share of the calls took at least its value:
// counted one by one, it is that, but for what a histogram and interpolation
// between two calls can't tell.
func TestTailIsWhatWasCounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 3000).Draw(t, "n")
		spread := rapid.Int64Range(1, 1_000_000).Draw(t, "spread")
		x := rapid.Uint64().Draw(t, "seed") | 1
		values := make([]int64, n)
		for i := range values {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
			values[i] = 100 + int64(x>>1)%spread
		}
		d, why := newDistribution(countsOf(t, values), 1)
		if why != "" || d.N != int64(n) || len(d.Box) != 8 || len(d.Tail) > tailMost {
			t.Fatalf("%q, %d calls of %d, %d quantiles, %d points", why, d.N, n, len(d.Box), len(d.Tail))
		}
		slices.Sort(values)
		for i, p := range d.Tail {
			if i > 0 && (p.Value <= d.Tail[i-1].Value || p.Share >= d.Tail[i-1].Share) {
				t.Fatalf("the tail does not fall at %d: %+v, %+v", i, d.Tail[i-1], p)
			}
			least := shareAtLeast(values, p.Value*1.001)
			most := shareAtLeast(values, p.Value*0.999)
			if between := 2 / float64(n); p.Share < least-between || p.Share > most+between {
				t.Fatalf("%v of the calls take at least %v; counted: %v to %v", p.Share, p.Value, least, most)
			}
		}
		if first, last := d.Tail[0], d.Tail[len(d.Tail)-1]; first.Value != float64(values[0]) || first.Share != 1 || last.Value != float64(values[n-1]) {
			t.Fatalf("from %+v to %+v; counted: %v to %v", first, last, values[0], values[n-1])
		}
	})
}

// shareAtLeast counts.
func shareAtLeast(sorted []int64, v float64) float64 {
	i, _ := slices.BinarySearchFunc(sorted, v, func(x int64, v float64) int {
		if float64(x) < v {
			return -1
		}
		return 1
	})
	return float64(len(sorted)-i) / float64(len(sorted))
}

func TestDistributionOfNegativeCalls(t *testing.T) {
	if d, why := newDistribution(countsOf(t, []int64{-3, -2, 5, 7}), 1); d != nil || why != negativeCalls {
		t.Errorf("%+v, %q", d, why)
	}
	if d, why := newDistribution(countsOf(t, []int64{0, 0, 0}), 1); d == nil || why != "" || len(d.Tail) != 1 || d.Tail[0].Share != 1 {
		t.Errorf("%+v, %q", d, why)
	}
}

// The shares fall from all calls to fewer than any but one, whatever their
// number.
func TestTailShares(t *testing.T) {
	for _, n := range []int64{1, 2, 10, 1000, 30_000_000, math.MaxInt64} {
		shares := tailShares(n)
		if shares[0] != 1 || len(shares) > tailMost || n > 20 && shares[len(shares)-1] > 2/float64(n)*math.Pow(10, 1./tailSteps) {
			t.Errorf("%d calls: %d shares, from %v to %v", n, len(shares), shares[0], shares[len(shares)-1])
		}
		if !slices.IsSortedFunc(shares, func(a, b float64) int { return int(math.Copysign(1, b-a)) }) {
			t.Errorf("%d calls: %v do not fall", n, shares)
		}
	}
}
