// Package divergent finds the executions of a series that took unlike the others: by the rule
// of Shah and Guyer 2018, which knows a line and a standard deviation, and by one that knows
// of warm-up and of heavy tails. A series is read twice, execution by execution, so that it
// need not fit into memory.
package divergent

import (
	"cmp"
	"math"
	"slices"

	"github.com/HdrHistogram/hdrhistogram-go"

	"moobench/analysis/steady"
	"moobench/results/summary"
)

// How much of a series is kept.
const (
	mostColumns    = 2000
	mostExact      = 2048 // values; more of them are counted with two digits
	mostExecutions = 50   // that are named by each rule
	mostNS         = int64(1) << 50
)

// The rule of ours.
const (
	fewest     = 20  // executions of which a tail can be seen
	resolution = 200 // ns: several looks at the clock; what is closer to the median is no news
	least      = 2.0 // times the median
)

// Execution is one of a series.
type Execution struct {
	Index  int64 // from 0, in the order of their ends
	NS     int64
	AtNS   int64 // when it ended, as the caller said
	Thread int   // likewise
}

// Divergent are the executions that a rule names.
type Divergent struct {
	N     int64
	Share float64 // of those that it judged
	// Named are the first of them by the paper's rule, and the longest of them by ours, in
	// their order; all of them where N is not larger.
	Named []Execution
}

// Column is a part of a series: executions that follow each other.
type Column struct {
	N, SumNS, MostNS int64
}

// Bin is a bar of a histogram.
type Bin struct {
	FromNS, ToNS float64
	N            int64
}

// Series is what is known of a series.
type Series struct {
	N, TotalNS, LeastNS, MostNS int64
	MeanNS, SDNS                float64 // the standard deviation is that of a population, as in the paper's tool
	// InterceptNS and SlopeNS are the line by least squares over the index of execution, from 0.
	InterceptNS, SlopeNS float64
	// Paper are those that are further than SDNS from the line, above or below it.
	Paper Divergent
	// SteadyFrom is the first execution that ours judges; Steady says whether it is steady from
	// there on.
	SteadyFrom int64
	Steady     bool
	// MedianNS is of the executions from SteadyFrom on, and those above FenceNS diverge by our
	// rule; FenceNS is 0 where there are too few to tell.
	MedianNS, FenceNS float64
	Ours              Divergent
	// SlowFromNS parts the executions from SteadyFrom on into two kinds, where there are two that
	// lie apart, and SlowShare is the share of the slower kind; 0 where there is one.
	SlowFromNS, SlowShare float64
	Columns               []Column // of all executions, as many in each but the last
	Bins                  []Bin    // of all executions, by the logarithm
}

// Count is the first reading of a series.
type Count struct {
	s       Series
	m2, cov float64
	width   int64 // executions in a column
}

// Add adds the next execution.
func (c *Count) Add(ns int64) {
	s := &c.s
	if s.N == 0 {
		c.width, s.LeastNS = 1, ns
	}
	s.LeastNS, s.MostNS, s.TotalNS = min(s.LeastNS, ns), max(s.MostNS, ns), s.TotalNS+ns
	i, d := float64(s.N), float64(ns)-s.MeanNS
	s.N++
	s.MeanNS += d / float64(s.N)
	c.m2 += d * (float64(ns) - s.MeanNS)
	c.cov += (i - i/2) * d // i/2 is the mean of the indices 0 … i
	if last := len(s.Columns) - 1; last < 0 || s.Columns[last].N == c.width {
		s.Columns = append(s.Columns, Column{})
	}
	last := &s.Columns[len(s.Columns)-1]
	*last = last.with(Column{1, ns, ns})
	if len(s.Columns) == mostColumns && last.N == c.width {
		for k := range mostColumns / 2 {
			s.Columns[k] = s.Columns[2*k].with(s.Columns[2*k+1])
		}
		s.Columns, c.width = s.Columns[:mostColumns/2], 2*c.width
	}
}

func (c Column) with(o Column) Column {
	return Column{c.N + o.N, c.SumNS + o.SumNS, max(c.MostNS, o.MostNS)}
}

// Judge begins the second reading.
func (c *Count) Judge() *Judge {
	j := &Judge{s: c.s}
	n := float64(j.s.N)
	if n > 0 {
		j.s.SDNS = math.Sqrt(c.m2 / n)
	}
	if n > 1 {
		j.s.SlopeNS = c.cov / (n * (n*n - 1) / 12)
	}
	j.s.InterceptNS = j.s.MeanNS - j.s.SlopeNS*(n-1)/2
	means := make([]float64, len(j.s.Columns))
	for i, col := range j.s.Columns {
		means[i] = float64(col.SumNS) / float64(col.N)
	}
	if f, err := steady.Classify(means); err == nil { // else there are too few to tell
		j.s.SteadyFrom, j.s.Steady = int64(f.From)*c.width, f.Class != steady.Unsteady
	}
	return j
}

// Judge is the second reading of a series.
type Judge struct {
	s     Series
	read  int64
	all   values
	quiet values      // from SteadyFrom on
	most  []Execution // of quiet
}

// Add adds the next execution, the same as in the first reading; its index is set here.
func (j *Judge) Add(e Execution) {
	e.Index = j.read
	j.read++
	s := &j.s
	j.all.add(e.NS)
	if math.Abs(float64(e.NS)-s.InterceptNS-s.SlopeNS*float64(e.Index)) > s.SDNS {
		if s.Paper.N++; s.Paper.N <= mostExecutions {
			s.Paper.Named = append(s.Paper.Named, e)
		}
	}
	if e.Index < s.SteadyFrom {
		return
	}
	j.quiet.add(e.NS)
	if len(j.most) < mostExecutions || e.NS > j.most[0].NS { // the least of them is the first
		if len(j.most) == mostExecutions {
			j.most = j.most[1:]
		}
		at, _ := slices.BinarySearchFunc(j.most, e, func(a, b Execution) int { return cmp.Compare(a.NS, b.NS) })
		j.most = slices.Insert(j.most, at, e)
	}
}

// Series ends the second reading.
func (j *Judge) Series() *Series {
	s := &j.s
	s.Paper.Share = float64(s.Paper.N) / max(1, float64(s.N))
	s.Bins = j.all.bins(float64(s.LeastNS), float64(s.MostNS))
	s.MedianNS = j.quiet.quantile(0.5)
	if j.quiet.n < fewest {
		return s
	}
	s.SlowFromNS, s.SlowShare = j.quiet.kinds()
	s.FenceNS = j.quiet.fence()
	s.Ours.N = j.quiet.above(s.FenceNS)
	s.Ours.Share = float64(s.Ours.N) / float64(j.quiet.n)
	for _, e := range j.most {
		if float64(e.NS) > s.FenceNS {
			s.Ours.Named = append(s.Ours.Named, e)
		}
	}
	slices.SortFunc(s.Ours.Named, func(a, b Execution) int { return cmp.Compare(a.Index, b.Index) })
	return s
}

// Of judges a series that is in memory.
func Of(ns []int64) *Series {
	var c Count
	for _, v := range ns {
		c.Add(v)
	}
	j := c.Judge()
	for _, v := range ns {
		j.Add(Execution{NS: v})
	}
	return j.Series()
}

// values are times: as they are, or where there are many, counted.
type values struct {
	n      int64
	exact  []int64
	sorted bool
	counts *hdrhistogram.Histogram
}

func (v *values) add(ns int64) {
	ns = min(max(ns, 0), mostNS)
	v.n++
	if v.counts == nil && len(v.exact) < mostExact {
		v.exact = append(v.exact, ns)
		return
	}
	if v.counts == nil {
		v.counts = hdrhistogram.New(1, mostNS, 2)
		for _, e := range v.exact {
			v.counts.RecordValue(e) // it is in the range, and so is no error
		}
		v.exact = nil
	}
	v.counts.RecordValue(ns)
}

func (v *values) quantile(q float64) float64 {
	switch {
	case v.n == 0:
		return 0
	case v.counts != nil:
		return float64(v.counts.ValueAtQuantile(100 * q))
	case !v.sorted:
		slices.Sort(v.exact)
		v.sorted = true
	}
	return float64(summary.NearestRank(v.exact, q))
}

// fence is the time above which a tenth of an execution is expected among so many, if the
// tail goes on as it does between the 90th and the 95th percentile. That is as a power of the
// time, the heaviest of the usual tails: of lighter ones fewer are expected. Two quantiles
// tell how it goes on, so that no execution further out has a say. What is within twice the
// median is not divergent in any case.
//
// Sources: Weissman 1978 (quantiles beyond the data by a tail's index), with the index from
// quantiles as in Pickands 1975.
func (v *values) fence() float64 {
	median, q90, q95 := v.quantile(0.5), v.quantile(0.9), v.quantile(0.95)
	index := 0.0
	if q90 > 0 {
		index = math.Log(q95/q90) / math.Ln2
	}
	return max(q90*math.Pow(float64(v.n), index), least*median, median+resolution)
}

// kinds finds two kinds of times: with a gap between them in which there is next to nothing,
// the widest, and at least one in twenty on either side.
func (v *values) kinds() (slowFrom, slowShare float64) {
	const (
		apart = 2.0  // the slower kind begins at so many times the end of the faster one
		part  = 0.05 // of all that either kind has
		stray = 0.01 // of all that may lie in the gap
	)
	widest := apart
	for below := part; below <= 1-part; below += stray {
		low, high := v.quantile(below), v.quantile(min(below+stray, 1-part))
		if ratio := high / max(1, low); ratio > widest {
			widest, slowFrom = ratio, high
		}
	}
	if slowFrom == 0 {
		return 0, 0
	}
	return slowFrom, float64(v.above(slowFrom-1)) / float64(v.n)
}

// above is how many are longer.
func (v *values) above(fence float64) (n int64) {
	for _, e := range v.exact {
		if float64(e) > fence {
			n++
		}
	}
	if v.counts != nil {
		for _, bar := range v.counts.Distribution() {
			if float64(bar.From) > fence {
				n += bar.Count
			}
		}
	}
	return n
}

// bins counts between two times, in parts that are as many times as long as each other.
func (v *values) bins(low, high float64) []Bin {
	const most = 40
	low, high = max(1, low), max(2, high+1)
	bins := make([]Bin, most)
	step := math.Log(high/low) / most
	for i := range bins {
		bins[i] = Bin{FromNS: low * math.Exp(float64(i)*step), ToNS: low * math.Exp(float64(i+1)*step)}
	}
	count := func(ns float64, n int64) {
		bins[min(max(0, int(math.Log(max(1, ns)/low)/step)), most-1)].N += n
	}
	for _, e := range v.exact {
		count(float64(e), 1)
	}
	if v.counts != nil {
		for _, bar := range v.counts.Distribution() {
			if bar.Count > 0 {
				count(float64(bar.From+bar.To)/2, bar.Count)
			}
		}
	}
	return bins
}
