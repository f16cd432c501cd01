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
	parts   []summary.Window // of the window, those that count: while compilers work, nothing of a steady state does
	whole   bool             // the window had to be everything
	class   steady.Class
	from    int // batches before the steady state; 0 without a class

	compiling []bool    // of each batch: the JVM's compilers worked in it; nil where that is not told, or too often so
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
// together, without those in which compilers worked, and without what the reference explains
// by a slope; too few batches, and values that are no durations, have no class.
func columnsOf(m results.Metric, inv *results.Invocation, s *summary.Summary, kind results.Window, slope float64) columns {
	c := newColumns(m, inv, s)
	if c.longest == nil {
		return c
	}
	c.shift = c.shifts(slope)
	c.compiling = compiling(s, c.columns[0], c.least())
	c = c.classified().over(kind)
	if 2*length(c.parts) < c.window.To-c.window.From {
		c.compiling = nil
		c = c.classified().over(kind)
	}
	return c
}

// classified has the class of the batches in which no compiler worked, and where the steady
// state begins.
func (c columns) classified() columns {
	c.class, c.from = "", 0
	means := c.means(0, c.least())
	var at []int // of each mean that is kept
	for i := range means {
		if c.compiling == nil || !c.compiling[i] {
			means[len(at)] = means[i]
			at = append(at, i)
		}
	}
	f, err := steady.Classify(means[:len(at)])
	if err != nil {
		return c
	}
	c.class = f.Class
	if f.From > 0 {
		c.from = at[f.From-1] + 1
	}
	return c
}

// length is the number of batches in all parts.
func length(parts []summary.Window) (n int) {
	for _, w := range parts {
		n += w.To - w.From
	}
	return n
}

// over are the columns with another window.
func (c columns) over(kind results.Window) columns {
	steadyOnly := kind == results.WindowSteady || kind == ""
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
	c.parts = []summary.Window{c.window}
	if steadyOnly && c.class != "" && !c.whole {
		c.parts = c.window.Without(c.compiling)
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
		for _, part := range c.parts {
			m := col.Moments(part)
			sum += m.Sum
			calls += m.N * c.batches[i]
		}
	}
	if calls == 0 {
		return math.NaN(), 0
	}
	return sum / float64(calls), calls
}

// inWindow are the means per call of the batches of the window that count.
func (c columns) inWindow() []float64 {
	var all []float64
	for _, part := range c.parts {
		all = append(all, c.means(part.From, min(part.To, c.least()))...)
	}
	return all
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
	return c.meanOf(c.shift)
}

// referenceMean is that over the window; 0 where none was taken.
func (c columns) referenceMean() float64 {
	if c.reference == nil {
		return 0
	}
	return c.meanOf(c.reference)
}

// meanOf is that of values of all batches over those of the window that count; 0 of none.
func (c columns) meanOf(values []float64) float64 {
	var counted []float64
	for _, part := range c.parts {
		counted = append(counted, values[min(part.From, len(values)):min(part.To, len(values))]...)
	}
	mean, _ := stats.Mean(counted)
	return mean
}

// moments are those of all threads together, sample by sample, over the window.
func (c columns) moments() summary.Moments {
	var m summary.Moments
	for _, col := range c.columns {
		for _, part := range c.parts {
			m = m.Merge(col.Moments(part))
		}
	}
	return m
}
