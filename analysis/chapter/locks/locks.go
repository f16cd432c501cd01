// Package locks derives from events who held which lock, who waited for it, and which executions of
// a critical section took much longer or shorter than the others.
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

// Limits of a report.
const (
	mostTold    = 50 // locks
	mostCallers = 20 // of a section
	mostDiffer  = 1 << 12
)

// Blame is the time for which executions of one section waited for those of another.
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

// Others summarises the locks of a class that are not listed.
type Others struct {
	Class                                 string
	Locks                                 int
	Executions, Contended, HeldNS, WaitNS int64
}

// Thread summarises what a thread held and waited for.
type Thread struct {
	Name                  string
	Executions, Contended int64
	// InsideNS is the time in at least one section, without SleptNS, the time in which it waited
	// there with the lock released. WaitNS is the time it waited for other threads before it
	// acquired a lock.
	InsideNS, WaitNS, SleptNS int64
}

// Report is the content of a log of locks.
type Report struct {
	*events.Log
	Sections []Section // the longest waits first, then the longest times
	Locks    []Lock    // in the same order
	Others   []Others
	Threads  []Thread // in the same order
	// ProgramNS is from the first event to the last, or if logged, from the log's start to its end.
	ProgramNS int64
	InsideNS  int64 // summed over threads
	// PriceNS is the time that the log took of the program's threads: its events, at the time per
	// event measured at the end, instrumenting classes, starting logs, and looking up callers; 0
	// (not known) if the program was killed.
	PriceNS    int64
	CallersNS  int64 // its part for looking up callers
	Contention bool  // whether requests for locks were logged
	Unmatched  int64 // releases of locks not known to be held
	Ended      int64 // finished executions
	// Deeper counts executions that began when too many others were open; they are in no number.
	Deeper int64
}

// Read reads a log twice: divergent executions are known only after all have been seen.
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
	again := newFollower(b.judge, nil) // locks were counted in the first pass
	if _, err := events.InOrder(r, again.event); err != nil {
		return nil, err
	}
	return b.report(log), nil
}

// section is a section being read.
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

// count adds an execution in the first pass.
func (b *builder) count(e ended) {
	s := b.at[e.section]
	if s == nil {
		s = &section{
			Section: sectionOf(b.follower.log, e.section), number: e.section,
			locks: map[uint32]bool{}, threads: map[uint32]bool{}, callers: map[int]*Calls{},
		}
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

// judge adds an execution in the second pass.
func (b *builder) judge(e ended) {
	if s := b.at[e.section]; s != nil {
		s.judge.Add(divergent.Execution{NS: e.heldNS(), AtNS: e.at, Thread: e.thread})
	}
}

// other counts a lock by its class only.
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
	r := &Report{
		Log: log, Contention: f.requests > 0, Unmatched: f.unmatched, Ended: b.ended, Deeper: f.deeper,
		ProgramNS: f.lastNS - f.firstNS,
	}
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
		return cmp.Or(
			cmp.Compare(y.WaitNS, x.WaitNS), cmp.Compare(y.Times.TotalNS, x.Times.TotalNS),
			cmp.Compare(x.number, y.number),
		)
	}) {
		index[s.number] = len(r.Sections)
		r.Sections = append(r.Sections, s.Section)
	}
	for hash, l := range f.locks {
		r.Locks = append(r.Locks, b.lock(hash, l, index))
	}
	slices.SortFunc(r.Locks, func(x, y Lock) int {
		return cmp.Or(
			cmp.Compare(y.WaitNS, x.WaitNS), cmp.Compare(y.HeldNS, x.HeldNS),
			cmp.Compare(y.Executions, x.Executions), cmp.Compare(x.Hash, y.Hash),
		)
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

// finish fills in the figures that need all events.
func (s *section) finish(log *events.Log) {
	s.Times = s.judge.Series()
	s.Section.Locks, s.Section.Threads = len(s.locks), len(s.threads)
	for _, c := range s.callers {
		s.Callers = append(s.Callers, *c)
	}
	slices.SortFunc(s.Callers, func(x, y Calls) int {
		return cmp.Or(cmp.Compare(y.NS, x.NS), cmp.Compare(x.Place, y.Place))
	})
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

// collected reports whether a garbage collection overlaps two times.
func collected(all []events.Collection, from, to int64) bool {
	return slices.ContainsFunc(all, func(c events.Collection) bool { return c.FromNS < to && c.ToNS > from })
}
