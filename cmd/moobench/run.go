package main

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moobench/harness/config"
	"moobench/harness/framework"
	"moobench/harness/plan"
	"moobench/refusal"
)

// runOptions are the flags of moobench run.
type runOptions struct {
	dry    bool
	dir    string
	only   string
	resume string
	seed   uint64
	seeded bool
	quiet  bool
	kept   string // folder that artifacts are kept in; "" is none, unless there is a gate
}

func runVerb(t *terminal) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run [FILE]",
		Short: "measure what a benchmarks.toml asks for",
		Long: `Measures what a benchmarks.toml asks for (by default ./benchmarks.toml), prints
the answers, and leaves a folder with every sample, log and setting.

Each block starts every cell once in random order, and the baseline twice (A/A).
With a precision, ten blocks are a pilot, which decides once how many there are.
An invocation that fails is repeated as an extra block. Interrupted at any time,
even by kill -9, it goes on with --resume.

` + exitHelp,
		Example: `  moobench run benchmarks.toml
  moobench run -n benchmarks.toml                    # the plan, and starts nothing
  moobench run --only 'kieker/*' benchmarks.toml
  moobench run --resume results/runs/2026-11-21T0300Z-nightly`,
		Args: positional(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			o.seeded = c.Flags().Changed("seed")
			return runCampaign(c.Context(), t, o, args)
		},
	}
	o.register(cmd.Flags())
	return cmd
}

// register adds the flags of whatever carries out a campaign.
func (o *runOptions) register(f *pflag.FlagSet) {
	f.BoolVarP(&o.dry, "dry-run", "n", false, "print cells, blocks, order, command lines, time and disk; start nothing")
	f.StringVarP(&o.dir, "output", "o", "", "folder of the campaign (default results/runs/<time>-<name>)")
	f.StringVar(&o.only, "only", "", "measure only the variants that match this pattern, and their baselines; * matches anything")
	f.StringVar(&o.resume, "resume", "", "go on with the campaign in this folder")
	f.Uint64Var(&o.seed, "seed", 0, "seed of the order (default: the file's, else a random one)")
	f.BoolVar(&o.quiet, "quiet", false, "print no progress, only warnings")
	f.StringVar(&o.kept, "artifacts", "", "keep what may change (agents given by path, snapshots, fixtures) in this folder\n(default "+keptDir+" when there is a [gate], else nothing is kept)")
}

func runCampaign(ctx context.Context, t *terminal, o runOptions, args []string) error {
	if o.resume != "" && (o.dir != "" || o.only != "" || o.seeded) {
		return usageError{errors.New("--resume goes on with the plan as it is: -o, --only and --seed don't go with it")}
	}
	s, err := prepare(t, o, args)
	if err != nil {
		return err
	}
	if o.dry {
		return printPlan(t, s)
	}
	return s.carryOut(ctx)
}

// sitting is one run of moobench run, from plan to answers.
type sitting struct {
	t       *terminal
	o       runOptions
	file    *config.File
	plan    *plan.Plan
	resumed string // the campaign's folder, when it is resumed
}

// prepare reads benchmarks.toml and plans it. All that is wrong in it is said
// here, before anything is built or started.
func prepare(t *terminal, o runOptions, args []string) (*sitting, error) {
	s := &sitting{t: t, o: o}
	var err error
	var old *resumable
	if o.resume != "" {
		if old, err = openResumable(o.resume); err != nil {
			return nil, err
		}
		s.resumed = o.resume
	}
	if s.file, err = t.readFile(old, args); s.file == nil {
		return nil, err
	}
	return s, s.makePlan(old)
}

// makePlan plans the file, or goes on where an old campaign stands.
func (s *sitting) makePlan(old *resumable) error {
	set, err := frameworks(s.file)
	if err != nil {
		return err
	}
	if s.plan, err = s.t.planOf(s.file, set, s.seed(old)); err != nil {
		return err
	}
	if s.o.only != "" {
		if err := s.plan.Only(s.o.only); err != nil {
			return usageError{err}
		}
	}
	if old != nil {
		return old.adopt(s.plan)
	}
	return nil
}

// readFile reads the given file, or the one that a campaign was started with.
func (t *terminal) readFile(old *resumable, args []string) (*config.File, error) {
	known := t.known()
	switch {
	case len(args) == 1:
		return config.Load(args[0], known)
	case old != nil:
		return config.Parse(old.campaign.Origin, old.toml, known)
	}
	if _, err := os.Stat("benchmarks.toml"); err != nil {
		return nil, usageError{refusal.New(errors.New("there is no benchmarks.toml here"), "name one, or write one with: moobench init")}
	}
	return config.Load("benchmarks.toml", known)
}

// frameworks are those of the catalogue and of a file. The error is all that is wrong
// in the file so far; only when something is, names of variants are looked up here and
// not by the plan, which has more to say about them.
func frameworks(f *config.File) (*framework.Set, error) {
	set, err := framework.Catalogue()
	if err != nil {
		return nil, err
	}
	dir := filepath.Dir(f.Path)
	set = set.With(f.Frameworks, dir).WithBuilds(f.Builds, dir)
	if f.Err() != nil {
		for i, s := range f.Scenarios {
			set.CheckNames(s.Variants, f.Document, []any{"scenario", i, "variants"})
		}
	}
	return set, f.Err()
}

func (t *terminal) planScenarios() []plan.Scenario {
	var out []plan.Scenario
	for _, s := range t.scenarios {
		out = append(out, s)
	}
	return out
}

// seed is the flag's, the resumed campaign's, the file's, or a random one.
func (s *sitting) seed(old *resumable) uint64 {
	switch {
	case old != nil:
		return old.campaign.Seed
	case s.o.seeded:
		return s.o.seed
	case s.file.Seed != nil:
		return *s.file.Seed
	}
	var b [8]byte
	if _, err := rand.Read(b[:]); err != nil {
		return 1
	}
	// Half the range, so that the seed can stand in TOML, whose integers are signed.
	return binary.LittleEndian.Uint64(b[:]) >> 1
}
