package plan

import (
	"slices"
	"strings"
	"testing"

	"moobench/harness/framework"
	"moobench/results"
)

// The time of calls at a rate is that of all threads' calls.
func TestPacedNS(t *testing.T) {
	for _, c := range []struct {
		work Work
		want float64
	}{
		{Work{Calls: 1000}, 0},
		{Work{Calls: 1000, Rate: 1}, 1000e9},
		{Work{Calls: 1000, Rate: 500}, 2e9},
		{Work{Calls: 1000, Rate: 500, Threads: 3}, 6e9},
		{Work{Rate: 500}, 0},
	} {
		cell := Cell{Work: c.work}
		if got := cell.PacedNS(); got != c.want {
			t.Errorf("%+v: %v ns, want %v", c.work, got, c.want)
		}
	}
}

// Products are exact up to the largest number, which stands for all that are larger.
func TestTimes(t *testing.T) {
	const half = countless / 2
	for _, c := range []struct{ a, b, want int64 }{
		{0, 0, 0},
		{0, 7, 0},
		{7, 0, 0},
		{countless, 0, 0},
		{countless, 1, countless},
		{half, 2, countless - 1},
		{half + 1, 2, countless},
		{countless, 2, countless},
		{6, 7, 42},
	} {
		if got := times(c.a, c.b); got != c.want {
			t.Errorf("%d times %d is %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// Records are known if the number per call is, if it is a number or a parameter's; of a pattern none are.
func TestRecords(t *testing.T) {
	for name, c := range map[string]struct {
		kind    results.ProofKind
		perCall string
		extra   int64
		pattern string
		calls   int64
		want    int64
	}{
		"a number":          {results.ProofCount, "3", 0, "", 10, 30},
		"a parameter":       {results.ProofCount, "depth", 0, "", 10, 70},
		"and some extra":    {results.ProofCount, "3", 2, "", 10, 32},
		"no parameter":      {results.ProofCount, "width", 0, "", 10, 0},
		"a pattern":         {results.ProofCount, "3", 0, "* a.*(..)", 10, 0},
		"no count":          {results.ProofNone, "3", 0, "", 10, 0},
		"just countable":    {results.ProofCount, "1", 1, "", countless - 2, countless - 1},
		"too many":          {results.ProofCount, "2", 0, "", countless - 1, 0},
		"extra is too much": {results.ProofCount, "1", 2, "", countless - 1, 0},
	} {
		cell := Cell{
			Cell: results.Cell{
				Parameters: []results.Value{{Name: "depth", Value: "7"}},
				Proof:      results.ProofPlan{Kind: c.kind},
			},
			Recipe: framework.Variant{Proof: framework.Proof{Kind: c.kind, PerCall: c.perCall, Extra: c.extra}},
			Work:   Work{Pattern: c.pattern},
		}
		if got := cell.Records(0, c.calls); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// Code is slow only where nothing is compiled, or where little is for ever.
func TestSlower(t *testing.T) {
	for options, want := range map[string]int64{
		"":                                    1,
		"-Xmx1g":                              1,
		"-Xint":                               20,
		"-Xmx1g -XX:TieredStopAtLevel=0":      20,
		"-XX:TieredStopAtLevel=1":             1,
		"-XX:TieredStopAtLevel=0 -Dverbose=1": 20,
	} {
		cell := Cell{Cell: results.Cell{Parameters: []results.Value{{Name: results.FactorJVM, Value: options}}}}
		if got := cell.Slower(); got != want {
			t.Errorf("%q: %d, want %d", options, got, want)
		}
	}
}

// A slot is one of the block's own, from 0; a block of a pilot says how many calls it makes.
func TestSlotsOfABlock(t *testing.T) {
	p := mustRead(t, small)
	timing := p.Campaign.Blocks[2]
	n := len(timing.Order)
	for _, slot := range []int{-1, 0, n - 1, n} {
		want := slot >= 0 && slot < n
		id := results.Identity{Block: timing.Number, Slot: slot}
		if _, err := p.Invocation(timing, slot, 0); (err == nil) != want {
			t.Errorf("slot %d of %d: %v", slot, n, err)
		}
		if _, err := Again(p.Campaign, timing, []results.Identity{id}, ""); (err == nil) != want {
			t.Errorf("slot %d of %d again: %v", slot, n, err)
		}
	}
	unknown := results.Block{Number: 90, Order: []string{"c99"}}
	if _, err := p.Invocation(unknown, 0, 0); err == nil || !strings.Contains(err.Error(), `no cell "c99"`) {
		t.Errorf("a cell that there is not: %v", err)
	}
	if _, err := Again(p.Campaign, unknown, []results.Identity{{Block: 90}}, ""); err == nil {
		t.Error("a cell that there is not is repeated")
	}
}

// A scenario is cut out of the blocks from a number on, and of the timing ones that were planned only; what is left of
// another one stays, be it a single cell.
func TestCutLeavesASingleCell(t *testing.T) {
	block := func(number int, kind results.BlockKind, profile results.Profile, order ...string) results.Block {
		return results.Block{Number: number, Kind: kind, Profile: profile, Order: order}
	}
	c := &results.Campaign{
		Cells: []results.Cell{{ID: "c0", Scenario: "s"}, {ID: "c1", Scenario: "other"}},
		Blocks: []results.Block{
			block(1, results.BlockPlanned, results.ProfileTiming, "c1", "c0"),
			block(2, results.BlockPlanned, results.ProfileTiming, "c1", "c0"),
			block(3, results.BlockPlanned, results.ProfileTiming, "c0"),
			block(4, results.BlockPlanned, results.ProfileResources, "c1", "c0"),
			block(5, results.BlockExtra, results.ProfileTiming, "c0"),
		},
	}
	left, err := Cut(c, "s", 2)
	if err != nil {
		t.Fatal(err)
	}
	want := map[int]string{1: "c1 c0", 2: "c1", 4: "c1 c0", 5: "c0"}
	if len(left) != len(want) {
		t.Errorf("%+v", left)
	}
	for _, b := range left {
		if got := strings.Join(b.Order, " "); got != want[b.Number] {
			t.Errorf("block %d holds %s, want %s", b.Number, got, want[b.Number])
		}
	}
	if _, err := Cut(c, "nobody", 1); err == nil {
		t.Error("a scenario that there is not was cut")
	}
	if _, err := More(c, "nobody", 1); err == nil {
		t.Error("a scenario that there is not got more blocks")
	}
}

// A side names a cell by its variant and by parameters that it has, written as in the file or as in a label.
func TestMatches(t *testing.T) {
	c := &Cell{Cell: results.Cell{Variant: "mine", Parameters: []results.Value{
		{Name: "depth", Value: "10", Unit: "calls"},
		{Name: "method_time", Value: "10000", Unit: "ns"},
		{Name: "name", Value: "10000"},
	}}}
	for _, x := range []struct {
		variant, name, text string
		want                bool
	}{
		{"mine", "depth", "10", true},
		{"other", "depth", "10", false},
		{"mine", "depth", "11", false},
		{"mine", "width", "10", false},
		{"mine", "width", "", false},
		{"mine", "method_time", "10000", true},
		{"mine", "method_time", "10us", true},
		{"mine", "method_time", "0.01ms", true},
		{"mine", "method_time", "11us", false},
		{"mine", "name", "10us", false}, // it has no unit
		{"mine", "depth", "10ns", false},
	} {
		if got := (side{x.variant, map[string]string{x.name: x.text}}).matches(c); got != x.want {
			t.Errorf("%s %s=%s: %v", x.variant, x.name, x.text, got)
		}
	}
}

// Each lane needs a block alone and one beside the others, and the turns are as many as all of them take.
func TestTurns(t *testing.T) {
	for _, c := range []struct {
		lanes, timing, resources int
		want                     Turns // none: refused
	}{
		{2, 3, 0, Turns{}},
		{2, 4, 0, Turns{Blocks: 4, Alone: 1, Turns: 3}},
		{2, 5, 0, Turns{Blocks: 5, Alone: 1, Turns: 4}},
		{2, 4, 2, Turns{Blocks: 6, Alone: 1, Turns: 4}},
		{2, 0, 4, Turns{Blocks: 4, Alone: 1, Turns: 3}},
		{2, 12, 0, Turns{Blocks: 12, Alone: 2, Turns: 8}},
		{3, 6, 0, Turns{Blocks: 6, Alone: 1, Turns: 4}},
		{3, 5, 0, Turns{}},
		{1, 9, 0, Turns{}},
		{0, 9, 0, Turns{}},
	} {
		of := func(p results.Profile) []results.Block {
			return []results.Block{{Kind: results.BlockPlanned, Profile: p}}
		}
		p := &Plan{Campaign: &results.Campaign{Blocks: slices.Concat(
			slices.Repeat(of(results.ProfileTiming), c.timing),
			slices.Repeat(of(results.ProfileResources), c.resources),
			[]results.Block{{Kind: results.BlockProof}},
		)}}
		got, err := p.Turns(c.lanes)
		if got != c.want || (err == nil) != (c.want != Turns{}) {
			t.Errorf("%d lanes, %d and %d blocks: %+v, %v, want %+v", c.lanes, c.timing, c.resources, got, err, c.want)
		}
	}
}
