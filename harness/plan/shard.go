package plan

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"moobench/results"
)

// Freeze gives each scenario whose blocks or calls a pilot decides on what such a pilot has
// decided: the plan then says all that will be measured, before the first JVM, and its lines name
// the numbers. A max_time is dropped, for a shard can't know how long the others take. The error
// names all scenarios that stay open.
func (p *Plan) Freeze(decided []results.FrozenScenario) error {
	var errs []error
	for i := range p.sections {
		s := &p.sections[i]
		found := results.Find(decided, func(f *results.FrozenScenario) bool { return f.Scenario == s.Label })
		if found == nil {
			found = new(results.FrozenScenario)
		}
		if s.Auto.Name != "" && found.Calls == nil {
			errs = append(errs, fmt.Errorf("%s: a pilot decides how many calls it makes", s.Label))
		}
		if s.Sizing.Precision > 0 && found.Blocks == 0 {
			errs = append(errs, fmt.Errorf("%s: a pilot decides how many blocks it gets", s.Label))
		}
		s.Blocks = cmp.Or(found.Blocks, s.Blocks)
		s.Sizing = results.Sizing{}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	p.Campaign.Frozen = &results.Frozen{Scenarios: decided}
	p.arrange()
	for _, f := range decided {
		if f.Calls != nil {
			p.Campaign.Scenario(f.Scenario).Settling.Decision = f.Calls
		}
	}
	p.Settle()
	return nil
}

// Same returns an error where a campaign was planned otherwise; it says how.
func (p *Plan) Same(c *results.Campaign) error {
	if line, changed := compare(c.Plan, p.Campaign.Plan); changed {
		return &planChanged{line}
	}
	return nil
}

// Turns shares a plan out to the lanes of a machine.
type Turns struct {
	Blocks int // planned
	Alone  int // timing blocks of each lane, measured while the others are idle
	Turns  int // of one lane alone, or of all of them
}

// Turns shares a plan out to so many lanes: there are about as many turns of one lane alone as of all of them together.
// The error says how many blocks lanes take.
func (p *Plan) Turns(lanes int) (Turns, error) {
	timing, resources := p.Planned()
	blocks := timing + resources
	timing = cmp.Or(timing, resources)
	if lanes < 2 || timing < 2*lanes {
		return Turns{}, fmt.Errorf("%d lanes take %d blocks or more, two lanes being the fewest, "+
			"and of each lane one block alone and one beside the others: the plan has %d", lanes, 2*max(2, lanes), timing)
	}
	t := Turns{Blocks: blocks, Alone: max(1, timing/(lanes*(lanes+1)))}
	together := blocks - lanes*t.Alone
	t.Turns = lanes*t.Alone + (together+lanes-1)/lanes
	return t, nil
}

// Lane restricts the campaign to what one of several lanes measures, which is a shard, and says which of its timing
// blocks are measured while the others are idle: they are spread over all.
func (p *Plan) Lane(s results.Shard) error {
	t, err := p.Turns(s.Count)
	if err == nil {
		err = p.Shard(s)
	}
	if err != nil {
		return err
	}
	blocks := p.Campaign.Blocks
	var timing []int
	for i := range blocks {
		blocks[i].Turn = new(results.Turn)
		if b := blocks[i]; b.Kind == results.BlockPlanned && b.Profile == results.ProfileTiming {
			timing = append(timing, i)
		}
	}
	for k := range min(t.Alone, len(timing)) {
		blocks[timing[(2*k+1)*len(timing)/(2*t.Alone)]].Turn.Alone = true
	}
	return nil
}

// Planned counts the planned blocks: those that take times, and those for resources. Shards share the first, or the
// second of a plan without any.
func (p *Plan) Planned() (timing, resources int) {
	for _, b := range p.Campaign.Blocks {
		switch {
		case b.Kind != results.BlockPlanned:
		case b.Profile == results.ProfileTiming:
			timing++
		default:
			resources++
		}
	}
	return timing, resources
}

// Shard restricts the campaign to the blocks that one of several hosts measures: every Count-th
// planned one, with its number and its order in the whole plan; and for itself the proofs, and the
// searches for the load that its host takes, because what another host showed says nothing here.
func (p *Plan) Shard(s results.Shard) error {
	c := p.Campaign
	planned := slices.DeleteFunc(slices.Clone(c.Blocks), func(b results.Block) bool { return b.Kind != results.BlockPlanned })
	if most := cmp.Or(p.Planned()); s.Count > most {
		return fmt.Errorf("%s: the plan has %d blocks, and a shard is at least one of them: %d shards are the most", s, most, most)
	}
	s.Planned, s.First = len(planned), nextNumber(c)
	var blocks []results.Block
	for _, b := range c.Blocks {
		switch i := slices.IndexFunc(planned, func(o results.Block) bool { return o.Number == b.Number }); {
		case i < 0:
			b.Number = s.Own(len(blocks))
			b.Order = slices.Clone(b.Order)
			blocks = append(blocks, b)
		case s.Measures(i):
			blocks = append(blocks, b)
		}
	}
	c.Shard, c.Blocks = &s, blocks
	return nil
}
