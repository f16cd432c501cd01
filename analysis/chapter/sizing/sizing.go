// Package sizing decides how many blocks a scenario needs for a wanted precision, and says what was reached.
package sizing

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	"moobench/analysis/caveat"
	"moobench/analysis/chapter/modes"
	"moobench/analysis/evidence"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/proof"
	"moobench/analysis/prose"
	"moobench/analysis/reading"
	"moobench/analysis/stats"
	"moobench/results"
)

// Sizing says how the number of timing blocks was found, by Stein's plan: a pilot, then one decision. Without a
// precision the number is fixed, and only a time limit can cut it.
type Sizing struct {
	results.Sizing
	Text string `json:"text"` // plan and decision in words
	// Reached are the half-widths that resulted, in the order of the cells.
	Reached []Reached `json:"reached,omitempty"`

	marks map[string][]caveat.Mark // by the ID of the cell
}

// Measured is a cell's mean in the primary metric, and the half-width of its difference from the baseline.
type Measured struct {
	Cell       *results.Cell
	Mean, Half float64
}

// Reached is the precision of a cell's difference.
type Reached struct {
	Cell    string  `json:"cell"`     // ID
	Share   float64 `json:"share"`    // half-width as a share of the cell's own mean
	PilotSD float64 `json:"pilot_sd"` // standard deviation of the pilot's differences
	SD      float64 `json:"sd"`       // standard deviation of the differences of all blocks
	OK      bool    `json:"ok"`       // whether Share is at most the wanted precision
}

// aside is the multiple of the median number of blocks from which a cell no longer decides for all.
const aside = 3

// pilotTimes is the default time limit of a scenario, as a multiple of the pilot's wall time.
const pilotTimes = 10

// Size decides how many timing blocks a sized scenario gets in all, from its pilot (Stein 1945). It must be
// asked once, when the pilot is complete; later blocks never change the decision.
func Size(src evidence.Source, scenario string) (*results.Decision, error) {
	c := src.Campaign()
	sc := c.Scenario(scenario)
	if sc == nil || sc.Sizing == nil || sc.Sizing.Precision <= 0 {
		return nil, fmt.Errorf("deciding on a number of blocks: scenario %q has no precision", scenario)
	}
	all := evidence.Gather(src)
	if len(all.Problems) > 0 {
		return nil, fmt.Errorf("deciding on a number of blocks: %s", all.Problems[0])
	}
	r := reading.New(c, sc, evidence.ByCell(all.Invocations), infer.Solver{}, nil)
	proof.Judge(r.View)
	s := sc.Sizing
	d := &results.Decision{PilotNS: wall(r), Cells: sizes(r, s)}
	needs := results.Each(d.Cells, func(c results.CellSize) float64 { return float64(c.Wanted) })
	median, _ := stats.Median(needs) // fails without cells
	for i := range d.Cells {
		c := &d.Cells[i]
		if c.SetAside = !s.Strict && float64(c.Wanted) > aside*median; !c.SetAside {
			d.Wanted = max(d.Wanted, c.Wanted)
		}
	}
	d.Blocks = max(d.Wanted, s.Pilot)
	if s.MaxBlocks > 0 && d.Blocks > s.MaxBlocks {
		d.Blocks, d.Cut = max(s.MaxBlocks, s.Pilot), results.CutBlocks
	}
	limit := cmp.Or(s.MaxTimeNS, pilotTimes*d.PilotNS)
	if perBlock := d.PilotNS / int64(max(1, s.Pilot)); perBlock > 0 && int64(d.Blocks) > limit/perBlock {
		d.Blocks, d.Cut = max(int(limit/perBlock), s.Pilot), results.CutTime
	}
	d.Reason = because(c, d, s)
	return d, nil
}

// sizes estimates from the pilot how many blocks each compared cell needs.
func sizes(r *reading.Reading, s *results.Sizing) []results.CellSize {
	twoModes := modes.Of(r)
	var all []results.CellSize
	for _, c := range r.Cells {
		if c.Role != results.RoleVariant || r.Invalid[c.ID] != "" {
			continue
		}
		vs := r.Values(c.ID, r.Primary)
		pilot := r.Ask(infer.Question{Alpha: reading.Alpha}, vs, r.Values(c.Baseline, r.Primary), 0).D
		mean, err := stats.Mean(vs.Numbers())
		if !pilot.Spread() || err != nil || mean <= 0 {
			continue
		}
		size := results.CellSize{Cell: c.ID, Pairs: pilot.N, Mean: mean, SD: pilot.SD}
		sd := pilot.SD
		if wider := math.Hypot(sd, twoModes.HiddenSpread(r, c)); wider > sd {
			sd, size.ModesSD = wider, wider
		}
		shared := infer.Share(reading.Alpha, r.Family(c.Level()))
		// No disk holds more blocks than that.
		if n, err := stats.SteinSize(reading.UsuallyAlike*sd, s.Precision*mean, pilot.N, shared); err == nil &&
			n < math.MaxInt32 {
			size.Wanted = max(n, s.Pilot)
		}
		all = append(all, size)
	}
	return all
}

// wall is the wall time of the scenario's timing invocations so far, in ns.
func wall(r *reading.Reading) int64 {
	var total time.Duration
	for _, c := range r.Cells {
		for _, e := range r.ByCell[c.ID] {
			if e.Profile == results.ProfileTiming {
				total += max(0, e.End.Sub(e.Start))
			}
		}
	}
	return int64(total)
}

// because puts the decision in words.
func because(campaign *results.Campaign, d *results.Decision, s *results.Sizing) string {
	p := figure.Level(s.Precision)
	if len(d.Cells) == 0 {
		return fmt.Sprintf("the pilot has no complete pair to tell how many blocks ± %s needs: none are added", p)
	}
	var decider, moded string
	var set []string
	for _, c := range d.Cells {
		label := campaign.Cell(c.Cell).Label()
		switch {
		case c.SetAside:
			set = append(set, fmt.Sprintf("%s (%s)", label, figure.Plural(c.Wanted, "block", "blocks")))
		case c.Wanted == d.Wanted && decider == "":
			decider = label
		}
		if c.ModesSD > 0 && moded == "" {
			moded = label
		}
	}
	text := fmt.Sprintf("± %s of each cell's own mean needs %s", p, figure.Plural(d.Wanted, "block", "blocks"))
	text += prose.If(d.Wanted > s.Pilot && decider != "", ", for %s", decider)
	text += prose.If(moded != "",
		"; JVMs of %s or its baseline fall into two modes, so the number of blocks allows for the "+
			"widest spread that so few of them leave possible", moded)
	text += prose.If(len(set) > 0, "; set aside, because they need more than %d times the median: %s",
		aside, strings.Join(set, ", "))
	switch {
	case d.Cut != "":
		text += fmt.Sprintf("; cut to %d by %s", d.Blocks, d.Cut)
	case d.Blocks == s.Pilot:
		text += ": the pilot is enough"
	}
	return text
}

// Of says how the number of blocks was found, and how precise the differences of the cells became. It flags
// those that miss the wanted precision, and those whose pilot was quieter than the blocks after it.
func Of(r *reading.Reading, cells []Measured) *Sizing {
	s := r.Scenario.Sizing
	switch {
	case s == nil || s.Precision <= 0 && s.Decision == nil:
		return nil // the number is fixed, and time did not cut it
	case s.Precision <= 0:
		return &Sizing{Sizing: *s, Text: s.Decision.Reason}
	}
	decided := "The decision is still to come: resume the campaign."
	if s.Decision != nil {
		decided = "Decided after the pilot: " + s.Decision.Reason + "."
	}
	a := &Sizing{Sizing: *s, marks: map[string][]caveat.Mark{}}
	a.Text = fmt.Sprintf(
		"two stages (Stein 1945): a pilot of %s, one decision, no interim look; "+
			"intervals take the larger spread, the pilot's or that of all blocks, "+
			"with the pilot's degrees of freedom. %s", figure.Plural(s.Pilot, "block", "blocks"), decided)
	first := r.SecondStage(r.Primary)
	for _, m := range cells {
		c := m.Cell
		pairs := evidence.PairsOf(r.Values(c.ID, r.Primary), r.Values(c.Baseline, r.Primary))
		ds, pilot := pairs.Differences(), len(pairs.Blocks)
		if first > 0 {
			pilot = pairs.Before(first)
		}
		all, _ := infer.ScaleOf(ds) // one pair has no spread
		early, _ := infer.ScaleOf(ds[:pilot])
		share := m.Half / m.Mean
		if !stats.Finite(share) {
			continue
		}
		a.Reached = append(a.Reached, Reached{
			Cell:    c.ID,
			Share:   share,
			PilotSD: early.SD,
			SD:      all.SD,
			OK:      share <= s.Precision,
		})
		if s.Decision != nil {
			var ms caveat.List
			ms.Add(share > nearly*s.Precision, caveat.Remark, "precision", "known to ± "+figure.Level(share),
				missedPrecision, figure.Level(s.Precision))
			ms.Add(all.SD > notTypical*early.SD, caveat.Remark, "pilot", "pilot not typical", pilotTooQuiet)
			a.marks[c.ID] = ms
		}
	}
	return a
}

// nearly is the factor by which the wanted precision may be missed without a caveat: in half of the cases, all
// blocks vary a little more than the pilot did.
const nearly = 1.25

// notTypical is the ratio of the standard deviation of all blocks to the pilot's from which the pilot is
// doubted.
const notTypical = 1.5

const (
	missedPrecision = "%s of the cell's own mean was wanted; give it more blocks: " +
		"raise max_time or max_blocks, or set strict = true"
	pilotTooQuiet = "the differences of all blocks vary far more than those of the pilot, " +
		"which decided on their number: the interval takes the larger spread, and is wider than wanted; " +
		"quieten the machine and measure again"
)
