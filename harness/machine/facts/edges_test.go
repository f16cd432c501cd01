package facts

import (
	"math"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/machine/cpu"
	"moobench/internal/testmachine"
	"moobench/results"
)

// A machine is described by what its kernel says, and by what can be said without it.
func TestDescribe(t *testing.T) {
	const name = "proc/cpuinfo = "
	for _, c := range []struct {
		name  string
		files []string
		want  results.Machine
	}{
		{
			"Arm",
			[]string{name + "CPU implementer : 0x41\nCPU part : 0xd0c"},
			results.Machine{CPU: "implementer 0x41 part 0xd0c"},
		},
		{"a name", []string{name + "model name : A\nCPU part : 0xd0c"}, results.Machine{CPU: "A"}},
		{"an Arm board", []string{name + "Model : B\nCPU part : 0xd0c"}, results.Machine{CPU: "B"}},
		{"MIPS", []string{name + "cpu model : C"}, results.Machine{CPU: "C"}},
		{"POWER", []string{name + "cpu : D"}, results.Machine{CPU: "D"}},
		{
			"memory",
			[]string{
				name + "cpu : D", "proc/meminfo = MemTotal: 5 kB", "proc/sys/kernel/hostname = h",
				"proc/sys/kernel/osrelease = 6.1",
			},
			results.Machine{CPU: "D", Memory: 5120, Host: "h", Kernel: "6.1"},
		},
		{
			"a system",
			[]string{name + "cpu : D", `etc/os-release = PRETTY_NAME="Debian 12"`},
			results.Machine{CPU: "D", OS: "Debian 12"},
		},
		{
			"two CPUs",
			[]string{
				name + "cpu : D", cpu.Dir + "/online = 0-1", cpu.Dir + "/cpu0/topology/core_id = 0",
				cpu.Dir + "/cpu1/topology/core_id = 1",
			},
			results.Machine{CPU: "D", CPUs: 2},
		},
	} {
		t.Setenv(hostVar, "")
		got := Describe(testmachine.Of(c.files))
		if got.ID != identity(got) || got.Format != results.Format {
			t.Errorf("%s: %+v", c.name, got)
		}
		if c.want.OS == "" {
			c.want.OS = "linux"
		}
		c.want.ID, c.want.Format, c.want.Facts = got.ID, got.Format, got.Facts
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// Memory counts in whole GiB, rounded, for a machine is the same after a restart.
func TestIdentityOfMemory(t *testing.T) {
	const mib = 1 << 20
	id := func(memory int64) string { return identity(results.Machine{Memory: memory}) }
	for _, c := range []struct {
		a, b int64
		same bool
	}{
		{15872 * mib, 16384 * mib, true},
		{15871 * mib, 16384 * mib, false},
		{16895 * mib, 16384 * mib, true},
		{16896 * mib, 16384 * mib, false},
	} {
		if got := id(c.a) == id(c.b); got != c.same {
			t.Errorf("%d and %d: the same is %v", c.a, c.b, got)
		}
	}
	if len(id(0)) != 12 {
		t.Errorf("%q", id(0))
	}
}

// Facts that are not known are left out, also where a file has less than it should.
func TestFactsLeftOut(t *testing.T) {
	const power = "sys/class/power_supply/"
	for _, c := range []struct {
		fact, want string
		files      []string
	}{
		{"load", "", []string{"proc/loadavg = 0.31 0.22"}},
		{"load", "1 in 1 min, 2 in 5 min, 3 in 15 min", []string{"proc/loadavg = 1 2 3"}},
		{"steal", "", []string{"proc/stat = cpu  1 0 0 0 0 0 0 0 0 0"}},
		{"steal", "", []string{"proc/stat = cpu  1 0 0 0 0 0 7"}},
		{"steal", "0.1 s since the machine was started", []string{"proc/stat = cpu  1 0 0 0 0 0 0 7"}},
		{"swap", "", []string{"proc/meminfo = MemTotal: 1 kB"}},
		{"swap", "2 MiB, 2 MiB in use", []string{"proc/meminfo = SwapTotal: 2048 kB"}},
		{"huge pages", "1 of 2048 kB", []string{"proc/meminfo = HugePages_Total: 1\nHugepagesize: 2048 kB"}},
		{"huge pages", "", []string{"proc/meminfo = HugePages_Total: 0\nHugepagesize: 2048 kB"}},
		{
			"temperature", "46 °C",
			[]string{"sys/class/hwmon/hwmon0/name = coretemp", "sys/class/hwmon/hwmon0/temp1_input = 45600"},
		},
		{
			"temperature", "",
			[]string{"sys/class/hwmon/hwmon0/name = coretemp", "sys/class/hwmon/hwmon0/temp1_input = 0"},
		},
		{"irqbalance", "", []string{"proc/12/comm = bash"}},
		{"hardware", "A B", []string{"sys/class/dmi/id/sys_vendor = A", "sys/class/dmi/id/product_name = B"}},
		{"hardware", "A", []string{"sys/class/dmi/id/sys_vendor = A"}},
		{"firmware", "1.2", []string{"sys/class/dmi/id/bios_version = 1.2"}},
		{"microcode", "0x1", []string{"proc/cpuinfo = microcode : 0x1"}},
		{"nohz_full", "", []string{cpu.Dir + "/nohz_full = (null)"}},
		{"nohz_full", "2-3", []string{cpu.Dir + "/nohz_full = 2-3"}},
		{"cpu limit", "1 CPUs", []string{"proc/self/cgroup = 0::/", "sys/fs/cgroup/cpu.max = 1 1"}},
		{"cpu limit", "", []string{"proc/self/cgroup = 0::/", "sys/fs/cgroup/cpu.max = 0 1"}},
		{"cpu limit", "", []string{"proc/self/cgroup = 0::/", "sys/fs/cgroup/cpu.max = 1 0"}},
		{"cpu limit", "", []string{"proc/self/cgroup = 4:memory:/", "sys/fs/cgroup/cpu.max = 1 1"}},
		{"power", "mains", []string{power + "usb/type = USB", power + "usb/online = 1"}},
		{
			"power", "mains",
			[]string{
				power + "AC/type = Mains", power + "AC/online = 1", power + "BAT/type = Battery",
				power + "BAT/status = Discharging",
			},
		},
		{"power", "", []string{power + "BAT/type = Battery", power + "BAT/status = Full"}},
		{"preemption", "real time", []string{"proc/sys/kernel/osrelease = 6", "boot/config-6 = CONFIG_PREEMPT_RT=y"}},
		{"preemption", "full", []string{"proc/sys/kernel/osrelease = 6", "boot/config-6 = CONFIG_PREEMPT=y"}},
		{"virtualisation", "virtual machine (xen)", []string{"sys/hypervisor/type = xen"}},
		{"virtualisation", "", []string{"sys/class/dmi/id/sys_vendor = Dell"}},
		{"container", "docker", []string{".dockerenv = x"}},
		{"container", "kubepods", []string{"proc/1/cgroup = 0::/kubepods/docker"}},
		{"container", "", []string{"proc/1/cgroup = 0::/"}},
	} {
		found := facts(testmachine.Of(c.files), nil)
		got, ok := found[c.fact]
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%s of %q: %q, want %q", c.fact, c.files, got, c.want)
		}
	}
}

// The load is unknown where the kernel does not say it.
func TestReadLoad(t *testing.T) {
	known := ReadLoad(
		testmachine.Of(
			[]string{
				"proc/loadavg = 0.31 0.22 0.10 2/180 4711",
				"proc/pressure/cpu = some avg10=1.25 avg60=2 avg300=3 total=4",
			},
		),
	)
	if known != (Load{0.31, 1.25}) {
		t.Errorf("%+v", known)
	}
	if l := ReadLoad(fstest.MapFS{}); !math.IsNaN(l.Tasks) || !math.IsNaN(l.WaitingPercent) {
		t.Errorf("%+v", l)
	}
}

// A reading of the clock takes some time, and steps forwards.
func TestMeasureClock(t *testing.T) {
	c := MeasureClock(testmachine.Of([]string{clocksourceDir + "/current_clocksource = tsc"}))
	if c.Source != "tsc" || !(c.ReadNS > 0) || c.TickNS < 1 || float64(c.TickNS) > 1e9 {
		t.Errorf("%+v", c)
	}
}
