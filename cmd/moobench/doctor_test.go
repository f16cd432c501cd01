package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"moobench/harness/machine"
	"moobench/harness/machine/machinetest"
	"moobench/results"
)

// machineCommand is "machine NAME [RULE…]" of scripts: moobench then takes that
// machine of harness/machine/testdata for its own, unpacked in $WORK/machine. A
// rule is in quotes.
func machineCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: machine NAME [RULE…]")
	}
	dir, rules := ts.MkAbs("machine"), ts.MkAbs("rules")
	ts.Check(os.RemoveAll(dir))
	ts.Check(saveTree(filepath.Join(machines, args[0]+".txtar"), dir, rules))
	f, err := os.OpenFile(rules, os.O_APPEND|os.O_WRONLY, 0)
	ts.Check(err)
	fmt.Fprint(f, "\n"+strings.Join(args[1:], "\n"))
	ts.Check(f.Close())
	ts.Setenv(treeVar, dir)
	ts.Setenv(rulesVar, rules)
}

// TestRestoreWaitsForALivingRun: it puts back what it changed itself.
func TestRestoreWaitsForALivingRun(t *testing.T) {
	lock := filepath.Join(t.TempDir(), "lock")
	t.Setenv(machine.LockVar, lock)
	release, err := machine.Lock(lock, "out")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	err = (&terminal{out: &out, tree: machine.System()}).restore()
	want := fmt.Sprintf("moobench (process %d, campaign out) is measuring on this machine: it puts back what it changed itself", os.Getpid())
	if err == nil || !strings.HasPrefix(err.Error(), want) || out.Len() > 0 {
		t.Errorf("%v\n%s", err, out.String())
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
}

func TestWarnLeftover(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "journal")
	t.Setenv(machine.JournalVar, journal)
	for _, tt := range []struct{ journal, want string }{
		{"", ""},
		{"{", "moobench: warning: reading the journal"},
		{`{"format": 1, "pid": 4194304, "start": "1", "campaign": "out", "entries": [{"knob": "swappiness", "path": "proc/sys/vm/swappiness", "found": "x", "got": null}]}`, "moobench: warning: moobench (process 4194304, campaign out) ended without"},
	} {
		if tt.journal != "" {
			if err := os.WriteFile(journal, []byte(tt.journal), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		var said strings.Builder
		(&terminal{err: &said, tree: machine.System()}).warnLeftover()
		hinted := strings.Contains(said.String(), "\nmoobench: hint: ")
		if !strings.HasPrefix(said.String(), tt.want) || hinted != (tt.want != "") || tt.want == "" && said.Len() > 0 {
			t.Errorf("%q: %s", tt.journal, said.String())
		}
	}
}

func TestWrap(t *testing.T) {
	var out strings.Builder
	paragraph(&out, " ok  topic  ", "ein Wort, noch ein Wört und noch eines", "do = \"it\"", 42)
	paragraph(&out, " !   ", "kurz", "und gut", 42)
	paragraph(&out, " !   ", "", "", 10)
	want := " ok  topic  ein Wort, noch ein Wört und\n" +
		"            noch eines  → do = \"it\"\n" +
		" !   kurz  → und gut\n" +
		" !\n"
	if out.String() != want {
		t.Errorf("%s", out.String())
	}
}

func TestClockFinding(t *testing.T) {
	for _, tt := range []struct {
		clock machine.Clock
		state string
	}{
		{machine.Clock{Source: "tsc", ReadNS: 25, TickNS: 20}, fine},
		{machine.Clock{Source: "kvm-clock", ReadNS: 30, TickNS: 20}, fine},
		{machine.Clock{Source: "hpet", ReadNS: 900, TickNS: 70}, note},
		{machine.Clock{ReadNS: 300, TickNS: 70}, note},
	} {
		if f := clock(tt.clock); f.State != tt.state || (f.Do == "") != (tt.state == fine) || strings.HasPrefix(f.Text, ",") {
			t.Errorf("%+v: %+v", tt.clock, f)
		}
	}
}

func TestLoadFinding(t *testing.T) {
	k := func(loadavg, pressure string) *machinetest.Kernel {
		k, err := machinetest.Load(filepath.Join(machines, "vm.txtar"))
		if err != nil {
			t.Fatal(err)
		}
		k.Put("proc/loadavg", loadavg)
		k.Put("proc/pressure/cpu", pressure)
		return k
	}
	for _, tt := range []struct{ loadavg, pressure, state, text string }{
		{"0.04 0.1 0.1 1/100 1", "some avg10=0.00 avg60=1.00 avg300=0.00 total=1\n", fine, "0.04 tasks"},
		{"0.04 0.1 0.1 1/100 1", "some avg10=12.50 avg60=1.00 avg300=0.00 total=1\n", note, "12 % of the time"},
		{"1.75 0.1 0.1 1/100 1", "", note, "1.8 tasks"},
		{"", "some avg10=0.00", note, "not known"},
	} {
		if f := load(k(tt.loadavg, tt.pressure)); f.State != tt.state || !strings.Contains(f.Text, tt.text) {
			t.Errorf("%q, %q: %+v", tt.loadavg, tt.pressure, f)
		}
	}
}

// TestEachKnobIsSaidOnce, whatever the machine: none is forgotten, and the
// advice stands with its price.
func TestEachKnobIsSaidOnce(t *testing.T) {
	for _, name := range []string{"desktop", "server", "laptop", "vm", "container"} {
		k, err := machinetest.Load(filepath.Join(machines, name+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		d := examination{t: &terminal{tree: k}}
		if err := d.look(); err != nil {
			t.Fatal(err)
		}
		said := map[string]int{}
		for _, f := range d.settings() {
			names := f.Topic + " " + strings.NewReplacer(",", " ", "·", " ", ":", " ").Replace(f.Text)
			for _, k := range machine.Knobs() {
				if strings.Contains(" "+names+" ", " "+k.Name()+" ") {
					said[k.Name()]++
				}
			}
			if f.Text == "" || f.State == note && f.Do == "" {
				t.Errorf("%s: %+v says not what to do", name, f)
			}
		}
		for _, k := range machine.Knobs() {
			if n := said[k.Name()]; n == 0 && (!isPersonal(k.Name()) || k.Name() == "aslr") {
				t.Errorf("%s: nothing is said of %s", name, k.Name())
			}
		}
	}
}

// TestAsRoot: who is not root learns which advice needs it.
func TestAsRoot(t *testing.T) {
	s := sorted{examination: &examination{}}
	for _, k := range []results.KnobState{
		{Name: "turbo", Found: "on", Wanted: "off", Policy: advised, Reason: "it needs root: run moobench with sudo, or so"},
		{Name: "watchdog", Found: "on", Wanted: "off", Policy: advised},
		{Name: "smt", Found: "on", Wanted: "off", Policy: advised, Reason: "not even root may change it here: only the host can"},
	} {
		s.sort(k)
	}
	var do []string
	s.better = append(s.better, s.summary()...)
	for _, f := range s.better {
		do = append(do, f.Do)
	}
	want := []string{`turbo = "off", as root`, `watchdog = "off"`, `[machine] profile = "fixed-hardware" sets them for each run, and puts them back; run it as root`}
	if !slices.Equal(do, want) || len(s.stuck) != 1 {
		t.Errorf("%q, and %+v", do, s.stuck)
	}
}

func TestCure(t *testing.T) {
	for reason, want := range map[string][2]string{
		"it needs root: run moobench with sudo, or so": {"it needs root", "run moobench with sudo, or so"},
		"version 1 has them: boot with x":              {"version 1 has them", "boot with x"},
		"the kernel keeps it":                          {"the kernel keeps it", ""},
	} {
		if why, do := cure(reason); why != want[0] || do != want[1] {
			t.Errorf("%s: %q, %q", reason, why, do)
		}
	}
	if !needsRoot(results.KnobState{Reason: "it needs root: run"}) || needsRoot(results.KnobState{Reason: "not even root may write it"}) {
		t.Error("who needs root?")
	}
}
