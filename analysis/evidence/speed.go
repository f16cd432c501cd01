package evidence

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"moobench/analysis/stats"
	"moobench/results"
)

// Reference is what the invocations of one scenario on one machine and JDK say of the speed
// of the CPU: how long a fixed piece of work took, which they did between their calls.
type Reference struct {
	Scenario string `json:"-"`
	// Level are the factors that make cells find another speed because of what they are;
	// absent where there are none.
	Level   string  `json:"level,omitempty"`
	Machine string  `json:"machine"`           // ID
	Runtime string  `json:"runtime,omitempty"` // JDK build: another one makes other machine code of the work
	N       int     `json:"n"`                 // invocations
	Mean    float64 `json:"mean_ns"`           // over the means of the invocations
	SD      float64 `json:"sd_ns"`             // between these
	// At is the speed that all values of the scenario are carried to: the geometric mean
	// over its invocations, in ns.
	At float64 `json:"at_ns"`
	// StandardNS is what the reference takes at the standard speed of that machine and JDK;
	// absent where there is none.
	StandardNS float64 `json:"standard_ns,omitempty"`
	// Mixed says that the measured CPUs are of two kinds, which have no standard speed.
	Mixed bool `json:"-"`
	// Unused says why no value is carried; absent when they are.
	Unused string `json:"unused,omitempty"`
}

// Law is the power law by which one program follows the speed of the CPU in one metric:
// y ∝ w^ε, w being how long the reference took.
type Law struct {
	Program string // ID of the cell; a second baseline runs its baseline's program
	// Influence has the logarithm of the reference's time beside the program over that beside the
	// program Against, as it was known before the campaign. A baseline is its own Against: there it
	// is exactly 0. nil where nothing was known.
	Influence *stats.Known
	Against   string
	Response  stats.Response
	Prior     stats.Prior
	stats.Elasticity
}

// Unfitted is the law as the prior alone has it.
func (l *Law) Unfitted() *Law {
	return &Law{Program: l.Program, Prior: l.Prior, Elasticity: stats.Response{}.Elasticity(l.Prior)}
}

// Carried says how a value came from the one that was measured.
type Carried struct {
	Measured float64 // in the metric's unit
	Speed    float64 // ln of what the reference took beside it, in ns
	To       float64 // ln of what it takes at the speed that the value was carried to
	Law      *Law    // nil of a value that is as it was measured
}

// value is what was measured, carried to the speed.
func (c Carried) value() float64 { return c.Measured * math.Exp(-c.Law.Value*(c.Speed-c.To)) }

// sensitivity is by how much the value changes where the elasticity is another one.
func (c Carried) sensitivity() []stats.Sensitivity {
	if c.Law == nil {
		return nil
	}
	return []stats.Sensitivity{{On: &c.Law.Elasticity, By: -c.value() * (c.Speed - c.To)}}
}

const (
	// touchedAlpha is the level at which the reference counts as slowed by what is monitored,
	// of all variants of a level together, and touchedLeast by how much at least, as a share:
	// on a machine at rest a tenth of a per cent is told apart, and moves no cost by more than a
	// fraction of its interval.
	touchedAlpha = 0.01
	touchedLeast = 0.002
)

// Usual is the prior of what is measured between the calls, and loose that of what the
// reference does not run beside: start-up, and the slowest calls. Of the programs that were
// measured when they were chosen, most elasticities lay within 0.76 and 1.24, one of 0.45 and
// one of 1.8 outside.
var (
	Usual = stats.Prior{SD: 0.2, Wide: 0.5, Share: 0.3}
	loose = stats.Prior{SD: 0.3, Wide: 0.6, Share: 0.3}
)

// wholeRun are the scalars that follow the speed of the CPU, by the mean of the reference
// over the whole invocation.
var wholeRun = map[string]stats.Prior{"cpu_ns": Usual, "startup_ns": loose, "startup_cpu_ns": loose}

// quantilePriors are those of the quantiles that follow it. Beyond p99 what is slow is not
// the core.
var quantilePriors = map[string]stats.Prior{"p50": Usual, "p90": Usual, "p99": loose}

// place is where values are of one speed: of one scenario, on one machine and JDK. Cells in
// unlike environments, or with unlike numbers of threads, find another speed because of what
// they are, and it must not be taken from them.
type place struct{ scenario, machine, runtime, level string }

// placeOf is that of an invocation.
func placeOf(c *results.Campaign, e *Invocation) place {
	cell := c.Cell(e.Cell)
	makes := []string{results.FactorFrequency, results.FactorCPUs, results.FactorGC, results.FactorJDK, results.FactorJVM, "threads"}
	level := slices.DeleteFunc(slices.Clone(cell.Factors), func(f results.Value) bool { return !slices.Contains(makes, f.Name) })
	return place{cell.Scenario, e.Machine, e.Runtime, (&results.Cell{Factors: level}).Level()}
}

// carry finds how each program follows the speed of the CPU, and carries what it measured to
// one speed for all cells and levels of a scenario on one machine and JDK. The law is fitted
// between invocations. Where the reference took another time beside a variant than beside
// its baseline, nothing there is carried.
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
		r := Reference{Scenario: p.scenario, Level: p.level, Machine: p.machine, Runtime: p.runtime, N: len(es), Unused: touched(c, es)}
		times := ValuesOf(es, func(e *Invocation) float64 { return e.Reference }).Numbers()
		r.Mean, _ = stats.Mean(times) // of one or more
		r.SD, _ = stats.SD(times)     // 0 of one
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

// figure is one that may follow the speed, of any invocation.
type figure struct {
	name  string
	prior stats.Prior
	value func(*Invocation) float64
	speed func(*Invocation) float64
	set   func(*Invocation, float64)
}

// figures are those of a scenario that follow the speed: the mean and the quantiles of its
// primary metric by the reference in the window, and scalars by that of the whole run.
func figures(primary string) []figure {
	inWindow := func(e *Invocation) float64 { return e.Reference }
	all := []figure{{primary, Usual, func(e *Invocation) float64 { return e.Value(primary) }, inWindow, func(e *Invocation, x float64) { e.Values[primary] = x }}}
	for i, q := range Quantiles {
		prior, follows := quantilePriors[q.Name]
		if !follows {
			continue
		}
		value := func(e *Invocation) float64 {
			if qs := e.quantiles[primary]; len(qs) > i {
				return qs[i]
			}
			return math.NaN()
		}
		all = append(all, figure{quantileName(primary, i), prior, value, inWindow, func(e *Invocation, x float64) { e.quantiles[primary][i] = x }})
	}
	for name, prior := range wholeRun {
		all = append(all, figure{
			name, prior, func(e *Invocation) float64 { return e.Value(name) },
			func(e *Invocation) float64 { return e.wholeReference }, func(e *Invocation, x float64) { e.Values[name] = x },
		})
	}
	return all
}

// quantileName is that of a quantile of a metric's calls, by its place in Quantiles.
func quantileName(metric string, i int) string { return metric + "/" + Quantiles[i].Name }

// knownInfluences are those of the programs of a place, by the IDs of their cells: a baseline is
// what the others are compared with.
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

// pooled is what turns and earlier campaigns say together; nil where there are none. Where they
// contradict each other, what leaves more room counts.
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

// carryTo carries all figures of the invocations of one place to a speed, whose logarithm is
// given.
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
				law.Response = law.Response.Plus(stats.ResponseOf(results.Each(cell, f.speed), results.Each(cell, f.value)))
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

// carryRest carries what else is shown of the primary metric, so that it agrees with the
// value: the mean over the other window, and the course.
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

// touched says beside which variant the reference took another time than beside its
// baseline, by more than touchedLeast: "" where it did beside none. Log ratios of the same
// blocks decide, each at an equal share of touchedAlpha. Beside a second baseline nothing is
// monitored: what differs there is the machine, which adjusting is for.
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
			return fmt.Sprintf("beside %s it took %.1f %% of the time that it took beside the baseline", cell.Label(), 100*math.Exp(s.Mean))
		}
	}
	return ""
}
