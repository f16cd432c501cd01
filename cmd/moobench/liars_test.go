package main

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"text/tabwriter"
	"time"
)

// allLiars has every agent tried that lies; make liars asks for it.
var allLiars = flag.Bool("liars", false, "measure every agent that lies, and not only a handful")

// liar is an agent that does what no agent should.
type liar struct {
	name string
	java string // what its premain does: statements, with testdata/liars/Lie.java at hand
	// own is a class of the fixture's, its file and source, that the agent puts on the boot class path.
	own    func(t *testing.T) (file, source string)
	proof  string // of the framework; "": a perfect lie, a file of as many lines as records are expected
	blocks int    // 0: one
	quick  bool   // among those that are always tried
	needs  string // a program; and root, if it begins with "root "

	status int    // of moobench; a signal is -1
	then   string // what becomes of it, where that is not what is said
	either bool   // it may have no effect, and status 0, where it comes too late
	says   string // a pattern of the first lines of what moobench says, on one line
	// documented is the sentence of SECURITY.md that says why it is neither contained nor named.
	documented string
	// named: its doing is named. Else it is contained: nothing comes of it.
	named bool

	spoils bool                            // what is in the cache
	leaves string                          // a pattern of what it may leave behind
	after  func(t *testing.T, p liarPlace) // looks at what comes later, and puts back what it left
}

// headLines is in how many lines of a report what an agent did must stand.
const headLines = 25

// TestLiars measures agents that lie, each beside a baseline: what it does is named at the top of the
// report, or nothing comes of it, or SECURITY.md says that it can; and nothing is left of it.
func TestLiars(t *testing.T) {
	needReal(t)
	security, err := os.ReadFile("../../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	tried := liars()
	jar := liarsJar(t, tried)
	var table bytes.Buffer
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "liar\thow\twhere\tclean")
	n := 0
	for i, l := range tried {
		if !*allLiars && !l.quick {
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			l.able(t)
			where, left := l.measure(t, i, jar)
			how, where := "contained", cmp.Or(l.then, where, "no effect")
			if l.named {
				how = "named"
			}
			if l.documented != "" {
				how, where = "SECURITY.md", cmp.Or(l.then, l.documented)
				if !strings.Contains(oneLine(string(security)), l.documented) {
					t.Errorf("SECURITY.md does not say %q", l.documented)
				}
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", l.name, how, where, left)
			n++
		})
	}
	w.Flush()
	t.Logf("%d agents\n%s", n, table.String())
}

// able skips a liar that can't do here what it does.
func (l liar) able(t *testing.T) {
	needs, root := strings.CutPrefix(l.needs, "root ")
	if root && os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	if strings.Contains(needs, "taskset") && runtime.NumCPU() < 2 {
		t.Skip("needs two CPUs")
	}
	for _, program := range strings.Fields(needs) {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
}

// liarPlace is where a liar is measured: what it finds, and may spoil.
type liarPlace struct {
	place
	env []string
}

// run starts moobench, and returns what it says.
func (p liarPlace) run(t *testing.T, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	cmd := exec.Command(filepath.Join(p.dir, "jdk", "bin", "moobench"), args...)
	cmd.Dir, cmd.Env = p.dir, p.env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // it may be signalled
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	cmd.WaitDelay = time.Minute // of what an agent leaves, and has our pipes
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Error(err)
	}
	return out.String(), said.String(), cmd.ProcessState.ExitCode()
}

const liarCampaign = `
name = "liar"
[jvm]
args = ["-XX:TieredStopAtLevel=1"]
[[scenario]]
use          = "overhead"
variants     = ["none", "liar"]
calls        = 2000
blocks       = %d
resources    = 0
max_failures = 1
timeout      = "12s"
[framework.liar]
args  = ["-javaagent:%s=%d;%s;{port}"]
proof = %s
`

// measure measures a liar, and returns what was said of it and what it left behind.
func (l liar) measure(t *testing.T, number int, jar string) (said, left string) {
	p := liarPlace{place: newPlace(t)}
	cache := userCache(t)
	if l.spoils {
		cache = copiedCache(t, cache, p.dir)
	}
	p.env = append(os.Environ(), "MOOBENCH_LOCK="+filepath.Join(p.dir, "lock"), "MOOBENCH_JOURNAL="+filepath.Join(p.dir, "journal"),
		"XDG_STATE_HOME="+filepath.Join(p.dir, "state"), "XDG_CACHE_HOME="+cache)
	if l.own != nil {
		jar = l.ownJar(t, p.dir, jar)
	}
	proof := l.proof
	if proof == "" {
		proof = `{ file = "{dir}/rec.csv", lines = true, per_call = "depth" }`
	}
	toml := fmt.Sprintf(liarCampaign, max(1, l.blocks), jar, number, p.dir, proof)
	if !strings.Contains(proof, "otlp") {
		toml = strings.Replace(toml, ";{port}", "", 1)
	}
	if err := os.WriteFile(filepath.Join(p.dir, "benchmarks.toml"), []byte(toml), 0o666); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, status := p.run(t, "run", "--seed", "1", "-o", "out", "benchmarks.toml")
	if i := strings.IndexFunc(stdout+stderr, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' }); i >= 0 {
		t.Errorf("a control byte gets through: %q", (stdout + stderr)[i:min(i+40, len(stdout+stderr))])
	}
	head := oneLine(headOf(stdout, stderr, headLines))
	if strings.Contains(head, "calls waited") { // tests run beside it, which takes more lines
		head = oneLine(headOf(stdout, stderr, 2*headLines))
	}
	if strings.Contains(head, "steal_ns") { // the host of a virtual machine takes the place of other warnings
		all, _, _ := p.run(t, "report", "out", "--all")
		head += " " + oneLine(all)
	}
	where, found := regexp.MustCompile(l.says).FindString(head), regexp.MustCompile(l.says).MatchString(head)
	// Other programs may take so much of the CPU that a cell says so, and has no mean.
	busy := l.status == exitFine && status == exitIncomplete && !strings.Contains(stdout, "given up")
	if status != l.status && !busy && !(l.either && status == exitFine) || !found {
		t.Errorf("exit status %d, want %d, and %q in the first %d lines:\n%s\n%s", status, l.status, l.says, headLines, stdout, stderr)
	}
	if l.status == exitFine && !l.named {
		if out, _, status := p.run(t, "verify", "out"); status != exitFine {
			t.Errorf("the campaign is not whole: exit status %d\n%s", status, out)
		}
	}
	if l.after != nil {
		l.after(t, p)
	}
	left = l.left(t, p)
	if !regexp.MustCompile("^(" + l.leaves + ")$").MatchString(left) {
		t.Errorf("it leaves %s, and may %q", left, l.leaves)
	}
	if left == "" {
		left = "yes"
	}
	return brief(where), left
}

// brief is what a table holds of a sentence.
func brief(where string) string {
	const before, path, after = `^.* failed in b0001.s0..r0: |^none – .*`, `(sealing \S+ )?(reading dump|counting the records: count the records of|reading) /\S+ `, `(:? given up|; the rest| 1 CPU|[;:] see | costs, | means are).*`
	where = regexp.MustCompile(before+"|"+path+"|"+after).ReplaceAllString(where, "")
	where = regexp.MustCompile(`/\S+/`).ReplaceAllString(where, "…/")
	const most = 90
	if runes := []rune(where); len(runes) > most {
		where = string(runes[:most]) + "…"
	}
	return where
}

// headOf is the beginning of a report, or what is said where there is none.
func headOf(stdout, stderr string, n int) string {
	lines := strings.Split(stdout, "\n")
	for line := range strings.Lines(stderr) {
		for _, mark := range []string{"moobench: error", "moobench: warning", "moobench: hint", "interrupted"} {
			if strings.HasPrefix(line, mark) {
				lines = append([]string{strings.TrimSpace(line)}, lines...)
			}
		}
	}
	return strings.Join(lines[:min(n, len(lines))], "\n")
}

// oneLine has one blank where text has any number of them.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// left are the processes and settings that are left of a liar, in words. They are ended.
func (l liar) left(t *testing.T, p liarPlace) string {
	var words []string
	pids, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range pids {
		cwd, err := os.Readlink(filepath.Join(dir, "cwd"))
		pid, _ := strconv.Atoi(filepath.Base(dir))
		if err != nil || !strings.HasPrefix(cwd, p.dir) || pid == os.Getpid() {
			continue
		}
		name, err := os.ReadFile(filepath.Join(dir, "comm"))
		if err != nil || syscall.Kill(pid, syscall.SIGKILL) != nil {
			continue // it has just ended
		}
		words = append(words, "process "+strings.TrimSpace(string(name)))
	}
	if _, err := os.Stat(filepath.Join(p.dir, "journal")); err == nil {
		words = append(words, "journal")
	}
	return strings.Join(words, ", ")
}

// copiedCache has the built fixtures, for who spoils them.
func copiedCache(t *testing.T, cache, dir string) string {
	t.Helper()
	to := filepath.Join(dir, "cache")
	err := os.CopyFS(filepath.Join(to, "moobench", "fixtures"), os.DirFS(filepath.Join(cache, "moobench", "fixtures")))
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// userCache is where the fixtures are that liars get: those of the machine.
func userCache(t *testing.T) string {
	t.Helper()
	dir, err := os.UserCacheDir()
	if err != nil {
		t.Skip(err)
	}
	return dir
}

// liarsJar compiles all liars into one agent, which is told which of them it is.
func liarsJar(t *testing.T, all []liar) string {
	t.Helper()
	dir := t.TempDir()
	common, err := os.ReadFile("testdata/liars/Lie.java")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.Write(common)
	b.WriteString("\nclass Liars extends Lie {\n")
	for i, l := range all {
		fmt.Fprintf(&b, "static void lie%d() throws Exception { %s }\n", i, l.java)
	}
	b.WriteString(`public static void premain(String args, Instrumentation instrumentation) throws Exception {
		String[] words = args.split(";");
		place = words[1];
		port = words.length > 2 ? Integer.parseInt(words[2]) : 0;
		inst = instrumentation;
		records(PERFECT);
		switch (Integer.parseInt(words[0])) {
`)
	for i := range all {
		fmt.Fprintf(&b, "case %d: lie%[1]d(); break;\n", i)
	}
	b.WriteString("} } }\n")
	agentJar(t, dir, "liar.jar", "Liars", b.String())
	return filepath.Join(dir, "liar.jar")
}

// ownJar is a copy of the agent that puts a class of the fixture's, and what it needs, on the boot class
// path.
func (l liar) ownJar(t *testing.T, dir, jar string) string {
	t.Helper()
	const kernel = "../../jvm-fixtures/kernel/src/main/java"
	file, source := l.own(t)
	own, agent := filepath.Join(dir, "own"), filepath.Join(dir, "agent.jar")
	manifest := filepath.Join(dir, "manifest")
	data, err := os.ReadFile(jar)
	if err := errors.Join(err, os.Mkdir(own, 0o777), os.WriteFile(agent, data, 0o666),
		os.WriteFile(manifest, []byte("Boot-Class-Path: own.jar\n"), 0o666)); err != nil {
		t.Fatal(err)
	}
	options := []string{"-sourcepath", kernel}
	if strings.HasPrefix(source, "package moobench.kernel;") { // others of it look into that class
		options = append(options, kernel+"/moobench/kernel/Kernel.java")
	}
	javac(t, own, file, source, options...)
	for _, args := range [][]string{{"cf", filepath.Join(dir, "own.jar"), "-C", own, "."}, {"ufm", agent, manifest}} {
		if out, err := exec.Command("jar", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return agent
}
