package plan

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"moobench/results"
)

// Freeze replaces pilots by decisions that earlier pilots have made, per scenario. The plan
// then lists everything to be measured before the first JVM starts, and its lines contain the
// numbers. A max_time is dropped, since a shard cannot know how long the others take. The error
// lists all scenarios that remain undecided.
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

// Same returns an error that describes the first difference if a campaign was planned differently.
func (p *Plan) Same(c *results.Campaign) error {
	if line, changed := compare(c.Plan, p.Campaign.Plan); changed {
		return &planChanged{line}
	}
	return nil
}

// Turns is the distribution of a plan over the lanes of a machine.
type Turns struct {
	Blocks int // planned blocks
	Alone  int // timing blocks per lane that are measured while the other lanes are idle
	Turns  int // number of turns, each of one lane alone or of all lanes
}

// Turns distributes a plan over this many lanes, such that one lane measures alone in about
// half of all turns. The error states how many blocks the lanes need.
func (p *Plan) Turns(lanes int) (Turns, error) {
	timing, resources := p.Planned()
	blocks := timing + resources
	timing = cmp.Or(timing, resources)
	if lanes < 2 || timing < 2*lanes {
		return Turns{}, fmt.Errorf("%d lanes take %d blocks or more (at least two lanes, "+
			"each with one block alone and one beside the others): the plan has %d",
			lanes, 2*max(2, lanes), timing)
	}
	t := Turns{Blocks: blocks, Alone: max(1, timing/(lanes*(lanes+1)))}
	together := blocks - lanes*t.Alone
	t.Turns = lanes*t.Alone + (together+lanes-1)/lanes
	return t, nil
}

// Lane restricts the campaign to the blocks of one lane, which is a shard. It marks the timing
// blocks to measure while the other lanes are idle, spread evenly over all of them.
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

// Planned returns the numbers of planned timing blocks and planned resource blocks. Shards
// divide the timing blocks among them, or the resource blocks if there are no timing blocks.
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

// Shard restricts the campaign to the blocks of one of several hosts: every Count-th planned block,
// with its number and order in the whole plan. Proofs and searches for a sustainable load are
// repeated by each shard under numbers of its own, because results from another host do not apply.
func (p *Plan) Shard(s results.Shard) error {
	c := p.Campaign
	planned := slices.DeleteFunc(slices.Clone(c.Blocks), func(b results.Block) bool {
		return b.Kind != results.BlockPlanned
	})
	if most := cmp.Or(p.Planned()); s.Count > most {
		return fmt.Errorf("%s: the plan has %d blocks, and a shard has at least one: make at most %d shards",
			s, most, most)
	}
	s.Planned = len(planned)
	s.First = nextNumber(c)
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
	c.Shard = &s
	c.Blocks = blocks
	return nil
}
