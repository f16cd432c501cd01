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

// columns holds the columns of a series metric of one invocation, one per thread.
type columns struct {
	columns []*summary.Column
	batches []int64 // calls per sample, by column
	longest *summary.Column
	window  summary.Window
	parts   []summary.Window // the counted parts of the window: a steady state excludes batches with compilations
	whole   bool             // the wanted window was empty, so it is everything
	class   steady.Class
	from    int // batches before the steady state; 0 without a class

	compiling []bool    // per batch: the JVM's compilers worked in it; nil if unknown, or if too many did
	reference []float64 // per batch, in ns; nil without a reference
	shift     []float64 // subtracted from the mean of each batch, to remove the machine's speed; nil: nothing
}

// newColumns finds the columns of a series metric, and the reference taken in its batches.
func newColumns(m results.Metric, inv *results.Invocation, s *summary.Summary) columns {
	c := columns{columns: s.Find(m.Series, m.Column)}
	for _, col := range c.columns {
		batch := int64(1)
		its := func(s results.Series) bool { return s.Name == m.Series && s.Thread == col.Thread }
		if i := slices.IndexFunc(inv.Series, its); i >= 0 {
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

// columnsOf finds the columns of a series metric, the steady state, and the wanted window. The
// steady state is sought in the batch means over all threads, without batches in which compilers
// worked, and adjusted for the reference by a slope. Too few batches, or values that are not
// durations, have no class.
func columnsOf(
	m results.Metric, inv *results.Invocation, s *summary.Summary, kind results.Window, slope float64,
) columns {
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

// classified sets the class of the batches without compilations, and the start of the steady state.
func (c columns) classified() columns {
	c.class, c.from = "", 0
	means := c.means(0, c.least())
	var at []int // index of each kept mean
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

// length returns the number of batches in all parts.
func length(parts []summary.Window) (n int) {
	for _, w := range parts {
		n += w.To - w.From
	}
	return n
}

// over returns the columns with another window.
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

// OtherWindow returns the window shown for comparison with the chosen one.
func OtherWindow(kind results.Window) results.Window {
	if kind == results.WindowSteady || kind == "" {
		return results.WindowHalf
	}
	return results.WindowSteady
}

// least returns the number of batches that all threads have.
func (c columns) least() int {
	byBatches := func(a, b *summary.Column) int { return cmp.Compare(a.Batches(), b.Batches()) }
	return slices.MinFunc(c.columns, byBatches).Batches()
}

// mean returns the mean per call over the window, NaN without samples, and the number of calls of
// all threads in it.
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

// inWindow returns the means per call of the counted batches of the window.
func (c columns) inWindow() []float64 {
	var all []float64
	for _, part := range c.parts {
		all = append(all, c.means(part.From, min(part.To, c.least()))...)
	}
	return all
}

// means returns the means per call of the batches [from, to).
func (c columns) means(from, to int) []float64 {
	all := make([]float64, 0, max(0, to-from))
	for b := from; b < to; b++ {
		all = append(all, c.between(b, b+1))
	}
	return all
}

// between returns the mean per call over the batches [from, to).
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

// meanShift returns the mean of the subtracted amounts over the window. Added to a trace, it
// centres the trace on the window's measured mean.
func (c columns) meanShift() float64 {
	if c.shift == nil {
		return 0
	}
	return c.meanOf(c.shift)
}

// referenceMean returns the mean of the reference over the window; 0 without a reference.
func (c columns) referenceMean() float64 {
	if c.reference == nil {
		return 0
	}
	return c.meanOf(c.reference)
}

// meanOf returns the mean of per-batch values over the counted batches of the window; 0 for none.
func (c columns) meanOf(values []float64) float64 {
	var counted []float64
	for _, part := range c.parts {
		counted = append(counted, values[min(part.From, len(values)):min(part.To, len(values))]...)
	}
	mean, _ := stats.Mean(counted)
	return mean
}

// moments returns the moments of the samples of all threads over the window.
func (c columns) moments() summary.Moments {
	var m summary.Moments
	for _, col := range c.columns {
		for _, part := range c.parts {
			m = m.Merge(col.Moments(part))
		}
	}
	return m
}
