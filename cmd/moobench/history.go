package main

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moobench/analysis/history"
	"moobench/analysis/report"
	"moobench/refusal"
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
			return usageError{errors.New("history: say what to do: add, show, check or accept")}
		},
	}
	cmd.AddCommand(historyAddVerb(t), historyShowVerb(t), historyCheckVerb(t), historyAcceptVerb(t))
	return cmd
}

// registerHistory adds the flag that names the history.
func registerHistory(f *pflag.FlagSet, file *string) {
	f.StringVar(file, "history", historyFile, "the history")
}

// findings reads a history and says what is in it.
func findings(file string, o history.Options) (*history.Findings, error) {
	h, err := history.Read(file)
	if err != nil {
		return nil, err
	}
	if len(h.Records) == 0 && len(h.Warnings) == 0 {
		return nil, refusal.New(fmt.Errorf("%s holds no night yet", visible(file)), "add a campaign with: moobench history add DIR")
	}
	f, err := history.Check(h, o)
	if err != nil {
		return nil, fmt.Errorf("checking %s: %w", visible(file), err)
	}
	return f, nil
}

// chooseSeries are the series that any of the patterns names, all of them
// without a pattern. A pattern is the name of a series, or of its cell; *
// stands for anything.
func chooseSeries(f *history.Findings, patterns []string) ([]history.Series, error) {
	if len(patterns) == 0 {
		return f.Series, nil
	}
	var chosen []history.Series
	var wrong []error
	matched := make([]bool, len(f.Series))
	for _, p := range patterns {
		found := false
		for i := range f.Series {
			if isSeries(p, f.Series[i].Key) {
				found, matched[i] = true, true
			}
		}
		if !found {
			wrong = append(wrong, fmt.Errorf("no series is called %q", p))
		}
	}
	if len(wrong) > 0 {
		return nil, usageError{refusal.New(errors.Join(wrong...), "there are: "+seriesNames(f))}
	}
	for i, ok := range matched {
		if ok {
			chosen = append(chosen, f.Series[i])
		}
	}
	return chosen, nil
}

// isSeries says whether a pattern is about a series.
func isSeries(pattern string, k history.Key) bool {
	quoted := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, `.*`)
	whole := regexp.MustCompile(`^(?s:` + quoted + `)$`)
	return whole.MatchString(k.String()) || whole.MatchString(k.Cell)
}

// seriesNamed is how many series an error lists.
const seriesNamed = 12

func seriesNames(f *history.Findings) string {
	var all []string
	for i := range f.Series {
		if name := visible(f.Series[i].Key.String()); !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	if len(all) > seriesNamed {
		all = append(all[:seriesNamed], "… (moobench history show lists all)")
	}
	return strings.Join(all, ", ")
}

// writer prints findings in one of the formats of documents.
type writer func(w io.Writer, format string, f *history.Findings, o report.Options) error

// checkFormat says which formats there are when a name is none of them.
func checkFormat(name string) error {
	if all := report.DocumentFormats(); !slices.Contains(all, name) {
		return usageError{fmt.Errorf("unknown format %q: there are %s", name, strings.Join(all, ", "))}
	}
	return nil
}

// writeFindings prints findings to a file, or as fits the terminal.
func (t *terminal) writeFindings(f *history.Findings, write writer, format, output string) error {
	o := report.Options{Width: 100}
	if output == "" {
		o = t.options()
	}
	if format == "html" {
		o.EChartsJS = t.charts("")
	}
	return writeWhole(t.out, output, func(w io.Writer) error { return write(w, format, f, o) })
}
