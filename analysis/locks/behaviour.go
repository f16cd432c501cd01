package locks

import "slices"

// Behaviour is why executions of a section may take unlike each other, one of those that Shah
// and Guyer 2018 describe in section 4.1.
type Behaviour byte

// The behaviours, by the paper's letters.
const (
	Paths       Behaviour = 'A' // several ways through it, which differ in time
	Contention  Behaviour = 'B' // threads wait for each other
	Amortised   Behaviour = 'C' // a collection grows, and now and then reallocates what it has
	Locality    Behaviour = 'D' // it reads collections, and more of their memory now and then
	Garbage     Behaviour = 'E' // it allocates, and garbage is collected meanwhile
	InputOutput Behaviour = 'F' // it waits for a device or the network
	Accessor    Behaviour = 'G' // it gets or sets a value, and waits for the memory
	Once        Behaviour = 'H' // it is executed a single time
)

// What makes a behaviour.
const (
	contendedShare = 0.01 // of executions that wait for another thread, at least
	waitShare      = 0.1  // of the time in it that is waited, at least
	accessorSize   = 14   // instructions, at most
	spread         = 0.2  // standard deviation by mean, at least
)

// behaviours recognises them by what the code says and what was measured. Both must speak for
// one: a section that allocates is no suspect while all of its executions take the same time.
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
	add(Contention, float64(s.Contended) >= contendedShare*float64(t.N) && float64(s.WaitNS) >= waitShare*float64(t.TotalNS))
	add(Amortised, s.Code.Grows != "" && differ)
	add(Locality, s.Code.Reads != "" && t.SDNS >= spread*t.MeanNS)
	add(Garbage, s.Code.Allocations+len(s.Code.Grows) > 0 && s.atCollections())
	add(InputOutput, s.Code.IO != "")
	add(Accessor, (s.Kind == Method || s.Kind == Plain) && s.Code.Size > 0 && s.Code.Size <= accessorSize && s.Code.Calls+s.Code.Allocations == 0 && differ)
	slices.Sort(all)
	return all
}

// atCollections says whether half of those executions ran while garbage was collected that
// differ from the others by either rule.
func (s *Section) atCollections() bool {
	for i, named := range []int{len(s.Times.Paper.Named), len(s.Times.Ours.Named)} {
		if named > 0 && 2*s.Collections[i] >= named {
			return true
		}
	}
	return false
}
