package knob

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// The functions below set attributes that a child inherits from the calling thread. restore restores them as far
// as permitted: without root, a thread whose nice value was raised keeps it until it ends. A refusal by the kernel
// is a bare syscall.Errno.

// addrNoRandomize is ADDR_NO_RANDOMIZE of personality(2).
const addrNoRandomize = 0x0040000

// FixAddresses switches address space randomisation off.
func FixAddresses() (restore func(), err error) {
	const ask = 0xffffffff // changes nothing
	before, err := personality(ask)
	if err == nil {
		_, err = personality(before | addrNoRandomize)
	}
	return func() { personality(before) }, err
}

func personality(p uintptr) (before uintptr, err error) {
	before, _, errno := unix.RawSyscall(unix.SYS_PERSONALITY, p, 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return before, nil
}

// SetNice sets the nice value, -20 to 19.
func SetNice(nice int) (restore func(), err error) {
	inverse, err := unix.Getpriority(unix.PRIO_PROCESS, 0) // 20 - nice
	if err == nil {
		err = unix.Setpriority(unix.PRIO_PROCESS, 0, nice)
	}
	return func() { unix.Setpriority(unix.PRIO_PROCESS, 0, 20-inverse) }, err
}

// SetScheduling sets the scheduling class: other, batch, fifo or rr. It builds a new request instead of modifying
// the one it read: newer kernels report the thread's time slice there, and writing it back would fix the slice.
func SetScheduling(class string) (restore func(), err error) {
	policy, known := schedulingPolicies[class]
	if !known {
		return nil, fmt.Errorf("%q is not a scheduling class: want other, batch, fifo or rr", class)
	}
	before, err := unix.SchedGetAttr(0, 0)
	if err != nil {
		return nil, fmt.Errorf("reading the scheduling class: %w", err)
	}
	want := unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: policy, Nice: before.Nice}
	if isRealTime(class) {
		want.Priority = 1
	}
	back := unix.SchedAttr{
		Size: unix.SizeofSchedAttr, Policy: before.Policy, Flags: before.Flags & unix.SCHED_FLAG_RESET_ON_FORK,
		Nice: before.Nice, Priority: before.Priority,
	}
	return func() { unix.SchedSetAttr(0, &back, 0) }, unix.SchedSetAttr(0, &want, 0)
}

var schedulingPolicies = map[string]uint32{
	"other": unix.SCHED_NORMAL, "batch": unix.SCHED_BATCH, "fifo": unix.SCHED_FIFO, "rr": unix.SCHED_RR,
}

func isRealTime(class string) bool { return class == "fifo" || class == "rr" }
