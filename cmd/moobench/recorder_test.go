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
	"moobench/results"
)

// recorderCampaign has a recording that goes well, and what may go wrong with one.
const recorderCampaign = `
name = "recorder"
[jvm]
home = %q
args = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
[[scenario]]
use          = "overhead"
variants     = ["none", "jfr/recording/profile", "jfr/requestable", "broken", "misspelt", "told", "stopped", "short"]
calls        = 50_000
depth        = 1
method_time  = "10us"
blocks       = 1
resources    = 0
max_failures = 1
[[scenario]]
use       = "turnaround"
variants  = ["jfr/duration/on", "jfr/duration/jcmd", "jfr/duration/breach"]
samples   = 2
loaded    = 1
calls     = 500
watcher   = true
cpus      = 2
bare      = false
blocks    = 1
resources = 0

# An event that can't be made.
[framework.broken]
target    = "moobench.bridge.jfr.Throwing"
classpath = ["{fixture.bridge-jfr}"]
proof     = { jfr = "{dir}/recording-*.jfr", event = "moobench.Broken" }

# Settings that are not there, of a recording from the start, and of one that jcmd starts: that
# says so, and ends with status 0.
[framework.misspelt]
args  = ["-XX:StartFlightRecording:settings=/nowhere.jfc,filename={dir}/recording.jfr"]
proof = { jfr = "{dir}/recording.jfr", event = "jdk.ExecutionSample" }
[framework.told]
target    = "moobench.bridge.jfr.Lasting"
classpath = ["{fixture.bridge-jfr}"]
args      = ["-Dmoobench.swapper=moobench.bridge.jfr.Recorder", "-Dmoobench.jfr.by=jcmd", "-Dmoobench.jfr.settings=/nowhere.jfc"]
activate  = "+ {signature}"
proof     = { jfr = "{dir}/recording-*.jfr", event = "moobench.Execution", per_call = "depth" }

# An agent that stops whatever is recorded: a recording from the start to the end, and one of
# events that are counted.
[framework.stopped]
agent = "stops.jar"
args  = ["-XX:StartFlightRecording:settings=profile,filename={dir}/recording.jfr,dumponexit=true"]
proof = { jfr = "{dir}/recording.jfr", event = "jdk.ActiveSetting", whole = true }
[framework.short]
agent     = "stops.jar"
target    = "moobench.bridge.jfr.Lasting"
classpath = ["{fixture.bridge-jfr}"]
args      = ["-Dmoobench.swapper=moobench.bridge.jfr.Recorder"]
activate  = "+ {signature}"
proof     = { jfr = "{dir}/recording-*.jfr", event = "moobench.Execution", per_call = "depth" }
`

// stops is an agent that stops whatever is recorded, once it has begun.
const stops = `import java.lang.instrument.Instrumentation;
import jdk.jfr.*;
public class Stops {
	public static void premain(String args, Instrumentation instrumentation) {
		Thread thread = new Thread(() -> {
			while (true) {
				boolean begun = false; // before main runs, the JVM is still at work on its recording
				for (Thread t : Thread.getAllStackTraces().keySet()) {
					for (StackTraceElement e : t.getStackTrace()) begun |= e.getClassName().startsWith("moobench.");
				}
				for (Recording r : begun && FlightRecorder.isInitialized() ? FlightRecorder.getFlightRecorder().getRecordings() : java.util.List.<Recording>of()) {
					if (r.getState() == RecordingState.RUNNING) r.stop();
				}
				try { Thread.sleep(20); } catch (InterruptedException e) { return; }
			}
		});
		thread.setDaemon(true);
		thread.start();
	}
}
`

// TestRecorder: what goes wrong with a recording is said by name.
func TestRecorder(t *testing.T) {
	needReal(t)
	for _, java := range javas() {
		if java.Major < 17 {
			continue
		}
		t.Run(java.Version, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "benchmarks.toml"), fmt.Appendf(nil, recorderCampaign, java.Home), 0o666); err != nil {
				t.Fatal(err)
			}
			agentJar(t, dir, "stops.jar", "Stops", stops)
			out, status := real(t, dir, "run", "--keep-going", "--seed", "1", "-o", "out", "benchmarks.toml")
			if status != exitIncomplete {
				t.Errorf("exit status %d:\n%s", status, out)
			}
			checkRecorder(t, filepath.Join(dir, "out"))
		})
	}
}

func checkRecorder(t *testing.T, dir string) {
	t.Helper()
	store, answers := analysed(t, dir)
	all, err := store.Invocations()
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]string{} // what is said of a framework's invocations
	for _, inv := range all {
		c := store.Campaign().Cell(inv.Cell)
		text := inv.Proof.Missing
		if inv.Failure != nil {
			text += inv.Failure.Message + "\n" + inv.Failure.Cause
		}
		said[strings.Split(c.Variant, "/")[0]] += text
		if c.Framework == "jfr" {
			if inv.Status != results.StatusOK || inv.Proof.Expected > 0 && inv.Proof.ByExit != inv.Proof.Expected || inv.Proof.Expected == 0 && c.Proof.Kind == results.ProofCount && inv.Proof.ByExit == 0 {
				t.Errorf("%s of %s: %s, %d of %d records\n%s", inv.Identity, c.Label(), inv.Status, inv.Proof.ByExit, inv.Proof.Expected, text)
			}
		}
		for _, metric := range []string{"dump", "dump_stall", "undo_stall"} {
			has := slices.ContainsFunc(inv.Series, func(s results.Series) bool {
				return s.Name == results.SeriesTurnaround && slices.ContainsFunc(s.Columns, func(col results.Column) bool { return col.Name == metric })
			})
			if c.Scenario == "turnaround" && !has {
				t.Errorf("%s of %s has no %s", inv.Identity, c.Label(), metric)
			}
		}
	}
	for framework, want := range map[string]string{
		"broken":   "event moobench.Broken: its constructor throws",
		"misspelt": "/nowhere.jfc'",
		"told":     "jcmd JFR.start with moobench.jfr.settings=/nowhere.jfc: ",
		"stopped":  "before what was measured did: something in the JVM stopped it",
		"short":    "before what was measured did: something in the JVM may have stopped it",
	} {
		if !strings.Contains(said[framework], want) {
			t.Errorf("of %s it doesn't say %q:\n%s", framework, want, said[framework])
		}
	}
	i := slices.IndexFunc(answers.Scenarios[0].Cells, func(c analysis.Cell) bool { return c.Framework == "short" })
	if r := answers.Scenarios[0].Cells[i].Records; r == nil || r.Lost == 0 || !strings.Contains(r.Text, "may have stopped it") {
		t.Errorf("of a recording that was stopped early it says %+v", r)
	}
}

// slowEnd serves requests, the last of which ends it: as long as that takes, it shuts down gracefully.
// With stop it stops whatever is recorded before that.
const slowEnd = `import com.sun.net.httpserver.HttpServer;
import java.net.*;
import jdk.jfr.*;
public class SlowEnd {
	public static void main(String[] args) throws Exception {
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.createContext("/", exchange -> {
			exchange.sendResponseHeaders(200, -1);
			exchange.close();
		});
		server.start();
		Runtime.getRuntime().addShutdownHook(new Thread(() -> {
			try { Thread.sleep(600); } catch (InterruptedException e) { }
			server.stop(1);
		}));
		URL url = new URL("http://127.0.0.1:" + server.getAddress().getPort() + "/");
		long end = System.nanoTime() + 300_000_000L;
		while (System.nanoTime() < end) {
			if (((HttpURLConnection) url.openConnection()).getResponseCode() != 200) System.exit(1);
		}
		if (Boolean.getBoolean("stop")) {
			for (Recording r : FlightRecorder.getFlightRecorder().getRecordings()) r.stop();
			Thread.sleep(200);
		}
		System.exit(0);
	}
}
`

// slowEndCampaign records it in each way that is proven by lasting to the end, and by logs, which are
// written to the end.
const slowEndCampaign = `
name = "slow-end"
[jvm]
home = %q
[command]
run = ["{java}", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", ".", "SlowEnd"]
[[scenario]]
use          = "command"
variants     = ["none", "jfr/recording/default", "jfr/recording/profile", "async-profiler/sampling/itimer", "threadlog/auto/ring", "locklog/auto/timers", "stopped"]
pattern      = "* SlowEnd.*(..) throws .."
blocks       = 1
resources    = 0
max_failures = 1
[framework.stopped]
args  = ["-Dstop=true", "-XX:StartFlightRecording:settings=profile,filename={dir}/recording.jfr,dumponexit=true"]
proof = { jfr = "{dir}/recording.jfr", event = "jdk.ActiveSetting", whole = true }
`

// TestSlowEnd: a program may take its time to shut down. A recording that was there when it began to is
// whole; one that the program stopped before that is not.
func TestSlowEnd(t *testing.T) {
	needReal(t)
	for _, java := range javas() {
		if java.Major < 17 {
			continue
		}
		t.Run(java.Version, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "benchmarks.toml"), fmt.Appendf(nil, slowEndCampaign, java.Home), 0o666); err != nil {
				t.Fatal(err)
			}
			javac(t, dir, "SlowEnd.java", slowEnd, "--release", "17")
			out, _ := real(t, dir, "run", "--keep-going", "--seed", "1", "-o", "out", "benchmarks.toml")
			store, _ := analysed(t, filepath.Join(dir, "out"))
			all, err := store.Invocations()
			if err != nil || len(all) < 7 {
				t.Fatalf("%d invocations, %v\n%s", len(all), err, out)
			}
			for _, inv := range all {
				stopped := store.Campaign().Cell(inv.Cell).Framework == "stopped"
				if (inv.Status == results.StatusOK) == stopped || stopped && !strings.Contains(inv.Failure.Message+inv.Failure.Cause, "something in the JVM stopped it") {
					t.Errorf("%s of %s: %s %+v", inv.Identity, inv.Cell, inv.Status, inv.Failure)
				}
			}
		})
	}
}

// agentJar compiles the source of an agent, and puts it into a jar.
func agentJar(t *testing.T, dir, jar, class, source string) {
	t.Helper()
	classes := filepath.Join(dir, class+".classes")
	if err := os.Mkdir(classes, 0o777); err != nil {
		t.Fatal(err)
	}
	javac(t, classes, class+".java", source)
	manifest := filepath.Join(dir, class+".manifest")
	if err := os.WriteFile(manifest, []byte("Premain-Class: "+class+"\nCan-Retransform-Classes: true\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("jar", "cfm", filepath.Join(dir, jar), manifest, "-C", classes, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
