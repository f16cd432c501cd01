package history

import (
	"fmt"
	"math"
	"slices"

	"moobench/analysis/figure"
	"moobench/analysis/stats"
)

// Check judges all series of a history: levels, changes with their states, and
// alarms of the last night. The same history gives the same findings, whatever
// the order of its records.
func Check(h *History, o Options) (*Findings, error) {
	o, err := o.filled()
	if err != nil {
		return nil, err
	}
	c := checker{Options: o, tracks: tracksOf(h), units: map[[2]float64]float64{}}
	f := &Findings{Series: []Series{}, Nights: nightIDs(c.tracks), Warnings: slices.Clone(h.Warnings)}
	c.judge()
	short, lacking := 0, 0
	for _, t := range c.tracks {
		if t.Short > 0 && !t.Ended {
			short, lacking = short+1, max(lacking, t.Short)
		}
		f.Series = append(f.Series, t.Series)
	}
	if short > 0 {
		f.Warnings = append(f.Warnings, fmt.Sprintf("%s with fewer than %d nights: not judged yet, up to %s lacking",
			figure.Plural(short, "series", "series"), leastNights, figure.Plural(lacking, "night is", "nights are")))
	}
	f.Warnings = append(f.Warnings, c.warnings...)
	return f, nil
}

// checker judges the tracks of one history.
type checker struct {
	Options
	tracks   []*track
	warnings []string
	units    map[[2]float64]float64 // see detectable
}

func (c *checker) judge() {
	var judged []*track
	for _, t := range c.tracks {
		if t.judged() {
			judged = append(judged, t)
		}
		t.breakAtPlans()
		t.breakAtConfirmed(c.Least)
	}
	c.divide(judged, len(judged))
	var again []*track
	for _, t := range judged {
		c.merge(t)
		if t.returns(c.Alpha) {
			again = append(again, t)
		}
	}
	c.divide(again, len(judged))
	for _, t := range again {
		c.merge(t)
	}
	for _, t := range c.tracks {
		t.settle(c.Least)
	}
	c.alarms(judged)
	floors(c.tracks)
	for _, t := range c.tracks {
		t.describe()
	}
}

// merge removes the change points of a track that are smaller than what is worth a
// word, the smallest first: each removal changes the levels beside it.
func (c *checker) merge(t *track) {
	for {
		weakest, at := 1.0, -1
		levels := t.levels()
		for i, b := range t.bounds {
			if b.kind != found {
				continue
			}
			before, after := levels[i], levels[i+1]
			size := math.Abs(mean(t.x[after.from:after.to]) - mean(t.x[before.from:before.to]))
			if share := size / c.leastOf(t, before.from, after.to); share < weakest {
				weakest, at = share, i
			}
		}
		if at < 0 {
			return
		}
		t.bounds = slices.Delete(t.bounds, at, at+1)
	}
}

// leastOf is the smallest change of the logarithm that is reported between two
// levels: Least, or what one night's own blocks find at 5 % four times in five.
func (c *checker) leastOf(t *track, from, to int) float64 {
	least := math.Log1p(c.Least)
	ses, dfs := slices.Sorted(slices.Values(t.se[from:to])), slices.Sorted(slices.Values(t.df[from:to]))
	se, df := ses[len(ses)/2], dfs[len(dfs)/2]
	if se == 0 || df < 1 {
		return least
	}
	return max(least, se*c.detectable(df, 1-confidence))
}

// detectable is the smallest change that a t test finds four times in five, in
// units of its standard error; 0 when it is not known. Most series of a history
// ask the same.
func (c *checker) detectable(df, alpha float64) float64 {
	asked := [2]float64{df, alpha}
	units, known := c.units[asked]
	if !known {
		if found, err := stats.Detectable(1, df, alpha, power); err == nil {
			units = found
		}
		c.units[asked] = units
	}
	return units
}
