// Package testrace skips tests for which the race detector is useless.
package testrace

import "testing"

// Slow skips a test under the race detector, where it would take some ten times as long without starting any
// goroutine that other tests don't. It also runs without the detector.
func Slow(t *testing.T) {
	t.Helper()
	if detector {
		t.Skip("it is run without the race detector")
	}
}
