package jvm

import (
	"fmt"
	"path/filepath"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/knob"
)

// bequeath sets inheritable attributes on the calling thread, so that a child has them from its first instruction.
// restore undoes this as far as permitted: without root, a thread whose nice value was raised keeps it until it
// ends.
func (c Command) bequeath() (restore func(), err error) {
	var undo []func()
	restore = func() {
		for _, f := range slices.Backward(undo) {
			f()
		}
	}
	set := func(back func(), failed error, format string, args ...any) {
		switch _, refused := failed.(syscall.Errno); {
		case failed == nil:
			undo = append(undo, back)
		case refused: // a bare errno does not name the operation
			err = fmt.Errorf(format, append(args, failed)...)
		default:
			err = failed
		}
	}
	if c.Scheduling != "" {
		back, failed := knob.SetScheduling(c.Scheduling)
		set(back, failed, "giving it scheduling class %s: %w: fifo and rr need root or CAP_SYS_NICE, "+
			"or take scheduling out of [machine]", c.Scheduling)
	}
	if err == nil && c.Nice != nil {
		back, failed := knob.SetNice(*c.Nice)
		set(back, failed, "giving it nice %d: %w: less than moobench itself has needs root or CAP_SYS_NICE, "+
			"or take nice out of [machine]", *c.Nice)
	}
	if err == nil && c.FixedAddresses {
		back, failed := knob.FixAddresses()
		set(back, failed, "switching its address space randomisation off: %w: "+
			"a container's seccomp profile forbids it, or take aslr out of [machine]")
	}
	if err == nil && c.ControlGroup == "" && len(c.CPUs) > 0 {
		before, want := unix.CPUSet{}, cpu.Set(c.CPUs).Mask()
		set(func() {}, unix.SchedGetaffinity(0, &before), "reading the CPU affinity: %w")
		if err == nil { // if moving it back fails, only this sleeping thread is affected
			back, failed := func() { unix.SchedSetaffinity(0, &before) }, unix.SchedSetaffinity(0, &want)
			set(back, failed, "pinning it to CPUs %v, of which some are not online or not allowed here: %w", c.CPUs)
		}
	}
	if err != nil {
		restore()
		return nil, err
	}
	return restore, nil
}

// controlGroup returns the absolute path of the cgroup v2 folder that the child starts in.
func (c Command) controlGroup() string { return filepath.Join("/", c.ControlGroup) }

// endow sets the attributes that need an existing child. The child has only just started: the dynamic loader is
// running.
//
// It also checks the child's CPUs. Those of a control group may not be ours, so the child could not inherit them;
// and entering the group may have given it all of the group's CPUs. The kernel silently drops CPUs that it does
// not allow.
func (c Command) endow(pid int) error {
	if len(c.CPUs) > 0 {
		got, want := unix.CPUSet{}, cpu.Set(c.CPUs).Mask()
		if c.ControlGroup != "" {
			if err := unix.SchedSetaffinity(pid, &want); err != nil {
				return fmt.Errorf("pinning it to CPUs %v in %s: %w", c.CPUs, c.controlGroup(), err)
			}
		}
		if err := unix.SchedGetaffinity(pid, &got); err != nil {
			return fmt.Errorf("reading back its CPU affinity: %w", err)
		}
		if got != want {
			return fmt.Errorf("pinning it to CPUs %v: the kernel lets it have only %d of them: "+
				"some are not online, or kept by a control group",
				c.CPUs, got.Count())
		}
	}
	if c.LockableBytes == nil {
		return nil
	}
	most, said := uint64(*c.LockableBytes), fmt.Sprintf("%d bytes of", *c.LockableBytes)
	if *c.LockableBytes < 0 {
		most, said = unix.RLIM_INFINITY, "all"
	}
	if err := unix.Prlimit(pid, unix.RLIMIT_MEMLOCK, &unix.Rlimit{Cur: most, Max: most}, nil); err != nil {
		return fmt.Errorf("letting it lock %s memory: %w: more than moobench itself may lock needs root or "+
			"CAP_SYS_RESOURCE, or take memlock out of [machine]", said, err)
	}
	return nil
}
