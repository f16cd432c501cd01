package stats

import (
	"fmt"
	"math"
)

// WelchDifference estimates mean x - mean y of two independent samples whose
// variances may differ: with v = s²/n of each, the difference ± t(df; level)
// sqrt(vx + vy), df = (vx + vy)²/(vx²/(nx-1) + vy²/(ny-1)). N is the smaller
// sample's size; SD is sqrt((sx² + sy²)/2). Sources: Welch 1947, Satterthwaite
// 1946.
func WelchDifference(x, y []float64, level float64) (Estimate, error) {
	ex, err := MeanInterval(x, level)
	if err != nil {
		return Estimate{}, fmt.Errorf("first sample: %w", err)
	}
	ey, err := MeanInterval(y, level)
	if err != nil {
		return Estimate{}, fmt.Errorf("second sample: %w", err)
	}
	nx, ny := float64(ex.N), float64(ey.N)
	vx, vy := ex.SD*ex.SD/nx, ey.SD*ey.SD/ny
	df := nx + ny - 2 // in the limit of no variance at all
	if vx+vy > 0 {
		// Shares, so that no square under- or overflows.
		wx, wy := vx/(vx+vy), vy/(vx+vy)
		df = 1 / (wx*wx/(nx-1) + wy*wy/(ny-1))
	}
	e := studentised(ex.Value-ey.Value, math.Sqrt(vx+vy), df, level)
	e.N, e.SD = min(ex.N, ey.N), math.Sqrt((ex.SD*ex.SD+ey.SD*ey.SD)/2)
	return e, finite(e.Value, e.SD, e.Interval.Low, e.Interval.High)
}
