// Package lanes says whether lanes that measure at once on one machine disturb each other.
package lanes

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"moobench/analysis/caveat"
	"moobench/analysis/evidence"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/analysis/reading"
	"moobench/analysis/stats"
	"moobench/results"
)

// Lanes say whether lanes that measure at once on one machine disturb each other: the primary metric of each
// cell while all lanes are busy is compared with its value while the other lanes are idle.
type Lanes struct {
	Count int    `json:"count"` // lanes that measured
	Cells []Cell `json:"cells"` // the baselines and the variants
	// Margin is the share of a cell's value within which a disturbance does not matter.
	Margin float64 `json:"margin"`
	// Judgement is about all cells: equivalent if each was shown to be within the margin; changed if one was
	// shown to differ and not to be within it; else undecided, or no answer.
	Judgement infer.Judgement `json:"judgement"`
	// Levels is the first baseline's value in each lane: lanes that differ are unlike cores. That affects no
	// cost, because each block has its own baseline in its lane.
	Levels []Level `json:"levels,omitempty"`
}

// Cell compares a cell while all lanes are busy with the same cell alone.
type Cell struct {
	Cell  string `json:"cell"`  // ID
	Label string `json:"label"` // variant with its factor level
	Alone int    `json:"alone"` // invocations, one a turn, while the other lanes were idle
	Busy  int    `json:"busy"`  // invocations while all lanes were busy
	// Ratio is busy over alone: the geometric mean over turns, each value relative to its lane's level while
	// all lanes are busy.
	Ratio   *infer.Estimate `json:"ratio,omitempty"`
	NoRatio string          `json:"no_ratio_because,omitempty"` // why there is no ratio
	Verdict infer.Verdict   `json:"verdict"`                    // verdict on Ratio
}

// Level is a baseline's value in one lane.
type Level struct {
	Lane int             `json:"lane"`           // from 1
	CPUs string          `json:"cpus,omitempty"` // CPUs of its subjects
	Mean *infer.Estimate `json:"mean"`           // in the metric's unit
}

// undisturbed is the share of a cell's value within which a disturbance by other lanes does not matter.
const undisturbed = 0.01

// Of judges the lanes of the scenario's machine; nil if it measured one block at a time.
func Of(r *reading.Reading) *Lanes {
	l := &Lanes{Margin: undisturbed}
	var values []evidence.Values // one per cell
	for _, c := range r.Cells {
		vs := r.Values(c.ID, r.Primary)
		counts := c.Role == results.RoleBaseline || c.Role == results.RoleVariant
		if !counts || r.Primary.Of != "" || !vs.InLanes() || r.Invalid[c.ID] != "" {
			continue
		}
		l.Count = r.Campaign.Merged.Count // each lane is a shard
		if c.Role == results.RoleBaseline && l.Levels == nil {
			l.Levels = levelsOf(r, c.ID, vs)
		}
		l.Cells, values = append(l.Cells, Cell{Cell: c.ID, Label: c.Label()}), append(values, vs)
	}
	if len(l.Cells) == 0 {
		return nil
	}
	for i := range l.Cells {
		beside(r, &l.Cells[i], values[i], len(l.Cells))
	}
	l.Judgement = infer.Same
	for _, j := range []infer.Judgement{infer.NotJudged, infer.UndecidedYet, infer.Changed} { // the last counts most
		if slices.ContainsFunc(l.Cells, func(c Cell) bool { return c.judgement() == j }) {
			l.Judgement = j
		}
	}
	return l
}

// judgement is the judgement that the cell's verdict implies.
func (c *Cell) judgement() infer.Judgement { return infer.Judge(c.Verdict, "", false) }

// beside compares one of several cells while all lanes are busy with the same cell alone. The intervals are
// simultaneous for all cells.
func beside(r *reading.Reading, c *Cell, vs evidence.Values, cells int) {
	lanes := r.Campaign.Merged.Count
	alone, busy := vs.Beside(0), vs.Beside(lanes-1)
	c.Alone, c.Busy = len(alone), len(busy)
	levels := map[int]float64{} // by lane: the mean logarithm of busy values
	for lane := 1; lane <= lanes; lane++ {
		logs, err := stats.Logs(busy.InLane(lane).Numbers())
		if err == nil {
			levels[lane], err = stats.Mean(logs)
		}
		if err != nil {
			c.NoRatio, c.Verdict = infer.Reason(err), infer.NoAnswer
			return
		}
	}
	margin := &results.Margin{Share: undisturbed}
	q := infer.Question{Kind: results.TestWelch, Alpha: reading.Alpha, Family: cells, Margin: margin}
	a := r.Solver.Compare(q, infer.Data{X: turnsOf(busy, levels), Y: turnsOf(alone, levels)})
	c.Ratio, c.NoRatio, c.Verdict = a.Ratio, a.NoRatio, a.Verdict
}

// turnsOf has a value for each turn: the geometric mean over its lanes, each relative to the lane's level. A
// disturbance of all lanes in one turn counts once.
func turnsOf(vs evidence.Values, levels map[int]float64) infer.Sample {
	var s infer.Sample
	for _, turn := range vs.ByTurn() {
		sum := 0.0
		for _, v := range turn {
			sum += math.Log(v.X) - levels[v.Lane()]
		}
		s.Values = append(s.Values, math.Exp(sum/float64(len(turn))))
	}
	return s
}

// levelsOf are the means of a cell in each lane.
func levelsOf(r *reading.Reading, cell string, vs evidence.Values) []Level {
	var all []Level
	for i := range r.Campaign.Merged.Count {
		level := Level{Lane: i + 1}
		level.Mean, _ = infer.MeanOf(reading.SampleOf(vs.InLane(i+1)), reading.Confidence, !r.Unordered())
		if level.Mean == nil {
			continue
		}
		for _, e := range r.ByCell[cell] {
			if e.Lane == i+1 && e.CPUs != "" {
				level.CPUs = e.CPUs
			}
		}
		all = append(all, level)
	}
	return all
}

// Notes says how lanes disturb each other; nil if they don't.
func (l *Lanes) Notes() []string {
	if l == nil || l.Judgement == infer.Same {
		return nil
	}
	return []string{l.note()}
}

// Marks has the caveat of each disturbed cell.
func (l *Lanes) Marks() map[string][]caveat.Mark {
	if l == nil || l.Judgement == infer.Same {
		return nil
	}
	marks := map[string][]caveat.Mark{}
	for _, c := range l.Cells {
		if c.judgement() == infer.Changed {
			marks[c.Cell] = []caveat.Mark{{
				Kind: "lanes", Show: "disturbed by other lanes", Rank: caveat.Misleading,
				Text: "with all lanes busy it " + c.ratio() + " against alone: " +
					"its numbers are those of a busy machine; use fewer lanes, or none",
			}}
		}
	}
	return marks
}

// note names the disturbed cells or, without any, those that may be.
func (l *Lanes) note() string {
	var lacking []string
	for _, c := range l.Cells {
		if j := c.judgement(); j == infer.Changed || j != infer.Same && l.Judgement != infer.Changed {
			lacking = append(lacking, c.Label+" "+c.ratio())
		}
	}
	then := "more blocks would tell"
	if l.Judgement == infer.Changed {
		then = "costs are those of a busy machine; use fewer lanes, or none"
	}
	return fmt.Sprintf("%d lanes measured at once, and %s: with all busy against alone, %s, and ± %s is allowed; %s",
		l.Count, prose.LanesAtOnce(l.Judgement), strings.Join(lacking, "; "), figure.Percent(l.Margin), then)
}

// ratio is the ratio in words.
func (c *Cell) ratio() string {
	if c.Ratio == nil {
		return "says nothing (" + c.NoRatio + ")"
	}
	return "takes " + prose.Over(c.Ratio) + prose.If(c.Ratio.Interval == nil, ", without an interval")
}
