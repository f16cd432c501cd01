package threads

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"moobench/results/events"
	"moobench/results/names"
)

// frame is an open execution, or a wait in one, with the reader's own data.
type frame[T any] struct {
	method  int
	object  uint32
	begin   int64
	waiting bool
	own     T
}

// walker follows the nesting and the ends of each thread's executions.
type walker[T any] struct {
	// enter is called for each start, also of a wait, with the surrounding frames, innermost last;
	// its result is kept until the end.
	enter func(l *events.Log, e events.Event, around []frame[T]) T
	// leave is called for each end; open: the end is not known, see Span.
	leave func(thread int, f frame[T], around []frame[T], end int64, thrown, open bool)

	unmatched int64
	stacks    map[int][]frame[T]
	open      int         // open frames of all threads
	most      int         // most open frames; 0: mostOpen
	within    map[int]int // per thread: open executions that are not kept, inside the kept ones
	deeper    int64       // executions never kept
}

// Limits on open executions. A JVM thread has room for some 10,000 by default; deeper ones are only
// counted.
const (
	mostOpen = 1 << 20
	mostDeep = 1 << 16 // in one thread
)

// beyond reports whether an event belongs to an execution that is not kept: one that began when
// there was no room for it, or inside such a one.
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
		if e.Kind == events.Wait && len(stack) > 0 { // the innermost execution waits, whatever the event names
			e.Method, e.Object = stack[len(stack)-1].method, stack[len(stack)-1].object
		}
		if e.Kind != events.Wait || len(stack) > 0 {
			waits := e.Kind != events.Enter
			w.stacks[e.Thread] = append(stack, frame[T]{e.Method, e.Object, e.TimeNS, waits, w.enter(l, e, stack)})
			w.open++
		}
	case events.Exit, events.Thrown:
		// The innermost execution of the same method and object ends; frames above it have lost
		// their end.
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

// finish ends all open executions.
func (w *walker[T]) finish(end int64) {
	for _, thread := range slices.Sorted(maps.Keys(w.stacks)) {
		stack := w.stacks[thread]
		for j := len(stack) - 1; j >= 0; j-- {
			w.leave(thread, stack[j], stack[:j], end, false, true)
		}
	}
}

// classes lists the class of each method, by number.
type classes []string

func (c *classes) of(l *events.Log, method int) string {
	for len(*c) <= method {
		*c = append(*c, className(l.Methods[len(*c)]))
	}
	return (*c)[method]
}

// owner returns the class of an event's object: its own if known, else that of the method.
func (c *classes) owner(l *events.Log, e events.Event) string {
	if own, ok := l.Objects[e.Object]; ok {
		return own
	}
	return c.of(l, e.Method)
}

// className returns the class of a method with this signature.
func className(signature string) string {
	name := written(signature)
	return names.Readable(name[:max(0, strings.LastIndexByte(name, '.'))])
}

// Qualified returns the name of a method, with its class.
func Qualified(signature string) string { return names.Readable(written(signature)) }

// isConstructor reports whether a signature belongs to a constructor.
func isConstructor(signature string) bool { return strings.HasSuffix(written(signature), ".<init>") }

// written returns the qualified name as written in a signature, where it is delimited by blanks and
// brackets.
func written(signature string) string {
	name, _, _ := strings.Cut(signature, "(")
	return name[strings.LastIndexByte(name, ' ')+1:]
}

// parameters returns the types of a method's parameters.
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
