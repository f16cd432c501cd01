// Package testnumber compares numbers that were computed in different ways.
package testnumber

import (
	"math"
	"testing"
)

// Near says whether two numbers are the same but for a share of the second one.
func Near(got, want, share float64) bool {
	return got == want || math.Abs(got-want) <= share*math.Abs(want)
}

// Check reports a number that is not near another one.
func Check(t testing.TB, what string, got, want, share float64) {
	t.Helper()
	if !Near(got, want, share) {
		t.Errorf("%s = %.17g, want %.17g", what, got, want)
	}
}
