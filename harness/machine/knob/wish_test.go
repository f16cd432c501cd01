package knob

import (
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"moobench/harness/machine/cpu"
	"moobench/internal/testmachine"
	"moobench/refusal"
	"moobench/results"
)

// A profile's wishes come in the order of the knobs, and what a campaign says of a knob goes before its profile;
// names that nobody knows come last.
func TestWishes(t *testing.T) {
	names := func(all []Wish) (list []string) {
		for _, w := range all {
			list = append(list, w.Knob+"="+w.Value+" "+string(w.Policy))
		}
		return list
	}
	own := []Wish{
		{"unknown", "1", results.PolicyRequire},
		{"nice", "5", results.PolicyTry},
		{"turbo", "on", results.PolicyRequire},
	}
	var fixed []string
	for _, k := range All() {
		switch {
		case k.Name == "turbo":
			fixed = append(fixed, "turbo=on require")
		case k.Name == "nice":
			fixed = append(fixed, "nice=5 try")
		case k.Fixed != "":
			fixed = append(fixed, k.Name+"="+k.Fixed+" try")
		}
	}
	for _, c := range []struct {
		profile string
		want    []string
	}{
		{results.ProfileFixedHardware, append(fixed, "unknown=1 require")},
		{"", []string{"turbo=on require", "nice=5 try", "unknown=1 require"}},
	} {
		if diff := cmp.Diff(c.want, names(Wishes(c.profile, own))); diff != "" {
			t.Errorf("profile %q (-want +got):\n%s", c.profile, diff)
		}
	}
	if own[0].Knob != "unknown" {
		t.Error("what was asked for is sorted, too")
	}
}

// A knob is found by its name; of every one there is a state, with a value or a reason.
func TestObserve(t *testing.T) {
	if k, ok := Named("turbo"); !ok || k.Name != "turbo" {
		t.Errorf("%q, %v", k.Name, ok)
	}
	if k, ok := Named("none"); ok || k.Name != "" {
		t.Errorf("%q, %v", k.Name, ok)
	}
	for _, name := range []string{"desktop", "vm"} {
		states := Observe(testmachine.Open(t, name), cpu.Placement{})
		for i, s := range states {
			if s.Name != All()[i].Name || s.Policy != results.PolicyObserve {
				t.Errorf("%s: %+v", name, s)
			}
			if (s.Found == "") != (s.Why != nil) || s.Why == nil && s.Reason != "" ||
				s.Why != nil && s.Reason != refusal.Inline(s.Why, ": ") {
				t.Errorf("%s: %s is %q, for %q: %v", name, s.Name, s.Found, s.Reason, s.Why)
			}
		}
		if got := Recorded(states); len(states) != len(All()) || len(got) != len(states) ||
			got[0] != states[0].KnobState {
			t.Errorf("%s: %d states", name, len(states))
		}
	}
}

// Bounds of a frequency and of a latency are what the kernel can hold.
func TestAmounts(t *testing.T) {
	for value, want := range map[string]int{
		"0.001MHz": 1, "0.0009MHz": 0, "999.999999GHz": 999_999_999, "999999.999MHz": 999_999_999, "1000GHz": 0,
		"1000000MHz":   0,
		"1.0000006MHz": 1000, "-1MHz": 0, "NaNGHz": 0,
	} {
		if got, err := parseFrequency(value); got != want || (err == nil) != (want > 0) {
			t.Errorf("%s: %d, %v, want %d", value, got, err, want)
		}
	}
	for value, want := range map[string]int32{"1999999999us": 1_999_999_999, "2s": 2_000_000, "1us": 1} {
		if got, err := parseLatency(value); got != want || err != nil {
			t.Errorf("%s: %d, %v, want %d", value, got, err, want)
		}
	}
	if got, err := parseLatency("2000000000us"); err == nil || got != 0 {
		t.Errorf("no limit at all is a limit of %d", got)
	}
}

// The base frequency is below the last of the steps if that is 1 MHz above it, and the last if not.
func TestBaseFrequency(t *testing.T) {
	const dir = "cpufreq/"
	for steps, want := range map[string]int{
		"2501000 2500000": 2_500_000, "2500000": 2_500_000, "2502000 2500000": 2_502_000, "0 -1 1000": 1000, "x": 0,
	} {
		tree := fstest.MapFS{dir + "scaling_available_frequencies": {Data: []byte(steps)}}
		if got, err := baseFrequency(tree, dir); got != want || (err == nil) != (want > 0) {
			t.Errorf("%s: %d, %v, want %d", steps, got, err, want)
		}
	}
	tree := fstest.MapFS{dir + "base_frequency": {Data: []byte("1")}, "acpi_cppc/nominal_freq": {Data: []byte("2")}}
	if got, err := baseFrequency(tree, dir); got != 1 || err != nil {
		t.Errorf("%d, %v", got, err)
	}
	delete(tree, dir+"base_frequency")
	if got, err := baseFrequency(tree, dir); got != 2000 || err != nil {
		t.Errorf("%d, %v", got, err)
	}
}

// onThread runs a function on a thread of its own, which ends with it, whatever was set there.
func onThread(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // for good: the thread ends with the goroutine
		f()
	}()
	<-done
}

// What a child inherits is set on the thread that starts it, and put back.
func TestInherited(t *testing.T) {
	onThread(func() {
		const ask = 0xffffffff
		before, err := personality(ask)
		if err != nil {
			t.Logf("there is no personality here: %v", err)
			return
		}
		restore, err := FixAddresses()
		if now, _ := personality(ask); err != nil || now != before|addrNoRandomize {
			t.Errorf("%x, then %x: %v", before, now, err)
		}
		if restore(); before&addrNoRandomize == 0 {
			if now, _ := personality(ask); now != before {
				t.Errorf("%x is put back as %x", before, now)
			}
		}
	})
	onThread(func() {
		attributes := func() *unix.SchedAttr {
			a, err := unix.SchedGetAttr(0, 0)
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		before := attributes()
		restore, err := SetScheduling("batch")
		if now := attributes(); err != nil || now.Policy != unix.SCHED_BATCH || now.Nice != before.Nice {
			t.Errorf("%+v, %v", now, err)
		}
		if restore(); os.Geteuid() == 0 && attributes().Policy != before.Policy {
			t.Errorf("%+v is put back as %+v", before, attributes())
		}
		restore, err = SetNice(int(before.Nice) + 3)
		if now := attributes(); err != nil || now.Nice != before.Nice+3 {
			t.Errorf("%+v, %v", now, err)
		}
		if restore(); os.Geteuid() == 0 && attributes().Nice != before.Nice {
			t.Errorf("%+v is put back as %+v", before, attributes())
		}
	})
	if _, err := SetScheduling("idle"); err == nil ||
		err.Error() != `"idle" is not a scheduling class: want other, batch, fifo or rr` {
		t.Errorf("%v", err)
	}
}

// Threads get back what all of them had; what differed among them, or isn't known, is left alone.
func TestPutBack(t *testing.T) {
	now := ReadThreads(os.DirFS("/"), os.Getpid())
	if err := now.PutBack(); err != nil {
		t.Errorf("%v as it is: %v", now, err)
	}
	for _, c := range []struct {
		threads Threads
		want    string // in the error; "": none
	}{
		{Threads{}, ""},
		{Threads{threadCPUs: {"x", "y"}, threadNice: {"1", "2"}, threadScheduling: {"other", "batch"}}, ""},
		{Threads{threadScheduling: {"unknown"}}, ""},
		{Threads{threadScheduling: {"fifo"}}, ""}, // of real time they are never made
		{Threads{threadCPUs: {"x"}}, "x"},
	} {
		if err := c.threads.PutBack(); (err == nil) != (c.want == "") || err != nil &&
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c.threads, err)
		}
	}
}
