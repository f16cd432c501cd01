package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/proof"
	"moobench/harness/jvm"
	"moobench/results"
)

// realCampaign measures each way into a JVM, each way out of one that has records counted, and each kind
// of proof once and briefly, and one variant whose agent looks for a class that is not there. What is true
// of each framework stands in its conformance.txtar, and make soak looks.
const realCampaign = `
name = "end-to-end"
[jvm]
args = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
[[scenario]]
use       = "overhead"
variants  = [
  "none", "blind",
  "probe/manual/collect", "probe/bci/write", "probe/hotswap/removed", "probe/attach/disabled", "probe/hybrid/collect",
  "redefine/hotswap/collect",  # another swapper
  "kieker/adaptive/collect",   # switched while the program runs
  "kieker/manual/dump",        # proven by a sibling
  "kieker-aspectj/bci/binary", # files of the framework's own
  "pfl/build/count",           # classes that a tool has prepared
  "pfl/load/dprint",           # counted in what the program prints
  "opentelemetry/bci/otlp",
  "threadlog/bci/ring",
]
calls     = 2000
blocks    = 1
resources = 0
[framework.blind]
maven  = "net.kieker-monitoring:kieker:2.0.2:bytebuddy"
sha256 = "7217391b5a88ab3df807a666b0710bebc52415cc01c0fb3147e72c63f9162a53"
env    = { KIEKER_SIGNATURES_INCLUDE = "public long no.such.Type.monitoredMethod(long, int)" }
args   = ["-Dkieker.monitoring.hostname=moobench", "-Dkieker.monitoring.metadata=false",
          "-Dkieker.monitoring.writer=moobench.bridge.kieker.CountingWriter"]
classpath = ["{fixture.bridge-kieker}"]
proof  = { count = "fixture", per_call = "depth" }
`

// javas are the JDKs that a test of one is run on: all of them in the whole conformance suite.
func javas() []jvm.Java {
	all := jvm.All()
	if !*conform && len(all) > 1 {
		all = all[:1]
	}
	return all
}

// needReal skips where there is no JDK or Maven, by name.
func needReal(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("needs minutes: -short was given")
	}
	for _, program := range []string{"javac", "mvn"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("needs %s: %v", program, err)
		}
	}
}

// real runs moobench with the machine's own JDK, Maven and caches.
func real(t *testing.T, dir string, args ...string) (out string, status int) {
	t.Helper()
	cmd := realCommand(t, dir, args...)
	b, err := cmd.CombinedOutput()
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		t.Fatal(err)
	}
	return string(b), cmd.ProcessState.ExitCode()
}

// realCommand is the same, ready to be started.
func realCommand(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	p := newPlace(t)
	cmd := exec.Command(filepath.Join(p.dir, "jdk", "bin", "moobench"), args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "MOOBENCH_LOCK="+filepath.Join(dir, "lock"), "XDG_STATE_HOME="+filepath.Join(p.dir, "state"))
	return cmd
}

// measured says whether a campaign went well. Other tests run beside it: where these took so much
// of the CPU that cells say so and have no mean, that is as it should be.
func measured(out string, status int) bool {
	waited := strings.Contains(strings.Join(strings.Fields(out), " "), "calls waited")
	return status == exitFine || status == exitIncomplete && waited
}

// served is the same of a campaign that sends requests, where these may have come too late: then
// their latency is void.
func served(t *testing.T, dir, out string, status int) bool {
	t.Helper()
	store, err := results.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	all, err := store.Invocations()
	if err != nil {
		t.Fatal(err)
	}
	late := slices.ContainsFunc(all, func(inv *results.Invocation) bool { return len(inv.Void) > 0 })
	return measured(out, status) || status == exitIncomplete && late
}

func TestCatalogueOnRealJVMs(t *testing.T) {
	needReal(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "benchmarks.toml"), []byte(realCampaign), 0o666); err != nil {
		t.Fatal(err)
	}
	out, status := real(t, dir, "run", "--seed", "1", "-o", "out", "benchmarks.toml")
	if status != exitIncomplete || !strings.Contains(out, "not instrumented") {
		t.Errorf("exit status %d, want %d, for the blind agent:\n%s", status, exitIncomplete, out)
	}
	checkCampaign(t, filepath.Join(dir, "out"), out)
}

// otherCampaign leaves agents to one thread: the blocking queue of Kieker 2.0.2
// is made for a single producer, and two of them can wait in it for ever.
const otherCampaign = `
name = "other"
[jvm]
home = %q
args = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
[[scenario]]
use       = "overhead"
variants  = ["none", "probe/manual/collect", "probe/bci/write", "probe/hotswap/collect", "probe/hotswap/inactive"]
calls     = 2000
threads   = [1, 2]
batch     = 10
blocks    = 1
resources = 1
[[scenario]]
use       = "overhead"
label     = "agents"
variants  = ["none", "kieker/bci/tcp", "opentelemetry/bci/otlp"]
calls     = 2000
blocks    = 1
resources = 0
`

// TestOtherJDKs runs our probe's three doors and one agent on every further JDK
// that is found, with two threads and with samples of ten calls.
func TestOtherJDKs(t *testing.T) {
	needReal(t)
	all := jvm.All()
	if len(all) < 2 {
		t.Skip("needs a second JDK: only one is installed")
	}
	for _, java := range all[1:] {
		t.Run(java.Version, func(t *testing.T) {
			dir := t.TempDir()
			toml := fmt.Sprintf(otherCampaign, java.Home)
			if err := os.WriteFile(filepath.Join(dir, "benchmarks.toml"), []byte(toml), 0o666); err != nil {
				t.Fatal(err)
			}
			out, status := real(t, dir, "run", "--seed", "1", "-o", "out", "benchmarks.toml")
			if !measured(out, status) || !strings.Contains(out, java.Version) {
				t.Errorf("exit status %d:\n%s", status, out)
			}
			checkCampaign(t, filepath.Join(dir, "out"), out)
		})
	}
}

// interpretedCampaign has JVMs that compile nothing beside others.
const interpretedCampaign = `
name = "interpreted"
[jvm]
home = %q
args = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Dmine=1"]
[[scenario]]
use       = "overhead"
variants  = ["none", "kieker/adaptive/inactive"]
calls     = 500
jvm       = ["", "-Xint -Dq='a b'"]
blocks    = 1
resources = 1
[[scenario]]
use       = "overhead"
label     = "redefined" # takes seconds where nothing is compiled: once
variants  = ["none", "probe/hotswap/collect"]
calls     = 500
jvm       = "-Xint -Dq='a b'"
blocks    = 1
resources = 0
`

// TestOptionsOnRealJVMs: the cells of a level have its options, in both
// profiles, and the probes record there too.
func TestOptionsOnRealJVMs(t *testing.T) {
	needReal(t)
	for _, java := range javas() {
		t.Run(java.Version, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "benchmarks.toml"), fmt.Appendf(nil, interpretedCampaign, java.Home), 0o666); err != nil {
				t.Fatal(err)
			}
			out, status := real(t, dir, "run", "--seed", "1", "-o", "out", "benchmarks.toml")
			if !measured(out, status) {
				t.Errorf("exit status %d:\n%s", status, out)
			}
			checkCampaign(t, filepath.Join(dir, "out"), out)
			store, _ := analysed(t, filepath.Join(dir, "out"))
			all, err := store.Invocations()
			if err != nil {
				t.Fatal(err)
			}
			for _, inv := range all {
				interpreted := store.Campaign().Cell(inv.Cell).Parameter(results.FactorJVM) != results.NoOptions
				first := slices.Index(inv.Command, "-Dmine=1")
				if got := slices.Index(inv.Command, "-Xint"); first < 0 || (got == first+1 && inv.Command[got+1] == "-Dq=a b") != interpreted {
					t.Errorf("%s of %s: %q", inv.Identity, inv.Cell, inv.Command)
				}
				if jit := inv.Scalars["jit_ns"]; inv.Profile != results.ProfileProof && (jit > 0) == interpreted {
					t.Errorf("%s of %s, interpreted %v: %v ns of compiling", inv.Identity, inv.Cell, interpreted, jit)
				}
			}
		})
	}
}

// analysed opens a campaign and answers its questions.
func analysed(t *testing.T, dir string) (*results.Store, *analysis.Answers) {
	t.Helper()
	store, err := results.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	answers, err := analysis.Analyse(store)
	if err != nil {
		t.Fatal(err)
	}
	return store, answers
}

func checkCampaign(t *testing.T, dir, out string) {
	t.Helper()
	whole(t, dir)
	_, answers := analysed(t, dir)
	for _, s := range answers.Scenarios {
		for _, c := range s.Cells {
			checkRecords(t, c)
		}
	}
	if t.Failed() {
		t.Log(out)
	}
}

// checkRecords holds a cell's records against what its variant must deliver.
func checkRecords(t *testing.T, c analysis.Cell) {
	t.Helper()
	if c.Failed > 0 || c.OK == 0 {
		t.Errorf("%s: %d failed, %d ok: %v", c.Label, c.Failed, c.OK, c.Failures)
	}
	switch {
	case c.Role != results.RoleVariant:
	case strings.HasPrefix(c.Label, "blind"):
		if c.Invalid == "" || len(c.Metrics) > 0 && c.Metrics[0].Difference != nil {
			t.Errorf("%s: an agent that looks for another class has a number", c.Label)
		}
	case c.Records == nil:
		t.Errorf("%s: nothing is said about its records", c.Label)
	case c.Invalid != "":
		t.Errorf("%s is void: %s", c.Label, c.Invalid)
	case c.Records.Proof == results.ProofCount && c.Stage == "otlp":
		if c.Records.Received == 0 {
			t.Errorf("%s delivered nothing", c.Label)
		}
	// Kieker 2.0.2 does not wait for its writer: the shutdown hook puts a last record into
	// the queue and ends, so that what a busy machine has not written by then is lost. The
	// cell has to say so.
	case c.Records.Proof == results.ProofCount && strings.HasPrefix(c.Framework, "kieker") && c.Records.Received < c.Records.Expected:
		if lost := c.Records.Expected - c.Records.Received; c.Records.Received == 0 || c.Records.Verdict != proof.Lost || c.Records.Lost != lost {
			t.Errorf("%s delivered %d of %d records, and says %+v", c.Label, c.Records.Received, c.Records.Expected, c.Records)
		}
	case c.Records.Proof == results.ProofCount && c.Stage != "otlp-big" && c.Records.Received != c.Records.Expected:
		t.Errorf("%s delivered %d of %d records", c.Label, c.Records.Received, c.Records.Expected)
	case c.Records.Proof == results.ProofZero && c.Records.Received != 0:
		t.Errorf("%s delivered %d records, and must deliver none", c.Label, c.Records.Received)
	case c.Records.Sibling != nil && !c.Records.Sibling.OK:
		t.Errorf("%s: its sibling: %s", c.Label, c.Records.Sibling.Why)
	}
}
