// Package machine observes the computer that measures, quietens it where that is wanted,
// and puts back what it found, however moobench ends: MACHINE.md describes every setting.
// The packages below it know the settings (knob), who runs where (cpu), who else used the
// measured CPUs (watch) and what can't be set (facts).
//
// All of /proc, /sys and /etc is read through an fs.FS rooted at /, so that a tree of
// files can stand for a machine.
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

// Look observes the machine whose files these are, and shares out the CPUs that moobench
// may use. It must come before Placement.TakeOurs, after which only moobench's own CPUs
// are seen as allowed.
func Look(root fs.FS) (results.Machine, cpu.Placement, error) {
	allowed, err := cpu.Allowed()
	t, unread := cpu.ReadTopology(root)
	if err := cmp.Or(err, unread); err != nil {
		return results.Machine{}, cpu.Placement{}, err
	}
	p := cpu.Place(allowed, t)
	return Observe(root, p), p, nil
}

// Observe describes a machine: its identity, facts, and the state of every knob, given
// who runs where. What can't be read is left out, or says why; nothing personal is read.
func Observe(root fs.FS, on cpu.Placement) results.Machine {
	m := facts.Describe(root)
	m.Core = facts.Core(root, on.Fixture)
	m.Knobs = knob.Recorded(knob.Observe(root, on))
	return m
}

// SessionID names one run of moobench on one boot, which is the same within a block.
func SessionID() string {
	return fmt.Sprintf("%s-%s-%d", Boot(), time.Now().UTC().Format("20060102T150405Z"), os.Getpid())
}

// Boot names this boot of this machine, in eight characters; "" where nothing tells boots apart.
func Boot() string {
	boot := bootID(kernel.Root())
	return boot[:min(8, len(boot))]
}

// bootID is the kernel's random name of this boot, or the time of the boot where it has
// none. "" means that nothing tells boots apart.
func bootID(root fs.FS) string {
	return cmp.Or(randomBootID(root), kernel.After(kernel.Text(root, "proc/stat"), "btime "))
}

func randomBootID(root fs.FS) string { return kernel.Line(root, "proc/sys/kernel/random/boot_id") }

// FreeBytes is how much moobench may still write to the disk of dir.
func FreeBytes(dir string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, fmt.Errorf("asking for the free space of %s: %w", dir, err)
	}
	return int64(s.Bavail) * s.Bsize, nil
}
