package modes

import (
	"math"
	"testing"

	"moobench/results"
)

// values are the logarithms of a cell, block by block.
func values(id string, xs ...float64) logarithms {
	l := logarithms{cell: &results.Cell{ID: id}, at: map[int]float64{}, noise: 1e-6}
	for i, x := range xs {
		l.blocks, l.values = append(l.blocks, i+1), append(l.values, x)
		l.at[i+1] = x
	}
	return l
}

// Of two cells with modes the clearer one is found first, and both are found.
func TestEachCellOfALevel(t *testing.T) {
	faint := values("faint", 0, 0.0001, 0.03, 0.0302, 0.0001, 0.0299, 0, 0.0301, 0.0002, 0.03)
	clear := values("clear", 0.2, 0, 0.0001, 0.2001, 0.2002, 0, 0.0001, 0, 0.2, 0.0002)
	none := values("none", 0.0001, 0, 0.0002, 0.0001, 0, 0.0002, 0.0001, 0, 0.0001, 0.0002)
	found := modesOf([]logarithms{none, faint, clear})
	if len(found) != 2 || found[0].cell.ID != "clear" || found[1].cell.ID != "faint" {
		t.Fatalf("%d cells", len(found))
	}
	if b := found[0]; b.Faster != 6 || b.Slower != 4 || math.Abs(b.apart()-(math.Exp(0.2)-1)) > 0.001 {
		t.Errorf("%d and %d, apart by %v", b.Faster, b.Slower, b.apart())
	}
	if found := modesOf([]logarithms{none}); len(found) != 0 {
		t.Errorf("a cell with one mode has two: %+v", found[0])
	}
}

// Modes that are closer than half a per cent don't matter.
func TestModesTooClose(t *testing.T) {
	close := values("close", 0, 0.004, 0, 0.004, 0.004, 0, 0, 0.004, 0, 0.004)
	if found := modesOf([]logarithms{close}); len(found) != 0 {
		t.Errorf("apart by %v", found[0].apart())
	}
}

// A single other cell is subtracted only as far as the cell moves with it.
func TestClearedOfOneOther(t *testing.T) {
	drift := []float64{0.1, -0.2, 0.3, 0, -0.1, 0.2, -0.3, 0.15, -0.05, 0.05}
	other := values("other", drift...)
	half := make([]float64, len(drift))
	against := make([]float64, len(drift))
	for i, d := range drift {
		half[i], against[i] = d/2, -d
	}
	moves := values("moves", half...)
	for i, x := range moves.cleared([]logarithms{moves, other}) {
		if math.Abs(x) > 1e-9 {
			t.Errorf("block %d: %v is left of what both share", i+1, x)
		}
	}
	opposed := values("opposed", against...)
	for i, x := range opposed.cleared([]logarithms{opposed, other}) {
		if x != against[i] {
			t.Errorf("block %d: %v, though it moves the other way", i+1, x)
		}
	}
}

// Row effects explain as much of the means of rows as the rest leaves.
func TestReliability(t *testing.T) {
	if x := reliability([][]float64{{1, 1}, {2, 2}, {3, 3}}); x != 1 {
		t.Errorf("rows alone: %v", x)
	}
	if x := reliability([][]float64{{1, -1}, {-1, 1}, {1, -1}}); x != 0 {
		t.Errorf("no rows: %v", x)
	}
	// By hand: means 1, 2, 6 of variance 7; the columns' deviations are ±1, ±1, ∓2, of variance 3 each, within
	// (3 + 3)/(1·2) = 3: 1 − 3/7.
	if x := reliability([][]float64{{2, 0}, {3, 1}, {4, 8}}); math.Abs(x-(1-3.0/7)) > 1e-12 {
		t.Errorf("both: %v, want %v", x, 1-3.0/7)
	}
}
