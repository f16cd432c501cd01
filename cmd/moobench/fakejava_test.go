package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// fakeJava stands in for a JVM with the calls fixture in it. What it does
// wrong is chosen by -Dfake=…, so that a [framework.x] of the script's own
// benchmarks.toml can ask for it:
//
//	hang die silent garbage lie short noend token flood once throw serve overwrite raise bootclass
//
// One that serves works for -Dfake.start before it is up, and answers at -Dfake.port: /health, and anything
// else with -Dfake.body, one after the other, -Dfake.answer each, from the answer number -Dfake.until on
// with another one.
// -Dfake.cost=NS makes each call that much dearer, -Dfake.drift=NS the last one, and those
// before it in proportion, -Dfake.records=SHARE writes
// that share of the expected records to records.count, as lines to records.csv, to the log,
// and serves their number at the port -Dfake.metrics, and -Dfake.kill=b0012
// kills moobench in that block, once.
// The file that -Dfake.agent=PATH names says in its first line by how many ns an
// agent's build makes each call dearer.
// A file speed beside the campaigns says how many ns a reference takes, of which there is
// none without it; calls take as much longer as it does than 2000 ns.
// Beside it a turn takes a reference -Dfake.touch=SHARE longer than 2000 ns, but for chance, and
// -Dfake.turns=die or hang ends or stops that in the pair -Dfake.pair=pair-002, or in all.
// A probe that is to burn some time makes each call dearer by it, or by
// -Dfake.burn=FACTOR times as much, and records them all unless told otherwise.
type fakeJava struct {
	props     map[string]string
	conn      net.Conn
	in        *bufio.Scanner
	setup     map[string]string
	values    []int64
	reference []int64
	rng       *rand.Rand // of turns
}

func runFakeJava() {
	f := &fakeJava{props: map[string]string{}}
	for _, a := range os.Args[1:] {
		if rest, ok := strings.CutPrefix(a, "-D"); ok {
			k, v, _ := strings.Cut(rest, "=")
			f.props[k] = v
		}
	}
	status := f.run()
	syscall.Exit(status) // os.Exit waits a second when the race detector is in
}

func (f *fakeJava) run() int {
	fmt.Println("fake java says hello on its standard output")
	switch f.misdeed() {
	case "silent":
		time.Sleep(time.Hour)
	case "throw":
		fmt.Fprint(os.Stderr, "Exception in thread \"main\" java.lang.reflect.InvocationTargetException\n\tat java.base/java.lang.X.y(X.java:1)\n"+
			"Caused by: java.lang.IllegalStateException: no collector\n\tat com.acme.Agent.premain(Agent.java:10)\n\t... 6 more\n"+strings.Repeat("V [libjvm.so+0x1]\n", 30))
		return 1
	case "serve":
		return f.serve()
	case "once":
		marker := f.props["fake.marker"]
		if _, err := os.Stat(marker); err != nil {
			os.WriteFile(marker, nil, 0o666)
			fmt.Fprintln(os.Stderr, "Exception in thread \"main\": the first time always fails")
			return 1
		}
	}
	if block := f.props["fake.kill"]; block != "" && strings.HasPrefix(invocationPlace(), block+".") {
		f.kill()
	}
	conn, err := net.Dial("tcp", f.props["moobench.control"])
	if err != nil {
		return 1
	}
	f.conn, f.in = conn, bufio.NewScanner(conn)
	token := os.Getenv("MOOBENCH_TOKEN")
	if f.misdeed() == "token" {
		token = "feedfacefeedface"
	}
	var now unix.Timespec
	unix.ClockGettime(unix.CLOCK_MONOTONIC, &now)
	f.say("hello protocol=1 token=%s fixture=calls pid=%d jvm=17.0.99+1-fake vm=fake main_ns=%d", token, os.Getpid(), now.Nano())
	for f.in.Scan() {
		if done := f.answer(f.in.Text()); done {
			return 0
		}
	}
	return 3
}

// kill kills moobench, unless it did so before.
func (f *fakeJava) kill() {
	marker := f.props["fake.marker"]
	if _, err := os.Stat(marker); err == nil {
		return
	}
	os.WriteFile(marker, nil, 0o666)
	unix.Kill(os.Getppid(), unix.SIGKILL)
	time.Sleep(time.Hour) // it takes its subjects along
}

func (f *fakeJava) misdeed() string { return f.props["fake"] }

func (f *fakeJava) say(format string, args ...any) { fmt.Fprintf(f.conn, format+"\n", args...) }

func (f *fakeJava) answer(line string) (done bool) {
	words := strings.Fields(line)
	switch words[0] {
	case "setup":
		f.setup = map[string]string{}
		for _, w := range words[1:] {
			k, v, _ := strings.Cut(w, "=")
			f.setup[k] = v
		}
		f.say("ready clock_ns=25 tick_ns=1")
	case "prime":
		f.say("primed calls=20000")
	case "activate":
		f.say("active classes=1 methods=1 took_ns=1000000")
	case "measure":
		return f.measure()
	case "turn":
		f.turn()
	case "gc":
		f.say("collected heap_used_bytes=1000000")
	case "dump":
		f.dump()
	case "code":
		f.code()
	case "threads":
		f.say("threads count=0")
	case "quit":
		f.say("bye")
		return true
	default:
		f.say("error message=%q", "unknown verb "+words[0])
	}
	return false
}

func (f *fakeJava) calls() int64 {
	n, _ := strconv.ParseInt(f.setup["calls"], 10, 64)
	return n
}

func (f *fakeJava) measure() (done bool) {
	switch f.misdeed() {
	case "hang":
		time.Sleep(time.Hour)
	case "die":
		fmt.Fprintln(os.Stderr, "java.lang.OutOfMemoryError: Java heap space")
		os.Exit(1)
	case "garbage":
		f.conn.Write([]byte("\x00\x01@@@ ###\n"))
		return false
	}
	cost, _ := strconv.ParseInt(f.props["fake.cost"], 10, 64)
	cost += f.burn() + f.agent()
	rng := noise()
	level := 1000 + cost + rng.Int64N(20)
	if ns := f.speed(); ns > 0 {
		ns *= 0.98 + 0.04*rng.Float64()
		level = int64(float64(level) * ns / 2000)
		f.reference = slices.Grow(f.reference, int(f.calls()))
		for range f.calls() { // as many as a fixture takes of so few calls
			f.reference = append(f.reference, int64(ns)+rng.Int64N(3))
		}
	}
	n := f.calls()
	if f.misdeed() == "short" {
		n /= 2
	}
	drift, _ := strconv.ParseInt(f.props["fake.drift"], 10, 64)
	f.values = slices.Grow(f.values, int(n))
	for i := range n {
		f.values = append(f.values, level+drift*i/n+rng.Int64N(10))
	}
	f.records()
	var now unix.Timespec
	unix.ClockGettime(unix.CLOCK_MONOTONIC, &now)
	var took int64
	for _, series := range [][]int64{f.values, f.reference} {
		for _, ns := range series {
			took += ns
		}
	}
	if f.misdeed() == "raise" {
		for i := range f.values {
			f.values[i] *= 10
		}
	}
	f.say("measured begin_ns=%d end_ns=%d calls=%d alloc_bytes=0 cpu_ns=-1 delay_ns=-1 threads_ns=%d recorded=%d", now.Nano()-took, now.Nano(), n, took, f.recorded())
	return false
}

// turn says what a short piece of the loop took; nothing is done, so that it costs no time.
func (f *fakeJava) turn() {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	pair := filepath.Base(filepath.Dir(dir))
	switch only := f.props["fake.pair"]; {
	case only != "" && only != pair:
	case f.props["fake.turns"] == "die":
		fmt.Fprintln(os.Stderr, "java.lang.OutOfMemoryError: Java heap space")
		os.Exit(1)
	case f.props["fake.turns"] == "hang":
		time.Sleep(time.Hour)
	}
	if f.rng == nil {
		sum := fnv.New64a()
		sum.Write([]byte(pair + filepath.Base(dir)))
		f.rng = rand.New(rand.NewPCG(sum.Sum64(), 1))
	}
	touch, _ := strconv.ParseFloat(f.props["fake.touch"], 64)
	const n, spread = 30, 0.01
	sum := n * 2000 * (1 + touch) * (1 + spread*f.rng.NormFloat64())
	f.records()
	f.say("turned begin_ns=1000 end_ns=20001000 calls=1000 reference_ns=%.0f references=%d", sum, n)
}

// speed is how long the reference takes, 0 where there is none.
func (f *fakeJava) speed() float64 {
	text, err := os.ReadFile("../../../speed")
	if err != nil {
		return 0
	}
	ns, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
	if err != nil {
		panic(err)
	}
	return ns
}

// invocationPlace is the block and the slot, which are in the name of the working folder.
func invocationPlace() string {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), ".tmp-"), ".r")
	return name
}

// agent is what stands in the jar that is named.
func (f *fakeJava) agent() int64 {
	path := f.props["fake.agent"]
	if path == "" {
		return 0
	}
	text, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	ns, err := strconv.ParseInt(first, 10, 64)
	if err != nil {
		panic(err)
	}
	return ns
}

func (f *fakeJava) burn() int64 {
	ns, err := strconv.ParseFloat(f.props["moobench.burn.ns"], 64)
	if err != nil {
		return 0
	}
	if f.props["fake.records"] == "" {
		f.props["fake.records"] = "1"
	}
	if factor, err := strconv.ParseFloat(f.props["fake.burn"], 64); err == nil {
		ns *= factor
	}
	return int64(ns)
}

// noise hangs on the block and the slot alone: with chance noise, one A/A in a
// hundred would rightly fail.
func noise() *rand.Rand {
	sum := fnv.New64a()
	sum.Write([]byte(invocationPlace()))
	return rand.New(rand.NewPCG(sum.Sum64(), 1))
}

func (f *fakeJava) recorded() int64 {
	share, _ := strconv.ParseFloat(f.props["fake.records"], 64)
	depth, _ := strconv.ParseInt(f.setup["depth"], 10, 64)
	return int64(share * float64(f.calls()*depth))
}

func (f *fakeJava) records() {
	if f.props["fake.records"] == "" {
		return
	}
	n := f.recorded()
	os.WriteFile("records.count", fmt.Appendf(nil, "recorded=%d\n", n), 0o666)
	os.WriteFile("records.csv", bytes.Repeat([]byte("a record\n"), int(n)), 0o666)
	fmt.Printf("recorded %d\n", n)
	if port := f.props["fake.metrics"]; port != "" {
		serve := func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, "records_total %d\n", n) }
		go http.ListenAndServe("127.0.0.1:"+port, http.HandlerFunc(serve))
		time.Sleep(100 * time.Millisecond)
	}
}

func (f *fakeJava) dump() {
	n := len(f.values)
	if f.misdeed() == "flood" {
		f.say("error message=%q", "writing duration.0.i64: No space left on device")
		return
	}
	out := dumped("duration", f.values)
	if f.misdeed() == "noend" {
		out = out[:len(out)-16]
	}
	if f.misdeed() == "lie" {
		out = out[:len(out)-64]
	}
	f.series("duration", n, out)
	if n := len(f.reference); n > 0 {
		f.series("reference", n, dumped("reference", f.reference))
	}
	f.say("dumped bytes=%d", len(out))
	if f.misdeed() == "overwrite" { // once moobench was told what they are
		for i := range f.values {
			f.values[i] = 7
		}
		os.WriteFile("duration.0.i64", dumped("duration", f.values), 0o666)
	}
}

// series writes a series, and announces it.
func (f *fakeJava) series(name string, n int, out []byte) {
	file := name + ".0.i64"
	os.WriteFile(file, out, 0o666)
	f.say("series name=%s thread=0 columns=t:ns:duration count=%d batch=1 crc32=%08x file=%s", name, n, crc32.ChecksumIEEE(out), file)
}

// code says where the class of the kernel and the measured one came from: where the fixture's jars
// are, or from nowhere.
func (f *fakeJava) code() {
	from := filepath.SplitList(os.Args[slices.Index(os.Args, "-cp")+1])
	if f.misdeed() == "bootclass" {
		from[1] = ""
	}
	f.say("class name=moobench.kernel.Loop from=%q", from[0])
	f.say("class name=%s from=%q", f.setup["target"], from[1])
	f.say("code count=2")
}

// dumped is a series as fixtures dump it, with its end record of 16 bytes.
func dumped(series string, values []int64) []byte {
	out := fmt.Appendf(nil, "moobench-i64 1 series=%s thread=0 columns=t:ns:duration n=%d batch=1\n", series, len(values))
	out = slices.Grow(out, 8*len(values)+16)
	for _, v := range values {
		out = binary.LittleEndian.AppendUint64(out, uint64(v))
	}
	out = append(out, "MOOEND01"...)
	return binary.LittleEndian.AppendUint64(out, uint64(len(values)))
}

// serve is a server of the user's own.
func (f *fakeJava) serve() int {
	until, _ := strconv.ParseInt(f.props["fake.until"], 10, 64)
	start, _ := time.ParseDuration(f.props["fake.start"])
	answer, _ := time.ParseDuration(f.props["fake.answer"])
	for begun := time.Now(); time.Since(begun) < start; time.Sleep(6 * time.Millisecond) { // a third of this is work
		for spin := time.Now(); time.Since(spin) < 3*time.Millisecond; {
		}
	}
	var answered atomic.Int64
	var one sync.Mutex
	http.HandleFunc("/health", func(http.ResponseWriter, *http.Request) {})
	http.HandleFunc("/cart", func(w http.ResponseWriter, _ *http.Request) {
		if answer > 0 {
			one.Lock()
			time.Sleep(answer)
			one.Unlock()
		}
		if n := answered.Add(1); until > 0 && n >= until {
			fmt.Fprint(w, "{}")
			return
		}
		fmt.Fprint(w, f.props["fake.body"])
	})
	fmt.Fprintln(os.Stderr, http.ListenAndServe("127.0.0.1:"+f.props["fake.port"], nil))
	return 1
}
