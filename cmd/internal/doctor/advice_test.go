package doctor

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"moobench/analysis/report"
	"moobench/harness/config"
	"moobench/harness/machine"
	"moobench/harness/machine/cpu"
	"moobench/harness/strict"
	"moobench/internal/testgolden"
	"moobench/internal/testmachine"
	"moobench/refusal"
	"moobench/results"
)

// written are findings, a line each.
func written(all []Finding) string {
	var b strings.Builder
	for _, f := range all {
		fmt.Fprintf(&b, "%-7s %s: %s", f.State, f.Topic, f.Text)
		if f.Do != "" {
			b.WriteString(" → " + f.Do)
		}
		b.WriteString(map[bool]string{true: " (required)\n", false: "\n"}[f.Required])
	}
	return b.String()
}

// demanding is a file that wants settings, a host and CPUs.
func demanding() *config.File {
	f := &config.File{Document: &strict.Document{Path: "x.toml"}}
	f.Machine = config.Machine{Profile: results.ProfileAsIs, Host: "bench-01", Knobs: []results.KnobState{
		{Name: "turbo", Wanted: "off", Policy: results.PolicyRequire},
		{Name: "thp", Wanted: "always", Policy: results.PolicyTry},
		{Name: "smt", Wanted: "off", Policy: results.PolicyTry},
		{Name: "swappiness", Policy: results.PolicyObserve},
	}}
	f.Scenarios = []config.Scenario{{Parameters: map[string][]string{results.FactorFrequency: {"fixed", "scaling"}, results.FactorCPUs: {"1", "4096"}}}}
	return f
}

// TestAdvice: what is said of machines of several kinds, for a file and for none. What hangs on the machine at hand is
// left out: its clock, and which of its CPUs measure.
func TestAdvice(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	var got strings.Builder
	for _, name := range []string{"desktop", "server", "laptop", "vm", "container"} {
		for _, file := range []*config.File{nil, demanding()} {
			e, err := Case{Tree: testmachine.Open(t, name), File: file}.look()
			if err != nil {
				t.Fatal(err)
			}
			e.placement = cpu.Placement{} // those of the machine at hand
			e.host.CPUs = 4
			measured := func(f Finding) bool {
				return slices.Contains([]string{"clock", "accounting", "CPUs", "machine", "cpus", "irqs", "cpuset", "all of them"}, f.Topic)
			}
			fmt.Fprintf(&got, "--- %s, a file: %t\n%s--\n%s", name, file != nil, written(slices.DeleteFunc(e.computer(), measured)), written(slices.DeleteFunc(e.advice(), measured)))
		}
	}
	testgolden.Check(t, filepath.Join("testdata", "advice.txt"), got.String())
}

// TestUnseen: knobs that nobody can see share a line where the kernel shows nothing of the frequency, and who hides it
// is named.
func TestUnseen(t *testing.T) {
	hidden := []string{"governor", "turbo", "max_frequency"}
	of := func(facts map[string]string, names ...string) []Finding {
		s := groups{examination: &examination{host: results.Machine{Facts: facts}}}
		for _, name := range names {
			k := found(t, name, nil)
			k.Found = ""
			s.unknown = append(s.unknown, k)
		}
		return s.unseen()
	}
	for name, c := range map[string]struct {
		got  []Finding
		want string
	}{
		"nothing": {of(nil), ""},
		"one":     {of(nil, "turbo"), "ok      not here: turbo: the kernel has none, or does not show it; recorded as unknown\n"},
		"in a virtual machine": {
			of(map[string]string{"virtualisation": "kvm", "container": "lxc"}, hidden...),
			"note    frequency: governor, turbo, max_frequency: decided by the host of this virtual machine, can't be read or set here → dedicated hardware\n",
		},
		"in a container": {
			of(map[string]string{"container": "lxc"}, hidden...),
			"note    frequency: governor, turbo, max_frequency: can't be read in this container → measure on the host itself\n",
		},
		"by the firmware": {
			of(nil, append(hidden, "thp")...),
			"note    frequency: governor, turbo, max_frequency: decided by the firmware, can't be read or set here → let the operating system control it, in the firmware's setup\n" +
				"ok      not here: thp: the kernel has none, or does not show it; recorded as unknown\n",
		},
	} {
		if got := written(c.got); got != c.want {
			t.Errorf("%s:\n%swant\n%s", name, got, c.want)
		}
	}
}

// TestCPUsFinding: CPUs that can't be kept apart are named, with what would help.
func TestCPUsFinding(t *testing.T) {
	for name, c := range map[string]struct {
		remark string
		cpus   int
		want   Finding
	}{
		"apart":     {"", 2, Finding{State: fine, Topic: "CPUs"}},
		"too few":   {"they share", 3, Finding{State: note, Topic: "CPUs", Do: "four CPUs or more keep them apart"}},
		"kept away": {"they share", 4, Finding{State: note, Topic: "CPUs", Do: "let moobench use more of the CPUs (taskset, cpuset, pin)"}},
	} {
		e := &examination{host: results.Machine{CPUs: c.cpus}, placement: cpu.Placement{Remark: c.remark}}
		got := e.cpus()
		if !strings.HasSuffix(got.Text, c.remark) {
			t.Errorf("%s: %s", name, got.Text)
		}
		if got.Text = ""; got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// TestStates: what lacks is told from what a file requires and what could be better.
func TestStates(t *testing.T) {
	required := Finding{State: lacks, Topic: "turbo", Text: "a", Required: true}
	for name, c := range map[string]struct {
		findings []Finding
		missing  bool
		lacks    []string
	}{
		"nothing":  {nil, false, nil},
		"notes":    {[]Finding{{State: note, Topic: "x"}, {State: fine, Topic: "y"}}, false, nil},
		"required": {[]Finding{required}, false, []string{"turbo: a"}},
		"missing":  {[]Finding{required, {State: lacks, Topic: "JDK", Text: "b"}}, true, []string{"turbo: a", "JDK: b"}},
	} {
		checkup := &Checkup{Findings: c.findings}
		if checkup.Missing() != c.missing || !slices.Equal(checkup.Lacks(), c.lacks) {
			t.Errorf("%s: missing %t, lacks %q", name, checkup.Missing(), checkup.Lacks())
		}
	}
}

// TestCheckupInWords: findings are grouped as they come, a topic is said once, and what a file requires in vain at the
// end.
func TestCheckupInWords(t *testing.T) {
	c := &Checkup{File: "x.toml", Findings: []Finding{
		{Section: "left", State: note, Topic: "left changed", Text: "turbo", Do: "restore it"},
		{Section: "software", State: fine, Topic: "JDK", Text: "17"},
		{Section: "software", State: fine, Topic: "JDK", Text: "25 is here too"},
		{Section: "settings", State: lacks, Topic: "turbo", Text: "it is on", Do: "switch it off", Required: true},
		{Section: "now", State: fine, Topic: "load", Text: "0.1 tasks"},
	}}
	var b strings.Builder
	if err := c.Write(&b, "text", report.Options{Width: 100}); err != nil {
		t.Fatal(err)
	}
	want := ` !   left changed  turbo  → restore it
software
 ok  JDK           17
 ok                25 is here too
settings, as x.toml wants them
 x   turbo         it is on  → switch it off
right now
 ok  load          0.1 tasks
x.toml requires what is not available here: turbo
`
	if b.String() != want {
		t.Errorf("%s", b.String())
	}
}

func TestAmounts(t *testing.T) {
	for d, want := range map[time.Duration]string{
		time.Hour: "1 h", 90 * time.Minute: "1 h 30 min", 2 * time.Hour: "2 h", time.Minute: "1 min", 10 * time.Minute: "10 min", 59 * time.Second: "59 s",
		90 * time.Second: "90 s", time.Hour + time.Second: "3601 s", 1500 * time.Millisecond: "1.5 s",
	} {
		if got := Amount(d); got != want {
			t.Errorf("%v is %s, want %s", d, got, want)
		}
	}
}

// TestRestoreSays: what is put back, what is left to others, and what a journal held that nobody can read.
func TestRestoreSays(t *testing.T) {
	dir := t.TempDir()
	journal := filepath.Join(dir, "journal")
	t.Setenv(machine.LockVar, filepath.Join(dir, "lock"))
	t.Setenv(machine.JournalVar, journal)
	const nothing = "nothing to put back: no moobench left anything changed on this machine\n"
	for text, want := range map[string]string{
		"":                nothing,
		"this is nothing": "the journal held nothing that could be undone, and moobench writes none like that: it is kept as " + journal + ".",
	} {
		if text != "" {
			if err := os.WriteFile(journal, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var out strings.Builder
		if err := Restore(&out, 80, testmachine.Open(t, "server")); err != nil || !strings.HasPrefix(out.String(), want) || !strings.HasSuffix(out.String(), nothing) {
			t.Errorf("%q: %v\n%s", text, err, out.String())
		}
	}
}

// TestFindingsOfErrors: of an error why and what to do, and of a calibration that is not there how to make one.
func TestFindingsOfErrors(t *testing.T) {
	err := refusal.New(errors.New("it is so"), "mend it")
	if f := finding(lacks, "x", err); f != (Finding{State: lacks, Topic: "x", Text: "it is so", Do: "mend it"}) {
		t.Errorf("%+v", f)
	}
	if f := lastCalibration(nil, err); f != (Finding{State: note, Topic: "calibration", Text: "it is so", Do: "mend it"}) {
		t.Errorf("%+v", f)
	}
	if f := lastCalibration(nil, nil); f.Text != "none yet" || f.State != note || f.Do == "" {
		t.Errorf("%+v", f)
	}
	c := someCalibration()
	c.ResolvesNS, c.ResolvesShare, c.ResolvesInNS = 12.3, 0.012, int64(10*time.Minute)
	const want = "2026-11-21: 2 µs came out as 2.001 µs (1.998 … 2.004 µs); 10 min resolve about 12 ns (1.2 %): recovered: the known cost lies in the interval"
	if f := lastCalibration(&c, nil); f.Text != want || f.State != fine {
		t.Errorf("%+v", f)
	}
}
