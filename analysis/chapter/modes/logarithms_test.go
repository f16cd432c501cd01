package modes

import (
	"math"
	"testing"

	"moobench/analysis/evidence"
	"moobench/analysis/reading"
	"moobench/analysis/stats"
	"moobench/results"
)

// readingOf is a scenario with a metric x of one cell, one invocation for each value; each has batches of this
// standard deviation.
func readingOf(batches int, sd float64, xs ...float64) *reading.Reading {
	s := &results.Scenario{Label: "s", Metrics: []results.Metric{{Name: "x", Unit: "ns", Primary: true}}}
	c := &results.Campaign{Cells: []results.Cell{{ID: "c0", Scenario: "s", Role: results.RoleBaseline}}}
	var all []*evidence.Invocation
	for i, x := range xs {
		e := &evidence.Invocation{
			Invocation: &results.Invocation{
				Identity: results.Identity{Block: i + 1}, Cell: "c0",
				Profile: results.ProfileTiming, Status: results.StatusOK,
			},
			Batches: map[string]stats.Sample{"x": {N: batches, SD: sd}},
			Values:  map[string]float64{"x": x},
		}
		if x < 0 { // nothing was observed
			delete(e.Values, "x")
		}
		all = append(all, e)
	}
	return reading.New(c, s, map[string][]*evidence.Invocation{"c0": all}, nil, nil)
}

// The values of a cell are logarithms less their median, and the noise of one value follows from its batches; where
// values are rounded, from their steps.
func TestLogarithmsOfACell(t *testing.T) {
	const fine = 1.001
	for name, tt := range map[string]struct {
		r      *reading.Reading
		blocks []int
		noise  float64
	}{
		"no batches":        {readingOf(0, 5, 1, 2, 4), []int{1, 2, 3}, 0},
		"a batch":           {readingOf(1, 0.5, 1, 2, 4), []int{1, 2, 3}, math.Sqrt((0.25 + 0.25/4 + 0.25/16) / 3)},
		"four batches":      {readingOf(4, 0.5, 1, 2, 4), []int{1, 2, 3}, math.Sqrt((0.25 + 0.25/4 + 0.25/16) / 12)},
		"one not observed":  {readingOf(0, 0, 1, -1, 4), []int{1, 3}, 0},
		"rounded":           {readingOf(0, 0, 1, 1, fine), []int{1, 2, 3}, 0.6 * math.Log(fine)},
		"rounded and noisy": {readingOf(1, 0.5, 1, 1, fine), []int{1, 2, 3}, math.Sqrt((0.5 + 0.25/(fine*fine)) / 3)},
	} {
		l, ok := logarithmsOf(tt.r, tt.r.Cells[0])
		if !ok || l.cell != tt.r.Cells[0] || len(l.values) != len(tt.blocks) || math.Abs(l.noise-tt.noise) > 1e-12 {
			t.Errorf("%s: %v of %+v, want noise %v in blocks %v", name, ok, l, tt.noise, tt.blocks)
			continue
		}
		median, _ := stats.Median(l.values)
		span := l.values[len(l.values)-1] - l.values[0]
		first, last := tt.r.ByCell["c0"][0].Values["x"], tt.r.ByCell["c0"][2].Values["x"]
		if median != 0 || math.Abs(span-math.Log(last/first)) > 1e-12 {
			t.Errorf("%s: %v", name, l.values)
		}
		for i, b := range tt.blocks {
			if x, there := l.at[b]; l.blocks[i] != b || !there || x != l.values[i] {
				t.Errorf("%s: block %d has %v of %v", name, l.blocks[i], x, l.values[i])
			}
		}
	}
}

// A cell without a value, with one that has no logarithm, or that is invalid has none.
func TestNoLogarithms(t *testing.T) {
	invalid := readingOf(0, 0, 1, 2, 4)
	invalid.Invalid["c0"] = "its records are missing"
	for name, r := range map[string]*reading.Reading{
		"no invocation":    readingOf(0, 0),
		"nothing observed": readingOf(0, 0, -1, -1),
		"a value of 0":     readingOf(0, 0, 1, 0, 4),
		"invalid":          invalid,
	} {
		if l, ok := logarithmsOf(r, r.Cells[0]); ok {
			t.Errorf("%s: %+v", name, l)
		}
	}
}

// inBlocks moves the values of a cell to the blocks after this one.
func inBlocks(l logarithms, after int) logarithms {
	l.at = map[int]float64{}
	for i := range l.blocks {
		l.blocks[i] += after
		l.at[l.blocks[i]] = l.values[i]
	}
	return l
}

// The clearest modes come first wherever their cell stands, and of equally clear ones those of the first cell; modes of
// which one is a thousand times the other are none.
func TestOrderOfModes(t *testing.T) {
	scattered := func(id string, apart float64) logarithms {
		return values(id, apart, 0, 0.0001, apart+0.0001, apart+0.0002, 0, 0.0001, 0, apart, 0.0002)
	}
	clear := func(id string, after int) logarithms { return inBlocks(scattered(id, 0.2), after) }
	for name, tt := range map[string]struct {
		cells []logarithms
		want  []string
	}{
		"the clearer first": {[]logarithms{clear("a", 0), inBlocks(scattered("b", 0.05), 20)}, []string{"a", "b"}},
		"the clearer last":  {[]logarithms{inBlocks(scattered("b", 0.05), 20), clear("a", 0)}, []string{"a", "b"}},
		"equally clear": {
			[]logarithms{clear("a", 0), clear("b", 20), clear("c", 40)},
			[]string{"a", "b", "c"},
		},
		"just apart":             {[]logarithms{scattered("a", 0.0055)}, []string{"a"}},
		"not quite apart":        {[]logarithms{scattered("a", 0.0045)}, nil},
		"as far as modes are":    {[]logarithms{scattered("a", math.Log(900))}, []string{"a"}},
		"farther than modes are": {[]logarithms{scattered("a", math.Log(1100))}, nil},
	} {
		got := modesOf(tt.cells)
		if len(got) != len(tt.want) {
			t.Errorf("%s: %d cells, want %v", name, len(got), tt.want)
			continue
		}
		for i, b := range got {
			if b.cell.ID != tt.want[i] {
				t.Errorf("%s: %s is number %d, want %v", name, b.cell.ID, i+1, tt.want)
			}
		}
	}
}

// A cell that moves more than the other one is cleared of as much as the other moves, and no more; one that moves with
// it by chance isn't cleared.
func TestClearedOfNoMoreThanTheOther(t *testing.T) {
	drift := []float64{0.1, -0.2, 0.3, 0, -0.1, 0.2, -0.3, 0.15, -0.05, 0.05}
	other := values("other", drift...)
	twice := make([]float64, len(drift))
	for i, d := range drift {
		twice[i] = 2 * d
	}
	for name, tt := range map[string]struct {
		values []float64
		left   func(i int) float64
	}{
		"twice as much": {twice, func(i int) float64 { return drift[i] }},
		"by chance": {
			[]float64{0.3, 0.1, 0.2, -0.3, 0.3, 0.1, -0.1, -0.2, 0, 0.1},
			func(i int) float64 { return []float64{0.3, 0.1, 0.2, -0.3, 0.3, 0.1, -0.1, -0.2, 0, 0.1}[i] },
		},
	} {
		l := values("moves", tt.values...)
		for i, x := range l.cleared([]logarithms{l, other}) {
			if math.Abs(x-tt.left(i)) > 1e-9 {
				t.Errorf("%s: block %d has %v, want %v", name, i+1, x, tt.left(i))
			}
		}
	}
}

// An imported campaign has no modes, and none at all has no marks.
func TestNoModes(t *testing.T) {
	r := readingOf(0, 0, 1, 1.2, 1.001, 1.201, 1, 1.2, 1.001, 1.201, 1, 1.2)
	if m := Of(r); len(m.cells) != 1 || len(m.Marks()["c0"]) != 1 {
		t.Fatalf("%+v", m)
	}
	r.Campaign.Design = results.DesignUnordered
	if m := Of(r); len(m.cells) != 0 {
		t.Errorf("%+v", m)
	}
	var none *Modes
	if marks := none.Marks(); marks != nil {
		t.Errorf("%v", marks)
	}
}
