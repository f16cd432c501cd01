package threads

import "moobench/results/events"

// key names an object among those of a log.
type key struct {
	class string
	hash  uint32
	nth   int // of those that were made with this hash; 0: it was not seen how it was made
}

// identities tell objects from each other that have the same identity hash. A hash has 31 bits:
// of some ten thousand objects two are likely to share one. A new object begins with the event
// of its constructor. It has to see all events, in the order of their times.
type identities struct {
	classes      classes
	constructors []bool         // by number of a method
	made         map[uint32]int // how many objects with this hash
	leaves       []uint32       // by thread: the object whose constructor its last event left; 0: none
}

// see follows the constructors. That of a class runs behind that of its superclass, or behind
// another one of the same class, with no event of the thread between them.
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

// of is the object of an event, by the newest with its hash.
func (o *identities) of(l *events.Log, e events.Event) key {
	return key{o.classes.owner(l, e), e.Object, o.made[e.Object]}
}
