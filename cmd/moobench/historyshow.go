package main

import (
	"io"

	"github.com/spf13/cobra"

	"moobench/analysis/report"
	"moobench/cmd/internal/console"
	"moobench/cmd/internal/nightly"
)

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
