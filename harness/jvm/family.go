package jvm

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"moobench/harness/peer"
	"moobench/harness/proc"
)

// family returns the living processes of a subject: the one that was started, its group, processes that carry its
// mark, and all their descendants. A fixture says in its hello that it is one process; a user's own program may be
// a script that starts the JVM.
func (p *Process) family() []int {
	if p.alone {
		return []int{p.PID()}
	}
	marked := carries(p.mark)
	all := proc.Families(func(pid int) bool {
		return pid == p.PID() || proc.GroupOf(pid) == p.PID() || has(pid, marked)
	})
	return slices.DeleteFunc(all, func(pid int) bool { there, _ := proc.Running(pid); return !there && pid != p.PID() })
}

// Answering checks that the listener on a port of this machine belongs to the subject's family, and returns its
// pid: otherwise we would measure some other program. Errors are *Failure.
func (p *Process) Answering(port int) (pid int, err error) {
	listeners, err := peer.Listeners(port)
	if err != nil {
		return 0, Failuref(KindStart, "finding out who answers: %w", err)
	}
	family := p.family()
	if pid := holder(listeners, family); pid != 0 {
		return pid, nil
	}
	started := strings.Join(namesOf(family), ", ")
	who := "a process that can't be seen, perhaps of another container or user"
	if pid := holder(listeners, proc.All()); pid != 0 {
		who = namesOf([]int{pid})[0]
	} else if len(listeners) > 0 {
		who = fmt.Sprintf("a process of user %d, whose open files can't be seen", listeners[0].UID())
	}
	return 0, Failuref(kindStranger, "what listens on port %d is %s, "+
		"which is neither what was started (%s) nor descends from it: "+
		"its CPU time and memory can't be measured; have run start it in the foreground, "+
		"and end what already listens there", port, who, cmp.Or(started, "it has ended"))
}

// holder returns the first process that has one of the sockets open, or 0.
func holder(sockets []peer.Peer, pids []int) int {
	for _, pid := range pids {
		if slices.ContainsFunc(sockets, func(s peer.Peer) bool { return s.IsHeldBy(pid) }) {
			return pid
		}
	}
	return 0
}

// together sums what the processes of a family have used. JVM counters are summed over the JVMs among them; pages
// shared by two processes count twice.
func together(of []Snapshot) Snapshot {
	all := of[0]
	for _, s := range of[1:] {
		all.CPUNS += s.CPUNS
		all.Voluntary += s.Voluntary
		all.Involuntary += s.Involuntary
		all.RSSBytes += s.RSSBytes
		all.PeakRSSBytes += s.PeakRSSBytes
		all.Threads += s.Threads
		all.WrittenBytes += s.WrittenBytes
		all.HSPerf = all.HSPerf.and(s.HSPerf)
		all.threads = slices.Concat(all.threads, s.threads)
	}
	return all
}

// and adds the counters of two processes; a counter that one of them lacks is the other's.
func (h HSPerf) and(other HSPerf) HSPerf {
	sum := func(a, b float64) float64 {
		switch {
		case math.IsNaN(a):
			return b
		case math.IsNaN(b):
			return a
		}
		return a + b
	}
	return HSPerf{
		GCCount: sum(h.GCCount, other.GCCount), GCNS: sum(h.GCNS, other.GCNS), JITNS: sum(h.JITNS, other.JITNS),
		SafepointNS: sum(h.SafepointNS, other.SafepointNS), ClassesLoaded: sum(h.ClassesLoaded, other.ClassesLoaded),
	}
}
