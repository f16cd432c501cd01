package infer

import (
	"math"
	"slices"

	"moobench/analysis/stats"
)

// Hosts combines the estimates of the hosts that measured the pairs.
type Hosts struct {
	// Each has one estimate per host, in the order of their numbers.
	Each []HostEstimate `json:"each"`
	// OfThese says that the answer's difference and ratio are means over these hosts, equally
	// weighted. Otherwise most hosts have one block, and the answer is for the population of hosts.
	OfThese bool `json:"of_these"`
	// Complete says that there are no other hosts, as for the lanes of one machine.
	Complete bool `json:"complete,omitempty"`
	// Like is the difference, and LikeRatio the ratio, for the population of hosts; absent for
	// fewer than two hosts. LikeVerdict is their verdict: no answer for fewer than three hosts.
	Like        *Estimate `json:"like,omitempty"`
	LikeRatio   *Estimate `json:"like_ratio,omitempty"`
	LikeVerdict Verdict   `json:"like_verdict"`
	// Between is the standard deviation of the difference between hosts; absent if it can't be
	// separated from the variation between blocks.
	Between *float64 `json:"between_sd,omitempty"`
	// Next is the prediction interval for the difference on another host, at the level of the
	// interval; absent for fewer than five hosts.
	Next *Interval `json:"next,omitempty"`
}

// HostEstimate is the estimate of one host.
type HostEstimate struct {
	Host  int      `json:"host"`            // number
	Pairs int      `json:"pairs"`           // blocks
	Value float64  `json:"value"`           // mean difference
	SE    *float64 `json:"se,omitempty"`    // absent for one block
	DF    float64  `json:"df,omitempty"`    // of SE
	Ratio float64  `json:"ratio,omitempty"` // absent if there is no ratio
	// Interval is at the level of the answer's; absent for one block.
	Interval *Interval `json:"interval,omitempty"`
}

// fewestHosts is the least number of hosts for a verdict on the population of hosts.
const fewestHosts = 3

// overHosts is a scale over several hosts, with the estimates by host.
type overHosts struct {
	groups []stats.Group
	hosts  []int // host numbers
	like   Scale // for the population of hosts; N is 0 if not known
	pop    stats.Population
	these  bool // the scale is for these hosts
}

// places returns the indices of the values of one stratum.
func (s Sample) places(stratum int) (at []int) {
	for i, own := range s.Strata {
		if own == stratum {
			at = append(at, i)
		}
	}
	return at
}

// overStrata returns the scale of values measured in the sample's strata: the mean of the strata's
// means, each from its own values, in order of time. hangs returns the sensitivities of the values
// at some indices. ok is false for one stratum, if values overflow, and if there are no other
// strata and most of these don't show how their values scatter: then all are one sample.
func (s Sample) overStrata(
	values []float64, size float64, hangs func(at []int) []Sensitivity, ordered bool,
) (sum Scale, o *overHosts, ok bool) {
	strata := distinct(s.Strata)
	if len(strata) < 2 {
		return sum, nil, false
	}
	o = &overHosts{hosts: strata}
	var shared []Sensitivity
	for _, host := range strata {
		at := s.places(host)
		own := Sample{Values: values}.pick(at).Values
		one, why := ScaleOf(own)
		if why != "" {
			return sum, nil, false
		}
		on := hangs(at)
		one = one.along(own, on, ordered)
		g := stats.Group{N: one.N, Mean: one.Value}
		if one.Spread() {
			g.SE, g.DF = math.Sqrt(one.apart()), one.DF
		}
		o.groups = append(o.groups, g)
		for _, x := range on {
			shared = append(shared, Sensitivity{On: x.On, By: x.By / float64(len(own)) / float64(len(strata))})
		}
	}
	mean, v, err := stats.TheseGroups(o.groups)
	if err != nil && s.Complete {
		return sum, nil, false
	}
	if !s.Complete {
		o.others(size)
	}
	if err != nil {
		o.like = o.like.Off(shared)
		return o.like, o, true
	}
	o.areThese(v)
	o.like = o.like.Off(shared)
	sum = Scale{
		N: len(values), Value: mean, SE: v.SE(), DF: v.DF,
		SD: stats.PooledWithin(o.groups).SE(), Size: max(size, math.Abs(mean)),
	}
	return sum.Off(shared), o, true
}

// others estimates the scale for the population of hosts.
func (o *overHosts) others(size float64) {
	pop, err := stats.LikeGroups(o.groups)
	if err != nil {
		return
	}
	o.pop = pop
	o.like = Scale{N: len(o.groups), Value: pop.Mean, SE: pop.SE, DF: pop.DF, Size: max(size, math.Abs(pop.Mean))}
}

// areThese makes the scale one for these hosts, with this variance: the population's is at least as
// uncertain.
func (o *overHosts) areThese(v stats.Variance) {
	o.these = true
	if se := v.SE(); o.like.N > 0 && o.like.SE < se {
		o.like.SE, o.like.DF = se, min(o.like.DF, v.DF)
	}
}

// apart returns the scale of the difference of the means of two independent samples from the same
// strata: the difference in each stratum, averaged with equal weights. The variance is pooled from
// all cells of stratum and sample; a cell with one value is taken to vary as the others do on
// average (Satterthwaite 1946). ok is false if fewer than half of the cells have two values.
func apart(x, y Sample) (s Scale, o *overHosts, ok bool) {
	strata := distinct(x.Strata)
	if len(strata) < 2 || !slices.Equal(strata, distinct(y.Strata)) {
		return s, nil, false
	}
	o = &overHosts{hosts: strata}
	var cells []stats.Group // y's with negated means
	for _, stratum := range strata {
		a, b := x.cell(stratum), y.cell(stratum)
		d := stats.Group{N: min(a.N, b.N), Mean: a.Mean - b.Mean}
		if a.DF > 0 && b.DF > 0 {
			v := stats.SumOfVariances(stats.VarianceOf(a.SE, a.DF), stats.VarianceOf(b.SE, b.DF))
			d.SE, d.DF = v.SE(), v.DF
		}
		s.Size = max(s.Size, math.Abs(a.Mean), math.Abs(b.Mean))
		b.Mean = -b.Mean
		cells, o.groups = append(cells, a, b), append(o.groups, d)
	}
	mean, v, err := stats.TheseGroups(cells)
	if err != nil {
		return s, nil, false
	}
	v.Value *= 4 // the mean over all cells is half of the difference
	s.N, s.Value, s.SE, s.DF = min(len(x.Values), len(y.Values)), 2*mean, v.SE(), v.DF
	s.SD = stats.PooledWithin(cells).SE()
	if !x.Complete {
		o.others(s.Size)
	}
	o.areThese(v)
	return s, o, true
}

// cell returns the mean of one stratum.
func (s Sample) cell(stratum int) stats.Group {
	scale, _ := ScaleOf(s.pick(s.places(stratum)).Values) // no error: a stratum has values
	g := stats.Group{N: scale.N, Mean: scale.Value}
	if scale.Spread() {
		g.SE, g.DF = scale.SE, scale.DF
	}
	return g
}

// pick returns the sample of the values at some indices.
func (s Sample) pick(at []int) Sample {
	var few Sample
	for _, i := range at {
		few.Values = append(few.Values, s.Values[i])
		if s.Sensitivities != nil {
			few.Sensitivities = append(few.Sensitivities, s.Sensitivities[i])
		}
	}
	return few
}

// distinct returns the different numbers, sorted.
func distinct(xs []int) []int {
	all := slices.Clone(xs)
	slices.Sort(all)
	return slices.Compact(all)
}

// tellHosts fills in the answer's Hosts.
func (c *comparison) tellHosts() {
	if c.dHosts == nil {
		return
	}
	level := c.Level()
	h := &Hosts{OfThese: c.dHosts.these, Complete: c.data.X.Complete, LikeVerdict: NoAnswer}
	for i, g := range c.dHosts.groups {
		e := HostEstimate{Host: c.dHosts.hosts[i], Pairs: g.N, Value: g.Mean, DF: g.DF}
		if g.DF > 0 {
			e.SE = new(g.SE)
			e.Interval = new(stats.IntervalT(g.Mean, g.SE, g.DF, stats.TwoSided, level))
		}
		if c.lHosts != nil {
			e.Ratio = math.Exp(c.lHosts.groups[i].Mean)
		}
		h.Each = append(h.Each, e)
	}
	if c.dHosts.like.N > 0 {
		h.Like, _ = c.dHosts.like.reported(level, c.alternative(), itself)
	}
	if c.lHosts != nil && c.lHosts.like.N > 0 {
		h.LikeRatio, _ = c.lHosts.like.reported(level, c.alternative(), math.Exp)
	}
	if pop := c.dHosts.pop; pop.TauKnown && h.Like != nil {
		h.Between = new(pop.Tau)
		if next, known := pop.Predict(level); known {
			h.Next = &next
		}
	}
	if len(h.Each) >= fewestHosts && h.Like != nil {
		like := *c
		like.D, like.Difference, like.Ratio = c.dHosts.like, h.Like, h.LikeRatio
		if c.lHosts != nil {
			like.L = c.lHosts.like
		}
		e, neutral := like.Main()
		h.LikeVerdict = VerdictOf(e, neutral, c.alternative(), like.equivalence(Doubt{}))
	}
	c.Hosts = h
}
