package jvm

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"moobench/harness/machine/knob"
)

// An aspect is what /proc tells of a process.
type aspect func(t *testing.T, pid int) string

func procFile(t *testing.T, pid int, name string) string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func statField(n int) aspect {
	return func(t *testing.T, pid int) string {
		stat := procFile(t, pid, "stat")
		return strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])[n-3]
	}
}

func fixedAddresses(t *testing.T, pid int) string {
	bits, err := strconv.ParseUint(strings.TrimSpace(procFile(t, pid, "personality")), 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	const addrNoRandomize = 0x0040000
	return strconv.FormatBool(bits&addrNoRandomize != 0)
}

func lockable(t *testing.T, pid int) string {
	_, rest, _ := strings.Cut(procFile(t, pid, "limits"), "Max locked memory")
	return strings.Join(strings.Fields(rest)[:2], " ")
}

func of[T any](x T) *T { return &x }

type gift struct {
	name   string
	a      knob.Subject
	needs  string // a capability, "" where none is needed
	aspect aspect
	want   string
}

// given are attributes, and how /proc shows them.
func given() []gift {
	return []gift{
		{"no randomisation", knob.Subject{FixedAddresses: true}, "", fixedAddresses, "true"},
		{"nice 19", knob.Subject{Nice: of(19)}, "", statField(19), "19"},
		{"nice -5", knob.Subject{Nice: of(-5)}, "CAP_SYS_NICE", statField(19), "-5"},
		{"batch", knob.Subject{Scheduling: "batch"}, "", statField(41), "3"},
		{"batch and nice", knob.Subject{Scheduling: "batch", Nice: of(19)}, "", statField(19), "19"},
		{"nice and batch", knob.Subject{Scheduling: "batch", Nice: of(19)}, "", statField(41), "3"},
		{"other", knob.Subject{Scheduling: "other"}, "", statField(41), "0"},
		{"fifo", knob.Subject{Scheduling: "fifo"}, "CAP_SYS_NICE", statField(41), "1"},
		{"rr", knob.Subject{Scheduling: "rr"}, "CAP_SYS_NICE", statField(41), "2"},
		{"rr, priority", knob.Subject{Scheduling: "rr"}, "CAP_SYS_NICE", statField(40), "1"},
		{"lockable", knob.Subject{LockableBytes: of(int64(1 << 16))}, "", lockable, "65536 65536"},
		{"all lockable", knob.Subject{LockableBytes: of(int64(-1))}, "CAP_SYS_RESOURCE", lockable, "unlimited unlimited"},
	}
}

func needs(t *testing.T, capability string) {
	t.Helper()
	if capability != "" && os.Geteuid() != 0 {
		t.Skipf("needs root: %s", capability)
	}
}

// standing is what a thread of ours must have again once it has started a
// subject.
func standing(t *testing.T) []string {
	t.Helper()
	threads, err := filepath.Glob("/proc/self/task/*")
	if err != nil || len(threads) == 0 {
		t.Fatalf("threads: %v, %v", threads, err)
	}
	var all []string
	for _, dir := range threads {
		stat, err := os.ReadFile(dir + "/stat")
		bits, gone := os.ReadFile(dir + "/personality")
		if err != nil || gone != nil {
			continue // it has ended, perhaps just now
		}
		f := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		all = append(all, fmt.Sprintf("nice %s, class %s, personality %s", f[16], f[38], strings.TrimSpace(string(bits))))
	}
	if len(all) == 0 {
		t.Fatal("no thread of ours can be looked at")
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func TestAttributes(t *testing.T) {
	before, limit := standing(t), lockable(t, os.Getpid())
	for _, c := range given() {
		t.Run(c.name, func(t *testing.T) {
			needs(t, c.needs)
			p, err := StartProcess(t.Context(), Command{Path: "/bin/sleep", Args: []string{"1000"}, Dir: t.TempDir(), CPUs: []int{lastCPU(t)}, Subject: c.a})
			if err != nil {
				if c.needs != "" && errors.Is(err, unix.EPERM) {
					t.Skipf("needs %s: %v", c.needs, err)
				}
				t.Fatal(err)
			}
			defer p.Kill()
			if got := c.aspect(t, p.PID()); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if p.CPUs() != strconv.Itoa(lastCPU(t)) {
				t.Errorf("runs on %q", p.CPUs())
			}
			if os.Geteuid() == 0 { // else a thread that was made nicer stays so until it ends
				if after := standing(t); !slices.Equal(after, before) {
					t.Errorf("our own threads have %q, had %q", after, before)
				}
			}
		})
	}
	if now := lockable(t, os.Getpid()); now != limit {
		t.Errorf("moobench itself may lock %s, could %s", now, limit)
	}
}

func TestRealJVMAttributes(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts real JVMs")
	}
	low := knob.Subject{FixedAddresses: true, Nice: of(10), Scheduling: "batch", LockableBytes: of(int64(1 << 16))}
	high := knob.Subject{Nice: of(-5), Scheduling: "rr"}
	eachJDK(t, []string{"-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"}, func(t *testing.T, c Command) {
		for _, c.Subject = range []knob.Subject{low, high} {
			v, err := Start(t.Context(), c)
			if errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES) {
				t.Skipf("needs root: %v", err)
			}
			if err != nil {
				t.Fatal(err)
			}
			defer v.Kill()
			got := fmt.Sprintf("fixed %s, nice %s, class %s, lockable %s, CPU %s", fixedAddresses(t, v.PID()), statField(19)(t, v.PID()), statField(41)(t, v.PID()), lockable(t, v.PID()), v.CPUs())
			want := fmt.Sprintf("fixed true, nice 10, class 3, lockable 65536 65536, CPU %d", lastCPU(t))
			if c.Nice == high.Nice {
				want = fmt.Sprintf("fixed %s, nice -5, class 2, lockable %s, CPU %d", fixedAddresses(t, os.Getpid()), lockable(t, os.Getpid()), lastCPU(t))
			}
			if got != want {
				t.Errorf("the JVM has %s\nwant %s", got, want)
			}
		}
	})
}

// TestRealJVMAddresses looks where the program and its stack lie in two JVMs.
func TestRealJVMAddresses(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts real JVMs")
	}
	if v, err := os.ReadFile("/proc/sys/kernel/randomize_va_space"); err != nil || strings.TrimSpace(string(v)) == "0" {
		t.Skipf("needs address space randomisation: %s, %v", v, err)
	}
	if fixedAddresses(t, os.Getpid()) == "true" {
		t.Skip("needs address space randomisation: the test was started without it")
	}
	eachJDK(t, []string{"-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"}, func(t *testing.T, c Command) {
		for _, fixed := range []bool{true, false} {
			c.FixedAddresses = fixed
			a, b := layout(t, c), layout(t, c)
			if (a == b) != fixed {
				t.Errorf("fixed addresses: %v, but the two lie at %s and at %s", fixed, a, b)
			}
		}
	})
}

// layout is where a JVM's program begins and its stack ends.
func layout(t *testing.T, c Command) string {
	t.Helper()
	v, err := Start(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Kill()
	program, stack := "", ""
	for l := range strings.Lines(procFile(t, v.PID(), "maps")) {
		from, rest, _ := strings.Cut(l, "-")
		to, _, _ := strings.Cut(rest, " ")
		if strings.HasSuffix(l, c.Path+"\n") && program == "" {
			program = from
		}
		if strings.HasSuffix(l, "[stack]\n") {
			stack = to
		}
	}
	if program == "" || stack == "" {
		t.Fatalf("no %s or no stack in the maps of process %d", c.Path, v.PID())
	}
	return program + " and " + stack
}

func TestAttributesRefused(t *testing.T) {
	for _, c := range []struct {
		a    knob.Subject
		want string
	}{
		{knob.Subject{Scheduling: "lottery"}, `"lottery" is not a scheduling class: want other, batch, fifo or rr`},
		{knob.Subject{ControlGroup: filepath.Join(t.TempDir(), "none")}, "opening its control group"},
		{knob.Subject{ControlGroup: t.TempDir()}, "in control group"}, // a folder, but none of cgroups
	} {
		_, err := StartProcess(t.Context(), Command{Path: "/bin/true", Dir: t.TempDir(), Subject: c.a})
		mustFail(t, err, KindStart, c.want)
	}
}

func TestAttributesWithoutRoot(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("needs to be another user than root")
	}
	for want, a := range map[string]knob.Subject{
		"needs root or CAP_SYS_NICE, or take nice out":        {Nice: of(-20)},
		"need root or CAP_SYS_NICE, or take scheduling out":   {Scheduling: "fifo"},
		"needs root or CAP_SYS_RESOURCE, or take memlock out": {LockableBytes: of(int64(-1))},
	} {
		p, err := StartProcess(t.Context(), Command{Path: "/bin/true", Dir: t.TempDir(), Subject: a})
		if err == nil {
			p.Kill()
			t.Skipf("needs a user with no such rights: %+v was allowed", a)
		}
		mustFail(t, err, KindStart, want)
	}
}

// TestControlGroup starts a process in a new group of cgroup v2.
func TestControlGroup(t *testing.T) {
	group := ""
	for _, root := range []string{"/sys/fs/cgroup", "/sys/fs/cgroup/unified"} {
		var s unix.Statfs_t
		if err := unix.Statfs(root, &s); err == nil && s.Type == unix.CGROUP2_SUPER_MAGIC {
			group = fmt.Sprintf("%s/moobench-test-%d", root, os.Getpid())
		}
	}
	if group == "" {
		t.Skip("needs cgroup v2: none is mounted")
	}
	if err := os.Mkdir(group, 0o755); err != nil {
		t.Skipf("needs root: %v", err)
	}
	defer os.Remove(group)
	p, err := StartProcess(t.Context(), Command{Path: "/bin/sleep", Args: []string{"1000"}, Dir: t.TempDir(), CPUs: []int{lastCPU(t)}, Subject: knob.Subject{ControlGroup: group}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Kill()
	if got := procFile(t, p.PID(), "cgroup"); !strings.Contains(got, "0::"+group[strings.LastIndexByte(group, '/'):]+"\n") {
		t.Errorf("it is in\n%swant %s", got, group)
	}
	if p.CPUs() != strconv.Itoa(lastCPU(t)) {
		t.Errorf("runs on %q", p.CPUs())
	}
}
