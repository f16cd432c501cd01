package analysis

import (
	"cmp"
	"math"
	"slices"

	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/analysis/reading"
	"moobench/analysis/stats"
	"moobench/results"
)

// AtStandard is a figure at the standard speed of the CPU, for comparison with other campaigns. The figure
// beside it is as it ran.
type AtStandard struct {
	StandardNS float64 `json:"standard_ns"` // time of the reference at that speed
	AtNS       float64 `json:"at_ns"`       // its time here, the geometric mean over the scenario's JVMs
	// Elasticity is the cell's slowdown, in per cent, for a slowdown of the reference by one per cent;
	// ElasticitySE is its standard error.
	Elasticity   float64 `json:"elasticity"`
	ElasticitySE float64 `json:"elasticity_se"`
	// Mean, Difference, Ratio and PerExecution are like those beside it, without a test; for a quantile,
	// Estimate replaces Mean. Their intervals include the uncertainty of the elasticities.
	Mean         *Estimate `json:"mean,omitempty"`
	Estimate     *Estimate `json:"estimate,omitempty"`
	Difference   *Estimate `json:"difference,omitempty"`
	Ratio        *Estimate `json:"ratio,omitempty"`
	PerExecution *Estimate `json:"per_execution,omitempty"`
	// WayShare is the share of the squared standard error of Difference, or of a baseline's mean, that comes
	// from carrying values between the two speeds. More blocks do not reduce it.
	WayShare float64 `json:"way_share,omitempty"`
	Absent   string  `json:"absent,omitempty"` // why there is no figure at that speed
}

const (
	// mostCarried is the largest distance that costs are carried, as a difference of logarithms: nobody has
	// measured programs beyond.
	mostCarried = 0.35
	// alike is the relative difference up to which two figures count as one.
	alike = 0.01
)

// Slower is how much slower the CPU was here than at standard speed, as a share; below 0 it was faster.
func (s *AtStandard) Slower() float64 { return s.AtNS/s.StandardNS - 1 }

// differs reports whether a difference at standard speed is another number than the one as it ran: by at least
// a hundredth of the latter or, if larger, of the further end of its interval.
func (s *AtStandard) differs(ran *Estimate) bool {
	if s == nil || s.Difference == nil || ran == nil {
		return false
	}
	size := math.Abs(ran.Value)
	if i := ran.Interval; i != nil {
		size = max(size, math.Abs(i.Low), math.Abs(i.High))
	}
	return math.Abs(s.Difference.Value-ran.Value) >= alike*size
}

// way reports whether most of the interval comes from carrying values between the two speeds.
func (s *AtStandard) way() bool { return s.WayShare > 0.5 }

// setStandards looks up the standard of each reference; machines with two kinds of CPUs have no standard.
func setStandards(c *results.Campaign, machines []*results.Machine, all []Reference) {
	for i := range all {
		r := &all[i]
		m := slices.IndexFunc(machines, func(m *results.Machine) bool { return m.ID == r.Machine })
		if m < 0 {
			continue
		}
		if s := c.StandardOf(machines[m], r.Runtime); s != nil {
			r.StandardNS = s.NS
		}
		r.Mixed = machines[m].Core == results.MixedCores
	}
}

// ownSpeed are the factors that give a cell its own CPU speed. That speed is the subject of the factor, and
// must not be adjusted away.
var ownSpeed = []string{results.FactorFrequency, results.FactorCPUs, results.FactorGC, results.FactorJVM}

// hasOwnSpeed reports whether a cell's own parameters affect its speed. Several threads slow each other down if
// they share cores.
func hasOwnSpeed(c *results.Cell) bool {
	return c.Int("threads") > 1 || slices.ContainsFunc(ownSpeed, func(name string) bool { return c.Factor(name) != "" })
}

// standard is the reference's time at the standard speed of a cell's and its baseline's invocations; 0 if there
// is none, or more than one.
func (r *reader) standard(c *results.Cell) (ns float64) {
	if hasOwnSpeed(c) {
		return 0
	}
	for _, e := range slices.Concat(r.Primaries(c.ID), r.Primaries(c.Baseline)) {
		here := func(x *Reference) bool { return x.Machine == e.Machine && x.Runtime == e.Runtime }
		x := results.Find(r.Speed, here)
		if x == nil || x.StandardNS == 0 || ns != 0 && ns != x.StandardNS {
			return 0
		}
		ns = x.StandardNS
	}
	return ns
}

// standing gives the present and the standard CPU speed for values of a cell and their counterparts, or says
// why these are too far apart; nil without a standard speed.
func (r *reader) standing(c *results.Cell, vs, others evidence.Values) *AtStandard {
	ns := r.standard(c)
	if ns == 0 || !vs.Carried() || len(others) > 0 && !others.Carried() {
		return nil
	}
	here, _ := stats.Mean(results.Each(vs, func(v evidence.Value) float64 { return v.Carried.To })) // not empty
	law := vs[0].Carried.Law
	a := &AtStandard{StandardNS: ns, AtNS: math.Exp(here), Elasticity: law.Value, ElasticitySE: math.Sqrt(law.Variance)}
	if math.Abs(here-math.Log(ns)) > mostCarried {
		a.Absent = prose.TooFar(a.Slower())
	}
	return a
}

// asking compares values of a cell with others.
type asking func(vs, others evidence.Values) infer.Answer

// atStandard asks about values of a cell and their counterparts at standard speed; nil without such a speed.
// Without counterparts (others) there is only a mean.
func (r *reader) atStandard(c *results.Cell, vs, others evidence.Values, ask asking) *AtStandard {
	a := r.standing(c, vs, others)
	if a == nil || a.Absent != "" {
		return a
	}
	vs = r.carry(a, vs, others, ask)
	a.Mean, _ = infer.MeanOf(reading.SampleOf(vs), reading.Confidence, !r.Unordered())
	return a
}

// quantileAtStandard does the same for a quantile of each invocation's calls.
func (r *reader) quantileAtStandard(c *results.Cell, vs, others evidence.Values, ask asking) *AtStandard {
	vs, others = offSteps(vs, others)
	a := r.standing(c, vs, others)
	if a == nil || a.Absent != "" {
		return a
	}
	vs = r.carry(a, vs, others, ask)
	a.Estimate, _ = infer.MedianOf(reading.SampleOf(vs), reading.Confidence)
	return a
}

// offSteps returns the values under laws that allow carrying them to another speed. A quantile of a few clock
// ticks stays on one tick in most invocations, and jumps in others: that says nothing about how the program
// follows the speed, so that only the prior is left.
func offSteps(vs, others evidence.Values) (evidence.Values, evidence.Values) {
	laws := map[*evidence.Law]*evidence.Law{}
	for _, some := range []evidence.Values{vs, others} {
		if some.Stepped() && laws[some[0].Carried.Law] == nil {
			laws[some[0].Carried.Law] = some[0].Carried.Law.Unfitted()
		}
	}
	under := func(some evidence.Values) evidence.Values {
		if !some.Carried() || laws[some[0].Carried.Law] == nil {
			return some
		}
		return some.Under(laws[some[0].Carried.Law])
	}
	return under(vs), under(others)
}

// carry carries values and their counterparts to standard speed, fills in their difference there, and returns
// the former.
func (r *reader) carry(a *AtStandard, vs, others evidence.Values, ask asking) evidence.Values {
	speed := math.Log(a.StandardNS)
	vs = vs.At(speed)
	mean, _ := reading.SampleOf(vs).Scale(!r.Unordered()) // it may have no spread
	a.WayShare = wayShare(mean)
	if len(others) > 0 {
		x := ask(vs, others.At(speed))
		a.Difference, a.Ratio, a.WayShare = x.Difference, x.Ratio, wayShare(x.D)
	}
	for _, e := range []*Estimate{a.Difference, a.Ratio} {
		if e != nil { // both are for decisions, and these use the values as they ran
			e.Test, e.Detectable = nil, nil
		}
	}
	return vs
}

// wayShare is the share of the squared standard error that comes from elasticities.
func wayShare(s infer.Scale) float64 {
	if !(s.SE > 0) {
		return 0
	}
	return s.Carry * s.Carry / (s.SE * s.SE)
}

// standardNotes says at which speed costs are given, and how that affects their intervals. JVMs of several
// machines or JDKs have several speeds.
func (r *reader) standardNotes(s *Scenario) []string {
	var told []*Cell // one per speed
	var ways []string
	for i := range s.Cells {
		c := &s.Cells[i]
		m := c.MetricNamed(s.Primary)
		if m == nil || m.AtStandard == nil || c.Role != results.RoleVariant {
			continue
		}
		alike := func(o *Cell) bool {
			x := o.MetricNamed(s.Primary).AtStandard
			return x.StandardNS == m.AtStandard.StandardNS && x.AtNS == m.AtStandard.AtNS
		}
		if !slices.ContainsFunc(told, alike) {
			told = append(told, c)
		}
		if m.AtStandard.way() && m.AtStandard.differs(m.Difference) {
			ways = append(ways, c.Label)
		}
	}
	if told == nil {
		if len(r.Campaign.Standards) > 0 && slices.ContainsFunc(r.Cells, hasOwnSpeed) {
			return []string{prose.OwnSpeed}
		}
		if slices.ContainsFunc(r.Speed, func(x Reference) bool { return x.Mixed }) {
			return []string{prose.TwoKinds}
		}
		return nil
	}
	var notes []string
	for _, c := range told {
		if text := r.standardNote(s, c.MetricNamed(s.Primary).AtStandard); text != "" {
			notes = append(notes, prose.If(len(told) > 1 && c.Level != "", "%s: ", c.Level)+text)
		}
	}
	if ways != nil {
		notes = append(notes, prose.Way(ways))
	}
	return notes
}

// standardNote describes one speed; "" for the campaign's own standard.
func (r *reader) standardNote(s *Scenario, a *AtStandard) string {
	own := func(x results.Standard) bool { return x.NS == a.StandardNS && x.From == results.FromItself }
	switch {
	case a.Absent != "":
		return a.Absent
	case s.AtStandard():
		return prose.StandardSpeed(a.StandardNS, a.Slower())
	case slices.ContainsFunc(r.Campaign.Standards, own):
		return ""
	}
	return prose.NearStandard(a.StandardNS, a.Slower())
}

// AtStandard reports whether the scenario's costs are given at standard speed: some differ there from those as
// it ran.
func (s *Scenario) AtStandard() bool {
	return slices.ContainsFunc(s.Cells, func(c Cell) bool {
		m := c.MetricNamed(s.Primary)
		return m != nil && c.Role == results.RoleVariant && m.AtStandard.differs(m.Difference)
	})
}

// atSpeed compares a metric of a cell with that of another one in the same blocks, both carried to a speed of
// the CPU: the logarithm of the reference's time there, in ns. Difference and Ratio have 95 % intervals; D and
// L are their scales. The cells' MetricAnswer.Values have the original speed and the elasticity. why says why
// there is no answer: no such cell or metric, or values that can't be carried.
func (s *Scenario) atSpeed(
	solver infer.Solver, cell, other, metric string, speed float64,
) (a infer.Answer, why string) {
	var values [2]evidence.Values
	for i, id := range []string{cell, other} {
		c := s.Cell(id)
		if c == nil || c.MetricNamed(metric) == nil {
			return a, "the scenario has no such cell or metric"
		}
		if c.Invalid != "" {
			return a, c.Invalid
		}
		values[i] = c.MetricNamed(metric).Values
		if !values[i].Carried() {
			return a, c.Label + " is as it ran: nothing tells how it follows the speed of the CPU"
		}
	}
	pairs := evidence.PairsOf(values[0].At(speed), values[1].At(speed))
	if len(pairs.Blocks) == 0 {
		return a, reading.NoPairs
	}
	a = solver.Compare(infer.Question{Alpha: reading.Alpha}, reading.Paired(pairs))
	return a, a.NoDifference
}

// MachineSpeed is the speed of the CPU in the JVMs of a campaign on one machine and JDK build.
type MachineSpeed struct {
	Machine string // ID
	Runtime string // JDK build
	NS      float64
	N       int // number of JVMs; NS is their median
}

// leastSpeeds is the least number of JVMs for a speed.
const leastSpeeds = 6

// firstOfModel maps each machine of a merged campaign to the first one of its model: a model has one speed,
// whichever machine measured more. nil for other campaigns.
func firstOfModel(c *results.Campaign, src Source) map[string]string {
	if c.Merged == nil {
		return nil
	}
	machines, _ := src.Machines() // the analysis reports what can't be read
	first, alike := map[results.CPUModel]string{}, map[string]string{}
	for _, m := range machines { // ordered by ID
		first[m.Model()] = cmp.Or(first[m.Model()], m.ID)
		alike[m.ID] = first[m.Model()]
	}
	return alike
}

// Speeds returns the median speed of each machine, or model in a merged campaign, over the JVMs of a campaign
// that run at it: none with a set frequency, several threads, or a reference that the monitoring affected. It
// also returns the shifts of the reference by variants.
func Speeds(src Source) ([]MachineSpeed, []ReferenceShift) {
	c := src.Campaign()
	all := evidence.Gather(src)
	times, alike := map[[2]string][]float64{}, firstOfModel(c, src)
	var order [][2]string
	for i := range all.Invocations {
		e := &all.Invocations[i]
		cell := c.Cell(e.Cell)
		unused := func(r Reference) bool {
			return r.Unused != "" && r.Scenario == cell.Scenario && r.Machine == e.Machine && r.Runtime == e.Runtime
		}
		if !(e.Reference > 0) || hasOwnSpeed(cell) || cell.Role == results.RoleProof ||
			slices.ContainsFunc(all.References, unused) {
			continue
		}
		at := [2]string{cmp.Or(alike[e.Machine], e.Machine), e.Runtime}
		if times[at] == nil {
			order = append(order, at)
		}
		times[at] = append(times[at], e.Reference)
	}
	var speeds []MachineSpeed
	for _, at := range order {
		if median, err := stats.Median(times[at]); err == nil && len(times[at]) >= leastSpeeds {
			speeds = append(speeds, MachineSpeed{at[0], at[1], median, len(times[at])})
		}
	}
	return speeds, shifts(c, all)
}
