package doctor

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moobench/harness/config"
	"moobench/harness/machine"
	"moobench/harness/machine/facts"
	"moobench/harness/machine/knob"
	"moobench/harness/strict"
	"moobench/internal/testmachine"
	"moobench/refusal"
	"moobench/results"
)

// TestRestoreWaitsForALivingRun: it puts back what it changed itself.
func TestRestoreWaitsForALivingRun(t *testing.T) {
	lock := filepath.Join(t.TempDir(), "lock")
	t.Setenv(machine.LockVar, lock)
	release, err := machine.Lock(lock, "out")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	err = Restore(&out, 80, machine.System())
	want := fmt.Sprintf("moobench (process %d, campaign out) is measuring on this machine: it puts back what it changed itself", os.Getpid())
	if err == nil || !strings.HasPrefix(err.Error(), want) || out.Len() > 0 {
		t.Errorf("%v\n%s", err, out.String())
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
}

func TestClockFinding(t *testing.T) {
	for _, tt := range []struct {
		clock facts.Clock
		state string
	}{
		{facts.Clock{Source: "tsc", ReadNS: 25, TickNS: 20}, fine},
		{facts.Clock{Source: "kvm-clock", ReadNS: 30, TickNS: 20}, fine},
		{facts.Clock{Source: "hpet", ReadNS: 900, TickNS: 70}, note},
		{facts.Clock{ReadNS: 300, TickNS: 70}, note},
	} {
		if f := clock(tt.clock); f.State != tt.state || (f.Do == "") != (tt.state == fine) || strings.HasPrefix(f.Text, ",") {
			t.Errorf("%+v: %+v", tt.clock, f)
		}
	}
}

func TestLoadFinding(t *testing.T) {
	for _, tt := range []struct{ loadavg, pressure, state, text string }{
		{"0.04 0.1 0.1 1/100 1", "some avg10=0.00 avg60=1.00 avg300=0.00 total=1\n", fine, "0.04 tasks"},
		{"0.04 0.1 0.1 1/100 1", "some avg10=12.50 avg60=1.00 avg300=0.00 total=1\n", note, "12 % of the time"},
		{"1.75 0.1 0.1 1/100 1", "", note, "1.8 tasks"},
		{"", "some avg10=0.00", note, "not known"},
	} {
		k := testmachine.Open(t, "vm")
		k.Put("proc/loadavg", tt.loadavg)
		k.Put("proc/pressure/cpu", tt.pressure)
		if f := load(facts.ReadLoad(k)); f.State != tt.state || !strings.Contains(f.Text, tt.text) {
			t.Errorf("%q, %q: %+v", tt.loadavg, tt.pressure, f)
		}
	}
}

// TestEachKnobIsSaidOnce, whatever the machine: none is forgotten, and the
// advice stands with its price.
func TestEachKnobIsSaidOnce(t *testing.T) {
	for _, name := range []string{"desktop", "server", "laptop", "vm", "container"} {
		e, err := Case{Tree: testmachine.Open(t, name)}.look()
		if err != nil {
			t.Fatal(err)
		}
		said := map[string]int{}
		for _, f := range e.advice() {
			names := f.Topic + " " + strings.NewReplacer(",", " ", "·", " ", ":", " ").Replace(f.Text)
			for _, k := range knob.All() {
				if strings.Contains(" "+names+" ", " "+k.Name+" ") {
					said[k.Name]++
				}
			}
			if f.Text == "" || f.State == note && f.Do == "" {
				t.Errorf("%s: %+v says not what to do", name, f)
			}
		}
		for _, k := range knob.All() {
			if n := said[k.Name]; n == 0 && (!k.Personal() || k.Harmful != "") {
				t.Errorf("%s: nothing is said of %s", name, k.Name)
			}
		}
	}
}

// found is a setting that the profile would have set, were it not for why.
func found(t *testing.T, name string, why error) setting {
	t.Helper()
	k, ok := knob.Named(name)
	if !ok {
		t.Fatalf("there is no knob %s", name)
	}
	s := setting{knob.State{KnobState: results.KnobState{Name: name, Found: "on", Wanted: "off", Policy: advised}}, k}
	if why != nil {
		s.Refuse(why)
	}
	return s
}

// TestAsRoot: who is not root learns which advice needs it.
func TestAsRoot(t *testing.T) {
	s := groups{examination: &examination{}}
	s.sort(found(t, "turbo", &refusal.Error{Why: errors.New("it needs root"), Do: "run moobench with sudo, or so", Need: refusal.Root}))
	s.sort(found(t, "watchdog", nil))
	s.sort(found(t, "smt", fmt.Errorf("/sys/x: %w", &refusal.Error{Why: errors.New("not even root may change it here: only the host can"), Need: refusal.Host})))
	var do []string
	s.better = append(s.better, s.summary()...)
	for _, f := range s.better {
		do = append(do, f.Do)
	}
	want := []string{`turbo = "off", as root`, `watchdog = "off"`, `[machine] profile = "fixed-hardware" sets them for each run, and puts them back; run it as root`}
	if !slices.Equal(do, want) || len(s.stuck) != 1 {
		t.Errorf("%q, and %+v", do, s.stuck)
	}
	if f := s.unsettable(); len(f) != 1 || f[0].Topic != "read-only" {
		t.Errorf("what only the host can change: %+v", f)
	}
}

// TestRefused: what a file asks for in vain is said with what to do about it, and
// what it requires with how to go on without.
func TestRefused(t *testing.T) {
	why := refusal.New(errors.New("version 1 has them"), "boot with x")
	for _, tt := range []struct {
		policy results.Policy
		why    error
		want   Finding
	}{
		{results.PolicyRequire, why, Finding{State: lacks, Topic: "cpuset", Required: true, Text: "x.toml requires off, it is on: version 1 has them", Do: `boot with x; or go on without: policy = "try"`}},
		{results.PolicyRequire, errors.New("no"), Finding{State: lacks, Topic: "cpuset", Required: true, Text: "x.toml requires off, it is on: no", Do: `go on without: policy = "try"`}},
		{results.PolicyTry, why, Finding{State: note, Topic: "cpuset", Text: "off is not available: version 1 has them; any process of the machine may run on the measured CPUs", Do: "boot with x"}},
	} {
		file := &config.File{Document: &strict.Document{Path: "x.toml"}}
		file.Machine.Knobs = []results.KnobState{{Name: "cpuset"}}
		s := groups{examination: &examination{Case: Case{File: file}}}
		k := found(t, "cpuset", tt.why)
		k.Policy = tt.policy
		s.sort(k)
		if got := slices.Concat(s.required, s.unmet); len(got) != 1 || got[0] != tt.want {
			t.Errorf("%+v, want %+v", got, tt.want)
		}
	}
}
