package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"moobench/results"
)

// Measured variants. No probe can be compiled into the method of MooBench's own harness, so that it has only
// the agent's variant.
const (
	none         = "none"
	probeManual  = "probe/manual/collect"
	kiekerManual = "kieker/manual/collect"
	kiekerAgent  = "kieker/bci/collect"
)

var variants = []string{none, probeManual, kiekerManual, kiekerAgent}

// Calls per time stamp of moobench: MooBench stamps each call, JMH only the iteration.
const (
	stamped = 1
	batched = 1000
)

// wait is MooBench's busy wait: it reads the clock twice even for 0 ns.
const wait = "wall"

// own is moobench's campaign.
type own struct {
	dir string
	size
}

func (o *own) store() string { return filepath.Join(o.dir, "campaign") }

// block measures the blocks up to n: moobench is interrupted after each, and resumed for
// the next in a later round.
func (o *own) block(ctx context.Context, n int) error {
	tool, err := filepath.Abs("bin/moobench")
	if err != nil {
		return err
	}
	args := []string{"run", "--quiet", "--resume", o.store()}
	if n == 1 {
		file := filepath.Join(o.dir, "benchmarks.toml")
		if err := os.WriteFile(file, []byte(o.toml()), 0o666); err != nil {
			return err
		}
		args = []string{"run", "--quiet", "-o", o.store(), file}
	}
	cmd, err := command(ctx, filepath.Join(o.dir, "moobench"), tool, args...)
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- finish(cmd) }()
	look := time.NewTicker(250 * time.Millisecond)
	defer look.Stop()
	for interrupted := false; ; {
		select {
		case err = <-ended:
			done, whole := o.sealed(n), n == o.rounds
			if done && (err == nil || !whole || cmd.ProcessState.ExitCode() == 4) {
				return nil // 4: finished, but some answer is missing
			}
			return errors.Join(err, fmt.Errorf("moobench ended before block %d was whole", n))
		case <-look.C:
			if !interrupted && n < o.rounds && o.sealed(n) {
				interrupted = true
				if err := cmd.Process.Signal(syscall.SIGINT); err != nil && !errors.Is(err, os.ErrProcessDone) {
					return err
				}
			}
		}
	}
}

// sealed reports whether a block is complete.
func (o *own) sealed(n int) bool {
	found, err := filepath.Glob(filepath.Join(o.store(), "invocations", fmt.Sprintf("b%04d.s*.r0", n)))
	return err == nil && len(found) == (len(variants)+1)*2 // the baseline twice, both batches
}

func (o *own) toml() string {
	return fmt.Sprintf(`name = "peer"
seed = 20141121

[[scenario]]
use       = "overhead"
variants  = ["%s"]
calls     = %d
depth     = %d
busy_wait = "%s"
batch     = [%d, %d]
blocks    = %d
resources = 0
`, strings.Join(variants, `", "`), o.calls, o.depth, wait, stamped, batched, o.rounds)
}

// recipe is the way in which moobench starts a cell, to be repeated by the peers.
type recipe struct {
	java      string
	args      []string // without arguments specific to an invocation
	classPath string
	env       []string
	target    string
	cpus      string
	records   bool // Kieker counts its records
}

// recipes returns the recipes of the variants from the first block.
func (o *own) recipes() (map[string]recipe, error) {
	store, err := results.Open(o.store())
	if err != nil {
		return nil, err
	}
	all, err := store.Invocations()
	if err != nil {
		return nil, err
	}
	found := map[string]recipe{}
	for _, inv := range all {
		cell := store.Campaign().Cell(inv.Cell)
		if inv.Block != 1 || cell.Role == results.RoleAA {
			continue
		}
		if found[cell.Variant], err = recipeOf(inv, cell); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// recipeOf returns the recipe of an invocation.
func recipeOf(inv *results.Invocation, cell *results.Cell) (recipe, error) {
	line := inv.Command
	cp := slices.Index(line, "-cp")
	if cp < 1 || cp+1 >= len(line) {
		return recipe{}, fmt.Errorf("the command line of %s has no class path: %q", cell.Label(), line)
	}
	args := slices.DeleteFunc(slices.Clone(line[1:cp]), func(a string) bool {
		return strings.HasPrefix(a, "-Dmoobench.control=") || strings.HasPrefix(a, "-Dmoobench.dir=")
	})
	return recipe{
		java: line[0], args: args, classPath: line[cp+1], env: inv.Env,
		target: cell.Launch.Target, cpus: inv.CPUs, records: cell.Framework == "kieker",
	}, nil
}

// start returns the command line of a JVM with these options, on the same CPUs.
func (r recipe) start(args ...string) []string {
	line := append([]string{r.java}, args...)
	if r.cpus == "" {
		return line
	}
	return append([]string{"taskset", "-c", r.cpus}, line...)
}
