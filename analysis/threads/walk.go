package threads

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"moobench/results/events"
	"moobench/results/names"
)

// frame is an execution that has begun, or a wait in one, with what its reader keeps of it.
type frame[T any] struct {
	method  int
	object  uint32
	begin   int64
	waiting bool
	own     T
}

// walker follows the executions of each thread: which one is in which other one, and when it
// ends.
type walker[T any] struct {
	// enter is told of each beginning, also of a wait, and what is around it, the innermost last; it returns
	// what it wants to know at the end.
	enter func(l *events.Log, e events.Event, around []frame[T]) T
	// leave is told of each end; open says that it is not known, see Span.
	leave func(thread int, f frame[T], around []frame[T], end int64, thrown, open bool)

	unmatched int64
	stacks    map[int][]frame[T]
	open      int         // frames of all threads
	most      int         // frames that are kept; 0: mostOpen
	within    map[int]int // executions of a thread that have begun in those, and are not kept
	deeper    int64       // executions that were never kept
}

// How many executions may be open at once. A thread of a JVM has room for some 10,000 of them, where
// it isn't told otherwise; what lies deeper is counted alone.
const (
	mostOpen = 1 << 20
	mostDeep = 1 << 16 // in one thread
)

// beyond says whether an event belongs to an execution that is not kept: one that began when there was no
// room for it, or around which there is one.
func (w *walker[T]) beyond(e events.Event) bool {
	begins := e.Kind == events.Enter || e.Kind == events.Wait || e.Kind == events.Request
	most := cmp.Or(w.most, mostOpen)
	switch inside := w.within[e.Thread]; {
	case inside == 0 && (!begins || w.open < most && len(w.stacks[e.Thread]) < mostDeep):
		return false
	case e.Kind == events.Enter:
		w.within[e.Thread], w.deeper = inside+1, w.deeper+1
	case e.Kind == events.Exit || e.Kind == events.Thrown:
		w.within[e.Thread] = inside - 1
	}
	return true
}

func (w *walker[T]) event(l *events.Log, e events.Event) error {
	if w.stacks == nil {
		w.stacks, w.within = map[int][]frame[T]{}, map[int]int{}
	}
	stack := w.stacks[e.Thread]
	if i := len(stack) - 1; i >= 0 && stack[i].waiting && e.Kind != events.Missing {
		w.leave(e.Thread, stack[i], stack[:i], e.TimeNS, false, false)
		stack = stack[:i]
		w.stacks[e.Thread], w.open = stack, w.open-1
	}
	if w.beyond(e) {
		return nil
	}
	switch e.Kind {
	case events.Enter, events.Wait, events.Request:
		if e.Kind == events.Wait && len(stack) > 0 { // it is the innermost execution that waits, wherever that is told
			e.Method, e.Object = stack[len(stack)-1].method, stack[len(stack)-1].object
		}
		if e.Kind != events.Wait || len(stack) > 0 {
			w.stacks[e.Thread] = append(stack, frame[T]{e.Method, e.Object, e.TimeNS, e.Kind != events.Enter, w.enter(l, e, stack)})
			w.open++
		}
	case events.Exit, events.Thrown:
		// The innermost execution of the same method and object ends; what is above it has
		// lost its end.
		i := len(stack) - 1
		for i >= 0 && (stack[i].method != e.Method || stack[i].object != e.Object) {
			i--
		}
		if i < 0 {
			w.unmatched++
			return nil
		}
		for j := len(stack) - 1; j >= i; j-- {
			w.leave(e.Thread, stack[j], stack[:j], e.TimeNS, e.Kind == events.Thrown && j == i, j > i)
		}
		w.stacks[e.Thread], w.open = stack[:i], w.open-len(stack)+i
	}
	return nil
}

// finish ends what has not ended.
func (w *walker[T]) finish(end int64) {
	for _, thread := range slices.Sorted(maps.Keys(w.stacks)) {
		stack := w.stacks[thread]
		for j := len(stack) - 1; j >= 0; j-- {
			w.leave(thread, stack[j], stack[:j], end, false, true)
		}
	}
}

// classes names the class of each method, by number.
type classes []string

func (c *classes) of(l *events.Log, method int) string {
	for len(*c) <= method {
		*c = append(*c, className(l.Methods[len(*c)]))
	}
	return (*c)[method]
}

// owner is the class of the object of an event, as far as it is known: its own, or that of the
// method.
func (c *classes) owner(l *events.Log, e events.Event) string {
	if own, ok := l.Objects[e.Object]; ok {
		return own
	}
	return c.of(l, e.Method)
}

// className is the class of a method with this signature.
func className(signature string) string {
	name := written(signature)
	return names.Readable(name[:max(0, strings.LastIndexByte(name, '.'))])
}

// Qualified is the name of a method with that of its class.
func Qualified(signature string) string { return names.Readable(written(signature)) }

// isConstructor says whether a signature is that of a constructor.
func isConstructor(signature string) bool { return strings.HasSuffix(written(signature), ".<init>") }

// written is that name as a signature has it, in which blanks and brackets only part it.
func written(signature string) string {
	name, _, _ := strings.Cut(signature, "(")
	return name[strings.LastIndexByte(name, ' ')+1:]
}

// parameters are the types of a method's parameters.
func parameters(signature string) []string {
	_, rest, _ := strings.Cut(signature, "(")
	list, _, _ := strings.Cut(rest, ")")
	if list == "" {
		return nil
	}
	types := strings.Split(list, ", ")
	for i, t := range types {
		types[i] = names.Readable(t)
	}
	return types
}
