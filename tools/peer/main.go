// Peer compares moobench with MooBench and JMH: the same method, agents, JVM options and CPUs, started in
// alternation, and analysed by moobench for all three. It writes the table of analysis/PEERS.md.
//
//	make peer DIR=<checkout of MooBench> [OUT=analysis/PEERS.md] [SIZE="-rounds 5"]
//
// Nothing else should run.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"moobench/refusal"
)

// size is the amount of measuring.
type size struct {
	rounds     int // JVMs of each cell
	calls      int // of a JVM of moobench and of MooBench, warm-up included
	depth      int // monitored executions of a call
	warmups    int // of a fork of JMH, a second each
	iterations int // of a fork of JMH, a second each
	loopCalls  int // of each round of the empty loops
}

func main() {
	var s size
	flag.IntVar(&s.rounds, "rounds", 15, "JVMs of each cell, at least 2")
	flag.IntVar(&s.calls, "calls", 500_000,
		"calls of a JVM of moobench and of MooBench, warm-up included; a multiple of 1000")
	flag.IntVar(&s.depth, "depth", 10, "monitored executions of a call")
	flag.IntVar(&s.warmups, "warmups", 4, "warm-up iterations of a fork of JMH, a second each")
	flag.IntVar(&s.iterations, "iterations", 3, "measured iterations of a fork of JMH, a second each")
	flag.IntVar(&s.loopCalls, "loop-calls", 300_000, "calls of each round of the loops without work")
	out := flag.String("out", "",
		"file that gets the table, between its marks if it has them (default standard output)")
	keep := flag.String("keep", "", "new folder for everything measured (default a temporary one, removed at the end)")
	flag.Parse()
	if flag.Arg(0) == "" {
		fmt.Println("skipped: MooBench and JMH beside moobench (DIR is not set; make peer DIR=<checkout of MooBench>)")
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := compare(ctx, flag.Arg(0), s, *keep, *out); err != nil {
		stop()
		fmt.Fprintln(os.Stderr, "peer:", refusal.Text(err))
		os.Exit(1)
	}
}

// compare measures, analyses and writes the table.
func compare(ctx context.Context, checkout string, s size, keep, out string) (err error) {
	if s.rounds < 2 || s.calls < batched || s.calls%batched != 0 {
		return fmt.Errorf("want at least 2 rounds, and calls in thousands: have %d rounds and %d calls",
			s.rounds, s.calls)
	}
	dir := ""
	if keep == "" {
		dir, err = os.MkdirTemp("", "peer-")
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	} else if dir, err = filepath.Abs(keep); err == nil {
		err = os.Mkdir(dir, 0o777)
	}
	if err != nil {
		return err
	}
	java, err := build(ctx, checkout, dir)
	if err != nil {
		return err
	}
	m := &measuring{size: s, dir: dir, own: &own{dir: dir, size: s}, java: java, walls: map[column][]float64{}}
	for round := range s.rounds {
		begin := time.Now()
		if err := m.round(ctx, round+1); err != nil {
			return fmt.Errorf("round %d: %w", round+1, err)
		}
		fmt.Fprintf(os.Stderr, "round %d of %d took %.0f s\n", round+1, s.rounds, time.Since(begin).Seconds())
	}
	took, err := analyse(ctx, checkout, dir, s)
	if err != nil {
		return err
	}
	f, err := m.figures(ctx, checkout)
	if err != nil {
		return err
	}
	f.analysis = took
	text, err := f.markdown()
	if err != nil {
		return err
	}
	if out == "" {
		_, err := os.Stdout.WriteString(text)
		return err
	}
	return writeInto(out, text)
}

// command returns a program in a folder of its own, whose output goes into the file out.log there. The program
// and its children end with ctx.
func command(ctx context.Context, dir, name string, args ...string) (*exec.Cmd, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	log, err := os.OpenFile(filepath.Join(dir, "out.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = 20 * time.Second // then it is killed
	return cmd, nil
}

// run runs a command to its end.
func run(ctx context.Context, dir, name string, args ...string) error {
	cmd, err := command(ctx, dir, name, args...)
	if err != nil {
		return err
	}
	return finish(cmd)
}

// finish runs cmd. An error includes the end of its output.
func finish(cmd *exec.Cmd) error {
	if err := cmd.Run(); err != nil {
		text, _ := os.ReadFile(filepath.Join(cmd.Dir, "out.log"))
		return fmt.Errorf("%s: %w\n%s", filepath.Base(cmd.Path), err, text[max(0, len(text)-4000):])
	}
	return nil
}
