package settling

import (
	"strings"
	"testing"

	"moobench/analysis/caveat"
	"moobench/analysis/chapter"
	"moobench/analysis/evidence"
	"moobench/analysis/internal/testdoc"
	"moobench/analysis/report/doc"
	"moobench/analysis/rows"
	"moobench/results"
)

// decided is a decision about groups of cells.
func decided(groups ...results.SettledGroup) *results.Settling {
	return &results.Settling{WithinNS: 10e9, Decision: &results.SettlingDecision{Groups: groups, Reason: "because"}}
}

// Without a decision there is nothing to say.
func TestUndecided(t *testing.T) {
	for name, z := range map[string]*results.Settling{"given": nil, "open": {}} {
		p := Of(z, nil)
		if p != nil || p.Show(&chapter.Scene{Paged: true}) != nil || p.Rows(nil) != nil || Notes(z) != nil || Marks(z, "c00") != nil {
			t.Errorf("%s: it says something", name)
		}
	}
}

// The note names the fewest and the most calls of a group, or the only number.
func TestNotes(t *testing.T) {
	for want, z := range map[string]*results.Settling{
		"90,000 calls a JVM, found by a pilot of 2 JVMs a cell":             decided(results.SettledGroup{Calls: 90_000}, results.SettledGroup{Calls: 90_000}),
		"9,000 to 4,000,000 calls a JVM, found by a pilot of 2 JVMs a cell": decided(results.SettledGroup{Calls: 4_000_000}, results.SettledGroup{Calls: 9_000}),
	} {
		if got := Notes(z); len(got) != 1 || got[0] != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A cell that does not settle is flagged; its number misleads if the series has a direction.
func TestMarks(t *testing.T) {
	z := decided(results.SettledGroup{Cells: []results.SettledCell{{Cell: "c00", Needs: 10_000}, {Cell: "c02", Trend: results.TrendFalls}}},
		results.SettledGroup{Cells: []results.SettledCell{
			{Cell: "c03", Needs: 10_000, Trend: results.TrendRises}, {Cell: "c04", Trend: results.TrendChanges},
		}})
	for cell, want := range map[string]caveat.Mark{
		"c02": {Rank: caveat.Misleading, Show: "can't settle", Text: "after 10 s of calls its series still falls, "},
		"c03": {Rank: caveat.Misleading, Show: "doesn't settle in every JVM", Text: "after 10 s of calls its series still rises, "},
		"c04": {Rank: caveat.Remark, Show: "can't settle", Text: "after 10 s of calls its series goes up and down, "},
	} {
		got := Marks(z, cell)
		if len(got) != 1 || got[0].Rank != want.Rank || got[0].Show != want.Show || !strings.HasPrefix(got[0].Text, want.Text) {
			t.Errorf("%s: %+v", cell, got)
		}
	}
	if got := Marks(z, "c00"); got != nil {
		t.Errorf("it came to rest: %+v", got)
	}
}

// Only the last runs of cells that the scene shows are drawn, and only on a page.
func TestDrawnRuns(t *testing.T) {
	run := func(cell string, trace ...float64) evidence.Invocation {
		return evidence.Invocation{Invocation: &results.Invocation{Cell: cell}, Samples: evidence.Samples{Trace: trace}}
	}
	z := decided(results.SettledGroup{Cells: []results.SettledCell{
		{Cell: "c00", JVMs: 2, Tried: 1}, {Cell: "c01"}, {Cell: "c02", JVMs: 1, Tried: 4000}, {Cell: "c03", JVMs: 2, Tried: 4000},
	}})
	p := Of(z, []evidence.Invocation{
		run("c00", 7, 8), run("c00", 3, 4), run("c00", 5, 6), run("c00", 9), run("c01", 1, 2), run("c02", 1, 2), run("c03", 1, 2),
	})
	scene := func(paged bool) *chapter.Scene {
		at := &chapter.Scene{Paged: paged, Primary: "x", Metrics: []results.Metric{{Name: "x", Unit: "ns"}}}
		for _, id := range []string{"c00", "c01", "c02"} {
			at.Cells = append(at.Cells, chapter.Cell{Key: rows.Key{Cell: id, Label: "v" + id}})
		}
		return at
	}
	svg := testdoc.Blocks[*doc.Figure](p.Show(scene(true)))[0].SVG
	if strings.Count(svg, `<div class="multiple">`) != 2 || !strings.Contains(svg, "vc00, 1 call<") ||
		!strings.Contains(svg, "3.000 ns … 6.000 ns") || !strings.Contains(svg, "vc02, 4,000 calls<") {
		t.Errorf("%s", svg)
	}
	if plain := p.Show(scene(false)); len(testdoc.Blocks[*doc.Figure](plain)) != 0 || len(plain) != 1 {
		t.Error("a terminal has drawings")
	}
	if p.Rows(scene(true)) != nil {
		t.Error("pilots are in a number")
	}
}
