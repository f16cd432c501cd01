package cpu

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"moobench/refusal"
)

// Placement assigns CPUs to the subject, and to moobench with its receivers and its load.
type Placement struct {
	Fixture      Set
	Housekeeping Set
	// idle are CPUs that we leave empty: SMT siblings of measured CPUs, and measured CPUs that a cell does not
	// use.
	idle Set
	// Shared means that one CPU serves both, so nothing is pinned.
	Shared bool
	// Remark is shown beside every answer; "": no remark.
	Remark string

	topology Topology // knows which CPUs share a core
}

// Place divides the CPUs that moobench may use. With four or more, moobench gets the first and its SMT siblings,
// and the subject the rest; with two or three, the subject gets the last, on a core of its own if possible; with
// one, both share it.
func Place(allowed Set, t Topology) Placement {
	cpus := t.usable(allowed)
	p := Placement{Fixture: cpus, Housekeeping: cpus, Shared: len(cpus) < 2, topology: t}
	rest := cpus.Without(t.Cores(cpus[:min(1, len(cpus))]))
	switch {
	case p.Shared:
	case len(rest) == 0:
		p.Fixture, p.Housekeeping = cpus[len(cpus)-1:], cpus[:1]
	case len(cpus) >= 4:
		p.Fixture, p.Housekeeping = rest, cpus.Without(rest)
	default:
		p.Fixture, p.Housekeeping = rest[len(rest)-1:], cpus[:1]
	}
	return p.withIdle(cpus)
}

// Pin makes the placement that the user asks for, with lists such as "2-3". Without housekeeping, moobench gets
// all other CPUs that share no core with a measured one; with housekeeping alone, the subject gets all others that
// share no core with moobench. The error says which CPUs there are.
func Pin(allowed Set, t Topology, cpus, housekeeping string) (Placement, error) {
	fixture, err := Parse(cpus)
	ours, err2 := Parse(housekeeping)
	if err := errors.Join(err, err2); err != nil {
		return Placement{}, fmt.Errorf("pin: %w", err)
	}
	all := t.usable(allowed)
	var wrong []string
	asked := slices.Concat(fixture, ours)
	if len(asked) == 0 {
		wrong = append(wrong, "neither cpus nor housekeeping names a CPU")
	}
	if both := fixture.common(ours); len(both) > 0 {
		wrong = append(wrong, fmt.Sprintf("CPU %s is asked for both the fixture and moobench", both))
	}
	online, missing := t.CPUs(), union(asked.Without(all))
	if off := missing.Without(online); len(off) > 0 {
		wrong = append(wrong, fmt.Sprintf("CPU %s is not there, or not online", off))
	}
	if kept := missing.common(online); len(kept) > 0 {
		wrong = append(wrong, fmt.Sprintf("CPU %s is online, "+
			"but taskset, a container or a cpuset keeps moobench from it", kept))
	}
	if wrong != nil {
		return Placement{}, fmt.Errorf("pin: %s; moobench may use CPU %s", strings.Join(wrong, "; "), all)
	}
	none := func(taken Set, by, other string) error {
		why := fmt.Errorf("pin: CPU %s for %s leaves none for %s that shares no core with it; moobench may use CPU %s",
			taken, by, other, all)
		return refusal.New(why, "name both, cpus and housekeeping, or take pin out of [machine]")
	}
	if len(ours) == 0 {
		if ours = all.Without(t.Cores(fixture)); len(ours) == 0 {
			return Placement{}, none(fixture, "the fixture", "moobench")
		}
	}
	if len(fixture) == 0 {
		if fixture = all.Without(t.Cores(ours)); len(fixture) == 0 {
			return Placement{}, none(ours, "moobench", "the fixture")
		}
	}
	return Placement{Fixture: fixture, Housekeeping: ours, topology: t}.withIdle(all), nil
}

// withIdle completes a placement: siblings of measured CPUs stay empty.
func (p Placement) withIdle(all Set) Placement {
	near := p.topology.Cores(p.Fixture)
	p.idle = all.common(near).Without(slices.Concat(p.Fixture, p.Housekeeping))
	p.Remark = p.remark()
	return p
}

// OnePerCore leaves the fixture one CPU per core; the others stay empty.
func (p Placement) OnePerCore(t Topology) Placement {
	if p.Shared {
		return p
	}
	var one, more Set
	for _, cpu := range p.Fixture {
		if one.Meets(t.Siblings(cpu)) {
			more = append(more, cpu)
		} else {
			one = append(one, cpu)
		}
	}
	p.Fixture, p.topology = one, t
	p.idle = union(p.idle, more)
	p.Remark = p.remark()
	return p
}

// Take gives the fixture n CPUs, its last ones. If it has fewer, it shares moobench's last ones.
func (p Placement) Take(n int) (Placement, error) {
	others := p.Housekeeping.Without(p.Fixture)
	have := len(p.Fixture)
	if n < 1 || n > have+len(others) {
		return Placement{}, fmt.Errorf("cpus = %d: 1 to %d are available here (%s)", n, have+len(others), p)
	}
	if n <= have {
		p.idle = union(p.idle, p.Fixture[:have-n]).Without(p.Housekeeping)
		p.Fixture = p.Fixture[have-n:]
	} else {
		p.Fixture = union(p.Fixture, others[len(others)-(n-have):])
	}
	p.Remark = p.remark()
	return p, nil
}

func (p Placement) remark() string {
	if p.Shared {
		return "1 CPU for everything: the agent's background threads, moobench and its receivers are part of the cost"
	}
	var said []string
	if len(p.Fixture) == 1 {
		said = append(said, "the JVM has 1 CPU, so the agent's own threads compete with it")
	}
	if shared := p.Common(); len(shared) > 0 {
		said = append(said, fmt.Sprintf("the fixture shares CPU %s with moobench and its receivers", shared))
	}
	var near, ours Set
	for _, cpu := range p.Fixture.Without(p.Housekeeping) {
		if siblings := p.topology.Siblings(cpu).common(p.Housekeeping); len(siblings) > 0 {
			near, ours = append(near, cpu), append(ours, siblings...)
		}
	}
	if len(near) > 0 {
		share := "share their cores"
		if len(near) == 1 {
			share = "shares its core"
		}
		said = append(said, fmt.Sprintf("CPU %s %s with moobench on CPU %s", near, share, union(ours)))
	}
	return strings.Join(said, "; ")
}

// TakeOurs moves moobench itself to its CPUs. The function returned moves it back: otherwise whatever this process
// starts later would inherit the smaller set.
func (p Placement) TakeOurs() (giveBack func() error, err error) {
	if p.Shared {
		return func() error { return nil }, nil
	}
	before, err := Allowed()
	if err != nil {
		return nil, err
	}
	giveBack = func() error { return SetSelf(before) }
	if err := SetSelf(p.Housekeeping); err != nil {
		return nil, errors.Join(err, giveBack()) // some of its threads may have been moved
	}
	return giveBack, nil
}

// String formats it as "fixture on CPU 2-3, moobench on 0-1, nothing on 6-7".
func (p Placement) String() string {
	if p.Shared {
		return "fixture and moobench share CPU " + p.Fixture.String()
	}
	s := fmt.Sprintf("fixture on CPU %s, moobench on %s", p.Fixture, p.Housekeeping)
	if len(p.idle) > 0 {
		s += ", nothing on " + p.idle.String()
	}
	return s
}

// Common returns the CPUs of both the fixture and moobench; nil if one CPU serves everything.
func (p Placement) Common() Set {
	if p.Shared {
		return nil
	}
	return p.Fixture.common(p.Housekeeping)
}
