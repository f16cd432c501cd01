package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"moobench/analysis/report"
	"moobench/cmd/internal/doctor"
	"moobench/cmd/internal/outcome"
	"moobench/cmd/internal/session"
	"moobench/refusal"
)

func doctorVerb(t *terminal) *cobra.Command {
	var calibrate, restore bool
	var format string
	var o session.Options
	within := span(10 * time.Minute)
	cmd := &cobra.Command{
		Use:               "doctor [FILE]",
		Short:             "say what this machine has, lacks, and can't control; put it back",
		Args:              positional(cobra.MaximumNArgs(1)),
		ValidArgsFunction: tomlFiles,
		RunE: func(c *cobra.Command, args []string) error {
			given := func(flags ...string) bool { return slices.ContainsFunc(flags, c.Flags().Changed) }
			o.Seeded = given("seed")
			if err := misused(given, calibrate, restore, len(args) > 0, o.Pairs); err != nil {
				return outcome.Usage(err)
			}
			switch {
			case restore:
				return doctor.Restore(t.Out, t.Width(), t.Tree)
			case calibrate && len(args) > 0:
				return t.influences(c.Context(), o, args[0], format)
			case calibrate:
				return t.calibrate(c.Context(), doctor.CalibrationTOML, o, time.Duration(within), format)
			}
			return t.examine(c.Context(), format, args...)
		},
	}
	f := cmd.Flags()
	registerFormat(cmd, &format, report.DocumentFormats())
	registerJSON(cmd, &format)
	f.BoolVar(&restore, "restore", false, "put back what a moobench that was killed left changed")
	f.BoolVar(&calibrate, "calibrate", false,
		"measure a known cost; with a file, what its variants do to the reference")
	f.Var(&within, "time", "with --calibrate, without a file: say what overhead can be resolved in this time")
	f.IntVar(&o.Pairs, "pairs", session.PairsOfTurns, "with --calibrate FILE: pairs of JVMs for each variant")
	f.Uint64Var(&o.Seed, "seed", 0, "seed of the order of --calibrate (default: a random one)")
	f.BoolVar(&o.Quiet, "quiet", false, "print no progress of --calibrate, only warnings")
	return cmd
}

// examine prints the state of the machine; the exit status says whether it can measure as wanted.
func (t *terminal) examine(ctx context.Context, format string, named ...string) error {
	found, err := t.Examine(ctx, named...)
	if err != nil {
		return err
	}
	if err := found.Write(t.Out, format, report.Options{Width: t.Width()}); err != nil || found.OK {
		return err
	}
	if found.Missing() {
		return refusal.New(errors.New("this machine can't measure yet"), "install what is marked with x above")
	}
	return outcome.ErrIncomplete
}

// misused says which flags don't go with a file, or without one.
func misused(given func(...string) bool, calibrate, restore, file bool, pairs int) error {
	switch {
	case restore && file:
		return errors.New("--restore goes alone")
	case given("pairs") && !(calibrate && file):
		return errors.New("--pairs goes with --calibrate and a file")
	case calibrate && file && given("time"):
		return errors.New("--time goes with --calibrate without a file")
	case pairs < session.FewestPairs || pairs > session.MostPairs:
		return fmt.Errorf("--pairs %d: want %d to %d", pairs, session.FewestPairs, session.MostPairs)
	}
	return nil
}

// calibrate measures a known cost; the exit status says whether it was recovered.
func (t *terminal) calibrate(
	ctx context.Context, toml []byte, o session.Options, within time.Duration, format string,
) error {
	c, err := t.Calibrate(ctx, toml, o, within)
	if err != nil {
		return err
	}
	if err := c.Write(t.Out, format, report.Options{}); err != nil || c.OK {
		return err
	}
	return outcome.ErrIncomplete
}

// influences measures how the variants of a benchmarks.toml influence the reference; the exit
// status says whether each has a credible value.
func (t *terminal) influences(ctx context.Context, o session.Options, path, format string) error {
	v, err := t.Influences(ctx, o, path)
	if v == nil {
		return err
	}
	if err := cmp.Or(v.Write(t.Out, format, report.Options{}), err); err != nil || v.OK {
		return err
	}
	return outcome.ErrIncomplete
}

// span is a flag for a time with its unit: "10min", "90s", "1h30m".
type span time.Duration

func (s *span) String() string { return strings.ReplaceAll(doctor.Amount(time.Duration(*s)), " ", "") }
func (s *span) Type() string   { return "time" }

func (s *span) Set(text string) error {
	compact := strings.ReplaceAll(strings.ReplaceAll(text, " ", ""), "min", "m")
	d, err := time.ParseDuration(compact)
	if err != nil {
		return fmt.Errorf("%q is not a time with a unit, such as 10min or 90s", text)
	}
	if d < time.Second || d > 30*24*time.Hour {
		return fmt.Errorf("%s is out of range (1s to 720h)", text)
	}
	*s = span(d)
	return nil
}
