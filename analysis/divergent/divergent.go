// Package divergent finds outlying executions of a series: by the rule of Shah and Guyer 2018,
// which uses a line and a standard deviation, and by our own rule, which allows for warm-up and
// heavy tails. A series is read twice, execution by execution, so it need not fit into memory.
package divergent

import (
	"cmp"
	"math"
	"slices"

	"github.com/HdrHistogram/hdrhistogram-go"

	"moobench/analysis/steady"
	"moobench/results/summary"
)

// Limits on the kept part of a series.
const (
	mostColumns    = 2000
	mostExact      = 2048 // values; beyond that, they are counted with two digits
	mostExecutions = 50   // named by each rule
	mostNS         = int64(1) << 50
)

// Parameters of our rule.
const (
	fewest     = 20  // least number of executions to see a tail
	resolution = 200 // ns, several clock readings: smaller distances from the median don't count
	least      = 2.0 // times the median
)

// Execution is one execution of a series.
type Execution struct {
	Index  int64 // from 0, in the order of their ends
	NS     int64
	AtNS   int64 // when it ended, as given by the caller
	Thread int   // as given by the caller
}

// Divergent holds the executions named by a rule.
type Divergent struct {
	N     int64
	Share float64 // of the judged executions
	// Named holds the first of them by the paper's rule, the longest by ours, in execution order;
	// all if N is small enough.
	Named []Execution
}

// Column is a stretch of consecutive executions.
type Column struct {
	N, SumNS, MostNS int64
}

// Bin is a histogram bin.
type Bin struct {
	FromNS, ToNS float64
	N            int64
}

// Series is the result for a series.
type Series struct {
	N, TotalNS, LeastNS, MostNS int64
	MeanNS, SDNS                float64 // SDNS is the population standard deviation, as in the paper's tool
	// InterceptNS and SlopeNS are the least-squares line over the index of execution, from 0.
	InterceptNS, SlopeNS float64
	// Paper holds the executions more than SDNS away from the line, above or below.
	Paper Divergent
	// SteadyFrom is the first execution judged by our rule; Steady says whether the series is
	// steady from there on.
	SteadyFrom int64
	Steady     bool
	// MedianNS is the median from SteadyFrom on; executions above FenceNS diverge by our rule.
	// FenceNS is 0 if there are too few executions to tell.
	MedianNS, FenceNS float64
	Ours              Divergent
	// SlowFromNS separates two kinds of executions from SteadyFrom on, if there are two distinct
	// kinds; SlowShare is the share of the slower kind; 0 if there is one kind.
	SlowFromNS, SlowShare float64
	Columns               []Column // of all executions, equally many in each but the last
	Bins                  []Bin    // of all executions, equally wide on a log scale
}

// Count is the first pass over a series.
type Count struct {
	s       Series
	m2, cov float64
	width   int64 // executions per column
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

// Judge starts the second pass.
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
	if f, err := steady.Classify(means); err == nil { // on error there are too few columns
		j.s.SteadyFrom, j.s.Steady = int64(f.From)*c.width, f.Class != steady.Unsteady
	}
	return j
}

// Judge is the second pass over a series.
type Judge struct {
	s     Series
	read  int64
	all   values
	quiet values      // from SteadyFrom on
	most  []Execution // the longest of quiet, ascending
}

// Add adds the next execution, in the same order as in the first pass; it sets the index.
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
	if len(j.most) < mostExecutions || e.NS > j.most[0].NS { // most[0] is the shortest
		if len(j.most) == mostExecutions {
			j.most = j.most[1:]
		}
		at, _ := slices.BinarySearchFunc(j.most, e, func(a, b Execution) int { return cmp.Compare(a.NS, b.NS) })
		j.most = slices.Insert(j.most, at, e)
	}
}

// Series ends the second pass.
func (j *Judge) Series() *Series {
	s := &j.s
	s.Paper.Share = float64(s.Paper.N) / max(1, float64(s.N))
	s.Bins = j.all.bins(float64(s.LeastNS), float64(s.MostNS))
	s.MedianNS = j.quiet.quantile(0.5)
	if j.quiet.n < fewest {
		return s
	}
	s.SlowFromNS, s.SlowShare = j.quiet.kinds()
	s.FenceNS = j.quiet.fenceOf(s.SlowShare)
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

// Of judges a series in memory.
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

// values holds times: exactly, or as counts if there are many.
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
			v.counts.RecordValue(e) // no error: the value is in range
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

// reached is the reach of the longest of n executions: its distance beyond the upper of two
// quantiles, in steps from the lower to the upper, on a log scale of the excess over the median.
// Beyond the last entry, reach grows like that of a power tail.
type reached struct {
	n, reach float64
}

// tails lists the quantile pairs that describe the tail, from a number of executions on, with the
// reach that the longest execution of one mode exceeds in at most 4 % of the series: the largest 96
// % quantiles over normal, exponential, lognormal (sigma 0.5, 1 and 2), Weibull (0.5), Pareto (1
// and 1.5) and t3 values, rounded up, because sample quantiles for small n jump with n.
// TestCalibration computes them.
var tails = []struct {
	low, high float64
	reached   []reached
}{
	{0.75, 0.9, []reached{{20, 6.8}, {30, 6.8}, {50, 6.2}, {100, 5.6}, {500, 5.6}}},
	{0.9, 0.95, []reached{{500, 9.3}, {1000, 9.8}, {2000, 10.4}, {5000, 11.6}, {20_000, 13.2}}},
}

// reach returns the reach of the longest of n, and the quantiles that it refers to.
func reach(n float64) (low, high, steps float64) {
	t := tails[0]
	for _, more := range tails {
		if n >= more.reached[0].n {
			t = more
		}
	}
	last := len(t.reached) - 1
	if n >= t.reached[last].n {
		return t.low, t.high, t.reached[last].reach + math.Log2(n/t.reached[last].n)
	}
	i := 1
	for i < last && t.reached[i].n < n {
		i++
	}
	from, to := t.reached[i-1], t.reached[i]
	share := math.Log(n/from.n) / math.Log(to.n/from.n)
	return t.low, t.high, from.reach + share*(to.reach-from.reach)
}

// fence returns the time that the longest of n executions of one kind exceeds in at most one series
// of twenty, if the tail continues as between two of its quantiles: as a power of the excess over
// the median, the heaviest of the usual tails, so that lighter tails exceed it less often. It uses
// two quantiles, so that executions further out have no influence. Times within twice the median
// are never divergent.
//
// Sources: Weissman 1978 (quantiles beyond the data from a tail index), with the index from
// quantiles as in Pickands 1975.
func fence(n int64, quantile func(float64) float64) float64 {
	from, to, steps := reach(float64(n))
	median := quantile(0.5)
	low, high := max(resolution/4, quantile(from)-median), quantile(to)-median
	limit := median + resolution
	if high > low {
		limit = max(limit, median+high*math.Pow(high/low, steps))
	}
	return max(limit, least*median)
}

// tellable is the least number of executions of a slower kind for a fence of its own: with fewer,
// the fence lies so far out that it hides executions a hundred times as long.
const tellable = 200

// fenceOf returns the fence of the executions, or with two kinds that of the slower one. A slower
// kind with too few executions is assumed to scatter like the faster kind.
func (v *values) fenceOf(slowShare float64) float64 {
	slow := int64(math.Round(slowShare * float64(v.n)))
	slower := func(q float64) float64 { return v.quantile(1 - slowShare*(1-q)) }
	faster := func(q float64) float64 { return v.quantile((1 - slowShare) * q) }
	switch {
	case slow == 0:
		return fence(v.n, v.quantile)
	case slow >= tellable:
		return fence(slow, slower)
	}
	return slower(0.5) * fence(v.n-slow, faster) / max(1, faster(0.5))
}

// kinds finds two kinds of times, separated by an almost empty gap that is wider than either kind
// without its outer tenth; each kind has more than one in twenty of the executions, and at least
// three.
func (v *values) kinds() (slowFrom, slowShare float64) {
	const (
		apart = 1.5  // least ratio of the slower kind's start to the faster kind's end
		stray = 0.01 // share of all that may lie in the gap
		few   = 3    // least number of executions of a kind
		far   = 0.1  // share of a kind that may lie further out
	)
	part := max(0.05, (few-0.5)/float64(v.n)) // least share of each kind
	widest := apart
	for below := part; below <= 1-part; below += stray {
		low, high := v.quantile(below), v.quantile(min(below+stray, 1-part))
		gap := high / max(1, low)
		if gap <= widest {
			continue
		}
		faster, slower := low/max(1, v.quantile(far*below)), v.quantile(1-far*(1-below))/high
		if gap > max(faster, slower) {
			widest, slowFrom = gap, v.after(low, high)
		}
	}
	if slowFrom == 0 {
		return 0, 0
	}
	return slowFrom, float64(v.above(slowFrom-1)) / float64(v.n)
}

// after returns the first value behind the widest gap between neighbours from low to high, if the
// values are kept exactly; otherwise high. A quantile call must have sorted them.
func (v *values) after(low, high float64) float64 {
	at, widest := high, 0.0
	for i := 1; i < len(v.exact); i++ {
		from, to := float64(v.exact[i-1]), float64(v.exact[i])
		if from >= low && to <= high && to/max(1, from) > widest {
			at, widest = to, to/max(1, from)
		}
	}
	return at
}

// above counts the values above fence.
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

// bins counts the values between two times in bins of equal width on a log scale.
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
