package results

import "cmp"

// The factors of the environment: what a cell runs in, whatever is done to it. A
// scenario that names a single value of one has it as a parameter only.
const (
	FactorFrequency = "frequency" // of the CPUs
	FactorCPUs      = "cpus"      // how many the fixture has
	FactorGC        = "gc"        // garbage collector
	FactorJDK       = "jdk"       // version
	FactorJVM       = "jvm"       // options, a parameter of TypeOptions
)

// SameEnvironment reports whether two cells run in the same environment, as far as
// both name it. A cell that names no JVM options has none.
func SameEnvironment(a, b *Cell) bool {
	for _, name := range []string{FactorFrequency, FactorCPUs, FactorGC, FactorJDK} {
		if x, y := a.Parameter(name), b.Parameter(name); x != "" && y != "" && x != y {
			return false
		}
	}
	return cmp.Or(a.Parameter(FactorJVM), NoOptions) == cmp.Or(b.Parameter(FactorJVM), NoOptions)
}
