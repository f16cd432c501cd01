package locks

import (
	"moobench/analysis/divergent"
	"moobench/results/events"
)

// Kind is the way in which a section acquires its lock.
type Kind = events.SectionKind

// The kinds of sections.
const (
	Block    = events.SectionBlock
	Explicit = events.SectionExplicit
	Plain    = events.SectionPlain
)

// Code describes the section's own code, without the code it calls.
type Code = events.Code

// Section is a critical section of a program.
type Section struct {
	Method string // signature
	Kind   Kind
	Line   int // of a block; 0 if not known
	Code   Code
	// Times are the times for which its executions held the lock, without the time in which they
	// waited and had released it.
	Times  *divergent.Series
	Thrown int64 // executions that ended by an exception
	// SleptNS is the time of those waits.
	SleptNS int64
	// Contended is the number of executions that waited for another thread; WaitNS is the time.
	Contended, WaitNS, LongestWaitNS int64
	Locks, Threads                   int // number of different ones, at least
	// Collections counts the divergent executions named in Times that ran during a garbage
	// collection, by the paper's rule and by ours.
	Collections [2]int
	Callers     []Calls // by time, longest first; if callers were logged
	Behaviours  []Behaviour
}

// Calls summarises the executions called from one place.
type Calls struct {
	Place            string
	N, NS, LongestNS int64
}

// sectionOf returns the section with this number; other methods have no Kind.
func sectionOf(l *events.Log, number int) Section {
	s := Section{Method: l.Methods[number]}
	if own := l.Sections[number]; own.Kind != events.SectionWait {
		s.Kind = own.Kind
		s.Line = own.Line
		s.Code = own.Code
	}
	return s
}
