package analysis

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"moobench/analysis/chapter/records"
	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/reading"
	"moobench/analysis/stats"
	"moobench/results"
)

// cell describes one cell.
func (r *reader) cell(c *results.Cell, rec *Records) Cell {
	a := Cell{
		ID: c.ID, Label: c.Label(), Variant: c.Variant, Framework: c.Framework, Mode: c.Mode, Stage: c.Stage,
		Role: c.Role, Level: c.Level(), Factors: c.Factors, Baseline: c.Baseline,
		Invalid: r.Invalid[c.ID], Broken: r.Broken[c.ID], Outcome: records.Of(r.Reading, c, rec),
		Launch: c.Launch.WithoutSecrets(), Metrics: []MetricAnswer{},
	}
	r.tally(&a)
	a.AgentThreads = r.agentThreads(c.ID)
	a.Metrics = append(a.Metrics, results.Each(r.Scenario.Metrics, func(m results.Metric) MetricAnswer {
		return r.metric(c, m)
	})...)
	a.Steady, a.Other = r.steady(c)
	a.Unadjusted = r.unadjusted(c)
	if c.Baseline != "" && r.Invalid[c.ID] == "" && r.Primary.Of == "" {
		a.Doubt = r.Compare(c.ID, c.Baseline, r.Primary, 1).Doubt
	}
	a.PerRecord, a.NoPerRecord = r.perRecord(c)
	if a.Executions = c.Int(r.Primary.Executions); a.Executions > 0 {
		m := a.MetricNamed(r.Primary.Name)
		a.PerExecution = m.Difference.Over(float64(a.Executions))
		if s := m.AtStandard; s != nil {
			s.PerExecution = s.Difference.Over(float64(a.Executions))
		}
	}
	a.Labels, a.AtMix = r.strata(c), r.atMix(c)
	a.Marks = r.marks(&a)
	return a
}

// unadjusted is the primary metric's difference from the baseline without adjustment by the reference; nil if
// nothing is adjusted.
func (r *reader) unadjusted(c *results.Cell) *Estimate {
	used := func(x Reference) bool { return x.Unused == "" }
	if c.Baseline == "" || r.Invalid[c.ID] != "" || !slices.ContainsFunc(r.Speed, used) {
		return nil
	}
	return r.CompareMeasured(c.ID, c.Baseline, r.Primary, r.Family(c.Level())).Difference
}

// tally counts the invocations of a cell, and collects their failures and warnings. Missing is the number of
// blocks that hold the cell and in which it was neither started nor left out on purpose.
func (r *reader) tally(a *Cell) {
	seen, warnings := map[int]bool{}, map[string]int{}
	for _, e := range r.ByCell[a.ID] {
		for _, w := range e.Warnings {
			if e.Profile != results.ProfilePilot {
				warnings[w]++
			}
		}
		if e.Status == results.StatusFailed {
			failure := cmp.Or(e.Failure, &results.Failure{Kind: "unknown", Message: "it gives no reason"})
			a.Failures = append(a.Failures, Failure{e.Identity.String(), *failure})
		}
		seen[e.Block] = true
		switch {
		case e.Profile != r.Profile():
		case e.Status != results.StatusOK:
			a.Failed++
		case e.Invalid != "":
			a.InvalidInvocations++
		default:
			a.OK++
			if e.Disturbed != nil {
				a.Disturbed++
			}
			if e.RepeatedBy != "" {
				a.Repeated++
			}
		}
	}
	a.Warnings = results.Each(slices.Sorted(maps.Keys(warnings)), func(text string) Warning {
		return Warning{text, warnings[text]}
	})
	a.GivenUp, a.GivenUpBy = givenUp(r.Campaign, a.ID)
	for _, b := range r.Campaign.Blocks {
		if b.Kind == results.BlockProof || !slices.Contains(b.Order, a.ID) {
			continue
		}
		if b.Kind == results.BlockPlanned && b.Profile == r.Profile() {
			a.Planned++
		}
		if !r.Campaign.LeavesOut(a.ID, b) && !seen[b.Number] {
			a.Missing++
		}
	}
}

// givenUp says why a cell was given up. In a merged campaign it counts as given up only if every shard with the
// cell gave it up; otherwise by lists the shards that did, each with its reason.
func givenUp(c *results.Campaign, cell string) (reason string, by []string) {
	why := map[int]string{} // by shard; 0 without a merge
	for _, g := range c.GivenUp {
		if g.Cell == cell {
			why[g.Shard] = g.Reason
		}
	}
	if len(why) == 0 {
		return "", nil
	}
	wentOn := slices.ContainsFunc(c.Blocks, func(b results.Block) bool {
		_, left := why[b.Shard]
		return !left && slices.Contains(b.Order, cell)
	})
	shards := slices.Sorted(maps.Keys(why))
	if !wentOn {
		return why[shards[0]], nil
	}
	return "", results.Each(shards, func(shard int) string {
		return fmt.Sprintf("shard %d/%d: %s", shard, c.Merged.Count, why[shard])
	})
}

const countsAreRates = "a count of events has no mean with an interval: see its rate"

// speedFrom says how values were carried to one speed of the CPU; nil if they were not.
func speedFrom(vs evidence.Values) *Speed {
	if !vs.Carried() {
		return nil
	}
	law := vs[0].Carried.Law
	beside, at := vs.Speed()
	return &Speed{ReferenceNS: beside, AtNS: at, Elasticity: law.Value, SE: math.Sqrt(law.Variance)}
}

// metric describes a metric of a cell. Differences that support verdicts have intervals that are simultaneous
// over all cells of the level.
func (r *reader) metric(c *results.Cell, m results.Metric) MetricAnswer {
	none := func(why string) MetricAnswer {
		return MetricAnswer{Metric: m.Name, Absent: why, NoDifference: why, NoRatio: why}
	}
	profile, family := evidence.ProfileOf(m), 1
	if (m.Name == r.Primary.Name || m.Of != "") && c.Role == results.RoleVariant {
		family = r.Family(c.Level())
	}
	invalid := r.AllInvalid(c.ID, m)
	switch {
	case r.Invalid[c.ID] != "":
		return none(r.Invalid[c.ID])
	case profile == results.ProfileCalibration:
		return MetricAnswer{
			Metric: m.Name,
			Absent: "it is found before the measurement: see the calibrations",
		}
	case m.Of != "":
		rate, why := r.Rate(c, m, family)
		if rate == nil {
			return none(cmp.Or(invalid, why))
		}
		a := none(countsAreRates)
		a.Rate = rate
		return a
	}
	if more := r.AtLeast(c, m); more != nil {
		a := none(more.Text(m.Unit))
		a.AtLeast = more
		return a
	}
	a := MetricAnswer{Metric: m.Name}
	es, vs := r.Succeeded(c.ID, profile), r.Values(c.ID, m)
	if m.PerRecord() {
		vs = r.byRecords(c, m)
	}
	a.Values, a.Speed = vs, speedFrom(vs)
	if a.Mean, a.Absent = r.mean(c, m, vs); len(vs) == 0 {
		a.Absent = cmp.Or(invalid, r.Refused(c.ID, m), r.UnreadOf(c.ID, m), r.NoneRight(c.ID, m), a.Absent)
	}
	if r.OfAnswers(m) && r.TooManyLost(c.ID) {
		a.Values = nil // other campaigns must not be compared with these
	}
	notBelowZero(a.Mean, m)
	a.Quantiles, a.NoQuantiles = r.quantiles(c, m, es)
	// Split the variance of a metric that is a mean of samples.
	var samples []stats.Sample
	for _, e := range es {
		if b, known := e.Batches[m.Name]; known { // only if the metric has a value
			samples = append(samples, stats.Sample{Mean: e.Values[m.Name], SD: b.SD, N: b.N})
		}
	}
	if split, err := stats.ComponentsOf(samples); err == nil {
		a.Components = &Components{
			BetweenSD: math.Sqrt(max(0, split.Between)),
			WithinSD:  math.Sqrt(split.Within),
			ICC:       split.ICC,
		}
	}
	var others evidence.Values
	if c.Baseline != "" {
		x := r.CompareWithin(reading.Negligible(m), c.ID, c.Baseline, m, family)
		a.Difference, a.Ratio, a.NoDifference, a.NoRatio = x.Difference, x.Ratio, x.NoDifference, x.NoRatio
		a.Verdict, a.Equivalence, a.Hosts = x.Verdict, x.Equivalence, x.Hosts
		others = r.Values(c.Baseline, m)
		a.InPairs = r.paired(vs, others, stats.Mean)
	}
	a.AtStandard = r.atStandard(c, vs, others, func(vs, others evidence.Values) infer.Answer {
		return r.Ask(infer.Question{Alpha: reading.Alpha, Family: family}, vs, others, r.SecondStage(m))
	})
	return a
}

// notBelowZero cuts the interval of a mean time or size at 0. The mean can't be negative, so the coverage does
// not change.
func notBelowZero(e *Estimate, m results.Metric) {
	if e != nil && e.Interval != nil && e.Value >= 0 && (m.Unit == unitNS || m.Unit == "B") {
		e.Interval.Low = max(0, e.Interval.Low)
	}
}

// paired applies a function to the values of each cell over the blocks that hold both; nil if there are no such
// blocks, or they hold all values.
func (r *reader) paired(vs, others evidence.Values, of func([]float64) (float64, error)) *InPairs {
	if r.Unordered() {
		return nil
	}
	pairs := evidence.PairsOf(vs, others)
	n := len(pairs.Blocks)
	if n == 0 || n == len(vs) && n == len(others) {
		return nil
	}
	with, err := of(pairs.X)
	without, err2 := of(pairs.Y)
	if err != nil || err2 != nil {
		return nil
	}
	return &InPairs{Blocks: n, With: with, Without: without}
}

// quantiles estimates, for each quantile of an invocation's calls, its median over invocations, and the median
// over blocks of its difference from the baseline. The order-statistic intervals assume no distribution. (The
// mean of differences would be at the mercy of one long pause in one JVM.) A registered question about a
// quantile is answered the same way.
func (r *reader) quantiles(c *results.Cell, m results.Metric, es []*evidence.Invocation) ([]Quantile, string) {
	if m.Series == "" {
		return nil, ""
	}
	if slices.ContainsFunc(es, func(e *evidence.Invocation) bool { return e.Batched[m.Name] }) {
		return nil, reading.Batched
	}
	if why := r.NoLabels(c.ID, m); why != "" {
		return nil, why
	}
	lost := ""
	if c.Baseline != "" {
		lost = r.NoTimes(c.ID, c.Baseline, m)
	}
	ask := func(vs, others evidence.Values) infer.Answer {
		return r.Ask(infer.Question{Kind: results.TestSign, Alpha: reading.Alpha, Margin: reading.Negligible(m)}, vs, others, 0)
	}
	var found []Quantile
	for i, q := range evidence.Quantiles {
		vs := r.QuantileValues(c.ID, m, i)
		e, _ := infer.MedianOf(reading.SampleOf(vs), reading.Confidence)
		if e == nil {
			continue
		}
		a := Quantile{Name: q.Name, P: q.P, Estimate: *e, Values: vs}
		var others evidence.Values
		switch {
		case c.Baseline == "":
		case lost != "":
			a.NoDifference = lost
		case r.Unordered():
			a.NoDifference = reading.UnorderedPairs
		default:
			others = r.QuantileValues(c.Baseline, m, i)
			x := ask(vs, others)
			a.Difference, a.Ratio, a.NoDifference = x.Difference, x.Ratio, x.NoDifference
			a.Verdict, a.Equivalence = x.Verdict, x.Equivalence
			a.InPairs = r.paired(vs, others, stats.Median)
		}
		a.AtStandard = r.quantileAtStandard(c, vs, others, ask)
		found = append(found, a)
	}
	return found, ""
}

// Calibration is the load that a baseline sustains, found by separate invocations before the measurement; no
// other number includes them.
type Calibration struct {
	Name   string    `json:"name"`   // the baseline that was calibrated
	Cell   string    `json:"cell"`   // its ID
	Unit   string    `json:"unit"`   // of the load
	Found  []float64 `json:"found"`  // one per invocation
	Median float64   `json:"median"` // loads are shares of this; of an even number, the lower one
}

// capacityScalar is the scalar that calibrating invocations find.
const capacityScalar = "capacity"

const unitNS = "ns"
