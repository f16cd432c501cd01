package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"moobench/analysis/proof"
	"moobench/results"
)

// TestCommandExample runs a batch job of nobody's with a real agent, that gets in
// by JAVA_TOOL_OPTIONS: its spans arrive, and those of the disabled one don't.
func TestCommandExample(t *testing.T) {
	needReal(t)
	home, err := os.UserHomeDir()
	if err != nil {
		t.Skipf("needs a home folder: %v", err)
	}
	if _, err := os.Stat(filepath.Join(home, ".m2", "repository", "io", "opentelemetry", "javaagent")); err != nil {
		t.Skipf("needs the OpenTelemetry agent in the local Maven repository: %v", err)
	}
	dir := t.TempDir()
	toml, err := os.ReadFile("../../examples/command.toml")
	if err != nil {
		t.Fatal(err)
	}
	java, err := os.ReadFile("../../examples/Batch.java")
	if err != nil {
		t.Fatal(err)
	}
	toml = regexp.MustCompile(`(?m)^blocks .*`).ReplaceAll(toml, []byte("blocks = 1"))
	toml = bytes.Replace(toml, []byte(`"{java}", "Batch`), []byte(`"{java}", "-XX:TieredStopAtLevel=1", "Batch`), 1)
	for name, data := range map[string][]byte{"command.toml": toml, "Batch.java": java} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out, status := real(t, dir, "run", "--seed", "1", "-o", "out", "command.toml")
	if !measured(out, status) {
		t.Errorf("exit status %d:\n%s", status, out)
	}
	store, answers := analysed(t, filepath.Join(dir, "out"))
	checkOwnCommand(t, store)
	for _, c := range answers.Scenarios[0].Cells {
		if r := c.Records; c.Role == results.RoleVariant && (c.Invalid != "" || r == nil || r.Verdict != proof.Instrumented) {
			t.Errorf("%s (%s) delivered %+v", c.Label, c.Invalid, r)
		}
	}
}

// alive ends its main thread, and no other.
const alive = `import java.lang.instrument.Instrumentation;

public class Alive {
    public static void premain(String options, Instrumentation instrumentation) {
        new Thread(Alive::report, "reporter").start();
    }

    private static void report() {
        try {
            Thread.sleep(600_000);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
`

// TestAliveIsNamed: an agent that keeps the JVM up once the program has ended is told so, with
// the thread, and nobody is advised to wait longer.
func TestAliveIsNamed(t *testing.T) {
	needReal(t)
	dir := t.TempDir()
	agentJar(t, dir, "alive.jar", "Alive", alive)
	javac(t, dir, "Job.java", "public class Job { public static void main(String[] args) { System.out.println(1); } }")
	out, status := real(t, dir, "cost", "--blocks", "1", "--within", "3s", "alive.jar", "--proof", "none", "--", "java", "-XX:TieredStopAtLevel=1", "-cp", ".", "Job")
	if status != exitIncomplete {
		t.Errorf("exit status %d", status)
	}
	for _, want := range []string{"not done after 3s, and killed", "main has ended, and the thread reporter (in Alive.report), which is not a daemon, keeps the JVM up"} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
			t.Errorf("it doesn't say %q:\n%s", want, out)
		}
	}
	if strings.Contains(out, "needs longer") {
		t.Errorf("it advises to wait:\n%s", out)
	}
}

// checkOwnCommand looks at what every invocation must have: figures that fit each
// other, and nothing of ours among the arguments.
func checkOwnCommand(t *testing.T, store *results.Store) {
	t.Helper()
	invocations, err := store.Invocations()
	if err != nil || len(invocations) == 0 {
		t.Fatalf("%d invocations, %v", len(invocations), err)
	}
	for _, inv := range invocations {
		s := inv.Scalars
		if inv.Status != results.StatusOK || s["wall"] <= 0 || s["cpu"] != s["user"]+s["system"] || s["cpu"] <= 0 || s["exit"] != 0 {
			t.Errorf("%s of %s: %s %+v, %v", inv.Identity, inv.Cell, inv.Status, inv.Failure, s)
		}
		if rss := s["peak_rss"]; rss < 10<<20 || rss > 10<<30 {
			t.Errorf("%s of %s: peak of %v bytes", inv.Identity, inv.Cell, rss)
		}
		if len(inv.Command) != 3 || inv.Command[2] != "Batch.java" || inv.Runtime == "" {
			t.Errorf("%s: %q on %q", inv.Identity, inv.Command, inv.Runtime)
		}
		baseline := store.Campaign().Cell(inv.Cell).Variant == "none"
		if told := strings.Contains(strings.Join(inv.Env, "\n"), "JAVA_TOOL_OPTIONS="); told == baseline {
			t.Errorf("%s of %s: environment %q", inv.Identity, inv.Cell, inv.Env)
		}
	}
}
