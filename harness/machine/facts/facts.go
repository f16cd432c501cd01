// Package facts describes what can only be observed of a machine: its hardware and kernel, and how busy and how
// hot it is.
package facts

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/internal/kernel"
	"moobench/results"
)

// hostVar is the environment variable that names this machine if its host name does not, as in a container or a
// Kubernetes pod, which has a host name of its own.
const hostVar = "MOOBENCH_HOST"

// Describe describes a machine without its knobs. Unreadable values are omitted; nothing personal is read.
func Describe(root fs.FS) results.Machine {
	t, _ := cpu.ReadTopology(root) // without one there are 0 CPUs, and the facts say so
	value := func(key string) string { return kernel.Value(kernel.Text(root, "proc/cpuinfo"), key) }
	part := value("CPU part")
	if part != "" { // Arm has no name there
		part = "implementer " + value("CPU implementer") + " part " + part
	}
	system := strings.Trim(kernel.After(kernel.Text(root, "etc/os-release"), "PRETTY_NAME="), `"'`)
	unknown := "unknown (" + runtime.GOARCH + ")"
	m := results.Machine{
		Format:   results.Format,
		Host:     cmp.Or(kernel.Printable(os.Getenv(hostVar)), kernel.Line(root, "proc/sys/kernel/hostname")),
		CPU:      cmp.Or(value("model name"), value("Model"), value("cpu model"), value("cpu"), part, unknown),
		Stepping: stepping(value),
		CPUs:     len(t),
		Memory:   int64(max(0, kibibytes(kernel.Text(root, "proc/meminfo"), "MemTotal"))) << 10,
		Kernel:   kernel.Line(root, "proc/sys/kernel/osrelease"),
		OS:       cmp.Or(system, runtime.GOOS),
		Facts:    facts(root, t),
	}
	m.ID = identity(m)
	return m
}

// stepping distinguishes CPUs of one model name: family, model and stepping, or on Arm variant and revision; "" if
// the kernel shows no such numbers.
func stepping(value func(key string) string) string {
	var numbers []string
	for _, key := range []string{"cpu family", "model", "stepping", "CPU variant", "CPU revision"} {
		if v := value(key); v != "" {
			numbers = append(numbers, v)
		}
	}
	return strings.Join(numbers, "-")
}

// identity is a short hash of properties that survive a restart, a kernel update, and switching CPUs off, for
// example with SMT. Memory counts in whole GiB, since the amount that the kernel reserves varies.
func identity(m results.Machine) string {
	const gib = 1 << 30
	text := fmt.Sprintf("%s\n%s\n%s\n%d", m.Host, m.CPU, m.Facts["topology"], (m.Memory+gib/2)/gib)
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}

// facts returns the known facts by name.
func facts(root fs.FS, t cpu.Topology) map[string]string {
	const dmi = "sys/class/dmi/id/"
	built := kernelConfig(root)
	hardware := kernel.Line(root, dmi+"sys_vendor") + " " + kernel.Line(root, dmi+"product_name")
	facts := map[string]string{
		"architecture":     runtime.GOARCH,
		"topology":         t.Shape(root),
		"offline cpus":     kernel.Line(root, cpu.Dir+"/offline"),
		"allowed cpus":     kernel.Value(kernel.Text(root, "proc/self/status"), "Cpus_allowed_list"),
		"isolated cpus":    kernel.Line(root, cpu.Dir+"/isolated"),
		"nohz_full":        strings.TrimPrefix(kernel.Line(root, cpu.Dir+"/nohz_full"), "(null)"),
		"rcu_nocbs":        bootOption(root, "rcu_nocbs"),
		"cpu limit":        cpuLimit(root),
		"microcode":        kernel.Value(kernel.Text(root, "proc/cpuinfo"), "microcode"),
		"frequency driver": kernel.Line(root, cpu.Dir+"/cpu0/cpufreq/scaling_driver"),
		"hardware":         strings.TrimSpace(hardware),
		"firmware":         kernel.Line(root, dmi+"bios_version"),
		"virtualisation":   virtualisation(root),
		"container":        container(root),
		"power":            power(root),
		"preemption":       preemption(root, built),
	}
	// Average number of threads that were running or waiting for a disk.
	if f := strings.Fields(kernel.Line(root, "proc/loadavg")); len(f) > 2 {
		facts["load"] = fmt.Sprintf("%s in 1 min, %s in 5 min, %s in 15 min", f[0], f[1], f[2])
	}
	// Total time for which the host kept CPUs waiting. The kernel shows hundredths of a second, whatever its own
	// tick.
	times := strings.Fields(kernel.After(kernel.Text(root, "proc/stat"), "cpu "))
	if len(times) > 7 && kernel.Number(times[7]) > 0 {
		facts["steal"] = fmt.Sprintf("%.1f s since the machine was started", kernel.Number(times[7])/100)
	}
	info := kernel.Text(root, "proc/meminfo")
	if total, free := kibibytes(info, "SwapTotal"), kibibytes(info, "SwapFree"); total > 0 {
		facts["swap"] = fmt.Sprintf("%d MiB, %d MiB in use", total>>10, (total-max(0, free))>>10)
	} else if total == 0 {
		facts["swap"] = "none"
	}
	// Reserved for programs that request them, such as a JVM with UseLargePages.
	if n := kernel.Int(kernel.Value(info, "HugePages_Total"), 0); n > 0 {
		facts["huge pages"] = fmt.Sprintf("%d of %s", n, kernel.Value(info, "Hugepagesize"))
	}
	if c := Temperature(root); !math.IsNaN(c) {
		facts["temperature"] = fmt.Sprintf("%.0f °C", c)
	}
	if hz := built.option("CONFIG_HZ"); hz != "" {
		facts["timer frequency"] = hz + " Hz"
	}
	programs := kernel.Glob(root, "proc/[0-9]*/comm")
	if slices.ContainsFunc(programs, func(file string) bool { return kernel.Line(root, file) == "irqbalance" }) {
		facts["irqbalance"] = "runs, and moves interrupts"
	}
	maps.DeleteFunc(facts, func(_, v string) bool { return v == "" })
	return facts
}

// virtualisation guesses the kind of virtual machine; "" for apparent bare metal.
func virtualisation(root fs.FS) string {
	of := func(what string) string { return "virtual machine (" + what + ")" }
	vendor, hypervisor := kernel.Line(root, "sys/class/dmi/id/sys_vendor"), kernel.Line(root, "sys/hypervisor/type")
	known := []string{"QEMU", "VMware", "Xen", "Microsoft Corporation", "innotek", "Amazon EC2", "Google"}
	tree := strings.Trim(kernel.Line(root, "sys/firmware/devicetree/base/hypervisor/compatible"), "\x00")
	switch {
	case slices.ContainsFunc(known, func(name string) bool { return strings.Contains(vendor, name) }):
		return of(vendor)
	case hypervisor != "":
		return of(hypervisor)
	case kernel.Has(kernel.Line(root, clocksourceDir+"/available_clocksource"), "kvm-clock"):
		return of("KVM")
	case tree != "": // on Arm
		return of(strings.ReplaceAll(tree, "\x00", ", "))
	case kernel.Has(kernel.Value(kernel.Text(root, "proc/cpuinfo"), "flags"), "hypervisor"):
		return "virtual machine"
	}
	return ""
}

func container(root fs.FS) string {
	if kind := kernel.Line(root, "run/systemd/container"); kind != "" {
		return kind
	}
	// In the initial PID namespace, whose number is fixed, these files are only left over from the image that the
	// system was made from.
	namespace, err := fs.ReadLink(root, "proc/self/ns/pid")
	first := err == nil && namespace == "pid:[4026531836]"
	for _, mark := range []struct{ file, kind string }{{".dockerenv", "docker"}, {"run/.containerenv", "podman"}} {
		if kernel.Exists(root, mark.file) && !first {
			return mark.kind
		}
	}
	groups := kernel.Text(root, "proc/1/cgroup")
	for _, kind := range []string{"kubepods", "docker", "lxc", "libpod"} {
		if strings.Contains(groups, "/"+kind) {
			return kind
		}
	}
	return ""
}

// cpuLimit returns the lowest CPU-time limit of moobench's control groups, as a number of CPUs; "": no limit.
func cpuLimit(root fs.FS) string {
	least := math.Inf(1)
	for l := range strings.Lines(kernel.Text(root, "proc/self/cgroup")) {
		_, rest, _ := strings.Cut(strings.TrimSpace(l), ":")
		controllers, group, _ := strings.Cut(rest, ":")
		base := "sys/fs/cgroup"
		if slices.Contains(strings.Split(controllers, ","), "cpu") {
			base += "/cpu" // version 1
		} else if controllers != "" {
			continue
		}
		for dir := path.Join(base, path.Clean("/"+group)); strings.HasPrefix(dir, base); dir = path.Dir(dir) {
			quota, period, two := strings.Cut(kernel.Line(root, dir+"/cpu.max"), " ")
			if !two {
				quota, period = kernel.Line(root, dir+"/cpu.cfs_quota_us"), kernel.Line(root, dir+"/cpu.cfs_period_us")
			}
			if q, p := kernel.Int(quota, -1), kernel.Int(period, 0); q > 0 && p > 0 {
				least = min(least, float64(q)/float64(p))
			}
		}
	}
	if math.IsInf(least, 1) {
		return ""
	}
	return strconv.FormatFloat(least, 'g', 4, 64) + " CPUs"
}

// bootOption returns the value of one kernel boot option. No other is ever read: some hold addresses or secrets.
func bootOption(root fs.FS, name string) string {
	lines := strings.Join(strings.Fields(kernel.Text(root, "proc/cmdline")), "\n")
	return kernel.After(lines, name+"=")
}
