package locks

import (
	"strconv"
	"strings"

	"moobench/analysis/divergent"
	"moobench/results/events"
)

// Kind is how a section of a program gets its lock.
type Kind string

// The kinds of sections, as the agent names them.
const (
	Method   Kind = "method" // synchronized
	Block    Kind = "block"  // synchronized
	Explicit Kind = "lock"   // of java.util.concurrent.locks, wherever in the method
	// Plain is a method that is looked at like a section, and gets none.
	Plain Kind = events.PlainSection
)

// Code is what stands in a section itself, as the agent has seen it; what it calls is not
// looked into. It is 0 for explicit locks.
type Code struct {
	Size        int // instructions
	Branches    int
	Allocations int
	Calls       int
	// The first call of the platform of each kind: that waits for a device or the network, that
	// adds to a collection, that reads one, that sorts.
	IO, Grows, Reads, Sorts string
}

// Section is a piece of a program that holds a lock.
type Section struct {
	Method string // signature
	Kind   Kind
	Line   int // of a block; 0 where it isn't known
	Code   Code
	// Times are how long its executions had the lock, but for the time in which they waited in
	// it and had given it back.
	Times  *divergent.Series
	Thrown int64 // executions that ended by an exception
	// SleptNS is the time of those waits.
	SleptNS int64
	// Contended are the executions that had to wait for another thread; WaitNS is how long.
	Contended, WaitNS, LongestWaitNS int64
	Locks, Threads                   int // how many different ones, at least
	// Collections are how many of the executions that Times names as divergent ran while garbage
	// was collected, by the paper's rule and by ours.
	Collections [2]int
	Callers     []Calls // in the order of their time; of logs that have callers
	Behaviours  []Behaviour
}

// Calls are executions that were called from one place.
type Calls struct {
	Place            string
	N, NS, LongestNS int64
}

// parse reads the name of a section; that of something else has no kind.
func parse(name string) Section {
	signature, rest, _ := strings.Cut(name, events.SectionMark)
	s := Section{Method: signature}
	if !events.IsSection(name) && !events.IsPlain(name) {
		return s
	}
	for i, field := range strings.Split(rest, events.SectionMark) {
		key, value, _ := strings.Cut(field, "=")
		n, _ := strconv.Atoi(value) // "" of a block without line numbers
		if i == 0 {
			s.Kind, s.Line = Kind(key), n
			continue
		}
		switch key {
		case "size":
			s.Code.Size = n
		case "branches":
			s.Code.Branches = n
		case "allocations":
			s.Code.Allocations = n
		case "calls":
			s.Code.Calls = n
		case "io":
			s.Code.IO = value
		case "grows":
			s.Code.Grows = value
		case "reads":
			s.Code.Reads = value
		case "sorts":
			s.Code.Sorts = value
		}
	}
	return s
}
