package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"moobench/harness/jvm"
	"moobench/results"
)

// traced is a program with threads that wait for each other, a constructor, a static
// initialiser, recursion and exceptions, a virtual machine of its own, and an exit status.
const traced = `package demo;

public class Demo {
	static class Queue {
		static final int SIZE = size();

		private final java.util.ArrayDeque<String> items = new java.util.ArrayDeque<>();

		static int size() { return 2; }

		synchronized void put(String s) throws InterruptedException {
			while (items.size() >= SIZE) wait();
			items.add(s);
			notifyAll();
		}

		synchronized String take() throws InterruptedException {
			while (items.isEmpty()) wait();
			notifyAll();
			return items.remove();
		}

		int deep(int n) {
			if (n == 0) throw new IllegalStateException("deep");
			return deep(n - 1) + 1;
		}

		synchronized void dies() { throw new IllegalStateException("the thread ends in here"); }
	}

	interface Body { void run() throws Exception; }

	static Thread start(String name, Body body) {
		Thread t = new Thread(() -> { try { body.run(); } catch (Exception e) { throw new IllegalStateException(e); } }, name);
		t.setUncaughtExceptionHandler((thread, e) -> { });
		t.start();
		return t;
	}

	public static void main(String[] args) throws Exception {
		if (args[0].equals("stays")) {
			new Queue();
			System.out.println("ready");
			Thread.sleep(60_000);
		}
		Queue q = new Queue();
		Thread consumer = start("consumer", () -> { for (int i = 0; i < 20; i++) q.take(); });
		Thread producer = start("producer", () -> { for (int i = 0; i < 20; i++) { Thread.sleep(1); q.put("x" + i); } });
		Thread dies = start("dies", q::dies);
		consumer.join();
		producer.join();
		dies.join();
		try { q.deep(5); } catch (IllegalStateException e) { System.out.println("caught " + e.getMessage()); }
		if (args[0].equals("forks")) {
			new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-cp", System.getProperty("java.class.path"), "demo.Demo", "0").inheritIO().start().waitFor();
			return;
		}
		System.exit(Integer.parseInt(args[0]));
	}
}
`

// javac compiles a program into a folder.
func javac(t *testing.T, dir, file, source string, options ...string) {
	t.Helper()
	path := filepath.Join(dir, file)
	if err := os.WriteFile(path, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("javac", append(options, "-d", dir, path)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// says fails where a text lacks one of these, however it is spaced.
func says(t *testing.T, out string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), w) {
			t.Errorf("doesn't say %q:\n%s", w, out)
		}
	}
}

// TestTrace follows the threads of a program that nobody changed.
func TestTrace(t *testing.T) {
	needReal(t)
	dir := t.TempDir()
	javac(t, dir, "Demo.java", traced)
	trace := func(want int, args ...string) string {
		t.Helper()
		out, status := real(t, dir, append([]string{"trace"}, args...)...)
		if status != want {
			t.Errorf("exit status %d, want %d:\n%s", status, want, out)
		}
		return out
	}
	java := []string{"--", "java", "-XX:TieredStopAtLevel=1", "-cp", ".", "demo.Demo"}

	// The program's output and status are its own; 1 constructor, 20 puts and takes, 6 deep.
	says(t, trace(7, append(append([]string{"--class", "demo.Demo$Queue"}, java...), "7")...),
		"caught deep", "the program ended with exit status 7", "consumer 20", "producer 20", "main 7", "dies 1", "static methods main 1 ", "events · 4 threads · 1 JVM", "demo.Demo$Queue 49 calls, 5 of them from methods of the class itself; 1 object",
		"START consumer → demo.Demo$Queue 20", "demo.Demo$Queue → itself 5", "each JVM takes the agent from JAVA_TOOL_OPTIONS and says so")

	// Files of all formats, and a JVM that the program starts.
	out := trace(0, append(append([]string{"--class", "demo.Demo$Queue", "-o", "t.html", "-o", "t.json", "-o", "t.dot", "-o", "t.folded"}, java...), "forks")...)
	says(t, out, "written: t.html", "written: t.folded")
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	says(t, read("t.html"), "demo.Demo$Queue", "2 JVMs", "<svg", "Who calls whom", "START dies")
	says(t, read("t.dot"), `label="START\nconsumer"`)
	says(t, read("t.folded"), "consumer;demo.Demo$Queue.take;waiting ", "main;demo.Demo$Queue.deep;demo.Demo$Queue.deep ")
	var events struct{ TraceEvents []struct{ Ph string } }
	if err := json.Unmarshal([]byte(read("t.json")), &events); err != nil || len(events.TraceEvents) < 98 {
		t.Errorf("%d events of Chrome's, %v", len(events.TraceEvents), err)
	}

	// Logs that were kept are told again, closer, and by another name of the flag; what a wildcard named is marked.
	trace(0, append(append([]string{"--class", "demo.Demo$*", "--keep", "kept"}, java...), "0")...)
	says(t, trace(0, "--kept", "kept"), "java -XX:TieredStopAtLevel=1 -cp . demo.Demo 0", "consumer 20", "START main → demo.Demo$Queue 3")
	says(t, trace(0, "--log", "kept", "--from", "1us", "--to", "10s", "-o", "part.html", "-o", "part.dot"), "written: part.html")
	says(t, read("part.html"), "in this part", `class="node marked"`, "moobench trace --class &#39;demo.Demo$*&#39; --keep kept -- java", "; moobench trace --kept kept --from 1µs --to 10s")
	says(t, read("part.dot"), `label="demo.Demo$Queue\n(and 5 within)" color=red`)
	says(t, trace(2, "--kept", "kept", "--class", "a.B"), "trace: --class needs a program to run")
	says(t, trace(2, "--kept", "kept", "--", "java"), "trace: --kept reads logs, and runs no program")
	says(t, trace(2, "--kept", "kept", "--from", "2s", "--to", "1s"), "--to is not after --from")
	if out, status := real(t, dir, "locks", "--kept", "kept"); status != 2 || !strings.Contains(out, "moobench trace --kept kept shows it") {
		t.Errorf("locks reads what trace kept: %d\n%s", status, out)
	}
	says(t, trace(1, append(append([]string{"--class", "java.util.ArrayDeque"}, java...), "0")...), "hint: java.util.ArrayDeque belongs to the JDK, whose classes are never instrumented")

	// What is monitored must be found, and said rightly.
	says(t, trace(1, append(append([]string{"--class", "demo.Nothing"}, java...), "0")...), "error: no monitored method was entered", "hint: look at the name")
	says(t, trace(1, "--class", "demo.Demo", "--", "true"), "error: no JVM logged anything")
	says(t, trace(1, "--class", "demo.Demo", "--", "./missing"), "error: running ./missing")
	says(t, trace(2, append(append([]string{"--class", "demo/Demo", "--annotation", "a.", "--pattern", "odd"}, java...), "0")...), `--class: "demo/Demo" is not a name`, `--annotation: "a." is not a name`, "--pattern: pattern \"odd\": want")
	says(t, trace(2, append(java, "0")...), "nothing is monitored", "hint: say what: --class")
	says(t, trace(2, "--class", "demo.Demo"), "the program is missing")
	says(t, trace(2, append(append([]string{"--class", "demo.Demo", "-o", "t.pdf"}, java...), "0")...), `".pdf" is no known format`)
	says(t, trace(2, append(append([]string{"--class", "demo.Demo", "-o", "none/t.html"}, java...), "0")...), "trace: -o none/t.html: stat none: no such file")

	// A program that is killed leaves what it had written.
	says(t, trace(137, "--class", "demo.Demo$Queue", "--", "sh", "-c", `java -cp . demo.Demo stays >ready & p=$!; while ! [ -s ready ]; do sleep 0.1; done; sleep 0.3; kill -9 $p; wait $p`),
		"The log has no end: the JVM still runs, was killed", "main 1")

	// One that is ended from outside leaves what it logged.
	says(t, trace(143, "--class", "demo.Demo$Queue", "--", "sh", "-c", `java -cp . demo.Demo stays >here & p=$!; while ! [ -s here ]; do sleep 0.1; done; kill $p; wait $p; kill $$`),
		"the program ended with signal: terminated", "main 1")
}

// TestThreadsOnRealJVMs logs what the papers' programs do, in every way, on every JDK: as many
// events as they say, and none lost.
func TestThreadsOnRealJVMs(t *testing.T) {
	needReal(t)
	for _, java := range jvm.All() {
		t.Run(java.Version, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "benchmarks.toml"), fmt.Appendf(nil, `name = "threads"

[jvm]
homes = [%q]
args  = ["-Xms1g", "-Xmx1g", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]

[[scenario]]
use       = "threads"
variants  = ["none", "threadlog/bci/ring", "threadlog/bci/file", "threadlog/bci/stringbuilder", "threadlog/bci/memarray"]
threshold = 100_000
blocks    = 1
resources = 0

[[scenario]]
use       = "threads"
label     = "queue"
variants  = ["none", "threadlog/bci/ring"]
program   = "producer_consumer"
rounds    = 2
blocks    = 1
resources = 0
`, java.Home), 0o666); err != nil {
				t.Fatal(err)
			}
			out, status := real(t, dir, "run", "--seed", "1", "-o", "out", "benchmarks.toml")
			if status != exitFine {
				t.Errorf("exit status %d:\n%s", status, out)
			}
			checkCampaign(t, filepath.Join(dir, "out"), out)
			store, answers := analysed(t, filepath.Join(dir, "out"))
			if got := len(answers.Traced); got != 2 {
				t.Fatalf("%d cells have pictures of their threads, want both that log events", got)
			}
			if o, g, err := answers.Traced[0].Follow(); err != nil || o.Events < 800_022 || len(g.Nodes) != 4 {
				t.Errorf("the picture of %s: %v", answers.Traced[0].Cell, err)
			}
			all, err := store.Invocations()
			if err != nil {
				t.Fatal(err)
			}
			for _, inv := range all {
				c := store.Campaign().Cell(inv.Cell)
				want, calls := 800_022.0, int64(400_011)
				if c.Scenario == "queue" {
					want, calls = 14, 14
				}
				woke := float64(2 * (inv.Proof.Expected - calls)) // by themselves, once in a hundred runs
				if got := inv.Scalars["events"]; c.Role == results.RoleVariant && (woke < 0 || woke > 20 || got != want+woke) || c.Role == results.RoleVariant && inv.Proof.ByExit != inv.Proof.Expected {
					t.Errorf("%s of %s: %v events, %d executions arrived", inv.Identity, c.Label(), got, inv.Proof.ByExit)
				}
			}
		})
	}
}
