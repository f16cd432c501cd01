package cpu

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moobench/internal/testmachine"
	"moobench/refusal"
)

// topologyOf is that of a tree of testdata.
func topologyOf(t *testing.T, name string) Topology {
	t.Helper()
	top, err := ReadTopology(testmachine.Open(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return top
}

func TestPin(t *testing.T) {
	for _, c := range []struct {
		machine, allowed   string
		cpus, housekeeping string
		want               string // "" is an error
		remark             string // or the error
	}{
		{"desktop", "0-7", "2-3", "", "fixture on CPU 2-3, moobench on 0-1,4-5, nothing on 6-7", ""},
		{"desktop", "0-7", "2-3", "0-1", "fixture on CPU 2-3, moobench on 0-1, nothing on 6-7", ""},
		{"desktop", "0-7", "2-3,6,7", "", "fixture on CPU 2-3,6-7, moobench on 0-1,4-5", ""},
		{"desktop", "0-7", "3", "7", "fixture on CPU 3, moobench on 7", "the JVM has 1 CPU, so the agent's own threads compete with it; CPU 3 shares its core with moobench on CPU 7"},
		{"desktop", "0-7", "2-3", "6-7", "fixture on CPU 2-3, moobench on 6-7", "CPU 2-3 share their cores with moobench on CPU 6-7"},
		{"desktop", "0-7", "", "0", "fixture on CPU 1-3,5-7, moobench on 0", ""},
		{"desktop", "0-3", "1-3", "", "fixture on CPU 1-3, moobench on 0", ""}, // siblings that are not ours
		{"desktop", "", "1", "0", "fixture on CPU 1, moobench on 0, nothing on 5", "1 CPU"},
		{"desktop", "0-7", "0-7", "", "", "pin: CPU 0-7 for the fixture leaves none for moobench"},
		{"desktop", "0,4", "4", "", "", "leaves none for moobench that shares no core with it; moobench may use CPU 0,4\nhint: name both"},
		{"desktop", "0-7", "", "0-3", "", "pin: CPU 0-3 for moobench leaves none for the fixture"},
		{"desktop", "0-7", "2-3", "3-4", "", "pin: CPU 3 is asked for both the fixture and moobench; moobench may use CPU 0-7"},
		{"desktop", "2-3", "1-3", "8", "", "CPU 8 is not there, or not online; CPU 1 is online, but taskset, a container or a cpuset keeps moobench from it; moobench may use CPU 2-3"},
		{"desktop", "0-7", "", "", "", "neither cpus nor housekeeping names a CPU"},
		{"desktop", "0-7", "x", "1-", "", "\"x\" is not a list of CPUs (want e.g. 0-2,5)\n\"1-\""},
		{"vm", "0-1", "1", "", "fixture on CPU 1, moobench on 0", "1 CPU"},
		{"vm", "0-1", "0-1", "", "", "moobench may use CPU 0-1"},
		{"container", "0-3", "2", "", "fixture on CPU 2, moobench on 0-1, nothing on 3", "1 CPU"},
	} {
		allowed, err := Parse(c.allowed)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Pin(allowed, topologyOf(t, c.machine), c.cpus, c.housekeeping)
		if err != nil {
			if c.want != "" || !strings.Contains(refusal.Text(err), c.remark) {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		if p.String() != c.want || !strings.Contains(p.Remark, c.remark) || (c.remark == "") != (p.Remark == "") {
			t.Errorf("%+v: %s, remark %q", c, p, p.Remark)
		}
	}
}

func TestOnePerCore(t *testing.T) {
	for name, want := range map[string]string{
		"desktop": "fixture on CPU 1-3, moobench on 0,4, nothing on 5-7", "vm": "fixture on CPU 1, moobench on 0",
		"container": "fixture on CPU 2, moobench on 0-1, nothing on 3",
	} {
		top := topologyOf(t, name)
		p := Place(nil, top).OnePerCore(top)
		if p.String() != want || strings.Contains(p.Remark, "1 CPU") != (len(p.Fixture) == 1) {
			t.Errorf("%s: %s, %q, want %s", name, p, p.Remark, want)
		}
	}
	one := Place(Set{3}, nil)
	if p := one.OnePerCore(nil); p.String() != one.String() || p.Remark != one.Remark {
		t.Errorf("one CPU: %s, %q", p, p.Remark)
	}
	core := Place(nil, cores(Set{0, 1, 2, 3})) // nothing but one core
	if core.String() != "fixture on CPU 3, moobench on 0, nothing on 1-2" {
		t.Error(core)
	}
}

func TestTake(t *testing.T) {
	for _, c := range []struct {
		machine      string
		n            int
		want, remark string // want "" is an error
	}{
		{"desktop", 1, "fixture on CPU 7, moobench on 0,4, nothing on 1-3,5-6", "the JVM has 1 CPU, so the agent's own threads compete with it"},
		{"desktop", 2, "fixture on CPU 6-7, moobench on 0,4, nothing on 1-3,5", ""},
		{"desktop", 6, "fixture on CPU 1-3,5-7, moobench on 0,4", ""},
		{"desktop", 7, "fixture on CPU 1-7, moobench on 0,4", "the fixture shares CPU 4 with moobench and its receivers"},
		{"desktop", 8, "fixture on CPU 0-7, moobench on 0,4", "the fixture shares CPU 0,4 with moobench and its receivers"},
		{"desktop", 9, "", "cpus = 9: 1 to 8 are available here (fixture on CPU 1-3,5-7, moobench on 0,4)"},
		{"desktop", 0, "", "cpus = 0"},
		{"vm", 2, "fixture on CPU 0-1, moobench on 0", "the fixture shares CPU 0 with moobench and its receivers"},
		{"vm", 3, "", "1 to 2"},
	} {
		p, err := Place(nil, topologyOf(t, c.machine)).Take(c.n)
		if err != nil {
			if c.want != "" || !strings.Contains(err.Error(), c.remark) {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		if p.String() != c.want || p.Remark != c.remark {
			t.Errorf("%+v: %s, remark %q", c, p, p.Remark)
		}
	}
	one := Place(Set{3}, nil)
	if p, err := one.Take(1); err != nil || p.Remark != one.Remark {
		t.Errorf("one CPU: %s, %q, %v", p, p.Remark, err)
	}
	if p, err := one.Take(2); err == nil {
		t.Errorf("two of one: %s", p)
	}
	top := topologyOf(t, "desktop") // the idle siblings are not taken
	if p, err := Place(nil, top).OnePerCore(top).Take(6); err == nil || !strings.Contains(err.Error(), "1 to 5 are available here") {
		t.Errorf("%s, %v", p, err)
	}
}

// anyTopology has up to 5 cores of up to 3 threads, numbered in any order.
func anyTopology(t *rapid.T) Topology {
	threads := rapid.IntRange(1, 3).Draw(t, "threads")
	ids := rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}).Draw(t, "ids")
	var groups []Set
	for range rapid.IntRange(1, 5).Draw(t, "cores") {
		groups = append(groups, Set(slices.Sorted(slices.Values(ids[:threads]))))
		ids = ids[threads:]
	}
	top := cores(groups...)
	slices.SortFunc(top, func(a, b logical) int { return a.id - b.id })
	return top
}

func some(t *rapid.T, of Set, name string) Set {
	return slices.DeleteFunc(slices.Clone(of), func(int) bool { return rapid.Bool().Draw(t, name) })
}

// tidy fails when a CPU has two tasks, is none of ours, or when a sibling of a
// measured one is neither measured nor left empty nor said.
func tidy(t *rapid.T, p Placement, top Topology, allowed Set) {
	all := slices.Sorted(slices.Values(slices.Concat(p.Fixture, p.Housekeeping, p.idle)))
	if p.Shared {
		all = slices.Compact(all)
	}
	for i, cpu := range all {
		if i > 0 && all[i-1] == cpu || !slices.Contains(allowed, cpu) {
			t.Fatalf("CPU %d: %s", cpu, p)
		}
	}
	if len(p.Fixture) == 0 || len(p.Housekeeping) == 0 || !slices.IsSorted(p.Fixture) || !slices.IsSorted(p.Housekeeping) || !slices.IsSorted(p.idle) {
		t.Fatalf("%+v", p)
	}
	for _, cpu := range p.Fixture {
		for _, sibling := range top.Siblings(cpu) {
			ours := slices.Contains(p.Housekeeping, sibling)
			if ours && !p.Shared && !strings.Contains(p.Remark, "core") {
				t.Fatalf("%s: nothing is said of CPU %d: %q", p, sibling, p.Remark)
			}
			if slices.Contains(allowed, sibling) && !ours && !slices.Contains(p.Fixture, sibling) && !slices.Contains(p.idle, sibling) {
				t.Fatalf("%s: CPU %d has no task", p, sibling)
			}
		}
	}
}

func TestPlacements(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		top := anyTopology(t)
		allowed := some(t, top.usable(nil), "allowed")
		p := Place(allowed, top)
		allowed = top.usable(allowed)
		tidy(t, p, top, allowed)
		one := p.OnePerCore(top)
		tidy(t, one, top, allowed)
		for i, cpu := range one.Fixture {
			if !p.Shared && one.Fixture[:i].Meets(top.Siblings(cpu)) {
				t.Fatalf("%s: CPU %d is not the only one of its core", one, cpu)
			}
		}
		took(t, p, top, allowed)
		took(t, one, top, allowed)
	})
}

// took tries all that the factor cpus could want.
func took(t *rapid.T, p Placement, top Topology, allowed Set) {
	for n := range len(allowed) + 2 {
		got, err := p.Take(n)
		if err != nil {
			if 0 < n && n <= len(p.Fixture) {
				t.Fatalf("%s, %d: %v", p, n, err)
			}
			continue
		}
		if len(got.Fixture) != n || strings.Contains(got.Remark, "1 CPU") != (n == 1) {
			t.Fatalf("%s, %d: %s, %q", p, n, got, got.Remark)
		}
		if n <= len(p.Fixture) {
			tidy(t, got, top, allowed)
		} else if !strings.Contains(got.Remark, "the fixture shares CPU") {
			t.Fatalf("%s, %d: %s, %q", p, n, got, got.Remark)
		}
	}
}

func TestPins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		top := anyTopology(t)
		allowed := top.usable(some(t, top.usable(nil), "allowed"))
		fixture := some(t, top.usable(nil), "fixture")
		ours := some(t, top.usable(nil), "ours")
		p, err := Pin(allowed, top, fixture.String(), ours.String())
		good := len(fixture)+len(ours) > 0 && !fixture.Meets(ours) && len(slices.Concat(fixture, ours).Without(allowed)) == 0
		if err != nil {
			if good && len(fixture) > 0 && len(ours) > 0 {
				t.Fatal(err)
			}
			return
		}
		if !good || len(fixture) > 0 && !slices.Equal(p.Fixture, fixture) || len(ours) > 0 && !slices.Equal(p.Housekeeping, ours) {
			t.Fatalf("%v and %v of %v: %s", fixture, ours, allowed, p)
		}
		if (len(fixture) == 0 || len(ours) == 0) && top.Cores(p.Fixture).Meets(p.Housekeeping) {
			t.Fatalf("%s: they share a core though nobody asked for it", p)
		}
		tidy(t, p, top, allowed)
	})
}

func TestCheck(t *testing.T) {
	for list, want := range map[string]string{"3,0-1,2": "0-3", " 5 ": "5", "": "", " ": "", "2-1": "", "all": ""} {
		got, err := Check(list)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v, want %q", list, got, err, want)
		}
	}
}
