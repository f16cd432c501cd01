package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"moobench/harness/machine"
	"moobench/refusal"
)

// The tools, as the table names them.
const (
	moobench = "moobench"
	mooBench = "MooBench"
	jmh      = "JMH"
)

// nothing is JMH's name for a method without work.
const nothing = "nothing"

// simple is the method that MooBench monitors.
const simple = "moobench.application.MonitoredClassSimple"

// configurations are the numbers in the names of MooBench's files: 0 is without instrumentation, 2 is the
// configuration that drops all records.
var configurations = []struct {
	variant string
	number  int
}{{none, 0}, {kiekerAgent, 2}}

// measuring is a run of all three tools.
type measuring struct {
	size
	dir     string
	own     *own
	java    java
	recipes map[string]recipe
	walls   map[column][]float64 // seconds that the peers' JVMs took
}

// round gives each tool its turn. The first turn of all is moobench's, whose command lines the others use;
// later rounds rotate, so that drift and after-effects hit all tools alike.
func (m *measuring) round(ctx context.Context, n int) error {
	turns := []func(context.Context, int) error{m.ours, m.moobenchTurn, m.jmhTurn, m.loops}
	for i := range turns {
		which := (n - 1 + i) % len(turns)
		release, err := alone(ctx, m.dir)
		if err != nil {
			return err
		}
		if which == 0 { // moobench locks the machine itself
			err = release()
		}
		if err == nil {
			err = turns[which](ctx, n)
		}
		if which != 0 {
			err = errors.Join(err, release())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// alone waits until no other moobench measures on this machine, and locks it until
// release.
func alone(ctx context.Context, dir string) (release func() error, err error) {
	for told := false; ; told = true {
		release, err := machine.Lock(machine.LockPath(), dir)
		var held *machine.HeldError
		if !errors.As(err, &held) {
			return release, err
		}
		if !told {
			fmt.Fprintf(os.Stderr, "waiting: %s\n", refusal.Text(err))
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

// ours lets moobench measure a block.
func (m *measuring) ours(ctx context.Context, n int) error {
	if err := m.own.block(ctx, n); err != nil || n > 1 {
		return err
	}
	var err error
	m.recipes, err = m.own.recipes()
	return err
}

// moobenchTurn starts MooBench's Java part as its scripts do, except for the sleeps and the preallocated memory
// (-q), and with moobench's JVM options.
func (m *measuring) moobenchTurn(ctx context.Context, n int) error {
	for _, c := range configurations {
		r := m.recipes[c.variant]
		dir := filepath.Join(m.dir, mooBench, fmt.Sprintf("%d-%d", n, c.number))
		raw := filepath.Join(m.dir, mooBench, fmt.Sprintf("raw-%d-%d-%d.csv", n, m.depth, c.number))
		args := slices.Concat(r.args, []string{
			"-Dmoobench.dir=" + dir, "-cp", join(m.java.moobenchJava, r.classPath),
			"moobench.measurementHarness.BenchmarkMain", "--output-filename", raw,
			"--total-calls", strconv.Itoa(m.calls), "--method-time", "0", "--total-threads", "1",
			"--recursion-depth", strconv.Itoa(m.depth), "--application", simple, "--quickstart",
		})
		if err := m.jvm(ctx, column{mooBench, c.variant}, dir, r, simple, args); err != nil {
			return err
		}
		want := int64(m.calls*m.depth + 2) // the agent records the constructor and the class initialiser too
		if r.records {
			if got, err := records(dir); err != nil || got != want {
				return fmt.Errorf("MooBench with %s made %d records, and %d calls are %d (%v)",
					c.variant, got, m.calls, want, err)
			}
		}
	}
	return nil
}

// jmhTurn makes a fork for each variant, and one for an empty method.
func (m *measuring) jmhTurn(ctx context.Context, n int) error {
	for _, variant := range append([]string{nothing}, variants...) {
		r, extra := m.recipes[variant], []string(nil)
		if variant == nothing {
			r, extra = m.recipes[none], []string{"-prof", "gc"}
			r.target = "moobench.peer.Nothing"
		}
		name := strings.ReplaceAll(variant, "/", "-")
		dir := filepath.Join(m.dir, jmh, fmt.Sprintf("%d-%s", n, name))
		fork := slices.Concat(r.args, []string{
			"-Dmoobench.dir=" + dir, "-Dmoobench.peer.target=" + r.target,
			"-Dmoobench.peer.depth=" + strconv.Itoa(m.depth), "-Dmoobench.peer.wait=" + wait,
		})
		args := append([]string{
			"-cp", join(m.java.jmh, r.classPath), "org.openjdk.jmh.Main", "moobench.peer.Call.call",
			"-f", "1", "-wi", strconv.Itoa(m.warmups), "-w", "1s",
			"-i", strconv.Itoa(m.iterations), "-r", "1s", "-foe", "true",
			"-jvmArgs", strings.Join(fork, " "), "-rf", "json", "-rff", m.jmhFile(n, variant),
		}, extra...)
		if err := m.jvm(ctx, column{jmh, variant}, dir, r, r.target, args); err != nil {
			return err
		}
		if r.records {
			if got, err := records(dir); err != nil || got == 0 {
				return fmt.Errorf("JMH with %s made %d records (%v)", variant, got, err)
			}
		}
	}
	return nil
}

func (m *measuring) jmhFile(n int, variant string) string {
	return filepath.Join(m.dir, jmh, fmt.Sprintf("%s-%03d.json", strings.ReplaceAll(variant, "/", "-"), n))
}

// loops measures the cost of the loops around an empty method.
func (m *measuring) loops(ctx context.Context, n int) error {
	r := m.recipes[none]
	dir := filepath.Join(m.dir, "loops", strconv.Itoa(n))
	args := slices.Concat(r.args, []string{
		"-cp", m.java.loops, "moobench.peer.Loops", m.loopsFile(n), strconv.Itoa(m.loopCalls),
	})
	return m.jvm(ctx, column{nothing, none}, dir, r, r.target, args)
}

func (m *measuring) loopsFile(n int) string {
	return filepath.Join(m.dir, "loops", fmt.Sprintf("%03d.csv", n))
}

// jvm runs a JVM with a recipe's environment, in which class replaces the monitored one, and records its wall
// time.
func (m *measuring) jvm(ctx context.Context, c column, dir string, r recipe, class string, args []string) error {
	line := r.start(args...)
	cmd, err := command(ctx, dir, line[0], line[1:]...)
	if err != nil {
		return err
	}
	cmd.Env = os.Environ()
	for _, e := range r.env {
		cmd.Env = append(cmd.Env, strings.ReplaceAll(e, r.target, class))
	}
	begin := time.Now()
	if err := finish(cmd); err != nil {
		return fmt.Errorf("%s with %s: %w", c.tool, c.variant, err)
	}
	m.walls[c] = append(m.walls[c], time.Since(begin).Seconds())
	return nil
}

// records returns the count of Kieker's writer at the JVM's end.
func records(dir string) (n int64, err error) {
	text, err := os.ReadFile(filepath.Join(dir, "records.count"))
	if err != nil {
		return 0, err
	}
	_, err = fmt.Sscanf(string(text), "recorded=%d", &n)
	return n, err
}
