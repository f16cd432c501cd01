package machine

import (
	"fmt"
	"slices"
)

// Placement says on which CPUs the subject runs, and on which moobench, its
// receivers and its load.
type Placement struct {
	Fixture      []int
	Housekeeping []int
	// Shared: there is one CPU for both, and so nothing is pinned.
	Shared bool
	// Remark stands beside every answer, "" when there is nothing to say.
	Remark string
}

// Place shares out the CPUs that moobench may use. From four on, the first one
// and its SMT siblings are for moobench and the rest is the subject's; with two
// or three, the subject has the last one, if it can be on a core of its own;
// with one, both share it.
func Place(allowed []int, t Topology) Placement {
	if len(allowed) == 0 {
		for _, c := range t {
			allowed = append(allowed, c.ID)
		}
	}
	cpus := slices.Sorted(slices.Values(allowed))
	if len(cpus) < 2 {
		return Placement{
			Fixture: cpus, Housekeeping: cpus, Shared: true,
			Remark: "1 CPU for everything: the agent's background threads, moobench and its receivers are part of the cost",
		}
	}
	first := t.siblings(cpus[0])
	ours := func(cpu int) bool { return slices.Contains(first, cpu) }
	rest := slices.DeleteFunc(slices.Clone(cpus), ours)
	if len(cpus) >= 4 && len(rest) > 0 {
		mine := slices.DeleteFunc(slices.Clone(cpus), func(cpu int) bool { return !ours(cpu) })
		return Placement{Fixture: rest, Housekeeping: mine, Remark: oneCPU(len(rest))}
	}
	p := Placement{Fixture: cpus[len(cpus)-1:], Housekeeping: cpus[:1], Remark: oneCPU(1)}
	if len(rest) == 0 {
		p.Remark += fmt.Sprintf("; CPU %d shares its core with moobench on CPU %d", p.Fixture[0], cpus[0])
	} else {
		p.Fixture = rest[len(rest)-1:]
	}
	return p
}

func oneCPU(n int) string {
	if n > 1 {
		return ""
	}
	return "1 CPU: the agent's background threads are part of the cost"
}

// TakeOurs moves moobench itself to where it belongs.
func (p Placement) TakeOurs() error {
	if p.Shared {
		return nil
	}
	return SetSelf(p.Housekeeping)
}

// String is "fixture on CPU 2-3, moobench on 0-1".
func (p Placement) String() string {
	if p.Shared {
		return "fixture and moobench share CPU " + FormatCPUs(p.Fixture)
	}
	return fmt.Sprintf("fixture on CPU %s, moobench on %s", FormatCPUs(p.Fixture), FormatCPUs(p.Housekeeping))
}
