package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"moobench/analysis"
	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/reading"
	"moobench/analysis/stats"
	"moobench/results"
)

// OneSpeed is the CPU speed at which two campaigns were compared.
type OneSpeed struct {
	// OldNS and NewNS are the reference's time in each campaign; AtNS is its time at the speed in
	// between, to which both costs were carried.
	OldNS float64 `json:"old_reference_ns"`
	NewNS float64 `json:"new_reference_ns"`
	AtNS  float64 `json:"at_ns"`
	// Elasticity is the percentage by which the cell slows down when the reference slows down by 1
	// %; SE is its standard error. With two programs, both are the new one's.
	Elasticity float64 `json:"elasticity"`
	SE         float64 `json:"elasticity_se"`
	// Between is the standard deviation between campaigns, as a share of the cost; it enters the
	// interval once per campaign.
	Between float64 `json:"between_campaigns_sd"`
	// Old and New are the two compared figures at that speed: the costs; for a relative change the
	// ratios; for a cell without a reference the means.
	Old *analysis.Estimate `json:"old,omitempty"`
	New *analysis.Estimate `json:"new,omitempty"`
	// OldMean and NewMean are the means of the cell at that speed.
	OldMean *analysis.Estimate `json:"old_mean,omitempty"`
	NewMean *analysis.Estimate `json:"new_mean,omitempty"`
}

// Slower returns how much slower the CPU was in the new campaign, as a share; negative: faster.
func (s *OneSpeed) Slower() float64 { return s.NewNS/s.OldNS - 1 }

const (
	// nextCampaign is the standard deviation between two campaigns of one program beyond their own
	// intervals, as a share of the cost: their JVMs, pages and neighbours differ. It was chosen on
	// forty campaigns of two agents; a history's nights replace it.
	nextCampaign = 0.005
	// nextBusy is the same on a machine with other work.
	nextBusy = 0.02
	// nextCPU and nextStart are lower bounds for CPU time and start-up, both of which include the
	// compilers' work. They are the differences of seven identical campaigns at one speed beyond
	// chance, 1.8 and 2.7 %.
	nextCPU, nextStart = 0.02, 0.03
	// beside is the least share of CPU time that counts as other work.
	beside = 0.02
)

// nextOf lists the metrics that vary more between campaigns than call times do.
var nextOf = map[string]float64{"cpu_ns": nextCPU, "startup_ns": nextStart, "startup_cpu_ns": nextStart}

// Metrics of the CPU time that others took of the measured CPUs, and of the time it was taken in.
const (
	othersMetric = "cpus_others_ns"
	loopMetric   = "loop_ns"
)

// carried holds the values of a cell and its baseline in one campaign, carried to that campaign's
// speed.
type carried struct {
	cell, base evidence.Values
	speed      float64 // ln ns
	busy       bool    // others used a share of the measured CPUs
}

// carriedIn returns the carried values; ok is false if they are as measured.
func (s *side) carriedIn(q quantity) (c carried, ok bool) {
	values := q.values(s.cell)
	if !values.Carried() {
		return c, false
	}
	c = carried{cell: values, speed: values[0].Carried.To, busy: s.busy()}
	if base := s.baseline(); base != nil {
		c.base = q.values(base)
		return c, c.base.Carried()
	}
	return c, true
}

// busy reports whether others used a share of the measured CPUs in the median invocation.
func (s *side) busy() bool {
	others, loop := s.cell.MetricNamed(othersMetric), s.cell.MetricNamed(loopMetric)
	if others == nil || loop == nil {
		return false
	}
	took, errTook := stats.Median(others.Values.Numbers())
	of, errOf := stats.Median(loop.Values.Numbers())
	return errTook == nil && errOf == nil && took > beside*of
}

// runDelayMetric is the time that the measuring threads were runnable without a CPU.
const runDelayMetric = "run_delay_ns"

// turns is the share of the loop above which the time of a call that waits for its agent's threads
// depends on the order in which they get the CPU.
const turns = 0.05

// handsOver reports whether calls and the agent's own threads take turns on one CPU: calls waited
// for a CPU longer than the baseline's did.
func (s *side) handsOver() bool {
	base := s.baseline()
	if base == nil || len(s.observed.cpus) != 1 || strings.ContainsAny(s.observed.cpus[0], ",-") {
		return false
	}
	share := func(c *analysis.Cell) float64 {
		delay, loop := c.MetricNamed(runDelayMetric), c.MetricNamed(loopMetric)
		if delay == nil || loop == nil {
			return math.NaN()
		}
		waited, errWaited := stats.Median(delay.Values.Numbers())
		whole, errWhole := stats.Median(loop.Values.Numbers())
		if errWaited != nil || errWhole != nil || !(whole > 0) {
			return math.NaN()
		}
		return waited / whole
	}
	return share(s.cell)-share(base) > turns
}

// atOneSpeed holds a cell's figures in two campaigns, both carried to the speed between them; if
// both ran the same program, by one law that pools their data.
type atOneSpeed struct {
	sides [2]scales
	speed OneSpeed
	// next is the standard deviation between campaigns, on the log scale.
	next float64
	// handed: next is not known, because threads took turns on one CPU beside other work.
	handed bool
	// room bounds how far two programs can shift the figures by shifting the reference, as a share
	// of the mean; 0 if both campaigns ran one program, which shifts it alike.
	room float64
}

// carry carries both campaigns' values to one speed. ok is false if neither has values that can be
// carried; why is set if the two can't be compared at all.
func (j *judge) carry(cell matched, newer int, q quantity) (a atOneSpeed, ok bool, why string) {
	sides := [2]*side{cell.sides[0], cell.sides[newer]}
	var all [2]carried
	var has [2]bool
	for i, s := range sides {
		if s == nil || s.unordered {
			return a, false, ""
		}
		all[i], has[i] = s.carriedIn(q)
	}
	switch {
	case has[0] != has[1]:
		adjusted, other := j.table.columns[0].title, j.table.columns[newer].title
		if has[1] {
			adjusted, other = other, adjusted
		}
		const unlike = "%s is adjusted for the speed of the CPU and %s is not: what they differ by may be the speed"
		return a, false, fmt.Sprintf(unlike, adjusted, other)
	case !has[0]:
		return a, false, ""
	}
	older, newest := models(j.table.columns[0].answers), models(j.table.columns[newer].answers)
	if differ([]string{older, newest}) {
		const another = "%s is another CPU model than %s: how programs follow one says nothing about the other"
		return a, false, fmt.Sprintf(another, newest, older)
	}
	at := (all[0].speed + all[1].speed) / 2
	a.next = max(nextCampaign, nextOf[q.name()])
	if all[0].busy || all[1].busy {
		a.next = max(a.next, nextBusy)
		// The median call doesn't wait for its turn, whoever else uses the CPU.
		a.handed = q.quantile == "" && (sides[0].handsOver() || sides[1].handsOver())
	}
	laws := j.laws(sides, all, func(c carried) evidence.Values { return c.cell })
	var bases [2]*evidence.Law
	if all[0].base != nil && all[1].base != nil {
		baselines := [2]*side{sides[0].baselineSide(), sides[1].baselineSide()}
		bases = j.laws(baselines, all, func(c carried) evidence.Values { return c.base })
	}
	a.speed = OneSpeed{
		OldNS: math.Exp(all[0].speed), NewNS: math.Exp(all[1].speed), AtNS: math.Exp(at),
		Elasticity: laws[1].Value, SE: math.Sqrt(laws[1].Variance), Between: a.next,
	}
	if laws[0] != laws[1] {
		a.room = roomOf(all)
	}
	for i, c := range all {
		values := c.cell.Under(laws[i]).At(at)
		if bases[i] == nil {
			a.sides[i] = scalesOfMean(values)
			continue
		}
		a.sides[i] = j.scalesOf(values, c.base.Under(bases[i]).At(at))
		a.sides[i].plain = sides[i].baseline().Framework == ""
	}
	return a, true, ""
}

// roomOf returns the larger elasticity of the two programs, times the larger absolute end of the 90
// % interval of the difference between the campaigns in the reference's ratio to the baseline's.
func roomOf(all [2]carried) float64 {
	var ratios [2]infer.Scale
	steepest := 0.0
	for i, c := range all {
		s, ok := reading.ReferenceRatio(evidence.PairsOf(c.cell, c.base))
		if !ok {
			return 0
		}
		ratios[i], steepest = s, max(steepest, c.cell[0].Carried.Law.Value)
	}
	apart := ratios[1].Minus(ratios[0])
	if !apart.Spread() {
		return 0
	}
	return steepest * apart.Known().FurtherEnd()
}

// doubt bounds the effect of the programs on the reference, for the verdict; nil if both campaigns
// ran one program.
func (a *atOneSpeed) doubt() *infer.Doubt {
	if a.room == 0 || a.sides[1].mean == nil {
		return nil
	}
	return &infer.Doubt{Share: a.room, Amount: a.room * math.Abs(a.sides[1].mean.Value)}
}

// show fills in the two compared figures, each with its interval.
func (a *atOneSpeed) show(c *contrast) {
	a.speed.Old, a.speed.OldMean = a.sides[0].shown(c)
	a.speed.New, a.speed.NewMean = a.sides[1].shown(c)
	c.OneSpeed = &a.speed
}

// shown returns the compared figure, and the mean.
func (s *scales) shown(c *contrast) (figure, mean *analysis.Estimate) {
	mean, _ = s.mean.Estimate(confidence)
	switch {
	case c.Raw:
		figure = mean
	case c.Relative:
		figure, _ = s.overhead.Ratio(confidence)
	default:
		figure, _ = s.added.Estimate(confidence)
	}
	return figure, mean
}

// laws returns the law of each campaign's program: a pooled one if the program is the same.
func (j *judge) laws(sides [2]*side, all [2]carried, values func(carried) evidence.Values) [2]*evidence.Law {
	older, newer := values(all[0])[0].Carried.Law, values(all[1])[0].Carried.Law
	if !sameProgram(sides[0].cell.Launch, sides[1].cell.Launch) {
		return [2]*evidence.Law{older, newer}
	}
	both := &evidence.Law{Program: older.Program, Prior: older.Prior, Response: older.Response.Plus(newer.Response)}
	both.Elasticity = both.Response.Elasticity(both.Prior)
	return [2]*evidence.Law{both, both}
}

// sameProgram reports whether two launches run the same files with the same options.
func sameProgram(a, b results.Launch) bool {
	files := func(x results.Launch) []string {
		all := results.Each(x.Artifacts, func(a results.Artifact) string { return a.Name + " " + a.SHA256 })
		slices.Sort(all)
		return all
	}
	return slices.Equal(files(a), files(b)) && slices.Equal(a.JVMArgs, b.JVMArgs) &&
		slices.Equal(a.Env, b.Env) && slices.Equal(a.Prepare, b.Prepare)
}

// scalesOf returns the scales of a cell against its baseline.
func (j *judge) scalesOf(values, base evidence.Values) scales {
	a := j.Solver.Compare(infer.Question{Alpha: alpha}, reading.Paired(evidence.PairsOf(values, base)))
	s := scalesOfMean(values)
	s.alone = false
	if a.NoDifference == "" {
		s.added = &a.D
	}
	if a.NoRatio == "" {
		s.overhead = &a.L
	}
	if s.added == nil && s.overhead == nil {
		s.why = a.NoDifference
	}
	return s
}

// scalesOfMean returns the scales of a cell without a reference.
func scalesOfMean(values evidence.Values) scales {
	s := scales{alone: true}
	mean, why := reading.SampleOf(values).Scale(true)
	if why != "" {
		s.why = why
		return s
	}
	s.mean = &mean
	if logs, why := reading.SampleOf(values.Logarithms()).Scale(true); why == "" {
		s.logMean = &logs
	}
	return s
}

// own returns next on the scale of the comparison: of a cost, as an amount.
func (a *atOneSpeed) own(relative bool) float64 {
	if relative || a.sides[0].added == nil {
		return a.next
	}
	return a.next * max(math.Abs(a.sides[0].added.Value), math.Abs(a.sides[1].added.Value))
}
