package run

import (
	"regexp"

	"moobench/results"
)

// timingHeap is the heap of the timing profile: one collector and one size for
// all cells. The young generation is small, so that its pages have all been
// touched early in the warm-up; with a large one the first touch of fresh
// pages would be a third of a recording probe's cost. Touching the whole heap
// in advance was rejected: it costs up to seconds per JVM.
var timingHeap = []string{"-XX:+UseSerialGC", "-Xms2g", "-Xmx2g", "-Xmn64m"}

// heapOption matches options that size the heap or choose its collector: the
// user's own belong to the resources profile only.
var heapOption = regexp.MustCompile(`^-(Xm[sxn]|XX:[+-]Use[A-Za-z0-9]*GC$|XX:(Min|Max|Initial)?(Heap|New|RAM)[A-Za-z]*=|XX:Max(New)?Size=|XX:[+-]AlwaysPreTouch)`)

// heapArgs are the JVM options of a profile, given the user's own.
func heapArgs(profile results.Profile, user []string) []string {
	if profile == results.ProfileResources {
		return user
	}
	args := append([]string{}, timingHeap...)
	for _, a := range user {
		if !heapOption.MatchString(a) {
			args = append(args, a)
		}
	}
	return args
}
