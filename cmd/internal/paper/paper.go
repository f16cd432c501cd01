// Package paper repeats the experiments of papers, and sets their figures beside ours.
package paper

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

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

// Paper is one whose experiment can be repeated: a folder's files.
type Paper struct {
	*replication.Paper
	name   string
	folder fs.FS
	path   string // of its benchmarks.toml, as messages call it
}

// Open opens one of our papers by its name, or one in a folder.
func Open(name string) (*Paper, error) {
	p := &Paper{name: name, path: name + "/" + published.CampaignFile}
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
		return nil, outcome.Usage(fmt.Errorf("%s is neither a paper of ours (%s) nor a folder with a %s", name, strings.Join(published.Names(), ", "), published.FiguresFile))
	}
	if err != nil {
		return nil, fmt.Errorf("reading the paper %s: %w", name, err)
	}
	p.Paper, err = replication.Parse(filepath.Join(name, published.FiguresFile), text)
	return p, err
}

// OpenFor opens the paper that a campaign is called after.
func OpenFor(dir string) (*Paper, error) {
	store, err := results.Open(dir)
	if err != nil {
		return nil, err
	}
	name := store.Campaign().Name
	if !slices.Contains(published.Names(), name) {
		return nil, outcome.Usage(refusal.New(fmt.Errorf("the campaign in %s is called %q, and so is no paper", dir, name), "name the paper, or its folder, too"))
	}
	return Open(name)
}

// listed is a paper in the list.
type listed struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Source string `json:"source"`
	Tables int    `json:"tables"`
	Checks int    `json:"checks"`
	Claims int    `json:"claims"`
}

// List names our papers, as lines or as JSON.
func List(c console.Console, format string) error {
	var all []listed
	for _, name := range published.Names() {
		p, err := Open(name)
		if err != nil {
			return err
		}
		all = append(all, listed{name, p.Title, p.Source, len(p.Tables), len(p.Checks), len(p.Claims)})
	}
	if format == "json" {
		return c.JSON(all)
	}
	for _, p := range all {
		fmt.Fprintf(c.Out, "%-16s %s\n%-16s %s; %d tables, %d checks, %d claims\n", p.Name, p.Title, "", p.Source, p.Tables, p.Checks, p.Claims)
	}
	return nil
}

// Check recomputes what can be recomputed from the printed figures alone.
func (p *Paper) Check(c console.Console, format string) error {
	r := replication.Alone(p.Paper)
	if err := write(c, r, format); err != nil {
		return err
	}
	if n := r.Wrong(); n > 0 {
		return fmt.Errorf("checking %s: %d of %d checks don't come out as %s says", p.name, n, len(r.Checks), published.FiguresFile)
	}
	return nil
}

func write(c console.Console, r *replication.Replication, format string) error {
	return c.Write(console.Document{Format: format}, func(w io.Writer, o report.Options) error { return report.WriteReplication(w, format, r, o) })
}

// Plan plans the paper's campaign, shortened by the scale, or goes on with one.
func (p *Paper) Plan(lab *session.Lab, o session.Options, scale float64) (*session.Session, error) {
	if o.Resume != "" {
		return lab.Open(o)
	}
	text, err := fs.ReadFile(p.folder, published.CampaignFile)
	if err != nil {
		return nil, fmt.Errorf("reading the campaign of %s: %w", p.name, err)
	}
	if text, err = p.Shorten(text, scale); err != nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	s, err := lab.Parse(o, p.path, text)
	if err == nil && scale < 1 {
		s.Plan.Campaign.Scale = scale
	}
	return s, err
}

// Replicate measures, and sets the paper's figures beside what came out.
func (p *Paper) Replicate(ctx context.Context, lab *session.Lab, s *session.Session, format string) error {
	dir := s.Folder()
	release, err := lab.Lock(dir)
	if err != nil {
		return err
	}
	defer release()
	if scale := s.Plan.Campaign.Scale; scale > 0 {
		fmt.Fprintf(lab.Err, "%s · shortened to %v of the paper's experiment\n", p.name, scale)
	}
	store, err := s.Measure(ctx, dir, fmt.Sprintf("nothing sealed is lost; go on with: moobench replicate %s --resume %s", p.name, dir))
	if err != nil {
		return err
	}
	return p.Compare(lab.Console, store, format, filepath.Join(dir, "report.html"))
}

// Compare prints the paper beside a campaign; page is where the campaign's own report
// goes, "" is nowhere.
func (p *Paper) Compare(c console.Console, store *results.Store, format, page string) error {
	answers, err := analysis.Analyse(store)
	if err != nil {
		return err
	}
	if err := write(c, replication.Compare(p.Paper, store, answers), format); err != nil {
		return err
	}
	if page != "" {
		if err := c.Page(answers, page); err != nil {
			return err
		}
		fmt.Fprintf(c.Err, "report of the campaign: %s\n", page)
	}
	c.Gate(answers)
	return outcome.Of(answers)
}
