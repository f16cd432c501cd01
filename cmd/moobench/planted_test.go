package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"moobench/harness/jvm"
)

// planted is a program that waits in every way that a JVM has, and says by its own clock for
// how long. What a method waits for is found by what its thread does, not by how the call is
// written: the type may be the program's own, the method inherited, referred to or hidden in
// the platform.
const planted = `package demo;

import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class Planted {
	static volatile long ms = 1;

	static class Queue extends ArrayBlockingQueue<Integer> {
		Queue() { super(1); }
		Integer gather() throws Exception { return take(); }
	}
	static class Sleeper extends Thread {
		public void run() { nap(); }
		static void rest() throws Exception { sleep(ms); }
	}
	static class Sync extends AbstractQueuedSynchronizer {
		protected boolean tryAcquire(int n) { return compareAndSetState(0, 1); }
		protected boolean tryRelease(int n) { setState(0); return true; }
	}
	static class Helper {
		static void rest() throws Exception { new Semaphore(0).tryAcquire(ms, TimeUnit.MILLISECONDS); }
	}
	interface Body { void run() throws Exception; }

	static void nap() { try { Thread.sleep(ms); } catch (InterruptedException e) { throw new IllegalStateException(e); } }
	static void later(Runnable run) { new Thread(() -> { nap(); run.run(); }).start(); }
	static void timed(String name, Body body) throws Exception {
		long begin = System.nanoTime();
		body.run();
		long took = System.nanoTime() - begin;
		if (ms > 1) System.out.println("waited " + name + " " + took);
	}

	synchronized void enter() { }
	static synchronized void enterStatic() { }
	static void whileHeld(Object lock, String name, Body body) throws Exception {
		CountDownLatch held = new CountDownLatch(1);
		new Thread(() -> { synchronized (lock) { held.countDown(); nap(); } }).start();
		while (held.getCount() > 0) Thread.onSpinWait();
		timed(name, body);
	}

	static void inherited() throws Exception { Queue q = new Queue(); later(() -> q.add(1)); q.gather(); }
	static void member() throws Exception { BlockingQueue<Integer> q = new Queue(); later(() -> q.add(1)); q.take(); }
	static void reference() throws Exception { Queue q = new Queue(); later(() -> q.add(1)); Callable<Integer> c = q::take; c.call(); }
	static void join() throws Exception { Sleeper s = new Sleeper(); s.start(); s.join(); }
	static void sleep() throws Exception { Sleeper.rest(); }
	static void unit() throws Exception { TimeUnit.MILLISECONDS.sleep(ms); }
	static void mutex() throws Exception { Sync s = new Sync(); s.acquire(1); later(() -> s.release(1)); s.acquire(1); }
	static void future() throws Exception { CompletableFuture.runAsync(Planted::nap).join(); }
	static void helper() throws Exception { Helper.rest(); }
	static void monitor() throws Exception { Object o = new Object(); later(() -> { synchronized (o) { o.notify(); } }); synchronized (o) { o.wait(); } }
	static void block(Object lock) { synchronized (lock) { } }
	static void works() { long end = System.nanoTime() + ms * 1_000_000; while (System.nanoTime() < end) { } }

	public static void main(String[] args) throws Exception {
		for (int i = 0; i < 2; i++, ms = 200) { // the first time classes are loaded, which is work
			timed("inherited", Planted::inherited);
			timed("member", Planted::member);
			timed("reference", Planted::reference);
			timed("join", Planted::join);
			timed("sleep", Planted::sleep);
			timed("unit", Planted::unit);
			timed("mutex", Planted::mutex);
			timed("future", Planted::future);
			timed("helper", Planted::helper);
			timed("monitor", Planted::monitor);
			Planted p = new Planted();
			whileHeld(p, "enter", p::enter);
			whileHeld(Planted.class, "enterStatic", Planted::enterStatic);
			whileHeld(Planted.class, "block", () -> block(Planted.class));
		}
		works();
	}
}
`

// sums adds up what lines say of each name, in ns.
func sums(lines []string, read func(line string) (name string, ns int64)) map[string]int64 {
	all := map[string]int64{}
	for _, line := range lines {
		name, ns := read(line)
		all[name] += ns
	}
	return all
}

// own are times by the program's own clock: what it printed behind each of these words.
func own(out string, words ...string) map[string]int64 {
	return sums(strings.Split(out, "\n"), func(line string) (string, int64) {
		fields := strings.Fields(line)
		if len(fields) != 3 || !slices.Contains(words, fields[0]) {
			return "", 0
		}
		ns, _ := strconv.ParseInt(fields[2], 10, 64)
		return fields[0] + " " + fields[1], ns
	})
}

// differ are the names whose times are further than a twentieth from the program's own.
func differ(got, want map[string]int64) (all []string) {
	for name, ns := range want {
		if name != "" && (20*got[name] < 19*ns || 20*got[name] > 21*ns) {
			all = append(all, name+" "+strconv.FormatInt(got[name], 10)+" of "+strconv.FormatInt(ns, 10))
		}
	}
	return all
}

// within runs a program until its times agree with those of its own clock, three times at most:
// the machine may stop a thread between a look at one clock and at the other.
func within(t *testing.T, run func() (got, want map[string]int64)) {
	t.Helper()
	var wrong []string
	for range 3 {
		got, want := run()
		if len(want) < 2 {
			t.Fatalf("the program said nothing: %v", want)
		}
		if wrong = differ(got, want); wrong == nil {
			return
		}
	}
	t.Errorf("further than 5 %% from the program's own clock: %s", strings.Join(wrong, ", "))
}

// TestPlantedWaits asks trace for how long a program waited, in every way, on every JDK.
func TestPlantedWaits(t *testing.T) {
	needReal(t)
	dir := t.TempDir()
	javac(t, dir, "Planted.java", planted, "--release", "9", "-Xlint:-options")
	for _, j := range jvm.All() {
		if j.Major < 9 {
			continue
		}
		within(t, func() (got, want map[string]int64) {
			out, status := real(t, dir, "trace", "--class", "demo.Planted*", "-o", "x.folded", "--", filepath.Join(j.Home, "bin", "java"), "-cp", ".", "demo.Planted")
			text, err := os.ReadFile(filepath.Join(dir, "x.folded"))
			if status != 0 || err != nil {
				t.Fatalf("%s: exit status %d, %v:\n%s", j.Version, status, err, out)
			}
			got = sums(strings.Split(string(text), "\n"), func(line string) (string, int64) {
				stack, number, _ := strings.Cut(line, ";waiting ")
				if !strings.HasPrefix(stack, "main;") {
					return "", 0
				}
				ns, _ := strconv.ParseInt(number, 10, 64)
				for frame := range strings.SplitSeq(stack, ";") {
					name := strings.TrimPrefix(frame, "demo.Planted.")
					if name != frame && !strings.ContainsAny(name, "$") && name != "main" && name != "timed" && name != "whileHeld" {
						return "waited " + name, ns
					}
				}
				return "", 0
			})
			if got["waited works"] > 0 {
				t.Errorf("%s: work is no waiting: %d ns", j.Version, got["waited works"])
			}
			return got, own(out, "waited")
		})
	}
}

// contended is a program whose threads hold locks for a while that others wait for: a
// synchronized method and block, a lock that extends one of the platform's, and one that is the
// program's own. It says by its own clock how long each was held, and waited for.
const contended = `package demo;

import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class Contended {
	static class Extended extends ReentrantLock { }
	static class Mine implements Lock {
		private final Semaphore free = new Semaphore(1);
		public void lock() { free.acquireUninterruptibly(); }
		public void unlock() { free.release(); }
		public void lockInterruptibly() throws InterruptedException { free.acquire(); }
		public boolean tryLock() { return free.tryAcquire(); }
		public boolean tryLock(long n, TimeUnit u) throws InterruptedException { return free.tryAcquire(n, u); }
		public Condition newCondition() { throw new UnsupportedOperationException(); }
	}

	static final ThreadLocal<Long> ASKED = new ThreadLocal<>();
	static void inside(String name) throws Exception {
		long got = System.nanoTime();
		Thread.sleep(100);
		long end = System.nanoTime();
		System.out.println("held " + name + " " + (end - got));
		System.out.println("waited " + name + " " + (got - ASKED.get()));
	}
	interface Body { void run() throws Exception; }

	synchronized void method() throws Exception { inside("method"); }
	final Object guard = new Object();
	void block() throws Exception { synchronized (guard) { inside("block"); } }
	final Extended extended = new Extended();
	void extended() throws Exception { extended.lock(); try { inside("extended"); } finally { extended.unlock(); } }
	final Mine mine = new Mine();
	void mine() throws Exception { mine.lock(); try { inside("mine"); } finally { mine.unlock(); } }

	static void both(Body body) throws Exception {
		Thread[] all = new Thread[3];
		CyclicBarrier start = new CyclicBarrier(all.length);
		for (int i = 0; i < all.length; i++) {
			all[i] = new Thread(() -> { try { start.await(); ASKED.set(System.nanoTime()); body.run(); } catch (Exception e) { throw new IllegalStateException(e); } });
			all[i].start();
		}
		for (Thread t : all) t.join();
	}

	public static void main(String[] args) throws Exception {
		Contended c = new Contended();
		for (int i = 0; i < 2; i++) { both(c::method); both(c::block); both(c::extended); both(c::mine); }
	}
}
`

// TestPlantedHolds asks locks for how long locks were held and waited for, on every JDK.
func TestPlantedHolds(t *testing.T) {
	needReal(t)
	dir := t.TempDir()
	javac(t, dir, "Contended.java", contended, "--release", "8", "-Xlint:-options")
	for _, j := range jvm.All() {
		within(t, func() (got, want map[string]int64) {
			out, status := real(t, dir, "locks", "--log", "contention,explicit", "-o", "x.csv", "--", filepath.Join(j.Home, "bin", "java"), "-cp", ".", "demo.Contended")
			f, err := os.Open(filepath.Join(dir, "x.csv"))
			if status != 0 || err != nil {
				t.Fatalf("%s: exit status %d, %v:\n%s", j.Version, status, err, out)
			}
			defer f.Close()
			rows, err := csv.NewReader(f).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			got = map[string]int64{}
			for _, row := range rows[1:] {
				name, _, _ := strings.Cut(row[0], "(")
				name = name[strings.LastIndexByte(name, '.')+1:]
				for column, head := range rows[0] {
					if word, is := strings.CutSuffix(head, "_ns"); is {
						ns, _ := strconv.ParseInt(row[column], 10, 64)
						got[word+" "+name] += ns
					}
				}
			}
			return got, own(out, "held", "waited")
		})
	}
}
