//go:build !race

package simulation

// replicates of each case in go test.
const replicates = 2000
