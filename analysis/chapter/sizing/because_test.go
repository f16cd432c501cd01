package sizing

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/reading"
	"moobench/results"

	"github.com/google/go-cmp/cmp"
)

// The words name the first cell that decided, the first that falls into two modes, all that were set aside, and
// what limited the number.
func TestBecause(t *testing.T) {
	campaign := &results.Campaign{Cells: []results.Cell{{ID: "a"}, {ID: "b"}, {ID: "c"}}}
	for i := range campaign.Cells {
		campaign.Cells[i].Variant = "variant " + campaign.Cells[i].ID
	}
	for name, c := range map[string]struct {
		d    results.Decision
		want string
	}{
		"no cell": {
			results.Decision{Blocks: 10},
			"the pilot has no complete pair to tell how many blocks ± 2 % needs: none are added",
		},
		"the pilot": {
			results.Decision{Blocks: 10, Wanted: 10, Cells: []results.CellSize{{Cell: "a", Wanted: 10}}},
			"± 2 % of each cell's own mean needs 10 blocks: the pilot is enough",
		},
		"the first of those that want most": {
			results.Decision{Blocks: 11, Wanted: 11, Cells: []results.CellSize{
				{Cell: "a", Wanted: 10}, {Cell: "b", Wanted: 11}, {Cell: "c", Wanted: 11},
			}},
			"± 2 % of each cell's own mean needs 11 blocks, for variant b",
		},
		"set aside": {
			results.Decision{Blocks: 11, Wanted: 11, Cells: []results.CellSize{
				{Cell: "a", Wanted: 1, SetAside: true},
				{Cell: "b", Wanted: 11},
				{Cell: "c", Wanted: 99, SetAside: true},
			}},
			"± 2 % of each cell's own mean needs 11 blocks, for variant b; set aside, because they need more " +
				"than 3 times " +
				"the median: variant a (1 block), variant c (99 blocks)",
		},
		"the first of two modes": {
			results.Decision{Blocks: 11, Wanted: 11, Cells: []results.CellSize{
				{Cell: "a", Wanted: 11}, {Cell: "b", Wanted: 10, ModesSD: 1e-9}, {Cell: "c", Wanted: 10, ModesSD: 1},
			}},
			"± 2 % of each cell's own mean needs 11 blocks, for variant a; JVMs of variant b or its baseline " +
				"fall into two " +
				"modes, so the number of blocks allows for the widest spread that so few of them leave possible",
		},
		"cut": {
			results.Decision{
				Blocks: 10, Wanted: 12, Cut: results.CutTime, Cells: []results.CellSize{{Cell: "a", Wanted: 12}},
			},
			"± 2 % of each cell's own mean needs 12 blocks, for variant a; cut to 10 by max_time",
		},
	} {
		if diff := cmp.Diff(c.want, because(campaign, &c.d, &results.Sizing{Precision: 0.02, Pilot: 10})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// even is a campaign of so many blocks whose variants cost 50 ns more or less one, in turns: exactly as much in
// each pair of blocks.
func even(pilot, blocks int, s results.Sizing, variants int) *testcampaign.Flat {
	f := testcampaign.Piloted(rand.New(rand.NewPCG(1, 1)), blocks, s, make([]float64, variants)...)
	for _, inv := range f.All {
		inv.Scalars["x"] = 100
		if inv.Cell != "c0" {
			inv.Scalars["x"] += testcampaign.PilotedCost + float64(1-2*(inv.Identity.Block%2))
			if inv.Identity.Block > pilot {
				inv.Scalars["x"] += 9 * float64(1-2*(inv.Identity.Block%2))
			}
		}
	}
	return f
}

func readingOf(f *testcampaign.Flat) *reading.Reading {
	all := evidence.Gather(f)
	return reading.New(&f.Made, &f.Made.Scenarios[0], evidence.ByCell(all.Invocations), infer.Solver{}, nil)
}

// A precision is reached up to its edge, and missed beyond a quarter more; a pilot is doubted by the spread of
// all blocks, if there are any after it.
func TestOf(t *testing.T) {
	for _, c := range []struct {
		name         string
		half, mean   float64
		blocks       int
		undecided    bool
		ok, skipped  bool
		marks        []string
		pilotSD, all float64
	}{
		{name: "reached", half: 25, mean: 100, blocks: 4, ok: true},
		{name: "a little wider", half: 25.1, mean: 100, blocks: 4},
		{name: "a quarter wider", half: 31.25, mean: 100, blocks: 4},
		{name: "more than that", half: 31.3, mean: 100, blocks: 4, marks: []string{"known to ± 31.3 %"}},
		{name: "undecided", half: 31.3, mean: 100, blocks: 4, undecided: true},
		{name: "unknown", half: math.NaN(), mean: 100, blocks: 4, skipped: true},
		{name: "no mean", half: 1, blocks: 4, skipped: true},
		{name: "a quiet pilot", half: 1, mean: 100, blocks: 8, ok: true, marks: []string{"pilot not typical"}},
	} {
		s := results.Sizing{Precision: 0.25, Pilot: 4}
		if !c.undecided {
			s.Decision = &results.Decision{Reason: "so it is"}
		}
		f := even(4, c.blocks, s, 1)
		got := Of(readingOf(f), []Measured{{Cell: &f.Made.Cells[1], Mean: c.mean, Half: c.half}})
		if c.skipped {
			if len(got.Reached) != 0 || len(got.marks) != 0 {
				t.Errorf("%s: %+v", c.name, got)
			}
			continue
		}
		if len(got.Reached) != 1 {
			t.Fatalf("%s: %+v", c.name, got)
		}
		one := got.Reached[0]
		if one.Cell != "a" || one.Share != c.half/c.mean || one.OK != c.ok {
			t.Errorf("%s: %+v", c.name, one)
		}
		// Costs of one more or less have a standard deviation of √(4/3), and those of ten later √(404/7).
		want := map[int]float64{4: math.Sqrt(4. / 3), 8: math.Sqrt(404. / 7)}
		if math.Abs(one.PilotSD-want[4]) > 1e-9 || math.Abs(one.SD-want[c.blocks]) > 1e-9 {
			t.Errorf("%s: spread by %v, then by %v", c.name, one.PilotSD, one.SD)
		}
		var marks []string
		for _, m := range got.Marks()["a"] {
			marks = append(marks, m.Show)
		}
		if diff := cmp.Diff(c.marks, marks); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// Only what was sized, or cut by time, has something to say.
func TestOfFixed(t *testing.T) {
	cut := &results.Decision{Reason: "cut by max_time"}
	for _, c := range []struct {
		name   string
		sizing *results.Sizing
		want   *Sizing
	}{
		{"fixed", nil, nil},
		{"without a precision", &results.Sizing{Pilot: 4}, nil},
		{"cut by time", &results.Sizing{Pilot: 4, Decision: cut}, &Sizing{
			Sizing: results.Sizing{Pilot: 4, Decision: cut}, Text: "cut by max_time",
		}},
	} {
		f := even(4, 4, results.Sizing{}, 1)
		f.Made.Scenarios[0].Sizing = c.sizing
		if diff := cmp.Diff(c.want, Of(readingOf(f), nil), cmp.AllowUnexported(Sizing{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// Limits hold to the block: time is counted by what a block of the pilot took, of timing invocations alone, and
// whoever needs more than three times the median waits for nobody.
func TestLimits(t *testing.T) {
	const second = int64(time.Second)
	for _, c := range []struct {
		name string
		s    results.Sizing
		want int
		cut  results.Cut
	}{
		{"as many as allowed", results.Sizing{Precision: 0.001, MaxBlocks: 1 << 30, MaxTimeNS: math.MaxInt64}, 675, ""},
		{"exactly as many", results.Sizing{Precision: 0.001, MaxBlocks: 675, MaxTimeNS: 1350 * second}, 675, ""},
		{
			"one block less",
			results.Sizing{Precision: 0.001, MaxBlocks: 674, MaxTimeNS: 1350 * second},
			674,
			results.CutBlocks,
		},
		{"a second less", results.Sizing{Precision: 0.001, MaxTimeNS: 1349 * second}, 674, results.CutTime},
		{"never less than the pilot", results.Sizing{Precision: 0.001, MaxBlocks: 2}, 4, results.CutBlocks},
	} {
		c.s.Pilot = 4
		f := even(4, 4, c.s, 1)
		for _, other := range []results.Profile{
			results.ProfileResources, results.ProfilePilot,
		} { // takes time of its own
			inv := *f.All[0]
			inv.Profile, inv.End = other, inv.Start.Add(time.Hour)
			f.All = append(f.All, &inv)
		}
		d, err := Size(f, "s")
		if err != nil {
			t.Fatal(err)
		}
		if d.PilotNS != 8*second || d.Blocks != c.want || d.Cut != c.cut {
			t.Errorf("%s: %d blocks, cut by %q after %d ns", c.name, d.Blocks, d.Cut, d.PilotNS)
		}
	}
}

// A pilot that took no time says nothing of what time allows.
func TestNoTime(t *testing.T) {
	f := even(4, 4, results.Sizing{Precision: 0.001, Pilot: 4, MaxTimeNS: 1}, 1)
	for _, inv := range f.All {
		inv.End = inv.Start
	}
	if d, err := Size(f, "s"); err != nil || d.Cut != "" || d.Blocks != 675 {
		t.Errorf("%+v, %v", d, err)
	}
}

// A cell is set aside beyond three times the median of all, and counted unless it is.
func TestAside(t *testing.T) {
	f := even(4, 4, results.Sizing{Precision: 0.001, Pilot: 4, MaxTimeNS: math.MaxInt64}, 3)
	for _, inv := range f.All {
		if inv.Cell == "c" { // varies three times as much, which takes nine times the blocks
			inv.Scalars["x"] = 150 + 3*(inv.Scalars["x"]-150)
		}
	}
	d, err := Size(f, "s")
	if err != nil {
		t.Fatal(err)
	}
	if d.Cells[0].SetAside || d.Cells[1].SetAside || !d.Cells[2].SetAside || d.Wanted != d.Cells[0].Wanted {
		t.Errorf("%+v", d)
	}
}
