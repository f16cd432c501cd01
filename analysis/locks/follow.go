package locks

import (
	"slices"

	"moobench/results/events"
)

// hold is one execution of a section that has begun.
type hold struct {
	section int // number of its name
	object  uint32
	since   int64
	slept   int64 // ns of waits that have ended
	sleeps  int64 // since when it waits and has given the lock back; 0: it doesn't
	caller  int   // number of a place; -1 where it isn't known
	logged  int64 // ns in which the log looked for callers: of an open one, less those of its thread until now
	waited  int64 // ns, for another thread
}

// ended is one execution that has ended.
type ended struct {
	hold
	thread int
	at     int64
	thrown bool
}

// heldNS is how long it had the lock, without what the log itself took.
func (e *ended) heldNS() int64 { return max(0, e.at-e.since-e.slept-e.logged) }

// thread is what one thread does now.
type thread struct {
	stack []hold
	plain []hold // executions of methods that are looked at like sections
	// asks is for what it asked last; its time is 0 when it doesn't wait.
	asks   hold
	inside int64  // since when it is in a section, and not in one around it
	logged int64  // ns in which the log looked for callers
	sleeps bool   // it waits in an execution, and has given the lock back
	within int    // executions that have begun in those of the stack, and are not followed
	seen   Thread // of what has ended, without its name
}

// tenure is a time in which a thread had a lock.
type tenure struct {
	thread, section int
	from, to        int64
}

// mostLocks are told from each other at once, unless more of them are in use.
const mostLocks = 1 << 18

// How many executions are followed at once. What lies deeper is counted alone.
const (
	mostOpen = 1 << 18
	mostDeep = 1 << 16 // in one thread
)

// mostTenures are those of a lock that are remembered while threads wait for it; a wait that
// is longer is blamed on those.
const mostTenures = 256

// lock is one object that is locked.
type lock struct {
	seen   Lock // without its class, hash, threads and blames
	owner  int  // thread, -1: none
	depth  int  // how often the owner has it
	since  int64
	by     int // section of the owner
	asking int // threads that wait for it
	past   []tenure

	threads map[int]bool
	blame   map[pair]*Blame
}

// pair are two sections, one of which waited for the other one.
type pair struct{ waiter, holder int }

// follower follows who has which lock. Events come in the order of their times; where a thread
// got a lock before the one that had it was seen to give it back, it was given back by then.
type follower struct {
	log       *events.Log
	sections  []Kind // by number of a name; "" of what is none
	threads   map[int]*thread
	locks     map[uint32]*lock
	ended     func(e ended)
	most      int // locks that are told from each other, as long as not more are in use
	room      int // for locks
	mostOpen  int // executions that are followed at once
	open      int // that are followed now
	deeper    int64
	unmatched int64
	requests  int64
	loggedNS  int64 // in which the log looked for callers
	lastNS    int64
	firstNS   int64
	// idle is told of a lock that nobody has and nobody waited for, where there are so many that
	// it has to be forgotten; nil where nobody asks.
	idle func(object uint32, l *lock)
}

func newFollower(end func(e ended), idle func(object uint32, l *lock)) *follower {
	return &follower{threads: map[int]*thread{}, locks: map[uint32]*lock{}, ended: end, idle: idle, most: mostLocks, room: mostLocks, mostOpen: mostOpen}
}

// forgetIdle makes room for locks: nobody has those that go, and nobody waited for them, or where there are
// too many others, not for long. Where all are busy, there may be twice as many.
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

// kind is that of the section with this number; "" where it is none.
func (f *follower) kind(number int) Kind {
	for len(f.sections) <= number {
		f.sections = append(f.sections, parse(f.log.Methods[len(f.sections)]).Kind)
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
	f.awake(e, t) // from a wait that ended by an exception
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

// leave ends a method that is looked at like a section; what is above it has lost its end.
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

// beyond says whether an event belongs to an execution that is not followed: one that began when there was
// no room for it, or around which there is one.
func (f *follower) beyond(e events.Event, t *thread) bool {
	if t.within == 0 && (e.Kind == events.Exit || e.Kind == events.Thrown || f.open < f.mostOpen && len(t.stack)+len(t.plain) < mostDeep) {
		return false
	}
	switch e.Kind {
	case events.Enter:
		t.within, f.deeper = t.within+1, f.deeper+1
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
	t.logged += took // it lies in all of them
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
		l.seen.Contended, l.seen.WaitNS, l.seen.LongestWaitNS = l.seen.Contended+1, l.seen.WaitNS+h.waited, max(l.seen.LongestWaitNS, h.waited)
		t.seen.Contended, t.seen.WaitNS = t.seen.Contended+1, t.seen.WaitNS+h.waited
	}
}

// blame finds who had the lock while a thread waited for it, and returns how long it waited; 0
// when nobody else had it.
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
	add(last, max(0, left), 1) // who gave it to this thread, and what that took
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

// leave ends the time of the owner.
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
	// Of what is above it, explicit locks may be given back later, and others have lost their end.
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

// holds is the place of the innermost execution whose lock a wait gives back: that of the
// object, or where a condition is waited for, that of the last explicit lock.
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

// wait follows a thread that gives a lock back while it waits in it, and gets it again.
func (f *follower) wait(e events.Event, t *thread) {
	f.awake(e, t)
	if e.Kind == events.Awake {
		return
	}
	i := f.holds(e, t)
	if i < 0 {
		return // the lock was got by code that is not instrumented
	}
	h := &t.stack[i]
	h.sleeps, t.sleeps = e.TimeNS, true
	if l := f.lock(h.object); l.owner == e.Thread {
		l.leave(e.TimeNS)
	}
}

// awake ends a wait, if the thread is in one.
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
		for k := range i + 1 { // those around it had it to wait, too
			if k == i || t.stack[k].object == h.object {
				t.stack[k].slept += e.TimeNS - h.sleeps
			}
		}
		t.seen.SleptNS += e.TimeNS - h.sleeps
		h.sleeps = 0
		f.lock(h.object).take(e.Thread, h.section, e.TimeNS, depth)
	}
}

// forget ends what a thread is in, as events of it are missing: nobody knows what it has.
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
