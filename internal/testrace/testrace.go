// Package testrace leaves tests out that the race detector has nothing to say about.
package testrace

import "testing"

// Slow skips a test where the race detector looks on: it takes some ten times as long there, and starts
// no goroutine that others don't. It is run without the detector as well.
func Slow(t *testing.T) {
	t.Helper()
	if detector {
		t.Skip("it is run without the race detector")
	}
}
