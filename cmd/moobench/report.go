package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"moobench/analysis"
	"moobench/analysis/report"
	"moobench/analysis/report/page"
	"moobench/harness/framework"
	"moobench/results"
	"moobench/results/safefile"
)

func reportVerb(t *terminal) *cobra.Command {
	var format, output, script string
	var all, fromSamples bool
	cmd := &cobra.Command{
		Use:   "report DIR",
		Short: "show a campaign again: text, one HTML page, or for another tool",
		Long: `Analyses a campaign's folder again and shows the answers. It measures nothing
and opens no sample file: summaries are stored beside the samples. With
--from-samples every summary is computed anew; the folder stays as it is.

Formats: text, for a terminal; html, one page that needs no network; json, all of
it; markdown (or md), also for the summary of a CI job; latex (or tex), tables for
\input; svg, a figure of all overheads; csv, a line for each cell and metric;
junit, a test case for each question; gobench, which benchstat reads;
github-action-benchmark; bencher; openmetrics. What spoils a number stands beside
it in each; what is not known is left out.

` + exitHelp,
		Example: `  moobench report results/runs/2026-11-21T030000Z-nightly
  moobench report results/runs/2026-11-21T030000Z-nightly --all
  moobench report results/runs/2026-11-21T030000Z-nightly --format html -o report.html
  moobench report results/runs/2026-11-21T030000Z-nightly --format json | jq .
  moobench report results/runs/2026-11-21T030000Z-nightly --format markdown >> "$GITHUB_STEP_SUMMARY"
  moobench report results/runs/2026-11-21T030000Z-nightly --format gobench -o new.txt && benchstat old.txt new.txt`,
		Args: positional(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			format, ok := report.Named(format)
			if !ok {
				return usageError{fmt.Errorf("unknown format %q: there are %s", format, strings.Join(report.Formats(), ", "))}
			}
			answers, err := reanalyse(cmd.Context(), args[0], fromSamples)
			if err != nil {
				return err
			}
			o := t.options()
			o.All = all
			if err := t.write(answers, format, output, script, o); err != nil {
				return err
			}
			t.tellWarnings("", report.Unsaid(format, answers))
			if format != "text" || output != "" {
				t.tellGate(answers)
			}
			return ended(answers)
		},
	}
	f := cmd.Flags()
	f.StringVar(&format, "format", "text", strings.Join(report.Formats(), ", "))
	f.BoolVar(&all, "all", false, "text: every metric, and the quantiles of calls")
	f.BoolVar(&fromSamples, "from-samples", false, "compute every summary anew from the sample files")
	f.StringVarP(&output, "output", "o", "", "file to write (default standard output)")
	f.StringVar(&script, "echarts-js", "", "the ECharts script for the page's charts (default: the copy in the local Maven repository)")
	return t.withSeveral(cmd)
}

// tellWarnings says on standard error what the output has no room for; from says
// what it is about.
func (t *terminal) tellWarnings(from string, all []string) {
	for _, w := range all {
		fmt.Fprintf(t.err, "moobench: warning: %s\n", visible(from+w))
	}
}

// reanalyse answers for a campaign's folder, from its stored summaries or from
// the samples alone.
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

// page writes the page in a campaign's folder. The folder may have been a stranger's,
// and so no link there is followed.
func (t *terminal) page(a *analysis.Answers, name string) error {
	o := report.Options{Width: 100}
	o.EChartsJS = t.charts("")
	return safefile.Renew(name, func(w io.Writer) error { return report.Write(w, "html", a, o) })
}

// write writes the answers to a file, or to standard output.
func (t *terminal) write(a *analysis.Answers, format, output, script string, o report.Options) error {
	if format == "html" {
		o.EChartsJS = t.charts(script)
	}
	if output != "" {
		o.Color, o.Width = false, 100
	}
	return writeWhole(t.out, output, func(w io.Writer) error { return report.Write(w, format, a, o) })
}

// charts finds the script that draws the page's charts. Without it the page
// still has its tables and inline SVG, and says so.
func (t *terminal) charts(explicit string) []byte {
	r := framework.Resolver{Log: t.err}
	repository, err := r.LocalRepository(context.Background())
	if err != nil {
		repository = ""
	}
	js, err := page.FindECharts(repository, explicit)
	if err != nil && explicit == "" {
		// Not there yet: Maven may fetch it. FindECharts checks its digest.
		if _, fetchErr := r.Resolve(context.Background(), framework.Artifact{Name: "echarts", Maven: page.EChartsMaven}); fetchErr == nil {
			js, err = page.FindECharts(repository, explicit)
		}
	}
	if err != nil {
		fmt.Fprintf(t.err, "moobench: warning: the page has no interactive charts: %v\n", err)
		return nil
	}
	return js
}

// options fit the terminal: its width, and colour only where it is wanted.
func (t *terminal) options() report.Options {
	o := report.Options{Width: 100}
	f := screen(t.out)
	if f == nil {
		return o
	}
	if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
		o.Width = w
	}
	o.Color = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return o
}
