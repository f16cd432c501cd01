package stats

import (
	"fmt"
	"math"
)

// SteinSize is the number of values with which the half-width of a mean's interval at
// 1 - alpha is at most halfWidth, from the standard deviation sd of a pilot:
// max(pilot, ceil((t(pilot-1; alpha) sd/halfWidth)²)). It holds for any true standard
// deviation, as long as the final interval uses the pilot's sd and degrees of
// freedom. Source: Stein 1945.
func SteinSize(sd, halfWidth float64, pilot int, alpha float64) (int, error) {
	if pilot < 2 {
		return 0, fmt.Errorf("%w: a pilot of %d", ErrTooFew, pilot)
	}
	if !(alpha > 0 && alpha < 1) {
		return 0, fmt.Errorf("%w: alpha is %v", ErrLevel, alpha)
	}
	if !(halfWidth > 0) || sd < 0 {
		return 0, fmt.Errorf("%w: a half-width of %v from a standard deviation of %v", ErrNotPositive, halfWidth, sd)
	}
	root := TQuantile(alpha/2, float64(pilot-1)) * sd / halfWidth
	wanted := math.Ceil(root * root)
	if err := finite(wanted); err != nil {
		return 0, err
	}
	if wanted >= math.MaxInt64 {
		return 0, fmt.Errorf("%w: %v values would be needed", ErrNotFinite, wanted)
	}
	return max(pilot, int(wanted)), nil
}
