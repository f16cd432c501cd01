package locked

import (
	"slices"
	"strings"
	"testing"

	"moobench/analysis/chapter/locks"
	"moobench/analysis/divergent"
	"moobench/analysis/report/doc"
	"moobench/results/events"
)

// TestWhoseRule: an execution is divergent by both rules where the paper names it too, or would have: its list is cut.
func TestWhoseRule(t *testing.T) {
	at := func(index, ns int64) divergent.Execution { return divergent.Execution{Index: index, NS: ns} }
	x := &locks.Section{Times: &divergent.Series{
		N: 50, InterceptNS: 100, SlopeNS: 1, SDNS: 10,
		Paper: divergent.Divergent{Named: []divergent.Execution{at(3, 90), at(9, 130)}},
		Ours:  divergent.Divergent{Named: []divergent.Execution{at(3, 90), at(5, 115), at(6, 117), at(0, 90)}},
	}}
	var got []string
	for _, r := range divergentTable(&locks.Report{Log: &events.Log{Threads: []string{"main"}}}, x).Rows {
		got = append(got, r.Cells[0].Text+" "+r.Cells[4].Text)
	}
	want := []string{"0 ours", "3 both rules", "5 ours", "6 both rules", "9 the paper's rule"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestFence: the limit of our rule is drawn where the picture has a place for it.
func TestFence(t *testing.T) {
	for fence, want := range map[float64]bool{0: false, -1: false, 50: true, 200: true, 201: false} {
		x := &divergent.Series{
			N: 2, LeastNS: 10, MostNS: 200, FenceNS: fence,
			Columns: []divergent.Column{{N: 1, SumNS: 10, MostNS: 10}, {N: 1, SumNS: 200, MostNS: 200}},
		}
		if got := strings.Contains(course(x).SVG, `class="zero"`); got != want {
			t.Errorf("a limit of %v ns is drawn: %t", fence, got)
		}
	}
}

// TestPriceOfALog: what the log took is in the table where it is known.
func TestPriceOfALog(t *testing.T) {
	for _, c := range []struct {
		price int64
		rows  int
	}{{0, 3}, {1, 4}} {
		r := &locks.Report{ProgramNS: 1000, PriceNS: 10, Log: &events.Log{}}
		r.PricePS = c.price
		if got := whole(r, "").Blocks[0].(*doc.Table).Rows; len(got) != c.rows {
			t.Errorf("%d ps: %d rows", c.price, len(got))
		}
	}
}

// TestPlaceOfASection: a block stands in a line where that is known.
func TestPlaceOfASection(t *testing.T) {
	for want, s := range map[string]locks.Section{
		":1":          {Kind: locks.Block, Line: 1},
		" (block)":    {Kind: locks.Block},
		" (explicit)": {Kind: locks.Explicit, Line: 7},
	} {
		if got := place(&s); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestFacts: sections and methods without a lock are counted apart, over all JVMs.
func TestFacts(t *testing.T) {
	of := func(kind locks.Kind, n int64) locks.Section {
		return locks.Section{Kind: kind, Times: &divergent.Series{N: n}}
	}
	one := &locks.Report{Log: &events.Log{}, Sections: []locks.Section{of(locks.Block, 7), of(locks.Plain, 3)}}
	two := &locks.Report{Log: &events.Log{}, Sections: []locks.Section{of(locks.Explicit, 5), of(locks.Plain, 2)}}
	const want = "12 executions of 2 critical sections · 5 of 2 methods without a lock · 0 threads · 2 JVMs · " +
		"0 ns waited for locks"
	if got := strings.Join(Facts([]*locks.Report{one, two}), " · "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
