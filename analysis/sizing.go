package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

// aside is how many times the median cell's number of blocks a cell may need
// before it no longer decides for all.
const aside = 3

// pilotTimes is how many times the pilot's wall time a scenario may take when
// it doesn't say otherwise.
const pilotTimes = 10

// Size decides how many timing blocks a sized scenario gets in all, from what is
// there: its pilot (Stein 1945). It is to be asked once, when the pilot is
// complete; blocks that are made after that are not looked at.
func Size(src Source, scenario string) (*results.Decision, error) {
	c := src.Campaign()
	sc := c.Scenario(scenario)
	if sc == nil || sc.Sizing == nil || sc.Sizing.Precision <= 0 {
		return nil, fmt.Errorf("deciding on a number of blocks: scenario %q has no precision", scenario)
	}
	all, _, problems := gather(src)
	if len(problems) > 0 {
		return nil, fmt.Errorf("deciding on a number of blocks: %s", problems[0])
	}
	_, r := (&reader{campaign: c, scenario: sc, made: byCell(all), solver: infer.Solver{}}).settleRepeats()
	d := r.size(sc.Sizing)
	return &d, nil
}

func (r *reader) size(s *results.Sizing) results.Decision {
	d := results.Decision{PilotNS: r.wall(), Cells: r.sizes(s)}
	d.Wanted = wanted(d.Cells, s)
	d.Blocks = max(d.Wanted, s.Pilot)
	if s.MaxBlocks > 0 && d.Blocks > s.MaxBlocks {
		d.Blocks, d.Cut = max(s.MaxBlocks, s.Pilot), results.CutBlocks
	}
	limit := s.MaxTimeNS
	if limit <= 0 {
		limit = pilotTimes * d.PilotNS
	}
	if perBlock := d.PilotNS / int64(max(1, s.Pilot)); perBlock > 0 && int64(d.Blocks) > limit/perBlock {
		d.Blocks, d.Cut = max(int(limit/perBlock), s.Pilot), results.CutTime
	}
	d.Because = r.because(d, s)
	return d
}

// sizes are what the pilot says of each compared cell.
func (r *reader) sizes(s *results.Sizing) []results.CellSize {
	m, modes := r.primary(), r.modes()
	var all []results.CellSize
	for _, c := range r.cells() {
		if c.Role != results.RoleVariant || r.void[c.ID] != "" || m == nil {
			continue
		}
		vs := r.values(c.ID, *m)
		pilot := r.ask(infer.Question{Alpha: alpha}, vs, r.values(c.Baseline, *m), false).D
		mean, err := stats.Mean(numbers(vs))
		if !pilot.Spread() || err != nil || mean <= 0 {
			continue
		}
		size := results.CellSize{Cell: c.ID, Pairs: pilot.N, Mean: mean, SD: pilot.SD}
		sd := pilot.SD
		if wider := math.Hypot(sd, r.hiddenSpread(modes, c)); wider > sd {
			sd, size.ModesSD = wider, wider
		}
		shared := infer.Share(alpha, r.family(c.Level()))
		// More blocks than these need a disk of another kind.
		if n, err := stats.SteinSize(sd, s.Precision*mean, pilot.N, shared); err == nil && n < math.MaxInt32 {
			size.Wanted = max(n, s.Pilot)
		}
		all = append(all, size)
	}
	return all
}

// wanted is the number of blocks that every cell needs, those set aside that
// need far more than the median one.
func wanted(cells []results.CellSize, s *results.Sizing) int {
	var needs []float64
	for _, c := range cells {
		needs = append(needs, float64(c.Wanted))
	}
	median, err := stats.Median(needs)
	most := 0
	for i := range cells {
		c := &cells[i]
		if c.SetAside = err == nil && !s.Strict && float64(c.Wanted) > aside*median; !c.SetAside {
			most = max(most, c.Wanted)
		}
	}
	return most
}

// wall is the wall time of the timing invocations of the scenario so far.
func (r *reader) wall() int64 {
	var total time.Duration
	for _, c := range r.cells() {
		for _, e := range r.made[c.ID] {
			if e.Profile == results.ProfileTiming {
				total += max(0, e.End.Sub(e.Start))
			}
		}
	}
	return int64(total)
}

// because says the decision in words.
func (r *reader) because(d results.Decision, s *results.Sizing) string {
	p := figure.Level(s.Precision)
	if len(d.Cells) == 0 {
		return fmt.Sprintf("the pilot gave no pair to tell from how many blocks ± %s would need: none are added", p)
	}
	var deciders, set []string
	for _, c := range d.Cells {
		label := r.campaign.Cell(c.Cell).Label()
		switch {
		case c.SetAside:
			set = append(set, fmt.Sprintf("%s (%s)", label, figure.Plural(c.Wanted, "block", "blocks")))
		case c.Wanted == d.Wanted:
			deciders = append(deciders, label)
		}
	}
	text := fmt.Sprintf("± %s of each cell's own mean needs %s", p, figure.Plural(d.Wanted, "block", "blocks"))
	if d.Wanted > s.Pilot && len(deciders) > 0 {
		text += ", for " + deciders[0]
	}
	if i := slices.IndexFunc(d.Cells, func(c results.CellSize) bool { return c.ModesSD > 0 }); i >= 0 {
		text += fmt.Sprintf("; JVMs of %s or its baseline fall into two modes, so that blocks are for the widest spread that so few of them leave possible", r.campaign.Cell(d.Cells[i].Cell).Label())
	}
	if len(set) > 0 {
		text += fmt.Sprintf("; set aside, because they need more than %d times the median: %s", aside, strings.Join(set, ", "))
	}
	switch {
	case d.Cut != "":
		text += fmt.Sprintf("; cut to %d by %s", d.Blocks, d.Cut)
	case d.Blocks == s.Pilot:
		text += ": the pilot is enough"
	}
	return text
}

// sized says whether the intervals of a metric keep the pilot's spread.
func (r *reader) sized(m results.Metric) bool {
	s, p := r.scenario.Sizing, r.primary()
	return s != nil && s.Precision > 0 && p != nil && p.Name == m.Name
}

// secondStage is the number of the first block after the pilot; 0 when there is
// none. What was made before it, extra blocks included, the decision has seen.
func (r *reader) secondStage() int {
	if r.scenario.Sizing == nil {
		return 0
	}
	own := map[string]bool{}
	for _, c := range r.cells() {
		own[c.ID] = true
	}
	n := 0
	for _, b := range r.campaign.Blocks {
		if b.Kind != results.BlockPlanned || b.Profile != r.profile() || !slices.ContainsFunc(b.Order, func(id string) bool { return own[id] }) {
			continue
		}
		if n++; n > r.scenario.Sizing.Pilot {
			return b.Number
		}
	}
	return 0
}

// sizing says how the number of blocks was found, and what came of it.
func (r *reader) sizing(cells []Cell) *Sizing {
	s := r.scenario.Sizing
	if s == nil {
		return nil
	}
	a := &Sizing{Sizing: *s}
	if s.Precision <= 0 {
		if s.Decision == nil {
			return nil // time did not cut the fixed number
		}
		a.Text = s.Decision.Because
		return a
	}
	a.Text = fmt.Sprintf("two stages (Stein 1945): a pilot of %s, one decision, no look in between; intervals take the larger spread, the pilot's or that of all blocks, with the pilot's degrees of freedom. ", figure.Plural(s.Pilot, "block", "blocks"))
	if s.Decision == nil {
		a.Text += "The decision is still to come: resume the campaign."
	} else {
		a.Text += "Decided after the pilot: " + s.Decision.Because + "."
	}
	for i := range cells {
		if w, ok := r.reached(&cells[i]); ok {
			a.Reached = append(a.Reached, w)
		}
	}
	return a
}

// reached is how precise the difference of a cell came out.
func (r *reader) reached(c *Cell) (Reached, bool) {
	m := r.primary()
	if c.Role != results.RoleVariant || m == nil {
		return Reached{}, false
	}
	for _, a := range c.Metrics {
		d := a.Difference
		if a.Metric != m.Name || a.Mean == nil || d == nil || d.Interval == nil || a.Mean.Value <= 0 {
			continue
		}
		ps := pairs(r.values(c.ID, *m), r.values(c.Baseline, *m))
		w := Reached{Cell: c.ID, Share: d.Interval.Half() / a.Mean.Value, SD: spread(ps)}
		if !stats.Finite(w.Share) {
			continue
		}
		w.OK, w.PilotSD = w.Share <= r.scenario.Sizing.Precision, w.SD
		if first := r.secondStage(); first > 0 {
			w.PilotSD = spread(before(ps, first))
		}
		return w, true
	}
	return Reached{}, false
}

// spread is the standard deviation of what pairs differ by; 0 of one pair.
func spread(ps []pair) float64 {
	var ds []float64
	for _, p := range ps {
		ds = append(ds, p.x-p.y)
	}
	s, _ := infer.ScaleOf(ds)
	return s.SD
}

// nearly is by how much the wanted precision may be missed without a word: as
// often as not, all blocks vary a little more than the pilot did.
const nearly = 1.25

// notTypical is how many times the pilot's standard deviation that of all
// blocks may be before the pilot is doubted.
const notTypical = 1.5

// markPrecision marks the cells that did not come out as precisely as wanted,
// and those whose pilot was quieter than what came after.
func (r *reader) markPrecision(s *Scenario) {
	if s.Sizing == nil {
		return
	}
	missed := fmt.Sprintf("%s of the cell's own mean was wanted; give it more blocks: raise max_time or max_blocks, or set strict = true", figure.Level(s.Sizing.Precision))
	const quiet = "the differences of all blocks vary far more than those of the pilot, which decided on their number: the interval takes the larger spread, and is wider than wanted; quieten the machine and measure again"
	for _, w := range s.Sizing.Reached {
		for i := range s.Cells {
			c := &s.Cells[i]
			if c.ID != w.Cell || s.Sizing.Decision == nil {
				continue
			}
			if w.Share > nearly*s.Sizing.Precision {
				c.Marks = append(c.Marks, Mark{"precision", "known to ± " + figure.Level(w.Share), missed})
			}
			if w.SD > notTypical*w.PilotSD {
				c.Marks = append(c.Marks, Mark{"pilot", "pilot not typical", quiet})
			}
		}
	}
}
