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

	"moobench/refusal"
	"moobench/results"
)

// Without is the name of a variant without monitoring. A baseline of another name may have monitoring.
const Without = "none"

// Builder makes a campaign of one scenario from the measurements of another tool. First
// all cells are added, then Compare sets their baselines and questions, and Make adds
// the invocations.
type Builder struct {
	// Campaign may be changed until Make is done.
	Campaign *results.Campaign

	dir   string
	store *results.Store // while Make runs
}

// NewBuilder begins the campaign of a request. tool is its source; about tells readers what they must know
// about the origin of its numbers.
func NewBuilder(r Request, tool, about string, sc results.Scenario) *Builder {
	sc.Use = sc.Label
	return &Builder{dir: r.Dir, Campaign: &results.Campaign{
		Name: r.Name, About: about, Created: r.Created, Versions: r.Versions, Source: tool,
		Design: results.DesignUnordered, Scenarios: []results.Scenario{sc},
	}}
}

// Scenario returns the scenario of the campaign.
func (b *Builder) Scenario() *results.Scenario { return &b.Campaign.Scenarios[0] }

// LeaveOut adds remarks on omissions from the source, or gaps in it; "" adds nothing. The texts may come from
// files, and are shown on one line.
func (b *Builder) LeaveOut(texts ...string) {
	for _, text := range texts {
		if text != "" {
			b.Campaign.LeftOut = append(b.Campaign.LeftOut, refusal.Visible(text))
		}
	}
}

// Metric returns a metric of imported invocations.
func Metric(name, unit string, better results.Better, about string) results.Metric {
	return results.Metric{Name: name, Unit: unit, Better: better, About: about, Profile: results.ProfileTiming}
}

// Cell returns the ID of the cell with c's variant and factors. If there is none, it adds c with its
// parameters, framework and launch. The cell is not proven, unless c says that nothing in it monitors.
func (b *Builder) Cell(c results.Cell) string {
	for _, known := range b.Campaign.Cells {
		if known.Variant == c.Variant && slices.Equal(known.Factors, c.Factors) {
			return known.ID
		}
	}
	c.ID, c.Scenario = fmt.Sprintf("c%02d", len(b.Campaign.Cells)), b.Scenario().Label
	c.Role, c.Proof.Kind = results.RoleVariant, cmp.Or(c.Proof.Kind, results.ProofNone)
	b.Campaign.Cells = append(b.Campaign.Cells, c)
	return c.ID
}

// Question is asked about every cell that has a baseline.
type Question struct {
	Metric string
	Text   func(cell, baseline *results.Cell) string
	Test   results.Comparison // "": Welch's t test, or the paired one in a paired campaign
}

// Compare gives each cell a baseline, the baseline variant's cell at the same factors, and asks the questions
// about both. Without a name the first variant is the baseline; an unknown name is a mistake. A cell has no
// baseline if the baseline variant was not measured at its factors.
func (b *Builder) Compare(baseline string, questions ...Question) error {
	cells := b.Campaign.Cells
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
		return refusal.Mistake("there is no variant %q to be the baseline: there are %s",
			baseline, strings.Join(variants, ", "))
	}
	usual := results.TestWelch
	if b.Campaign.Design == results.DesignPaired {
		usual = results.TestPaired
	}
	for i := range cells {
		c := &cells[i]
		base := at[c.Level()]
		if c.Role == results.RoleBaseline || base == nil {
			continue
		}
		c.Baseline = base.ID
		for _, q := range questions {
			b.Scenario().Questions = append(b.Scenario().Questions, results.Question{
				ID: q.Metric + "-" + c.ID, Text: q.Text(c, base), Metric: q.Metric, A: c.ID, B: base.ID,
				Test: cmp.Or(q.Test, usual), Family: strings.TrimSpace(c.Scenario + "/" + q.Metric + " " + c.Level()),
			})
		}
	}
	return nil
}

// Make makes the campaign's folder, whole or not at all. fill adds the invocations, and
// may still change the campaign, which is saved and sealed when fill is done.
func (b *Builder) Make(fill func() error) (*results.Store, error) {
	err := Folder("importing", b.dir, func(tmp string) error {
		store, err := results.Create(tmp, b.Campaign, nil)
		if err != nil {
			return err
		}
		if err := os.Remove(filepath.Join(tmp, "benchmarks.toml")); err != nil {
			return fmt.Errorf("importing: %w", err) // imported campaigns have none
		}
		b.store = store
		if err := fill(); err != nil {
			return err
		}
		return errors.Join(store.SaveCampaign(), store.Seal())
	})
	if err != nil {
		return nil, err
	}
	return results.Open(b.dir)
}

// Slot returns the index of a cell, which is the slot of its invocations if each cell has at most one
// invocation per block.
func (b *Builder) Slot(id string) int {
	return slices.IndexFunc(b.Campaign.Cells, func(c results.Cell) bool { return c.ID == id })
}

// Add adds an invocation that succeeded, with its samples, unless ctx is done.
func (b *Builder) Add(ctx context.Context, id results.Identity, inv *results.Invocation, samples ...Samples) error {
	inv.Status = results.StatusOK
	return b.add(ctx, id, inv, samples...)
}

// AddFailed adds an invocation without a result, whose Failure says why, unless ctx is done.
func (b *Builder) AddFailed(ctx context.Context, id results.Identity, inv *results.Invocation) error {
	inv.Status = results.StatusFailed
	return b.add(ctx, id, inv)
}

func (b *Builder) add(ctx context.Context, id results.Identity, inv *results.Invocation, samples ...Samples) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	inv.Profile = results.ProfileTiming
	return Seal(b.store, id, inv, samples...)
}

// Samples are the samples of one series of an invocation: Values[c][r] is the value of
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
		f, err := os.Create(filepath.Join(draft.Dir(), s.Series.Dump))
		if err != nil {
			return errors.Join(fmt.Errorf("writing samples: %w", err), draft.Discard())
		}
		if err := errors.Join(results.WriteDump(f, s.Series, s.Values...), f.Close()); err != nil {
			return errors.Join(err, draft.Discard())
		}
		inv.Series = append(inv.Series, s.Series)
	}
	return draft.Seal(inv)
}
