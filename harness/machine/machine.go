// Package machine observes the computer that measures: what it is, how its
// settings stand, where a subject and moobench may run, and who else took its
// CPUs. It changes nothing but moobench's own affinity.
//
// All of /proc, /sys and /etc is read through an fs.FS rooted at /, so that a
// tree of files can stand for a machine.
package machine

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strconv"
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
// knob, given who runs where. What cannot be read is left out, or says why; nothing personal is read.
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

// identity is a short hash of what stays the same when the machine is started
// again or its kernel is updated. Memory is counted in whole GiB, because
// kernels keep a little more or less of it for themselves.
func identity(m results.Machine) string {
	const gib = 1 << 30
	text := fmt.Sprintf("%s\n%s\n%d\n%d", m.Host, m.CPU, m.CPUs, (m.Memory+gib/2)/gib)
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
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
	kib, _, _ := strings.Cut(value(text(root, "proc/meminfo"), "MemTotal"), " ")
	n, err := strconv.ParseInt(kib, 10, 64)
	if err != nil {
		return 0
	}
	return n << 10
}

func osName(root fs.FS) string {
	for l := range strings.Lines(text(root, "etc/os-release")) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(l), "PRETTY_NAME="); ok {
			return strings.Trim(name, `"'`)
		}
	}
	return runtime.GOOS
}

// facts are what can only be observed. A fact that is not known is absent.
func facts(root fs.FS, t Topology) map[string]string {
	facts := map[string]string{
		"architecture":     runtime.GOARCH,
		"topology":         t.String(),
		"virtualisation":   virtualisation(root),
		"container":        container(root),
		"cpu limit":        line(root, "sys/fs/cgroup/cpu.max"),
		"isolated cpus":    line(root, "sys/devices/system/cpu/isolated"),
		"nohz_full":        strings.TrimPrefix(line(root, "sys/devices/system/cpu/nohz_full"), "(null)"),
		"microcode":        value(text(root, "proc/cpuinfo"), "microcode"),
		"frequency driver": line(root, "sys/devices/system/cpu/cpu0/cpufreq/scaling_driver"),
		"hardware":         strings.TrimSpace(line(root, "sys/class/dmi/id/sys_vendor") + " " + line(root, "sys/class/dmi/id/product_name")),
		"firmware":         line(root, "sys/class/dmi/id/bios_version"),
		"allowed cpus":     value(text(root, "proc/self/status"), "Cpus_allowed_list"),
	}
	for name, v := range facts {
		if v == "" {
			delete(facts, name)
		}
	}
	return facts
}

// virtualisation is a hint, "" on bare metal as far as one can see.
func virtualisation(root fs.FS) string {
	vendor := line(root, "sys/class/dmi/id/sys_vendor")
	for _, known := range []string{"QEMU", "VMware", "Xen", "Microsoft Corporation", "innotek", "Amazon EC2", "Google"} {
		if strings.Contains(vendor, known) {
			return "virtual machine (" + vendor + ")"
		}
	}
	if hypervisor := line(root, "sys/hypervisor/type"); hypervisor != "" {
		return "virtual machine (" + hypervisor + ")"
	}
	flags := " " + value(text(root, "proc/cpuinfo"), "flags") + " "
	if strings.Contains(flags, " hypervisor ") {
		return "virtual machine"
	}
	return ""
}

func container(root fs.FS) string {
	for file, kind := range map[string]string{".dockerenv": "docker", "run/.containerenv": "podman"} {
		if _, err := fs.Stat(root, file); err == nil {
			return kind
		}
	}
	groups := text(root, "proc/1/cgroup")
	for _, kind := range []string{"kubepods", "docker", "lxc", "libpod"} {
		if strings.Contains(groups, "/"+kind) {
			return kind
		}
	}
	return ""
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
