package run

import (
	"slices"

	"moobench/harness/plan"
	"moobench/results"
)

// The heap of the timing profile is the same for all cells: of one size, with the serial
// collector unless the cell has another. The young generation is small, so that its pages
// have all been touched early in the warm-up; with a large one, the first touch of fresh
// pages would be a third of a recording probe's cost. Touching the whole heap in advance
// was rejected: it takes up to seconds per JVM.
const (
	leastHeap = "-Xms2g"
	mostHeap  = "-Xmx2g"
	youngHeap = "-Xmn64m"
)

const experimental = "-XX:+UnlockExperimentalVMOptions"

// collectors are the JVM options of the values of the factor gc; "" is serial. Serial,
// Parallel and G1 honour the size of the young generation. ZGC and Shenandoah size theirs
// themselves, if they have one, and Epsilon has none: it never collects, so a cell that
// allocates more than the heap ends with an OutOfMemoryError. ZGC and Shenandoah were
// experimental before Java 15.
var collectors = map[string][]string{
	"":           {"-XX:+UseSerialGC"},
	"serial":     {"-XX:+UseSerialGC"},
	"parallel":   {"-XX:+UseParallelGC"},
	"g1":         {"-XX:+UseG1GC"},
	"z":          {experimental, "-XX:+UseZGC"},
	"shenandoah": {experimental, "-XX:+UseShenandoahGC"},
	"epsilon":    {experimental, "-XX:+UseEpsilonGC"},
}

// heapArgs are the JVM options of a profile, given the user's own and the cell's value of
// the factor gc, "" when it has none. The user's options that size the heap or choose its
// collector apply to the resources profile only, where a cell's collector replaces
// theirs.
func heapArgs(profile results.Profile, user []string, gc string) []string {
	options, replaced := slices.Clone(collectors[gc]), plan.SizesHeap
	switch {
	case profile == results.ProfileResources && gc == "":
		return slices.Clip(user) // appending must not change it
	case profile == results.ProfileResources:
		replaced = plan.ChoosesCollector
	case slices.Contains(options, experimental):
		options = append(options, leastHeap, mostHeap)
	default:
		options = append(options, leastHeap, mostHeap, youngHeap)
	}
	return append(options, slices.DeleteFunc(slices.Clone(user), replaced)...)
}
