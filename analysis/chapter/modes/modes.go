// Package modes finds cells whose JVMs fall into two modes.
package modes

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"moobench/analysis/caveat"
	"moobench/analysis/chapter"
	"moobench/analysis/figure"
	"moobench/analysis/prose"
	"moobench/analysis/reading"
	"moobench/analysis/report/doc"
	"moobench/analysis/rows"
	"moobench/analysis/stats"
	"moobench/results"
)

// modesApart is the least distance of two modes that is mentioned, as a share of the cell's mean. Closer ones
// could not move a mean across half of the usual margin even if all JVMs changed sides.
const modesApart = 0.005

// modesBeyond is a distance that two modes of one program cannot have.
const modesBeyond = 1000

// drifts is the level of the test for whether a cell moves with the only other one in its blocks, so that their
// common part is subtracted.
const drifts = 0.1

// inside are the counters of a JVM that may explain why its code came out differently. CPU time and the like
// would only repeat that it did.
var inside = []string{"jit_ns", "classes_loaded", "gc_count", "gc_ns", "safepoint_ns", "alloc_bytes"}

// Modes are the cells of a scenario whose JVMs fall into two modes.
type Modes struct {
	cells []bimodal
	marks []caveat.Mark // of each
}

// bimodal is a cell whose JVMs fall into two modes, with the logarithms of their means, cleared of block
// effects.
type bimodal struct {
	stats.Modes
	logarithms
}

// apart is the ratio of the slower mode to the faster one, less 1.
func (b *bimodal) apart() float64 { return math.Expm1(b.SlowMean - b.FastMean) }

// Of returns the cells whose JVMs fall into two modes, in the primary metric. Only cells of one factor level
// are compared.
func Of(r *reading.Reading) *Modes {
	if r.Campaign.Design.Imported() {
		return &Modes{}
	}
	var all []logarithms
	for _, c := range r.Cells {
		if l, ok := logarithmsOf(r, c); ok {
			all = append(all, l)
		}
	}
	levels := stats.Grouped(all, func(l logarithms) string { return l.cell.Level() })
	m := &Modes{cells: slices.Concat(results.Each(levels, modesOf)...)}
	for i := range m.cells {
		m.marks = append(m.marks, markOf(r, &m.cells[i]))
	}
	return m
}

// logarithms holds the logarithms of a cell's values, less their median.
type logarithms struct {
	cell   *results.Cell
	blocks []int
	values []float64
	at     map[int]float64 // by block
	noise  float64         // standard error of one value, from the batches of its window; 0 if unknown
}

// logarithmsOf returns those of a cell's values of the primary metric; false if a value has none, or there is no
// value.
func logarithmsOf(r *reading.Reading, c *results.Cell) (logarithms, bool) {
	l, variance := logarithms{cell: c, at: map[int]float64{}}, 0.0
	for _, e := range r.Primaries(c.ID) {
		x, ok := e.Values[r.Primary.Name]
		if !ok {
			continue
		}
		if w := e.Batches[r.Primary.Name]; w.N > 0 {
			variance += w.SD * w.SD / float64(w.N) / (x * x)
		}
		l.blocks, l.values = append(l.blocks, e.Block), append(l.values, math.Log(x))
	}
	median, err := stats.Median(l.values) // also fails if a logarithm is not finite
	if err != nil || r.Invalid[c.ID] != "" {
		return l, false
	}
	for i := range l.values {
		l.values[i] -= median
		l.at[l.blocks[i]] = l.values[i]
	}
	l.noise = math.Sqrt(variance / float64(len(l.values)))
	if step := stats.Step(slices.Sorted(slices.Values(l.values))); step > 0 { // three steps are five times this noise
		l.noise = max(l.noise, 0.6*step)
	}
	return l, true
}

// modesOf finds the cells of a level with two modes. It takes the clearest modes first, and then leaves their
// cell out of the block effects: else its modes would spread to the others.
func modesOf(cells []logarithms) []bimodal {
	var found []bimodal
	for {
		best, at := bimodal{}, -1
		for i, l := range cells {
			m, two, err := stats.TwoModes(l.cleared(cells), l.noise)
			b := bimodal{m, l}
			worth := err == nil && two && b.apart() >= modesApart && b.apart() < modesBeyond
			if worth && (at < 0 || m.Ratio/m.Critical > best.Ratio/best.Critical) {
				best, at = b, i
			}
		}
		if at < 0 {
			return found
		}
		found, cells = append(found, best), slices.Delete(slices.Clone(cells), at, at+1)
	}
}

// cleared returns the values without block effects: less the median of the other cells in the block, times the
// reliability of these medians.
func (l *logarithms) cleared(cells []logarithms) []float64 {
	shared, most := make([]float64, len(l.values)), 0
	rows := make([][]float64, len(l.values))
	for i, b := range l.blocks {
		for _, o := range cells {
			if y, ok := o.at[b]; ok && o.cell != l.cell {
				rows[i] = append(rows[i], y)
			}
		}
		shared[i], _ = stats.Median(rows[i]) // 0 without others
		most = max(most, len(rows[i]))
	}
	share := 0.0
	if most > 1 { // only blocks with all the others
		share = reliability(slices.DeleteFunc(rows, func(row []float64) bool { return len(row) < most }))
	} else if line, err := stats.Linear(shared, l.values); err == nil && line.Slope > 0 && line.Test.P < drifts {
		// Two values per block do not separate the block effect from each cell's own variation: with a single
		// other cell, the slope does.
		share = min(line.Slope, 1)
	}
	cleared := slices.Clone(l.values)
	for i := range cleared {
		cleared[i] -= share * shared[i]
	}
	return cleared
}

// reliability is the share of the variance of the rows' means that is due to row effects, 1 - MSE/MSB of the
// two-way table, at least 0. The best linear predictor of a row's effect is its mean times this.
func reliability(table [][]float64) float64 {
	var means []float64
	rest := make([][]float64, len(table[0])) // by column, less the means of the rows
	for _, row := range table {
		mean, _ := stats.Mean(row)
		means = append(means, mean)
		for j, y := range row {
			rest[j] = append(rest[j], y-mean)
		}
	}
	k := float64(len(rest))
	between, err := stats.SD(means)
	within := 0.0
	for _, column := range rest {
		sd, _ := stats.SD(column)
		within += sd * sd / (k - 1) / k
	}
	if err != nil || !(between*between > within) {
		return 0
	}
	return 1 - within/(between*between)
}

// HiddenSpread is the standard deviation, in the metric's unit, that the difference of a cell from its baseline
// may have beyond the one observed, because few JVMs leave the shares of their modes uncertain. It depends only
// on deviations from the mean, so that the mean of all blocks stays independent of the number of blocks, as
// Stein's plan requires.
func (m *Modes) HiddenSpread(r *reading.Reading, c *results.Cell) float64 {
	variance := 0.0
	for _, b := range m.cells {
		if b.cell.ID != c.ID && b.cell.ID != c.Baseline {
			continue
		}
		widest, err := b.Spread(reading.Confidence)
		mean, err2 := stats.Mean(r.Values(b.cell.ID, r.Primary).Numbers())
		if n := float64(b.Faster + b.Slower); err == nil && err2 == nil {
			seen := b.Ratio * b.Within * b.Within * (n - 2) / (n - 1) // the sample variance of the values
			variance += max(0, widest*widest-seen) * mean * mean
		}
	}
	return math.Sqrt(variance)
}

// markOf is the caveat of a cell whose JVMs fall into two modes. It names the counters that split into the
// same groups without overlap.
func markOf(r *reading.Reading, b *bimodal) caveat.Mark {
	slow := map[int]bool{}
	for i, block := range b.blocks {
		slow[block] = b.Slow[i]
	}
	var differ []string
	for _, name := range inside {
		m := r.Metric(name)
		groups := map[bool][]float64{}
		for _, v := range r.Values(b.cell.ID, m) {
			if isSlow, known := slow[v.Block]; known {
				groups[isSlow] = append(groups[isSlow], v.X)
			}
		}
		fast, slower := groups[false], groups[true]
		if len(fast) == b.Faster && len(slower) == b.Slower &&
			(slices.Max(fast) < slices.Min(slower) || slices.Max(slower) < slices.Min(fast)) {
			x, errX := stats.Mean(fast)
			y, errY := stats.Mean(slower)
			if errX == nil && errY == nil {
				differ = append(differ, fmt.Sprintf(
					"%s (%s, in the slower ones %s)", name, figure.Quantity(x, m.Unit), figure.Quantity(y, m.Unit)))
			}
		}
	}
	split := cmp.Or(prose.If(len(differ) > 0, "inside them these split likewise: %s", strings.Join(differ, ", ")),
		"no counter inside them splits them likewise")
	return caveat.Mark{
		Rank: caveat.Remark, Kind: "modes", Show: fmt.Sprintf("two modes, %d and %d", b.Faster, b.Slower), Text: fmt.Sprintf(
			"its JVMs fall into two modes: %s, and %d are %s slower than these; %s; "+
				"the mean is that of the mixture seen here, and so few JVMs say little about how often each mode "+
				"occurs: make more blocks, and look for what the compiler does differently",
			figure.Plural(b.Faster, "JVM is fast", "JVMs are fast"), b.Slower, figure.Percent(b.apart()), split),
	}
}

// Notes is empty: each cell has its own caveat.
func (m *Modes) Notes() []string { return nil }

// Marks has the caveat of each cell with two modes.
func (m *Modes) Marks() map[string][]caveat.Mark {
	if m == nil {
		return nil
	}
	marks := map[string][]caveat.Mark{}
	for i, b := range m.cells {
		marks[b.cell.ID] = []caveat.Mark{m.marks[i]}
	}
	return marks
}

// Show is empty: the caveats say it.
func (m *Modes) Show(*chapter.Scene) []doc.Block { return nil }

// Rows is empty: modes are caveats.
func (m *Modes) Rows(*chapter.Scene) []rows.Row { return nil }
