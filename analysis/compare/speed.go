package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"moobench/analysis"
	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

// OneSpeed says at which speed of the CPU two campaigns were compared.
type OneSpeed struct {
	// OldNS and NewNS are what the reference took in each campaign, AtNS what it takes at
	// the speed between them that both costs were carried to.
	OldNS float64 `json:"old_reference_ns"`
	NewNS float64 `json:"new_reference_ns"`
	AtNS  float64 `json:"at_ns"`
	// Elasticity is how many per cent the cell slows down by where the reference slows down
	// by one, and SE its standard error; of two programs that of the new one.
	Elasticity float64 `json:"elasticity"`
	SE         float64 `json:"elasticity_se"`
	// Between is what campaigns differ by of themselves, as a share of the cost: a standard
	// deviation, which is in the interval once for each campaign.
	Between float64 `json:"between_campaigns_sd"`
	// Old and New are the two figures that are compared, at that speed: the costs, of a
	// relative change the ratios, of a cell without a reference the means.
	Old *analysis.Estimate `json:"old,omitempty"`
	New *analysis.Estimate `json:"new,omitempty"`
	// OldMean and NewMean are the means of the cell at that speed.
	OldMean *analysis.Estimate `json:"old_mean,omitempty"`
	NewMean *analysis.Estimate `json:"new_mean,omitempty"`
}

// Slower is by how much the CPU was slower in the new campaign, as a share; below 0 it was
// faster.
func (s *OneSpeed) Slower() float64 { return s.NewNS/s.OldNS - 1 }

const (
	// nextCampaign is what two campaigns of one program differ by beyond their own
	// intervals, as a share of the cost: their JVMs, pages and neighbours are others. It was
	// chosen on forty campaigns of two agents, and a history's nights take its place.
	nextCampaign = 0.005
	// nextBusy is the same beside other work.
	nextBusy = 0.02
	// nextCPU and nextStart are those of CPU time and of start-up, at least: what compilers do
	// is in both. They are what seven identical campaigns differed by at one speed beyond
	// chance, 1.8 and 2.7 %.
	nextCPU, nextStart = 0.02, 0.03
	// beside is the share of the CPUs' time from which on others count as other work.
	beside = 0.02
)

// nextOf is what two campaigns differ by in metrics that differ by more than times of calls.
var nextOf = map[string]float64{"cpu_ns": nextCPU, "startup_ns": nextStart, "startup_cpu_ns": nextStart}

// The metrics that say what others took of the measured CPUs, and of how long.
const (
	othersMetric = "cpus_others_ns"
	loopMetric   = "loop_ns"
)

// carried are a cell's values and its baseline's in one campaign, which were carried to the
// speed of that.
type carried struct {
	cell, base evidence.Values
	speed      float64 // ln ns
	busy       bool    // others took a share of the measured CPUs
}

// carriedIn finds them; ok is false where they are as they were measured.
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

// busy says whether others took a share of the measured CPUs in the median invocation.
func (s *side) busy() bool {
	others, loop := s.cell.MetricNamed(othersMetric), s.cell.MetricNamed(loopMetric)
	if others == nil || loop == nil {
		return false
	}
	took, errTook := stats.Median(others.Values.Numbers())
	of, errOf := stats.Median(loop.Values.Numbers())
	return errTook == nil && errOf == nil && took > beside*of
}

// runDelayMetric is how long the measuring threads were runnable and had no CPU.
const runDelayMetric = "run_delay_ns"

// turns is from which share of the loop on a call that waits for its agent's threads hangs on
// how these and it take turns.
const turns = 0.05

// handsOver says whether calls and the agent's own threads take turns on one CPU: calls waited
// for a CPU more than those of the baseline did.
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

// atOneSpeed are a cell's figures in two campaigns, both carried to the speed between them,
// by one law where both ran the same program: what each tells of it counts.
type atOneSpeed struct {
	sides [2]scales
	speed OneSpeed
	// next is what campaigns differ by of themselves, on the scale of logarithms.
	next float64
	// handed says that this is not known, since threads of one CPU took turns beside other work.
	handed bool
	// room bounds how far apart two programs move the figures by moving the reference, as a share
	// of the mean; 0 where one program ran in both campaigns, and moved it alike.
	room float64
}

// carry carries both campaigns' values to one speed. ok is false where neither has any that
// can be; why says what forbids to compare the two at all.
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
		return a, false, fmt.Sprintf("%s is another CPU model than %s: how programs follow the one says nothing of the other", newest, older)
	}
	at := (all[0].speed + all[1].speed) / 2
	a.next = max(nextCampaign, nextOf[q.name()])
	if all[0].busy || all[1].busy {
		a.next = max(a.next, nextBusy)
		// The call in the middle has not waited for its turn, whoever else wants the CPU.
		a.handed = q.quantile == "" && (sides[0].handsOver() || sides[1].handsOver())
	}
	laws := j.laws(sides, all, func(c carried) evidence.Values { return c.cell })
	var bases [2]*evidence.Law
	if all[0].base != nil && all[1].base != nil {
		bases = j.laws([2]*side{sides[0].baselineSide(), sides[1].baselineSide()}, all, func(c carried) evidence.Values { return c.base })
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

// roomOf is the larger elasticity of two programs times how far from 0 the 90 % interval reaches
// of what the reference's ratio to that beside the baseline differs by between the campaigns.
func roomOf(all [2]carried) float64 {
	var ratios [2]infer.Scale
	steepest := 0.0
	for i, c := range all {
		s, ok := analysis.ReferenceRatio(evidence.PairsOf(c.cell, c.base))
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

// doubt bounds what the programs do to the reference, for the verdict on a change; nil where
// one program ran in both campaigns.
func (a *atOneSpeed) doubt() *infer.Doubt {
	if a.room == 0 || a.sides[1].mean == nil {
		return nil
	}
	return &infer.Doubt{Share: a.room, Amount: a.room * math.Abs(a.sides[1].mean.Value)}
}

// show fills in the two figures that a change is one of, each with its interval.
func (a *atOneSpeed) show(c *contrast) {
	a.speed.Old, a.speed.OldMean = a.sides[0].shown(c)
	a.speed.New, a.speed.NewMean = a.sides[1].shown(c)
	c.OneSpeed = &a.speed
}

// shown are the figure that is compared, and the mean.
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

// laws are those of a program in both campaigns: one where the program is the same.
func (j *judge) laws(sides [2]*side, all [2]carried, values func(carried) evidence.Values) [2]*evidence.Law {
	older, newer := values(all[0])[0].Carried.Law, values(all[1])[0].Carried.Law
	if !sameProgram(sides[0].cell.Launch, sides[1].cell.Launch) {
		return [2]*evidence.Law{older, newer}
	}
	both := &evidence.Law{Program: older.Program, Prior: older.Prior, Response: older.Response.Plus(newer.Response)}
	both.Elasticity = both.Response.Elasticity(both.Prior)
	return [2]*evidence.Law{both, both}
}

// sameProgram says whether two launches run the same files with the same options.
func sameProgram(a, b results.Launch) bool {
	files := func(x results.Launch) []string {
		all := results.Each(x.Artifacts, func(a results.Artifact) string { return a.Name + " " + a.SHA256 })
		slices.Sort(all)
		return all
	}
	return slices.Equal(files(a), files(b)) && slices.Equal(a.JVMArgs, b.JVMArgs) && slices.Equal(a.Env, b.Env) && slices.Equal(a.Prepare, b.Prepare)
}

// scalesOf are the figures of a cell against its baseline.
func (j *judge) scalesOf(values, base evidence.Values) scales {
	a := j.Solver.Compare(infer.Question{Alpha: alpha}, analysis.Paired(evidence.PairsOf(values, base)))
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

// scalesOfMean are those of a cell without a reference.
func scalesOfMean(values evidence.Values) scales {
	s := scales{alone: true}
	mean, why := analysis.SampleOf(values).Scale(true)
	if why != "" {
		s.why = why
		return s
	}
	s.mean = &mean
	if logs, why := analysis.SampleOf(values.Logarithms()).Scale(true); why == "" {
		s.logMean = &logs
	}
	return s
}

// own is what a campaign differs by of itself: of a cost a share of it.
func (a *atOneSpeed) own(relative bool) float64 {
	if relative || a.sides[0].added == nil {
		return a.next
	}
	return a.next * max(math.Abs(a.sides[0].added.Value), math.Abs(a.sides[1].added.Value))
}
