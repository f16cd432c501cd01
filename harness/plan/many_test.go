package plan

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"moobench/results"
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

// TestLevels: lists cross in order, the last one varying fastest, into no more cells than a scenario may have.
func TestLevels(t *testing.T) {
	schema := []results.Parameter{{Name: "a"}, {Name: "b", Type: results.TypeDuration}, {Name: "c"}}
	values := func(n int) []string { return strings.Fields(strings.Repeat("1 ", n)) }
	for _, c := range []struct{ a, b, c, want int }{
		{1, 1, 1, 1},
		{2, 3, 4, 24},
		{1, maxCells, 1, maxCells},
		{40, 25, 1, maxCells},
		{40, 26, 1, 0},
		{2, 600, 1, 0},
		{600, 2, 1, 0},
		{1, maxCells + 1, 1, 0},
	} {
		got := levels(schema, map[string][]string{"a": values(c.a), "b": values(c.b), "c": values(c.c)})
		if len(got) != c.want {
			t.Errorf("%+v: %d levels", c, len(got))
		}
	}
	var labels []string
	for _, l := range levels(schema, map[string][]string{"a": {"1", "2"}, "b": {"0"}, "c": {"x", "y"}}) {
		labels = append(labels, l.Parameter("a")+l.Parameter("b")+l.Parameter("c"))
		if len(l.Factors) != 2 || l.Parameters[0].Unit != "" || l.Parameters[1].Unit != "ns" {
			t.Errorf("factors %+v, parameters %+v", l.Factors, l.Parameters)
		}
	}
	if got := strings.Join(labels, " "); got != "10x 10y 20x 20y" {
		t.Errorf("levels %s", got)
	}
}
