package tidy

import (
	"cmp"
	"slices"
	"time"

	"github.com/parquet-go/parquet-go"

	"moobench/results"
)

// factorPrefix is the prefix of the columns of factors, whose names are arbitrary.
const factorPrefix = "factor_"

// export is the part of a campaign that becomes tables.
type export struct {
	name     string // of the campaign's folder
	store    *results.Store
	list     []*results.Invocation
	measured map[results.Identity]Measured
}

// Measured is the analysis's result for an invocation.
type Measured struct {
	Values     map[string]float64  // by metric, in its unit
	Adjusted   map[string]Adjusted // by metric, for adjusted values only
	Class      string              // of its steady state, "" without one
	WindowFrom float64             // share of the samples before the window
	Void       string              // why none of its numbers counts, "" if they do
}

// Adjusted describes the adjustment of a value for the speed of the CPU.
type Adjusted struct {
	Unadjusted  float64 // measured value, in the metric's unit
	ReferenceNS float64 // time of the reference beside it
	AtNS        float64 // time of the reference at the speed that the value is adjusted to
}

// factor is a factor of some cells. It is a number if all its values are.
type factor struct {
	name   string
	number bool
}

// value returns the value of the factor in a cell.
func (f factor) value(cell *results.Cell) any {
	v := cell.Factor(f.name)
	if x, ok := (results.Value{Value: v}).Number(); f.number && ok {
		return x
	}
	return known(v)
}

// cellOf returns the cell of an invocation, an empty one if the campaign lacks it.
func (e *export) cellOf(inv *results.Invocation) *results.Cell {
	return cmp.Or(e.store.Campaign().Cell(inv.Cell), &results.Cell{ID: inv.Cell})
}

// eachColumn calls fn with each column of each series of the invocations.
func (e *export) eachColumn(fn func(*results.Invocation, results.Series, results.Column)) {
	for _, inv := range e.list {
		for _, s := range inv.Series {
			for _, c := range s.Columns {
				fn(inv, s, c)
			}
		}
	}
}

// invocations has a row for each invocation.
func (e *export) invocations() table {
	var factors []factor // of all cells
	for _, cell := range e.store.Campaign().Cells {
		for _, v := range cell.Factors {
			i := slices.IndexFunc(factors, func(f factor) bool { return f.name == v.Name })
			if i < 0 {
				factors, i = append(factors, factor{v.Name, true}), len(factors)
			}
			_, isNumber := v.Number()
			factors[i].number = factors[i].number && isNumber
		}
	}
	columns := named(text, "campaign", "invocation", "scenario", "cell", "label", "variant", "role", "baseline")
	for _, f := range factors {
		t := text
		if f.number {
			t = number
		}
		columns = append(columns, named(t, factorPrefix+f.name)...)
	}
	columns = slices.Concat(
		columns, named(integer, "block", "slot", "repeat"), named(text, "profile", "status", "failure"),
		named(truth, "superseded", "disturbed"), named(text, "invalid"), named(truth, "counts"),
		named(instant, "start", "end"), named(text, "machine", "runtime", "cpus", "steady_state"),
		named(number, "window_from"),
		named(integer, "records_expected", "records_received_by_loop_end", "records_received"),
	)
	return table{"invocations", columns, func(add func(...any)) {
		for _, inv := range e.list {
			cell, m := e.cellOf(inv), e.measured[inv.Identity]
			row := []any{
				e.name, inv.Identity.String(), known(cell.Scenario), cell.ID, known(cell.Label()), known(cell.Variant),
				known(string(cell.Role)), known(cell.Baseline),
			}
			for _, f := range factors {
				row = append(row, f.value(cell))
			}
			var failure, from, expected, early, late any
			if inv.Failure != nil {
				failure = known(inv.Failure.Kind)
			}
			if m.Class != "" {
				from = m.WindowFrom
			}
			if inv.Proof.Counted() {
				expected, late = inv.Proof.Expected, inv.Proof.ByExit
				if !inv.Proof.LoopEndUnknown {
					early = inv.Proof.ByLoopEnd
				}
			}
			add(append(
				row, int64(inv.Block), int64(inv.Slot), int64(inv.Repeat),
				string(inv.Profile), string(inv.Status), failure,
				inv.Superseded, inv.Disturbed != nil, known(cmp.Or(m.Void, inv.Invalid)), e.counts(inv),
				known(inv.Start.UTC()), known(inv.End.UTC()), known(inv.Machine), known(inv.Runtime), known(inv.CPUs),
				known(m.Class), from, expected, early, late,
			)...)
		}
	}}
}

// counts reports whether answers use the numbers of an invocation.
func (e *export) counts(inv *results.Invocation) bool {
	return inv.Status == results.StatusOK && inv.Invalid == "" && !inv.Superseded && e.measured[inv.Identity].Void == ""
}

// metrics has a row for each metric that an invocation observed, with everything needed to group and pair the
// rows.
func (e *export) metrics() table {
	columns := slices.Concat(
		named(text, "campaign", "invocation", "scenario", "cell", "label", "variant"), named(integer, "block"),
		named(text, "metric", "unit", "better"), named(truth, "is_primary", "counts"),
		named(number, "value", "unadjusted", "reference_ns", "at_ns"),
	)
	return table{"metrics", columns, func(add func(...any)) {
		for _, inv := range e.list {
			cell := e.cellOf(inv)
			sc := e.store.Campaign().Scenario(cell.Scenario)
			if sc == nil {
				continue
			}
			for _, m := range sc.Metrics {
				found := e.measured[inv.Identity]
				v, ok := found.Values[m.Name]
				if !ok {
					continue
				}
				var unadjusted, reference, at any
				if a, ok := found.Adjusted[m.Name]; ok {
					unadjusted, reference, at = a.Unadjusted, a.ReferenceNS, a.AtNS
				}
				add(
					e.name, inv.Identity.String(), cell.Scenario, cell.ID, known(cell.Label()), known(cell.Variant),
					int64(inv.Block), m.Name, known(m.Unit), known(string(m.Better)), m.Primary, e.counts(inv),
					v, unadjusted, reference, at,
				)
			}
		}
	}}
}

// columns has a row for each column of the samples.
func (e *export) columns() table {
	return table{"columns", named(text, "series", "column", "unit", "kind"), func(add func(...any)) {
		seen := map[[4]string]bool{}
		e.eachColumn(func(_ *results.Invocation, s results.Series, c results.Column) {
			if key := [4]string{s.Name, c.Name, c.Unit, string(c.Kind)}; !seen[key] {
				seen[key] = true
				add(s.Name, c.Name, c.Unit, string(c.Kind))
			}
		})
	}}
}

// names has a row for each name of an ID in the samples.
func (e *export) names() table {
	columns := slices.Concat(named(text, "invocation", "series"), named(integer, "thread"),
		named(text, "column"), named(integer, "id"), named(text, "name"))
	return table{"names", columns, func(add func(...any)) {
		e.eachColumn(func(inv *results.Invocation, s results.Series, c results.Column) {
			for id, name := range c.Dict {
				add(inv.Identity.String(), s.Name, int64(s.Thread), c.Name, int64(id), name)
			}
		})
	}}
}

// named returns columns of one type.
func named(t parquet.Node, names ...string) []results.ParquetColumn {
	return results.Each(names, func(name string) results.ParquetColumn {
		return results.ParquetColumn{Name: name, Node: t}
	})
}

// table is one file: a name, columns, and a function that yields rows with a value for each column, nil if
// unknown.
type table struct {
	name    string
	columns []results.ParquetColumn
	rows    func(add func(row ...any))
}

// known returns a text or a time in UTC, nil if it is empty or zero.
func known[T string | time.Time](v T) any {
	if v == *new(T) {
		return nil
	}
	return v
}
