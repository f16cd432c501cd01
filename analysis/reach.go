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
	"moobench/analysis/stats"
	"moobench/results"
)

// Reach says how wide an interval of a variant's cost becomes with so many blocks, by the
// spread that campaigns have seen. It is as rough as that spread: one of ten blocks is known
// to within a factor of two.
type Reach struct {
	// OneBlock is the largest share of the squared deviations that a single block has, of the
	// campaign where that is largest. Where it is most of them, another campaign may have many
	// more such blocks, or none.
	OneBlock float64
	ran      []spread // as it ran, of each campaign
	standard []spread // at standard speed, of each that has one
}

// Design is a campaign that was not measured yet.
type Design struct {
	Blocks int
	// Family is how many variants a level has, whose intervals hold together.
	Family int
	// Pilot is the number of blocks that decides on Blocks; 0 where nothing does.
	Pilot int
}

// HalfWidths are half of the interval of a cost, as shares of the cell's own mean.
type HalfWidths struct {
	Ran      float64 `json:"half_width_share"`                       // as it ran
	Standard float64 `json:"half_width_share_at_standard,omitempty"` // at standard speed; 0 where there is none
}

// spread is what the width of an interval comes from.
type spread struct {
	blocks int     // that it was seen in
	mean   float64 // of the cell
	sd     float64 // of what the pairs differ by
	alike  float64 // by how many times their variance counts because neighbours are alike
	ways   []way   // to the speed that the values were carried to, of each program
}

// way is that of a program's values to the speed that they were carried to.
type way struct {
	law    *evidence.Law
	mean   float64 // of the values, carried
	off    float64 // from the campaign's own speed, as a difference of logarithms
	beside float64 // the program's speed from the campaign's, likewise
}

const (
	leastSeen  = infer.FewInvocations // pairs that a spread is taken from
	mostBlocks = 10_000               // that a benchmarks.toml may ask for
)

// Reaches are what the blocks of a campaign say of campaigns like it, by the IDs of its
// variants' cells. A cell of which they say nothing is absent: it does not count, has no cost,
// or too few blocks.
func Reaches(src Source) (map[string]*Reach, error) {
	machines, err := src.Machines()
	if err != nil {
		return nil, fmt.Errorf("reading how much blocks differ: %w", err)
	}
	c, all, found := src.Campaign(), evidence.Gather(src), map[string]*Reach{}
	setStandards(c, machines, all.References)
	byCell := evidence.ByCell(all.Invocations)
	for i := range c.Scenarios {
		r := &reading{evidence.NewView(c, &c.Scenarios[i], byCell), nil, ofScenario(all.References, c.Scenarios[i].Label)}
		proof.Judge(r.View)
		for _, cell := range r.Cells {
			if reach := r.reach(cell); reach != nil {
				found[cell.ID] = reach
			}
		}
	}
	return found, nil
}

// reach is that of a cell; nil where there is none.
func (r *reading) reach(c *results.Cell) *Reach {
	cost := c.Role == results.RoleVariant && r.Primary.Of == "" && !r.Unordered()
	if !cost || r.invalidReason(c.ID, c.Baseline) != "" || r.noMean(c.ID, c.Baseline, r.Primary) != "" {
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

// oneBlock is the largest share of the squared deviations from the mean that a value has.
func oneBlock(xs []float64) float64 {
	mean, _ := stats.Mean(xs) // of one or more
	sum, largest := 0.0, 0.0
	for _, x := range xs {
		sum += (x - mean) * (x - mean)
		largest = max(largest, (x-mean)*(x-mean))
	}
	return largest / sum
}

// spreadOf is that of what two cells' values differ by in their blocks, at another speed.
func spreadOf(vs, others evidence.Values, at func(evidence.Values) evidence.Values) (s spread, ok bool) {
	pairs := evidence.PairsOf(at(vs), at(others))
	d := infer.Solver(nil).Compare(infer.Question{Alpha: alpha}, Paired(pairs)).D
	mean, err := stats.Mean(at(vs).Numbers())
	if err != nil || !(mean > 0) || !d.Spread() || d.Still() {
		return spread{}, false
	}
	s = spread{blocks: d.N, mean: mean, sd: d.SD, alike: d.Alike}
	if d.N < stats.NeighbourBlocks {
		s.alike = usuallyAlike * usuallyAlike
	}
	for _, its := range []evidence.Values{vs, others} {
		if its.Carried() {
			s.ways = append(s.ways, wayOf(its, at(its)))
		}
	}
	return s, true
}

// wayOf is that of values as they ran to where they were carried to.
func wayOf(ran, there evidence.Values) way {
	beside, campaign := ran.Speed()
	_, speed := there.Speed()
	mean, _ := stats.Mean(there.Numbers()) // of one or more
	return way{law: ran[0].Carried.Law, mean: mean, off: math.Log(campaign / speed), beside: math.Log(beside / campaign)}
}

// Plus is what two campaigns of the same cells have seen.
func (r *Reach) Plus(o *Reach) *Reach {
	return &Reach{max(r.OneBlock, o.OneBlock), slices.Concat(r.ran, o.ran), slices.Concat(r.standard, o.standard)}
}

// HalfWidths are those that a campaign of this design is expected to have, from two blocks on;
// 0 of fewer. Of several campaigns that were seen they are the mean.
func (r *Reach) HalfWidths(d Design) HalfWidths {
	return HalfWidths{meanHalf(r.ran, d), meanHalf(r.standard, d)}
}

// Range are the smallest and the largest half-width as it ran that single campaigns lead to.
func (r *Reach) Range(d Design) (low, high float64) {
	all := results.Each(r.ran, func(s spread) float64 { return s.half(d) })
	return slices.Min(all), slices.Max(all)
}

// meanHalf is the mean half-width by each campaign's spread; 0 of none.
func meanHalf(all []spread, d Design) float64 {
	mean, _ := stats.Mean(results.Each(all, func(s spread) float64 { return s.half(d) }))
	return mean
}

// half is t(ν) √(F s²/n + Σ ȳ² (off² + beside² N/n) Var(ε)) / ȳ, the sum over the programs. N
// blocks were seen: by so much less does a program's own speed differ from the campaign's on
// average in n, and by so much better is its elasticity known.
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
	i := stats.IntervalT(0, math.Sqrt(variance), max(1, float64(decided-1)-lost), stats.TwoSided, infer.Level(alpha, d.Family))
	return i.Half() / s.mean
}

// elasticity is what will be known of the program's after so many times the blocks. What a fit
// will find is, as far as is known now, the mean of what it may be.
func (w way) elasticity(times float64) stats.Elasticity {
	seen := w.law.Response
	return seen.Of(int(math.Round(times*float64(seen.N))), w.law.Value).Elasticity(w.law.Prior)
}

// Needs is how many blocks of a design make the half-width at most a share, as it ran and at
// standard speed, a pilot's blocks at least; 0 is none that may be asked for, or no standard.
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
	for n := 2; n < stats.NeighbourBlocks; n++ { // which don't ask whether neighbours are alike
		if enough(n) {
			return n
		}
	}
	n := stats.NeighbourBlocks + sort.Search(mostBlocks-stats.NeighbourBlocks+1, func(i int) bool { return enough(stats.NeighbourBlocks + i) })
	if n > mostBlocks {
		return 0
	}
	return n
}

// Length is the mean time from the start of an invocation to the start of the next one, so
// that what moobench does in between is in it; for the last one of a session, to its end. It
// is over those that succeeded and count; 0 means that there is none.
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
