package main

import (
	"fmt"
	"math"
	"slices"

	"moobench/analysis"
	"moobench/harness/run"
	"moobench/results"
	"moobench/results/summary"
)

// source is a campaign with its samples, such as *results.Store.
type source interface {
	analysis.Source
	Samples(inv *results.Invocation, fn func(series results.Series, column int, values []int64) error) error
}

// held is a campaign whose invocations are read once, since they are used a hundred times.
type held struct {
	source
	invocations []*results.Invocation
}

func (h held) Invocations() ([]*results.Invocation, error) { return h.invocations, nil }

// judged reports whether a metric is judged: the time of a call, for which compare judges the mean and
// quantiles, and CPU time.
func judged(m *results.Metric) bool { return m.Primary || m.Name == run.CPUNS }

// part is a campaign restricted to one variant, the baselines, and some of its timing blocks. It is a campaign
// that a user could have measured: each variant is a family of its own, with intervals at 95 %, and the blocks
// are successive.
type part struct {
	source
	campaign *results.Campaign
}

// partOf returns the n-th piece of a number of timing blocks.
func partOf(src source, variant string, blocks, n int) part {
	c := *src.Campaign()
	c.Cells = slices.DeleteFunc(slices.Clone(c.Cells), func(cell results.Cell) bool {
		return cell.Role == results.RoleVariant && cell.Variant != variant
	})
	c.Scenarios = slices.Clone(c.Scenarios)
	for i := range c.Scenarios {
		sc := &c.Scenarios[i]
		sc.Metrics = slices.DeleteFunc(slices.Clone(sc.Metrics), func(m results.Metric) bool { return !judged(&m) })
		sc.Questions = slices.DeleteFunc(slices.Clone(sc.Questions), func(q results.Question) bool {
			return c.Cell(q.A) == nil || c.Cell(q.B) == nil
		})
	}
	at := 0 // index among the timing blocks
	c.Blocks = slices.DeleteFunc(slices.Clone(c.Blocks), func(b results.Block) bool {
		if b.Kind != results.BlockPlanned || b.Profile != results.ProfileTiming {
			return b.Kind != results.BlockProof
		}
		at++
		return (at-1)/blocks != n
	})
	return part{src, &c}
}

func (p part) Campaign() *results.Campaign { return p.campaign }

func (p part) Invocations() ([]*results.Invocation, error) {
	all, err := p.source.Invocations()
	return slices.DeleteFunc(slices.Clone(all), func(inv *results.Invocation) bool {
		seen := func(b results.Block) bool { return b.Number == inv.Block }
		return p.campaign.Cell(inv.Cell) == nil || !slices.ContainsFunc(p.campaign.Blocks, seen)
	}), err
}

// slower is a campaign whose variants are slower by a factor: it multiplies the time of each of their samples,
// and their CPU time. Samples are scaled instead of costs, because a slower program's noise, warm-up and
// response to the CPU's speed grow with it. The cost beyond the baseline grows by a little more than the
// factor.
type slower struct {
	part
	factor float64
}

func (s slower) slowed(inv *results.Invocation) bool {
	cell := s.campaign.Cell(inv.Cell)
	return cell != nil && cell.Role == results.RoleVariant
}

func (s slower) Invocations() ([]*results.Invocation, error) {
	all, err := s.part.Invocations()
	for i, inv := range all {
		if cpu, ok := inv.Scalars[run.CPUNS]; ok && s.slowed(inv) {
			changed := *inv
			changed.Scalars = map[string]float64{run.CPUNS: cpu * s.factor}
			for name, v := range inv.Scalars {
				if name != run.CPUNS {
					changed.Scalars[name] = v
				}
			}
			all[i] = &changed
		}
	}
	return all, err
}

// Summary is computed from the scaled samples of the primary metric; other series, such as the reference, stay
// unchanged.
func (s slower) Summary(inv *results.Invocation) (*summary.Summary, error) {
	stored, err := s.part.Summary(inv)
	if err != nil || !s.slowed(inv) {
		return stored, err
	}
	m := primaryOf(s.campaign)
	type place struct{ thread, column int }
	scaled := map[place][]int64{}
	err = s.Samples(inv, func(series results.Series, column int, values []int64) error {
		if series.Name == m.Series {
			at := place{series.Thread, column}
			for _, v := range values {
				scaled[at] = append(scaled[at], int64(math.Round(s.factor*float64(v))))
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("scaling %s: %w", inv.Identity, err)
	}
	made := *stored
	made.Columns = slices.Clone(stored.Columns)
	for i := range made.Columns {
		col := &made.Columns[i]
		if col.Series != m.Series || col.Name != m.Column {
			continue
		}
		values := scaled[place{col.Thread, columnNumber(inv, col)}]
		b := summary.NewBuilder(int64(len(values)))
		b.Add(values)
		name, series, thread := col.Name, col.Series, col.Thread
		if *col, err = b.Column(); err != nil {
			return nil, fmt.Errorf("scaling %s: %w", inv.Identity, err)
		}
		col.Name, col.Series, col.Thread = name, series, thread
	}
	return &made, nil
}

// columnNumber returns the index of a column in its series, or -1.
func columnNumber(inv *results.Invocation, col *summary.Column) int {
	s := results.Find(inv.Series, func(s *results.Series) bool {
		return s.Name == col.Series && s.Thread == col.Thread
	})
	if s == nil {
		return -1
	}
	return slices.IndexFunc(s.Columns, func(c results.Column) bool { return c.Name == col.Name })
}

// primaryOf returns the primary metric of the only scenario.
func primaryOf(c *results.Campaign) *results.Metric {
	return results.Find(c.Scenarios[0].Metrics, func(m *results.Metric) bool { return m.Primary })
}
