// Package plan turns a benchmarks.toml into the exact ordered invocations of a
// campaign: randomised complete blocks, each of which starts every cell once
// and the baseline of each factor level twice (A/A).
//
// It is pure: no I/O, no clock, no randomness but the seed. The same file,
// frameworks and seed give the same plan anywhere.
package plan

import (
	"fmt"
	"slices"

	"moobench/harness/config"
	"moobench/harness/framework"
	"moobench/results"
)

// Scenario is what the plan has to know of a scenario.
type Scenario interface {
	Name() string
	Parameters() []results.Parameter
	Metrics() []results.Metric
	// Questions are those about the cells of one [[scenario]], proof cells
	// left out. They are registered before anything is measured.
	Questions(cells []results.Cell) []results.Question
}

// Scaler is a Scenario that asks how its metrics grow with a factor. Cells are
// those of one [[scenario]], proof cells left out.
type Scaler interface {
	Scalings(cells []results.Cell) []results.Scaling
}

// Checker is a Scenario some of whose values don't go together.
type Checker interface {
	// Check names the key that is wrong in a cell, why, and what to do; why is
	// "" when nothing is.
	Check(c results.Cell) (key, why, hint string)
}

// Windowed is a Scenario whose means are not taken over the steady state,
// unless benchmarks.toml says so.
type Windowed interface {
	Window() results.Window
}

// Plan is a campaign that has not begun.
type Plan struct {
	Campaign results.Campaign // all but Created, Origin and Versions
	Cells    []Cell           // those of Campaign.Cells

	sections []section
	asked    []asked       // questions of benchmarks.toml
	gate     *results.Gate // of benchmarks.toml, its variants by their full names; nil: it has none
	machine  config.Machine
	jvm      config.JVM
	programs []string // what is said of the user's own programs
	only     string   // the pattern of Only, "" when everything is measured
}

// section is one [[scenario]].
type section struct {
	config.Scenario
	scenario Scenario
}

// New plans what a file asks for. With more than one JDK, which are those of its
// [jvm] homes, the JDK is a factor. What is wrong in the file is returned as
// strict.Errors.
func New(f *config.File, set *framework.Set, scenarios []Scenario, jdks []JDK, seed uint64) (*Plan, error) {
	p := &Plan{machine: f.Machine, jvm: f.JVM, programs: programLines(f), Campaign: results.Campaign{
		Format: results.Format, Name: f.Name, About: f.About, Source: "moobench", Design: results.DesignBlocks, Seed: seed,
		Control: controlOf(f.Machine),
	}}
	b := &builder{file: f, set: set, jdks: jdks, plan: p}
	b.checkJDKs()
	for i, s := range f.Scenarios {
		n := slices.IndexFunc(scenarios, func(sc Scenario) bool { return sc.Name() == s.Use })
		if n < 0 {
			b.fail([]any{"scenario", i, "use"}, "", "unknown scenario %q", s.Use)
			continue
		}
		p.sections = append(p.sections, section{s, scenarios[n]})
		b.section(i, p.sections[len(p.sections)-1])
	}
	b.checkPrograms()
	b.questions()
	b.published()
	b.gate()
	if len(b.errs) > 0 {
		b.errs.Sort()
		return nil, b.errs
	}
	p.arrange()
	return p, nil
}

// arrange derives the campaign from the sections and the cells.
func (p *Plan) arrange() {
	c := &p.Campaign
	c.Cells, c.Scenarios = nil, nil
	for _, cell := range p.Cells {
		c.Cells = append(c.Cells, cell.Cell)
	}
	for _, s := range p.sections {
		c.Scenarios = append(c.Scenarios, results.Scenario{
			Label: s.Label, Use: s.Use, Metrics: s.scenario.Metrics(), Questions: p.questionsOf(s),
			Window: s.Window, Pool: s.Pool, Sizing: s.sizing(), Scalings: p.scalingsOf(s),
		})
	}
	c.Gate = p.judging()
	c.Blocks = p.blocks()
	c.Plan = p.lines()
	c.PlanHash = hash(c.Plan)
}

// scalingsOf are those of a section's scenario; nil when it asks for none.
func (p *Plan) scalingsOf(s section) []results.Scaling {
	if scaler, ok := s.scenario.(Scaler); ok {
		return scaler.Scalings(p.measured(s.Label))
	}
	return nil
}

// measured are the cells of a scenario that are measured.
func (p *Plan) measured(label string) []results.Cell {
	var cells []results.Cell
	for _, c := range p.Campaign.Cells {
		if c.Scenario == label && c.Role != results.RoleProof {
			cells = append(cells, c)
		}
	}
	return cells
}

// Block is what block n starts, in its order, the first time.
func (p *Plan) Block(n int) []Invocation {
	var all []Invocation
	for _, b := range p.Campaign.Blocks {
		if b.Number != n {
			continue
		}
		for slot := range b.Order {
			if inv, err := p.Invocation(b, slot, 0); err == nil {
				all = append(all, inv)
			}
		}
	}
	return all
}

// Invocation is what stands in a slot of a block, when the block is started
// for the repeat-th time.
func (p *Plan) Invocation(b results.Block, slot, repeat int) (Invocation, error) {
	id := results.Identity{Block: b.Number, Slot: slot, Repeat: repeat}
	if slot < 0 || slot >= len(b.Order) {
		return Invocation{}, fmt.Errorf("planning %s: block %d has %d slots", id, b.Number, len(b.Order))
	}
	cell, err := p.cell(b.Order[slot])
	if err != nil {
		return Invocation{}, fmt.Errorf("planning %s: %w", id, err)
	}
	return Invocation{Identity: id, Cell: cell, Profile: b.Profile, EnvPad: EnvPad(p.Campaign.Seed, id)}, nil
}

func (p *Plan) cell(id string) (Cell, error) {
	for _, c := range p.Cells {
		if c.ID == id {
			return c, nil
		}
	}
	return Cell{}, fmt.Errorf("the plan has no cell %q", id)
}
