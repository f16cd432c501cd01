package analysis

import "moobench/results"

// reader answers for one scenario of a campaign.
type reader struct {
	campaign *results.Campaign
	scenario *results.Scenario
	all      map[string][]evidence // of the whole campaign, by cell
	void     map[string]string
}

func (r *reader) unordered() bool { return r.campaign.Design == results.DesignUnordered }

// primary is the metric that verdicts are about: the one that says so, else the
// first.
func (r *reader) primary() *results.Metric {
	for i := range r.scenario.Metrics {
		if r.scenario.Metrics[i].Primary {
			return &r.scenario.Metrics[i]
		}
	}
	if len(r.scenario.Metrics) > 0 {
		return &r.scenario.Metrics[0]
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
// baseline is at the given level.
func (r *reader) answer(c *results.Cell, m results.Metric, level float64) MetricAnswer {
	a := MetricAnswer{Metric: m.Name}
	if why := r.void[c.ID]; why != "" {
		a.Absent, a.NoDifference, a.NoRatio = why, why, why
		return a
	}
	es := succeeded(r.all[c.ID], profile(m))
	vs := valuesOf(es, m.Name)
	a.Mean, a.Absent = meanOf(numbers(vs))
	a.Quantiles, a.NoQuantiles = quantilesOf(es, m)
	if c.Baseline == "" {
		return a
	}
	a.Difference, a.Ratio, a.NoDifference, a.NoRatio = r.compare(vs, c.Baseline, m, level)
	return a
}

// compare sets values against those of another cell.
func (r *reader) compare(vs []value, cell string, m results.Metric, level float64) (d, ratio *Estimate, noD, noRatio string) {
	others := r.values(cell, m)
	switch {
	case len(vs) == 0:
		const why = "no invocation observed it"
		return nil, nil, why, why
	case len(others) == 0:
		const why = "no invocation of the baseline observed it"
		return nil, nil, why, why
	case r.unordered():
		d, noD = unpaired(numbers(vs), numbers(others), level)
		return d, nil, noD, "unordered: there are no pairs"
	}
	x, y := pairs(vs, others)
	return paired(x, y, level)
}
