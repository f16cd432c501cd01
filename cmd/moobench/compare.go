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
	"github.com/spf13/pflag"

	"moobench/analysis"
	"moobench/analysis/compare"
	"moobench/analysis/numbers"
	"moobench/analysis/report"
	"moobench/cmd/internal/console"
	"moobench/cmd/internal/nightly"
	"moobench/cmd/internal/outcome"
	"moobench/refusal"
)

// compareFlags holds the flags of a comparison.
type compareFlags struct {
	console.Document
	compare.Options
	margin, history string
}

func compareVerb(t *terminal) *cobra.Command {
	var f compareFlags
	cmd := &cobra.Command{
		Use:               "compare [OLD [NEW]]",
		Short:             "say what changed between two campaigns, and how sure that is",
		Args:              positional(cobra.MaximumNArgs(2)),
		ValidArgsFunction: campaigns(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			args, err := t.orNewest(args, 2)
			if err != nil {
				return err
			}
			return t.compareCampaigns(cmd.Context(), args, &f, false)
		},
	}
	flags := cmd.Flags()
	f.register(flags)
	registerAnyFormat(cmd, &f.Format, "text", report.DocumentFormats())
	registerOutput(flags, &f.Document)
	flags.BoolVar(&f.Options.All, "all", false, "compare every metric, not only the primary and key ones")
	return cmd
}

// register adds the flags that only comparisons have.
func (f *compareFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.margin, "margin", "3%", "in a comparison: the change that does not matter")
	flags.StringVar(&f.history, "history", "",
		"in a comparison: history file whose nights show the variation between nights")
	flags.BoolVar(&f.Anyway, "anyway", false, "in a comparison: compare unlike campaigns too, and say so in the output")
}

// compareCampaigns compares campaigns with the first one, and prints the changes.
func (t *terminal) compareCampaigns(ctx context.Context, dirs []string, f *compareFlags, fromSamples bool) error {
	var mistakes []error // in the flags
	if formats := report.DocumentFormats(); !slices.Contains(append(formats, "md"), f.Format) {
		mistakes = append(mistakes,
			fmt.Errorf("unknown format %q of a comparison: there are %s", f.Format, strings.Join(formats, ", ")))
	}
	switch m, err := numbers.ParseMargin(f.margin, ""); {
	case err != nil:
		mistakes = append(mistakes, fmt.Errorf("--margin: %w", err))
	case !m.Relative:
		mistakes = append(mistakes, fmt.Errorf("--margin %s is not a share: write it in per cent, as 3%%", f.margin))
	default:
		f.Margin = m.Size
	}
	if err := errors.Join(mistakes...); err != nil {
		return outcome.Usage(err)
	}
	if f.history != "" {
		var warnings []string
		var err error
		f.Nights, warnings, err = nightly.Levels(f.history)
		if t.warnAll(warnings); err != nil {
			return err
		}
	}
	var campaigns []*analysis.Answers
	var wrong []error
	for _, dir := range dirs {
		t.warnUnvouched(dir)
		a, err := reanalyse(ctx, dir, fromSamples, "")
		campaigns, wrong = append(campaigns, a), append(wrong, err)
		f.Folders = append(f.Folders, filepath.Base(filepath.Clean(dir)))
	}
	if err := errors.Join(wrong...); err != nil {
		return err
	}
	c, err := compare.Several(campaigns, f.Options)
	var unlike *compare.UnlikeError
	switch {
	case errors.As(err, &unlike):
		const hint = "measure both in the same way, or compare them nevertheless with --anyway, " +
			"which every output will say"
		return refusal.New(errors.New(report.Refusal(unlike)), hint)
	case errors.Is(err, compare.ErrNothing):
		return refusal.New(fmt.Errorf("not comparing: %w", err), "moobench report DIR shows what each of them has")
	case err != nil:
		return err
	}
	err = t.Write(f.Document, func(w io.Writer, o report.Options) error {
		return report.WriteComparison(w, f.Format, c, o)
	})
	if err == nil && c.Incomplete() {
		err = outcome.ErrIncomplete
	}
	return err
}
