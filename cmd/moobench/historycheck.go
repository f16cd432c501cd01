package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moobench/analysis/figure"
	"moobench/analysis/report"
	"moobench/cmd/internal/console"
	"moobench/cmd/internal/nightly"
	"moobench/cmd/internal/outcome"
	"moobench/cmd/internal/session"
	"moobench/refusal"
)

// historyCheckOptions are the flags of moobench history check.
type historyCheckOptions struct {
	console.Document
	least   string
	confirm bool
	again   nightly.Options // how changes that are not settled are
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
	registerHistory(f, &o.again.History)
	registerDocument(f, &o.Document)
	f.BoolVar(&o.confirm, "confirm", false, "measure old and new of unsettled changes again, now")
	f.BoolVar(&o.again.Quiet, "quiet", false, "with --confirm: print no progress, only warnings")
	f.Uint64Var(&o.again.Seed, "seed", 0, "with --confirm: seed of the order (default: a random one)")
	registerLeast(f, &o.least)
	f.StringVar(&o.again.Runs, "runs", nightly.RunsFolder, "with --confirm: the folder of the campaigns")
	f.StringVar(&o.again.Artifacts, "artifacts", session.KeptFolder, "with --confirm: the folder of the files that were kept")
	return cmd
}

func (t *terminal) historyCheck(ctx context.Context, o historyCheckOptions) error {
	if err := checkFormat(o.Format, report.DocumentFormats()); err != nil {
		return err
	}
	var err error
	if o.again.Least, err = leastChange(o.least); err != nil {
		return err
	}
	file := o.again.History
	f, err := nightly.Check(file, o.again.Least)
	if err != nil {
		return err
	}
	var settling error // what confirm says does not keep the check from being printed
	if n := len(f.Unsettled()); o.confirm && n > 0 {
		fmt.Fprintf(t.err, "%s not settled: measuring old and new again\n", figure.Plural(n, "change is", "changes are"))
		lab := t.lab()
		lab.Out = t.err // standard output is the check's
		settling = nightly.Confirm(ctx, lab, o.again)
		if settling != nil && ctx.Err() != nil {
			return settling // interrupted: it says how to go on
		}
		if f, err = nightly.Check(file, o.again.Least); err != nil {
			return err
		}
	}
	err = t.console().Write(o.Document, func(w io.Writer, with report.Options) error { return report.WriteCheck(w, o.Format, f, with) })
	if err != nil {
		return errors.Join(settling, err)
	}
	switch {
	case len(f.Series) == 0: // its nights are lost, and that is no pass
		return refusal.New(fmt.Errorf("checking %s: it holds lines, and no night that can be read: nothing was checked", console.Visible(file)),
			fmt.Sprintf("restore it from a copy (git log -- %s has it, where it is committed), or remove it to begin anew", console.Visible(file)))
	case len(f.Worse()) > 0:
		return outcome.ErrWorse
	case errors.Is(settling, outcome.ErrWorse):
		return nil // what was confirmed is accepted already, or over
	}
	return settling
}

// registerLeast adds the flag that says what is worth a word.
func registerLeast(f *pflag.FlagSet, least *string) {
	f.StringVar(least, "least", "", "the least change worth a word, such as 5% (default 3%)")
}

// leastChange is --least as a share, 0 where it is not given.
func leastChange(least string) (float64, error) {
	if least == "" {
		return 0, nil
	}
	number, ok := strings.CutSuffix(strings.TrimSpace(least), "%")
	percent, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if !ok || err != nil || !(percent > 0) || math.IsInf(percent, 0) {
		return 0, outcome.Usage(fmt.Errorf("--least %q is no percentage above 0, such as 5%%", least))
	}
	return percent / 100, nil
}
