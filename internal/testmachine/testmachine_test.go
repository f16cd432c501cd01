package testmachine

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

const tree = `A small one.
readonly ro/...
denied denied
ignores deaf
rejects picky
rounds round 100
follows lead=go ./follower done
follows lead ro/* led
fresh sys/devices/system/cpu/cpu1/cpufreq/* new
-- plain --
a
-- choice --
[a] b c
-- ro/x --
a
-- denied --
a
-- deaf --
a
-- picky --
a
-- round --
100
-- lead --
stop
-- follower --
-
-- cpu/scaling_min_freq --
10
-- cpu/scaling_max_freq --
20
-- sys/fs/cgroup/cgroup.controllers --
cpuset cpu io
-- sys/fs/cgroup/cgroup.subtree_control --
io
-- sys/devices/system/cpu/smt/control --
on
-- sys/devices/system/cpu/online --
0-1
-- sys/devices/system/cpu/cpu0/topology/core_cpus_list --
0-1
-- sys/devices/system/cpu/cpu1/topology/core_cpus_list --
0-1
-- sys/devices/system/cpu/cpu1/cpufreq/governor --
old
`

func load(t *testing.T) *Kernel {
	t.Helper()
	k, err := Parse([]byte(tree))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

type machine interface {
	fs.FS
	WriteFile(path string, data []byte) error
	Writable(path string) error
	Mkdir(path string) error
	Remove(path string) error
}

// both runs a test in memory and in a folder.
func both(t *testing.T, test func(*testing.T, machine)) {
	t.Run("memory", func(t *testing.T) { test(t, load(t)) })
	t.Run("folder", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "tree")
		k := load(t)
		if err := k.Save(dir); err != nil {
			t.Fatal(err)
		}
		test(t, Dir(dir, k.rules))
		if left, err := filepath.Glob(dir + ".*"); left != nil || err != nil {
			t.Errorf("left: %v, %v", left, err)
		}
	})
}

func TestWrite(t *testing.T) {
	const control = "sys/fs/cgroup/cgroup.subtree_control"
	cases := []struct {
		path, written, want string
		err                 error
	}{
		{"plain", "b\n", "b\n", nil},
		{"plain", "b", "b\n", nil},
		{"choice", "c\n", "a b [c]\n", nil},
		{"choice", "d\n", "[a] b c\n", unix.EINVAL},
		{"absent", "b\n", "", fs.ErrNotExist},
		{"ro/x", "b\n", "a\n", unix.EROFS},
		{"denied", "b\n", "a\n", unix.EACCES},
		{"deaf", "b\n", "a\n", nil},
		{"picky", "b\n", "a\n", unix.EINVAL},
		{"round", "250\n", "200\n", nil},
		{"lead", "go\n", "go\n", nil},
		{control, "+cpuset\n", "cpuset io\n", nil},
		{control, "-io\n", "\n", nil},
		{control, "+memory\n", "io\n", unix.ENOENT},
		{"cpu/scaling_min_freq", "21\n", "10\n", unix.EINVAL},
		{"cpu/scaling_max_freq", "10\n", "10\n", nil},
	}
	for _, c := range cases {
		both(t, func(t *testing.T, m machine) {
			if err := m.WriteFile(c.path, []byte(c.written)); !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
				t.Errorf("%s: %v, want %v", c.path, err, c.err)
			}
			if got := content(m, c.path); got != c.want {
				t.Errorf("%s: %q, want %q", c.path, got, c.want)
			}
			if err := m.Writable(c.path); errors.Is(c.err, unix.EROFS) != errors.Is(err, unix.EROFS) {
				t.Errorf("%s: writable: %v", c.path, err)
			}
		})
	}
}

func content(m fs.FS, path string) string {
	b, err := fs.ReadFile(m, path)
	if err != nil {
		return ""
	}
	return string(b)
}

func TestFollows(t *testing.T) {
	both(t, func(t *testing.T, m machine) {
		for _, word := range []string{"wait", "go"} {
			if err := m.WriteFile("lead", []byte(word+"\n")); err != nil {
				t.Fatal(err)
			}
			want := map[string]string{"wait": "-\n", "go": "done\n"}[word]
			if got := content(m, "follower"); got != want || content(m, "ro/x") != "led\n" {
				t.Errorf("%s: %q, want %q", word, got, want)
			}
		}
	})
}

func TestGroups(t *testing.T) {
	const dir = "sys/fs/cgroup/mine"
	both(t, func(t *testing.T, m machine) {
		if err := m.Mkdir("mine"); err == nil {
			t.Error("made a folder where there are none")
		}
		if err := m.Mkdir(dir); err != nil {
			t.Fatal(err)
		}
		if err := m.Mkdir(dir); !errors.Is(err, fs.ErrExist) {
			t.Errorf("got %v", err)
		}
		if err := m.WriteFile(dir+"/cpuset.cpus", []byte("1\n")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("without the controller: %v", err)
		}
		if err := m.WriteFile(dir+"/cgroup.procs", []byte("1\n")); err != nil {
			t.Fatal(err)
		}
		if err := m.Remove(dir); !errors.Is(err, unix.EBUSY) {
			t.Errorf("with a process in it: %v", err)
		}
		if err := errors.Join(m.WriteFile(dir+"/cgroup.procs", nil), m.Remove(dir), m.WriteFile("sys/fs/cgroup/cgroup.subtree_control", []byte("+cpuset")), m.Mkdir(dir)); err != nil {
			t.Fatal(err)
		}
		if got := content(m, dir+"/cpuset.cpus.partition"); got != "member\n" {
			t.Errorf("partition %q", got)
		}
	})
}

func TestSMT(t *testing.T) {
	k := load(t)
	before := k.Content()
	for range 2 {
		if err := k.WriteFile(smtControl, []byte("off\n")); err != nil {
			t.Fatal(err)
		}
	}
	if content(k, cpuDir+"/online") != "0\n" || content(k, cpuDir+"/cpu0/topology/core_cpus_list") != "0\n" || content(k, cpuDir+"/cpu1/cpufreq/governor") != "" {
		t.Errorf("%v", k.Content())
	}
	if err := k.WriteFile(smtControl, []byte("on\n")); err != nil {
		t.Fatal(err)
	}
	before[cpuDir+"/cpu1/cpufreq/governor"] = "new\n"
	if d := cmp.Diff(before, k.Content()); d != "" {
		t.Error(d)
	}
}

func TestFaults(t *testing.T) {
	k := load(t)
	k.FailAt(2)
	for i, want := range []error{nil, unix.EIO, nil} {
		if err := k.WriteFile("plain", []byte("b")); !errors.Is(err, want) {
			t.Errorf("%d: %v", i, err)
		}
	}
	dies := func(do func()) (died bool) {
		defer func() { died = recover() == ErrDied }()
		do()
		return false
	}
	write := func() { k.WriteFile("plain", []byte("c")) }
	for at, want := range map[int]string{1: "b\n", 2: "c\n"} {
		k.Put("plain", "b\n")
		k.DieAt(at)
		if !dies(write) || !dies(func() { content(k, "plain") }) {
			t.Errorf("%d: lives", at)
		}
		if k.Revive(); content(k, "plain") != want {
			t.Errorf("%d: %q", at, content(k, "plain"))
		}
	}
	release, err := k.HoldOpen("plain", []byte("held"))
	if err != nil || content(k, "plain") != "held" {
		t.Errorf("held: %q, %v", content(k, "plain"), err)
	}
	if err := release(); err != nil || content(k, "plain") == "held" {
		t.Errorf("let go: %q, %v", content(k, "plain"), err)
	}
}

func TestParseRules(t *testing.T) {
	if _, err := ParseRules("Prose.\nfollows too few\n"); err == nil || !strings.Contains(err.Error(), "follows too few") {
		t.Errorf("got %v", err)
	}
}
