package analysis

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"time"

	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/proof"
	"moobench/analysis/reading"
	"moobench/analysis/stats"
	"moobench/results"
)

// Reach predicts how wide the interval of a variant's cost becomes with a number of blocks, from the spread in
// earlier campaigns. It is as rough as that spread: ten blocks determine it to within a factor of two.
type Reach struct {
	// OneBlock is the largest share of the squared deviations in a single block, of the campaign with the
	// largest such share. If it is most of them, another campaign may have many more such blocks, or none.
	OneBlock float64
	ran      []spread // as it ran, one per campaign
	standard []spread // at standard speed, one per campaign that has it
}

// Design is a campaign yet to be measured.
type Design struct {
	Blocks int
	// Family is the number of variants of a level; their intervals are simultaneous.
	Family int
	// Pilot is the number of blocks that decides on Blocks; 0 without a pilot.
	Pilot int
}

// HalfWidths are half-widths of a cost's interval, as shares of the cell's own mean.
type HalfWidths struct {
	Ran      float64 `json:"half_width_share"`                       // as it ran
	Standard float64 `json:"half_width_share_at_standard,omitempty"` // at standard speed; 0 without a standard
}

// spread has the data behind the width of an interval.
type spread struct {
	blocks int     // in which it was observed
	mean   float64 // of the cell
	sd     float64 // of the pairs' differences
	alike  float64 // factor on the variance for alike neighbours
	ways   []way   // of each program, to the speed of the carried values
}

// way describes how far a program's values were carried to another speed.
type way struct {
	law    *evidence.Law
	mean   float64 // of the carried values
	off    float64 // the campaign's own speed against that speed, as a difference of logarithms
	beside float64 // the program's speed against the campaign's, likewise
}

const (
	leastSeen  = infer.FewInvocations // least number of pairs for a spread
	mostBlocks = 10_000               // the most that a benchmarks.toml may ask for
)

// Reaches predicts campaigns like this one from its blocks, by the IDs of its variants' cells. A cell is absent
// if it is invalid, has no cost, or too few blocks.
func Reaches(src Source) (map[string]*Reach, error) {
	machines, err := src.Machines()
	if err != nil {
		return nil, fmt.Errorf("reading how much blocks differ: %w", err)
	}
	c, all, found := src.Campaign(), evidence.Gather(src), map[string]*Reach{}
	setStandards(c, machines, all.References)
	byCell := evidence.ByCell(all.Invocations)
	for i := range c.Scenarios {
		r := &reader{Reading: reading.New(c, &c.Scenarios[i], byCell, nil, all.References)}
		proof.Judge(r.View)
		for _, cell := range r.Cells {
			if reach := r.reach(cell); reach != nil {
				found[cell.ID] = reach
			}
		}
	}
	return found, nil
}

// reach returns the Reach of a cell, or nil.
func (r *reader) reach(c *results.Cell) *Reach {
	cost := c.Role == results.RoleVariant && r.Primary.Of == "" && !r.Unordered()
	if !cost || r.InvalidReason(c.ID, c.Baseline) != "" || r.NoMean(c.ID, c.Baseline, r.Primary) != "" {
		return nil
	}
	vs, others := r.Values(c.ID, r.Primary), r.Values(c.Baseline, r.Primary)
	pairs := evidence.PairsOf(vs, others)
	if len(pairs.Blocks) < leastSeen {
		return nil
	}
	ran, ok := spreadOf(vs, others, func(vs evidence.Values) evidence.Values { return vs })
	if !ok {
		return nil
	}
	reach := &Reach{OneBlock: oneBlock(pairs.Differences()), ran: []spread{ran}}
	speed := math.Log(r.standard(c))
	if _, here := vs.Speed(); !others.Carried() || !(math.Abs(math.Log(here)-speed) <= mostCarried) {
		return reach
	}
	there, ok := spreadOf(vs, others, func(vs evidence.Values) evidence.Values { return vs.At(speed) })
	if ok {
		reach.standard = []spread{there}
	}
	return reach
}

// oneBlock is the largest share of a single value in the squared deviations from the mean.
func oneBlock(xs []float64) float64 {
	mean, _ := stats.Mean(xs) // not empty
	sum, largest := 0.0, 0.0
	for _, x := range xs {
		sum += (x - mean) * (x - mean)
		largest = max(largest, (x-mean)*(x-mean))
	}
	return largest / sum
}

// spreadOf is the spread of two cells' differences within blocks, at the speed that at carries them to.
func spreadOf(vs, others evidence.Values, at func(evidence.Values) evidence.Values) (s spread, ok bool) {
	pairs := evidence.PairsOf(at(vs), at(others))
	d := infer.Solver(nil).Compare(infer.Question{Alpha: reading.Alpha}, reading.Paired(pairs)).D
	mean, err := stats.Mean(at(vs).Numbers())
	if err != nil || !(mean > 0) || !d.Spread() || d.Still() {
		return spread{}, false
	}
	s = spread{blocks: d.N, mean: mean, sd: d.SD, alike: d.Alike}
	if d.N < stats.NeighbourBlocks {
		s.alike = reading.UsuallyAlike * reading.UsuallyAlike
	}
	for _, its := range []evidence.Values{vs, others} {
		if its.Carried() {
			s.ways = append(s.ways, wayOf(its, at(its)))
		}
	}
	return s, true
}

// wayOf compares values as they ran with the same values carried to another speed.
func wayOf(ran, there evidence.Values) way {
	beside, campaign := ran.Speed()
	_, speed := there.Speed()
	mean, _ := stats.Mean(there.Numbers()) // not empty
	return way{
		law:    ran[0].Carried.Law,
		mean:   mean,
		off:    math.Log(campaign / speed),
		beside: math.Log(beside / campaign),
	}
}

// Plus combines what two campaigns of the same cells have observed.
func (r *Reach) Plus(o *Reach) *Reach {
	return &Reach{max(r.OneBlock, o.OneBlock), slices.Concat(r.ran, o.ran), slices.Concat(r.standard, o.standard)}
}

// HalfWidths predicts the half-widths of a campaign of this design, from two blocks on; 0 for fewer. It is the
// mean over the campaigns observed.
func (r *Reach) HalfWidths(d Design) HalfWidths {
	return HalfWidths{meanHalf(r.ran, d), meanHalf(r.standard, d)}
}

// Range returns the smallest and the largest half-width, as it ran, that single campaigns predict.
func (r *Reach) Range(d Design) (low, high float64) {
	all := results.Each(r.ran, func(s spread) float64 { return s.half(d) })
	return slices.Min(all), slices.Max(all)
}

// meanHalf is the mean half-width over the campaigns' spreads; 0 without any.
func meanHalf(all []spread, d Design) float64 {
	mean, _ := stats.Mean(results.Each(all, func(s spread) float64 { return s.half(d) }))
	return mean
}

// half is t(ν) √(F s²/n + Σ ȳ² (off² + beside² N/n) Var(ε)) / ȳ, with the sum over the programs. N blocks were
// observed: with n blocks, a program's mean speed differs that much less from the campaign's, and its
// elasticity is known that much better.
func (s spread) half(d Design) float64 {
	if d.Blocks < 2 {
		return 0
	}
	n := float64(d.Blocks)
	more := n / float64(s.blocks)
	variance, lost := s.sd*s.sd/n, 0.0
	if d.Blocks >= stats.NeighbourBlocks {
		variance *= s.alike
	}
	for _, w := range s.ways {
		e := w.elasticity(more)
		variance += w.mean * w.mean * (w.off*w.off + w.beside*w.beside/more) * e.Variance
		lost = max(lost, e.Lost)
	}
	decided := d.Blocks
	if d.Pilot > 0 {
		decided = min(decided, d.Pilot)
	}
	i := stats.IntervalT(0, math.Sqrt(variance), max(1, float64(decided-1)-lost), stats.TwoSided,
		infer.Level(reading.Alpha, d.Family))
	return i.Half() / s.mean
}

// elasticity predicts the knowledge of the program's elasticity after times as many blocks. The best guess of a
// later fit is the present mean.
func (w way) elasticity(times float64) stats.Elasticity {
	seen := w.law.Response
	return seen.Of(int(math.Round(times*float64(seen.N))), w.law.Value).Elasticity(w.law.Prior)
}

// Needs returns how many blocks of a design bring the half-width down to share, as it ran and at standard
// speed, but no fewer than the pilot's; 0 if no allowed number does, or there is no standard.
func (r *Reach) Needs(share float64, d Design) (ran, standard int) {
	return needs(r.ran, share, d), needs(r.standard, share, d)
}

func needs(all []spread, share float64, d Design) int {
	enough := func(blocks int) bool {
		d.Blocks = blocks
		return blocks >= d.Pilot && meanHalf(all, d) <= share
	}
	if len(all) == 0 {
		return 0
	}
	for n := 2; n < stats.NeighbourBlocks; n++ { // below that, alike neighbours play no part
		if enough(n) {
			return n
		}
	}
	n := stats.NeighbourBlocks + sort.Search(mostBlocks-stats.NeighbourBlocks+1, func(i int) bool {
		return enough(stats.NeighbourBlocks + i)
	})
	if n > mostBlocks {
		return 0
	}
	return n
}

// Length is the mean time from the start of an invocation to the start of the next one, which includes
// moobench's work in between; for the last one of a session, to its end. It covers those that succeeded and
// count; 0 without any.
func Length(all []*results.Invocation, counts func(*results.Invocation) bool) time.Duration {
	all = slices.SortedFunc(slices.Values(all), func(a, b *results.Invocation) int { return a.Start.Compare(b.Start) })
	var sum time.Duration
	n := 0
	for i, inv := range all {
		if inv.Status != results.StatusOK || !counts(inv) {
			continue
		}
		end := inv.End
		if i+1 < len(all) && all[i+1].Session == inv.Session {
			end = all[i+1].Start
		}
		sum += end.Sub(inv.Start)
		n++
	}
	return sum / time.Duration(max(1, n))
}
