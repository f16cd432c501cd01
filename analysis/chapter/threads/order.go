// Package threads derives from events which thread was in which method of which object, and when.
package threads

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"moobench/results/events"
)

// Span is one execution of a method.
type Span struct {
	Method     int // number, in Order.Methods
	Begin, End int64
	Depth      int  // monitored executions of the same object around it, in the same thread
	Thrown     bool // it ended by an exception
	// Waiting says that this is not an execution: the thread waited for others inside the surrounding
	// one.
	Waiting bool
	// Open says that its end is not known: the thread was still in the method when the log ended,
	// or its end is among the missing events.
	Open bool
}

// Lane holds the activity of one thread in an object.
type Lane struct {
	Thread int   // number, in Order.Threads
	Calls  int64 // executions that began within the window
	BusyNS int64 // time in at least one of them
	// WaitNS is the part of it in which it waited for other threads, less the time of one event per
	// wait: a free monitor is entered at once.
	WaitNS int64
	// Ended, TotalNS and LongestNS are over executions with a known end; Thrown counts those that
	// ended by an exception.
	Ended, Thrown, TotalNS, LongestNS int64
	// Spans are the executions in the order of their ends; nil if there are too many, which only
	// Columns summarise.
	Spans []Span
	// Columns divide the window into equal parts: ns of BusyNS in each; nil if there are too many
	// lanes.
	Columns []int64
}

// Object is an object whose methods were called, or a class whose static methods were.
type Object struct {
	Class string
	Hash  uint32 // identity hash; 0: its static methods
	Nth   int    // number among the objects made with this hash; 0: its construction was not logged
	// Several says that this may be several objects: only their hash is known, or an earlier object
	// with this hash may still exist.
	Several bool
	Calls   int64
	Lanes   []Lane // in the order of the threads' first events
}

// Order is the content of a log of events.
type Order struct {
	*events.Log
	Begin, End int64 // of the window, in the JVM's ns
	// Objects are the objects with most calls, at most as many as requested; Others summarises the
	// rest, by class.
	Objects []Object
	Others  []Others
	// Unmatched counts exits without an entry in the log: of methods that a thread was in when they
	// were instrumented, or whose entry is among the missing events.
	Unmatched int64
	// Deeper counts executions nested too deeply to be followed; only their start is known.
	Deeper int64
	// Laneless counts threads of an object without a lane, because there are too many; their calls
	// count for the object.
	Laneless int
}

// Others summarises the objects of a class that have no lanes.
type Others struct {
	Class   string
	Objects int // at least
	Calls   int64
}

// Options select the parts of a log to keep.
type Options struct {
	From, To int64 // window, in ns from the first event; To 0: to the last one
	// Of are the hashes of the objects with lanes; nil: those with most calls.
	Of []uint32
	// Sections draws only sections that hold a lock.
	Sections bool
	objects  int // most objects with lanes
	spans    int // most spans kept per object
	columns  int // columns per lane
}

// part reports whether the window is less than the whole log.
func (o *Options) part() bool { return o.From > 0 || o.To > 0 }

// Closely returns the options for pictures that are viewed in detail: for an object with more
// calls, columns, ten per drawn one.
func Closely() Options { return Options{objects: 12, spans: 50_000, columns: 7200} }

// mostObjects is the largest number of objects kept apart. A program may make millions.
const mostObjects = 1 << 20

// Limits on lanes: a program may start any number of threads, and a picture has room for some.
const (
	mostLanes = 10_000 // of all objects
	mostDrawn = 2000   // lanes with columns
)

// Read reads an order from an event file. It reads twice, because the contents are not known
// before, and need not fit into memory.
func Read(r io.ReadSeeker, o Options) (*Order, error) {
	c := census{
		first: math.MaxInt64, last: math.MinInt64, options: o,
		calls: map[key]int64{}, inside: map[key]int64{}, rest: map[string]*Others{},
	}
	counted, err := events.InOrder(r, c.count)
	if err != nil {
		return nil, err
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("reading events again: %w", err)
	}
	b := c.builder(o)
	b.priceNS = counted.PricePS / 1000
	log, err := events.InOrder(r, b.see)
	if err != nil {
		return nil, err
	}
	b.finish(b.order.End)
	b.reduce()
	b.order.Log, b.order.Unmatched, b.order.Deeper = log, b.unmatched, b.deeper
	return &b.order, nil
}

// Follow reads the order and the call graph of an event file.
func Follow(r io.ReadSeeker, o Options) (*Order, *Graph, error) {
	order, err := Read(r, o)
	if err != nil {
		return nil, nil, err
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, nil, fmt.Errorf("reading events again: %w", err)
	}
	graph, err := readGraph(r, order.Begin, order.End)
	return order, graph, err
}

// census counts calls in the first pass.
type census struct {
	first, last int64
	options     Options
	calls       map[key]int64
	inside      map[key]int64      // those in the window, if that is a part
	rest        map[string]*Others // objects beyond mostObjects
	objects     identities
}

func (c *census) count(l *events.Log, e events.Event) error {
	c.first, c.last = min(c.first, e.TimeNS), max(c.last, e.TimeNS)
	c.objects.see(l, e)
	if e.Kind != events.Enter {
		return nil
	}
	k := c.objects.of(l, e)
	if _, known := c.calls[k]; !known && len(c.calls) >= mostObjects {
		c.other(k.class, 1)
		return nil
	}
	c.calls[k]++
	if at := e.TimeNS - c.first; c.options.part() && at >= c.options.From && (c.options.To == 0 || at <= c.options.To) {
		c.inside[k]++
	}
	return nil
}

func (c *census) other(class string, calls int64) *Others {
	if c.rest[class] == nil {
		c.rest[class] = &Others{Class: class}
	}
	c.rest[class].Calls += calls
	return c.rest[class]
}

// builder chooses the objects with lanes: those with most calls, in the window first.
func (c *census) builder(o Options) *builder {
	b := &builder{options: o, at: map[key]int{}}
	b.enter, b.leave = b.begins, b.ends
	if c.last < c.first {
		c.first, c.last = 0, 0 // no event
	}
	b.order.Begin, b.order.End = c.first+o.From, c.last
	if o.To > 0 {
		b.order.End = min(c.last, c.first+o.To)
	}
	b.width = max(1, float64(b.order.End-b.order.Begin)/float64(o.columns))
	all := slices.SortedFunc(maps.Keys(c.calls), func(x, y key) int {
		return cmp.Or(
			cmp.Compare(c.inside[y], c.inside[x]), cmp.Compare(c.calls[y], c.calls[x]),
			cmp.Compare(x.class, y.class), cmp.Compare(x.hash, y.hash), cmp.Compare(x.nth, y.nth),
		)
	})
	for i, k := range all {
		if o.Of == nil && i < o.objects || slices.Contains(o.Of, k.hash) {
			b.at[k] = len(b.order.Objects)
			b.order.Objects = append(b.order.Objects, Object{
				Class: k.class, Hash: k.hash, Nth: k.nth, Several: k.hash != 0 && k.nth != 1, Calls: c.calls[k],
			})
			continue
		}
		c.other(k.class, c.calls[k]).Objects++
	}
	for _, class := range slices.Sorted(maps.Keys(c.rest)) {
		b.order.Others = append(b.order.Others, *c.rest[class])
	}
	b.lanes, b.spans = make([]map[int]int, len(b.order.Objects)), make([]int, len(b.order.Objects))
	return b
}

// place locates an execution.
type place struct {
	object int // index, -1 if it has no lanes
	lane   int // index
	depth  int
}

type builder struct {
	walker[place]
	priceNS int64 // time of an event
	options Options
	order   Order
	width   float64 // ns per column
	objects identities
	at      map[key]int   // index of an object
	lanes   []map[int]int // index of a thread's lane, by object
	spans   []int         // executions, by object
	drawn   int           // requested lanes
}

func (b *builder) see(l *events.Log, e events.Event) error {
	b.objects.see(l, e)
	return b.event(l, e)
}

func (b *builder) begins(l *events.Log, e events.Event, around []frame[place]) place {
	if b.options.Sections && e.Kind == events.Enter && !l.IsSection(e.Method) {
		return place{object: -1}
	}
	i, ok := b.at[b.objects.of(l, e)]
	if !ok {
		return place{object: -1}
	}
	p := place{object: i, lane: b.lane(i, e.Thread)}
	if p.lane < 0 {
		return place{object: -1}
	}
	if e.Kind == events.Enter && b.within(e.TimeNS) {
		b.order.Objects[i].Lanes[p.lane].Calls++
	}
	for _, outer := range slices.Backward(around) {
		if outer.own.object == i {
			p.depth = outer.own.depth + 1
			break
		}
	}
	return p
}

func (b *builder) within(t int64) bool { return t >= b.order.Begin && t <= b.order.End }

func (b *builder) lane(object, thread int) int {
	if b.lanes[object] == nil {
		b.lanes[object] = map[int]int{}
	}
	i, ok := b.lanes[object][thread]
	if !ok {
		o := &b.order.Objects[object]
		if b.drawn++; b.drawn > mostLanes {
			b.order.Laneless++
			b.lanes[object][thread] = -1
			return -1
		}
		i = len(o.Lanes)
		o.Lanes = append(o.Lanes, Lane{Thread: thread})
		if b.drawn <= mostDrawn {
			o.Lanes[i].Columns = make([]int64, b.options.columns)
		}
		b.lanes[object][thread] = i
	}
	return i
}

// ends adds the part of an execution in the window to its lane.
func (b *builder) ends(_ int, f frame[place], _ []frame[place], end int64, thrown, open bool) {
	p := f.own
	if p.object < 0 || end < b.order.Begin || f.begin > b.order.End {
		return
	}
	lane := &b.order.Objects[p.object].Lanes[p.lane]
	from, to := max(f.begin, b.order.Begin), min(end, b.order.End)
	switch {
	case f.waiting:
		lane.WaitNS += max(0, to-from-b.priceNS)
	case p.depth == 0:
		b.cover(lane, from, to)
	}
	if !open && !f.waiting {
		lane.Ended++
		lane.TotalNS += end - f.begin
		lane.LongestNS = max(lane.LongestNS, end-f.begin)
	}
	if thrown {
		lane.Thrown++
	}
	if b.spans[p.object]++; b.spans[p.object] <= b.options.spans {
		lane.Spans = append(lane.Spans, Span{f.method, f.begin, end, p.depth, thrown, f.waiting, open})
	}
}

// cover adds a time span to the columns that it overlaps.
func (b *builder) cover(lane *Lane, from, to int64) {
	lane.BusyNS += to - from
	for from < to && lane.Columns != nil {
		i := min(int(float64(from-b.order.Begin)/b.width), len(lane.Columns)-1)
		next := b.order.Begin + int64(math.Ceil(float64(i+1)*b.width))
		if i == len(lane.Columns)-1 || next > to {
			next = to
		}
		next = max(next, from+1)
		lane.Columns[i] += next - from
		from = next
	}
}

// reduce drops the spans of objects with too many.
func (b *builder) reduce() {
	for i, n := range b.spans {
		for j := range b.order.Objects[i].Lanes {
			if n > b.options.spans {
				b.order.Objects[i].Lanes[j].Spans = nil
			}
		}
	}
}
