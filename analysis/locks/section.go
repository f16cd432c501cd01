package locks

import (
	"strconv"
	"strings"

	"moobench/analysis/divergent"
	"moobench/results/events"
)

// Kind is the way in which a section acquires its lock.
type Kind string

// The kinds of sections, as the agent names them.
const (
	Method   Kind = "method" // synchronized
	Block    Kind = "block"  // synchronized
	Explicit Kind = "lock"   // of java.util.concurrent.locks, anywhere in the method
	// Plain is a method that is logged like a section, but acquires no lock.
	Plain Kind = events.PlainSection
)

// Code describes the section's own code, as seen by the agent, without the code it calls. It is 0
// for explicit locks.
type Code struct {
	Size        int // instructions
	Branches    int
	Allocations int
	Calls       int
	// The first platform call of each kind: waiting for a device or the network, adding to a
	// collection, reading one, sorting.
	IO, Grows, Reads, Sorts string
}

// Section is a critical section of a program.
type Section struct {
	Method string // signature
	Kind   Kind
	Line   int // of a block; 0 if not known
	Code   Code
	// Times are the times for which its executions held the lock, without the time in which they
	// waited and had released it.
	Times  *divergent.Series
	Thrown int64 // executions that ended by an exception
	// SleptNS is the time of those waits.
	SleptNS int64
	// Contended is the number of executions that waited for another thread; WaitNS is the time.
	Contended, WaitNS, LongestWaitNS int64
	Locks, Threads                   int // number of different ones, at least
	// Collections counts the divergent executions named in Times that ran during a garbage
	// collection, by the paper's rule and by ours.
	Collections [2]int
	Callers     []Calls // by time, longest first; if callers were logged
	Behaviours  []Behaviour
}

// Calls summarises the executions called from one place.
type Calls struct {
	Place            string
	N, NS, LongestNS int64
}

// parse parses the name of a section; other names give no Kind.
func parse(name string) Section {
	signature, rest, _ := strings.Cut(name, events.SectionMark)
	s := Section{Method: signature}
	if !events.IsSection(name) && !events.IsPlain(name) {
		return s
	}
	for i, field := range strings.Split(rest, events.SectionMark) {
		key, value, _ := strings.Cut(field, "=")
		n, _ := strconv.Atoi(value) // "" for a block without line numbers
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
