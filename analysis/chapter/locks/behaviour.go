package locks

import (
	"slices"

	"moobench/results/events"
)

// Behaviour is a reason for divergent executions of a section, as described by Shah and Guyer 2018
// in section 4.1.
type Behaviour byte

// The behaviours, by the paper's letters.
const (
	Paths       Behaviour = 'A' // several paths through it, with different times
	Contention  Behaviour = 'B' // threads wait for each other
	Amortised   Behaviour = 'C' // a collection grows, and sometimes reallocates its contents
	Locality    Behaviour = 'D' // it reads collections, sometimes from more of their memory
	Garbage     Behaviour = 'E' // it allocates, and the garbage collector runs meanwhile
	InputOutput Behaviour = 'F' // it waits for a device or the network
	Accessor    Behaviour = 'G' // it gets or sets a value, and waits for memory
	Once        Behaviour = 'H' // it is executed a single time
)

// Thresholds of the behaviours.
const (
	contendedShare = 0.01 // least share of executions that wait for another thread
	waitShare      = 0.1  // least share of the time spent waiting
	accessorSize   = 14   // most instructions
	spread         = 0.2  // least ratio of standard deviation to mean
)

// behaviours recognises behaviours by both code and measurements: a section that allocates is no
// suspect if all of its executions take the same time.
func behaviours(s *Section) []Behaviour {
	var all []Behaviour
	add := func(b Behaviour, is bool) {
		if is {
			all = append(all, b)
		}
	}
	t := s.Times
	if t.N == 1 {
		add(InputOutput, s.Code.IO != "")
		return append(all, Once)
	}
	differ := t.Paper.N > 0 || t.Ours.N > 0
	add(Paths, t.SlowFromNS > 0 && s.Code.Branches > 0)
	contended := float64(s.Contended) >= contendedShare*float64(t.N)
	add(Contention, contended && float64(s.WaitNS) >= waitShare*float64(t.TotalNS))
	add(Amortised, s.Code.Grows != "" && differ)
	add(Locality, s.Code.Reads != "" && t.SDNS >= spread*t.MeanNS)
	add(Garbage, s.Code.Allocations+len(s.Code.Grows) > 0 && s.atCollections())
	add(InputOutput, s.Code.IO != "")
	small := s.Code.Size > 0 && s.Code.Size <= accessorSize && s.Code.Calls+s.Code.Allocations == 0
	add(Accessor, (s.Kind == events.SectionMethod || s.Kind == Plain) && small && differ)
	slices.Sort(all)
	return all
}

// atCollections reports whether half of the executions that diverge by either rule ran during a
// garbage collection.
func (s *Section) atCollections() bool {
	for i, named := range []int{len(s.Times.Paper.Named), len(s.Times.Ours.Named)} {
		if named > 0 && 2*s.Collections[i] >= named {
			return true
		}
	}
	return false
}
