package session

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"moobench/harness/jvm"
	"moobench/harness/machine"
	"moobench/harness/machine/cpu"
	"moobench/harness/machine/knob"
	"moobench/harness/run"
	"moobench/internal/testmachine"
	"moobench/refusal"
	"moobench/results"
)

// quietened is a machine of testdata of which a session has four CPUs, set as its file asks.
func quietened(t *testing.T, s *Session, wishes ...knob.Wish) *machine.Quiet {
	t.Helper()
	topology, err := cpu.ReadTopology(s.lab.Tree)
	if err != nil {
		t.Fatal(err)
	}
	place := func() (cpu.Placement, error) { return cpu.Place(cpu.Set{0, 1, 2, 3}, topology), nil }
	journal := filepath.Join(t.TempDir(), "machine.journal")
	q, err := machine.Quieten(s.lab.Tree, journal, "x", place, wishes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := q.Restore(); err != nil {
			t.Error(err)
		}
	})
	return q
}

// TestAnnounce: before the first JVM it is said what will run, with which JDK, what was set on the machine, and what
// could not be.
func TestAnnounce(t *testing.T) {
	s, _, said := planned(t, previewed["watched"], Options{})
	store, err := results.Create("runs/a", s.Plan.Campaign, nil)
	if err != nil {
		t.Fatal(err)
	}
	const head = "18 invocations · about 26 s · results in runs/a\n"
	place := cpu.Placement{Fixture: cpu.Set{2, 3}, Housekeeping: cpu.Set{0, 1}}
	remarked := place
	remarked.Remark = "it is crowded"
	for name, c := range map[string]struct {
		java  string
		place cpu.Placement
		knobs []results.KnobState
		want  string
	}{
		"no Java, nothing set": {"", place, nil, "fixture on CPU 2-3, moobench on 0-1\n"},
		"a JDK":                {"17", place, nil, "JDK 17 · fixture on CPU 2-3, moobench on 0-1\n"},
		"a remark": {
			"", remarked, nil, "fixture on CPU 2-3, moobench on 0-1\n  !       it is crowded\n",
		},
		"knobs": {
			"", place,
			[]results.KnobState{
				{Name: "thp", Found: "always", Wanted: "never", Got: "never"},
				{Name: "turbo", Found: "on", Wanted: "off", Got: "off"},
				{Name: "aslr", Found: "on", Wanted: "on", Got: "on"},
				{Name: "nice", Found: "0", Got: "0"},
				{Name: "governor", Found: "a", Wanted: "b", Got: "a", Reason: "read-only"},
				{Name: "smt", Found: "on", Wanted: "off", Got: "on", Reason: "read-only"},
			},
			"fixture on CPU 2-3, moobench on 0-1\n" +
				"  quiet   thp never · turbo off · what was found is put back at the end\n" +
				"  !       governor is not b, smt is not off: read-only\n",
		},
	} {
		said.Reset()
		r := &run.Runner{Store: store, Java: jvm.Java{Version: c.java}, Host: run.Host{Placement: c.place}}
		s.announce(r, results.Machine{Knobs: c.knobs})
		lines := strings.SplitAfterN(said.String(), "\n", 2)
		if lines[0] != head || lines[1] != c.want {
			t.Errorf("%s: %s\nwant %s%s", name, said.String(), head, c.want)
		}
	}
	c := &s.Plan.Campaign.Cells[2]
	c.Proof.Kind = results.ProofNone
	said.Reset()
	s.announce(&run.Runner{Store: store, Host: run.Host{Placement: place}}, results.Machine{})
	if !strings.HasSuffix(said.String(), "\n  !       kieker/bci/collect: no proof given: costs will say so\n") {
		t.Error(said.String())
	}
}

// TestCanVary: cells that ask for CPUs or for a frequency that the machine has not are refused before the first JVM,
// each need once.
func TestCanVary(t *testing.T) {
	const line = "calls     = 1000\n"
	for name, c := range map[string]struct {
		machine, factor string
		want            string // in the error; "" is none
		times           int
	}{
		"its own CPUs":        {"server", "", "", 0},
		"all of them":         {"server", "cpus = [1, 4]\n", "", 0},
		"one too many":        {"server", "cpus = [1, 5]\n", "cpus = 5: 1 to 4 are available here", 1},
		"two that are not":    {"server", "cpus = [5, 6]\n", ": 1 to 4 are available here", 2},
		"a fixed frequency":   {"vm", "frequency = [\"fixed\"]\n", "the factor frequency can't be set here", 1},
		"a scaling frequency": {"desktop", "frequency = [\"scaling\", \"fixed\"]\n", "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			s, _, _ := planned(t, strings.Replace(previewed["watched"], line, line+c.factor, 1), Options{})
			s.lab.Tree = testmachine.Open(t, c.machine)
			err := s.canVary(quietened(t, s))
			if c.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || strings.Count(err.Error(), c.want) != c.times {
				t.Fatalf("%v, want %s", err, c.want)
			}
			if _, lacks := errors.AsType[*machine.RequireError](err); lacks != (c.machine == "vm") {
				t.Errorf("%v", err)
			}
			if c.machine == "vm" && !strings.Contains(refusal.Text(err), "take frequency out of the [[scenario]]") {
				t.Error(refusal.Text(err))
			}
		})
	}
}

// TestVary: a runner watches over the settings that were met, and over no others; a machine that can't vary as it
// is to has no runner.
func TestVary(t *testing.T) {
	const observed, asked = `thp = { policy = "observe" }`, "thp = \"never\"\nturbo = \"off\""
	text := strings.Replace(previewed["watched"], observed, asked, 1)
	s, _, _ := planned(t, text, Options{})
	q := quietened(
		t, s, knob.Wish{Knob: "thp", Value: "never", Policy: results.PolicyTry},
		knob.Wish{Knob: "nice", Policy: results.PolicyObserve},
	)
	m := &measuring{Session: s, quiet: q, host: results.Machine{ID: "m1"}, runner: &run.Runner{}}
	if _, err := m.vary(t.Context()); err != nil {
		t.Fatal(err)
	}
	h := m.runner.Host
	if len(h.Wishes) != 1 || h.Wishes[0].Knob != "thp" || h.ID != "m1" || h.Quiet != q || h.Tree != s.lab.Tree {
		t.Errorf("%+v", h)
	}
	if h.Placement.String() != q.Placement.String() {
		t.Error(h.Placement)
	}
	wide := strings.Replace(previewed["watched"], "blocks", "cpus = [9]\nblocks", 1)
	s, _, _ = planned(t, wide, Options{})
	m = &measuring{Session: s, quiet: quietened(t, s), runner: &run.Runner{}}
	if _, err := m.vary(t.Context()); err == nil || m.runner.Host.Tree != nil {
		t.Errorf("%+v, %v", m.runner.Host, err)
	}
}
