package infer

import (
	"math"
	"slices"

	"moobench/analysis/stats"
)

// Hosts is what the hosts that measured pairs say together.
type Hosts struct {
	// Each has what the hosts say one by one, in the order of their numbers.
	Each []HostEstimate `json:"each"`
	// OfThese says that the answer's difference and ratio are means of these hosts, all with the
	// same weight. Else most hosts have one block, and the answer is the one for hosts like these.
	OfThese bool `json:"of_these"`
	// Like is the difference, and LikeRatio the ratio, for hosts like these; absent of fewer than
	// two hosts. LikeVerdict is what they say; of fewer than three hosts nothing.
	Like        *Estimate `json:"like,omitempty"`
	LikeRatio   *Estimate `json:"like_ratio,omitempty"`
	LikeVerdict Verdict   `json:"like_verdict"`
	// Between is the standard deviation of the difference between hosts; absent where it can't be
	// told from that of blocks.
	Between *float64 `json:"between_sd,omitempty"`
	// Next is where the difference of another host lies, at the level of the interval; absent of fewer
	// than five hosts.
	Next *Interval `json:"next,omitempty"`
}

// HostEstimate is what one host says.
type HostEstimate struct {
	Host  int      `json:"host"`            // number
	Pairs int      `json:"pairs"`           // blocks
	Value float64  `json:"value"`           // mean difference
	SE    *float64 `json:"se,omitempty"`    // absent of one block
	DF    float64  `json:"df,omitempty"`    // of SE
	Ratio float64  `json:"ratio,omitempty"` // absent where there is none
	// Interval is at the level of the answer's; absent of one block.
	Interval *Interval `json:"interval,omitempty"`
}

// fewestHosts is how many hosts a verdict about others like them takes.
const fewestHosts = 3

// overHosts is a scale over several hosts, and what each of them says.
type overHosts struct {
	groups []stats.Group
	hosts  []int // their numbers
	like   Scale // for hosts like these; N is 0 where that is not known
	pop    stats.Population
	these  bool // the scale is one of these hosts
}

// stratified is the scale of values that were measured on several hosts: the mean of the hosts' means, each
// from its own values alone, in order of time. hangs are the sensitivities of those at some places.
func stratified(values []float64, strata []int, size float64, hangs func(at []int) []Sensitivity, ordered bool) (Scale, *overHosts, string) {
	o := new(overHosts)
	var shared []Sensitivity
	for _, host := range distinct(strata) {
		var at []int
		var own []float64
		for i, h := range strata {
			if h == host {
				at, own = append(at, i), append(own, values[i])
			}
		}
		s, why := ScaleOf(own)
		if why != "" {
			return s, nil, why
		}
		on := hangs(at)
		s = s.along(own, on, ordered)
		g := stats.Group{N: s.N, Mean: s.Value}
		if s.Spread() {
			g.SE, g.DF = math.Sqrt(s.apart()), s.DF
		}
		o.groups, o.hosts = append(o.groups, g), append(o.hosts, host)
		for _, x := range on {
			shared = append(shared, Sensitivity{On: x.On, By: x.By / float64(len(own))})
		}
	}
	for i := range shared {
		shared[i].By /= float64(len(o.groups))
	}
	sum := Scale{N: len(values), SD: stats.PooledWithin(o.groups).SE()}
	var err error
	if o.pop, err = stats.LikeGroups(o.groups); err == nil {
		o.like = sum
		o.like.N, o.like.Value, o.like.SE, o.like.DF = len(o.groups), o.pop.Mean, o.pop.SE, o.pop.DF
		o.like.SD, o.like.Size = 0, max(size, math.Abs(o.pop.Mean))
	}
	mean, v, err := stats.TheseGroups(o.groups)
	if err != nil {
		o.like = o.like.Off(shared)
		return o.like, o, ""
	}
	o.these = true
	if se := v.SE(); o.like.N > 0 && o.like.SE < se { // of others no more is known than of these
		o.like.SE, o.like.DF = se, min(o.like.DF, v.DF)
	}
	o.like = o.like.Off(shared)
	sum.Value, sum.SE, sum.DF, sum.Size = mean, v.SE(), v.DF, max(size, math.Abs(mean))
	return sum.Off(shared), o, ""
}

// pick is the sample of the values at some places.
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

// distinct are different numbers, sorted.
func distinct(xs []int) []int {
	all := slices.Clone(xs)
	slices.Sort(all)
	return slices.Compact(all)
}

// tellHosts fills in what the hosts say together.
func (c *comparison) tellHosts() {
	if c.dHosts == nil {
		return
	}
	level := c.Level()
	h := &Hosts{OfThese: c.dHosts.these, LikeVerdict: NoAnswer}
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
	if pop := c.dHosts.pop; pop.TauKnown {
		h.Between = new(pop.Tau)
		if next, known := pop.Predict(level); known {
			h.Next = &next
		}
	}
	if len(h.Each) >= fewestHosts {
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
