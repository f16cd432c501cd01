package replication

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/stats"
	"moobench/results"
	"moobench/results/summary"
)

// Scalars behind takeLost.
const (
	lostAll     = "lost_all"
	requestsAll = "requests_all"
)

// campaign is a campaign of ours, and its answers.
type campaign struct {
	src     analysis.Source
	answers *analysis.Answers
	used    map[string]bool // invocations behind the numbers
	scale   float64         // scale of a shortened campaign; 0: full length
	all     []*results.Invocation
}

// scenarioOf returns the scenario with a label.
func scenarioOf(a *analysis.Answers, label string) (*analysis.Scenario, error) {
	if s := a.Scenario(label); s != nil {
		return s, nil
	}
	return nil, fmt.Errorf("the campaign has no scenario %q", label)
}

// cellsOf finds two cells.
func cellsOf(s *analysis.Scenario, first, second string) (a, b *analysis.Cell, err error) {
	if a, err = cellOf(s, first); err == nil {
		b, err = cellOf(s, second)
	}
	return a, b, err
}

// missingCell is a cell that the campaign does not have.
type missingCell struct{ name string }

func (m *missingCell) Error() string { return "the campaign has no " + m.name }

// cellOf finds a cell by its label or its variant, whose first words are enough; extra baselines and proofs are
// left out.
func cellOf(s *analysis.Scenario, name string) (*analysis.Cell, error) {
	var found *analysis.Cell
	for i := range s.Cells {
		cell := &s.Cells[i]
		if cell.Role == results.RoleAA || cell.Role == results.RoleProof {
			continue
		}
		if cell.Label == name {
			found = cell
			break
		}
		if cell.Variant != name && !strings.HasPrefix(cell.Variant, name+"/") {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("the campaign has several cells called %s: %s and %s", name, found.Label, cell.Label)
		}
		found = cell
	}
	switch {
	case found == nil:
		return nil, &missingCell{name}
	case found.Invalid != "":
		return nil, errors.New(found.Invalid)
	}
	return found, nil
}

// metricOf returns a scenario's metric; "" is the primary one.
func metricOf(s *analysis.Scenario, name string) (results.Metric, error) {
	if name == "" {
		name = s.Primary
	}
	if m := s.MetricNamed(name); m != nil {
		return *m, nil
	}
	return results.Metric{}, fmt.Errorf("scenario %s has no metric %q", s.Label, name)
}

// figures fills in our figures of the variant: by the paper's arithmetic, in the table's unit, and by our own,
// as the mean over invocations or the rate of losses.
func (c *campaign) figures(t *Table, pair *ColumnPair) error {
	s, err := scenarioOf(c.answers, cmp.Or(pair.Scenario, t.Scenario))
	if err != nil {
		return err
	}
	cell, err := cellOf(s, pair.Variant)
	if err != nil {
		return err
	}
	name, factor := cmp.Or(pair.Metric, t.Metric), 1.0
	if t.Take == takeLost {
		name = lostAll
	}
	m, noMetric := metricOf(s, name)
	if a := cell.MetricNamed(m.Name); noMetric == nil && a != nil {
		pair.Mean, pair.MeanUnit, pair.Rate, pair.Speed = possible(a.Mean, m), m.Unit, a.Rate, a.Speed
	}
	if m.Unit == "ns" {
		factor, _ = unitNS(t.Unit)
	}
	invs := slices.DeleteFunc(slices.Clone(c.all), func(inv *results.Invocation) bool { // keep those behind its numbers
		return inv.Cell != cell.ID || !c.used[inv.Identity.String()] || inv.Superseded || inv.Invalid != ""
	})
	switch {
	case t.Take == takeLost:
		pair.Ours, err = lost(invs)
	case noMetric != nil:
		err = noMetric
	case m.Series != "" && !slices.ContainsFunc(invs, func(inv *results.Invocation) bool { return batched(inv, m) }):
		pair.Ours, err = c.pooled(invs, m, t.Take, factor)
	case pair.Mean == nil:
		err = fmt.Errorf("%s of %s has no mean", m.Name, pair.Variant)
	default: // one figure per invocation, as of the paper's only run; batches give only the mean of calls
		pair.Ours = ours(map[string]float64{"mean": pair.Mean.Value / factor})
	}
	return err
}

// possible cuts a mean's interval at the bounds of the metric: the t interval of a few widely scattered values
// may reach beyond.
func possible(e *analysis.Estimate, m results.Metric) *analysis.Estimate {
	if e == nil || e.Interval == nil {
		return e
	}
	cut, i := *e, *e.Interval
	low, high := m.Bounds()
	i.Low, i.High = max(i.Low, low), min(i.High, high)
	cut.Interval = &i
	return &cut
}

// batched reports whether a sample of the metric covers several calls.
func batched(inv *results.Invocation, m results.Metric) bool {
	return slices.ContainsFunc(inv.Series, func(s results.Series) bool { return s.Name == m.Series && s.Batch > 1 })
}

// pooled computes the figures over all samples of all invocations, as if they were independent: a paper's
// arithmetic.
func (c *campaign) pooled(
	invs []*results.Invocation, m results.Metric, take string, factor float64,
) (map[string]Number, error) {
	var all summary.Moments
	var columns []*summary.Column
	window := func(col *summary.Column) summary.Window {
		if take == takeHalf {
			return col.Half()
		}
		return col.Whole()
	}
	for _, inv := range invs {
		sum, err := c.src.Summary(inv)
		if err != nil {
			return nil, err
		}
		for _, col := range sum.Find(m.Series, m.Column) {
			all, columns = all.Merge(col.Moments(window(col))), append(columns, col)
		}
	}
	if all.N < 2 {
		return nil, errors.New("fewer than two samples")
	}
	longest := slices.MaxFunc(columns, func(a, b *summary.Column) int { return a.Batches() - b.Batches() })
	d, err := summary.NewDistribution([]summary.Window{window(longest)}, columns...)
	if err != nil {
		return nil, err
	}
	sd := math.Sqrt(all.Variance())
	return ours(map[string]float64{
		"mean": all.Mean() / factor, "sd": sd / factor, "ci95": z975() * sd / math.Sqrt(float64(all.N)) / factor,
		"median": d.Quantile(0.5) / factor, "max": float64(all.Max) / factor,
		"min": float64(all.Min) / factor, "n": float64(all.N),
	}), nil
}

// lost computes the figures of S L_i / S_i, with an interval over runs.
func lost(invs []*results.Invocation) (map[string]Number, error) {
	var runs stats.EventRuns
	for _, inv := range invs {
		s := inv.Scalars[requestsAll]
		if l, ok := inv.Scalars[lostAll]; ok && s > 0 {
			runs.Events, runs.Exposure = append(runs.Events, int64(l)), append(runs.Exposure, s)
		}
	}
	_, total := runs.Total()
	x, err := stats.SampleOf(runs.Rates())
	if err != nil {
		return nil, fmt.Errorf("invocations that counted their requests: %w", err)
	}
	n, sd := float64(x.N), total*x.SD
	return ours(map[string]float64{
		"mean": total * x.Mean, "sd": sd, "n": n, "ci95": stats.TQuantile(0.025, n-1) * sd / math.Sqrt(n),
	}), nil
}

// ours formats our own figures as a paper would, with more digits than it needs; non-finite ones are left out.
func ours(values map[string]float64) map[string]Number {
	all := map[string]Number{}
	for name, v := range values {
		decimals := 0
		if v != math.Trunc(v) {
			decimals = min(maxDecimals, max(0, 5-int(math.Floor(math.Log10(math.Abs(v))))-1))
		}
		switch {
		case !stats.Finite(v):
		case name == "n":
			all[name] = Number{figure.Count(int64(v)), v, 0}
		default:
			all[name] = Number{strconv.FormatFloat(v, 'f', decimals, 64), v, decimals}
		}
	}
	return all
}
