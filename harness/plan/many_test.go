package plan

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// TestManyScenarios: what a plan takes grows with the number of scenarios, and not with its square; there is a
// most of cells.
func TestManyScenarios(t *testing.T) {
	planOf := func(scenarios int) error {
		var text strings.Builder
		text.WriteString("name = \"many\"\n")
		for i := range scenarios {
			fmt.Fprintf(&text, "[[scenario]]\nlabel = \"s%d\"\nuse = \"overhead\"\nvariants = [\"none\", \"mine\"]\nblocks = 1\n", i)
		}
		text.WriteString("[framework.mine]\nagent = \"mine.jar\"\nproof = \"none\"\n")
		_, err := read(text.String())
		return err
	}
	bytes := func(scenarios int) float64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := planOf(scenarios); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	if few, many := bytes(100), bytes(800); many > 16*few {
		t.Errorf("a plan of eight times as many scenarios takes %.0f times as much memory", many/few)
	}
	if err := planOf(maxAllCells/3 + 1); err == nil || strings.Count(err.Error(), "more than 10000 cells together") != 1 {
		t.Errorf("too many cells: %v", err)
	}
}

// A scenario has a most of cells, its second baseline at each level among them.
func TestMostCellsOfAScenario(t *testing.T) {
	for levels, fits := range map[int]bool{250: true, 251: false} {
		var depths strings.Builder
		for i := range levels {
			fmt.Fprintf(&depths, "%d,", i+1)
		}
		_, err := read("name = \"many\"\n[[scenario]]\nuse = \"overhead\"\nblocks = 1\n" +
			"variants = [\"none\", \"a\", \"b\"]\ndepth = [" + depths.String() + "]\n" +
			"[framework.a]\nproof = \"none\"\n[framework.b]\nproof = \"none\"\n")
		if (err == nil) != fits || !fits && !strings.Contains(err.Error(), "more than 1000 cells") {
			t.Errorf("%d levels: %v", levels, err)
		}
	}
}
