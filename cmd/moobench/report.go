package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"moobench/analysis"
	"moobench/analysis/report"
	"moobench/analysis/report/doc"
	"moobench/cmd/internal/console"
	"moobench/cmd/internal/outcome"
	"moobench/refusal"
	"moobench/results"
)

func reportVerb(t *terminal) *cobra.Command {
	var d console.Document
	var several compareFlags
	var fromSamples bool
	formats := report.AboutFormats() + " What spoils a number stands beside it in each; what is not known is left out."
	cmd := &cobra.Command{
		Use:   "report DIR…",
		Short: "show a campaign again: text, one HTML page, or for another tool",
		Long: `Analyses a campaign's folder again and shows the answers. It measures nothing
and opens no sample file: summaries are stored beside the samples. With
--from-samples every summary is computed anew; the folder stays as it is.

` + strings.Join(doc.Wrap(formats, 82), "\n") + `

Of two campaigns to ten it is a comparison with the first one, as moobench compare
has it of two: what changed, cell by cell, and how sure that is. It has the formats
of moobench compare.

` + exitHelp,
		Example: `  moobench report results/runs/2026-11-21T030000Z-nightly
  moobench report results/runs/2026-11-21T030000Z-nightly --all
  moobench report results/runs/2026-11-21T030000Z-nightly --format html -o report.html
  moobench report results/runs/2026-11-21T030000Z-nightly --format json | jq .
  moobench report results/runs/2026-11-21T030000Z-nightly --format markdown >> "$GITHUB_STEP_SUMMARY"
  moobench report results/runs/2026-11-21T030000Z-nightly --format gobench -o new.txt && benchstat old.txt new.txt
  moobench report v1 v2 v3 --format html -o versions.html`,
		Args: positional(cobra.RangeArgs(1, 10)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				several.Format, several.Output, several.Options.All = d.Format, d.Output, d.All
				return t.compareCampaigns(cmd.Context(), args, &several, fromSamples)
			}
			for _, name := range []string{"margin", "history", "anyway"} {
				if cmd.Flags().Changed(name) {
					return outcome.Usage(refusal.New(fmt.Errorf("--%s is of a comparison, and one campaign is none", name), "name another campaign too, the older one first"))
				}
			}
			format, ok := report.Named(d.Format)
			if !ok {
				return checkFormat(d.Format, report.Formats())
			}
			d.Format = format
			answers, err := reanalyse(cmd.Context(), args[0], fromSamples)
			if err != nil {
				return err
			}
			if err := t.Write(d, func(w io.Writer, o report.Options) error { return report.Write(w, format, answers, o) }); err != nil {
				return err
			}
			t.warnAll(report.Unsaid(format, answers))
			if format != "text" || d.Output != "" {
				t.Gate(answers)
			}
			return outcome.ForAnswers(answers)
		},
	}
	f := cmd.Flags()
	f.StringVar(&d.Format, "format", "text", strings.Join(report.Formats(), ", "))
	f.BoolVar(&d.All, "all", false, "text: every metric, and the quantiles of calls")
	f.BoolVar(&fromSamples, "from-samples", false, "compute every summary anew from the sample files")
	f.StringVarP(&d.Output, "output", "o", "", "file to write (default standard output)")
	f.StringVar(&d.ECharts, "echarts-js", "", "the ECharts script for the page's charts (default: the copy in the local Maven repository)")
	several.register(f)
	return cmd
}

// warnAll says on standard error what the output has no room for.
func (t *terminal) warnAll(warnings []string) {
	for _, w := range warnings {
		t.Warn(w, "")
	}
}

// reanalyse answers the questions of the campaign in a folder, from its stored summaries
// or from the samples alone.
func reanalyse(ctx context.Context, dir string, fromSamples bool) (*analysis.Answers, error) {
	store, err := results.Open(dir)
	if err != nil {
		return nil, err
	}
	if !fromSamples {
		return analysis.Analyse(store)
	}
	answers, err := analysis.Analyse(store.Afresh(ctx))
	if ctx.Err() != nil {
		return nil, fmt.Errorf("analysing %s from its samples: %w", dir, ctx.Err())
	}
	return answers, err
}
