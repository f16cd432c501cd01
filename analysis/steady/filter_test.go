package steady

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestHampelIsItsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.SampledFrom([]float64{10, 11, 12, 13, 20, 500}), 1, 150).Draw(t, "x")
		if rapid.Bool().Draw(t, "continuous") {
			x = rapid.SliceOfN(rapid.Float64Range(0, 100), 1, 150).Draw(t, "x")
		}
		quantum := rapid.SampledFrom([]float64{0, 1}).Draw(t, "quantum")
		want, beginning := slices.Clone(x), true
		for i, v := range x {
			w := slices.Sorted(slices.Values(x[max(0, i-25):min(len(x), i+26)]))
			m := (w[(len(w)-1)/2] + w[len(w)/2]) / 2
			d := make([]float64, len(w))
			for j := range w {
				d[j] = math.Abs(w[j] - m)
			}
			slices.Sort(d)
			mad := d[(len(d)-1)/2]
			spike := math.Abs(v-m) > 5*1.4826*max(mad, quantum/2)
			beginning = beginning && spike
			if spike && !beginning {
				want[i] = m
			}
		}
		if diff := cmp.Diff(want, hampel(x, quantum)); diff != "" {
			t.Fatalf("%v", diff)
		}
	})
}

// A series without values has nothing to filter; a single value is not a spike.
func TestFilterOfFew(t *testing.T) {
	for _, x := range [][]float64{nil, {}} {
		if y := Filter(x); y != nil {
			t.Errorf("%v becomes %v", x, y)
		}
	}
	if y := Filter([]float64{7}); len(y) != 1 || y[0] != 7 {
		t.Errorf("a single 7 becomes %v", y)
	}
	if y := Filter([]float64{7, 7, 7, 7, 900, 7, 7, 7}); slices.Max(y) != 7 {
		t.Errorf("the spike stays: %v", y)
	}
}
