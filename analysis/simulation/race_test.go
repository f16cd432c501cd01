//go:build race

package simulation

// replicates of each case in go test; the race detector slows them down.
const replicates = 300
