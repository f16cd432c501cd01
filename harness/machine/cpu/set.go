// Package cpu knows which CPUs a machine has, which of them share a core, and where a subject and moobench may
// run.
package cpu

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Set is a list of CPU numbers, ascending.
type Set []int

// Parse parses a list in the kernel's format: "0-2,5".
func Parse(list string) (Set, error) {
	const most = 1 << 14 // more than any kernel has
	var cpus Set
	if list = strings.TrimSpace(list); list == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(list, ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		a, errA := strconv.Atoi(from)
		b, errB := strconv.Atoi(to)
		if errA != nil || errB != nil || a < 0 || b < a || b >= most {
			return nil, fmt.Errorf("%q is not a list of CPUs (want e.g. 0-2,5)", list)
		}
		for cpu := a; cpu <= b; cpu++ {
			cpus = append(cpus, cpu)
		}
	}
	slices.Sort(cpus)
	return slices.Compact(cpus), nil
}

// Check makes a list of CPUs canonical: "3,0-1,2" is "0-3".
func Check(list string) (string, error) {
	cpus, err := Parse(list)
	if err == nil && len(cpus) == 0 {
		err = errors.New("want a list of CPUs, e.g. 0-2,5")
	}
	return cpus.String(), err
}

// String is the inverse of Parse.
func (s Set) String() string {
	var parts []string
	for i := 0; i < len(s); {
		j := i
		for j+1 < len(s) && s[j+1] == s[j]+1 {
			j++
		}
		part := strconv.Itoa(s[i])
		if j > i {
			part += "-" + strconv.Itoa(s[j])
		}
		parts = append(parts, part)
		i = j + 1
	}
	return strings.Join(parts, ",")
}

// Meets reports whether the sets have a CPU in common.
func (s Set) Meets(others Set) bool {
	return slices.ContainsFunc(s, func(cpu int) bool { return slices.Contains(others, cpu) })
}

// common returns the CPUs of both sets.
func (s Set) common(others Set) Set { return s.Without(s.Without(others)) }

// Without returns the CPUs of s that are not in others.
func (s Set) Without(others Set) Set {
	return slices.DeleteFunc(slices.Clone(s), func(cpu int) bool { return slices.Contains(others, cpu) })
}

// union returns the CPUs of all sets.
func union(sets ...Set) Set {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(sets...))))
}
