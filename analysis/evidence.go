package analysis

import (
	"fmt"
	"math"
	"strings"

	"moobench/results"
	"moobench/results/summary"
)

// Source is where a campaign is read from; *results.Store is one.
type Source interface {
	Campaign() *results.Campaign
	Machines() ([]*results.Machine, error)
	// Invocations returns those that can be read, with an error that names the
	// others.
	Invocations() ([]*results.Invocation, error)
	Summary(*results.Invocation) (*summary.Summary, error)
}

// quantiles are taken from each invocation.
var quantiles = [...]struct {
	name string
	p    float64
}{{"p50", 0.5}, {"p99", 0.99}, {"max", 1}}

// value is one observed value of a metric: one invocation's.
type value struct {
	block int
	x     float64
}

// evidence is one current invocation, and what was read from its summary.
type evidence struct {
	*results.Invocation
	values    map[string]float64 // metric → value, finite
	quantiles map[string][]float64
	batched   map[string]bool // metric → samples cover several calls
	whole     bool            // a window had to be everything
	trace     []float64
}

// gather reads the current invocations of a campaign. Problems are those that
// leave something out.
func gather(src Source) (all []evidence, superseded int, problems []string) {
	invocations, err := src.Invocations()
	if err != nil {
		problems = append(problems, strings.Split(err.Error(), "\n")...)
	}
	for _, inv := range invocations {
		if inv.Superseded {
			superseded++
			continue
		}
		cell := src.Campaign().Cell(inv.Cell)
		if cell == nil || src.Campaign().Scenario(cell.Scenario) == nil {
			problems = append(problems, fmt.Sprintf("invocation %s belongs to no cell of the campaign (%q): left out", inv.Identity, inv.Cell))
			continue
		}
		e, err := observe(src, inv, src.Campaign().Scenario(cell.Scenario))
		if err != nil {
			problems = append(problems, fmt.Sprintf("invocation %s: %v: left out", inv.Identity, err))
			continue
		}
		all = append(all, e)
	}
	return all, superseded, problems
}

// observe reads every metric that the invocation has.
func observe(src Source, inv *results.Invocation, sc *results.Scenario) (evidence, error) {
	e := evidence{Invocation: inv, values: map[string]float64{}, quantiles: map[string][]float64{}, batched: map[string]bool{}}
	if inv.Status != results.StatusOK {
		return e, nil
	}
	var sum *summary.Summary
	for _, m := range sc.Metrics {
		if profile(m) != inv.Profile {
			continue
		}
		if m.Series == "" {
			if x, ok := inv.Scalars[m.Name]; ok {
				e.put(m.Name, x)
			}
			continue
		}
		if len(inv.Series) == 0 {
			continue
		}
		if sum == nil {
			var err error
			if sum, err = src.Summary(inv); err != nil {
				return e, err
			}
		}
		if err := e.series(m, sum); err != nil {
			return e, err
		}
	}
	return e, nil
}

// profile of a metric; timing unless it says otherwise.
func profile(m results.Metric) results.Profile {
	if m.Profile == "" {
		return results.ProfileTiming
	}
	return m.Profile
}

func (e *evidence) put(metric string, x float64) {
	if finite(x) {
		e.values[metric] = x
	}
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// series reads a metric that is the mean of a column of samples.
func (e *evidence) series(m results.Metric, sum *summary.Summary) error {
	c := columnsOf(m, e.Invocation, sum)
	e.put(m.Name, c.mean())
	if _, ok := e.values[m.Name]; !ok {
		return nil
	}
	e.whole = e.whole || c.whole
	if m.Primary {
		e.trace = c.trace()
	}
	if !c.single() {
		e.batched[m.Name] = true
		return nil
	}
	d, err := summary.NewDistribution(c.window, c.columns...)
	if err != nil {
		return err
	}
	for _, q := range quantiles {
		e.quantiles[m.Name] = append(e.quantiles[m.Name], d.Quantile(q.p))
	}
	return nil
}

// byCell sorts invocations by their cells' IDs.
func byCell(all []evidence) map[string][]evidence {
	found := map[string][]evidence{}
	for _, e := range all {
		found[e.Cell] = append(found[e.Cell], e)
	}
	return found
}

// succeeded are those of a profile that gave numbers.
func succeeded(es []evidence, p results.Profile) []evidence {
	var found []evidence
	for _, e := range es {
		if e.Profile == p && e.Status == results.StatusOK {
			found = append(found, e)
		}
	}
	return found
}

// valuesOf are the values of a metric, by block.
func valuesOf(es []evidence, metric string) []value {
	var vs []value
	for _, e := range es {
		if x, ok := e.values[metric]; ok {
			vs = append(vs, value{e.Block, x})
		}
	}
	return vs
}

func numbers(vs []value) []float64 {
	xs := make([]float64, len(vs))
	for i, v := range vs {
		xs[i] = v.x
	}
	return xs
}

// pairs are the values of both that share a block.
func pairs(a, b []value) (x, y []float64) {
	of := map[int]float64{}
	for _, v := range b {
		of[v.block] = v.x
	}
	for _, v := range a {
		if w, ok := of[v.block]; ok {
			x, y = append(x, v.x), append(y, w)
		}
	}
	return x, y
}
