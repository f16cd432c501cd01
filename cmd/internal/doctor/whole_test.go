package doctor

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"moobench/cmd/internal/standard"
	"moobench/harness/fixture"
	"moobench/harness/jvm"
	"moobench/harness/machine"
	"moobench/harness/machine/cpu"
	"moobench/harness/machine/knob"
	"moobench/internal/testmachine"
	"moobench/internal/testmaven"
	"moobench/refusal"
	"moobench/results"
)

// alone gives a test a home, a lock and a journal of its own.
func alone(t *testing.T) (home string) {
	t.Helper()
	home = t.TempDir()
	for name, path := range map[string]string{
		"HOME": "", "XDG_CACHE_HOME": "cache", "XDG_STATE_HOME": "state", "XDG_CONFIG_HOME": "config",
		machine.LockVar: "lock", machine.JournalVar: "journal",
	} {
		t.Setenv(name, filepath.Join(home, path))
	}
	return home
}

// abandoned is a machine whose swappiness and huge pages a moobench that died had changed.
func abandoned(t *testing.T) *testmachine.Kernel {
	t.Helper()
	k := testmachine.Open(t, "server")
	place := func() (cpu.Placement, error) {
		top, err := cpu.ReadTopology(k)
		return cpu.Place(nil, top), err
	}
	wishes := []knob.Wish{
		{Knob: "swappiness", Value: "7", Policy: results.PolicyTry},
		{Knob: "thp", Value: "always", Policy: results.PolicyTry},
	}
	if _, err := machine.Quieten(k, machine.JournalPath(), "runs/mine", place, wishes); err != nil {
		t.Fatal(err)
	}
	var journal map[string]any
	text, err := os.ReadFile(machine.JournalPath())
	if err := errors.Join(err, json.Unmarshal(text, &journal)); err != nil {
		t.Fatal(err)
	}
	journal["pid"] = 0 // it is dead
	text, err = json.Marshal(journal)
	if err := errors.Join(err, os.WriteFile(machine.JournalPath(), text, 0o600)); err != nil {
		t.Fatal(err)
	}
	return k
}

// TestPutBack: what is put back, what somebody else changed meanwhile, and what can't be put back are told apart.
func TestPutBack(t *testing.T) {
	const swappiness = "proc/sys/vm/swappiness"
	for name, c := range map[string]struct {
		change func(k *testmachine.Kernel) *testmachine.Kernel
		says   []string
		err    string
		left   bool
	}{
		"all": {
			func(k *testmachine.Kernel) *testmachine.Kernel { return k },
			[]string{"putting back 2 settings", "\n ok ", "\neverything is as it was found\n"},
			"", false,
		},
		"but one": {
			func(k *testmachine.Kernel) *testmachine.Kernel {
				k.Put(swappiness, "33\n")
				return k
			},
			[]string{"\n ok ", "\n ! ", "\nthe rest is as it was found; what somebody else changed was left alone\n"},
			"", false,
		},
		"not one": {
			func(k *testmachine.Kernel) *testmachine.Kernel {
				rejecting := testmachine.Open(t, "server", "rejects "+swappiness)
				for path, content := range k.Content() {
					rejecting.Put(path, content)
				}
				return rejecting
			},
			[]string{"\n ok ", "\n x "},
			"1 setting could not be put back", true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			alone(t)
			k := abandoned(t)
			all := LeftChanged(k)
			if len(all) != 1 || all[0].Do != "moobench doctor --restore" || !strings.Contains(all[0].Text, "swap") {
				t.Errorf("before: %+v", all)
			}
			k = c.change(k)
			var out strings.Builder
			err := Restore(&out, 100, k)
			if (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
				t.Errorf("%v, want %q", err, c.err)
			}
			for _, says := range c.says {
				if !strings.Contains(out.String(), says) {
					t.Errorf("no %q in\n%s", says, out.String())
				}
			}
			if left := LeftChanged(k); (len(left) > 0) != c.left {
				t.Errorf("afterwards: %+v", left)
			}
		})
	}
}

// TestSpeeds: the speeds at which costs are told with this machine's CPU, and those that it has no more.
func TestSpeeds(t *testing.T) {
	home := alone(t)
	host := results.Machine{CPU: "C", Stepping: "1"}
	if all := standards(host); len(all) != 0 {
		t.Errorf("none is kept: %+v", all)
	}
	last := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	kept := func(cpu, stepping, runtime string, ns, lastNS float64) standard.Kept {
		s := results.Standard{NS: ns, CPU: cpu, Stepping: stepping, Runtime: runtime}
		return standard.Kept{Standard: s, LastNS: lastNS, Last: last}
	}
	file := standard.File{Format: 1, Kept: []standard.Kept{
		kept("C", "1", "21", 2000, 2100), kept("C", "2", "22", 2000, 0), kept("D", "1", "23", 2000, 0),
		kept("C", "1", "17", 2000, 3000),
	}}
	text, err := json.Marshal(file)
	own, errOwn := standard.Read("")
	if err := errors.Join(err, errOwn, os.MkdirAll(filepath.Dir(own.Path), 0o700)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(own.Path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	want := `ok      speed: costs with JDK 21 are reported at the speed at which the reference takes 2.000 µs
note    speed: costs with JDK 17 are reported at the speed at which the reference takes 2.000 µs; ` +
		`in the campaign of 2026-11-21 the CPU was 50 % slower: 3.000 µs → ` +
		`if it stays so, report costs at another speed: [machine] standard = "3000ns", or take it out of ` + own.Path +
		"; costs before and after are then not at one speed\n"
	if got := written(standards(host)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if err := os.WriteFile(own.Path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if all := standards(host); len(all) != 1 || all[0].State != note || !strings.Contains(all[0].Text, home) {
		t.Errorf("a file that can't be read: %+v", all)
	}
}

// sure are findings of software, without what hangs on this machine: other JDKs, and how many jars there are.
func sure(all []Finding) string {
	text := regexp.MustCompile(`(?m)^.* is here too .*\n`).ReplaceAllString(written(all), "")
	return regexp.MustCompile(`\d+ jars? of the catalogue.*|the other \d+ that`).ReplaceAllString(text, "jars")
}

// TestSoftware: the JDK, Maven, the fixtures and the jars of the catalogue, where they are and where they are not.
func TestSoftware(t *testing.T) {
	home := alone(t)
	java := jvm.Java{Version: "21.0.1", Home: "/jdk"}
	known := Case{
		Java:     func() (jvm.Java, error) { return java, nil },
		Fixtures: func() (*fixture.Builder, error) { return nil, errors.New("no home") },
	}
	none := Case{
		Java:     func() (jvm.Java, error) { return java, refusal.New(errors.New("no JDK"), "install one") },
		Fixtures: func() (*fixture.Builder, error) { return nil, refusal.New(errors.New("no home"), "make one") },
	}
	const has, maven = "ok      JDK: 21.0.1 in /jdk\n", "ok      Maven: Apache Maven 3.9\n"
	const lacking, jars = "missing fixtures: no home → ", "ok      frameworks: jars\n"
	testmaven.Fake(t, home, "printf 'Apache Maven 3.9\\nMaven home: /m\\n'\n")
	for name, c := range map[string]struct {
		of      Case
		bundled bool
		want    string
	}{
		"all":     {known, false, has + maven + lacking + "install moobench again\n" + jars},
		"bundled": {known, true, has},
		"no JDK":  {none, false, "missing JDK: no JDK → install one\n" + maven + lacking + "make one\n" + jars},
	} {
		c.of.Bundled = c.bundled
		if got := sure(c.of.software(t.Context())); got != c.want {
			t.Errorf("%s: got\n%swant\n%s", name, got, c.want)
		}
	}
	testmaven.Fake(t, home, "exit 3\n")
	broken := sure(known.software(t.Context()))
	if !strings.Contains(broken, "missing Maven: asking mvn for its version: exit status 3 → apt-get install maven\n") {
		t.Error(broken)
	}
	for _, f := range artifacts(t.Context()) {
		text := regexp.MustCompile(`\d+`).ReplaceAllString(f.Text, "N")
		const want = "N jars of the catalogue here, with the right checksums; " +
			"moobench run has Maven fetch those of the other N that it needs"
		if text != want || f.State != fine || !strings.HasPrefix(f.Text, "0 jars") {
			t.Errorf("without a repository: %+v", f)
		}
	}
}

// TestExamine: a checkup has all of its parts in order, names its file and its machine, and is right unless something
// is missing.
func TestExamine(t *testing.T) {
	alone(t)
	k := abandoned(t)
	for name, err := range map[string]error{"fine": nil, "no JDK": errors.New("no JDK")} {
		c := Case{Tree: k, Bundled: true, Java: func() (jvm.Java, error) { return jvm.Java{}, err }}
		if err != nil {
			c.File = demanding()
			c.File.Machine = c.section()
			c.File.Machine.Profile, c.File.Machine.Knobs = results.ProfileAsIs, nil
		}
		checkup, wrong := Examine(t.Context(), c)
		if wrong != nil {
			t.Fatal(wrong)
		}
		var parts []string
		for _, f := range checkup.Findings {
			if len(parts) == 0 || parts[len(parts)-1] != f.Section {
				parts = append(parts, f.Section)
			}
		}
		if got := strings.Join(parts, " "); got != "left software machine settings now" {
			t.Errorf("%s: %s", name, got)
		}
		named := checkup.Machine != "" && checkup.Host != ""
		if checkup.OK != (err == nil) || len(checkup.Knobs) != len(knob.All()) || !named {
			t.Errorf("%s: %+v", name, checkup)
		}
		if want := map[bool]string{false: "x.toml"}[err == nil]; checkup.File != want {
			t.Errorf("%s: for %q", name, checkup.File)
		}
	}
}
