package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"moobench/cmd/internal/console"
	"moobench/cmd/internal/doctor"
	"moobench/cmd/internal/outcome"
	"moobench/cmd/internal/session"
	"moobench/harness/machine"
	"moobench/harness/strict"
	"moobench/refusal"
	"moobench/scenarios"
)

// The exit statuses, as listed by moobench help exit.
const (
	exitFine       = 0
	exitError      = 1
	exitUsage      = 2
	exitWorse      = 3
	exitIncomplete = 4
	exitUnfit      = 6 // 5 is used by examples/nightly for a broken application
)

const exitHelp = `What the exit status of every verb means:

  0  fine
  1  error; or verify: a campaign is not whole
  2  usage, or a mistake in benchmarks.toml or in given numbers
  3  a gate says worse; or locks --against: threads wait longer
  4  finished, but a planned cell has no answer: not instrumented, given up, or
     the baseline can't sustain the load; the agent breaks the application: with
     it answers are wrong, or a program prints less than without it ("broken" in
     JSON); the A/A failed, or a gate is undecided or has no answer; or a require
     of [machine] is unmet: nothing was started; or doctor --calibrate did not
     recover the known cost
  6  run --shard: this machine is unfit, and another one may do: doctor misses
     something, a require of [machine] is unmet, or no JDK suits; nothing was
     started`

// terminal holds a verb's output streams, and the lab in which it measures.
type terminal struct{ session.Lab }

// Main runs the command line and returns the exit status.
func Main(ctx context.Context, args []string, out, errOut io.Writer) int {
	lab := session.Lab{
		Console: console.Console{Out: out, Err: errOut}, Scenarios: scenarios.All(),
		Tree: machine.System(), Seed: randomSeed,
	}
	return (&terminal{lab}).run(ctx, args)
}

// randomSeed draws from half the range, because integers in TOML are signed.
func randomSeed() uint64 { return uint64(rand.Int64()) }

func (t *terminal) run(ctx context.Context, args []string) int {
	out := &stream{w: t.Out, missed: true}
	t.Out, t.Err, t.Moobench = out, &stream{w: t.Err}, build()
	args = slices.Clone(args)
	for i, a := range args {
		if strings.HasPrefix(a, "- ") { // a pattern of swap, which would otherwise be read as flags
			args[i] = " " + a
		}
	}
	root, returned := newRoot(t), make(chan struct{})
	defer close(returned)
	look := root.PersistentPreRun
	root.PersistentPreRun = func(c *cobra.Command, args []string) {
		if leaves(c.CommandPath()) {
			go leave(ctx, returned, t.Err, os.Exit)
		}
		look(c, args)
	}
	root.SetArgs(args)
	root.SetOut(t.Out)
	root.SetErr(t.Err)
	verb, err := root.ExecuteContextC(ctx)
	err = out.judge(err)
	if err == nil {
		return exitFine
	}
	// A reader that has gone, as with head, needs no message.
	unheard := errors.As(err, new(*unwrittenError)) && errors.Is(err, syscall.EPIPE)
	if !unheard && !outcome.Said(err) {
		t.Complain(err)
		if statusOf(err) == exitUsage && refusal.Do(err) == "" && !errors.As(err, new(strict.Errors)) {
			t.Hint(verb.CommandPath() + " --help says what it takes")
		}
	}
	return statusOf(err)
}

func statusOf(err error) int {
	var program outcome.ProgramError
	switch {
	case errors.As(err, &program):
		return program.Status()
	case errors.Is(err, outcome.ErrWorse):
		return exitWorse
	case errors.As(err, new(outcome.UnfitError)):
		return exitUnfit
	case errors.Is(err, outcome.ErrIncomplete), errors.As(err, new(*machine.RequireError)):
		return exitIncomplete
	case errors.As(err, new(outcome.UsageError)), errors.As(err, new(strict.Errors)),
		strings.HasPrefix(err.Error(), "unknown command"):
		return exitUsage
	}
	return exitError
}

func newRoot(t *terminal) *cobra.Command {
	root := &cobra.Command{
		Use:           "moobench",
		Short:         "tells what monitoring costs a JVM application, and how sure that is",
		Version:       build(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	silent := []string{"doctor"} // these say what an earlier run left, and what they do about it
	for _, v := range verbs() {
		c := v.command(t)
		root.AddCommand(c)
		if v.measures {
			silent = append(silent, c.Name())
		}
	}
	root.PersistentPreRun = func(c *cobra.Command, _ []string) {
		planned, err := c.Flags().GetBool("dry-run") // an error: no such flag
		if !slices.Contains(silent, c.Name()) || err == nil && planned {
			t.warnLeftover()
		}
	}
	root.SetVersionTemplate(about())
	root.Flags().BoolP("version", "V", false, "print the version, and the format it writes")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return outcome.Usage(err) })
	describe(root)
	root.SetHelpCommand(helpVerb(t))
	return root
}

// warnLeftover warns of settings that a killed moobench left changed.
func (t *terminal) warnLeftover() {
	for _, f := range doctor.LeftChanged(t.Tree) {
		t.Warn(f.Text, f.Do)
	}
}

// positional turns the errors of cobra's argument checks into usage errors.
func positional(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if err := check(c, args); err != nil {
			return outcome.Usage(fmt.Errorf("%s: %w", c.Name(), err))
		}
		return nil
	}
}

// checkFormat returns a usage error that lists the formats if name is not among them.
func checkFormat(name string, formats []string) error {
	if !slices.Contains(formats, name) {
		return outcome.Usage(fmt.Errorf("unknown format %q: there are %s", name, strings.Join(formats, ", ")))
	}
	return nil
}
