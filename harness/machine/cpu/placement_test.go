package cpu

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moobench/internal/testmachine"
)

// cores makes a topology from the CPUs of each core.
func cores(groups ...Set) Topology {
	var t Topology
	for core, cpus := range groups {
		for _, cpu := range cpus {
			t = append(t, logical{id: cpu, core: core, siblings: cpus})
		}
	}
	return t
}

func TestPlace(t *testing.T) {
	desktop := cores(Set{0, 4}, Set{1, 5}, Set{2, 6}, Set{3, 7})
	four := cores(Set{0}, Set{1}, Set{2}, Set{3})
	for _, c := range []struct {
		name          string
		allowed       string
		topology      Topology
		fixture, ours string
		remark        string
	}{
		{"desktop", "0-7", desktop, "1-3,5-7", "0,4", ""},
		{"desktop, mask without CPU 0", "2-7", desktop, "3-5,7", "2,6", ""},
		{"desktop, one thread each", "0-3", desktop, "1-3", "0", ""},
		{"desktop, two cores", "0,1,4,5", desktop, "1,5", "0,4", ""},
		{"desktop, one core", "0,4", desktop, "4", "0", "shares its core with moobench on CPU 0"},
		{"three CPUs, the last one a sibling", "0,1,4", desktop, "1", "0", "agent's own threads"},
		{"four cores", "0-3", four, "1-3", "0", ""},
		{"three cores", "0-2", four, "2", "0", "agent's own threads"},
		{"two cores", "0-1", four, "1", "0", "agent's own threads"},
		{"two cores, not the first", "2-3", four, "3", "2", "agent's own threads"},
		{"one CPU", "3", four, "3", "3", "moobench and its receivers are part"},
		{"a core of four threads", "0-3", cores(Set{0, 1, 2, 3}), "3", "0", "shares its core"},
		{"unknown topology", "0-5", nil, "1-5", "0", ""},
		{"nothing said about the mask", "", four, "1-3", "0", ""},
	} {
		allowed, err := Parse(c.allowed)
		if err != nil {
			t.Fatal(err)
		}
		p := Place(allowed, c.topology)
		if p.Fixture.String() != c.fixture || p.Housekeeping.String() != c.ours || p.Shared != (c.fixture == c.ours) {
			t.Errorf("%s: %+v, want %s and %s", c.name, p, c.fixture, c.ours)
		}
		if (c.remark == "") != (p.Remark == "") || !strings.Contains(p.Remark, c.remark) {
			t.Errorf("%s: remark %q, want …%s…", c.name, p.Remark, c.remark)
		}
	}
	if got := Place(Set{0, 1}, four).String(); got != "fixture on CPU 1, moobench on 0" {
		t.Error(got)
	}
}

func TestReadTopology(t *testing.T) {
	for name, want := range map[string]string{
		"desktop": "8 CPUs, 4 cores, 1 socket; 0,4 1,5 2,6 3,7 0,4 1,5 2,6 3,7", "vm": "2 CPUs, 2 cores, 1 socket; 0 1",
		"container": "4 CPUs, 2 cores, 1 socket; 0-1 0-1 2-3 2-3",
	} {
		top, err := ReadTopology(testmachine.Open(t, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		got := top.String() + ";"
		for _, c := range top {
			got += " " + c.siblings.String()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if _, err := ReadTopology(testmachine.Open(t, "window")); err == nil {
		t.Error("a topology of nothing")
	}
}

func TestParse(t *testing.T) {
	for list, want := range map[string]string{"0-2,5": "0-2,5", "5,0-2\n": "0-2,5", "": "", "3": "3", "1,1-2": "1-2"} {
		got, err := Parse(list)
		if err != nil || got.String() != want {
			t.Errorf("%q: %v, %v, want %s", list, got, err, want)
		}
	}
	for _, list := range []string{"x", "1-", "x-2", "2-x", "0-x", "-1", "2-1", "0-99999", "1,,2"} {
		if got, err := Parse(list); err == nil {
			t.Errorf("%q: %v", list, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		cpus := rapid.SliceOfDistinct(rapid.IntRange(0, 200), rapid.ID).Draw(t, "cpus")
		slices.Sort(cpus)
		got, err := Parse(Set(cpus).String())
		if err != nil || !slices.Equal(got, cpus) {
			t.Fatalf("%v became %v, %v", cpus, got, err)
		}
	})
}

func TestCommon(t *testing.T) {
	p := Placement{Fixture: Set{2, 3}, Housekeeping: Set{0, 1}}
	for n, want := range map[int]Set{1: {}, 2: {}, 3: {1}, 4: {0, 1}} {
		taken, err := p.Take(n)
		if err != nil {
			t.Fatal(err)
		}
		if got := taken.Common(); !slices.Equal(got, want) {
			t.Errorf("%d CPUs: %v in common, want %v", n, got, want)
		}
	}
	if one := (Placement{Fixture: Set{0}, Housekeeping: Set{0}, Shared: true}); one.Common() != nil {
		t.Error("one CPU for everything is said elsewhere")
	}
}

// TestLanes: lanes have equally many whole cores, of CPUs that may be used, and none is in two.
func TestLanes(t *testing.T) {
	desktop := cores(Set{0, 4}, Set{1, 5}, Set{2, 6}, Set{3, 7})
	for _, c := range []struct {
		allowed  string
		topology Topology
		lanes    int
		want     string
	}{
		{"0-7", desktop, 2, "0-1,4-5 | 2-3,6-7"},
		{"0-7", desktop, 3, "0,4 | 1,5 | 2,6"},
		{"0-7", desktop, 4, "0,4 | 1,5 | 2,6 | 3,7"},
		{"0-3", desktop, 2, "0-1 | 2-3"},
		{"1,4-5,7", desktop, 2, "4 | 1,5"},
		{"", desktop, 2, "0-1,4-5 | 2-3,6-7"},
		{"0-1", cores(Set{0}, Set{1}), 2, "0 | 1"},
		{"0-7", desktop, 5, "moobench may use 4 cores here"},
		{"0,4", desktop, 2, "moobench may use 1 cores here"},
		{"0-7", desktop, 1, "at least two lanes are needed"},
		{"0-7", desktop, -1, "at least two lanes are needed"},
	} {
		allowed, err := Parse(c.allowed)
		if err != nil {
			t.Fatal(err)
		}
		lanes, err := c.topology.Lanes(allowed, c.lanes)
		var all []string
		for _, lane := range lanes {
			all = append(all, lane.String())
		}
		got := strings.Join(all, " | ")
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) || err == nil && got != c.want {
			t.Errorf("%d lanes of %q: %s, want %s", c.lanes, c.allowed, got, c.want)
		}
	}
}
