package history

import (
	"fmt"
	"math"
	"slices"

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
	if warning := c.short(); warning != "" {
		f.Warnings = append(f.Warnings, warning)
	}
	f.Warnings = append(f.Warnings, c.warnings...)
	for _, t := range c.tracks {
		f.Series = append(f.Series, t.Series)
	}
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
	}
	for _, t := range c.tracks {
		t.breakAtPlans()
		t.breakAtConfirmed(c.Least)
	}
	c.divide(judged, len(judged))
	var again []*track
	for _, t := range judged {
		t.merge(c.leastOf)
		if t.returns(c.Alpha) {
			again = append(again, t)
		}
	}
	c.divide(again, len(judged))
	for _, t := range again {
		t.merge(c.leastOf)
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

// short says which series have too few nights to be judged.
func (c *checker) short() string {
	n, most := 0, 0
	for _, t := range c.tracks {
		if t.Short > 0 && !t.Ended {
			n, most = n+1, max(most, t.Short)
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s with fewer than %d nights: not judged yet, up to %s lacking",
		counted(n, "series", "series"), leastNights, counted(most, "night is", "nights are"))
}

// leastOf is the smallest change of the logarithm that is reported between two
// levels: Least, or what one night's own blocks find at 5 % four times in five.
func (c *checker) leastOf(t *track, from, to int) float64 {
	least := math.Log1p(c.Least)
	ses, dfs := sorted(t.se[from:to]), sorted(t.df[from:to])
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

func sorted(xs []float64) []float64 {
	s := slices.Clone(xs)
	slices.Sort(s)
	return s
}
