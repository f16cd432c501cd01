// Package machine observes the computer that measures: what it is, how its
// settings stand, where a subject and moobench may run, and who else took its
// CPUs. It quietens it where that is wished for, and puts back what it found,
// however moobench ends: MACHINE.md has every setting.
//
// All of /proc, /sys and /etc is read through an fs.FS rooted at /, so that a
// tree of files can stand for a machine.
package machine

import (
	"io/fs"
	"os"
	"runtime"
	"strings"

	"moobench/results"
)

// Root is this machine, for every function here that wants an fs.FS.
func Root() fs.FS { return os.DirFS("/") }

// Look observes the machine whose files these are, and shares out the CPUs that
// moobench may use. It comes before Placement.TakeOurs, after which only
// moobench's own CPUs are seen as allowed.
func Look(root fs.FS) (results.Machine, Placement, error) {
	allowed, err := Allowed()
	if err != nil {
		return results.Machine{}, Placement{}, err
	}
	t, err := ReadTopology(root)
	if err != nil {
		return results.Machine{}, Placement{}, err
	}
	p := Place(allowed, t)
	return Observe(root, p), p, nil
}

// Observe describes a machine: its identity, facts, and the state of every
// knob, given who runs where. What cannot be read is left out, or says why;
// nothing personal is read.
func Observe(root fs.FS, on Placement) results.Machine {
	t, _ := ReadTopology(root) // without one there are 0 CPUs, and the facts say so
	m := results.Machine{
		Format: results.Format,
		Host:   line(root, "proc/sys/kernel/hostname"),
		CPU:    cpuModel(root),
		CPUs:   len(t),
		Memory: memory(root),
		Kernel: line(root, "proc/sys/kernel/osrelease"),
		OS:     osName(root),
		Facts:  facts(root, t),
		Knobs:  observeKnobs(root, on),
	}
	m.ID = identity(m)
	return m
}

func cpuModel(root fs.FS) string {
	info := text(root, "proc/cpuinfo")
	for _, key := range []string{"model name", "Model", "cpu model", "cpu"} {
		if v := value(info, key); v != "" {
			return v
		}
	}
	if part := value(info, "CPU part"); part != "" { // Arm has no name there
		return "implementer " + value(info, "CPU implementer") + " part " + part
	}
	return "unknown (" + runtime.GOARCH + ")"
}

func memory(root fs.FS) int64 {
	return int64(max(0, kibibytes(text(root, "proc/meminfo"), "MemTotal"))) << 10
}

func osName(root fs.FS) string {
	for l := range strings.Lines(text(root, "etc/os-release")) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(l), "PRETTY_NAME="); ok {
			return strings.Trim(name, `"'`)
		}
	}
	return runtime.GOOS
}

// text is the content of a file, "" if it cannot be read.
func text(root fs.FS, path string) string {
	b, err := fs.ReadFile(root, path)
	if err != nil {
		return ""
	}
	return string(b)
}

// line is the content of a file of one line.
func line(root fs.FS, path string) string { return strings.TrimSpace(text(root, path)) }

// value is what follows "key:" at the beginning of a line, the first of its
// kind.
func value(text, key string) string {
	for l := range strings.Lines(text) {
		if k, v, ok := strings.Cut(l, ":"); ok && strings.TrimSpace(k) == key {
			return strings.TrimSpace(v)
		}
	}
	return ""
}
