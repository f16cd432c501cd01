package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"moobench/analysis/report"
	"moobench/cmd/internal/outcome"
	"moobench/cmd/internal/paper"
	"moobench/refusal"
	"moobench/results"
	"moobench/results/published"
)

// replicateOptions are the flags of moobench replicate.
type replicateOptions struct {
	runFlags
	list, check bool
	scale       float64
	report      string
	format      string
}

func replicateVerb(t *terminal) *cobra.Command {
	var o replicateOptions
	cmd := &cobra.Command{
		Use:   "replicate [PAPER|DIR]",
		Short: "repeat a paper's experiment, and set its figures beside ours",
		Long: `Repeats the experiment of a paper that moobench brings along, or of a folder with
a figures.toml and a benchmarks.toml. Prints the paper's tables and ours side by
side, by the paper's arithmetic and by our own, and says of each claim whether it
is reproduced, reproduced in direction, not reproduced, or cannot be decided.

--check measures nothing: it recomputes what can be recomputed from the printed
figures alone. --scale makes the campaign shorter, and says so everywhere.

` + exitHelp,
		Example: `  moobench replicate --list
  moobench replicate flaig-2014 --check
  moobench replicate flaig-2014 --scale 0.1 -o out
  moobench replicate --report out`,
		Args: positional(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			o.Seeded = c.Flags().Changed("seed")
			return t.replicate(c.Context(), o, strings.Join(args, ""))
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.list, "list", false, "name the papers")
	f.BoolVar(&o.check, "check", false, "recompute from the printed figures alone; measure nothing")
	f.Float64Var(&o.scale, "scale", 1, "make the campaign shorter: 0.1 is about a tenth of the calls, times and blocks (at least 3)")
	f.StringVar(&o.report, "report", "", "measure nothing: show the campaign in this folder, also one that moobench run began")
	f.StringVar(&o.format, "format", "text", strings.Join(report.DocumentFormats(), ", "))
	o.register(f)
	return cmd
}

// replicate does what the flags say.
func (t *terminal) replicate(ctx context.Context, o replicateOptions, name string) error {
	if err := o.fit(name); err != nil {
		return outcome.Usage(err)
	}
	if o.list {
		return paper.List(t.console(), o.format)
	}
	open, called := paper.Open, name
	if name == "" {
		open, called = paper.OpenFor, o.report+o.Resume
	}
	p, err := open(called)
	if err != nil {
		return err
	}
	switch {
	case o.check:
		return p.Check(t.console(), o.format)
	case o.report != "":
		store, err := results.Open(o.report)
		if err != nil {
			return err
		}
		return p.Compare(t.console(), store, o.format, "")
	}
	lab := t.lab()
	s, err := p.Plan(lab, o.Options, o.scale)
	if err != nil {
		return err
	}
	if o.dry {
		return s.Preview()
	}
	return p.Replicate(ctx, lab, s, o.format)
}

// fit says which flags don't go together.
func (o *replicateOptions) fit(name string) error {
	if err := checkFormat(o.format, report.DocumentFormats()); err != nil {
		return err
	}
	modes := 0
	for _, set := range []bool{o.list, o.check, o.report != "", o.Resume != "", o.dry} {
		if set {
			modes++
		}
	}
	measures := o.Dir != "" || o.Only != "" || o.Seeded || o.scale != 1
	switch {
	case !(o.scale > 0 && o.scale <= 1) || math.IsNaN(o.scale):
		return fmt.Errorf("--scale %v: it must be above 0 and at most 1", o.scale)
	case modes > 1:
		return errors.New("--list, --check, --report, --resume and -n don't go together")
	case measures && (o.list || o.check || o.report != "" || o.Resume != ""):
		return errors.New("-o, --only, --seed and --scale begin a campaign: they don't go with --list, --check, --report and --resume")
	case name == "" && !o.list && o.report == "" && o.Resume == "":
		return refusal.New(fmt.Errorf("name a paper: there are %s", strings.Join(published.Names(), ", ")), "moobench replicate --list says what they are")
	}
	return nil
}
