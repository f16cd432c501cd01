package facts

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"testing"
	"testing/fstest"

	"moobench/harness/machine/cpu"
	"moobench/internal/testmachine"
)

func TestFacts(t *testing.T) {
	const own, power = "proc/self/cgroup = ", "sys/class/power_supply/"
	tests := []struct {
		fact, want string
		files      []string
	}{
		{"cpu limit", "2 CPUs", []string{own + "0::/", "sys/fs/cgroup/cpu.max = 200000 100000"}},
		{"cpu limit", "0.5 CPUs", []string{own + "0::/a.slice/b.scope", "sys/fs/cgroup/a.slice/cpu.max = 50000 100000", "sys/fs/cgroup/a.slice/b.scope/cpu.max = max 100000"}},
		{"cpu limit", "1.5 CPUs", []string{own + "4:cpu,cpuacct:/x", "sys/fs/cgroup/cpu/x/cpu.cfs_quota_us = 150000", "sys/fs/cgroup/cpu/x/cpu.cfs_period_us = 100000"}},
		{"cpu limit", "", []string{own + "4:cpu:/x", "sys/fs/cgroup/cpu/x/cpu.cfs_quota_us = -1", "sys/fs/cgroup/cpu/x/cpu.cfs_period_us = 100000"}},
		{"cpu limit", "", []string{own + "0::/../../..", "sys/fs/cgroup/cpu.max = max 100000", "cpu.max = 1 100000"}},
		{"power", "mains", []string{power + "AC/type = Mains", power + "AC/online = 1", power + "BAT0/type = Battery", power + "BAT0/status = Charging"}},
		{"power", "battery", []string{power + "AC/type = Mains", power + "AC/online = 0", power + "BAT0/type = Battery", power + "BAT0/status = Discharging"}},
		{"power", "", []string{power + "hid/type = Battery", power + "hid/status = Discharging", power + "hid/scope = Device"}},
		{"swap", "none", []string{"proc/meminfo = SwapTotal: 0 kB"}},
		{"swap", "2048 MiB, 2 MiB in use", []string{"proc/meminfo = SwapTotal: 2097152 kB\nSwapFree: 2095104 kB"}},
		{"huge pages", "512 of 2048 kB", []string{"proc/meminfo = HugePages_Total: 512\nHugepagesize: 2048 kB"}},
		{"huge pages", "", []string{"proc/meminfo = HugePages_Total: 0\nHugepagesize: 2048 kB"}},
		{"load", "0.31 in 1 min, 0.22 in 5 min, 0.10 in 15 min", []string{"proc/loadavg = 0.31 0.22 0.10 2/180 4711"}},
		{"steal", "12.3 s since the machine was started", []string{"proc/stat = cpu  1 0 0 0 0 0 0 1234 0 0"}},
		{"irqbalance", "runs, and moves interrupts", []string{"proc/12/comm = bash", "proc/13/comm = irqbalance"}},
		{"rcu_nocbs", "2-3", []string{"proc/cmdline = quiet rcu_nocbs=2-3 nohz_full=2-3"}},
		{"rcu_nocbs", "", []string{"proc/cmdline = xrcu_nocbs=2-3 rcu_nocbs"}},
		{"timer frequency", "250 Hz", []string{"proc/sys/kernel/osrelease = 6.1.0", "boot/config-6.1.0 = CONFIG_HZ=250"}},
		{"preemption", "voluntary", []string{"proc/sys/kernel/osrelease = 6.1.0", "boot/config-6.1.0 = CONFIG_PREEMPT_VOLUNTARY=y\nCONFIG_PREEMPT_DYNAMIC=y"}},
		{"preemption", "full", []string{"proc/cmdline = preempt=full"}},
		{"preemption", "lazy", []string{"sys/kernel/debug/sched/preempt = none voluntary full (lazy)"}},
		{"preemption", "real time", []string{"sys/kernel/realtime = 1"}},
		{"preemption", "full", []string{"proc/sys/kernel/version = #1 SMP PREEMPT Debian"}},
		{"preemption", "", []string{"proc/sys/kernel/version = #1 SMP PREEMPT_DYNAMIC @0"}},
		{"virtualisation", "virtual machine (KVM)", []string{clocksourceDir + "/available_clocksource = tsc kvm-clock"}},
		{"virtualisation", "virtual machine (linux,kvm)", []string{"sys/firmware/devicetree/base/hypervisor/compatible = linux,kvm\x00"}},
		{"virtualisation", "virtual machine", []string{"proc/cpuinfo = flags : fpu hypervisor tsc"}},
		{"virtualisation", "virtual machine (QEMU)", []string{"sys/class/dmi/id/sys_vendor = QEMU"}},
		{"container", "systemd-nspawn", []string{"run/systemd/container = systemd-nspawn"}},
		{"container", "podman", []string{"run/.containerenv = x", "proc/1/cgroup = 0::/docker/1"}},
		{"container", "docker", []string{"proc/1/cgroup = 0::/docker/1"}},
		{"offline cpus", "4-7", []string{cpu.Dir + "/offline = 4-7"}},
	}
	for _, test := range tests {
		if got := facts(testmachine.Of(test.files), nil)[test.fact]; got != test.want {
			t.Errorf("%s of %q: %q, want %q", test.fact, test.files, got, test.want)
		}
	}
}

func TestPackedKernelConfig(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte("# CONFIG_X is not set\nCONFIG_HZ=1000\n")); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	root := fstest.MapFS{"proc/config.gz": {Data: packed.Bytes()}}
	if got := kernelConfig(root).option("CONFIG_HZ"); got != "1000" {
		t.Errorf("got %q", got)
	}
	root["proc/config.gz"].Data = packed.Bytes()[:20]
	if got := kernelConfig(root).option("CONFIG_HZ"); got != "" {
		t.Errorf("of half a file: %q", got)
	}
}

// TestFirstNamespace has the mark of a container, with and without the
// namespace of one.
func TestFirstNamespace(t *testing.T) {
	for link, want := range map[string]string{"": "docker", "pid:[4026532100]": "docker", "pid:[4026531836]": ""} {
		root := fstest.MapFS{".dockerenv": &fstest.MapFile{}}
		if link != "" {
			root["proc/self/ns/pid"] = &fstest.MapFile{Data: []byte(link), Mode: fs.ModeSymlink}
		}
		if got := container(root); got != want {
			t.Errorf("with %q in %q, want %q", link, got, want)
		}
	}
}
