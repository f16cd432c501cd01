package cpu

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// Allowed returns the CPUs that this process may use.
func Allowed() (Set, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil, fmt.Errorf("reading the CPU affinity: %w", err)
	}
	var cpus Set
	for cpu := range len(set) * 64 {
		if set.IsSet(cpu) {
			cpus = append(cpus, cpu)
		}
	}
	return cpus, nil
}

// Mask converts the set for system calls.
func (s Set) Mask() (mask unix.CPUSet) {
	for _, cpu := range s {
		mask.Set(cpu)
	}
	return mask
}

// SetThread moves the calling thread, and processes that it starts later, to cpus. The calling goroutine must be
// locked to a thread that ends with it.
func SetThread(cpus Set) error {
	set := cpus.Mask()
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return fmt.Errorf("moving to CPUs %s: %w", cpus, err)
	}
	return nil
}

// SetSelf moves all threads of this process to cpus. A new thread inherits the CPUs of the thread that starts it,
// so passes repeat until one finds no new thread.
func SetSelf(cpus Set) error {
	set := cpus.Mask()
	seen := map[int]bool{}
	for before := -1; len(seen) > before; {
		before = len(seen)
		threads, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return fmt.Errorf("pinning moobench to CPUs %s: %w", cpus, err)
		}
		for _, t := range threads {
			id, err := strconv.Atoi(t.Name())
			if err != nil || seen[id] {
				continue
			}
			seen[id] = true
			if err := unix.SchedSetaffinity(id, &set); err != nil && !errors.Is(err, unix.ESRCH) {
				return fmt.Errorf("pinning moobench to CPUs %s: %w", cpus, err)
			}
		}
	}
	return nil
}
