package machine

import (
	"io/fs"
	"math"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// facts are what can only be observed. A fact that is not known is absent.
func facts(root fs.FS, t Topology) map[string]string {
	config := kernelConfig(root)
	facts := map[string]string{
		"architecture":     runtime.GOARCH,
		"topology":         shape(root, t),
		"offline cpus":     line(root, cpuDir+"/offline"),
		"allowed cpus":     value(text(root, "proc/self/status"), "Cpus_allowed_list"),
		"isolated cpus":    line(root, cpuDir+"/isolated"),
		"nohz_full":        strings.TrimPrefix(line(root, cpuDir+"/nohz_full"), "(null)"),
		"rcu_nocbs":        bootOption(root, "rcu_nocbs"),
		"cpu limit":        cpuLimit(root),
		"microcode":        value(text(root, "proc/cpuinfo"), "microcode"),
		"frequency driver": line(root, cpuDir+"/cpu0/cpufreq/scaling_driver"),
		"hardware":         strings.TrimSpace(line(root, "sys/class/dmi/id/sys_vendor") + " " + line(root, "sys/class/dmi/id/product_name")),
		"firmware":         line(root, "sys/class/dmi/id/bios_version"),
		"virtualisation":   virtualisation(root),
		"container":        container(root),
		"power":            power(root),
		"temperature":      celsius(temperature(root)),
		"load":             load(root),
		"steal":            steal(root),
		"swap":             swap(root),
		"huge pages":       hugePages(root),
		"preemption":       preemption(root, config),
		"timer frequency":  hertz(config),
	}
	if runs(root, "irqbalance") {
		facts["irqbalance"] = "runs, and moves interrupts"
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
	const machine = "virtual machine"
	vendor := line(root, "sys/class/dmi/id/sys_vendor")
	for _, known := range []string{"QEMU", "VMware", "Xen", "Microsoft Corporation", "innotek", "Amazon EC2", "Google"} {
		if strings.Contains(vendor, known) {
			return machine + " (" + vendor + ")"
		}
	}
	if hypervisor := line(root, "sys/hypervisor/type"); hypervisor != "" {
		return machine + " (" + hypervisor + ")"
	}
	if has(line(root, clocksourceDir+"/available_clocksource"), "kvm-clock") {
		return machine + " (KVM)"
	}
	tree := strings.Trim(line(root, "sys/firmware/devicetree/base/hypervisor/compatible"), "\x00")
	if tree != "" { // on Arm
		return machine + " (" + strings.ReplaceAll(tree, "\x00", ", ") + ")"
	}
	if has(value(text(root, "proc/cpuinfo"), "flags"), "hypervisor") {
		return machine
	}
	return ""
}

func container(root fs.FS) string {
	if kind := line(root, "run/systemd/container"); kind != "" {
		return kind
	}
	for _, mark := range []struct{ file, kind string }{{".dockerenv", "docker"}, {"run/.containerenv", "podman"}} {
		if there(root, mark.file) && !firstNamespace(root) {
			return mark.kind
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

// firstNamespace reports that moobench is in the PID namespace that the kernel
// itself made, whose number is fixed: then a mark of a container is only left
// over from the image that the system was made of.
func firstNamespace(root fs.FS) bool {
	link, err := fs.ReadLink(root, "proc/self/ns/pid")
	return err == nil && link == "pid:[4026531836]"
}

// cpuLimit is how much CPU time moobench's control groups may use, the least of
// them, as a number of CPUs; "" is no limit.
func cpuLimit(root fs.FS) string {
	least := math.Inf(1)
	for l := range strings.Lines(text(root, "proc/self/cgroup")) {
		_, rest, _ := strings.Cut(strings.TrimSpace(l), ":")
		controllers, group, _ := strings.Cut(rest, ":")
		base := "sys/fs/cgroup"
		if slices.Contains(strings.Split(controllers, ","), "cpu") {
			base += "/cpu" // version 1
		} else if controllers != "" {
			continue
		}
		for dir := path.Join(base, path.Clean("/"+group)); strings.HasPrefix(dir, base); dir = path.Dir(dir) {
			least = min(least, groupLimit(root, dir))
		}
	}
	if math.IsInf(least, 1) {
		return ""
	}
	return strconv.FormatFloat(least, 'g', 4, 64) + " CPUs"
}

// groupLimit is what one group may use, in CPUs.
func groupLimit(root fs.FS, dir string) float64 {
	quota, period, two := strings.Cut(line(root, dir+"/cpu.max"), " ")
	if !two {
		quota, period = line(root, dir+"/cpu.cfs_quota_us"), line(root, dir+"/cpu.cfs_period_us")
	}
	q, p := integer(quota, -1), integer(period, 0)
	if q <= 0 || p <= 0 {
		return math.Inf(1)
	}
	return float64(q) / float64(p)
}

// bootOption is the value of one option that the kernel was booted with. No
// other is ever read: some hold addresses, and some secrets.
func bootOption(root fs.FS, name string) string {
	for _, option := range strings.Fields(text(root, "proc/cmdline")) {
		if v, ok := strings.CutPrefix(option, name+"="); ok {
			return v
		}
	}
	return ""
}

// runs reports that a program of this name runs.
func runs(root fs.FS, name string) bool {
	names, err := fs.Glob(root, "proc/[0-9]*/comm")
	return err == nil && slices.ContainsFunc(names, func(file string) bool { return line(root, file) == name })
}
