package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moobench/analysis/figure"
	"moobench/analysis/history"
	"moobench/analysis/report"
	"moobench/refusal"
)

// historyCheckOptions are the flags of moobench history check.
type historyCheckOptions struct {
	file, format, output string
	confirm, quiet       bool
	least                string
	runs, kept           string
	seed                 uint64 // of the order of what is measured again; 0 is a random one
}

func historyCheckVerb(t *terminal) *cobra.Command {
	var o historyCheckOptions
	cmd := &cobra.Command{
		Use:   "check",
		Short: "say what changed; fails only of what is confirmed",
		Long: `Says which series changed: suspected, detected, or confirmed. The exit status is 3
only when a change for the worse is confirmed, is of the present level, and was
not accepted. An alarm is no failure. A history of which no night can be read is no
pass: the exit status is 1.

With --confirm, changes that are not settled are: old and new are measured again
at once, in fresh blocks and without the data that raised the alarm. That takes as
long as moobench confirm -n says, and needs the campaigns and files of both.

` + exitHelp,
		Example: `  moobench history check
  moobench history check --confirm
  moobench history check --format markdown -o summary.md`,
		Args: positional(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			return t.historyCheck(c.Context(), o)
		},
	}
	f := cmd.Flags()
	registerHistory(f, &o.file)
	f.StringVar(&o.format, "format", "text", strings.Join(report.DocumentFormats(), ", "))
	f.StringVarP(&o.output, "output", "o", "", "file to write (default standard output)")
	f.BoolVar(&o.confirm, "confirm", false, "measure old and new of unsettled changes again, now")
	f.BoolVar(&o.quiet, "quiet", false, "with --confirm: print no progress, only warnings")
	f.Uint64Var(&o.seed, "seed", 0, "with --confirm: seed of the order (default: a random one)")
	registerLeast(f, &o.least)
	f.StringVar(&o.runs, "runs", runsDir, "with --confirm: the folder of the campaigns")
	f.StringVar(&o.kept, "artifacts", keptDir, "with --confirm: the folder of the files that were kept")
	return cmd
}

func (t *terminal) historyCheck(ctx context.Context, o historyCheckOptions) error {
	if err := checkFormat(o.format); err != nil {
		return err
	}
	options, err := leastChange(o.least)
	if err != nil {
		return err
	}
	f, err := findings(o.file, options)
	if err != nil {
		return err
	}
	var settling error
	if n := len(f.Unsettled()); o.confirm && n > 0 {
		fmt.Fprintf(t.err, "%s not settled: measuring old and new again\n", figure.Plural(n, "change is", "changes are"))
		if settling, f, err = t.settle(ctx, o, options); err != nil {
			return err
		}
	}
	if err := t.writeFindings(f, report.WriteCheck, o.format, o.output); err != nil {
		return errors.Join(settling, err)
	}
	if len(f.Series) == 0 {
		return nothingChecked(o.file)
	}
	if len(f.Worse()) > 0 {
		return errWorse
	}
	if errors.Is(settling, errWorse) {
		return nil // what was confirmed is accepted already, or over
	}
	return settling
}

// nothingChecked is of a history whose nights are lost: that is no pass.
func nothingChecked(file string) error {
	return refusal.New(fmt.Errorf("checking %s: it holds lines, and no night that can be read: nothing was checked", visible(file)),
		fmt.Sprintf("restore it from a copy (git log -- %s has it, where it is committed), or remove it to begin anew", visible(file)))
}

// settle measures again, and checks again. What confirm itself says stands in
// settling: it does not keep the check from being printed.
func (t *terminal) settle(ctx context.Context, o historyCheckOptions, options history.Options) (settling error, f *history.Findings, err error) {
	aside := *t
	aside.out = t.err // standard output is the check's
	settling = aside.confirm(ctx, confirmOptions{history: o.file, runs: o.runs, kept: o.kept, least: options.Least, seed: o.seed, quiet: o.quiet})
	if settling != nil && ctx.Err() != nil {
		return nil, nil, settling // interrupted: it says how to go on
	}
	f, err = findings(o.file, options)
	return settling, f, err
}

// registerLeast adds the flag that says what is worth a word.
func registerLeast(f *pflag.FlagSet, least *string) {
	f.StringVar(least, "least", "", "the least change worth a word, such as 5% (default 3%)")
}

// leastChange is what --least makes of a check.
func leastChange(least string) (history.Options, error) {
	if least == "" {
		return history.Options{}, nil
	}
	number, ok := strings.CutSuffix(strings.TrimSpace(least), "%")
	percent, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if !ok || err != nil || !(percent > 0) || math.IsInf(percent, 0) {
		return history.Options{}, usageError{fmt.Errorf("--least %q is no percentage above 0, such as 5%%", least)}
	}
	return history.Options{Least: percent / 100}, nil
}
