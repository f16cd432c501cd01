package results

import "testing"

// TestCellIndex: a cell is found by its ID wherever it stands.
func TestCellIndex(t *testing.T) {
	cells := func(ids ...string) *Campaign {
		return &Campaign{Cells: Each(ids, func(id string) Cell { return Cell{ID: id} })}
	}
	for _, c := range []*Campaign{
		cells("c00", "c01", "c02"),
		cells("c01", "c02", "c07"), // others were left out
		cells("c2", "c1", "c00"),
		cells("jmh", "c-1", "c99999999999999999999", "c", "c01"),
	} {
		for i, cell := range c.Cells {
			if got := c.CellIndex(cell.ID); got != i || c.Cell(cell.ID) != &c.Cells[i] {
				t.Errorf("%s of %d cells is found at %d, want %d", cell.ID, len(c.Cells), got, i)
			}
		}
		if c.CellIndex("c0") >= 0 || c.Cell("c3") != nil || c.Cell("") != nil {
			t.Error("a cell is found that is not there")
		}
	}
}
