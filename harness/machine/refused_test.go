package machine

import (
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"moobench/harness/machine/knob"
	"moobench/internal/testmachine"
	"moobench/refusal"
)

// Files are named once where their numbers are all there are, and one by one where they are not.
func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		paths []string
		want  string
	}{
		{[]string{"a"}, "/a"},
		{[]string{"cpu0/x"}, "/cpu0/x"},
		{[]string{"cpu1/x", "cpu0/x"}, "/cpu{0..1}/x"},
		{[]string{"cpu0/x", "cpu2/x"}, "/cpu{0,2}/x"},
		{[]string{"cpu0/x", "cpu1/x", "cpu3/x"}, "/cpu{0,1,3}/x"},
		{[]string{"cpu0/s0", "cpu0/s1", "cpu1/s0", "cpu1/s1"}, "/cpu{0..1}/s{0..1}"},
		{[]string{"cpu0/s0", "cpu0/s1", "cpu1/s0"}, "/cpu0/s0 /cpu0/s1 /cpu1/s0"},
		{[]string{"cpu0/x", "cpu0/y"}, "/cpu0/x /cpu0/y"},
		{[]string{"cpu0/x", "irq0/x"}, "/cpu0/x /irq0/x"},
	} {
		var changes []knob.Change
		for _, p := range c.paths {
			changes = append(changes, knob.Change{Path: p})
		}
		if got := places(changes); got != c.want {
			t.Errorf("%q: %s, want %s", c.paths, got, c.want)
		}
	}
}

// What is refused says why, and, where root may do it, how.
func TestRefused(t *testing.T) {
	write := knob.Change{Path: "sys/x", Value: "1"}
	denied := "not even root may change it here: only the host can"
	if os.Geteuid() != 0 {
		denied = "it needs root"
	}
	for _, c := range []struct {
		err    error
		change knob.Change
		want   string
		need   refusal.Need
	}{
		{unix.EROFS, write, "it is read-only here: only the host can change it", refusal.Host},
		{
			fs.ErrPermission, write, denied,
			map[bool]refusal.Need{true: refusal.Host, false: refusal.Root}[os.Geteuid() == 0],
		},
		{&fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist}, write, "the kernel has no such file", refusal.None},
		{
			&fs.PathError{Op: "write", Path: "x", Err: unix.EINVAL}, write, "the kernel refuses 1 (invalid argument)",
			refusal.None,
		},
		{
			&fs.PathError{Op: "mkdir", Path: "x", Err: unix.EBUSY},
			knob.Change{Kind: knob.ChangeMake},
			"device or resource busy", refusal.None,
		},
	} {
		got := reasonFor(c.err, c.change)
		if got.Error() != c.want || refusal.NeedOf(got) != c.need {
			t.Errorf("%v: %v, needs %v", c.err, got, refusal.NeedOf(got))
		}
	}
	if err := reasonFor(nil, write); err != nil {
		t.Errorf("nothing is refused: %v", err)
	}
	for _, c := range []struct {
		err     error
		changes []knob.Change
		want    string
	}{
		{unix.EROFS, []knob.Change{write}, "/sys/x: it is read-only here: only the host can change it"},
		{
			fmt.Errorf("so: %w", unix.EINVAL),
			[]knob.Change{write},
			"/sys/x: the kernel refuses 1 (so: invalid argument)",
		},
	} {
		if got := refused(c.err, write, c.changes); got.Error() != c.want {
			t.Errorf("%v: %v, want %s", c.err, got, c.want)
		}
	}
}

// TestMakeAll: a change that fails ends it, unless it is optional: then the others are made, and it is told.
func TestMakeAll(t *testing.T) {
	const good = "proc/sys/vm/swappiness"
	gone := knob.Change{Path: "proc/sys/vm/gone", Value: "1"}
	optional := gone
	optional.Optional = true
	write, guard := knob.Change{Path: good, Value: "7"}, knob.Change{Path: good, Kind: knob.ChangeGuard}
	for name, c := range map[string]struct {
		changes     []knob.Change
		partly, err bool
		now         string
	}{
		"none":           {nil, false, false, "60"},
		"all":            {[]knob.Change{write, guard}, false, false, "7"},
		"optional first": {[]knob.Change{optional, guard, write}, true, false, "7"},
		"optional last":  {[]knob.Change{write, optional}, true, false, "7"},
		"fails first":    {[]knob.Change{gone, write}, false, true, "60"},
		"fails last":     {[]knob.Change{optional, write, gone}, false, true, "7"},
	} {
		k := testmachine.Of([]string{good + " = 60"})
		partly, err := makeAll(k, c.changes)
		if now := strings.TrimSpace(k.Content()[good]); partly != c.partly || (err != nil) != c.err || now != c.now {
			t.Errorf("%s: partly %t, %v; it is %s", name, partly, err, now)
		}
	}
}

// TestCanHold: what is held open can be met where that file may be written.
func TestCanHold(t *testing.T) {
	const file = "dev/cpu_dma_latency"
	for rule, met := range map[string]bool{"": true, "readonly " + file: false} {
		k := testmachine.Open(t, "desktop", rule)
		k.Put(file, "\x00\x94\x35\x77") // 2,000,000,000: nobody wants less
		on, err := placing(k)()
		if err != nil {
			t.Fatal(err)
		}
		states := CanMeet(k, on, []knob.Wish{try("dma_latency", "10us")})
		if len(states) != 1 || states[0].Unmet() == met || met && states[0].Got != "10us" ||
			!met && !strings.Contains(states[0].Reason, "/"+file) {
			t.Errorf("with %q: %+v", rule, states)
		}
	}
}
