package distribution

import (
	"slices"
	"testing"
)

// A cell without calls, or with numbers that no axis can hold, is not drawn.
func TestDrawable(t *testing.T) {
	good := func() Distribution {
		d := Distribution{N: 10, Tail: []TailPoint{{Value: 1, Share: 1}, {Value: 2, Share: 0.1}}}
		for _, p := range boxed {
			d.Box = append(d.Box, BoxPoint{P: p, Value: 10 * p})
		}
		return d
	}
	if d := good(); !(Cell{Distribution: &d}).drawable() {
		t.Error("a good one is not drawn")
	}
	single := good()
	if single.N = 1; !(Cell{Distribution: &single}).drawable() {
		t.Error("a single call is not drawn")
	}
	for i, spoil := range []func(d *Distribution){
		func(d *Distribution) { d.N = 0 },
		func(d *Distribution) { d.Box = d.Box[1:] },
		func(d *Distribution) { d.Box[3].Value = -1 },
		func(d *Distribution) { d.Tail = nil },
		func(d *Distribution) { d.Tail[1].Share = 0 },
		func(d *Distribution) { d.Tail = slices.Insert(d.Tail, 0, TailPoint{Value: -1, Share: 1}) },
	} {
		d := good()
		if spoil(&d); (Cell{Distribution: &d}).drawable() {
			t.Errorf("%d: %+v is drawn", i, d)
		}
	}
}

func TestThinTail(t *testing.T) {
	var points []TailPoint
	for i := range 100 {
		points = append(points, TailPoint{Value: float64(i), Share: 1 - float64(i)/100})
	}
	got := thinTail(points, 20)
	if len(got) != 20 || got[0] != points[0] || got[19] != points[99] {
		t.Errorf("%d points, from %v to %v", len(got), got[0], got[len(got)-1])
	}
	if got := thinTail(points[:5], 20); len(got) != 5 {
		t.Errorf("%d points of 5", len(got))
	}
}

func TestShareText(t *testing.T) {
	for share, want := range map[float64]string{1: "100 %", 0.1: "10 %", 0.01: "1 %", 0.001: "0.1 %", 1e-6: "10⁻⁶", 1e-10: "10⁻¹⁰"} {
		if got := shareText(share); got != want {
			t.Errorf("%v: %q, want %q", share, got, want)
		}
	}
}
