package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moobench/analysis/report"
	"moobench/cmd/internal/console"
	"moobench/cmd/internal/nightly"
	"moobench/cmd/internal/outcome"
)

func historyVerb(t *terminal) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "history",
		Short: "keep what each night says, and tell changes from noise",
		Long: `Keeps what each night says, and tells changes from noise. A night is a campaign;
a series is one metric of one cell, night after night, as the logarithm of its
ratio to a reference that was measured in the same blocks, so that what the
machine does to both cancels.

A change is suspected of one night, or while fewer than five nights have followed
it; detected from then on; and confirmed only when old and new were measured again
(moobench confirm). A check fails of confirmed changes for the worse, of nothing
else.

The history is a file of JSON lines that only grows. Lines of two branches may be
merged in any order: put "history.jsonl merge=union" into .gitattributes.

` + exitHelp,
		Example: `  moobench run benchmarks.toml -o results/runs/tonight
  moobench history add results/runs/tonight
  moobench history check --confirm
  moobench history show --format html -o trend.html
  moobench history accept 'overhead/duration/mine*' --why "records carry a checksum now"`,
		Args: positional(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			return outcome.Usage(errors.New("history: say what to do: add, show, check or accept"))
		},
	}
	cmd.AddCommand(historyAddVerb(t), historyShowVerb(t), historyCheckVerb(t), historyAcceptVerb(t))
	return cmd
}

// registerHistory adds the flag that names the history.
func registerHistory(f *pflag.FlagSet, file *string) {
	f.StringVar(file, "history", nightly.HistoryFile, "the history")
}

// registerDocument adds the flags that say how findings are printed, and where.
func registerDocument(f *pflag.FlagSet, d *console.Document) {
	f.StringVar(&d.Format, "format", "text", strings.Join(report.DocumentFormats(), ", "))
	f.StringVarP(&d.Output, "output", "o", "", "file to write (default standard output)")
}

func historyAddVerb(t *terminal) *cobra.Command {
	var a nightly.Addition
	cmd := &cobra.Command{
		Use:   "add DIR…",
		Short: "add campaigns to the history",
		Long: `Adds a row for each cell and metric of campaigns that are finished. What is there
already is not added again, and nothing is ever taken away.

The commit that was measured is --commit, else that of the CI job, else that of
the working directory. Of several folders it is only known with --commit. The
reference is --reference, else that of the campaign's [gate], else the baseline.

` + exitHelp,
		Example: `  moobench history add results/runs/2026-11-21T030000Z-nightly
  moobench history add results/runs/2026-11-21T030000Z-nightly --commit 4f2a9c1 --reference pinned`,
		Args: positional(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			if a.Commit, err = nightly.CommitFor(c.Context(), a.Commit, len(args)); err != nil {
				return err
			}
			a.Dirs = args
			added, err := a.Add()
			t.warnAll(added.Warnings)
			if err != nil {
				return err
			}
			added.Print(t.out)
			return nil
		},
	}
	f := cmd.Flags()
	registerHistory(f, &a.History)
	f.StringVar(&a.Commit, "commit", "", "what was measured (default: the CI job's commit, else that of the working directory)")
	f.StringVar(&a.Reference, "reference", "", "the variant that the others are compared with (default: that of [gate], else the baseline)")
	return cmd
}

func historyShowVerb(t *terminal) *cobra.Command {
	var file string
	var d console.Document
	cmd := &cobra.Command{
		Use:   "show [SERIES…]",
		Short: "show the series of the history, as text, JSON, or one HTML page",
		Long: `Shows the series of the history: a line for each, with its state, its latest ratio
to the reference, by how much that changed, and the course of the last nights. As
HTML it is the trend page: every night with its interval, levels, changes with
their commits, and the noise floor.

A series is named by scenario, metric and cell, overhead/duration/mine/bci/default,
or by its cell alone; * stands for anything.

` + exitHelp,
		Example: `  moobench history show
  moobench history show 'mine*'
  moobench history show --format html -o trend.html`,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkFormat(d.Format, report.DocumentFormats()); err != nil {
				return err
			}
			f, err := nightly.Check(file, 0)
			if err != nil {
				return err
			}
			if f.Series, err = nightly.Choose(f, args); err != nil {
				return err
			}
			return t.console().Write(d, func(w io.Writer, o report.Options) error { return report.WriteTrend(w, d.Format, f, o) })
		},
	}
	f := cmd.Flags()
	registerHistory(f, &file)
	registerDocument(f, &d)
	return cmd
}

func historyAcceptVerb(t *terminal) *cobra.Command {
	var a nightly.Acceptance
	cmd := &cobra.Command{
		Use:   "accept SERIES [--night ID] [--why TEXT]",
		Short: "make a changed level the new normal",
		Long: `Makes the level that a series has now the new normal: checks no longer fail of the
change, and later nights are compared with it. The history keeps both levels, and
why. SERIES is a name as moobench history show takes it; with * it may be several.

Without --night it is the change that the check speaks of; with it, the one that
began in that night: its ID, its day (2026-11-21), or its commit.

` + exitHelp,
		Example: `  moobench history accept 'overhead/duration/mine*' --why "records carry a checksum now"
  moobench history accept '*/mine*' --night 2026-11-21`,
		Args: positional(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			a.Series = args[0]
			accepted, err := a.Accept(time.Now().UTC())
			if err != nil {
				return err
			}
			for _, line := range accepted {
				fmt.Fprintln(t.out, console.Visible(line))
			}
			fmt.Fprintf(t.out, "next: keep %s where your nights read it\n", console.Visible(a.History))
			return nil
		},
	}
	f := cmd.Flags()
	registerHistory(f, &a.History)
	f.StringVar(&a.Night, "night", "", "the first night of the new level: its ID, day or commit (default: that of the change the check speaks of)")
	f.StringVar(&a.Why, "why", "", "why the new level is right, for whoever reads the history later")
	return cmd
}
