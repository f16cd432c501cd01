package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"moobench/cmd/internal/session"
	"moobench/harness/config"
	"moobench/results"
	"moobench/scenarios"
	"moobench/scenarios/serving"
)

// reliabilityClients is the number of clients of reliabilityCampaign. A server has fewer
// sockets before its load: one to listen and one to moobench.
const reliabilityClients = 8

// reliabilityCampaign is a short load on a server with few clients. How late we
// are on a machine that does something else as well is not what is tested.
func reliabilityCampaign(variants string) string {
	return fmt.Sprintf(reliabilityTOML, variants, reliabilityClients)
}

const reliabilityTOML = `
name = "reliability"
[jvm]
args = ["-XX:TieredStopAtLevel=1"]
[[scenario]]
use       = "reliability"
variants  = [%s]
clients   = %d
think     = "2ms"
ramp      = "1s"
hold      = "2s"
toggle    = "300ms"
lag_bound = "10s"
blocks    = 1
resources = 0
`

// TestEveryParameterCanBeSet: none of a scenario's parameters is called like a
// key that every [[scenario]] has, by which it would be hidden.
func TestEveryParameterCanBeSet(t *testing.T) {
	term := &terminal{session.Lab{Scenarios: scenarios.All()}}
	for _, scenario := range term.Scenarios {
		s := scenario.Schema()
		toml := fmt.Sprintf("name = \"all\"\n[[scenario]]\nuse = %q\nvariants = [\"none\"]\n", s.Name)
		for _, p := range s.Parameters {
			value := p.Default
			if p.Type != results.TypeInt && p.Type != results.TypeBool {
				value = strconv.Quote(value)
			}
			toml += p.Name + " = " + value + "\n"
		}
		path := filepath.Join(t.TempDir(), "benchmarks.toml")
		if err := os.WriteFile(path, []byte(toml), 0o666); err != nil {
			t.Fatal(err)
		}
		f, err := config.Load(path, term.Known())
		if err != nil {
			t.Errorf("%s: %v\n%s", s.Name, err, toml)
			continue
		}
		if len(f.Scenarios[0].Parameters) != len(s.Parameters) || f.Scenarios[0].Timeout != 0 {
			t.Errorf("%s: %v of %d parameters, timeout %s", s.Name, f.Scenarios[0].Parameters, len(s.Parameters), f.Scenarios[0].Timeout)
		}
	}
}

// TestReliability: a server whose probes are toggled under load loses nothing, and
// every call that was begun under a probe is a record.
func TestReliability(t *testing.T) {
	needReal(t)
	dir := t.TempDir()
	toml := reliabilityCampaign(`"none", "probe/manual/collect", "probe/hotswap/collect"`)
	if err := os.WriteFile(filepath.Join(dir, "benchmarks.toml"), []byte(toml), 0o666); err != nil {
		t.Fatal(err)
	}
	out, status := real(t, dir, "run", "--seed", "1", "-o", "out", "benchmarks.toml")
	if !served(t, filepath.Join(dir, "out"), out, status) {
		t.Errorf("exit status %d", status)
	}
	whole(t, filepath.Join(dir, "out"))
	store, _ := analysed(t, filepath.Join(dir, "out"))
	invocations, err := store.Invocations()
	if err != nil || len(invocations) != 4 {
		t.Errorf("%d invocations, %v", len(invocations), err)
	}
	for _, inv := range invocations {
		checkServed(t, store.Campaign().Cell(inv.Cell), inv)
	}
	if t.Failed() {
		t.Log(out)
	}
}

// checkServed holds what became of the requests of an invocation against what
// must.
func checkServed(t *testing.T, c *results.Cell, inv *results.Invocation) {
	t.Helper()
	s := inv.Scalars
	if inv.Status != results.StatusOK || inv.Invalid != "" {
		t.Errorf("%s %s: %s, void %q: %+v", inv.Identity, c.Label(), inv.Status, inv.Invalid, inv.Failure)
		return
	}
	if s["requests_all"] < 100 || s["lost_all"] != 0 || s[serving.CPUPerRequest] <= 0 || s["load_cpu"] <= 0 {
		t.Errorf("%s %s: %v of %v lost, %v ns of CPU time each", inv.Identity, c.Label(), s["lost_all"], s["requests_all"], s[serving.CPUPerRequest])
	}
	toggles, probed := s["toggles"], c.Role == results.RoleVariant
	if (toggles > 1) != probed || probed && (inv.Proof.Expected == 0 || inv.Proof.ByExit != inv.Proof.Expected || float64(inv.Proof.Expected) >= s["requests_all"]) {
		t.Errorf("%s %s: %v toggles, %+v of %v requests", inv.Identity, c.Label(), toggles, inv.Proof, s["requests_all"])
	}
	rows := map[string]int64{}
	for _, series := range inv.Series {
		rows[series.Name] = series.Count
	}
	if float64(rows[results.SeriesRequest]) != s["requests"] || float64(rows[results.SeriesToggle]) != toggles || rows[results.SeriesTimeline] != 30 {
		t.Errorf("%s %s: rows %v, %v requests, %v toggles", inv.Identity, c.Label(), rows, s["requests"], toggles)
	}
}

// TestKilledUnderLoad kills the server in the middle of its load, which costs
// that invocation, and then moobench in the middle of the next, which costs a
// block: the campaign is resumed, and nothing is missing or doubled.
func TestKilledUnderLoad(t *testing.T) {
	needReal(t)
	dir := t.TempDir()
	toml := reliabilityCampaign(`"none", "probe/hotswap/collect"`)
	if err := os.WriteFile(filepath.Join(dir, "benchmarks.toml"), []byte(toml), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(newPlace(t).dir, "jdk", "bin", "moobench"), "run", "--seed", "1", "-o", "out", "benchmarks.toml")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "MOOBENCH_LOCK="+filepath.Join(dir, "lock"))
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	server := underLoad(t, cmd.Process.Pid, 0)
	if p, err := os.FindProcess(server); err != nil || p.Kill() != nil {
		t.Fatalf("killing process %d: %v", server, err)
	}
	underLoad(t, cmd.Process.Pid, server)
	cmd.Process.Kill()
	cmd.Wait()
	out, status := real(t, dir, "run", "--resume", "out")
	if !served(t, filepath.Join(dir, "out"), out, status) {
		t.Errorf("exit status %d after the resume", status)
	}
	whole(t, filepath.Join(dir, "out"))
	checkOneDied(t, filepath.Join(dir, "out"))
	if t.Failed() {
		t.Logf("%s\n%s", said.String(), out)
	}
}

// underLoad waits until a process has a server that is not the last one, and until
// clients are connected to it. How far it is in its load then does not matter. No time
// is waited for instead: on a slow machine, the JVM may not even have begun by then.
func underLoad(t *testing.T, parent, last int) int {
	t.Helper()
	for range 6000 { // the fixtures may have to be built
		for _, pid := range children(parent) {
			line, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
			if err == nil && pid != last && strings.Contains(string(line), "moobench.server.Main") && sockets(pid) >= reliabilityClients {
				return pid
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("moobench starts no server, or no load")
	return 0
}

// sockets counts the sockets that a process has open.
func sockets(pid int) (n int) {
	files, err := filepath.Glob(filepath.Join("/proc", strconv.Itoa(pid), "fd", "*"))
	if err != nil {
		return 0
	}
	for _, file := range files {
		if to, err := os.Readlink(file); err == nil && strings.HasPrefix(to, "socket:") {
			n++
		}
	}
	return n
}

// children are the processes that a process has started, by any of its threads.
func children(parent int) (pids []int) {
	lists, err := filepath.Glob(filepath.Join("/proc", strconv.Itoa(parent), "task", "*", "children"))
	if err != nil {
		return nil
	}
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if err != nil {
			continue // the thread has ended
		}
		for _, word := range strings.Fields(string(text)) {
			if pid, err := strconv.Atoi(word); err == nil {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

// checkOneDied: a single invocation failed, because its server died, and what
// replaced it is whole.
func checkOneDied(t *testing.T, dir string) {
	t.Helper()
	store, err := results.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	invocations, err := store.Invocations()
	if err != nil {
		t.Fatal(err)
	}
	failed := 0
	for _, inv := range invocations {
		if inv.Status != results.StatusFailed {
			checkServed(t, store.Campaign().Cell(inv.Cell), inv)
			continue
		}
		if failed++; inv.Failure.Kind != "died" {
			t.Errorf("%s failed otherwise: %+v", inv.Identity, inv.Failure)
		}
	}
	if failed != 1 {
		t.Errorf("%d of %d invocations failed, want 1", failed, len(invocations))
	}
}
