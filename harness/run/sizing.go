package run

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"moobench/harness/plan"
	"moobench/results"
)

// errNobodyDecides means that Runner.More or Runner.Settle is missing.
var errNobodyDecides = errors.New("nothing decides how many blocks, or calls, it gets")

// sized reports whether a pilot decides how many blocks a scenario gets.
func sized(s *results.Scenario) bool { return s.Sizing != nil && s.Sizing.Precision > 0 }

// pilot returns the next block of a pilot for a number of calls, saved before it is started. A block without calls
// means that all such numbers are known.
func (r *Runner) pilot() (results.Block, error) {
	c := r.campaign()
	for i := range c.Scenarios {
		s := &c.Scenarios[i]
		if !s.Settling.Undecided() {
			continue
		}
		begun := func(b results.Block) bool {
			return b.Kind == results.BlockPilot && r.holds(b, s.Label) && r.state.missing(b) > 0
		}
		if i := slices.IndexFunc(c.Blocks, begun); i >= 0 { // begun by an earlier session
			return c.Blocks[i], nil
		}
		next, err := r.Settle(c, s.Label)
		if err != nil {
			return results.Block{}, fmt.Errorf("deciding how many calls %s makes: %w", s.Label, err)
		}
		if next.Decision == nil {
			b := plan.Pilot(c, next.Cell, next.Calls)
			c.Blocks = append(c.Blocks, b)
			return b, r.Store.SaveCampaign()
		}
		s.Settling.Decision = next.Decision
		r.Plan.Settle()
		if err := r.saveDecided(s); err != nil {
			return results.Block{}, err
		}
	}
	return results.Block{}, nil
}

// decide asks, once per sized scenario whose first stage is complete, how many blocks it gets. The decision is
// saved together with the resulting blocks.
func (r *Runner) decide() error {
	c := r.campaign()
	for i := range c.Scenarios {
		s := &c.Scenarios[i]
		unfinished := func(b results.Block) bool { return r.holds(b, s.Label) && r.state.missing(b) > 0 }
		if !s.Sizing.Undecided() || slices.ContainsFunc(c.Blocks, unfinished) {
			continue
		}
		var d *results.Decision
		going := func(c results.Cell) bool {
			return c.Scenario == s.Label && c.Role != results.RoleProof && !r.state.givenUp(c.ID, math.MaxInt)
		}
		if !slices.ContainsFunc(c.Cells, going) {
			done, _ := r.used(s.Label)
			last := c.GivenUp[len(c.GivenUp)-1].Reason
			d = &results.Decision{
				Blocks: done, Reason: "no blocks are added, because nothing is left to compare: " + last,
			}
		}
		if d == nil {
			var err error
			if d, err = r.More(c, s.Label); err == nil && d == nil {
				err = errors.New("no decision came back")
			}
			if err != nil {
				return fmt.Errorf("deciding how many blocks %s gets: %w", s.Label, err)
			}
		}
		more, err := plan.More(c, s.Label, d.Blocks-len(r.timing(s.Label)))
		if err != nil {
			return err
		}
		if err := r.decided(s, d, append(c.Blocks, more...)); err != nil {
			return err
		}
	}
	return nil
}

// decided saves the campaign's new blocks together with the decision behind them: a campaign has both or neither.
func (r *Runner) decided(s *results.Scenario, d *results.Decision, blocks []results.Block) error {
	r.campaign().Blocks, s.Sizing.Decision = blocks, d
	return r.saveDecided(s)
}

// saveDecided saves a decision about a scenario, and reports it.
func (r *Runner) saveDecided(s *results.Scenario) error {
	if err := r.Store.SaveCampaign(); err != nil {
		return err
	}
	_, total := r.state.count()
	r.Progress.Decided(*s, total)
	return nil
}

// holds reports whether a block contains a cell of the scenario.
func (r *Runner) holds(b results.Block, label string) bool {
	return slices.ContainsFunc(b.Order, func(id string) bool { return r.isOf(id, label) })
}

// isOf reports whether a cell belongs to the scenario.
func (r *Runner) isOf(id, label string) bool {
	c := r.campaign().Cell(id)
	return c != nil && c.Scenario == label
}

// timing returns the planned timing blocks of a scenario.
func (r *Runner) timing(label string) []results.Block {
	var all []results.Block
	for _, b := range r.campaign().Blocks {
		if b.Kind == results.BlockPlanned && b.Profile == results.ProfileTiming && r.holds(b, label) {
			all = append(all, b)
		}
	}
	return all
}

// used returns the number of planned timing blocks in which cells of a scenario have been started, and their wall
// time.
func (r *Runner) used(label string) (blocks int, wall time.Duration) {
	for _, b := range r.timing(label) {
		others := func(inv *results.Invocation) bool { return !r.isOf(inv.Cell, label) }
		started := slices.DeleteFunc(r.state.of(b), others)
		for _, inv := range started {
			wall += max(0, inv.End.Sub(inv.Start))
		}
		if len(started) > 0 {
			blocks++
		}
	}
	return blocks, wall
}

// cut, called before a block is started, removes blocks for which no time is left, in scenarios with a fixed
// number of blocks and a max_time, from the third block on. It reports whether it removed any.
func (r *Runner) cut(b results.Block) (bool, error) {
	if b.Kind != results.BlockPlanned || b.Profile != results.ProfileTiming || r.state.slots[b.Number] != nil {
		return false, nil
	}
	some := false
	c := r.campaign()
	for i := range c.Scenarios {
		s := &c.Scenarios[i]
		if sized(s) || s.Sizing == nil || s.Sizing.MaxTimeNS <= 0 || s.Sizing.Decision != nil || !r.holds(b, s.Label) {
			continue
		}
		limit := time.Duration(s.Sizing.MaxTimeNS)
		done, wall := r.used(s.Label)
		if done < 2 || wall+wall/time.Duration(done) <= limit {
			continue
		}
		d := &results.Decision{Blocks: done, Cut: results.CutTime, Reason: fmt.Sprintf(
			"cut to %d of %d blocks by max_time: they took %s, and one more would have gone beyond %s",
			done, len(r.timing(s.Label)), wall.Round(100*time.Millisecond), limit)}
		left, err := plan.Cut(c, s.Label, b.Number)
		if err != nil {
			return false, err
		}
		if err := r.decided(s, d, left); err != nil {
			return false, err
		}
		some = true
	}
	return some, nil
}
