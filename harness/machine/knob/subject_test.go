package knob

import (
	"io/fs"
	"maps"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/internal/kernel"
	"moobench/internal/testmachine"
	"moobench/refusal"
)

// personal are the knobs of the subject's own process.
func personal() []Knob {
	var all []Knob
	for _, k := range All() {
		if k.Personal() {
			all = append(all, k)
		}
	}
	return all
}

func TestReadSubject(t *testing.T) {
	root := testmachine.Open(t, "subject")
	want := map[string]string{"aslr": "off", "nice": "19", "scheduling": "batch", "memlock": "64KiB", "cpus": "2-3"}
	if d := cmp.Diff(want, ReadSubject(root, 4711)); d != "" {
		t.Error(d)
	}
	for _, pid := range []int{4712, 1} { // damaged, and gone
		if got := ReadSubject(root, pid); len(got) != 0 {
			t.Errorf("process %d: %v", pid, got)
		}
	}
	want = map[string]string{"aslr": "on", "nice": "0", "scheduling": "other", "memlock": "8MiB"}
	got := map[string]string{}
	for _, k := range personal() {
		v, err := k.Observe(root, cpu.Placement{})
		if err != nil {
			t.Errorf("%s: %v", k.Name, err)
		}
		got[k.Name] = v
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestRandomisation(t *testing.T) {
	for _, c := range []struct{ system, process, want string }{
		{"2", "00000000", "on"},
		{"2", "00040000", "off"},
		{"2", "08040008", "off"}, // among other bits
		{"1", "00000000", "on, heap excepted"},
		{"0", "00000000", "off"}, // for everybody
		{"0", "", "off"},
		{"2", "", ""},
	} {
		root := fstest.MapFS{"proc/sys/kernel/randomize_va_space": {Data: []byte(c.system + "\n")}}
		if c.process != "" {
			root["proc/7/personality"] = &fstest.MapFile{Data: []byte(c.process + "\n")}
			root["proc/self/personality"] = root["proc/7/personality"]
		}
		got, err := knob("aslr").readProcess(root, 7)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%+v: %v, %v", c, got, err)
		}
		got, err = knob("aslr").Observe(root, cpu.Placement{})
		if c.want != "" && got != c.want || err != nil {
			t.Errorf("%+v, what moobench itself has: %v, %v", c, got, err)
		}
	}
}

func TestPersonalCheck(t *testing.T) {
	for _, c := range []struct{ knob, value, want string }{
		{"aslr", "on", "on"},
		{"aslr", "maybe", ""},
		{"nice", " -20", "-20"},
		{"nice", "19", "19"},
		{"nice", "20", ""},
		{"nice", "1.5", ""},
		{"nice", "", ""},
		{"scheduling", "fifo", "fifo"},
		{"scheduling", "idle", ""},
		{"memlock", "64MiB", "64MiB"},
		{"memlock", "65536 KiB", "64MiB"},
		{"memlock", "1024B", "1KiB"},
		{"memlock", "0GiB", "0B"},
		{"memlock", "unlimited", "unlimited"},
		{"memlock", "64", ""},
		{"memlock", "64MB", ""},
		{"memlock", "-1KiB", ""},
		{"memlock", "9999999999GiB", ""},
	} {
		k := knob(c.knob)
		got, err := k.Check(c.value)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s = %q: %q, %v, want %q", c.knob, c.value, got, err, c.want)
		}
		if c.want == "" && k.Ask(new(Subject), c.value) == nil && c.knob != "aslr" {
			t.Errorf("%s = %q was asked for", c.knob, c.value)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Min(0).Draw(t, "bytes")
		if got, err := parseSize(formatSize(n)); err != nil || got != n {
			t.Fatalf("%d is %s, which is %d, %v", n, formatSize(n), got, err)
		}
	})
}

// TestAsk asks for what anybody may have; moobench itself must stay as it is.
func TestAsk(t *testing.T) {
	before := ReadSubject(kernel.Root(), os.Getpid())
	var s Subject
	for name, value := range map[string]string{"aslr": "off", "nice": "19", "scheduling": "batch", "memlock": "0B"} {
		k := knob(name)
		if err := k.Ask(&s, value); err != nil {
			if name == "aslr" {
				t.Skipf("needs personality(2): %v", err)
			}
			t.Errorf("%s = %s: %v", name, value, err)
		}
	}
	if !s.FixedAddresses || s.Nice == nil || *s.Nice != 19 || s.Scheduling != "batch" || s.LockableBytes == nil || *s.LockableBytes != 0 {
		t.Errorf("asked for %+v", s)
	}
	if after := ReadSubject(kernel.Root(), os.Getpid()); !maps.Equal(before, after) {
		t.Errorf("moobench itself was changed: %v, before %v", after, before)
	}
}

// TestAskForRights asks for what needs root: either it can be had, or the error
// says so, and nothing is asked for.
func TestAskForRights(t *testing.T) {
	before := ReadSubject(kernel.Root(), os.Getpid())
	for name, value := range map[string]string{"nice": "-20", "scheduling": "fifo", "memlock": "unlimited", "aslr": "on"} {
		k := knob(name)
		var s Subject
		err := k.Ask(&s, value)
		if err == nil {
			continue
		}
		if s != (Subject{}) {
			t.Errorf("%s = %s was refused (%v), and asked for: %+v", name, value, err, s)
		}
		if !strings.Contains(refusal.Text(err), "root") && !strings.Contains(err.Error(), "one CPU") {
			t.Errorf("%s = %s: the error doesn't say what to do: %v", name, value, err)
		}
	}
	if after := ReadSubject(kernel.Root(), os.Getpid()); !maps.Equal(before, after) {
		t.Errorf("moobench itself was changed: %v, before %v", after, before)
	}
}

func TestPersonalAbout(t *testing.T) {
	for _, k := range personal() {
		if k.Title == "" || k.Does == "" || k.Cost == "" || k.Fixed != "" || len(k.Values) == 0 {
			t.Errorf("%+v", k)
		}
		for _, v := range k.Values {
			if c, err := k.Check(v); c != v || err != nil {
				t.Errorf("%s: its own value %q becomes %q, %v", k.Name, v, c, err)
			}
		}
	}
}

func TestStatFieldOfThisProcess(t *testing.T) {
	pid := strconv.Itoa(os.Getpid())
	if _, err := fs.Stat(kernel.Root(), "proc/"+pid+"/stat"); err != nil {
		t.Skipf("needs /proc: %v", err)
	}
	if got, err := statField(kernel.Root(), pid, 4); err != nil || got != strconv.Itoa(os.Getppid()) {
		t.Errorf("its parent is %s, %v, want %d", got, err, os.Getppid())
	}
}

// The name of a process may hold anything, and a field may be the last one.
func TestFieldOfAProcess(t *testing.T) {
	root := testmachine.Of([]string{"proc/7/stat = 7 (a ) (b) S 1 2 3"})
	for n, want := range map[int]string{3: "S", 4: "1", 6: "3", 7: ""} {
		got, err := statField(root, "7", n)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("field %d: %q, %v", n, got, err)
		}
	}
	if _, err := statField(root, "8", 3); err == nil || !strings.Contains(err.Error(), "/proc/8 is not there") {
		t.Errorf("got %v", err)
	}
}
