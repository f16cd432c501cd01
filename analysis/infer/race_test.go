//go:build race

package infer_test

// campaigns of TestRoutesAgree; the race detector slows them down, and finds
// nothing in arithmetic.
const campaigns = 100
