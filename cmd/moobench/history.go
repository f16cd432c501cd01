package main

import (
	"errors"
	"strings"

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
