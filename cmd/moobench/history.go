package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moobench/analysis/figure"
	"moobench/analysis/history"
	"moobench/analysis/numbers"
	"moobench/analysis/report"
	"moobench/cmd/internal/console"
	"moobench/cmd/internal/nightly"
	"moobench/cmd/internal/outcome"
	"moobench/cmd/internal/session"
	"moobench/refusal"
	"moobench/results/importer"
)

func historyVerb(t *terminal) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "history",
		Short: "keep what each night says, and tell changes from noise",
		Args:  positional(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			return outcome.Usage(errors.New("history: say what to do: " +
				"add, import, show, check, accept, move or rehearse"))
		},
	}
	cmd.AddCommand(historyAddVerb(t), historyImportVerb(t), historyShowVerb(t), historyCheckVerb(t),
		historyAcceptVerb(t), historyMoveVerb(t), historyRehearseVerb(t))
	return cmd
}

// registerHistory adds the flag for the history file.
func registerHistory(f *pflag.FlagSet, file *string) {
	f.StringVar(file, "history", nightly.HistoryFile, "the history")
}

// registerOutput adds the flag for a document's output file.
func registerOutput(f *pflag.FlagSet, d *console.Document) {
	f.StringVarP(&d.Output, "output", "o", "", "file to write (default standard output)")
}

func historyAddVerb(t *terminal) *cobra.Command {
	var a nightly.Addition
	cmd := &cobra.Command{
		Use:               "add DIR…",
		Short:             "add campaigns to the history",
		Args:              positional(cobra.MinimumNArgs(1)),
		ValidArgsFunction: campaigns(math.MaxInt),
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			if a.Commit, err = nightly.CommitFor(c.Context(), a.Commit, len(args)); err != nil {
				return err
			}
			a.Dirs = args
			return a.Add(t.Console)
		},
	}
	f := cmd.Flags()
	registerHistory(f, &a.History)
	f.StringVar(&a.Commit, "commit", "",
		"what was measured (default: the CI job's commit, else that of the working directory)")
	f.StringVar(&a.Reference, "reference", "",
		"the variant that the others are compared with (default: that of [gate], else the baseline)")
	return cmd
}

func historyImportVerb(t *terminal) *cobra.Command {
	i := nightly.Imported{Tool: build()}
	var r importer.Request
	cmd := &cobra.Command{
		Use:   "import FILE…",
		Short: "add nights that other tools measured (OpenTelemetry, github-action-benchmark)",
		Args:  positional(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			for _, path := range args {
				r.Files = append(r.Files, importer.File{Path: path})
			}
			format, err := nightsFormat(args)
			if err != nil {
				return outcome.Usage(err)
			}
			i.Nights, err = format.Nights(c.Context(), r)
			switch {
			case errors.As(err, new(*refusal.Mistakes)):
				return outcome.Usage(err)
			case err != nil:
				return err
			}
			return i.Add(t.Console)
		},
	}
	f := cmd.Flags()
	registerHistory(f, &i.History)
	f.StringVar(&r.Baseline, "baseline", "",
		"agent or benchmark of the same night that the others are compared with (default: the agent none)")
	f.StringVar(&i.Name, "name", "imported", "name of the campaign that the nights are of")
	return cmd
}

func historyShowVerb(t *terminal) *cobra.Command {
	var file string
	var d console.Document
	cmd := &cobra.Command{
		Use:   "show [SERIES…]",
		Short: "show the series of the history, as text, JSON, or one HTML page",
		RunE: func(_ *cobra.Command, args []string) error {
			f, err := nightly.Check(file, 0)
			if err != nil {
				return err
			}
			if f.Series, err = nightly.Choose(f, args); err != nil {
				return err
			}
			return t.Write(d, func(w io.Writer, o report.Options) error { return report.WriteTrend(w, d.Format, f, o) })
		},
	}
	f := cmd.Flags()
	registerHistory(f, &file)
	registerFormat(cmd, &d.Format, report.DocumentFormats())
	registerOutput(f, &d)
	return cmd
}

func historyAcceptVerb(t *terminal) *cobra.Command {
	var a nightly.Acceptance
	cmd := &cobra.Command{
		Use:   "accept SERIES [--night ID] [--why TEXT]",
		Short: "make a changed level the new normal",
		Args:  positional(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			a.Series = args[0]
			return a.Accept(t.Out, time.Now().UTC())
		},
	}
	f := cmd.Flags()
	registerHistory(f, &a.History)
	f.StringVar(&a.Night, "night", "",
		"the first night of the new level: its ID, day or commit (default: that of the change the check speaks of)")
	f.StringVar(&a.Why, "why", "", "why the new level is right, for whoever reads the history later")
	return cmd
}

func historyMoveVerb(t *terminal) *cobra.Command {
	var m nightly.Moving
	cmd := &cobra.Command{
		Use:   "move --from MACHINE --to MACHINE",
		Short: "continue a machine's series on the one that replaces it",
		Args:  positional(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			if m.From == "" || m.To == "" {
				return outcome.Usage(errors.New("history move: " +
					"name the old machine with --from and the new one with --to"))
			}
			return m.Move(t.Out, time.Now())
		},
	}
	f := cmd.Flags()
	registerHistory(f, &m.History)
	f.StringVar(&m.From, "from", "",
		"the machine that is replaced: its ID, or a pool's CPU model, as history show names it")
	f.StringVar(&m.To, "to", "",
		"the machine that replaces it, which has measured the same files in at least five nights")
	return cmd
}

func historyRehearseVerb(t *terminal) *cobra.Command {
	var file, least string
	var o history.Rehearsing
	var d console.Document
	cmd := &cobra.Command{
		Use:   "rehearse [FILE]",
		Short: "simulate years without change: how often a check fails, and what it finds",
		Args:  positional(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				file = args[0]
			}
			share, err := leastChange(least)
			if err != nil {
				return err
			}
			if o.Least = share; o.Years < history.FewestYears {
				return outcome.Usage(fmt.Errorf("--years %d are too few: at least %d", o.Years, history.FewestYears))
			}
			fmt.Fprintln(t.Err, "simulating years of nights: up to a minute (Ctrl-C ends it)")
			r, err := nightly.Rehearse(c.Context(), file, o)
			if err != nil {
				return err
			}
			return t.Write(d, func(w io.Writer, with report.Options) error {
				return report.WriteRehearsal(w, d.Format, r, with)
			})
		},
	}
	f := cmd.Flags()
	registerHistory(f, &file)
	registerFormat(cmd, &d.Format, report.DocumentFormats())
	registerOutput(f, &d)
	registerLeast(f, &least)
	f.IntVar(&o.Years, "years", history.RehearsedYears,
		"how many years to simulate of each series and number of blocks; fewer take less time")
	f.BoolVar(&o.Brief, "brief", false,
		"only how often a check fails with the blocks that nights have: a fifth of the time")
	return cmd
}

// historyCheckOptions holds the flags of moobench history check.
type historyCheckOptions struct {
	console.Document
	least   string
	confirm bool
	again   nightly.Options // for measuring unsettled changes again
}

func historyCheckVerb(t *terminal) *cobra.Command {
	var o historyCheckOptions
	cmd := &cobra.Command{
		Use:   "check",
		Short: "say what changed; fails only on confirmed changes",
		Args:  positional(cobra.NoArgs),
		RunE:  func(c *cobra.Command, _ []string) error { return t.historyCheck(c.Context(), o) },
	}
	f := cmd.Flags()
	registerHistory(f, &o.again.History)
	registerFormat(cmd, &o.Format, report.DocumentFormats())
	registerOutput(f, &o.Document)
	f.BoolVar(&o.confirm, "confirm", false, "measure old and new of unsettled changes again, now")
	registerMeasuring(f, "with --confirm: ", &o.again.Options)
	f.Uint64Var(&o.again.Seed, "seed", 0, "with --confirm: seed of the order (default: a random one)")
	registerLeast(f, &o.least)
	f.StringVar(&o.again.Runs, "runs", session.RunsFolder, "with --confirm: the folder of the campaigns")
	f.StringVar(&o.again.Artifacts, "artifacts", session.KeptFolder,
		"with --confirm: the folder of the files that were kept")
	return cmd
}

func (t *terminal) historyCheck(ctx context.Context, o historyCheckOptions) error {
	var err error
	if o.again.Least, err = leastChange(o.least); err != nil {
		return err
	}
	file := o.again.History
	f, err := nightly.Check(file, o.again.Least)
	if err != nil {
		return err
	}
	var settling error // an error of the confirmation does not keep the check from being printed
	if n := len(f.Unsettled()); o.confirm && n > 0 {
		fmt.Fprintf(t.Err, "%s not settled: measuring old and new again\n",
			figure.Plural(n, "change is", "changes are"))
		lab := t.Lab
		lab.Out = t.Err // standard output is the check's
		settling = nightly.Confirm(ctx, &lab, o.again)
		if settling != nil && ctx.Err() != nil {
			return settling // interrupted: the error tells how to resume
		}
		if f, err = nightly.Check(file, o.again.Least); err != nil {
			return err
		}
	}
	err = t.Write(o.Document, func(w io.Writer, with report.Options) error {
		return report.WriteCheck(w, o.Format, f, with)
	})
	switch {
	case err != nil:
		return errors.Join(settling, err)
	case len(f.Series) == 0: // its nights are unreadable, which must not pass
		err = fmt.Errorf("checking %s: it holds lines, and no night that can be read: nothing was checked",
			console.Visible(file))
		return refusal.New(err, fmt.Sprintf("restore it from a copy (git log -- %s has it, where it is committed), "+
			"or remove it to start over", console.Visible(file)))
	case len(f.Worse()) > 0:
		return outcome.ErrWorse
	case errors.Is(settling, outcome.ErrWorse):
		return nil // the confirmed change is already accepted, or over
	}
	return settling
}

// registerLeast adds the flag for the smallest relevant change.
func registerLeast(f *pflag.FlagSet, least *string) {
	f.StringVar(least, "least", "", "the least change reported, such as 5% (default 3%)")
}

// leastChange returns --least as a share; 0 if it is not given.
func leastChange(least string) (float64, error) {
	if least == "" {
		return 0, nil
	}
	m, err := numbers.ParseMargin(least, "")
	if err != nil || !m.Relative {
		return 0, outcome.Usage(fmt.Errorf("--least %q is not a percentage above 0, such as 5%%", least))
	}
	return m.Size, nil
}
