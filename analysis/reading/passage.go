package reading

import (
	"math/bits"
	"slices"

	"moobench/results"
)

// Passage is the set of steps that an execution passes through, as bits in the
// order of results.Steps.
type Passage uint

// PassageOf returns the steps that a cell's executions pass through, and the body that runs them; ok is false
// if they are unknown. The unmonitored baseline passes through nothing.
func PassageOf(c *results.Cell) (p Passage, body string, ok bool) {
	if c.Framework == "" {
		return 0, "", c.Role == results.RoleBaseline
	}
	path, body, _ := c.Passes()
	known := results.Steps()
	for _, name := range path {
		i := slices.IndexFunc(known, func(s results.Step) bool { return s.Name == name })
		if i < 0 {
			return 0, "", false
		}
		p |= 1 << i
	}
	return p, body, p != 0
}

// Within reports whether p is a proper subset of q.
func (p Passage) Within(q Passage) bool { return p != q && p&q == p }

// Last returns the last step of p alone.
func (p Passage) Last() Passage { return 1 << (bits.Len(uint(p)) - 1) }

// Steps returns the names of the steps, and the parts of the cost that they belong to: I, C, W.
func (p Passage) Steps() (names, parts []string) {
	for i, s := range results.Steps() {
		if p&(1<<i) != 0 {
			names, parts = append(names, s.Name), append(parts, s.Part)
		}
	}
	return names, slices.Compact(parts)
}

// StepsOf returns the steps of p that belong to a part.
func (p Passage) StepsOf(part string) (q Passage) {
	for i, s := range results.Steps() {
		if s.Part == part {
			q |= p & (1 << i)
		}
	}
	return q
}

// Writes reports whether the record leaves, through the stage's own output.
func (p Passage) Writes() bool { return p.StepsOf("W") != 0 }
