package analysis

import (
	"math"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

// reader answers for one scenario of a campaign.
type reader struct {
	campaign *results.Campaign
	scenario *results.Scenario
	made     map[string][]evidence // of the whole campaign, by cell
	all      map[string][]evidence // those of them that numbers are taken from
	void     map[string]string
	solver   infer.Solver
}

func (r *reader) unordered() bool { return r.campaign.Design == results.DesignUnordered }

// primary is the metric that verdicts are about: the one that says so, else the
// first.
func (r *reader) primary() *results.Metric { return primaryOf(r.scenario) }

func primaryOf(sc *results.Scenario) *results.Metric {
	for i := range sc.Metrics {
		if sc.Metrics[i].Primary {
			return &sc.Metrics[i]
		}
	}
	if len(sc.Metrics) > 0 {
		return &sc.Metrics[0]
	}
	return nil
}

// profile is that of the primary metric.
func (r *reader) profile() results.Profile {
	if m := r.primary(); m != nil {
		return profile(*m)
	}
	return results.ProfileTiming
}

func (r *reader) metric(name string) *results.Metric {
	for i := range r.scenario.Metrics {
		if r.scenario.Metrics[i].Name == name {
			return &r.scenario.Metrics[i]
		}
	}
	return nil
}

// cells of the scenario, those of the proof block left out.
func (r *reader) cells() []*results.Cell {
	var found []*results.Cell
	for i := range r.campaign.Cells {
		if c := &r.campaign.Cells[i]; c.Scenario == r.scenario.Label && c.Role != results.RoleProof {
			found = append(found, c)
		}
	}
	return found
}

// family is the number of cells of a level whose intervals are simultaneous:
// those that are compared with its baseline.
func (r *reader) family(level string) int {
	n := 0
	for _, c := range r.cells() {
		if c.Role == results.RoleVariant && c.Level() == level {
			n++
		}
	}
	return n
}

// values of a metric in a cell.
func (r *reader) values(cell string, m results.Metric) []value {
	return valuesOf(succeeded(r.all[cell], profile(m)), m.Name)
}

// answer says what is known of a metric of a cell; the difference from the
// baseline is that of a family of so many.
func (r *reader) answer(c *results.Cell, m results.Metric, family int) MetricAnswer {
	a := MetricAnswer{Metric: m.Name}
	if why := r.void[c.ID]; why != "" {
		a.Absent, a.NoDifference, a.NoRatio = why, why, why
		return a
	}
	if profile(m) == results.ProfileCalibration {
		a.Absent = "it is found before the measurement, and stands with the calibrations"
		return a
	}
	if m.Of != "" {
		return r.rateAnswer(c, m, family)
	}
	es := succeeded(r.all[c.ID], profile(m))
	vs := valuesOf(es, m.Name)
	a.Mean, a.Absent = meanOf(numbers(vs))
	if why := r.allVoid(c.ID, profile(m)); why != "" && len(vs) == 0 {
		a.Absent = why
	}
	a.Quantiles, a.NoQuantiles = r.quantilesOf(c, m)
	a.Components = componentsOf(es, m.Name)
	if c.Baseline == "" {
		return a
	}
	of := r.compare(vs, c.Baseline, m, family)
	a.Difference, a.Ratio, a.NoDifference, a.NoRatio = of.Difference, of.Ratio, of.NoDifference, of.NoRatio
	return a
}

const countsAreRates = "a count of events is no mean with an interval: see its rate"

// rateAnswer is what is known of a metric with Of.
func (r *reader) rateAnswer(c *results.Cell, m results.Metric, family int) MetricAnswer {
	a := MetricAnswer{Metric: m.Name, Absent: countsAreRates, NoDifference: countsAreRates, NoRatio: countsAreRates}
	rate, why := r.rate(c, m, family)
	if a.Rate = rate; rate == nil {
		if all := r.allVoid(c.ID, profile(m)); all != "" {
			why = all
		}
		a.Absent, a.NoDifference, a.NoRatio = why, why, why
	}
	return a
}

// componentsOf splits the variance of a metric that is a mean of samples.
func componentsOf(es []evidence, metric string) *Components {
	var means, variances []float64
	var counts []int
	for _, e := range es {
		x, ok := e.values[metric]
		w, known := e.within[metric]
		if ok && known {
			means, variances, counts = append(means, x), append(variances, w.variance), append(counts, w.n)
		}
	}
	c, err := stats.TwoLevelsFromMoments(means, variances, counts, confidence)
	if err != nil || len(c.T2) != 2 || !stats.Finite(c.T2[0], c.T2[1], c.ICC) {
		return nil
	}
	return &Components{BetweenSD: math.Sqrt(max(0, c.T2[1])), WithinSD: math.Sqrt(c.T2[0]), ICC: c.ICC}
}
