package tidy

import (
	"slices"
	"strconv"
	"strings"

	"moobench/results"
)

// factorPrefix begins the columns of factors, whose names are arbitrary.
const factorPrefix = "factor_"

// export is the part of a campaign that becomes tables.
type export struct {
	name     string // of the campaign's folder
	store    *results.Store
	list     []*results.Invocation
	measured map[results.Identity]Measured
}

// Measured is what the analysis finds in an invocation.
type Measured struct {
	Values     map[string]float64 // by metric, in its unit
	Class      string             // of its steady state, "" where there is none
	WindowFrom float64            // share of the samples before the window
}

// factor is a factor of some cells. It is a number if all its values are.
type factor struct {
	name   string
	number bool
}

// factors returns the factors of all cells.
func (e *export) factors() []factor {
	var all []factor
	for _, cell := range e.store.Campaign().Cells {
		for _, v := range cell.Factors {
			i := slices.IndexFunc(all, func(f factor) bool { return f.name == v.Name })
			if i < 0 {
				all, i = append(all, factor{v.Name, true}), len(all)
			}
			_, err := plain(v.Value)
			all[i].number = all[i].number && err == nil
		}
	}
	return all
}

// plain parses a number as benchmarks.toml has it: 2_000_000.
func plain(text string) (float64, error) {
	return strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
}

// value returns the value of the factor in a cell.
func (f factor) value(cell *results.Cell) any {
	v := cell.Factor(f.name)
	if x, err := plain(v); f.number && err == nil {
		return x
	}
	return known(v)
}

// cellOf returns the cell of an invocation, an empty one where the campaign has none.
func (e *export) cellOf(inv *results.Invocation) *results.Cell {
	if c := e.store.Campaign().Cell(inv.Cell); c != nil {
		return c
	}
	return &results.Cell{ID: inv.Cell}
}

// invocations has a row for each invocation.
func (e *export) invocations() table {
	factors := e.factors()
	columns := []column{
		{"campaign", text}, {"invocation", text}, {"scenario", text}, {"cell", text}, {"variant", text}, {"role", text}, {"baseline", text},
	}
	for _, f := range factors {
		k := text
		if f.number {
			k = number
		}
		columns = append(columns, column{factorPrefix + f.name, k})
	}
	columns = append(columns, []column{
		{"block", integer},
		{"slot", integer},
		{"repeat", integer},
		{"profile", text},
		{"status", text},
		{"failure", text},
		{"superseded", truth},
		{"disturbed", truth},
		{"invalid", text},
		{"counts", truth},
		{"start", instant},
		{"end", instant},
		{"machine", text},
		{"runtime", text},
		{"cpus", text},
		{"steady_state", text},
		{"window_from", number},
		{"records_expected", integer},
		{"records_received_by_loop_end", integer},
		{"records_received", integer},
	}...)
	return table{"invocations", columns, func(yield func([]any) bool) {
		for _, inv := range e.list {
			if !yield(e.invocation(inv, factors)) {
				return
			}
		}
	}}
}

// invocation returns the row of an invocation.
func (e *export) invocation(inv *results.Invocation, factors []factor) []any {
	cell, m := e.cellOf(inv), e.measured[inv.Identity]
	row := []any{e.name, inv.Identity.String(), known(cell.Scenario), cell.ID, known(cell.Variant), known(string(cell.Role)), known(cell.Baseline)}
	for _, f := range factors {
		row = append(row, f.value(cell))
	}
	void := inv.Void
	if inv.Proof.NotInstrumented(cell.Proof) {
		void = "not instrumented"
	}
	var failure, from, expected, early, late any
	if inv.Failure != nil {
		failure = known(inv.Failure.Kind)
	}
	if m.Class != "" {
		from = m.WindowFrom
	}
	if inv.Proof.Counted() {
		expected, early, late = inv.Proof.Expected, inv.Proof.ByLoopEnd, inv.Proof.ByExit
	}
	return append(
		row, int64(inv.Block), int64(inv.Slot), int64(inv.Repeat), string(inv.Profile), string(inv.Status), failure,
		inv.Superseded, inv.Disturbed != nil, known(void), inv.Status == results.StatusOK && void == "" && !inv.Superseded,
		at(inv.Start), at(inv.End), known(inv.Machine), known(inv.Runtime), known(inv.CPUs),
		known(m.Class), from, expected, early, late,
	)
}

// metrics has a row for each metric that an invocation observed.
func (e *export) metrics() table {
	columns := []column{
		{"campaign", text},
		{"invocation", text},
		{"scenario", text},
		{"cell", text},
		{"variant", text},
		{"metric", text},
		{"unit", text},
		{"better", text},
		{"is_primary", truth},
		{"value", number},
	}
	return table{"metrics", columns, func(yield func([]any) bool) {
		for _, inv := range e.list {
			cell := e.cellOf(inv)
			sc := e.store.Campaign().Scenario(cell.Scenario)
			if sc == nil {
				continue
			}
			for _, m := range sc.Metrics {
				v, ok := e.measured[inv.Identity].Values[m.Name]
				if ok && !yield([]any{
					e.name, inv.Identity.String(), cell.Scenario, cell.ID, known(cell.Variant), m.Name, known(m.Unit), known(string(m.Better)), m.Primary, v,
				}) {
					return
				}
			}
		}
	}}
}

// columns has a row for each column of the samples.
func (e *export) columns() table {
	return table{"columns", []column{{"series", text}, {"column", text}, {"unit", text}, {"kind", text}}, func(yield func([]any) bool) {
		seen := map[[4]string]bool{}
		for _, inv := range e.list {
			for _, s := range inv.Series {
				for _, c := range s.Columns {
					key := [4]string{s.Name, c.Name, c.Unit, string(c.Kind)}
					if seen[key] {
						continue
					}
					seen[key] = true
					if !yield([]any{s.Name, c.Name, c.Unit, string(c.Kind)}) {
						return
					}
				}
			}
		}
	}}
}

// names has a row for each name of an ID in the samples.
func (e *export) names() table {
	columns := []column{{"invocation", text}, {"series", text}, {"thread", integer}, {"column", text}, {"id", integer}, {"name", text}}
	return table{"names", columns, func(yield func([]any) bool) {
		for _, inv := range e.list {
			for _, s := range inv.Series {
				for _, c := range s.Columns {
					for id, name := range c.Dict {
						if !yield([]any{inv.Identity.String(), s.Name, int64(s.Thread), c.Name, int64(id), name}) {
							return
						}
					}
				}
			}
		}
	}}
}
