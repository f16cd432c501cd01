package locks

import (
	"slices"

	"moobench/results/events"
)

// hold is an open execution of a section.
type hold struct {
	section int // number of the section's name
	object  uint32
	since   int64
	slept   int64 // ns of completed waits
	sleeps  int64 // start of the current wait, with the lock released; 0: none
	caller  int   // number of a place; -1 if not known
	logged  int64 // ns for looking up callers; while open, minus the thread's total at its start
	waited  int64 // ns waited for another thread
}

// ended is a finished execution.
type ended struct {
	hold
	thread int
	at     int64
	thrown bool
}

// heldNS returns how long it held the lock, without the time of the log itself.
func (e *ended) heldNS() int64 { return max(0, e.at-e.since-e.slept-e.logged) }

// thread is the state of one thread.
type thread struct {
	stack []hold
	plain []hold // open executions of methods that are logged like sections
	// asks is the pending request; since == 0: no request.
	asks   hold
	inside int64  // start of the outermost open section
	logged int64  // ns for looking up callers
	sleeps bool   // it waits in an execution, and has released the lock
	within int    // open executions that are not followed, inside those of the stack
	seen   Thread // totals of finished executions, without its name
}

// tenure is a time in which a thread held a lock.
type tenure struct {
	thread, section int
	from, to        int64
}

// mostLocks is the largest number of locks tracked at once, unless more are in use.
const mostLocks = 1 << 18

// Limits on executions followed at once. Deeper ones are only counted.
const (
	mostOpen = 1 << 18
	mostDeep = 1 << 16 // in one thread
)

// mostTenures is the number of tenures of a lock kept while threads wait for it; a longer wait is
// blamed on the kept ones.
const mostTenures = 256

// lock is the state of a lock.
type lock struct {
	seen   Lock // totals, without class, hash, threads and blames
	owner  int  // thread, -1: none
	depth  int  // times the owner has acquired it
	since  int64
	by     int // section of the owner
	asking int // threads waiting for it
	past   []tenure

	threads map[int]bool
	blame   map[pair]*Blame
}

// pair is two sections, one of which waited for the other.
type pair struct{ waiter, holder int }

// follower tracks the owners of locks. Events come in order of time; if a thread acquires a lock
// before its owner's release was seen, the lock was released by then.
type follower struct {
	log       *events.Log
	sections  []Kind // by number of a name; "" if not a section
	threads   map[int]*thread
	locks     map[uint32]*lock
	ended     func(e ended)
	most      int // locks tracked separately, unless more are in use
	room      int // for locks
	mostOpen  int // most executions followed at once
	open      int // executions followed now
	deeper    int64
	unmatched int64
	requests  int64
	loggedNS  int64 // for looking up callers
	lastNS    int64
	firstNS   int64
	// idle is called for each lock forgotten because there are too many; may be nil.
	idle func(object uint32, l *lock)
}

func newFollower(end func(e ended), idle func(object uint32, l *lock)) *follower {
	return &follower{
		threads: map[int]*thread{}, locks: map[uint32]*lock{}, ended: end, idle: idle,
		most: mostLocks, room: mostLocks, mostOpen: mostOpen,
	}
}

// forgetIdle makes room for locks, by forgetting those without an owner that nobody waited for, or
// if there are too many others, not for long. Then the limit is twice the number of remaining
// locks, at least most.
func (f *follower) forgetIdle() {
	var waits []int64
	for hash, l := range f.locks {
		switch {
		case l.owner >= 0 || l.asking > 0:
		case l.seen.WaitNS == 0:
			f.forgetLock(hash, l)
		default:
			waits = append(waits, l.seen.WaitNS)
		}
	}
	if len(f.locks) > f.room/2 && len(waits) > mostTold {
		slices.Sort(waits)
		for hash, l := range f.locks {
			if l.owner < 0 && l.asking == 0 && l.seen.WaitNS < waits[len(waits)-mostTold] {
				f.forgetLock(hash, l)
			}
		}
	}
	f.room = max(f.most, 2*len(f.locks))
}

func (f *follower) forgetLock(hash uint32, l *lock) {
	if f.idle != nil {
		f.idle(hash, l)
	}
	delete(f.locks, hash)
}

// kind returns the kind of the section with this number; "" if it is not a section.
func (f *follower) kind(number int) Kind {
	for len(f.sections) <= number {
		f.sections = append(f.sections, sectionOf(f.log, len(f.sections)).Kind)
	}
	return f.sections[number]
}

func (f *follower) isExplicit(number int) bool { return f.kind(number) == Explicit }

func (f *follower) thread(n int) *thread {
	t := f.threads[n]
	if t == nil {
		t = &thread{}
		f.threads[n] = t
	}
	return t
}

func (f *follower) lock(object uint32) *lock {
	l := f.locks[object]
	if l == nil {
		if len(f.locks) >= f.room {
			f.forgetIdle()
		}
		l = &lock{owner: -1, threads: map[int]bool{}, blame: map[pair]*Blame{}}
		f.locks[object] = l
	}
	return l
}

func (f *follower) event(l *events.Log, e events.Event) error {
	f.log = l
	if f.firstNS == 0 {
		f.firstNS = e.TimeNS
	}
	f.lastNS = max(f.lastNS, e.TimeNS)
	t := f.thread(e.Thread)
	switch e.Kind {
	case events.Missing:
		f.forget(t)
		return nil
	case events.Caller:
		f.caller(e, t)
		return nil
	case events.Wait, events.Awake:
		f.wait(e, t)
		return nil
	}
	f.awake(e, t) // after a wait that ended by an exception
	if f.kind(e.Method) == "" || f.beyond(e, t) {
		return nil
	}
	switch e.Kind {
	case events.Request:
		f.requests++
		f.request(e, t)
	case events.Enter:
		if f.kind(e.Method) == Plain {
			t.plain = append(t.plain, hold{section: e.Method, object: e.Object, since: e.TimeNS, caller: -1})
			return nil
		}
		f.acquire(e, t)
	case events.Exit, events.Thrown:
		if f.kind(e.Method) == Plain {
			f.leave(e, t)
			return nil
		}
		f.release(e, t)
	}
	return nil
}

// leave ends a method that is logged like a section; entries above it have lost their end.
func (f *follower) leave(e events.Event, t *thread) {
	i := len(t.plain) - 1
	for i >= 0 && (t.plain[i].section != e.Method || t.plain[i].object != e.Object) {
		i--
	}
	if i < 0 {
		f.unmatched++
		return
	}
	h := t.plain[i]
	f.open -= len(t.plain) - i
	t.plain = t.plain[:i]
	f.ended(ended{hold: h, thread: e.Thread, at: e.TimeNS, thrown: e.Kind == events.Thrown})
}

// beyond reports whether an event belongs to an execution that is not followed: one that began when
// there was no room for it, or inside such a one.
func (f *follower) beyond(e events.Event, t *thread) bool {
	ends := e.Kind == events.Exit || e.Kind == events.Thrown
	room := f.open < f.mostOpen && len(t.stack)+len(t.plain) < mostDeep
	if t.within == 0 && (ends || room) {
		return false
	}
	switch e.Kind {
	case events.Enter:
		t.within++
		f.deeper++
	case events.Exit, events.Thrown:
		t.within--
	}
	return true
}

func (f *follower) caller(e events.Event, t *thread) {
	n := len(t.stack)
	if n == 0 || t.within > 0 {
		return
	}
	t.stack[n-1].caller = e.Method
	took := e.TimeNS - t.stack[n-1].since
	f.loggedNS += took
	t.logged += took // the look-up lies within all open executions
}

func (f *follower) request(e events.Event, t *thread) {
	f.giveUp(t)
	t.asks = hold{section: e.Method, object: e.Object, since: e.TimeNS}
	f.lock(e.Object).asking++
}

// giveUp ends a request that was not granted: a lock that was only tried, or an interrupt.
func (f *follower) giveUp(t *thread) {
	if t.asks.since == 0 {
		return
	}
	if l := f.locks[t.asks.object]; l != nil {
		l.asking--
	}
	t.asks = hold{}
}

func (f *follower) acquire(e events.Event, t *thread) {
	h := hold{section: e.Method, object: e.Object, since: e.TimeNS, caller: -1, logged: -t.logged}
	l := f.lock(e.Object)
	if asked := t.asks; asked.since != 0 && asked.object == e.Object && asked.section == e.Method {
		h.waited = f.blame(l, e, asked)
	}
	f.giveUp(t)
	if len(t.stack) == 0 {
		t.inside = e.TimeNS
	}
	t.stack = append(t.stack, h)
	f.open++
	l.take(e.Thread, e.Method, e.TimeNS, 1)
	l.seen.Executions++
	if len(l.threads) < mostDiffer {
		l.threads[e.Thread] = true
	}
	if h.waited > 0 {
		l.seen.Contended++
		l.seen.WaitNS += h.waited
		l.seen.LongestWaitNS = max(l.seen.LongestWaitNS, h.waited)
		t.seen.Contended++
		t.seen.WaitNS += h.waited
	}
}

// blame finds who held the lock while a thread waited for it, and returns how long it waited; 0 if
// nobody else held it.
func (f *follower) blame(l *lock, e events.Event, asked hold) int64 {
	past := l.past
	if l.owner >= 0 && l.owner != e.Thread {
		past = append(past, tenure{l.owner, l.by, l.since, e.TimeNS})
	}
	waited, left, last := e.TimeNS-asked.since, e.TimeNS-asked.since, -1
	add := func(holder int, ns int64, times int64) {
		p := pair{e.Method, holder}
		if l.blame[p] == nil {
			l.blame[p] = &Blame{}
		}
		l.blame[p].NS, l.blame[p].N = l.blame[p].NS+ns, l.blame[p].N+times
	}
	for _, p := range past {
		if overlap := min(p.to, e.TimeNS) - max(p.from, asked.since); p.thread != e.Thread && overlap > 0 {
			add(p.section, overlap, 0)
			left, last = left-overlap, p.section
		}
	}
	if last < 0 {
		return 0
	}
	add(last, max(0, left), 1) // the last holder, with the time of the handover
	return max(1, waited)
}

// take makes a thread the owner.
func (l *lock) take(thread, section int, at int64, depth int) {
	if l.owner == thread {
		l.depth += depth
		return
	}
	if l.owner >= 0 {
		l.leave(at)
	}
	l.owner, l.by, l.since, l.depth = thread, section, at, depth
}

// leave ends the owner's tenure.
func (l *lock) leave(at int64) {
	if l.asking == 0 {
		l.past = l.past[:0]
	}
	if len(l.past) == mostTenures {
		l.past = l.past[:copy(l.past, l.past[1:])]
	}
	l.past = append(l.past, tenure{l.owner, l.by, l.since, max(at, l.since)})
	l.owner, l.depth = -1, 0
}

func (f *follower) release(e events.Event, t *thread) {
	f.giveUp(t)
	i := len(t.stack) - 1
	for i >= 0 && t.stack[i].object != e.Object {
		i--
	}
	if i < 0 {
		f.unmatched++
		return
	}
	h := t.stack[i]
	h.logged += t.logged
	// Above it, explicit locks may be released later; other entries have lost their end.
	above := slices.DeleteFunc(t.stack[i+1:], func(h hold) bool { return !f.isExplicit(h.section) })
	f.open -= len(t.stack) - i - len(above)
	t.stack = append(t.stack[:i], above...)
	if l := f.lock(e.Object); l.owner == e.Thread {
		if l.depth--; l.depth <= 0 {
			l.leave(e.TimeNS)
		}
	}
	done := ended{hold: h, thread: e.Thread, at: e.TimeNS, thrown: e.Kind == events.Thrown}
	t.seen.Executions++
	if len(t.stack) == 0 {
		t.seen.InsideNS += max(0, e.TimeNS-t.inside-h.slept-h.logged)
	}
	if !slices.ContainsFunc(t.stack, func(around hold) bool { return around.object == e.Object }) {
		f.lock(e.Object).seen.HeldNS += done.heldNS()
	}
	f.ended(done)
}

// holds returns the index of the innermost execution whose lock a wait releases: that of the
// object, or for a condition, that of the last explicit lock.
func (f *follower) holds(e events.Event, t *thread) int {
	explicit := -1
	for i := len(t.stack) - 1; i >= 0; i-- {
		if t.stack[i].object == e.Object {
			return i
		}
		if explicit < 0 && f.isExplicit(t.stack[i].section) {
			explicit = i
		}
	}
	return explicit
}

// wait follows a thread that releases a lock while it waits, and acquires it again.
func (f *follower) wait(e events.Event, t *thread) {
	f.awake(e, t)
	if e.Kind == events.Awake {
		return
	}
	i := f.holds(e, t)
	if i < 0 {
		return // the lock was acquired by code that is not instrumented
	}
	h := &t.stack[i]
	h.sleeps, t.sleeps = e.TimeNS, true
	if l := f.lock(h.object); l.owner == e.Thread {
		l.leave(e.TimeNS)
	}
}

// awake ends the thread's wait, if any.
func (f *follower) awake(e events.Event, t *thread) {
	if !t.sleeps {
		return
	}
	t.sleeps = false
	for i := range t.stack {
		h := &t.stack[i]
		if h.sleeps == 0 {
			continue
		}
		depth := 0
		for _, other := range t.stack {
			if other.object == h.object {
				depth++
			}
		}
		for k := range i + 1 { // outer executions of the same lock waited too
			if k == i || t.stack[k].object == h.object {
				t.stack[k].slept += e.TimeNS - h.sleeps
			}
		}
		t.seen.SleptNS += e.TimeNS - h.sleeps
		h.sleeps = 0
		f.lock(h.object).take(e.Thread, h.section, e.TimeNS, depth)
	}
}

// forget closes everything open in a thread with missing events: its locks are unknown.
func (f *follower) forget(t *thread) {
	f.giveUp(t)
	for _, h := range t.stack {
		if l := f.locks[h.object]; l != nil && l.owner >= 0 && f.threads[l.owner] == t {
			l.leave(f.lastNS)
		}
	}
	f.open -= len(t.stack) + len(t.plain)
	t.stack, t.plain, t.within = t.stack[:0], t.plain[:0], 0
}
