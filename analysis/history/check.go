package history

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
)

// Check judges all series of a history: levels, changes with their states, and alarms of the last
// night. The findings depend on the records, but not on their order. Least is the least reported
// change, as a share; 0 means 0.03, which is 3 %. Changes smaller than that, or than one night's
// own blocks would detect with 80 % power, are not reported.
func Check(h *History, least float64) (*Findings, error) {
	c, err := judge(h, least)
	if err != nil {
		return nil, err
	}
	f := &Findings{Series: []Series{}, Nights: nightIDs(c.tracks), Warnings: slices.Clone(h.Warnings)}
	short, lacking := 0, 0
	for _, t := range c.tracks {
		for i := range t.Changes {
			t.Changes[i].Sentence = t.sentence(&t.Changes[i])
		}
		if t.Short > 0 && !t.Ended && t.MovedTo == "" {
			short, lacking = short+1, max(lacking, t.Short)
		}
		f.Series = append(f.Series, t.Series)
	}
	if short > 0 {
		f.Warnings = append(f.Warnings, fmt.Sprintf("%s with fewer than %d nights: not judged yet, up to %s lacking",
			figure.Plural(short, "series", "series"), leastNights, figure.Plural(lacking, "night is", "nights are")))
	}
	if far := c.far(); far > 0 {
		const unusual = "%s not judged: the CPU was more than 40 %% faster or slower than usual"
		f.Warnings = append(f.Warnings, fmt.Sprintf(unusual, figure.Plural(far, "night is", "nights are")))
	}
	f.Warnings = append(f.Warnings, c.warnings...)
	return f, nil
}

// judge finds the levels, changes and alarms of all series of a history.
func judge(h *History, least float64) (*checker, error) {
	least = cmp.Or(least, leastChange)
	if !(least > 0 && least < 1) {
		return nil, fmt.Errorf("check a history: the least change reported must lie between 0 and 100 %%, and is %v", least)
	}
	c := &checker{least: least, solver: infer.Solver{}}
	c.tracks, c.warnings = tracksOf(h)
	judged := slices.DeleteFunc(slices.Clone(c.tracks), func(t *track) bool { return !t.judged() })
	for _, t := range c.tracks {
		for i := 1; i < len(t.x); i++ {
			if t.night(i).Plan != t.night(i-1).Plan && i != t.standardFrom {
				t.bounds = append(t.bounds, bound{at: i, kind: replanned})
			}
		}
		t.breakAtConfirmed(c.least)
	}
	c.divide(judged, len(judged))
	var again []*track
	for _, t := range judged {
		if t.returns() {
			again = append(again, t)
		}
	}
	c.divide(again, len(judged))
	for _, t := range c.tracks {
		if t.MovedTo == "" { // else the continuing series has its changes
			t.settle(c.least)
		}
	}
	c.alarms(judged)
	floors(c.tracks)
	return c, nil
}

// checker judges the tracks of one history.
type checker struct {
	least    float64
	tracks   []*track
	warnings []string
	solver   infer.Solver
}

// far returns the largest number of nights of a series that are not judged because of their CPU
// speed.
func (c *checker) far() int {
	most := 0
	for _, t := range c.tracks {
		most = max(most, t.far)
	}
	return most
}

// leastOf returns the smallest reported log change between two levels: the least change, or if
// larger, the change that one night's own blocks detect at 5 % with 80 % power.
func (c *checker) leastOf(t *track, from, to int) float64 {
	return leastOf(&c.solver, c.least, t.se[from:to], t.df[from:to])
}

// leastOf is the same for nights with these standard errors.
func leastOf(solver *infer.Solver, least float64, ses, dfs []float64) float64 {
	log := math.Log1p(least)
	ses, dfs = slices.Sorted(slices.Values(ses)), slices.Sorted(slices.Values(dfs))
	se, df := ses[len(ses)/2], dfs[len(dfs)/2]
	if se == 0 || df < 1 {
		return log
	}
	return max(log, se*solver.Units(df, 1-confidence))
}

// leastChange is the default least reported change, as a share: 0.03 is 3 %.
const leastChange = 0.03

const (
	// changeAlpha is the significance level of change points, adjusted over all series.
	changeAlpha = 0.01
	// window is the number of nights searched for a change point at a time.
	window = 50

	// leastNights is the least number of nights to judge a series.
	leastNights = 7
	// leastSide is the least number of nights on each side of a change point. Fewer can't be
	// distinguished from outliers.
	leastSide = 3
	// detectedFrom is the number of nights after a change point that makes it detected.
	detectedFrom = 5
	// slack is the number of nights by which a change point may move as nights are added, and still
	// be the one that was confirmed, refuted or accepted.
	slack = leastSide - 1
	// confidence is the level of the intervals of changes.
	confidence = 0.95
	// nightAlpha is the probability of an alarm for the worse in a night without change, over all
	// its series, if nights were independent. It is generous: a false alarm only costs some minutes
	// of measuring, but a missed change is missed for good.
	nightAlpha = 0.4
)
