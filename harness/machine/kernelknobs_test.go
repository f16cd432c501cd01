package machine

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// kernel is a tree that can be set: it keeps what is written, and a choice in
// brackets stays one.
type kernel struct {
	fstest.MapFS
	refuses map[string]error // by path
}

func kernelWith(files map[string]string) kernel {
	k := kernel{MapFS: fstest.MapFS{}, refuses: map[string]error{}}
	for name, content := range files {
		k.MapFS[name] = &fstest.MapFile{Data: []byte(content + "\n"), Mode: 0o644}
	}
	return k
}

func (k kernel) WriteFile(name string, data []byte) error {
	f, ok := k.MapFS[name]
	if err := k.refuses[name]; err != nil {
		return err
	}
	if !ok {
		return fs.ErrNotExist
	}
	before, now := string(f.Data), strings.TrimSpace(string(data))
	switch {
	case strings.Contains(before, "["):
		before = strings.NewReplacer("[", "", "]", "").Replace(before)
		now = strings.Replace(before, now, "["+now+"]", 1)
	case strings.HasPrefix(now, "+"):
		now = now[1:]
	}
	f.Data = []byte(now + "\n")
	return nil
}

func (k kernel) Writable(name string) error { return k.refuses[name] }

func (k kernel) Mkdir(name string) error {
	k.MapFS[name] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
	k.MapFS[name+"/cpuset.cpus"] = &fstest.MapFile{Data: []byte("\n")}
	k.MapFS[name+"/cpuset.cpus.partition"] = &fstest.MapFile{Data: []byte("member\n")}
	return nil
}

func (k kernel) Remove(string) error { return errors.ErrUnsupported }

// apply makes changes as they are meant: only an optional one may fail.
func (k kernel) apply(changes []Change) error {
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
func fourCPUs(more ...string) map[string]string {
	files := map[string]string{cpuDir + "/online": "0-3"}
	for cpu, siblings := range []string{"0,2", "1,3", "0,2", "1,3"} {
		files[cpuDir+"/cpu"+string(rune('0'+cpu))+"/topology/core_cpus_list"] = siblings
	}
	for _, m := range more {
		name, content, _ := strings.Cut(m, " = ")
		files[name] = content
	}
	return files
}

const group = "sys/fs/cgroup/" + groupName

func TestKernelKnobs(t *testing.T) {
	apart := Placement{Fixture: []int{1, 3}, Housekeeping: []int{0, 2}}
	one := Placement{Fixture: []int{1}, Housekeeping: []int{0, 2}} // 3 is kept empty
	tests := []struct {
		knob    Setter
		on      Placement
		files   string // "path = content", one a line
		found   string
		value   string
		changes string // one a line
		err     string
	}{
		{knob: thp{}, files: thpFile + " = always [madvise] never", found: "madvise", value: "never", changes: "echo never > /" + thpFile},
		{knob: thp{}, files: thpFile + " = [always] madvise never", found: "always", value: "always"},
		{knob: thp{}, files: thpFile + " = always [never]", found: "never", value: "madvise", err: "this kernel has no madvise, only: always [never]"},
		{knob: thp{}, value: "never", err: "the kernel has none, or /sys does not tell it here"},

		{knob: swappiness{}, files: swappinessFile + " = 60", found: "60", value: "1", changes: "echo 1 > /" + swappinessFile},
		{knob: swappiness{}, files: swappinessFile + " = 60", found: "60", value: "60"},

		{knob: numaBalancing{}, files: numaFile + " = 1", found: "on", value: "off", changes: "echo 0 > /" + numaFile},
		{knob: numaBalancing{}, files: numaFile + " = 0", found: "off", value: "on", changes: "echo 1 > /" + numaFile},
		{knob: numaBalancing{}, files: numaFile + " = 2", found: "memory tiering", value: "off", changes: "echo 0 > /" + numaFile},
		{knob: numaBalancing{}, value: "off", err: "the kernel has none, or /proc does not tell it here"},

		{
			knob: watchdog{}, files: watchdogFile + " = 1\n" + nmiWatchdogFile + " = 0\n" + softWatchdogFile + " = 1", found: "on", value: "off",
			changes: "keep /" + nmiWatchdogFile + "\nkeep /" + softWatchdogFile + "\necho 0 > /" + watchdogFile,
		},
		{knob: watchdog{}, files: watchdogFile + " = 0\n" + nmiWatchdogFile + " = 0", found: "off", value: "off"},
		{knob: watchdog{}, files: nmiWatchdogFile + " = 0", found: "off", value: "on", changes: "echo 1 > /" + nmiWatchdogFile},

		{knob: perfRate{}, files: perfRateFile + " = 100000\n" + perfShareFile + " = 25", found: "100000", value: "1", changes: "echo 1 > /" + perfRateFile},
		{knob: perfRate{}, files: perfRateFile + " = 100000\n" + perfShareFile + " = 0", found: "100000", value: "1", err: "the kernel takes no rate while /proc/sys/kernel/perf_cpu_time_max_percent is 0: write 25, its default, there first"},
		{knob: perfRate{}, files: perfRateFile + " = 1\n" + perfShareFile + " = 100", found: "1", value: "1"},

		{knob: rtThrottling{}, files: rtRuntimeFile + " = 950000", found: "on", value: "off", changes: "echo -1 > /" + rtRuntimeFile},
		{knob: rtThrottling{}, files: rtRuntimeFile + " = 900000", found: "on", value: "on"},
		{knob: rtThrottling{}, files: rtRuntimeFile + " = -1", found: "off", value: "on", changes: "echo 950000 > /" + rtRuntimeFile},
		{knob: rtThrottling{}, files: rtRuntimeFile + " = -1\n" + rtPeriodFile + " = 100000", found: "off", value: "on", changes: "echo 95000 > /" + rtRuntimeFile},

		{
			knob: irqs{}, on: apart, value: "housekeeping", found: "3 of 5 may run on CPU 1,3",
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
			knob: irqs{}, on: one, value: "housekeeping", found: "anywhere",
			files:   defaultIRQFile + " = 5\nproc/irq/24/smp_affinity_list = 3",
			changes: "echo 5 > /" + defaultIRQFile + "\necho 0,2 > /proc/irq/24/smp_affinity_list",
		},
		{knob: irqs{}, on: apart, files: defaultIRQFile + " = 5\nproc/irq/24/smp_affinity_list = 0", found: "housekeeping", value: "housekeeping"},
		{knob: irqs{}, on: apart, value: "housekeeping", err: "/proc/irq does not tell it here"},
		{knob: irqs{}, files: "proc/irq/24/smp_affinity_list = 0", value: "housekeeping", err: "it is not known which CPUs are measured"},
		{
			knob: irqs{}, on: Placement{Fixture: []int{2}, Housekeeping: []int{0}}, files: "proc/irq/24/smp_affinity_list = 0", found: "anywhere", value: "housekeeping",
			err: "they have nowhere else to go: moobench's own CPUs are measured, or share a core with those that are",
		},

		{
			knob: cpuset{}, on: apart, files: "sys/fs/cgroup/cgroup.controllers = cpuset cpu\nsys/fs/cgroup/cgroup.subtree_control = cpu", found: "none", value: "isolated",
			changes: "echo +cpuset > /sys/fs/cgroup/cgroup.subtree_control\nmkdir /" + group + "\necho 1,3 > /" + group + "/cpuset.cpus\necho root > /" + group + "/cpuset.cpus.partition",
		},
		{ // one CPU, whose sibling is kept empty, beside control groups of version 1
			knob: cpuset{}, on: one, files: "sys/fs/cgroup/unified/cgroup.controllers = cpuset\nsys/fs/cgroup/unified/cgroup.subtree_control = cpuset\nproc/sys/kernel/osrelease = 6.1.0-28-amd64",
			found: "none", value: "isolated",
			changes: "mkdir /sys/fs/cgroup/unified/moobench.fixture\necho 1,3 > /sys/fs/cgroup/unified/moobench.fixture/cpuset.cpus\necho isolated > /sys/fs/cgroup/unified/moobench.fixture/cpuset.cpus.partition",
		},
		{
			knob: cpuset{}, on: one, files: "sys/fs/cgroup/cgroup.controllers = cpuset\nsys/fs/cgroup/cgroup.subtree_control = cpuset\nproc/sys/kernel/osrelease = 5.15.0-91-generic", found: "none", value: "isolated",
			changes: "mkdir /" + group + "\necho 1,3 > /" + group + "/cpuset.cpus\necho root > /" + group + "/cpuset.cpus.partition",
		},
		{ // left by somebody
			knob: cpuset{}, on: apart, found: "isolated with CPU 3", value: "isolated",
			files:   "sys/fs/cgroup/cgroup.controllers = cpuset\nsys/fs/cgroup/cgroup.subtree_control = cpuset\n" + group + "/cpuset.cpus.partition = root\n" + group + "/cpuset.cpus = 3",
			changes: "echo 1,3 > /" + group + "/cpuset.cpus\necho root > /" + group + "/cpuset.cpus.partition",
		},
		{
			knob: cpuset{}, on: apart, found: "isolated invalid (Parent is not a partition root)", value: "none", err: "/sys/fs/cgroup/moobench.fixture is there, but not by this run: remove it with rmdir",
			files: "sys/fs/cgroup/cgroup.controllers = cpuset\n" + group + "/cpuset.cpus.partition = isolated invalid (Parent is not a partition root)",
		},
		{knob: cpuset{}, on: apart, files: "sys/fs/cgroup/cgroup.controllers = cpuset", found: "none", value: "none"},
		{knob: cpuset{}, on: Placement{Fixture: []int{0}, Housekeeping: []int{0}, Shared: true}, files: "sys/fs/cgroup/cgroup.controllers = cpuset", found: "none", value: "isolated", err: "there is one CPU for everything"},
		{
			knob: cpuset{}, on: apart, files: "sys/fs/cgroup/unified/cgroup.controllers = \nsys/fs/cgroup/cpuset/tasks = 1", value: "isolated",
			err: "control groups of version 1 have the CPUs here: boot with systemd.unified_cgroup_hierarchy=1, or cgroup_no_v1=cpuset",
		},
		{knob: cpuset{}, on: apart, value: "isolated", err: "there are no control groups of version 2 with cpuset here"},
	}
	for _, test := range tests {
		name := test.knob.Name() + " " + test.value
		root := kernelWith(fourCPUs(strings.Split(test.files, "\n")...))
		if found, _ := test.knob.Observe(root, test.on); found.Value != test.found {
			t.Errorf("%s: found %q, want %q", name, found.Value, test.found)
		}
		changes, err := test.knob.Changes(root, test.on, test.value)
		if test.err != "" || err != nil {
			if err == nil || err.Error() != test.err {
				t.Errorf("%s: error %v, want %s", name, err, test.err)
			}
			continue
		}
		var words []string
		for _, c := range changes {
			words = append(words, c.String())
			if !canName(test.knob.Name(), c.Path) {
				t.Errorf("%s: no journal could name /%s", name, c.Path)
			}
		}
		if got := strings.Join(words, "\n"); got != test.changes {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, test.changes)
		}
		if err := root.apply(changes); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got, err := test.knob.Observe(root, test.on); err != nil || got.Value != test.value {
			t.Errorf("%s: afterwards %q, %v", name, got.Value, err)
		}
		if again, err := test.knob.Changes(root, test.on, test.value); err != nil || len(again) > 0 {
			t.Errorf("%s: set, and still to do: %v, %v", name, again, err)
		}
	}
}

func TestCheckKernelKnobs(t *testing.T) {
	for _, test := range []struct {
		knob       Setter
		value      string
		want, fail string
	}{
		{thp{}, " madvise ", "madvise", ""},
		{thp{}, "maybe", "", `want always, madvise or never, not "maybe"`},
		{swappiness{}, "010", "10", ""},
		{swappiness{}, "201", "", `want a whole number from 0 to 200, not "201"`},
		{numaBalancing{}, "yes", "", `want on or off, not "yes"`},
		{watchdog{}, "off", "off", ""},
		{perfRate{}, "0", "", `want a whole number from 1 to 2147483647, not "0"`},
		{perfRate{}, "1", "1", ""},
		{rtThrottling{}, "on", "on", ""},
		{irqs{}, "anywhere", "", `want housekeeping, not "anywhere"`},
		{cpuset{}, "isolated", "isolated", ""},
	} {
		got, err := test.knob.Check(test.value)
		if got != test.want || (err == nil) != (test.fail == "") || err != nil && err.Error() != test.fail {
			t.Errorf("%s %q: %q, %v", test.knob.Name(), test.value, got, err)
		}
		for _, v := range test.knob.Values() {
			if c, err := test.knob.Check(v); c != v || err != nil {
				t.Errorf("%s: its own value %q is %q, %v", test.knob.Name(), v, c, err)
			}
		}
		if fixed := test.knob.About().Fixed; fixed != "" {
			if c, err := test.knob.Check(fixed); c != fixed || err != nil {
				t.Errorf("%s: the profile's %q is %q, %v", test.knob.Name(), fixed, c, err)
			}
		}
	}
}

// What the kernel does not let go stays where it is, and is counted.
func TestInterruptsThatStay(t *testing.T) {
	root := kernelWith(fourCPUs("proc/irq/24/smp_affinity_list = 0-3", "proc/irq/25/smp_affinity_list = 1", "proc/irq/26/smp_affinity_list = 1-2"))
	root.refuses["proc/irq/25/smp_affinity_list"] = errors.New("input/output error")
	on := Placement{Fixture: []int{1}, Housekeeping: []int{0}}
	changes, err := irqs{}.Changes(root, on, "housekeeping")
	if err != nil || root.apply(changes) != nil {
		t.Fatal(err)
	}
	if got, err := (irqs{}).Observe(root, on); err != nil || got.Value != "1 of 3 may run on CPU 1,3" {
		t.Errorf("%v, %v", got, err)
	}
}

// A kernel that takes the write, and then says that it can't be.
func TestInvalidPartition(t *testing.T) {
	const invalid = "isolated invalid (Cpu list in cpuset.cpus not exclusive)"
	on := Placement{Fixture: []int{1, 3}, Housekeeping: []int{0, 2}}
	root := kernelWith(fourCPUs("sys/fs/cgroup/cgroup.controllers = cpuset", "sys/fs/cgroup/cgroup.subtree_control = cpuset"))
	root.refuses[group+"/cpuset.cpus.partition"] = errors.New("invalid argument")
	if g := (cpuset{}).Group(root); g != "" {
		t.Errorf("group %q before there is one", g)
	}
	changes, err := cpuset{}.Changes(root, on, "isolated")
	if err != nil {
		t.Fatal(err)
	}
	if root.apply(changes) == nil {
		t.Error("that there is no partition is a failure of the knob")
	}
	if got, _ := (cpuset{}).Observe(root, on); got.Value != "not isolated" {
		t.Errorf("refused: %v", got)
	}
	root.MapFS[group+"/cpuset.cpus.partition"].Data = []byte(invalid + "\n")
	if got, _ := (cpuset{}).Observe(root, on); got.Value != invalid {
		t.Errorf("invalid: %v", got)
	}
	if g := Grouper(cpuset{}).Group(root); g != group {
		t.Errorf("group %q", g)
	}
}

func TestFormatMask(t *testing.T) {
	for list, want := range map[string]string{"0-1": "3", "4-7": "f0", "1,63-64": "1,80000000,00000002", "40": "100,00000000", "": "0"} {
		cpus, err := ParseCPUs(list)
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
		files := map[string]string{}
		for i, s := range strings.Split(statuses, "|") {
			files[vulnerabilityDir+"/"+string(rune('a'+i))] = s
		}
		if got, err := (mitigations{}).Observe(kernelWith(files), Placement{}); err != nil || got.Value != want {
			t.Errorf("%s: %v, %v", statuses, got, err)
		}
	}
}
