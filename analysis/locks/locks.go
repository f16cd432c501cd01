// Package locks makes of events who had which lock, who waited for it, and which executions
// of a critical section took unlike the others.
package locks

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"

	"moobench/analysis/divergent"
	"moobench/results/events"
)

// How much is told.
const (
	mostTold    = 50 // locks
	mostCallers = 20 // of a section
	mostDiffer  = 1 << 12
)

// Blame is the time for which executions of one section waited for those of another one.
type Blame struct {
	Waiter, Holder int // indices of Report.Sections
	NS, N          int64
}

// Lock is an object that was locked.
type Lock struct {
	Class                                                string
	Hash                                                 uint32
	Executions, Contended, HeldNS, WaitNS, LongestWaitNS int64
	Threads                                              int
	Blames                                               []Blame // the longest first
}

// Others are locks that are not told one by one.
type Others struct {
	Class                                 string
	Locks                                 int
	Executions, Contended, HeldNS, WaitNS int64
}

// Thread is what a thread had, and waited for.
type Thread struct {
	Name                  string
	Executions, Contended int64
	// InsideNS is the time in which it was in at least one section, without that in which it
	// waited there and had given the lock back: SleptNS. WaitNS is how long it waited for other
	// threads before it got a lock.
	InsideNS, WaitNS, SleptNS int64
}

// Report is what a log of locks says.
type Report struct {
	*events.Log
	Sections []Section // the longest waits first, then the longest times
	Locks    []Lock    // likewise
	Others   []Others
	Threads  []Thread // likewise
	// ProgramNS is from the first event to the last one, or where the log says so, from its
	// begin to its end.
	ProgramNS int64
	InsideNS  int64 // of all threads
	// PriceNS is what the log took of the program's threads: its events, by the time of one that was
	// measured at the end, what it took to instrument classes and to begin logs, and to find callers;
	// it is not known where the program was killed.
	PriceNS    int64
	CallersNS  int64 // the part of it that went into finding callers
	Contention bool  // whether it was logged when locks were asked for
	Unmatched  int64 // releases of what nobody is known to have got
	Ended      int64 // executions
	// Deeper are executions that began when too many others were open, and are in no number.
	Deeper int64
}

// Read reads a log twice: which executions differ from the others is known when all of them
// have been seen.
func Read(r io.ReadSeeker) (*Report, error) {
	b := builder{at: map[int]*section{}, others: map[string]*Others{}}
	b.follower = newFollower(b.count, b.other)
	log, err := events.InOrder(r, b.follower.event)
	if err != nil {
		return nil, err
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("reading events again: %w", err)
	}
	for _, s := range b.at {
		s.judge = s.times.Judge()
	}
	again := newFollower(b.judge, nil) // locks were counted the first time
	if _, err := events.InOrder(r, again.event); err != nil {
		return nil, err
	}
	return b.report(log), nil
}

// section is one while it is read.
type section struct {
	Section
	number         int
	times          divergent.Count
	judge          *divergent.Judge
	locks, threads map[uint32]bool
	callers        map[int]*Calls
}

type builder struct {
	follower *follower
	at       map[int]*section // by the number of its name
	others   map[string]*Others
	ended    int64
}

// count is told of each execution the first time.
func (b *builder) count(e ended) {
	s := b.at[e.section]
	if s == nil {
		s = &section{Section: parse(b.follower.log.Methods[e.section]), number: e.section, locks: map[uint32]bool{}, threads: map[uint32]bool{}, callers: map[int]*Calls{}}
		b.at[e.section] = s
	}
	b.ended++
	held := e.heldNS()
	s.times.Add(held)
	s.SleptNS += e.slept
	if e.thrown {
		s.Thrown++
	}
	if e.waited > 0 {
		s.Contended, s.WaitNS, s.LongestWaitNS = s.Contended+1, s.WaitNS+e.waited, max(s.LongestWaitNS, e.waited)
	}
	if s.Kind != Plain && len(s.locks) < mostDiffer {
		s.locks[e.object] = true
	}
	if len(s.threads) < mostDiffer {
		s.threads[uint32(e.thread)] = true
	}
	if e.caller < 0 {
		return
	}
	c := s.callers[e.caller]
	if c == nil && len(s.callers) < mostDiffer {
		c = &Calls{Place: b.follower.log.Methods[e.caller]}
		s.callers[e.caller] = c
	}
	if c != nil {
		c.N, c.NS, c.LongestNS = c.N+1, c.NS+held, max(c.LongestNS, held)
	}
}

// judge is told of each the second time.
func (b *builder) judge(e ended) {
	if s := b.at[e.section]; s != nil {
		s.judge.Add(divergent.Execution{NS: e.heldNS(), AtNS: e.at, Thread: e.thread})
	}
}

// other counts a lock by its class alone.
func (b *builder) other(hash uint32, l *lock) {
	class := b.class(hash)
	o := b.others[class]
	if o == nil {
		o = &Others{Class: class}
		b.others[class] = o
	}
	o.Locks, o.Executions, o.Contended = o.Locks+1, o.Executions+l.seen.Executions, o.Contended+l.seen.Contended
	o.HeldNS, o.WaitNS = o.HeldNS+l.seen.HeldNS, o.WaitNS+l.seen.WaitNS
}

func (b *builder) class(hash uint32) string {
	if class, ok := b.follower.log.Objects[hash]; ok {
		return class
	}
	return "unknown"
}

func (b *builder) report(log *events.Log) *Report {
	f := b.follower
	r := &Report{Log: log, Contention: f.requests > 0, Unmatched: f.unmatched, Ended: b.ended, Deeper: f.deeper, ProgramNS: f.lastNS - f.firstNS}
	if log.EndedNS > log.BeganNS {
		r.ProgramNS = log.EndedNS - log.BeganNS
	}
	if log.PricePS > 0 {
		r.PriceNS, r.CallersNS = log.PricePS*log.Events/1000+log.WovenNS+log.MadeNS+f.loggedNS, f.loggedNS
	}
	for _, s := range b.at {
		s.finish(log)
	}
	index := map[int]int{}
	for _, s := range slices.SortedFunc(maps.Values(b.at), func(x, y *section) int {
		return cmp.Or(cmp.Compare(y.WaitNS, x.WaitNS), cmp.Compare(y.Times.TotalNS, x.Times.TotalNS), cmp.Compare(x.number, y.number))
	}) {
		index[s.number] = len(r.Sections)
		r.Sections = append(r.Sections, s.Section)
	}
	for hash, l := range f.locks {
		r.Locks = append(r.Locks, b.lock(hash, l, index))
	}
	slices.SortFunc(r.Locks, func(x, y Lock) int {
		return cmp.Or(cmp.Compare(y.WaitNS, x.WaitNS), cmp.Compare(y.HeldNS, x.HeldNS), cmp.Compare(y.Executions, x.Executions), cmp.Compare(x.Hash, y.Hash))
	})
	for len(r.Locks) > mostTold {
		last := r.Locks[len(r.Locks)-1]
		b.other(last.Hash, f.locks[last.Hash])
		r.Locks = r.Locks[:len(r.Locks)-1]
	}
	for _, class := range slices.Sorted(maps.Keys(b.others)) {
		r.Others = append(r.Others, *b.others[class])
	}
	for _, n := range slices.Sorted(maps.Keys(f.threads)) {
		if t := f.threads[n].seen; t.Executions > 0 {
			t.Name = log.Threads[n]
			r.InsideNS += t.InsideNS
			r.Threads = append(r.Threads, t)
		}
	}
	slices.SortStableFunc(r.Threads, func(x, y Thread) int {
		return cmp.Or(cmp.Compare(y.WaitNS, x.WaitNS), cmp.Compare(y.InsideNS, x.InsideNS))
	})
	return r
}

func (b *builder) lock(hash uint32, l *lock, index map[int]int) Lock {
	one := l.seen
	one.Class, one.Hash, one.Threads = b.class(hash), hash, len(l.threads)
	for p, blame := range l.blame {
		waiter, ok := index[p.waiter]
		holder, known := index[p.holder]
		if ok && known { // else none of its executions has ended
			one.Blames = append(one.Blames, Blame{waiter, holder, blame.NS, blame.N})
		}
	}
	slices.SortFunc(one.Blames, func(x, y Blame) int {
		return cmp.Or(cmp.Compare(y.NS, x.NS), cmp.Compare(x.Waiter, y.Waiter), cmp.Compare(x.Holder, y.Holder))
	})
	return one
}

// finish fills in what is known when all has been read.
func (s *section) finish(log *events.Log) {
	s.Times = s.judge.Series()
	s.Section.Locks, s.Section.Threads = len(s.locks), len(s.threads)
	for _, c := range s.callers {
		s.Callers = append(s.Callers, *c)
	}
	slices.SortFunc(s.Callers, func(x, y Calls) int { return cmp.Or(cmp.Compare(y.NS, x.NS), cmp.Compare(x.Place, y.Place)) })
	s.Callers = s.Callers[:min(mostCallers, len(s.Callers))]
	for i, named := range [][]divergent.Execution{s.Times.Paper.Named, s.Times.Ours.Named} {
		for _, e := range named {
			if collected(log.Collections, e.AtNS-e.NS, e.AtNS) {
				s.Collections[i]++
			}
		}
	}
	s.Behaviours = behaviours(&s.Section)
}

// collected says whether garbage was collected between two times.
func collected(all []events.Collection, from, to int64) bool {
	return slices.ContainsFunc(all, func(c events.Collection) bool { return c.FromNS < to && c.ToNS > from })
}
