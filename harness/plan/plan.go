// Package plan turns a benchmarks.toml into the exact ordered invocations of a campaign:
// randomised complete blocks, each of which starts every cell once and the baseline of each
// factor level twice (A/A).
//
// It is pure: no I/O, no clock, no randomness except from the seed. The same file, frameworks
// and seed give the same plan anywhere.
package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"moobench/harness/config"
	"moobench/harness/framework"
	"moobench/results"
)

// Plan is a campaign, and everything needed to run its cells.
type Plan struct {
	// Campaign is the planned campaign, without Created, Origin and Versions. Once a store has
	// been made from it, the store owns it. After Resume it is the campaign of the store.
	Campaign *results.Campaign
	Cells    []Cell // parallel to Campaign.Cells

	file      *config.File
	sections  []section
	questions []config.Question // the file's questions, one per pair of cells
	gate      *results.Gate     // the file's gate, with full variant names; nil: none
	only      string            // pattern of Only; "": everything is measured
}

// section is one [[scenario]].
type section struct {
	config.Scenario
	scenario Scenario
	schema   Schema
	path     []any // path in the file
}

// New plans the campaign of a file. jdks are the JDKs of [jvm] homes; if there are several, jdk
// is a factor. Mistakes in the file are returned as strict.Errors.
func New[S Scenario](f *config.File, set *framework.Set, scenarios []S, jdks []JDK, seed uint64) (*Plan, error) {
	// Record only the knobs that the file sets: the caller, which knows the knobs, adds those
	// of the profile.
	m := f.Machine
	fixed := m.Profile == results.ProfileFixedHardware
	control := &results.Control{
		Profile: m.Profile,
		Pool:    m.Pool,
		Wishes:  m.Knobs,
		Repeat:  fixed,
	}
	switch {
	case m.WaitUntilQuiet != nil:
		control.QuietNS = int64(*m.WaitUntilQuiet)
	case fixed:
		control.QuietNS = int64(quietWait)
	case m.Host == "" && m.Pool == "" && m.PinPolicy == "" && len(m.Knobs) == 0: // no requirements
		control = nil
	}
	p := &Plan{file: f, Campaign: &results.Campaign{
		Format:  results.Format,
		Source:  "moobench",
		Design:  results.DesignBlocks,
		Name:    f.Name,
		About:   f.About,
		Seed:    seed,
		Control: control,
	}}
	b := &builder{file: f, set: set, jdks: jdks, plan: p, Document: f.Fresh()}
	for i, j := range jdks { // two equal JDKs would be one level
		if first := slices.IndexFunc(jdks, func(o JDK) bool { return o.Version == j.Version }); first < i {
			b.Fail([]any{"jvm", "homes", i}, "leave one of them out",
				"%s holds the same JDK as %s: %s", j.Home, jdks[first].Home, j.Version)
		}
	}
	for i, s := range f.Scenarios {
		path := []any{"scenario", i}
		n := slices.IndexFunc(scenarios, func(sc S) bool { return sc.Schema().Name == s.Use })
		if n < 0 {
			b.Fail(under(path, "use"), "", "unknown scenario %q", s.Use)
			continue
		}
		p.sections = append(p.sections, section{s, scenarios[n], scenarios[n].Schema(), path})
		b.section(p.sections[len(p.sections)-1])
	}
	b.checkPrograms()
	b.questions()
	b.published()
	b.gate()
	if err := b.Err(); err != nil {
		return nil, err
	}
	p.arrange()
	return p, nil
}

// quietWait is the longest wait for a quiet machine under profile "fixed-hardware", unless the
// file sets wait_until_quiet.
const quietWait = 2 * time.Minute

// arrange derives the campaign from the sections and the cells.
func (p *Plan) arrange() {
	c := p.Campaign
	for i := range p.Cells { // the plan is stored and shown; cells start with their Recipe, which keeps the secrets
		p.Cells[i].Launch = p.Cells[i].Launch.WithoutSecrets()
	}
	c.Cells = results.Each(p.Cells, func(cell Cell) results.Cell { return cell.Cell })
	c.Scenarios = nil
	ofSection := map[string][]results.Cell{}
	for _, cell := range c.Cells {
		if cell.Role != results.RoleProof {
			ofSection[cell.Scenario] = append(ofSection[cell.Scenario], cell)
		}
	}
	for _, s := range p.sections {
		cells := ofSection[s.Label]
		one := results.Scenario{
			Label:     s.Label,
			Use:       s.Use,
			Metrics:   s.schema.Metrics,
			Questions: p.questionsOf(s, cells),
			Window:    s.Window,
			Pool:      s.Pool,
			Scalings:  s.scenario.Scalings(cells),
		}
		if s.Auto.Name != "" {
			one.Settling = &results.Settling{Parameter: s.Auto.Name, Series: s.Auto.Auto, WithinNS: int64(s.Within)}
		}
		if sizing := s.Sizing; sizing.Precision > 0 || sizing.MaxTimeNS > 0 { // otherwise the number of blocks is fixed
			one.Sizing = &sizing
		}
		c.Scenarios = append(c.Scenarios, one)
	}
	c.Gate = nil
	if p.gate != nil { // only if the gate judges a measured cell
		g := *p.gate
		cells := ofSection[p.gate.Scenario]
		g.Variants = slices.DeleteFunc(slices.Clone(g.Variants), func(v string) bool {
			return !slices.ContainsFunc(cells, func(c results.Cell) bool { return c.Variant == v })
		})
		if slices.ContainsFunc(cells, func(c results.Cell) bool { return p.gate.Judges(&c) }) {
			c.Gate = &g
		}
	}
	c.Blocks = p.blocks()
	c.Plan = p.lines()
	sum := sha256.Sum256([]byte(strings.Join(c.Plan, "\n")))
	c.PlanHash = hex.EncodeToString(sum[:])
}

// measured returns the cells of a scenario without its proof cells.
func measured(c *results.Campaign, label string) []results.Cell {
	return slices.DeleteFunc(slices.Clone(c.Cells), func(cell results.Cell) bool {
		return cell.Scenario != label || cell.Role == results.RoleProof
	})
}

// Cell returns the cell with this ID, or nil.
func (p *Plan) Cell(id string) *Cell {
	if i := p.Campaign.CellIndex(id); i >= 0 {
		return &p.Cells[i] // p.Cells is parallel to Campaign.Cells
	}
	return nil
}

// Invocation returns the invocation in a slot of a block, which is started for the repeat-th time.
func (p *Plan) Invocation(b results.Block, slot, repeat int) (Invocation, error) {
	id := results.Identity{Block: b.Number, Slot: slot, Repeat: repeat}
	if slot < 0 || slot >= len(b.Order) {
		return Invocation{}, fmt.Errorf("planning %s: block %d has %d slots", id, b.Number, len(b.Order))
	}
	cell := p.Cell(b.Order[slot])
	if cell == nil {
		return Invocation{}, fmt.Errorf("planning %s: the plan has no cell %q", id, b.Order[slot])
	}
	if b.Calls > 0 {
		counted := p.counting(*cell, b.Calls)
		cell = &counted
	}
	return Invocation{Identity: id, Cell: *cell, Profile: b.Profile, EnvPad: envPad(p.Campaign.Seed, id)}, nil
}

// Resume makes the plan continue a campaign, with its extra blocks and the cells given up. It
// first restricts the plan as the campaign was restricted. If the plan still differs, the error
// is a *planChanged.
func (p *Plan) Resume(c *results.Campaign) error {
	if pattern := c.Only(); pattern != "" && pattern != p.only {
		if err := p.Only(pattern); err != nil {
			return err
		}
	}
	if err := p.Same(c); err != nil {
		return err
	}
	p.Campaign = c
	p.Settle()
	return nil
}

// planChanged reports that a campaign was started with another plan.
type planChanged struct{ Line string } // as returned by compare

func (e *planChanged) Error() string { return "the plan has changed: " + e.Line }

// compare reports whether two canonical plans differ, and describes the first difference.
func compare(old, now []string) (line string, changed bool) {
	for i := range max(len(old), len(now)) {
		switch {
		case i >= len(old):
			return fmt.Sprintf("it says now: %s; the campaign was started without that", now[i]), true
		case i >= len(now):
			return fmt.Sprintf("it lacks now: %s; the campaign was started with that", old[i]), true
		case old[i] != now[i]:
			return fmt.Sprintf("it says now: %s; the campaign was started with: %s", now[i], old[i]), true
		}
	}
	return "", false
}
