package threads

import "moobench/results/events"

// key identifies an object in a log.
type key struct {
	class string
	hash  uint32
	nth   int // number among those made with this hash; 0: its construction was not logged
}

// identities distinguishes objects with the same identity hash. A hash has 31 bits: of some fifty
// thousand objects, two are likely to share one. A new object begins with the event of its
// constructor. It must see all events, in order of time.
type identities struct {
	classes      classes
	constructors []bool         // by number of a method
	made         map[uint32]int // number of objects made with this hash
	leaves       []uint32       // by thread: the object whose constructor its last event left; 0: none
}

// see follows the constructors. That of a class runs right after that of its superclass, or after
// another of the same class, with no event of the thread between them.
func (o *identities) see(l *events.Log, e events.Event) {
	for len(o.leaves) <= e.Thread {
		o.leaves = append(o.leaves, 0)
	}
	left := o.leaves[e.Thread]
	o.leaves[e.Thread] = 0
	if e.Kind > events.Thrown || e.Object == 0 || !o.constructs(l, e.Method) {
		return
	}
	switch {
	case e.Kind == events.Exit:
		o.leaves[e.Thread] = e.Object
	case e.Kind == events.Enter && left != e.Object && (len(o.made) < mostObjects || o.made[e.Object] > 0):
		if o.made == nil {
			o.made = map[uint32]int{}
		}
		o.made[e.Object]++
	}
}

func (o *identities) constructs(l *events.Log, method int) bool {
	for len(o.constructors) <= method {
		o.constructors = append(o.constructors, isConstructor(l.Methods[len(o.constructors)]))
	}
	return o.constructors[method]
}

// of returns the object of an event: the newest with its hash.
func (o *identities) of(l *events.Log, e events.Event) key {
	return key{o.classes.owner(l, e), e.Object, o.made[e.Object]}
}
