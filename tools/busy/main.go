// Busy repeatedly measures a known cost beside a program that takes a share of the measured CPU, and counts how
// often the answer is right: within 5 % of the truth, or with the truth in its interval.
//
//	go run tools/busy/main.go -loads 0,0.3,0.6 -campaigns 20 -o /tmp/busy
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"moobench/analysis"
	"moobench/harness/machine/cpu"
	"moobench/harness/proc"
	"moobench/results"
)

//go:embed busy.toml
var question []byte

// trials describes the measurements.
type trials struct {
	moobench, out, file string
	campaigns           int
	truth               float64 // in the unit of the metric; NaN: unknown
	cpu                 int
}

func main() {
	var t trials
	loads := flag.String("loads", "0,0.3,0.6", "shares of the measured CPU that the other program wants")
	burn := flag.Float64("burn", -1, "only take this share of the CPU, until killed")
	flag.StringVar(&t.moobench, "moobench", "bin/moobench", "program that measures")
	flag.StringVar(&t.out, "o", "results/busy", "folder of the campaigns")
	flag.StringVar(&t.file, "file", "", "another benchmarks.toml")
	flag.IntVar(&t.campaigns, "campaigns", 20, "campaigns of each load")
	flag.Float64Var(&t.truth, "truth", 300, "what the last variant costs more than the first, in ns")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if *burn >= 0 {
		take(*burn)
	}
	t.cpu = last()
	if err := t.all(ctx, strings.Split(*loads, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "busy: error:", err)
		os.Exit(1)
	}
}

// last returns the CPU that moobench measures on if it may use two.
func last() int {
	cpus, err := cpu.Allowed()
	if err != nil || len(cpus) < 2 {
		fmt.Fprintln(os.Stderr, "busy: error: it needs two CPUs")
		os.Exit(1)
	}
	return cpus[len(cpus)-1]
}

// all measures beside each load.
func (t trials) all(ctx context.Context, loads []string) error {
	if err := os.MkdirAll(t.out, 0o777); err != nil {
		return err
	}
	if t.file == "" {
		t.file = filepath.Join(t.out, "benchmarks.toml")
		pinned := fmt.Appendf(question, "\n[machine]\npin = { cpus = %q, policy = \"require\" }\n", strconv.Itoa(t.cpu))
		if err := os.WriteFile(t.file, pinned, 0o666); err != nil {
			return err
		}
	}
	for _, load := range loads {
		if err := t.beside(ctx, load); err != nil {
			return fmt.Errorf("beside a load of %s: %w", load, err)
		}
	}
	return nil
}

// beside measures all campaigns beside one load, and prints their answers.
func (t trials) beside(ctx context.Context, load string) error {
	share, err := strconv.ParseFloat(load, 64)
	if err != nil {
		return err
	}
	if share > 0 {
		other, err := start(ctx, t.cpu, load)
		if err != nil {
			return err
		}
		defer func() { _ = other.Process.Kill(); _ = other.Wait() }()
	}
	answered, right := 0, 0
	for n := range t.campaigns {
		a, err := t.measure(ctx, load, n)
		if err != nil {
			return err
		}
		if !math.IsNaN(a.value) {
			answered++
		}
		good := math.Abs(a.value-t.truth) <= 0.05*t.truth || a.low <= t.truth && t.truth <= a.high
		if good {
			right++
		}
		fmt.Printf("load %s campaign %2d: %s right=%v\n", load, n+1, a, good)
	}
	fmt.Printf("load %s: %d of %d answered, %d right\n", load, answered, t.campaigns, right)
	return nil
}

// answer is the extra cost of the last variant over the first.
type answer struct {
	value, low, high float64
	caveats          string
}

func (a answer) String() string {
	return fmt.Sprintf("%.0f (%.0f … %.0f) %s", a.value, a.low, a.high, a.caveats)
}

// measure makes a campaign and reads its answer; NaN if moobench refuses to answer.
func (t trials) measure(ctx context.Context, load string, n int) (answer, error) {
	none := answer{value: math.NaN(), low: math.NaN(), high: math.NaN()}
	dir := filepath.Join(t.out, fmt.Sprintf("load%s-%02d", load, n+1))
	run := exec.CommandContext(ctx, t.moobench, "run", t.file,
		"--quiet", "--wait", "1h", "--seed", strconv.Itoa(n+1), "-o", dir)
	run.Stderr = os.Stderr
	if err := run.Run(); err != nil && run.ProcessState.ExitCode() != 4 { // 4: a cell has no answer
		return none, fmt.Errorf("measuring: %w", err)
	}
	store, err := results.Open(dir)
	if err != nil {
		return none, fmt.Errorf("reading the answer: %w", err)
	}
	all, err := analysis.Analyse(store)
	if err != nil {
		return none, fmt.Errorf("reading the answer: %w", err)
	}
	s := &all.Scenarios[0]
	c := s.Cells[len(s.Cells)-1]
	for _, m := range c.Marks {
		none.caveats += "[" + m.Show + "]"
	}
	if d := c.MetricNamed(s.Primary).Difference; d != nil && d.Interval != nil {
		none.value, none.low, none.high = d.Value, d.Interval.Low, d.Interval.High
	}
	return none, nil
}

// start starts this program again on one CPU, in a session of its own.
func start(ctx context.Context, on int, load string) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	var one unix.CPUSet
	one.Set(on)
	cmd := exec.CommandContext(ctx, self, "-burn", load)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: the child inherits the thread's affinity
		if err := unix.SchedSetaffinity(0, &one); err != nil {
			started <- err
			return
		}
		started <- cmd.Start()
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("starting the other program: %w", err)
	}
	time.Sleep(100 * time.Millisecond) // moobench must be younger, by the kernel's clock
	if !(proc.CPUNS(cmd.Process.Pid) > 1e6) {
		return nil, errors.New("the other program does not run")
	}
	return cmd, nil
}

// take uses a share of a CPU, in turns of 10 ms, forever.
func take(share float64) {
	runtime.LockOSThread()
	const turn = 10 * time.Millisecond
	next := time.Now()
	for {
		for begin := cpuNS(); cpuNS()-begin < int64(share*float64(turn)); {
		}
		if next = next.Add(turn); time.Until(next) < 0 {
			next = time.Now()
		}
		time.Sleep(time.Until(next))
	}
}

// cpuNS returns the CPU time of this thread.
func cpuNS() int64 {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts); err != nil {
		panic(err)
	}
	return ts.Nano()
}
