package compare

import (
	"fmt"
	"testing"

	"moobench/analysis"
)

// A thousand cells, all of them undecided: what can be detected is then looked up
// for each.
func BenchmarkThousandCells(b *testing.B) {
	cells := func(shift float64) []made {
		all := []made{baseline(1000)}
		for i := range 1000 {
			all = append(all, variant(fmt.Sprint("v", i), 0.5+shift, 0.1+float64(i%17)/100))
		}
		return all
	}
	as := []*analysis.Answers{night(1, cells(0)...), night(2, cells(0.01)...)}
	for b.Loop() {
		if _, err := Several(as, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
