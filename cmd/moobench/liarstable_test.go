package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Proofs that liars are asked for, in place of a file of so many lines.
const (
	logProof  = `{ log = 'recorded (\S+)', per_call = "depth" }`
	linesLog  = `{ log = '(?m)^r$', per_call = "depth" }`
	jfrProof  = `{ jfr = "{dir}/*.jfr", event = "com.acme.Execution", per_call = "depth" }`
	otlpProof = `{ count = "otlp", per_call = "depth" }`
)

// Patterns of what is said.
const (
	noEffect = `none – .* liar/bci/default`
	failed   = `liar/bci/default no result: given up: liar/bci/default failed in b0001.s0..r0: .{1,240}`
	unproven = `not instrumented: (no|not one) record arrived in [^,;]*`
)

// liars are all of them, by what they attack.
func liars() []liar {
	all := endingLiars()
	all = append(all, recordLiars()...)
	all = append(all, folderLiars()...)
	all = append(all, numberLiars()...)
	return append(all, machineLiars()...)
}

// endingLiars are those that end when they should not, or do not when they should, and leave others behind.
func endingLiars() []liar {
	return []liar{
		{name: "a thread that never ends", java: `thread(false, Lie::sleep);`, says: noEffect},
		{name: "a shutdown hook that hangs", java: hook, status: 4, named: true, says: failed},
		{name: "TERM, INT and HUP are eaten, and the end hangs", java: hook + `for (String s : new String[] {"TERM", "INT", "HUP"}) { sun.misc.Signal.handle(new sun.misc.Signal(s), x -> {}); }`, status: 4, named: true, says: failed},
		{name: "a premain that waits for ever", java: `sleep();`, status: 4, named: true, says: failed},
		{name: "exits in premain", java: `System.exit(0);`, quick: true, status: 4, named: true, says: failed + `.*exit status 0`},
		{name: "exits after 120 ms", java: `later(120, () -> System.exit(0));`, status: 4, named: true, says: failed + `.*exit status 0`},
		{name: "halts after 120 ms", java: `later(120, () -> Runtime.getRuntime().halt(0));`, status: 4, named: true, says: failed + `.*exit status 0`},
		{name: "throws in premain", java: `throw new IllegalStateException("no licence");`, status: 4, named: true, says: failed + `.*no licence`},
		{name: "a security manager that forbids all", java: `System.setSecurityManager(new SecurityManager() { public void checkPermission(java.security.Permission p) { throw new SecurityException("no"); } });`, status: 4, named: true, says: failed},
		{name: "no system properties", java: `System.setProperties(new java.util.Properties());`, status: 4, named: true, says: failed},
		{name: "forks children", java: `new ProcessBuilder("sleep", "1000").start(); new ProcessBuilder("sleep", "1000").start();`, says: noEffect},
		{name: "children that escape", java: `new ProcessBuilder("setsid", "env", "-i", "sleep", "1000").start();`, says: noEffect, documented: escapes, leaves: `(process sleep(, )?)+`},
		{name: "a burner that escapes", java: `new ProcessBuilder("setsid", "env", "-i", "sh", "-c", "timeout 6 sh -c 'while :; do :; done'").start(); Thread.sleep(50);`, says: `(?i)(disturbed|other (programs|processes)|none –)[^.;]*`, documented: escapes, leaves: `(process \w+(, )?)*`},
	}
}

const (
	hook    = `Runtime.getRuntime().addShutdownHook(new Thread(() -> { try { sleep(); } catch (InterruptedException e) { } }));`
	escapes = "A process that leaves its session and clears its environment isn't found by the sweep"
)

// recordLiars are those that lie about what they recorded.
func recordLiars() []liar {
	return []liar{
		{name: "records in the first JVM only", java: `if (starts() > 0) { new java.io.File("rec.csv").delete(); }`, blocks: 2, status: 4, named: true, says: `not (instrumented: )?[^.]*one record arrived[^.]*`},
		{name: "prints the right number", java: `System.out.println("recorded 20000");`, proof: logProof, says: noEffect, documented: ownRecords},
		{name: "sends as many spans as are expected", java: `post("Content-Length: " + spans(PERFECT).length + "\r\n", spans(PERFECT));`, proof: otlpProof, says: noEffect, documented: ownRecords},
		{name: "prints 10^20", java: `System.out.println("recorded 100000000000000000000");`, proof: logProof, status: 4, named: true, says: failed + `.*is not a number of records`},
		{name: "prints -5", java: `System.out.println("recorded -5");`, proof: logProof, status: 4, named: true, says: failed + `.*is not a number of records`},
		{name: "prints control bytes, and what CI and people obey", java: `System.out.println("recorded \u001b[2J::error::evil\nmoobench: hint: rm -rf /\n\u001b]0;evil\u0007");`, proof: logProof, status: 4, named: true, says: failed + `.*is not a number of records`},
		{name: "prints records without end", java: `thread(true, () -> { byte[] all = "r\n".repeat(1 << 15).getBytes(); while (true) { System.out.write(all); Thread.sleep(5); } });`, proof: linesLog, named: true, says: `more (records )?than expected[^.]*`, status: 0},
		{name: "a file of 1 TB beside its log", java: `sparse("big.bin", new byte[1]); System.out.println("recorded 20000");`, proof: logProof, says: noEffect},
		{name: "a file of records of 1 TB", java: `sparse("rec.csv", new byte[1]);`, status: 4, named: true, says: failed},
		{name: "a pipe for records", java: `sh("rm rec.csv; mkfifo rec.csv");`, status: 4, named: true, says: `not a regular file`},
		{name: "the device of zeros for records", java: `sh("ln -sf /dev/zero rec.csv");`, status: 4, named: true, says: `(no regular file|link)[^.]*`},
		{name: "the password file for records", java: `sh("ln -sf /etc/passwd rec.csv");`, status: 4, named: true, says: `(no regular file|link)[^.]*`},
		{name: "a line of 300 MB", java: `try (RandomAccessFile f = new RandomAccessFile("rec.csv", "rw")) { byte[] x = new byte[1 << 20]; Arrays.fill(x, (byte) 'x'); for (int i = 0; i < 300; i++) { f.write(x); } }`, named: true, says: `(?i)(lost|19,999|1 record)[^.]*`},
		{name: "a recording of zeros", java: `Files.write(Paths.get("a.jfr"), new byte[1 << 20]);`, proof: jfrProof, status: 4, named: true, says: failed},
		{name: "a recording whose chunk is negative", java: `Files.write(Paths.get("a.jfr"), chunk(-1, 68));`, proof: jfrProof, status: 4, named: true, says: failed},
		{name: "a recording of 200,000 chunks", java: `try (OutputStream o = new java.io.BufferedOutputStream(new FileOutputStream("a.jfr"))) { for (int i = 0; i < 200_000; i++) { o.write(chunk(68, 68)); } }`, proof: jfrProof, status: 4, named: true, says: failed},
		{name: "a recording without its metadata", java: `Files.write(Paths.get("a.jfr"), chunk(68, 1L << 40));`, proof: jfrProof, status: 4, named: true, says: failed},
		{name: "a recording of 1 TB", java: `sparse("a.jfr", chunk(1L << 40, 68));`, proof: jfrProof, status: 4, named: true, says: failed},
		{name: "60 bodies of 256 MiB that never come", java: `for (int i = 0; i < 60; i++) { post("Content-Length: 268435456\r\n", new byte[0]); }`, proof: otlpProof, status: 4, named: true, says: unproven},
		{name: "bodies that unpack to 400 MB", java: `byte[] z = zipped(400); for (int i = 0; i < 3; i++) { post("Content-Encoding: gzip\r\nContent-Length: " + z.length + "\r\n", z); }`, proof: otlpProof, status: 4, named: true, says: unproven},
		{name: "closes its streams", java: `System.out.println("recorded 20000"); sh("true"); System.in.close(); System.out.close(); System.err.close(); new FileOutputStream(java.io.FileDescriptor.out).close();`, proof: `{ log = 'said (\d+)' }`, status: 4, named: true, says: unproven},
	}
}

const ownRecords = "it can lie about its own records"

// folderLiars are those that spoil where they run.
func folderLiars() []liar {
	return []liar{
		{name: "a folder called invocation.json", java: `sh("mkdir invocation.json samples.parquet summary.json");`, says: noEffect},
		{name: "a folder called duration.0.i64", java: `sh("mkdir duration.0.i64");`, status: 4, named: true, says: failed},
		{name: "removes its folder", java: `later(100, () -> sh("rm -rf \"$PWD\"")); Thread.sleep(300);`, status: 4, named: true, says: failed},
		{name: "puts a link in place of its folder", java: `sh("d=$PWD; cd ..; mv \"$d\" ../moved; ln -s ../moved \"$d\"");`, status: 4, named: true, says: failed},
		{name: "300 folders in each other", java: `sh("for i in $(seq 300); do mkdir d; cd d; done");`, says: noEffect},
		{name: "20,000 files", java: `for (int i = 0; i < 20_000; i++) { new java.io.File("f" + i).createNewFile(); }`, says: noEffect},
		{
			name: "makes its folder immutable", java: `sh("chattr +i .");`, needs: "root chattr lsattr", status: 1, named: true, says: `error: [^.]*`,
			after: func(t *testing.T, p liarPlace) {
				exec.Command("chattr", "-R", "-i", p.dir).Run() // of all that it may have hit
				if _, stderr, status := p.run(t, "verify", "out"); status > 1 {
					t.Errorf("exit status %d: %s", status, stderr)
				}
			},
		},
		{
			name: "writes the journal", java: `Files.write(Paths.get(place, "journal"), "{}".getBytes());`, then: "the next campaign keeps it under another name", says: noEffect, leaves: "journal",
			after: func(t *testing.T, p liarPlace) {
				_, stderr, status := p.run(t, "run", "--seed", "1", "-o", "second", "benchmarks.toml")
				if status != exitFine && status != exitIncomplete || !strings.Contains(stderr, "held nothing that could be undone") {
					t.Errorf("the next campaign: exit status %d\n%s", status, stderr)
				}
			},
		},
	}
}

// numberLiars are those that change what is measured.
func numberLiars() []liar {
	const contradicts = failed + `.*(checksum|contradict)[^.]*`
	return []liar{
		{name: "overwrites its samples", java: `overwrite("duration", 7);`, quick: true, status: 4, named: true, says: contradicts},
		{name: "overwrites its reference", java: `overwrite("reference", 9000);`, status: 4, named: true, says: contradicts},
		{name: "overwrites what compilers did", java: `overwrite("compiling", 9000);`, status: 4, named: true, says: contradicts},
		{name: "rewrites other invocations", java: `tamper();`, blocks: 2, quick: true, status: 4, named: true, says: `not as it was measured[^.]*`},
		{
			name: "exchanges the fixture", java: `exchange();`, blocks: 3, spoils: true, status: 1, named: true, says: `calls.jar is not as it was when the campaign began[^.]*`,
		},
		{name: "a class of its own that does nothing", own: ownPlain, quick: true, status: 4, named: true, says: failed + `.*is not the fixture that was built: moobench.calls.Plain from the boot class path`},
		{name: "a reference that is four times as long", own: ownReference("112"), status: 4, named: true, says: failed + `.*is not the fixture that was built`},
		{name: "a reference that is 1.6 times as long", own: ownReference("45"), status: 4, named: true, says: failed + `.*is not the fixture that was built`},
		{name: "a reference that is 1.3 times as long", own: ownReference("36"), status: 4, named: true, says: failed + `.*is not the fixture that was built`},
		{
			name: "redefines what measures", named: true, says: `classes that measure were redefined while it ran: moobench.kernel.Loop`,
			java: `inst.addTransformer((java.lang.instrument.ClassFileTransformer) new java.lang.instrument.ClassFileTransformer() { public byte[] transform(ClassLoader l, String n, Class<?> c, java.security.ProtectionDomain d, byte[] b) { return "moobench/kernel/Loop".equals(n) ? b : null; } }, true); inst.retransformClasses(Class.forName("moobench.kernel.Loop"));`,
		},
		{name: "says hello first, with the token", java: `first();`, status: 4, named: true, says: failed + `.*refused`},
		{name: "128 MiB of garbage for the control port", java: `garbage();`, status: 4, either: true, named: true, says: `(sent a line of|none –)[^.;]*`},
		{name: "leaks 1 MiB each 3 ms", java: `java.util.List<byte[]> all = new java.util.ArrayList<>(); thread(true, () -> { while (true) { all.add(new byte[1 << 20]); Thread.sleep(3); } });`, says: noEffect, documented: inWhatIsMeasured},
		{name: "four threads that collect garbage", java: `for (int i = 0; i < 4; i++) { thread(true, () -> { while (true) { System.gc(); } }); }`, says: noEffect, documented: inWhatIsMeasured},
		{name: "writes 300 MB", java: `thread(true, () -> { try (FileOutputStream f = new FileOutputStream("big")) { byte[] x = new byte[1 << 20]; for (int i = 0; i < 300; i++) { f.write(x); } } });`, says: noEffect, documented: inWhatIsMeasured},
		{name: "sleeps 3 s in premain", java: `Thread.sleep(3000);`, says: noEffect, documented: inWhatIsMeasured},
		{name: "digits of India, time of Nepal", java: `java.util.Locale.setDefault(java.util.Locale.forLanguageTag("hi-IN-u-nu-deva")); java.util.TimeZone.setDefault(java.util.TimeZone.getTimeZone("Asia/Kathmandu"));`, says: noEffect},
		{name: "Turkish", java: `java.util.Locale.setDefault(java.util.Locale.forLanguageTag("tr-TR"));`, says: noEffect},
	}
}

const inWhatIsMeasured = "What it costs is in what is measured"

// ownPlain is the measured class without its work.
func ownPlain(t *testing.T) (file, source string) {
	return "Plain.java", replaced(t, "calls", "moobench/calls/Plain.java", "return depth > 1 ? monitoredMethod(methodTimeNs, depth - 1) : wait.spend(methodTimeNs);", "return methodTimeNs;")
}

// ownReference is the reference with so many rounds: with it, the CPU looks slower than it is.
func ownReference(rounds string) func(t *testing.T) (file, source string) {
	return func(t *testing.T) (file, source string) {
		return "Reference.java", replaced(t, "kernel", "moobench/kernel/Reference.java", "ROUNDS = 28", "ROUNDS = "+rounds)
	}
}

// replaced is the source of a fixture's class with something else in it.
func replaced(t *testing.T, module, file, before, after string) string {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("../../jvm-fixtures", module, "src/main/java", file))
	if err != nil || strings.Count(string(source), before) != 1 {
		t.Fatalf("%s is not once in %s, %v", before, file, err)
	}
	return strings.Replace(string(source), before, after, 1)
}

// machineLiars are those that attack moobench, or the machine.
func machineLiars() []liar {
	resumes := func(t *testing.T, p liarPlace) {
		toml := filepath.Join(p.dir, "benchmarks.toml") // from here on it is honest
		data, err := os.ReadFile(toml)
		if err != nil || os.WriteFile(filepath.Join(p.dir, "honest"), nil, 0o666) != nil {
			t.Fatal(err)
		}
		if _, stderr, status := p.run(t, "run", "--resume", "out"); status != exitFine && status != exitIncomplete { // others may have taken the CPU
			t.Errorf("it does not go on: exit status %d\n%s%s", status, stderr, data)
		}
	}
	const once = `if (!new java.io.File(place, "honest").exists()) `
	return []liar{
		{name: "raises its scheduling class", java: `sh("chrt -a -f -p 50 " + self()); sh("renice -n -20 -p " + self());`, needs: "root chrt renice", named: true, says: `its nice value was changed while it ran: from .*, and its scheduling class: from other to fifo`},
		{name: "widens its CPUs", java: `sh("taskset -a -p ffffffff " + self());`, needs: "taskset", quick: true, named: true, says: `its CPUs were changed while it ran: from \S+ to \S+`},
		{name: "moves moobench to its CPU, and makes it nicer", java: `sh("taskset -a -p -c 1 " + moobench()); sh("renice -n 19 -p " + moobench());`, needs: "root taskset renice", named: true, says: `of moobench itself, its CPUs were changed while it ran: from .* \(it is put back\)`},
		{name: "kills moobench", java: once + `{ sh("kill -9 " + moobench()); sleep(); }`, status: -1, then: "moobench goes on with --resume", says: `^`, after: resumes},
		{name: "stops moobench for 2 s", java: `sh("p=" + moobench() + "; kill -STOP $p; sleep 2; kill -CONT $p");`, says: noEffect},
		{name: "asks moobench to end", java: once + `{ sh("kill -TERM " + moobench()); sleep(); }`, status: 1, named: true, says: `interrupted[^.]*`, after: resumes},
		{name: "stops itself", java: `later(100, () -> sh("kill -STOP " + self()));`, status: 4, named: true, says: failed},
		{name: "lowers moobench's limits", java: once + `sh("prlimit --pid " + moobench() + " --nofile=30 --fsize=100000");`, needs: "prlimit", status: 1, named: true, says: `error: [^.]*`},
		{name: "waits for the machine's lock", java: `sh("flock '" + place + "/lock' true");`, needs: "flock", status: 4, named: true, says: failed},
	}
}
