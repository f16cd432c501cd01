package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"moobench/analysis"
	"moobench/analysis/replication"
	"moobench/analysis/report"
	"moobench/harness/config"
	"moobench/refusal"
	"moobench/results"
	"moobench/results/published"
)

// replicateOptions are the flags of moobench replicate.
type replicateOptions struct {
	runOptions
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
			o.seeded = c.Flags().Changed("seed")
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
		return usageError{err}
	}
	if o.list {
		return listPapers(t.out, o.format)
	}
	p, err := o.paper(name)
	if err != nil {
		return err
	}
	switch {
	case o.check:
		r := replication.Alone(p.Paper)
		if err := t.printReplication(r, o.format); err != nil {
			return err
		}
		if n := r.Wrong(); n > 0 {
			return fmt.Errorf("checking %s: %d of %d checks don't come out as %s says", p.name, n, len(r.Checks), published.FiguresFile)
		}
		return nil
	case o.report != "":
		store, err := results.Open(o.report)
		if err != nil {
			return err
		}
		return t.compare(p, store, o.format, "")
	}
	s, err := t.prepareReplication(o, p)
	if err != nil {
		return err
	}
	if o.dry {
		return printPlan(t, s)
	}
	return p.carryOut(ctx, s, o.format)
}

// fit says which flags don't go together.
func (o *replicateOptions) fit(name string) error {
	modes := 0
	for _, set := range []bool{o.list, o.check, o.report != "", o.resume != "", o.dry} {
		if set {
			modes++
		}
	}
	measures := o.dir != "" || o.only != "" || o.seeded || o.scale != 1
	switch {
	case !slices.Contains(report.DocumentFormats(), o.format):
		return fmt.Errorf("unknown format %q: there are %s", o.format, strings.Join(report.DocumentFormats(), ", "))
	case !(o.scale > 0 && o.scale <= 1) || math.IsNaN(o.scale):
		return fmt.Errorf("--scale %v: it must be above 0 and at most 1", o.scale)
	case modes > 1:
		return errors.New("--list, --check, --report, --resume and -n don't go together")
	case measures && (o.list || o.check || o.report != "" || o.resume != ""):
		return errors.New("-o, --only, --seed and --scale begin a campaign: they don't go with --list, --check, --report and --resume")
	case name == "" && !o.list && o.report == "" && o.resume == "":
		return refusal.New(fmt.Errorf("name a paper: there are %s", strings.Join(published.Names(), ", ")), "moobench replicate --list says what they are")
	}
	return nil
}

// paper is one that is replicated: the folder's files.
type paper struct {
	*replication.Paper
	name   string
	folder fs.FS
	path   string // of its benchmarks.toml, as messages call it
}

// paper finds the one that is named, or the one that a campaign is called after.
func (o *replicateOptions) paper(name string) (*paper, error) {
	if dir := o.report + o.resume; name == "" {
		store, err := results.Open(dir)
		if err != nil {
			return nil, err
		}
		name = store.Campaign().Name
		if !slices.Contains(published.Names(), name) {
			return nil, usageError{refusal.New(fmt.Errorf("the campaign in %s is called %q, and so is no paper", dir, name), "name the paper, or its folder, too")}
		}
	}
	return openPaper(name)
}

// openPaper opens one of our papers, or a folder.
func openPaper(name string) (*paper, error) {
	p := &paper{name: name, path: name + "/" + published.CampaignFile}
	if slices.Contains(published.Names(), name) {
		var err error
		if p.folder, err = published.Open(name); err != nil {
			return nil, err
		}
	} else {
		p.folder, p.path = os.DirFS(name), filepath.Join(name, published.CampaignFile)
	}
	text, err := fs.ReadFile(p.folder, published.FiguresFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usageError{fmt.Errorf("%s is neither a paper of ours (%s) nor a folder with a %s", name, strings.Join(published.Names(), ", "), published.FiguresFile)}
	}
	if err != nil {
		return nil, fmt.Errorf("reading the paper %s: %w", name, err)
	}
	p.Paper, err = replication.Parse(filepath.Join(name, published.FiguresFile), text)
	return p, err
}

// prepareReplication plans the paper's campaign, shortened as is wanted, or goes
// on with one.
func (t *terminal) prepareReplication(o replicateOptions, p *paper) (*sitting, error) {
	if o.resume != "" {
		return prepare(t, o.runOptions, nil)
	}
	text, err := fs.ReadFile(p.folder, published.CampaignFile)
	if err != nil {
		return nil, fmt.Errorf("reading the campaign of %s: %w", p.name, err)
	}
	if text, err = p.Shorten(text, o.scale); err != nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	s := &sitting{t: t, o: o.runOptions}
	if s.file, err = config.Parse(p.path, text, t.known()); err != nil {
		return nil, err
	}
	if err := s.makePlan(nil); err != nil {
		return nil, err
	}
	if o.scale < 1 {
		s.plan.Campaign.Scale = o.scale
	}
	return s, nil
}

// carryOut measures, and sets the paper's figures beside what came out.
func (p *paper) carryOut(ctx context.Context, s *sitting, format string) error {
	dir := s.dir()
	release, err := s.t.lockMachine(dir)
	if err != nil {
		return err
	}
	defer release()
	if scale := s.plan.Campaign.Scale; scale > 0 {
		fmt.Fprintf(s.t.err, "%s · shortened to %v of the paper's experiment\n", p.name, scale)
	}
	store, err := s.measure(ctx, dir, fmt.Sprintf("nothing sealed is lost; go on with: moobench replicate %s --resume %s", p.name, dir))
	if err != nil {
		return err
	}
	return s.t.compare(p, store, format, filepath.Join(dir, "report.html"))
}

// compare prints the paper beside a campaign; page is where its own report goes,
// "" is nowhere.
func (t *terminal) compare(p *paper, store *results.Store, format, page string) error {
	answers, err := analysis.Analyse(store)
	if err != nil {
		return err
	}
	if err := t.printReplication(replication.Compare(p.Paper, store, answers), format); err != nil {
		return err
	}
	if page != "" {
		if err := t.page(answers, page); err != nil {
			return fmt.Errorf("writing the page: %w", err)
		}
		fmt.Fprintf(t.err, "report of the campaign: %s\n", page)
	}
	t.tellGate(answers)
	return ended(answers)
}
