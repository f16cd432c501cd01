package tidy

import (
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

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
	columns := named(text, "campaign", "invocation", "scenario", "cell", "variant", "role", "baseline")
	for _, f := range factors {
		k := text
		if f.number {
			k = number
		}
		columns = append(columns, column{factorPrefix + f.name, k})
	}
	columns = slices.Concat(
		columns, named(integer, "block", "slot", "repeat"), named(text, "profile", "status", "failure"), named(truth, "superseded", "disturbed"),
		named(text, "invalid"), named(truth, "counts"), named(instant, "start", "end"), named(text, "machine", "runtime", "cpus", "steady_state"),
		named(number, "window_from"), named(integer, "records_expected", "records_received_by_loop_end", "records_received"),
	)
	return table{"invocations", columns, func(yield func([]any) bool) {
		for _, inv := range e.list {
			cell, m := e.cellOf(inv), e.measured[inv.Identity]
			row := []any{e.name, inv.Identity.String(), known(cell.Scenario), cell.ID, known(cell.Variant), known(string(cell.Role)), known(cell.Baseline)}
			for _, f := range factors {
				row = append(row, f.value(cell))
			}
			void := inv.Invalid
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
			row = append(
				row, int64(inv.Block), int64(inv.Slot), int64(inv.Repeat), string(inv.Profile), string(inv.Status), failure,
				inv.Superseded, inv.Disturbed != nil, known(void), inv.Status == results.StatusOK && void == "" && !inv.Superseded,
				inUTC(inv.Start), inUTC(inv.End), known(inv.Machine), known(inv.Runtime), known(inv.CPUs),
				known(m.Class), from, expected, early, late,
			)
			if !yield(row) {
				return
			}
		}
	}}
}

// metrics has a row for each metric that an invocation observed.
func (e *export) metrics() table {
	columns := slices.Concat(named(text, "campaign", "invocation", "scenario", "cell", "variant", "metric", "unit", "better"),
		named(truth, "is_primary"), named(number, "value"))
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
	return table{"columns", named(text, "series", "column", "unit", "kind"), func(yield func([]any) bool) {
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

// kind is the type of a column.
type kind int

const (
	text    kind = iota // string
	number              // float64
	integer             // int64
	truth               // bool
	instant             // time.Time
)

// column is a column of a table.
type column struct {
	name string
	kind kind
}

// named are columns of one kind.
func named(k kind, names ...string) []column {
	var all []column
	for _, name := range names {
		all = append(all, column{name, k})
	}
	return all
}

// table is one file: a name, columns, and rows with a value for each column, nil where it
// is unknown.
type table struct {
	name    string
	columns []column
	rows    iter.Seq[[]any]
}

// known returns a text, nil if it is empty.
func known(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// inUTC returns a time in UTC, nil if it is zero.
func inUTC(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC()
}
