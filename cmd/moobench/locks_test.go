package main

import (
	"bytes"
	"encoding/csv"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"moobench/harness/jvm"
	"moobench/results"
)

// locking is a program with locks of every kind: contended, recursive, given back by an
// exception, by a wait and by a thread that dies; of static methods and initialisers, of
// native and abstract methods, and of java.util.concurrent.
const locking = `package demo;

import java.util.concurrent.locks.ReentrantLock;

public class Locking {
	static final Object GUARD = new Object();
	static int begun;

	static { synchronized (GUARD) { begun++; } }

	interface Body { void run() throws Exception; }

	static abstract class Shape { abstract int area(); }

	static class Square extends Shape {
		synchronized int area() { return 1; }
		synchronized native int outside();
	}

	private final ReentrantLock lock = new ReentrantLock();
	private int n;

	synchronized void hold() throws Exception { n++; Thread.sleep(2); }
	synchronized int deep(int k) { return k == 0 ? 0 : 1 + deep(k - 1); }
	synchronized void fails() { throw new IllegalStateException("fails"); }
	synchronized void sleeps() throws Exception { wait(5); }
	static synchronized void ofClass() { begun++; }
	void block() { synchronized (GUARD) { n++; } }
	void explicit() { lock.lock(); try { n++; } finally { lock.unlock(); } }

	static Thread start(String name, Body body) throws Exception {
		Runnable run = () -> { try { body.run(); } catch (Exception e) { throw new IllegalStateException(e); } };
		Thread t;
		try { // of 21 and later
			Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
			t = (Thread) Class.forName("java.lang.Thread$Builder").getMethod("unstarted", Runnable.class).invoke(builder, run);
			t.setName(name);
		} catch (NoSuchMethodException e) {
			t = new Thread(run, name);
		}
		t.setUncaughtExceptionHandler((thread, e) -> { });
		t.start();
		return t;
	}

	public static void main(String[] args) throws Exception {
		Locking l = new Locking();
		Thread[] all = new Thread[4];
		for (int i = 0; i < all.length; i++) {
			all[i] = start("worker-" + i, () -> { for (int k = 0; k < 20; k++) l.hold(); });
		}
		for (Thread t : all) t.join();
		start("dies", () -> { synchronized (GUARD) { throw new IllegalStateException("in the lock"); } }).join();
		System.out.println("deep " + l.deep(7) + " area " + new Square().area());
		try { l.fails(); } catch (IllegalStateException e) { System.out.println("caught " + e.getMessage()); }
		l.sleeps();
		if (args[0].equals("stays")) Thread.sleep(60_000);
		for (int i = 0; i < 30; i++) { ofClass(); l.block(); l.explicit(); }
		System.exit(Integer.parseInt(args[0]));
	}
}
`

// TestLocks looks at the locks of a program that nobody changed, on every JDK, with and
// without debug information.
func TestLocks(t *testing.T) {
	needReal(t)
	dir := t.TempDir()
	locks := func(want int, args ...string) string {
		t.Helper()
		out, status := real(t, dir, append([]string{"locks"}, args...)...)
		if status != want {
			t.Errorf("exit status %d, want %d:\n%s", status, want, out)
		}
		return strings.Join(strings.Fields(out), " ")
	}
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}

	javac(t, dir, "Locking.java", locking, "--release", "8", "-Xlint:-options")
	java := []string{"--", "java", "-XX:TieredStopAtLevel=1", "-cp", ".", "demo.Locking"}
	out := locks(7, append(java, "7")...)
	says(t, out, "deep 7 area 1", "caught fails", "the program ended with exit status 7", "1 JVM", " Locking.hold 80 ", " Locking.deep 8 ", " Locking.ofClass 30 ", " Locking.block:28 30 ",
		" Locking.<clinit>:9 1 ", "Locks that nobody waited for", "Locks are not seen of synchronized native int demo.Locking$Square.outside(): a native method has no code to instrument", "class demo.Locking ", "events of")

	// All of it, for other tools too, on every JDK.
	for _, j := range jvm.All() {
		program := []string{"--log", "contention,callers,calls,explicit", "--", filepath.Join(j.Home, "bin", "java"), "-cp", ".", "demo.Locking", "0"}
		says(t, locks(0, append([]string{"-o", "l.html", "-o", "l.csv", "-o", "l.json", "-o", "l.folded", "-o", "l.dot", "-o", "l.metrics.csv"}, program...)...), "written: l.html", "written: l.csv")
		rows, err := csv.NewReader(strings.NewReader(read("l.csv"))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		executions := map[string]int{}
		slept := false
		for _, row := range rows[1:] {
			name, _, _ := strings.Cut(row[0], "(")
			executions[name[strings.LastIndexByte(name, '.')+1:]]++
			slept = slept || strings.Contains(row[0], "sleeps") && row[7] != "0"
		}
		for name, want := range map[string]int{"hold": 80, "deep": 8, "fails": 1, "sleeps": 1, "ofClass": 30, "block": 30, "explicit": 30, "area": 1} {
			if executions[name] != want {
				t.Errorf("%s: %d executions of %s, want %d", j.Version, executions[name], name, want)
			}
		}
		metrics, err := csv.NewReader(strings.NewReader(read("l.metrics.csv"))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range metrics[1:] { // of a block and a method of one name there is one each
			name, _, _ := strings.Cut(row[3], "(")
			if want, known := executions[name[strings.LastIndexByte(name, '.')+1:]]; row[2] == "section" && known && row[6] != strconv.Itoa(want) {
				t.Errorf("%s: the metrics have %s executions of %s, want %d", j.Version, row[6], name, want)
			}
		}
		if !slept {
			t.Errorf("%s: a wait gives no lock back", j.Version)
		}
		says(t, read("l.html"), "demo.Locking.hold", "who waits for whom", "Lock demo.Locking", "worker-2", "called from", "(Locking.java:", "How many executions took how long", "demo.Locking.explicit (explicit)")
		says(t, read("l.folded"), "demo.Locking.main;", "demo.Locking.deep;demo.Locking.deep", ";waiting ")
	}

	// A method that gets no lock is looked at, too, where a pattern names it.
	says(t, locks(0, append([]string{"--log", "methods", "--pattern", "demo.Locking.explicit()"}, append(java, "0")...)...), "30 of 1 method without a lock", "Locking.explicit (no lock) 30 ")

	// No line is known, and nothing else is missing.
	javac(t, dir, "Locking.java", locking, "-g:none", "--release", "8", "-Xlint:-options")
	if err := os.WriteFile(filepath.Join(dir, "patterns"), []byte("# without the workers\n- * demo.Locking.hold(..) throws ..\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	out = locks(0, append([]string{"--log", "", "--patterns", "patterns"}, append(java, "0")...)...)
	says(t, out, " Locking.block (block) 30 ", " Locking.<clinit> (block) 1 ", "Requests for locks were not logged")
	if strings.Contains(out, "Locking.hold 80 ") {
		t.Errorf("a pattern takes methods out:\n%s", out)
	}

	// What is wrong is said at once, before anything runs.
	if err := os.WriteFile(filepath.Join(dir, "wrong"), []byte("+ * a.b()\nodd\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	says(t, locks(2, append([]string{"--log", "all", "--patterns", "wrong", "--pattern", "even"}, append(java, "0")...)...), `--log "all" is unknown`, `wrong:2: pattern "odd"`, `--pattern: pattern "even"`)
	says(t, locks(2, append([]string{"--patterns", "none"}, append(java, "0")...)...), "reading patterns: open none")
	says(t, locks(2, "-o", "l.svg", "--", "true"), `".svg" is no known format`, ".csv")
	says(t, locks(1, append([]string{"--pattern", "* demo.Nothing.*(..)"}, append(java, "0")...)...), "instrumented code acquired no lock", "--log contention,explicit")

	// A killed program leaves what was written.
	out = locks(137, "--keep", "kept", "--", "sh", "-c", `java -cp . demo.Locking stays >ready & p=$!; while ! grep -q caught ready; do sleep 0.05; done; sleep 0.1; kill -9 $p; wait $p`)
	says(t, out, "The log has no end: the JVM still runs, was killed", "What the log took was not measured", " Locking.hold 80 ")

	// Several runs are compared with others, of logs and of metrics that were kept; and one is not proof.
	locks(0, append([]string{"--runs", "4", "--keep", "before", "-o", "before.metrics.json"}, append(java, "0")...)...)
	says(t, locks(0, "--kept", "before"), "Runs of 4 runs: the first is shown below", " Locking.hold 80 ")
	says(t, locks(0, "--kept", "before", "--against", "before.metrics.json"), "4 runs against 4 runs before")
	says(t, locks(0, append([]string{"--against", "before.metrics.json"}, append(java, "0")...)...), "1 run against 4 runs can't show a change")
	says(t, locks(0, "--kept", "before", "--against", "before", "-o", "against.html"), "written: against.html")
	says(t, locks(2, append([]string{"--against", "none"}, append(java, "0")...)...), "locks: --against: reading what is compared with: stat none")
	says(t, locks(2, append([]string{"--runs", "0"}, append(java, "0")...)...), "--runs 0: want 1 to 1000")
}

// queueing is a program whose two threads want one lock all the time, or each its own.
const queueing = `public class Queueing {
	static volatile int n;

	static void use(Object lock) {
		synchronized (lock) {
			long end = System.nanoTime() + 100_000;
			while (System.nanoTime() < end) n++;
		}
	}

	public static void main(String[] a) throws Exception {
		Object one = new Object();
		Thread[] all = new Thread[2];
		for (int i = 0; i < 2; i++) {
			Object lock = a[0].equals("one") ? one : new Object();
			all[i] = new Thread(() -> { for (long end = System.nanoTime() + 200_000_000L; System.nanoTime() < end;) use(lock); });
			all[i].start();
		}
		for (Thread t : all) t.join();
	}
}
`

// TestLocksAgainst: that threads want one lock, which each had for itself before, is shown by four
// runs each, and so is the mended program.
func TestLocksAgainst(t *testing.T) {
	needReal(t)
	dir := t.TempDir()
	javac(t, dir, "Queueing.java", queueing)
	runs := func(want int, whose string, args ...string) string {
		t.Helper()
		out, status := real(t, dir, slices.Concat([]string{"locks", "--runs", "4"}, args, []string{"--", "java", "-cp", ".", "Queueing", whose})...)
		if status != want {
			t.Errorf("exit status %d, want %d:\n%s", status, want, out)
		}
		return out
	}
	runs(exitFine, "own", "-o", "own.metrics.json", "--keep", "own")
	says(t, runs(exitWorse, "one", "--against", "own.metrics.json", "--keep", "one"), "Worse: threads wait longer (+", "java.lang.Object", "worse", "run 4 of 4")
	out, status := real(t, dir, "locks", "--kept", "own", "--against", "one")
	if status != exitFine {
		t.Errorf("exit status %d:\n%s", status, out)
	}
	says(t, out, "Better: threads wait less (−")
}

// TestLocksCampaign measures logs of locks as an ordinary campaign: as many executions are in
// each log as the programs made, and the page tells which.
func TestLocksCampaign(t *testing.T) {
	needReal(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "benchmarks.toml"), []byte(`name = "locks"

[[scenario]]
use       = "locks"
variants  = ["none", "locklog/bci/contention", "locklog/bci/tree", "locklog/bci/callers"]
program   = ["nested_synchronized", "contended"]
threads   = 3
blocks    = 1
resources = 0
`), 0o666); err != nil {
		t.Fatal(err)
	}
	out, status := real(t, dir, "run", "--seed", "1", "-o", "out", "benchmarks.toml")
	if !measured(out, status) {
		t.Errorf("exit status %d:\n%s", status, out)
	}
	checkCampaign(t, filepath.Join(dir, "out"), out)
	store, answers := analysed(t, filepath.Join(dir, "out"))
	if len(answers.Traced) != 6 {
		t.Fatalf("%d cells have logs, want six", len(answers.Traced))
	}
	for _, each := range answers.Traced {
		want := map[bool]int64{true: 150, false: 200}[store.Campaign().Cell(each.Cell).Parameter("program") == "contended"]
		if r, err := each.Locks(); err != nil || r.Ended != want || r.Unmatched != 0 {
			t.Errorf("%s: %+v, %v", each.Cell, r, err)
		}
	}
	all, err := store.Invocations()
	if err != nil {
		t.Fatal(err)
	}
	for _, inv := range all {
		if c := store.Campaign().Cell(inv.Cell); c.Role == results.RoleVariant && (inv.Proof.Expected == 0 || inv.Proof.ByExit != inv.Proof.Expected) {
			t.Errorf("%s of %s: %d of %d executions arrived", inv.Identity, c.Label(), inv.Proof.ByExit, inv.Proof.Expected)
		}
	}
	page, err := os.ReadFile(filepath.Join(dir, "out", "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"Critical sections", "NestedSynchronizedClassesTest$Inner.enter:", "ContendedTest.work"} {
		if !bytes.Contains(page, []byte(word)) {
			t.Errorf("the page doesn't say %q", word)
		}
	}
}

// many are threads that get a lock over and over, each its own or all the same.
const many = `public class Many {
	int n;
	synchronized void put() { n++; }
	public static void main(String[] a) throws Exception {
		int threads = Integer.parseInt(a[0]);
		long each = Long.parseLong(a[1]);
		Many one = new Many();
		Thread[] all = new Thread[threads];
		for (int t = 0; t < threads; t++) {
			Many mine = a[2].equals("own") ? new Many() : one;
			all[t] = new Thread(() -> { for (long i = 0; i < each; i++) mine.put(); }, "t" + t);
		}
		for (Thread t : all) t.start();
		for (Thread t : all) t.join();
	}
}
`

var millions = flag.Int("millions", 0, "of events that TestManyLocks makes; it takes a minute for each hundred")

// TestManyLocks: neither 10,000 threads nor so many millions of events take memory without
// bound, and what is lost of them is counted.
func TestManyLocks(t *testing.T) {
	if *millions == 0 {
		t.Skip("takes minutes: -millions 100 runs it")
	}
	needReal(t)
	dir := t.TempDir()
	javac(t, dir, "Many.java", many)
	p := newPlace(t)
	for _, c := range []struct{ threads, each, whose string }{
		{"10000", "100", "one"},
		{"4", strconv.Itoa(*millions * 1_000_000 / 4 / 3), "own"},
	} {
		cmd := exec.Command(filepath.Join(p.dir, "jdk", "bin", "moobench"), "locks", "-o", "many.html", "--", "java", "-Xmx1g", "Many", c.threads, c.each, c.whose)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		page, err := os.ReadFile(filepath.Join(dir, "many.html"))
		if err != nil {
			t.Fatal(err)
		}
		peak := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
		if lost := bytes.Contains(out, []byte("events were lost")); peak > 1<<20 || lost != bytes.Contains(page, []byte("events are missing")) {
			t.Errorf("%s threads: a peak of %d KiB, %v\n%s", c.threads, peak, lost, out)
		}
		t.Logf("%s threads, %s executions each: a peak of %d KiB\n%s", c.threads, c.each, peak, out)
	}
}
