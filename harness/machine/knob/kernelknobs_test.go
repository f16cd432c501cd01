package knob

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"moobench/harness/machine/cpu"
	"moobench/internal/testmachine"
	"moobench/refusal"
)

// applyAll makes changes as they are meant: only an optional one may fail.
func applyAll(k *testmachine.Kernel, changes []Change) error {
	for _, c := range changes {
		var err error
		switch c.Kind {
		case ChangeWrite:
			err = k.WriteFile(c.Path, []byte(c.Value))
		case ChangeMake:
			err = k.Mkdir(c.Path)
		}
		if err != nil && !c.Optional {
			return err
		}
	}
	return nil
}

// fourCPUs have two cores: CPU 2 shares one with CPU 0, and 3 with 1.
func fourCPUs(more ...string) []string {
	files := []string{cpu.Dir + "/online = 0-3"}
	for n, siblings := range []string{"0,2", "1,3", "0,2", "1,3"} {
		files = append(files, fmt.Sprintf("%s/cpu%d/topology/core_cpus_list = %s", cpu.Dir, n, siblings))
	}
	return append(files, more...)
}

const group = "sys/fs/cgroup/" + groupName

func TestKernelKnobs(t *testing.T) {
	const (
		thpFile          = "sys/kernel/mm/transparent_hugepage/enabled"
		swappinessFile   = "proc/sys/vm/swappiness"
		numaFile         = "proc/sys/kernel/numa_balancing"
		watchdogFile     = "proc/sys/kernel/watchdog"
		nmiWatchdogFile  = "proc/sys/kernel/nmi_watchdog"
		softWatchdogFile = "proc/sys/kernel/soft_watchdog"
		perfRateFile     = "proc/sys/kernel/perf_event_max_sample_rate"
		rtRuntimeFile    = "proc/sys/kernel/sched_rt_runtime_us"
		rtPeriodFile     = "proc/sys/kernel/sched_rt_period_us"
	)
	apart := cpu.Placement{Fixture: cpu.Set{1, 3}, Housekeeping: cpu.Set{0, 2}}
	one := cpu.Placement{Fixture: cpu.Set{1}, Housekeeping: cpu.Set{0, 2}} // 3 is kept empty
	tests := []struct {
		knob    Knob
		on      cpu.Placement
		files   string // "path = content", one a line
		found   string
		value   string
		changes string // one a line
		err     string
	}{
		{knob: knob("thp"), files: thpFile + " = always [madvise] never", found: "madvise", value: "never", changes: "echo never > /" + thpFile},
		{knob: knob("thp"), files: thpFile + " = [always] madvise never", found: "always", value: "always"},
		{knob: knob("thp"), files: thpFile + " = always [never]", found: "never", value: "madvise", err: "this kernel has no madvise, only: always [never]"},
		{knob: knob("thp"), value: "never", err: "the kernel has none, or /sys does not show it here"},

		{knob: knob("swappiness"), files: swappinessFile + " = 60", found: "60", value: "1", changes: "echo 1 > /" + swappinessFile},
		{knob: knob("swappiness"), files: swappinessFile + " = 60", found: "60", value: "60"},

		{knob: knob("numa_balancing"), files: numaFile + " = 1", found: "on", value: "off", changes: "echo 0 > /" + numaFile},
		{knob: knob("numa_balancing"), files: numaFile + " = 0", found: "off", value: "on", changes: "echo 1 > /" + numaFile},
		{knob: knob("numa_balancing"), files: numaFile + " = 2", found: "memory tiering", value: "off", changes: "echo 0 > /" + numaFile},
		{knob: knob("numa_balancing"), value: "off", err: "the kernel has none, or /proc does not show it here"},

		{
			knob: knob("watchdog"), files: watchdogFile + " = 1\n" + nmiWatchdogFile + " = 0\n" + softWatchdogFile + " = 1", found: "on", value: "off",
			changes: "keep /" + nmiWatchdogFile + "\nkeep /" + softWatchdogFile + "\necho 0 > /" + watchdogFile,
		},
		{knob: knob("watchdog"), files: watchdogFile + " = 0\n" + nmiWatchdogFile + " = 0", found: "off", value: "off"},
		{knob: knob("watchdog"), files: nmiWatchdogFile + " = 0", found: "off", value: "on", changes: "echo 1 > /" + nmiWatchdogFile},

		{knob: knob("perf_rate"), files: perfRateFile + " = 100000\n" + perfShareFile + " = 25", found: "100000", value: "1", changes: "echo 1 > /" + perfRateFile},
		{knob: knob("perf_rate"), files: perfRateFile + " = 100000\n" + perfShareFile + " = 0", found: "100000", value: "1", err: "the kernel takes no rate while /proc/sys/kernel/perf_cpu_time_max_percent is 0: write 25, its default, there first"},
		{knob: knob("perf_rate"), files: perfRateFile + " = 1\n" + perfShareFile + " = 100", found: "1", value: "1"},

		{knob: knob("rt_throttling"), files: rtRuntimeFile + " = 950000", found: "on", value: "off", changes: "echo -1 > /" + rtRuntimeFile},
		{knob: knob("rt_throttling"), files: rtRuntimeFile + " = 900000", found: "on", value: "on"},
		{knob: knob("rt_throttling"), files: rtRuntimeFile + " = -1", found: "off", value: "on", changes: "echo 950000 > /" + rtRuntimeFile},
		{knob: knob("rt_throttling"), files: rtRuntimeFile + " = -1\n" + rtPeriodFile + " = 100000", found: "off", value: "on", changes: "echo 95000 > /" + rtRuntimeFile},

		{
			knob: knob("irqs"), on: apart, value: "housekeeping", found: "3 of 5 may run on CPU 1,3",
			files: defaultIRQFile + " = f\n" +
				"proc/irq/8/smp_affinity_list = 0-3\n" + // nobody handles it
				"sys/kernel/irq/8/actions = \n" +
				"proc/irq/24/smp_affinity_list = 0-3\nproc/irq/24/effective_affinity_list = 1\n" +
				"proc/irq/25/smp_affinity_list = 0-3\nproc/irq/25/effective_affinity_list = 0\n" +
				"proc/irq/26/smp_affinity_list = 3\n" +
				"proc/irq/27/smp_affinity_list = 0-2\nproc/irq/27/effective_affinity_list = \n" +
				"proc/irq/28/smp_affinity_list = 0\nproc/irq/28/effective_affinity_list = 0",
			changes: "echo 5 > /" + defaultIRQFile + "\n" +
				"echo 0,2 > /proc/irq/24/smp_affinity_list\necho 0,2 > /proc/irq/25/smp_affinity_list\n" +
				"echo 0,2 > /proc/irq/26/smp_affinity_list\necho 0,2 > /proc/irq/27/smp_affinity_list",
		},
		{ // the sibling of the measured CPU counts
			knob: knob("irqs"), on: one, value: "housekeeping", found: "anywhere",
			files:   defaultIRQFile + " = 5\nproc/irq/24/smp_affinity_list = 3",
			changes: "echo 5 > /" + defaultIRQFile + "\necho 0,2 > /proc/irq/24/smp_affinity_list",
		},
		{knob: knob("irqs"), on: apart, files: defaultIRQFile + " = 5\nproc/irq/24/smp_affinity_list = 0", found: "housekeeping", value: "housekeeping"},
		{knob: knob("irqs"), on: apart, value: "housekeeping", err: "/proc/irq does not show it here"},
		{knob: knob("irqs"), files: "proc/irq/24/smp_affinity_list = 0", value: "housekeeping", err: "it is not known which CPUs are measured"},
		{
			knob: knob("irqs"), on: cpu.Placement{Fixture: cpu.Set{2}, Housekeeping: cpu.Set{0}}, files: "proc/irq/24/smp_affinity_list = 0", found: "anywhere", value: "housekeeping",
			err: "they have nowhere else to go: moobench's own CPUs are measured, or share a core with those that are",
		},

		{
			knob: knob("cpuset"), on: apart, files: "sys/fs/cgroup/cgroup.controllers = cpuset cpu\nsys/fs/cgroup/cgroup.subtree_control = cpu", found: "none", value: "isolated",
			changes: "echo +cpuset > /sys/fs/cgroup/cgroup.subtree_control\nmkdir /" + group + "\necho 1,3 > /" + group + "/cpuset.cpus\necho root > /" + group + "/cpuset.cpus.partition",
		},
		{ // one CPU, whose sibling is kept empty, beside control groups of version 1
			knob: knob("cpuset"), on: one, files: "sys/fs/cgroup/unified/cgroup.controllers = cpuset\nsys/fs/cgroup/unified/cgroup.subtree_control = cpuset\nproc/sys/kernel/osrelease = 6.1.0-28-amd64",
			found: "none", value: "isolated",
			changes: "mkdir /sys/fs/cgroup/unified/moobench.fixture\necho 1,3 > /sys/fs/cgroup/unified/moobench.fixture/cpuset.cpus\necho isolated > /sys/fs/cgroup/unified/moobench.fixture/cpuset.cpus.partition",
		},
		{
			knob: knob("cpuset"), on: one, files: "sys/fs/cgroup/cgroup.controllers = cpuset\nsys/fs/cgroup/cgroup.subtree_control = cpuset\nproc/sys/kernel/osrelease = 5.15.0-91-generic", found: "none", value: "isolated",
			changes: "mkdir /" + group + "\necho 1,3 > /" + group + "/cpuset.cpus\necho root > /" + group + "/cpuset.cpus.partition",
		},
		{ // left by somebody
			knob: knob("cpuset"), on: apart, found: "isolated with CPU 3", value: "isolated",
			files:   "sys/fs/cgroup/cgroup.controllers = cpuset\nsys/fs/cgroup/cgroup.subtree_control = cpuset\n" + group + "/cpuset.cpus.partition = root\n" + group + "/cpuset.cpus = 3",
			changes: "echo 1,3 > /" + group + "/cpuset.cpus\necho root > /" + group + "/cpuset.cpus.partition",
		},
		{
			knob: knob("cpuset"), on: apart, found: "isolated invalid (Parent is not a partition root)", value: "none", err: "/sys/fs/cgroup/moobench.fixture is there, but not by this run: remove it with rmdir",
			files: "sys/fs/cgroup/cgroup.controllers = cpuset\n" + group + "/cpuset.cpus.partition = isolated invalid (Parent is not a partition root)",
		},
		{knob: knob("cpuset"), on: apart, files: "sys/fs/cgroup/cgroup.controllers = cpuset", found: "none", value: "none"},
		{knob: knob("cpuset"), on: cpu.Placement{Fixture: cpu.Set{0}, Housekeeping: cpu.Set{0}, Shared: true}, files: "sys/fs/cgroup/cgroup.controllers = cpuset", found: "none", value: "isolated", err: "there is one CPU for everything"},
		{
			knob: knob("cpuset"), on: apart, files: "sys/fs/cgroup/unified/cgroup.controllers = \nsys/fs/cgroup/cpuset/tasks = 1", value: "isolated",
			err: "control groups of version 1 have the CPUs here: boot with systemd.unified_cgroup_hierarchy=1, or cgroup_no_v1=cpuset",
		},
		{knob: knob("cpuset"), on: apart, value: "isolated", err: "there are no control groups of version 2 with cpuset here"},
	}
	for _, test := range tests {
		name := test.knob.Name + " " + test.value
		root := testmachine.Of(fourCPUs(strings.Split(test.files, "\n")...))
		if found, _ := test.knob.Observe(root, test.on); found != test.found {
			t.Errorf("%s: found %q, want %q", name, found, test.found)
		}
		changes, err := test.knob.Changes(root, test.on, test.value)
		if test.err != "" || err != nil {
			if err == nil || refusal.Inline(err, ": ") != test.err {
				t.Errorf("%s: error %v, want %s", name, err, test.err)
			}
			continue
		}
		var words []string
		for _, c := range changes {
			words = append(words, c.String())
			if !test.knob.Writes(c.Path) {
				t.Errorf("%s: no journal could name /%s", name, c.Path)
			}
		}
		if got := strings.Join(words, "\n"); got != test.changes {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, test.changes)
		}
		if err := applyAll(root, changes); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got, err := test.knob.Observe(root, test.on); err != nil || got != test.value {
			t.Errorf("%s: afterwards %q, %v", name, got, err)
		}
		if again, err := test.knob.Changes(root, test.on, test.value); err != nil || len(again) > 0 {
			t.Errorf("%s: set, and still to do: %v, %v", name, again, err)
		}
	}
}

func TestCheckKernelKnobs(t *testing.T) {
	for _, test := range []struct {
		knob       Knob
		value      string
		want, fail string
	}{
		{knob("thp"), " madvise ", "madvise", ""},
		{knob("thp"), "maybe", "", `want always, madvise or never, not "maybe"`},
		{knob("swappiness"), "010", "10", ""},
		{knob("swappiness"), "201", "", `want a whole number from 0 to 200, not "201"`},
		{knob("numa_balancing"), "yes", "", `want on or off, not "yes"`},
		{knob("watchdog"), "off", "off", ""},
		{knob("perf_rate"), "0", "", `want a whole number from 1 to 2147483647, not "0"`},
		{knob("perf_rate"), "1", "1", ""},
		{knob("rt_throttling"), "on", "on", ""},
		{knob("irqs"), "anywhere", "", `want housekeeping, not "anywhere"`},
		{knob("cpuset"), "isolated", "isolated", ""},
	} {
		got, err := test.knob.Check(test.value)
		if got != test.want || (err == nil) != (test.fail == "") || err != nil && err.Error() != test.fail {
			t.Errorf("%s %q: %q, %v", test.knob.Name, test.value, got, err)
		}
		for _, v := range test.knob.Values {
			if c, err := test.knob.Check(v); c != v || err != nil {
				t.Errorf("%s: its own value %q is %q, %v", test.knob.Name, v, c, err)
			}
		}
		if fixed := test.knob.Fixed; fixed != "" {
			if c, err := test.knob.Check(fixed); c != fixed || err != nil {
				t.Errorf("%s: the profile's %q is %q, %v", test.knob.Name, fixed, c, err)
			}
		}
	}
}

// What the kernel does not let go stays where it is, and is counted.
func TestInterruptsThatStay(t *testing.T) {
	root := testmachine.Of(fourCPUs("proc/irq/24/smp_affinity_list = 0-3", "proc/irq/25/smp_affinity_list = 1", "proc/irq/26/smp_affinity_list = 1-2"), "rejects proc/irq/25/smp_affinity_list")
	on := cpu.Placement{Fixture: cpu.Set{1}, Housekeeping: cpu.Set{0}}
	changes, err := knob("irqs").Changes(root, on, "housekeeping")
	if err != nil || applyAll(root, changes) != nil {
		t.Fatal(err)
	}
	if got, err := knob("irqs").Observe(root, on); err != nil || got != "1 of 3 may run on CPU 1,3" {
		t.Errorf("%v, %v", got, err)
	}
}

// A kernel that takes the write, and then says that it can't be.
func TestInvalidPartition(t *testing.T) {
	const invalid = "isolated invalid (Cpu list in cpuset.cpus not exclusive)"
	on := cpu.Placement{Fixture: cpu.Set{1, 3}, Housekeeping: cpu.Set{0, 2}}
	root := testmachine.Of(fourCPUs("sys/fs/cgroup/cgroup.controllers = cpuset", "sys/fs/cgroup/cgroup.subtree_control = cpuset"), "rejects "+group+"/cpuset.cpus.partition")
	if g := cpusetGroup(root); g != "" {
		t.Errorf("group %q before there is one", g)
	}
	changes, err := knob("cpuset").Changes(root, on, "isolated")
	if err != nil {
		t.Fatal(err)
	}
	if applyAll(root, changes) == nil {
		t.Error("that there is no partition is a failure of the knob")
	}
	if got, _ := knob("cpuset").Observe(root, on); got != "not isolated" {
		t.Errorf("refused: %v", got)
	}
	root.Put(group+"/cpuset.cpus.partition", invalid+"\n")
	if got, _ := knob("cpuset").Observe(root, on); got != invalid {
		t.Errorf("invalid: %v", got)
	}
	if g := knob("cpuset").Group(root); g != group {
		t.Errorf("group %q", g)
	}
}

func TestFormatMask(t *testing.T) {
	for list, want := range map[string]string{
		"": "0", "0-1": "3", "4-7": "f0", "31": "80000000", "63": "80000000,00000000", "40": "100,00000000",
		"1,63-64": "1,80000000,00000002",
	} {
		cpus, err := cpu.Parse(list)
		if err != nil {
			t.Fatal(err)
		}
		if got := formatMask(cpus); got != want {
			t.Errorf("%s: %s, want %s", list, got, want)
		}
	}
}

func TestMitigations(t *testing.T) {
	for statuses, want := range map[string]string{
		"Not affected": "not needed",
		"Mitigation: PTI|Not affected|KVM: Mitigation: VMX disabled": "on",
		"Vulnerable|Vulnerable: no microcode":                        "off",
		"Mitigation: Retpolines|KVM: Vulnerable|Unknown: x":          "1 mitigated, 1 vulnerable",
	} {
		var files []string
		for i, s := range strings.Split(statuses, "|") {
			files = append(files, vulnerabilityDir+"/"+string(rune('a'+i))+" = "+s)
		}
		if got, err := knob("mitigations").Observe(testmachine.Of(files), cpu.Placement{}); err != nil || got != want {
			t.Errorf("%s: %v, %v", statuses, got, err)
		}
	}
}

// TestFiles: a journal can only name settings.
func TestFiles(t *testing.T) {
	for _, k := range All() {
		if k.Changes == nil {
			continue
		}
		if len(k.Files) == 0 {
			t.Errorf("%s names no file", k.Name)
		}
		for _, pattern := range k.Files {
			if _, err := path.Match(pattern, ""); err != nil {
				t.Errorf("%s: %s: %v", k.Name, pattern, err)
			}
			if !strings.HasPrefix(pattern, "sys/") && !strings.HasPrefix(pattern, "proc/sys/") && !strings.HasPrefix(pattern, "proc/irq/") {
				t.Errorf("%s: %s is not a setting of the kernel", k.Name, pattern)
			}
		}
	}
}
