package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/report"
	"moobench/analysis/report/doc"
	"moobench/cmd/internal/console"
	"moobench/cmd/internal/outcome"
	"moobench/cmd/internal/session"
	"moobench/cmd/internal/standard"
	"moobench/refusal"
	"moobench/results"
)

func reportVerb(t *terminal) *cobra.Command {
	var several compareFlags
	d := &several.Document
	var fromSamples bool
	var told string
	formats := report.AboutFormats() + " What spoils a number stands beside it in each; what is not known is left out."
	cmd := &cobra.Command{
		Use:               "report [DIR…]",
		Short:             "show a campaign again: text, one HTML page, or for another tool",
		Long:              strings.Join(doc.Wrap(formats, 82), "\n") + "\n",
		Args:              positional(cobra.MaximumNArgs(10)),
		ValidArgsFunction: campaigns(10),
		RunE: func(cmd *cobra.Command, args []string) error {
			args, err := t.orNewest(args, 1)
			if err != nil {
				return err
			}
			if format, _ := report.Named(d.Format); d.Table != "" && (format != "latex" || len(args) > 1) {
				return outcome.Usage(errors.New("--table needs one campaign, and --format latex"))
			}
			if len(args) > 1 && told != "" {
				return outcome.Usage(errors.New("--standard takes one campaign: " +
					"a comparison is reported at the speed between its campaigns"))
			}
			if len(args) > 1 {
				several.Options.All = d.All
				return t.compareCampaigns(cmd.Context(), args, &several, fromSamples)
			}
			for _, name := range []string{"margin", "history", "anyway"} {
				if cmd.Flags().Changed(name) {
					err = fmt.Errorf("--%s needs two campaigns or more to compare", name)
					return outcome.Usage(refusal.New(err, "name another campaign too, the older one first"))
				}
			}
			format, ok := report.Named(d.Format)
			if !ok {
				return checkFormat(d.Format, report.Formats())
			}
			d.Format = format
			answers, err := reanalyse(cmd.Context(), args[0], fromSamples, told)
			if err != nil {
				return err
			}
			t.warnUnvouched(args[0])
			if tables := report.Tables(answers); d.Table != "" && !slices.Contains(tables, d.Table) {
				return outcome.Usage(fmt.Errorf("there is no table %q: there are %s",
					d.Table, strings.Join(tables, ", ")))
			}
			write := func(w io.Writer, o report.Options) error { return report.Write(w, format, answers, o) }
			if err := t.Write(*d, write); err != nil {
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
	registerAnyFormat(cmd, &d.Format, "text", report.Formats())
	registerOutput(f, d)
	f.BoolVar(&d.All, "all", false, "text and gobench: every metric; text: the quantiles of calls too")
	f.StringVar(&d.Table, "table", "",
		"latex: one table by its name, the scenario for its answer (overhead) or scenario and section\n"+
			"(overhead-startup-ns), as in the label; a wrong name lists them all")
	f.BoolVar(&fromSamples, "from-samples", false, "compute every summary again from the sample files")
	f.StringVar(&told, "standard", "",
		"report costs at the CPU speed at which the reference takes this long, such as 2373ns\n"+
			"(default: the campaign's own standard)")
	f.StringVar(&d.ECharts, "echarts-js", "",
		"the ECharts script for the page's charts (default: the copy in the local Maven repository)")
	several.register(f)
	return cmd
}

// orNewest adds the newest campaigns in the folder of runs to the named ones, newest last, until
// there are as many as the verb needs, and prints which it added.
func (t *terminal) orNewest(named []string, all int) ([]string, error) {
	missing := all - len(named)
	campaigns := slices.DeleteFunc(session.Campaigns(), func(c string) bool {
		return slices.ContainsFunc(named, func(n string) bool { return filepath.Clean(n) == c })
	})
	switch {
	case missing <= 0:
		return named, nil
	case len(campaigns) < missing:
		err := fmt.Errorf("%s needed, and %s has %d",
			figure.Plural(missing, "campaign is", "campaigns are"), session.RunsFolder, len(campaigns))
		return nil, outcome.Usage(refusal.New(err, "name the folders of campaigns, or measure one: moobench run"))
	}
	newest := campaigns[len(campaigns)-missing:]
	fmt.Fprintf(t.Err, "moobench: of %s\n", console.Visible(strings.Join(newest, " and ")))
	return append(slices.Clone(named), newest...), nil
}

// warnAll prints warnings that the output itself can't contain.
func (t *terminal) warnAll(warnings []string) {
	for _, w := range warnings {
		t.Warn(w, "")
	}
}

// warnUnvouched warns if a campaign lacks a seal, so that nobody can tell whether it was changed.
func (t *terminal) warnUnvouched(dir string) {
	if results.Unvouched(dir) {
		t.Warn(dir+" is not sealed, so nothing shows whether its invocations are as they were measured: "+
			"its SEALED was removed, or an older moobench did not finish it", "")
	}
}

// reanalyse answers the questions of the campaign in a folder, from its stored summaries or its
// samples, optionally at the given standard speed.
func reanalyse(ctx context.Context, dir string, fromSamples bool, told string) (*analysis.Answers, error) {
	wish, err := standard.Wished(told)
	switch {
	case err != nil:
		return nil, outcome.Usage(fmt.Errorf("--standard: %w", err))
	case wish.Path != "":
		return nil, outcome.Usage(fmt.Errorf("--standard %s is not a time, such as 2373ns", told))
	}
	store, err := results.Open(dir)
	if err != nil {
		return nil, err
	}
	if wish.NS > 0 { // for this report only
		store.Campaign().Standards = []results.Standard{{NS: wish.NS, From: results.FromCommandLine}}
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
