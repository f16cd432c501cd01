package standard

import (
	"testing"

	"moobench/results"
)

// TestFarOffAtItsEdge: a tenth is not yet far, and without a campaign nothing is.
func TestFarOffAtItsEdge(t *testing.T) {
	for _, c := range []struct {
		ns, last, off float64
		far           bool
	}{
		{1000, -1, 0, false},
		{1000, 0, 0, false},
		{1000, 1e-9, -1 + 1e-12, true},
		{1000, 1, -0.999, true},
		{1024, 1024 * 1.125, 0.125, true},
		{1024, 1024 * 1.0625, 0.0625, false},
	} {
		k := Kept{Standard: results.Standard{NS: c.ns}, LastNS: c.last}
		if k.Off() != c.off || k.FarOff() != c.far {
			t.Errorf("%v of %v: off by %v, far %v", c.last, c.ns, k.Off(), k.FarOff())
		}
	}
}

// TestTimesOrPaths: what begins like a number is a time, unless it has what only paths have.
func TestTimesOrPaths(t *testing.T) {
	for text, path := range map[string]bool{
		"0x": false, "9x": false, "5": false, "0/x": true, "9.json": true, "x": true, "/x": true, ":": true,
	} {
		if w, err := Wished(text); (err == nil) != path || path && w.Path != text {
			t.Errorf("%q: %+v, %v", text, w, err)
		}
	}
}
