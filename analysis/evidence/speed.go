package evidence

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"moobench/analysis/stats"
	"moobench/results"
)

// Reference is the CPU speed seen by the invocations of one scenario on one machine and JDK: the
// time of a fixed piece of work that they did between their calls.
type Reference struct {
	Scenario string `json:"-"`
	// Level holds the factors that change the speed a cell finds, such as the number of threads;
	// absent without such factors.
	Level   string  `json:"level,omitempty"`
	Machine string  `json:"machine"`           // ID
	Runtime string  `json:"runtime,omitempty"` // JDK build: another one compiles the work to other machine code
	N       int     `json:"n"`                 // invocations
	Mean    float64 `json:"mean_ns"`           // mean of the invocations' means
	SD      float64 `json:"sd_ns"`             // standard deviation between the invocations' means
	// At is the speed to which all values of the scenario are carried: the geometric mean over its
	// invocations, in ns.
	At float64 `json:"at_ns"`
	// StandardNS is the reference's time at the standard speed of that machine and JDK; absent
	// without a standard speed.
	StandardNS float64 `json:"standard_ns,omitempty"`
	// Mixed says that the measured CPUs are of two kinds, which have no standard speed.
	Mixed bool `json:"-"`
	// Unused says why no value is carried; absent if they are.
	Unused string `json:"unused,omitempty"`
}

// Law is the power law of one program's response to the CPU speed in one metric: y ∝ w^ε, where w
// is the reference's time.
type Law struct {
	Program string // ID of the cell; a second baseline runs its baseline's program
	// Influence is the log ratio of the reference's time beside the program to its time beside the
	// program Against, as known before the campaign; nil if not known. For a baseline, which is its
	// own Against, it is exactly 0.
	Influence *stats.Known
	Against   string
	Response  stats.Response
	Prior     stats.Prior
	stats.Elasticity
}

// Unfitted returns the law by the prior alone.
func (l *Law) Unfitted() *Law {
	return &Law{Program: l.Program, Prior: l.Prior, Elasticity: stats.Response{}.Elasticity(l.Prior)}
}

// Carried says how a value was carried from the measured one.
type Carried struct {
	Measured float64 // in the metric's unit
	Speed    float64 // ln of the reference's time beside it, in ns
	To       float64 // ln of the reference's time at the target speed
	Law      *Law    // nil: the value is as measured
}

// value returns the measured value, carried to the speed.
func (c Carried) value() float64 { return c.Measured * math.Exp(-c.Law.Value*(c.Speed-c.To)) }

// sensitivity returns the derivative of the value with respect to the elasticity.
func (c Carried) sensitivity() []stats.Sensitivity {
	if c.Law == nil {
		return nil
	}
	return []stats.Sensitivity{{On: &c.Law.Elasticity, By: -c.value() * (c.Speed - c.To)}}
}

const (
	// touchedAlpha is the level of the tests whether the variants of a level slow the reference
	// down, and touchedLeast the least such effect, as a share: on a machine at rest, a tenth of a
	// per cent is significant, but moves no cost by more than a fraction of its interval.
	touchedAlpha = 0.01
	touchedLeast = 0.002
)

// Usual is the prior for figures measured between the calls of the reference; loose is the prior
// for those that the reference does not run beside: start-up, and the slowest calls. Of the
// programs measured when they were chosen, most elasticities lay within 0.76 and 1.24; one of 0.45
// and one of 1.8 lay outside.
var (
	Usual = stats.Prior{SD: 0.2, Wide: 0.5, Share: 0.3}
	loose = stats.Prior{SD: 0.3, Wide: 0.6, Share: 0.3}
)

// wholeRun lists the scalars that respond to the CPU speed, by the mean of the reference over the
// whole invocation.
var wholeRun = map[string]stats.Prior{"cpu_ns": Usual, "startup_ns": loose, "startup_cpu_ns": loose}

// quantilePriors lists the quantiles that respond to the speed. Beyond p99, slow calls are not
// caused by the core.
var quantilePriors = map[string]stats.Prior{"p50": Usual, "p90": Usual, "p99": loose}

// place identifies values of one speed: of one scenario, on one machine and JDK. Cells in different
// environments, or with different numbers of threads, find different speeds because of these
// factors, so the difference must not be adjusted away.
type place struct{ scenario, machine, runtime, level string }

// placeOf returns the place of an invocation.
func placeOf(c *results.Campaign, e *Invocation) place {
	cell := c.Cell(e.Cell)
	makes := []string{
		results.FactorFrequency, results.FactorCPUs, results.FactorGC, results.FactorJDK, results.FactorJVM, "threads",
	}
	other := func(f results.Value) bool { return !slices.Contains(makes, f.Name) }
	level := slices.DeleteFunc(slices.Clone(cell.Factors), other)
	return place{cell.Scenario, e.Machine, e.Runtime, (&results.Cell{Factors: level}).Level()}
}

// carry fits each program's response to the CPU speed, and carries its values to one speed for all
// cells and levels of a scenario on one machine and JDK. The law is fitted between invocations. If
// the reference's time differs between a variant and its baseline, nothing is carried there.
func carry(c *results.Campaign, machines []*results.Machine, all []Invocation) []Reference {
	var timed []*Invocation
	for i := range all {
		if cell := c.Cell(all[i].Cell); all[i].wholeReference > 0 && cell.Role != results.RoleProof {
			timed = append(timed, &all[i])
		}
	}
	at := func(e *Invocation) place { return placeOf(c, e) }
	var found []Reference
	for _, here := range stats.Grouped(timed, at) {
		es := Select(here, func(e *Invocation) bool { return e.Reference > 0 })
		if len(es) == 0 {
			continue
		}
		p := at(es[0])
		r := Reference{
			Scenario: p.scenario, Level: p.level, Machine: p.machine, Runtime: p.runtime,
			N: len(es), Unused: touched(c, es),
		}
		times := ValuesOf(es, func(e *Invocation) float64 { return e.Reference }).Numbers()
		r.Mean, _ = stats.Mean(times) // no error: never empty
		r.SD, _ = stats.SD(times)     // 0 for one value
		logs, _ := stats.Logs(times)  // all are above 0
		mean, _ := stats.Mean(logs)
		r.At = math.Exp(mean)
		found = append(found, r)
		if r.Unused == "" {
			carryTo(c, here, mean, knownInfluences(c, machines, p))
		}
	}
	return found
}

// figure is a figure of an invocation that may respond to the speed.
type figure struct {
	name  string
	prior stats.Prior
	value func(*Invocation) float64
	speed func(*Invocation) float64
	set   func(*Invocation, float64)
}

// figures returns the figures of a scenario that respond to the speed: mean and quantiles of its
// primary metric by the reference in the window, and scalars by the reference of the whole run.
func figures(primary string) []figure {
	inWindow := func(e *Invocation) float64 { return e.Reference }
	inWhole := func(e *Invocation) float64 { return e.wholeReference }
	value := func(name string) func(*Invocation) float64 {
		return func(e *Invocation) float64 { return e.Value(name) }
	}
	set := func(name string) func(*Invocation, float64) {
		return func(e *Invocation, x float64) { e.Values[name] = x }
	}
	all := []figure{{primary, Usual, value(primary), inWindow, set(primary)}}
	for i, q := range Quantiles {
		prior, follows := quantilePriors[q.Name]
		if !follows {
			continue
		}
		get := func(e *Invocation) float64 {
			if qs := e.quantiles[primary]; len(qs) > i {
				return qs[i]
			}
			return math.NaN()
		}
		put := func(e *Invocation, x float64) { e.quantiles[primary][i] = x }
		all = append(all, figure{quantileName(primary, i), prior, get, inWindow, put})
	}
	for name, prior := range wholeRun {
		all = append(all, figure{name, prior, value(name), inWhole, set(name)})
	}
	return all
}

// quantileName names the quantile Quantiles[i] of a metric.
func quantileName(metric string, i int) string { return metric + "/" + Quantiles[i].Name }

// knownInfluences returns the known influences of a place's programs on the reference, by cell ID;
// a baseline's is exactly 0.
func knownInfluences(c *results.Campaign, machines []*results.Machine, p place) map[string]*stats.Known {
	known := map[string]*stats.Known{}
	i := slices.IndexFunc(machines, func(m *results.Machine) bool { return m.ID == p.machine })
	for _, cell := range c.Cells {
		if cell.Role == results.RoleBaseline {
			known[cell.ID] = &stats.Known{DF: math.Inf(1)}
		} else if i >= 0 {
			known[cell.ID] = pooled(c.InfluencesOn(cell.ID, machines[i], p.runtime))
		}
	}
	return known
}

// pooled pools the influences from turns and earlier campaigns; nil without any. If they contradict
// each other, it returns the one that reaches further from 0.
func pooled(all []results.Influence) *stats.Known {
	var mean *stats.Known
	for _, x := range all {
		one := stats.Known{Value: x.LogRatio, SE: x.SE, DF: float64(x.N - 1)}
		if mean == nil {
			mean = &one
			continue
		}
		both, agree := mean.Pooled(one)
		switch {
		case agree:
			mean = &both
		case one.FurtherEnd() > mean.FurtherEnd():
			mean = &one
		}
	}
	return mean
}

// carryTo carries all figures of the invocations of one place to a speed, given by its logarithm.
func carryTo(c *results.Campaign, es []*Invocation, speed float64, influences map[string]*stats.Known) {
	primary := primaryOf(c.Scenario(c.Cell(es[0].Cell).Scenario)).Name
	programs := stats.Grouped(es, func(e *Invocation) string { return program(c.Cell(e.Cell)) })
	for _, f := range figures(primary) {
		for _, its := range programs {
			its = Select(its, func(e *Invocation) bool { return e.counts() && f.value(e) > 0 && f.speed(e) > 0 })
			law := &Law{Prior: f.prior}
			for _, cell := range stats.Grouped(its, func(e *Invocation) string { return e.Cell }) {
				ran := c.Cell(program(c.Cell(cell[0].Cell)))
				law.Program, law.Against, law.Influence = ran.ID, cmp.Or(ran.Baseline, ran.ID), influences[ran.ID]
				own := stats.ResponseOf(results.Each(cell, f.speed), results.Each(cell, f.value))
				law.Response = law.Response.Plus(own)
			}
			law.Elasticity = law.Response.Elasticity(law.Prior)
			for _, e := range its {
				k := Carried{Measured: f.value(e), Speed: math.Log(f.speed(e)), To: speed, Law: law}
				e.carried[f.name] = k
				f.set(e, k.value())
			}
			if f.name == primary {
				carryRest(its, law, speed)
			}
		}
	}
}

// carryRest carries the other shown figures of the primary metric, so that they agree with its
// value: the mean over the other window, and the trace.
func carryRest(es []*Invocation, law *Law, speed float64) {
	for _, e := range es {
		if e.Samples.beside > 0 {
			e.Samples.Other *= math.Exp(-law.Value * (math.Log(e.Samples.beside) - speed))
		}
		share := e.Values[e.adjusted] / e.Unadjusted
		for i := range e.Samples.Trace {
			e.Samples.Trace[i] *= share
		}
		e.Samples.WarmMean *= share
	}
}

// touched describes a variant beside which the reference's time differs from that beside its
// baseline by more than touchedLeast; "" if no variant does. It tests the log ratios of the same
// blocks, each at touchedAlpha divided by the number of variants. Second baselines are not tested:
// nothing is monitored there, so a difference comes from the machine, and the adjustment is meant
// to remove it.
func touched(c *results.Campaign, es []*Invocation) string {
	byCell := map[string][]*Invocation{}
	for _, e := range es {
		byCell[e.Cell] = append(byCell[e.Cell], e)
	}
	time := func(e *Invocation) float64 { return e.Reference }
	variants := slices.DeleteFunc(slices.Clone(c.Cells), func(cell results.Cell) bool {
		return cell.Baseline == "" || cell.Role == results.RoleAA || byCell[cell.ID] == nil
	})
	for _, cell := range variants {
		pairs := PairsOf(ValuesOf(byCell[cell.ID], time), ValuesOf(byCell[cell.Baseline], time))
		ratios, err := stats.LogRatios(pairs.X, pairs.Y)
		s, errS := stats.SampleOf(ratios)
		if cmp.Or(err, errS) != nil || s.N < 3 || s.SD == 0 {
			continue
		}
		t := max(0, math.Abs(s.Mean)-math.Log1p(touchedLeast)) / s.SD * math.Sqrt(float64(s.N))
		if p := stats.TTwoSided(t, float64(s.N-1)); p < touchedAlpha/float64(len(variants)) {
			const other = "beside %s it took %.1f %% of the time that it took beside the baseline"
			return fmt.Sprintf(other, cell.Label(), 100*math.Exp(s.Mean))
		}
	}
	return ""
}
