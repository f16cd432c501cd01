package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestPooled(t *testing.T) {
	for _, c := range []struct {
		a, b, want Known
		ok         bool
	}{
		// weights 1/4 and 1: mean (1/4·3 + 1·1)/(5/4), variance 4/5
		{Known{3, 2, 10}, Known{1, 1, 20}, Known{1.4, math.Sqrt(0.8), 1 / (0.04/10 + 0.64/20)}, true},
		{Known{0, 1, 9}, Known{0, 1, 9}, Known{0, math.Sqrt(0.5), 18}, true},
		{Known{0, 0.1, 100}, Known{1, 0.1, 100}, Known{}, false}, // 7 standard errors apart
		{Known{0, 0, 9}, Known{0, 1, 9}, Known{}, false},
		{Known{0, 1, 0}, Known{0, 1, 9}, Known{}, false},
	} {
		got, ok := c.a.Pooled(c.b)
		if ok != c.ok || math.Abs(got.Value-c.want.Value) > 1e-12 || math.Abs(got.SE-c.want.SE) > 1e-12 || math.Abs(got.DF-c.want.DF) > 1e-9 {
			t.Errorf("%v and %v: %v, %v, want %v, %v", c.a, c.b, got, ok, c.want, c.ok)
		}
	}
}

// A pooled estimate lies between both, is surer than each, and doesn't hang on their order.
func TestPooledIsBetween(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) Known {
			return Known{
				rapid.Float64Range(-1, 1).Draw(t, name), rapid.Float64Range(0.01, 2).Draw(t, name+" se"),
				rapid.Float64Range(1, 50).Draw(t, name+" df"),
			}
		}
		a, b := draw("a"), draw("b")
		got, ok := a.Pooled(b)
		if back, okBack := b.Pooled(a); okBack != ok || math.Abs(back.Value-got.Value) > 1e-12 || math.Abs(back.SE-got.SE) > 1e-12 {
			t.Fatalf("%v, and the other way round %v", got, back)
		}
		if !ok {
			return
		}
		if got.Value < min(a.Value, b.Value)-1e-12 || got.Value > max(a.Value, b.Value)+1e-12 || got.SE > min(a.SE, b.SE) || got.DF < min(a.DF, b.DF)-1e-9 {
			t.Errorf("%v and %v: %v", a, b, got)
		}
	})
}
