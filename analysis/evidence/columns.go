package evidence

import (
	"cmp"
	"math"
	"slices"

	"moobench/analysis/stats"
	"moobench/analysis/steady"
	"moobench/results"
	"moobench/results/summary"
)

// columns are the columns of one series metric of one invocation, one per thread.
type columns struct {
	columns []*summary.Column
	batches []int64 // calls per sample, by column
	longest *summary.Column
	window  summary.Window
	whole   bool // the window had to be everything
	class   steady.Class
	from    int // batches before the steady state; 0 without a class

	reference []float64 // of each batch, in ns; nil where none was taken
	shift     []float64 // what is taken from the mean of each batch, because the reference says so; nil is nothing
}

// newColumns finds the columns of a series metric, and the reference beside them.
func newColumns(m results.Metric, inv *results.Invocation, s *summary.Summary) columns {
	c := columns{columns: s.Find(m.Series, m.Column)}
	for _, col := range c.columns {
		batch := int64(1)
		if i := slices.IndexFunc(inv.Series, func(s results.Series) bool { return s.Name == m.Series && s.Thread == col.Thread }); i >= 0 {
			batch = max(1, inv.Series[i].Batch)
		}
		c.batches = append(c.batches, batch)
		if c.longest == nil || col.Batches() > c.longest.Batches() {
			c.longest = col
		}
	}
	if c.longest != nil {
		c.reference = referenceOf(s, c.least())
	}
	return c
}

// columnsOf finds the columns of a series metric, the steady state, and the window that
// is wanted. The steady state is looked for in the means of the batches, all threads
// together, without what the reference explains by a slope; too few batches, and values
// that are no durations, have no class.
func columnsOf(m results.Metric, inv *results.Invocation, s *summary.Summary, kind results.Window, slope float64) columns {
	c := newColumns(m, inv, s)
	if c.longest == nil {
		return c
	}
	c.shift = c.shifts(slope)
	if f, err := steady.Classify(c.means(0, c.least())); err == nil {
		c.class, c.from = f.Class, f.From
	}
	return c.over(kind)
}

// over are the columns with another window.
func (c columns) over(kind results.Window) columns {
	switch {
	case kind == results.WindowAll:
		c.window = c.longest.Whole()
	case kind == results.WindowHalf || c.class == "" || c.class == steady.Unsteady:
		c.window = c.longest.Half()
	default:
		c.window = c.longest.Since(c.from)
	}
	if c.whole = kind != results.WindowAll && c.window.From >= c.window.To; c.whole {
		c.window = c.longest.Whole()
	}
	return c
}

// OtherWindow is the one that is shown beside the chosen one.
func OtherWindow(kind results.Window) results.Window {
	if kind == results.WindowSteady || kind == "" {
		return results.WindowHalf
	}
	return results.WindowSteady
}

// least is the number of batches that all threads have.
func (c columns) least() int {
	shortest := slices.MinFunc(c.columns, func(a, b *summary.Column) int { return cmp.Compare(a.Batches(), b.Batches()) })
	return shortest.Batches()
}

// mean is the mean per call over the window, NaN without samples, and the number of calls
// of all threads in it.
func (c columns) mean() (mean float64, calls int64) {
	var sum float64
	for i, col := range c.columns {
		m := col.Moments(c.window)
		sum += m.Sum
		calls += m.N * c.batches[i]
	}
	if calls == 0 {
		return math.NaN(), 0
	}
	return sum / float64(calls), calls
}

// means are the means per call of the batches [from, to).
func (c columns) means(from, to int) []float64 {
	all := make([]float64, 0, max(0, to-from))
	for b := from; b < to; b++ {
		all = append(all, c.between(b, b+1))
	}
	return all
}

// between is the mean per call of the batches [from, to).
func (c columns) between(from, to int) float64 {
	var sum, n float64
	for i, col := range c.columns {
		for b := from; b < to; b++ {
			m := col.Batch(b)
			sum += m.Sum
			n += float64(m.N) * float64(c.batches[i])
		}
	}
	mean := sum / n
	if c.shift != nil && to > from {
		shift := 0.0
		for _, s := range c.shift[from:to] {
			shift += s / float64(to-from)
		}
		mean = max(0, mean-shift)
	}
	return mean
}

// meanShift is what is taken from the batches of the window on average. Added to a course, it
// has the mean of the window, as it was measured, in the middle of that.
func (c columns) meanShift() float64 {
	if c.shift == nil {
		return 0
	}
	mean, _ := stats.Mean(c.shift[c.window.From:min(c.window.To, len(c.shift))]) // 0 of none
	return mean
}

// referenceMean is that over the window; 0 where none was taken.
func (c columns) referenceMean() float64 {
	if c.reference == nil {
		return 0
	}
	mean, _ := stats.Mean(c.reference[c.window.From:min(c.window.To, len(c.reference))]) // 0 of none
	return mean
}

// moments are those of all threads together, sample by sample, over the window.
func (c columns) moments() summary.Moments {
	var m summary.Moments
	for _, col := range c.columns {
		m = m.Merge(col.Moments(c.window))
	}
	return m
}
