package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"

	"moobench/analysis"
	"moobench/analysis/proof"
	"moobench/cmd/internal/console"
	"moobench/cmd/internal/session"
	"moobench/harness/framework"
	"moobench/harness/jvm"
	"moobench/results"
)

var (
	// conform has the whole of every entry's conformance.txtar run, on every JDK that is found.
	conform = flag.Bool("conform", false, "run the whole conformance suite, and other tests of real JVMs, on every JDK")
	// keep writes what is seen where moobench list --agents has it from: see keptResult.
	keep = flag.Bool("conform.keep", false, "with -conform: keep what is seen in the catalogue's conformance.json")
)

// alone tells the test binary to run what its arguments say where nothing but a loopback device
// is there, and to say at the end what was tried elsewhere.
const alone = "MOOBENCH_TEST_ALONE"

// runAlone brings the loopback device up, runs a command, and prints how many packets had no
// route.
func runAlone() {
	if err := loopbackUp(); err != nil {
		fmt.Fprintln(os.Stderr, "no loopback device:", err)
		os.Exit(125)
	}
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Env = slices.DeleteFunc(os.Environ(), func(e string) bool { return strings.HasPrefix(e, alone+"=") })
	err := cmd.Run()
	fmt.Println("tried elsewhere:", noRoute())
	if err != nil && cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(125)
	}
	os.Exit(cmd.ProcessState.ExitCode())
}

func loopbackUp() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var request struct {
		name  [unix.IFNAMSIZ]byte
		flags uint16
		_     [22]byte
	}
	copy(request.name[:], "lo")
	request.flags = unix.IFF_UP | unix.IFF_RUNNING
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), unix.SIOCSIFFLAGS, uintptr(unsafe.Pointer(&request))); errno != 0 {
		return errno
	}
	return nil
}

// noRoute is the kernel's count of packets that would have left this machine.
func noRoute() string {
	text, err := os.ReadFile("/proc/self/net/snmp")
	if err != nil {
		return err.Error()
	}
	var names []string
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] != "Ip:" {
			continue
		}
		if names == nil {
			names = fields
			continue
		}
		if i := slices.Index(names, "OutNoRoutes"); i > 0 && i < len(fields) {
			return fields[i]
		}
	}
	return "?"
}

// TestConformance runs the script of each entry of the catalogue: see conformance.
func TestConformance(t *testing.T) {
	needReal(t)
	scripts, err := filepath.Glob("../../harness/framework/catalogue/*/conformance.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatal(scripts, err)
	}
	if !*conform { // one that starts quickly, so that the suite itself is tried
		scripts = slices.DeleteFunc(scripts, func(s string) bool { return filepath.Base(filepath.Dir(s)) != "redefine" })
	}
	for _, script := range scripts {
		for _, java := range javas() {
			entry := filepath.Base(filepath.Dir(script))
			t.Run(entry+"/"+java.Version, func(t *testing.T) {
				c := &conformance{t: t, entry: entry, java: java}
				if *conform && *keep {
					t.Cleanup(c.keep) // comes after the script, which is a parallel test
				}
				testscript.Run(t, testscript.Params{Files: []string{script}, Cmds: c.commands()})
			})
		}
	}
}

// conformance are the commands of an entry's script. Each names variants of the entry, which are
// measured where nothing but a loopback device is there: none of them may try to reach
// anything else.
//
//	exact      as many records come as the calls make, although the method has neighbours. What lost
//	           some is measured again, twice at most, by calls that take four seconds together: agents
//	           may leave at the end what is in their queue
//	classwide  the same of an agent that takes whole classes, and so of a method without neighbours
//	loses      some may be missing: its queue is not waited for
//	some       there is one at least, of calls that take four seconds together
//	silent     there is none
//	faults     whatever its receiver does wrong: the JVM ends, and what is lost is counted. With
//	           hangs=FAULT it is known of that one that the JVM does not end: nor may it then
//
// With elsewhere, it is known of these that they look for somebody else to send to.
type conformance struct {
	t     *testing.T
	entry string
	java  jvm.Java
	held  []framework.Held
}

// commands are those of a script.
func (c *conformance) commands() map[string]func(*testscript.TestScript, bool, []string) {
	all := map[string]func(*testscript.TestScript, bool, []string){"faults": c.faults}
	exact := func(_ string, r *analysis.Records) bool { return r.Received == r.Expected && r.Expected > 0 }
	for name, check := range map[string]conforming{
		"exact":     {among: true, again: 2, as: exact},
		"classwide": {again: 2, as: exact},
		"loses":     {among: true, as: func(_ string, r *analysis.Records) bool { return r.Received > 0 && r.Received <= r.Expected }},
		"some":      {took: lasting, as: func(_ string, r *analysis.Records) bool { return r.Received > 0 }},
		"silent":    {as: func(_ string, r *analysis.Records) bool { return r.Verdict == proof.Instrumented }},
	} {
		all[name] = func(ts *testscript.TestScript, _ bool, args []string) {
			check.name = name
			c.measure(ts, check.known(args), check)
		}
	}
	return all
}

// lasting is so long for a call that what is sent by the clock is sent.
const lasting = "2ms"

// conforming is what a command asks of variants.
type conforming struct {
	name      string // as it is kept
	among     bool   // the method stands among others
	took      string // how long a call takes; "" is no time
	hangs     bool   // the JVM is known not to end
	elsewhere bool   // it is known to try elsewhere
	again     int    // how often what lost records is measured again, by calls that its queue keeps up with
	as        func(label string, r *analysis.Records) bool
}

// known takes from a command's arguments what is known of its variants, and returns these.
func (c *conforming) known(args []string) (variants []string) {
	c.elsewhere = slices.Contains(args, "elsewhere")
	return slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return arg == "elsewhere" })
}

// How long a JVM may take: a busy machine makes none of them fail, and those that are known not to end
// are not waited for as long.
const (
	ending  = "10m"
	hanging = "60s"
)

func (c *conformance) faults(ts *testscript.TestScript, _ bool, args []string) {
	set, err := framework.Catalogue()
	ts.Check(err)
	check := conforming{name: "faults", took: lasting}
	check.as = func(label string, r *analysis.Records) bool { // only a slow receiver may let everything through
		return r.Verdict == proof.Lost || r.Verdict == proof.Instrumented && strings.HasSuffix(label, "~slow")
	}
	var named, known []string
	for _, arg := range check.known(args) {
		if fault, hangs := strings.CutPrefix(arg, "hangs="); hangs {
			known = append(known, fault)
		} else {
			named = append(named, arg)
		}
	}
	if check.elsewhere {
		check.name = "elsewhere"
	}
	var end, hang []string
	for _, name := range named {
		for _, fault := range results.Faults() {
			_, err := set.Variant(name + "~" + fault.Name)
			switch hangs := slices.Contains(known, fault.Name); {
			case err != nil: // its receiver has no such fault
			case hangs:
				hang = append(hang, name+"~"+fault.Name)
			default:
				end = append(end, name+"~"+fault.Name)
			}
		}
	}
	c.measure(ts, end, check)
	check.name, check.hangs = "hangs", true
	c.measure(ts, hang, check)
}

// conformanceCampaign measures variants once, on one JDK.
const conformanceCampaign = `
name = "conformance"
[jvm]
home = %q
args = ["-XX:+UseSerialGC"]
[[scenario]]
use          = "overhead"
variants     = %s
calls        = 2000
method_time  = %q
blocks       = 1
resources    = 0
timeout      = %q
max_failures = 1
%s
`

// neighbours is a framework like another one, whose method stands among others.
const neighbours = `
[framework.%s]
inherits = %[2]q
target   = "moobench.calls.Neighbours"
`

// measure measures variants, and checks what became of the records of each.
func (c *conformance) measure(ts *testscript.TestScript, variants []string, check conforming) {
	named, campaign := c.campaign(ts, variants, check)
	if len(named) == 0 {
		return
	}
	ts.Check(c.fetch(named))
	dir, err := os.MkdirTemp(ts.MkAbs("."), "campaign-")
	ts.Check(err)
	ts.Check(os.WriteFile(filepath.Join(dir, "benchmarks.toml"), []byte(campaign), 0o666))
	out, status := c.run(dir, "run", "--keep-going", "--seed", "1", "-o", "out", "benchmarks.toml")
	if status != exitFine && status != exitIncomplete {
		ts.Fatalf("exit status %d:\n%s", status, out)
	}
	if elsewhere := regexp.MustCompile(`(?m)^tried elsewhere: (.*)$`).FindStringSubmatch(out); elsewhere != nil && elsewhere[1] != "0" && !check.elsewhere {
		ts.Fatalf("%s packets would have left this machine:\n%s", elsewhere[1], out)
	}
	_, answers := analysed(c.t, filepath.Join(dir, "out"))
	var lossy []string
	for _, cell := range answers.Scenarios[0].Cells {
		v, measured := named[cell.Label]
		if !measured || cell.Role != results.RoleVariant {
			continue
		}
		if held, lost := check.holds(ts, cell, out); lost {
			lossy = append(lossy, v.Name)
		} else {
			c.held = append(c.held, v.Held(check.name, held.Received, held.Expected))
		}
	}
	if check.again--; len(lossy) > 0 {
		check.took = lasting
		c.measure(ts, lossy, check)
	}
}

// holds ends the script where a cell is not as was asked, but for one that lost records and shall be
// measured again.
func (check conforming) holds(ts *testscript.TestScript, cell analysis.Cell, out string) (r analysis.Records, lost bool) {
	switch {
	case check.hangs && cell.OK > 0:
		ts.Fatalf("%s ends: it hangs no more", cell.Label)
	case check.hangs:
		return r, false
	case cell.Failed > 0 || cell.OK == 0 || cell.Records == nil:
		ts.Fatalf("%s: %d failed, %d went well: %v\n%s", cell.Label, cell.Failed, cell.OK, cell.Failures, out)
	}
	r = *cell.Records
	ts.Logf("%s: %s", cell.Label, r.Text)
	switch {
	case check.as(cell.Label, &r):
	case check.again > 0 && r.Verdict == proof.Lost:
		return r, true
	default:
		ts.Fatalf("%s: %s, %d of %d records", cell.Label, r.Verdict, r.Received, r.Expected)
	}
	return r, false
}

// campaign is a benchmarks.toml that measures those variants that the JDK suits, and these by what they
// are called in it.
func (c *conformance) campaign(ts *testscript.TestScript, variants []string, check conforming) (map[string]framework.Variant, string) {
	var measured, tables []string
	named := map[string]framework.Variant{}
	set, err := framework.Catalogue()
	ts.Check(err)
	for _, name := range variants {
		v, err := set.Variant(name)
		ts.Check(err)
		if why := v.Suits(c.java.Home, c.java.Major); why != nil {
			ts.Logf("left out: %v", why)
			continue
		}
		name = v.Name
		base, rest, _ := strings.Cut(name, "/")
		if check.among && v.Target == "" {
			table := fmt.Sprintf(neighbours, base+"-among", base)
			if name = base + "-among/" + rest; !slices.Contains(tables, table) {
				tables = append(tables, table)
			}
		}
		measured, named[name] = append(measured, name), v
	}
	within := ending
	if check.hangs {
		within = hanging
	}
	return named, fmt.Sprintf(conformanceCampaign, c.java.Home, quotedList(append([]string{"none"}, measured...)),
		cmp.Or(check.took, "0s"), within, strings.Join(tables, ""))
}

// fetch gets what variants and the page need before they are measured, where there may be no network.
func (c *conformance) fetch(variants map[string]framework.Variant) error {
	fixtures, err := (&terminal{session.Lab{Console: console.Console{Err: os.Stderr}}}).Fixtures(c.java.Home)
	if err != nil {
		return err
	}
	if _, err := fixtures.Build(c.t.Context()); err != nil {
		return err
	}
	resolver := &framework.Resolver{Log: os.Stderr}
	// The page's script is not there yet on a new machine, unless another test has been quicker.
	if err := console.FetchCharts(c.t.Context(), resolver); err != nil {
		return err
	}
	for _, v := range variants {
		for _, a := range v.Artifacts {
			if _, err := resolver.Resolve(c.t.Context(), a, v.License); err != nil {
				return err
			}
		}
	}
	return nil
}

// run runs moobench alone with a loopback device, where this user may have that.
func (c *conformance) run(dir string, args ...string) (out string, status int) {
	cmd := realCommand(c.t, dir, args...)
	self, err := os.Executable()
	if err != nil {
		c.t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		cmd.Args = append([]string{self}, append([]string{cmd.Path}, args...)...)
		cmd.Path = self
		cmd.Env = append(cmd.Env, alone+"=1")
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	}
	b, err := cmd.CombinedOutput()
	if _, ended := err.(*exec.ExitError); err != nil && !ended {
		c.t.Fatal(err)
	}
	return string(b), cmd.ProcessState.ExitCode()
}

// quotedList is a list of strings as TOML has it.
func quotedList(all []string) string {
	return "[" + strings.Join(results.Each(all, func(s string) string { return fmt.Sprintf("%q", s) }), ", ") + "]"
}
