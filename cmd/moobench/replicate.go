package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
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
	"moobench/cmd/internal/console"
	"moobench/cmd/internal/outcome"
	"moobench/cmd/internal/session"
	"moobench/refusal"
	"moobench/results"
	"moobench/results/published"
)

// replicateOptions holds the flags of moobench replicate.
type replicateOptions struct {
	session.Options
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
		Args:  positional(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			o.Seeded = c.Flags().Changed("seed")
			return t.replicate(c.Context(), o, strings.Join(args, ""))
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.list, "list", false, "name the papers")
	f.BoolVar(&o.check, "check", false, "recompute from the printed figures alone; measure nothing")
	f.Float64Var(&o.scale, "scale", 1,
		"make the campaign shorter: 0.1 is about a tenth of the calls, times and blocks (at least 3)")
	f.StringVar(&o.report, "report", "",
		"measure nothing: show the campaign in this folder, also one that moobench run began")
	registerFormat(cmd, &o.format, report.DocumentFormats())
	registerRun(cmd, &o.Options)
	return cmd
}

// replicate lists papers, checks figures, shows a campaign or measures one, as the flags say.
func (t *terminal) replicate(ctx context.Context, o replicateOptions, name string) error {
	if err := o.fit(name); err != nil {
		return outcome.Usage(err)
	}
	if o.list {
		return t.listPapers(o.format)
	}
	var store *results.Store
	if dir := o.report + o.Resume; dir != "" {
		var err error
		if store, err = results.Open(dir); err != nil {
			return err
		}
	}
	if name == "" { // the campaign is named after its paper
		if name = store.Campaign().Name; !slices.Contains(published.Names(), name) {
			err := fmt.Errorf("the campaign in %s is called %q, which is not a paper", store.Dir(), name)
			return outcome.Usage(refusal.New(err, "name the paper, or its folder, too"))
		}
	}
	p, err := openPaper(name)
	if err != nil {
		return err
	}
	switch {
	case o.check:
		return p.check(t.Console, o.format)
	case o.report != "":
		answers, err := analysis.Analyse(store)
		if err != nil {
			return err
		}
		return p.compare(t.Console, store, answers, o.format, false)
	}
	s, err := p.plan(&t.Lab, o.Options, o.scale)
	if err != nil {
		return err
	}
	if o.Dry {
		return s.Preview()
	}
	return p.measure(ctx, &t.Lab, s, o.format)
}

// fit says what a flag can't be, and what is missing.
func (o *replicateOptions) fit(name string) error {
	switch {
	case !(o.scale > 0 && o.scale <= 1) || math.IsNaN(o.scale):
		return fmt.Errorf("--scale %v: it must be above 0 and at most 1", o.scale)
	case name == "" && !o.list && o.report == "" && o.Resume == "":
		return refusal.New(fmt.Errorf("name a paper: there are %s", strings.Join(published.Names(), ", ")),
			"moobench replicate --list says what they are")
	}
	return nil
}

// paper is a paper with a repeatable experiment, and its files.
type paper struct {
	*replication.Paper
	name   string
	folder fs.FS
}

// openPaper opens one of our papers by its name, or a paper in a folder.
func openPaper(name string) (*paper, error) {
	p := &paper{name: name, folder: os.DirFS(name)}
	var err error
	if slices.Contains(published.Names(), name) {
		if p.folder, err = published.Open(name); err != nil {
			return nil, err
		}
	}
	text, err := fs.ReadFile(p.folder, published.FiguresFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, outcome.Usage(fmt.Errorf("%s is neither a paper of ours (%s) nor a folder with a %s",
			name, strings.Join(published.Names(), ", "), published.FiguresFile))
	}
	if err != nil {
		return nil, fmt.Errorf("reading the paper %s: %w", name, err)
	}
	p.Paper, err = replication.Parse(filepath.Join(name, published.FiguresFile), text)
	return p, err
}

// listedPaper is a paper in the list.
type listedPaper struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Source string `json:"source"`
	Tables int    `json:"tables"`
	Checks int    `json:"checks"`
	Claims int    `json:"claims"`
	Own    int    `json:"claims_of_ours,omitempty"` // additional claims by us
	// Further lists its further campaigns, as moobench init writes them.
	Further []string `json:"further,omitempty"`
}

// listPapers lists our papers, as text or JSON.
func (t *terminal) listPapers(format string) error {
	var all []listedPaper
	for _, name := range published.Names() {
		p, err := openPaper(name)
		if err != nil {
			return err
		}
		own := 0
		for _, c := range p.Claims {
			if c.Own {
				own++
			}
		}
		further := results.Each(published.Further(name), func(campaign string) string { return name + "/" + campaign })
		all = append(all, listedPaper{
			name, p.Title, p.Source, len(p.Tables), len(p.Checks), len(p.Claims) - own, own, further,
		})
	}
	if format == "json" {
		return t.JSON(all)
	}
	for _, p := range all {
		claims := fmt.Sprintf("%d claims", p.Claims)
		if p.Own > 0 {
			claims += fmt.Sprintf(" and %d of ours", p.Own)
		}
		fmt.Fprintf(t.Out, "%-16s %s\n%-16s %s; %d tables, %d checks, %s\n", p.Name, p.Title, "",
			p.Source, p.Tables, p.Checks, claims)
		if len(p.Further) > 0 {
			fmt.Fprintf(t.Out, "%-16s moobench init writes %s\n", "", strings.Join(p.Further, ", "))
		}
	}
	return nil
}

// check recomputes the checks that need only the printed figures.
func (p *paper) check(c console.Console, format string) error {
	r := replication.Alone(p.Paper)
	err := writeReplication(c, r, format)
	if n := r.Wrong(); err == nil && n > 0 {
		err = fmt.Errorf("checking %s: %d of %d checks don't come out as %s says",
			p.name, n, len(r.Checks), published.FiguresFile)
	}
	return err
}

func writeReplication(c console.Console, r *replication.Replication, format string) error {
	return c.Write(console.Document{Format: format}, func(w io.Writer, o report.Options) error {
		return report.WriteReplication(w, format, r, o)
	})
}

// plan plans the paper's campaign, shortened by scale, or opens one to resume.
func (p *paper) plan(lab *session.Lab, o session.Options, scale float64) (*session.Session, error) {
	if o.Resume != "" {
		return lab.Open(o)
	}
	text, err := fs.ReadFile(p.folder, published.CampaignFile)
	if err != nil {
		return nil, fmt.Errorf("reading the campaign of %s: %w", p.name, err)
	}
	return lab.Shortened(o, filepath.Join(p.name, published.CampaignFile), text, p.Paper, scale)
}

// measure carries out the plan, and compares the result with the paper's figures.
func (p *paper) measure(ctx context.Context, lab *session.Lab, s *session.Session, format string) error {
	dir := s.Folder()
	if scale := s.Plan.Campaign.Scale; scale > 0 {
		fmt.Fprintf(lab.Err, "%s · shortened to %v of the paper's experiment\n", p.name, scale)
	}
	resume := fmt.Sprintf("moobench replicate %s --resume %s", p.name, dir)
	return s.Measure(ctx, dir, resume, func(store *results.Store, answers *analysis.Answers) error {
		return p.compare(lab.Console, store, answers, format, true)
	})
}

// compare prints the paper's figures beside a campaign's. If paged is set, it also writes the
// campaign's own report into its folder.
func (p *paper) compare(
	c console.Console, store *results.Store, answers *analysis.Answers, format string, paged bool,
) error {
	unheard := writeReplication(c, replication.Compare(p.Paper, store, answers), format)
	if paged {
		page, err := c.Page(answers, store.Dir())
		if err != nil {
			return err
		}
		fmt.Fprintf(c.Err, "report of the campaign: %s\n", page)
	}
	c.Gate(answers)
	return cmp.Or(unheard, outcome.ForAnswers(answers))
}
