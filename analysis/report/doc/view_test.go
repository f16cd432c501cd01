package doc

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A view has a row for each value, in which each column shows its own cell.
func TestView(t *testing.T) {
	v := View[int]{
		TextColumn("value", strconv.Itoa),
		NumberColumn("twice", func(x int) string { return strconv.Itoa(2 * x) }),
		NewColumn(Column{Head: "odd", Rank: 3, Help: "not even"}, func(x int) Cell {
			if x%2 == 0 {
				return Cell{}
			}
			return Cell{Text: "odd", Tone: Warning}
		}),
	}
	want := &Table{
		Columns: []Column{{Head: "value"}, {Head: "twice", Number: true}, {Head: "odd", Rank: 3, Help: "not even"}},
		Rows: []Row{
			{Cells: []Cell{{Text: "3"}, {Text: "6"}, {Text: "odd", Tone: Warning}}},
			{Cells: []Cell{{Text: "4"}, {Text: "8"}, {}}},
		},
	}
	got := v.Table([]int{3, 4})
	if diff := cmp.Diff(want.Columns, got.Columns); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want.Rows, got.Rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if none := v.Table(nil); len(none.Columns) != 3 || len(none.Rows) != 0 {
		t.Errorf("without values: %+v", none)
	}
}
