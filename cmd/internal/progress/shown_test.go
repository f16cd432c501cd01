package progress

import (
	"strings"
	"testing"
	"time"

	"moobench/cmd/internal/console"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

// Without a terminal there are lines, and a quiet display has none but warnings.
func TestNew(t *testing.T) {
	t.Setenv("TERM", "xterm")
	t.Setenv("CI", "")
	for quiet, want := range map[bool]string{
		true:  "moobench: warning: 1 is odd\n",
		false: "s: three are enough · 6 invocations in all\nmoobench: warning: 1 is odd\n",
	} {
		var out strings.Builder
		p, stop := New(console.Console{Err: &out}, quiet, gauge{})
		staged := stagedPlan()
		p.Planned(staged.Campaign, nil, 4)
		p.Begin(plan.Invocation{Cell: staged.Cells[0]}, 0, 4)
		p.Decided(decide(staged), 6)
		p.Note("%d is odd", 1)
		stop()
		if out.String() != want {
			t.Errorf("quiet %t: %q, want %q", quiet, out.String(), want)
		}
	}
}

// What a line says of an invocation: its value, or what stands in place of it.
func TestLineOfAnInvocation(t *testing.T) {
	cell := results.Cell{
		ID: "c01", Scenario: "s", Variant: "x", Role: results.RoleVariant,
		Proof:  results.ProofPlan{Kind: results.ProofCount, Expected: 3},
		Beside: []results.ProofPlan{{Kind: results.ProofCount, Expected: 2_000}},
	}
	counted := results.Proof{Source: "otlp", ByExit: 3}
	of := func(p results.Profile) results.Invocation { return results.Invocation{Profile: p, Proof: counted} }
	memory := of(results.ProfileResources)
	memory.Scalars = map[string]float64{run.RSSPeakBytes: 1 << 20}
	failed := &results.Failure{Kind: "exit", Message: "it \x1bended"}
	proves := results.Cell{ID: "c02", Variant: "y", Role: results.RoleProof}
	for name, c := range map[string]struct {
		cell  results.Cell
		value float64
		got   results.Invocation
		want  string
	}{
		"its value": {cell, 250, results.Invocation{Proof: counted}, "x 250.0 ns 1.5 s"},
		"no value":  {cell, 0, results.Invocation{Proof: counted}, "x done 1.5 s"},
		"failed": {
			cell, 250,
			results.Invocation{Status: results.StatusFailed, Failure: failed},
			"x failed 1.5 s failed (exit): it \ufffdended",
		},
		"a proof":        {proves, 250, results.Invocation{Profile: results.ProfileProof}, "y (proof) proof 1.5 s"},
		"a pilot":        {cell, 250, of(results.ProfilePilot), "x pilot 1.5 s"},
		"memory unknown": {cell, 250, of(results.ProfileResources), "x memory run 1.5 s"},
		"memory":         {cell, 250, memory, "x (memory run) 1.000 MiB 1.5 s"},
		"a peak beside time": {
			cell, 250,
			results.Invocation{Proof: counted, Scalars: map[string]float64{run.RSSPeakBytes: 1 << 20}},
			"x 250.0 ns 1.5 s",
		},
		"invalid": {cell, 250, results.Invocation{Proof: counted, Invalid: "late"}, "x invalid 1.5 s"},
		"not recorded": {
			cell, 250,
			results.Invocation{Proof: results.Proof{Source: "otlp"}},
			"x not instrumented: 0 of 3 records 1.5 s",
		},
		"one of two not recorded": {
			cell, 250,
			results.Invocation{Proof: counted, Beside: []results.Proof{{Source: "otlp"}}},
			"x not instrumented by all: x 1.5 s",
		},
	} {
		var out strings.Builder
		l := &lines{w: &out, gauge: gauge{value: c.value}, pace: every(time.Hour)}
		l.Planned(&results.Campaign{}, nil, 9)
		if out.Len() > 0 {
			t.Errorf("%s: a new campaign says %q", name, out.String())
		}
		got := c.got
		if got.Status == "" {
			got.Status = results.StatusOK
		}
		if got.Profile == "" {
			got.Profile = results.ProfileTiming
		}
		got.Start = time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC)
		got.End = got.Start.Add(1500 * time.Millisecond)
		l.End(plan.Invocation{Cell: plan.Cell{Cell: c.cell}}, &got, 1, 9)
		text := strings.Join(strings.Fields(out.String()), " ")
		text = strings.TrimSuffix(strings.Replace(text, " 1 of 9 about 16 h 00 min left", "", 1), " ")
		if text != "b0000.s00.r0 "+c.want {
			t.Errorf("%s: %q, want %q", name, text, c.want)
		}
	}
}

// The last invocation has its line at once, and so has one that comes just when enough time has gone by.
func TestWhenALineComes(t *testing.T) {
	for name, c := range map[string]struct {
		step time.Duration
		done int
		want bool
	}{
		"too early":   {apart - 1, 2, false},
		"late enough": {apart, 2, true},
		"the last":    {1, 3, true},
		"beyond it":   {1, 4, true},
	} {
		var out strings.Builder
		p := every(0)
		l := &lines{w: &out, gauge: gauge{}, pace: pace{now: p.now}}
		l.said = p.now().Add(-c.step)
		got := &results.Invocation{Status: results.StatusOK, Profile: results.ProfileTiming}
		l.End(plan.Invocation{}, got, c.done, 3)
		if (out.Len() > 0) != c.want {
			t.Errorf("%s: %q", name, out.String())
		}
	}
}

// The remaining time is told from the first invocation of this session to the last but one.
func TestPace(t *testing.T) {
	for _, c := range []struct {
		first, n, done, total int
		want                  string
	}{
		{0, 1, 0, 4, "1 of 4"},
		{0, 1, 1, 4, "1 of 4  about 3 h 00 min left"},
		{0, 4, 4, 4, "4 of 4"},
		{2, 2, 2, 4, "2 of 4"},
		{2, 3, 3, 4, "3 of 4  about 60 min left"},
	} {
		p := every(time.Hour)
		p.begin(&results.Campaign{}, c.first)
		if got := p.at(c.n, c.done, c.total); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// The decision on blocks is told, or else the one on calls.
func TestDecision(t *testing.T) {
	blocks := &results.Decision{Reason: "ten blocks"}
	calls := &results.SettlingDecision{Reason: "a million calls"}
	for name, c := range map[string]struct {
		s    results.Scenario
		want string
	}{
		"blocks": {results.Scenario{Sizing: &results.Sizing{Decision: blocks}}, "ten blocks"},
		"calls":  {results.Scenario{Settling: &results.Settling{Decision: calls}}, "a million calls"},
		"calls, blocks to come": {
			results.Scenario{Sizing: &results.Sizing{}, Settling: &results.Settling{Decision: calls}},
			"a million calls",
		},
		"both": {
			results.Scenario{Sizing: &results.Sizing{Decision: blocks}, Settling: &results.Settling{Decision: calls}},
			"ten blocks",
		},
		"neither": {results.Scenario{Sizing: &results.Sizing{}, Settling: &results.Settling{}}, ""},
	} {
		c.s.Label = "s"
		if got, want := decision(c.s, 1), "s: "+c.want+" · 1 invocation in all"; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// An overhead is told with its sign in words, and as a number with an interval that holds 0.
func TestAdds(t *testing.T) {
	for _, c := range []struct {
		value, half float64
		want        string
	}{
		{338.4, 0, "338 ns more"},
		{-338.4, 0, "338 ns less"},
		{0.5, 0, "0.500 ns more"},
		{-0.5, 0, "0.500 ns less"},
		{0, 0, "0 ns more"},
		{100, 99, "100 ns ± 99 % more"},
		{100, 100, "+100 ± 100 ns"},
		{-100, 100, "−100 ± 100 ns"},
		{100, 0.5, "100 ns ± 0.5 % more"},
	} {
		if got := adds(c.value, c.half, "ns"); got != c.want {
			t.Errorf("%v ± %v: %q, want %q", c.value, c.half, got, c.want)
		}
	}
}

// A row has a bar as long as what is done of it, and says how many invocations failed.
func TestRowOfACell(t *testing.T) {
	for want, r := range map[string]row{
		"░░░░░░░░░░░   0 of 0":               {},
		"░░░░░░░░░░░   0 of 4":               {planned: 4},
		"██░░░░░░░░░   1 of 4":               {planned: 4, done: 1},
		"███████████   4 of 4":               {planned: 4, done: 4},
		"███████████   5 of 4":               {planned: 4, done: 5},
		"██░░░░░░░░░   1 of 4    ! 1 failed": {planned: 4, done: 1, failed: 1},
		"█████░░░░░░   2 of 4    70.0 ns":    {planned: 4, done: 2, value: 70, unit: "ns"},
		"✗ given up": {planned: 4, done: 2, value: 70, unit: "ns", trouble: givenUp},
		"█████░░░░░░   5 of 10   ! 12 failed":  {planned: 10, done: 5, failed: 12},
		"███████████ 1000 of 1000  ! 2 failed": {planned: 1000, done: 1000, failed: 2},
	} {
		if got := (&live{gauge: gauge{}}).text(&r); got != want {
			t.Errorf("%+v: %q, want %q", r, got, want)
		}
	}
}

// What is erased is erased once, and as many rows as the terminal took for each line.
func TestErase(t *testing.T) {
	for _, c := range []struct {
		width int
		drawn []string
		want  string
	}{
		{10, nil, ""},
		{10, []string{"1234567890"}, "\r\x1b[1A\x1b[J"},
		{10, []string{"12345678901"}, "\r\x1b[2A\x1b[J"},
		{10, []string{"12345678901234567890", ""}, "\r\x1b[3A\x1b[J"},
		{0, []string{"123"}, "\r\x1b[3A\x1b[J"},
	} {
		var out strings.Builder
		l := &live{c: console.Console{Err: &out}, size: sized(c.width, 24), drawn: c.drawn}
		l.stop()
		l.stop()
		if out.String() != c.want {
			t.Errorf("%d columns, %q: %q, want %q", c.width, c.drawn, out.String(), c.want)
		}
	}
}

// Texts are cut to columns: in the middle, or at the end.
func TestCutTexts(t *testing.T) {
	for _, c := range []struct {
		text            string
		columns         int
		padded, clipped string
	}{
		{"abcdef", 8, "abcdef  ", "abcdef"},
		{"abcdef", 6, "abcdef", "abcdef"},
		{"abcdef", 5, "ab…ef", "abcd…"},
		{"abcdef", 4, "a…ef", "abc…"},
		{"äöüäöü", 5, "äö…öü", "äöüä…"},
	} {
		if got := padded(c.text, c.columns); got != c.padded {
			t.Errorf("%q in %d columns: %q, want %q", c.text, c.columns, got, c.padded)
		}
		if got := clip(c.text, c.columns); got != c.clipped {
			t.Errorf("%q in %d columns: %q, want %q", c.text, c.columns, got, c.clipped)
		}
	}
	for _, columns := range []int{1, 0, -1} {
		if got := clip("abc", columns); got != "…" {
			t.Errorf("in %d columns: %q", columns, got)
		}
	}
}

// A variant that was given up says so once, beside its trouble, or in place of a number that it never had.
func TestGivenUp(t *testing.T) {
	for name, c := range map[string]struct {
		row    row
		given  string
		want   string
		rounds int
	}{
		"another":     {row{}, "c9", "", 1},
		"no number":   {row{}, "c0", "given up", 2},
		"with number": {row{unit: "ns"}, "c0", "", 2},
		"in trouble":  {row{unit: "ns", trouble: "it is"}, "c0", "it is, given up", 2},
	} {
		var out strings.Builder
		r := c.row
		r.cell.ID = "c0"
		l := &live{
			c: console.Console{Err: &out}, size: sized(80, 0), gauge: gauge{}, pace: every(time.Hour), rows: []*row{&r},
			campaign: &results.Campaign{GivenUp: []results.GivenUp{{Cell: c.given}}},
		}
		for range c.rounds {
			l.Begin(plan.Invocation{}, 0, 1)
		}
		if r.trouble != c.want {
			t.Errorf("%s: %q, want %q", name, r.trouble, c.want)
		}
	}
}

// The line below the rows says which of them are shown, and what is under way.
func TestLineOfWhatIsUnderWay(t *testing.T) {
	campaign := &results.Campaign{}
	for _, id := range []string{"a", "b", "c", "d"} {
		campaign.Cells = append(campaign.Cells, results.Cell{ID: id, Variant: id})
		campaign.Blocks = append(campaign.Blocks, results.Block{Profile: results.ProfileTiming, Order: []string{id}})
	}
	campaign.Cells = append(campaign.Cells, results.Cell{ID: "e", Variant: "e"}) // in no block
	inv := func(p results.Profile, calls int64) plan.Invocation {
		return plan.Invocation{
			Identity: results.Identity{Block: 7}, Profile: p,
			Cell: plan.Cell{Cell: campaign.Cells[2], Work: plan.Work{Calls: calls}},
		}
	}
	for name, c := range map[string]struct {
		inv    plan.Invocation
		height int
		want   []string
	}{
		"timing":  {inv(results.ProfileTiming, 0), 0, []string{"a", "b", "c", "d", "block 7 · c · 3 of 9"}},
		"all fit": {inv(results.ProfileTiming, 0), 7, []string{"a", "b", "c", "d", "block 7 · c · 3 of 9"}},
		"some":    {inv(results.ProfileTiming, 0), 5, []string{"b", "c", "cells 2 to 3 of 4", "block 7 · c · 3 of 9"}},
		"no room": {inv(results.ProfileTiming, 0), 3, []string{"a", "b", "c", "d", "block 7 · c · 3 of 9"}},
		"memory":  {inv(results.ProfileResources, 0), 0, []string{"a", "b", "c", "d", "memory run · c · 3 of 9"}},
		"a pilot": {
			inv(results.ProfilePilot, 20_000), 4,
			[]string{"c", "cells 3 to 3 of 4", "pilot of 20,000 calls · c · 3 of 9"},
		},
	} {
		var out strings.Builder
		l := &live{c: console.Console{Err: &out}, size: sized(120, c.height), gauge: gauge{}, pace: every(time.Hour)}
		l.Planned(campaign, nil, 9)
		l.pace.first = 2
		l.Begin(c.inv, 2, 9)
		var got []string
		for line := range strings.Lines(out.String()) {
			line, _, _ = strings.Cut(strings.TrimSpace(line), "  ")
			got = append(got, line)
		}
		if strings.Join(got, "|") != strings.Join(c.want, "|") {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// A failure on a terminal is told with its cause below, and after the last invocation nothing is left of the display.
func TestLiveEnds(t *testing.T) {
	p := stagedPlan()
	for done, want := range map[int]string{
		3: "",
		4: "\r\x1b[3A\x1b[J",
	} {
		var out strings.Builder
		l := &live{c: console.Console{Err: &out}, size: sized(200, 0), gauge: gauge{value: 1}, pace: every(time.Hour)}
		l.Planned(p.Campaign, nil, 4)
		l.Begin(plan.Invocation{Cell: p.Cells[1]}, done-1, 4)
		out.Reset()
		got := &results.Invocation{Cell: "c01", Status: results.StatusOK, Profile: results.ProfileTiming}
		l.End(plan.Invocation{Cell: p.Cells[1]}, got, done, 4)
		if out.String() != want {
			t.Errorf("%d of 4: %q, want %q", done, out.String(), want)
		}
	}
	var out strings.Builder
	l := &live{c: console.Console{Err: &out}, size: sized(200, 0), gauge: gauge{value: 1}, pace: every(time.Hour)}
	l.Planned(p.Campaign, nil, 4)
	got := &results.Invocation{
		Cell: "c01", Status: results.StatusFailed, Profile: results.ProfileTiming,
		Failure: &results.Failure{Kind: "exit", Message: "it ended", Cause: "X"},
	}
	l.End(plan.Invocation{Cell: p.Cells[1]}, got, 1, 4)
	l.End(plan.Invocation{}, &results.Invocation{Cell: "nobody"}, 2, 4)
	want := "moobench: warning: b0000.s00.r0 x failed (exit): it ended\n  | X\n"
	r := l.row("c01")
	if out.String() != want || r.failed != 1 || r.done != 1 || r.unit != "" || l.row("c00").done != 0 {
		t.Errorf("%+v: %q, want %q", r, out.String(), want)
	}
}
