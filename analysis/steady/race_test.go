//go:build race

package steady

// raced says that the race detector slows everything down tenfold.
const raced = true
