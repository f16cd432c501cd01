package importer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"moobench/results"
)

// Without is the name of a variant in which nothing monitors. Nothing is known of
// a baseline by another name.
const Without = "none"

// Builder makes a campaign of one scenario from what another tool measured. First
// all cells are added, then Compare settles their baselines and questions, and
// Make adds the invocations.
type Builder struct {
	dir      string
	campaign *results.Campaign
	store    *results.Store // while Make runs
}

// NewBuilder begins the campaign that a request asks for. tool is its source;
// about is what a reader of its numbers must know of where they come from.
func NewBuilder(r Request, tool, about string, sc results.Scenario) *Builder {
	sc.Use = sc.Label
	return &Builder{dir: r.Dir, campaign: &results.Campaign{
		Name: r.Name, About: about, Created: r.Created, Versions: r.Versions, Source: tool,
		Design: results.DesignUnordered, Scenarios: []results.Scenario{sc},
	}}
}

// Scenario is the one scenario. It may be changed until Make is done.
func (b *Builder) Scenario() *results.Scenario { return &b.campaign.Scenarios[0] }

// Cells are the cells so far. They may be changed until Make is done.
func (b *Builder) Cells() []results.Cell { return b.campaign.Cells }

// Cell returns the ID of the cell with c's variant and factors. A new one is added
// behind the others, with c's parameters, framework and launch.
func (b *Builder) Cell(c results.Cell) string {
	for _, known := range b.campaign.Cells {
		if known.Variant == c.Variant && slices.Equal(known.Factors, c.Factors) {
			return known.ID
		}
	}
	c.ID, c.Scenario = fmt.Sprintf("c%02d", len(b.campaign.Cells)), b.Scenario().Label
	c.Role, c.Proof.Kind = results.RoleVariant, results.ProofNone
	b.campaign.Cells = append(b.campaign.Cells, c)
	return c.ID
}

// Question is asked about every cell that has a baseline.
type Question struct {
	Metric string
	Text   func(cell, baseline *results.Cell) string
	Test   results.Comparison // "" is Welch's: nothing imported is paired
}

// Compare gives each cell the cell of the baseline variant at its own factors as
// its baseline, and asks the questions about both; without a name the first variant
// is the baseline. It is a mistake if no variant has the name. A cell
// whose factors the baseline variant was not measured at has none.
func (b *Builder) Compare(baseline string, questions ...Question) error {
	cells := b.campaign.Cells
	if baseline == "" && len(cells) > 0 {
		baseline = cells[0].Variant
	}
	at := map[string]*results.Cell{} // the baselines by level
	var variants []string
	for i := range cells {
		c := &cells[i]
		if c.Variant == baseline {
			c.Role, at[c.Level()] = results.RoleBaseline, c
			if baseline == Without {
				c.Proof.Kind = results.ProofBaseline
			}
		}
		if !slices.Contains(variants, c.Variant) {
			variants = append(variants, c.Variant)
		}
	}
	if len(at) == 0 {
		return Refuse("there is no variant %q to be the baseline: there are %s", baseline, strings.Join(variants, ", "))
	}
	for i := range cells {
		c := &cells[i]
		of := at[c.Level()]
		if c.Role == results.RoleBaseline || of == nil {
			continue
		}
		c.Baseline = of.ID
		for _, q := range questions {
			b.Scenario().Questions = append(b.Scenario().Questions, results.Question{
				ID: q.Metric + "-" + c.ID, Text: q.Text(c, of), Metric: q.Metric, A: c.ID, B: of.ID,
				Test: cmp.Or(q.Test, results.TestWelch), Family: strings.TrimSpace(c.Scenario + "/" + q.Metric + " " + c.Level()),
			})
		}
	}
	return nil
}

// Make makes the campaign's folder, whole or not at all. fill adds the invocations;
// what it changes of scenario and cells meanwhile counts.
func (b *Builder) Make(fill func() error) (*results.Store, error) {
	return Campaign(b.dir, b.campaign, func(store *results.Store) error {
		b.store = store
		return fill()
	})
}

// Slot is the number of a cell, for sources in which each cell has at most one
// invocation in a block.
func (b *Builder) Slot(id string) int {
	return slices.IndexFunc(b.campaign.Cells, func(c results.Cell) bool { return c.ID == id })
}

// Add adds an invocation that succeeded, with its samples, unless ctx is done.
func (b *Builder) Add(ctx context.Context, id results.Identity, inv *results.Invocation, samples ...Samples) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	inv.Profile, inv.Status = results.ProfileTiming, results.StatusOK
	return Seal(b.store, id, inv, samples...)
}

// Campaign makes a campaign in dir, which must be new or empty, whole or not at
// all. fill adds the invocations, and may change the campaign meanwhile: it is
// saved and sealed when fill is done.
func Campaign(dir string, c *results.Campaign, fill func(*results.Store) error) (*results.Store, error) {
	err := Folder("importing", dir, func(tmp string) error {
		store, err := results.Create(tmp, c, nil)
		if err != nil {
			return err
		}
		if err := os.Remove(filepath.Join(tmp, "benchmarks.toml")); err != nil {
			return fmt.Errorf("importing: %w", err) // there is none that these numbers were measured by
		}
		if err := fill(store); err != nil {
			return err
		}
		return errors.Join(store.SaveCampaign(), store.Seal())
	})
	if err != nil {
		return nil, err
	}
	return results.Open(dir)
}

// Samples are those of one series of an invocation: Values[c][r] is the value of
// Series.Columns[c] in row r. Count and Dump of the series need not be set.
type Samples struct {
	Series results.Series
	Values [][]int64
}

// Column adds a column with its values.
func (s *Samples) Column(name, unit string, kind results.Kind, values []int64, dict ...string) {
	s.Series.Columns = append(s.Series.Columns, results.Column{Name: name, Unit: unit, Kind: kind, Dict: dict})
	s.Values = append(s.Values, values)
}

// Seal adds an invocation with its samples, whole or not at all. Series without
// rows are left out.
func Seal(store *results.Store, id results.Identity, inv *results.Invocation, all ...Samples) error {
	draft, err := store.Begin(id)
	if err != nil {
		return err
	}
	for _, s := range all {
		if len(s.Values) == 0 || len(s.Values[0]) == 0 {
			continue
		}
		s.Series.Count = int64(len(s.Values[0]))
		s.Series.Dump = fmt.Sprintf("%s.%d.i64", s.Series.Name, s.Series.Thread)
		if err := writeDump(filepath.Join(draft.Dir(), s.Series.Dump), s); err != nil {
			return errors.Join(err, draft.Discard())
		}
		inv.Series = append(inv.Series, s.Series)
	}
	return draft.Seal(inv)
}

func writeDump(path string, s Samples) error {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("writing samples: %w", err)
	}
	return errors.Join(results.WriteDump(f, s.Series, s.Values...), f.Close())
}
