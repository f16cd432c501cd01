// Package machine observes the computer that measures, quietens it if desired, and restores its settings, however
// moobench ends: MACHINE.md describes every setting. The packages below it know the settings (knob), the placement
// of processes (cpu), who else used the measured CPUs (watch) and properties that can't be set (facts).
//
// All of /proc, /sys and /etc is read through an fs.FS rooted at /, so that a tree of files can stand for a
// machine.
package machine

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/facts"
	"moobench/harness/machine/internal/kernel"
	"moobench/harness/machine/knob"
	"moobench/results"
)

// Look observes the machine with these files, and divides the CPUs that moobench may use. It must precede
// Placement.TakeOurs, after which only moobench's own CPUs seem allowed.
func Look(root fs.FS) (results.Machine, cpu.Placement, error) {
	allowed, err := cpu.Allowed()
	t, unread := cpu.ReadTopology(root)
	if err := cmp.Or(err, unread); err != nil {
		return results.Machine{}, cpu.Placement{}, err
	}
	p := cpu.Place(allowed, t)
	return Observe(root, p), p, nil
}

// Observe describes a machine: its identity, facts, and the state of every knob, given the placement. Unreadable
// values are omitted or give a reason; nothing personal is read.
func Observe(root fs.FS, on cpu.Placement) results.Machine {
	m := facts.Describe(root)
	m.Core = facts.Core(root, on.Fixture)
	m.Knobs = knob.Recorded(knob.Observe(root, on))
	return m
}

// SessionID identifies one run of moobench on one boot. It is constant within a block.
func SessionID() string {
	return fmt.Sprintf("%s-%s-%d", Boot(), time.Now().UTC().Format("20060102T150405Z"), os.Getpid())
}

// Boot identifies this boot of this machine, in eight characters; "" if boots can't be told apart.
func Boot() string {
	boot := bootID(kernel.Root())
	return boot[:min(8, len(boot))]
}

// bootID returns the kernel's random ID of this boot, else the boot time; "" if boots can't be told apart.
func bootID(root fs.FS) string {
	return cmp.Or(randomBootID(root), kernel.After(kernel.Text(root, "proc/stat"), "btime "))
}

func randomBootID(root fs.FS) string { return kernel.Line(root, "proc/sys/kernel/random/boot_id") }

// FreeBytes returns the space that moobench may still use on the disk of dir.
func FreeBytes(dir string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, fmt.Errorf("asking for the free space of %s: %w", dir, err)
	}
	return int64(s.Bavail) * s.Bsize, nil
}
