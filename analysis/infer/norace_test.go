//go:build !race

package infer_test

// campaigns of TestRoutesAgree.
const campaigns = 1000
