package progress

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"moobench/cmd/internal/console"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

// stagedPlan is a sized scenario with a pilot of two blocks.
func stagedPlan() *plan.Plan {
	p := &plan.Plan{Campaign: &results.Campaign{
		Cells: []results.Cell{
			{ID: "c00", Scenario: "s", Variant: "none", Role: results.RoleBaseline},
			{ID: "c01", Scenario: "s", Variant: "x", Role: results.RoleVariant},
		},
		Scenarios: []results.Scenario{{Label: "s", Sizing: &results.Sizing{Precision: 0.02, Pilot: 2}}},
	}}
	for _, c := range p.Campaign.Cells {
		p.Cells = append(p.Cells, plan.Cell{Cell: c})
	}
	more(p, 2)
	return p
}

// more appends blocks to a plan.
func more(p *plan.Plan, n int) {
	blocks, err := plan.More(p.Campaign, "s", n)
	if err != nil {
		panic(err)
	}
	p.Campaign.Blocks = append(p.Campaign.Blocks, blocks...)
}

// every is a pace on which so much time goes by each time it is asked.
func every(d time.Duration) pace {
	now := time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC)
	return pace{now: func() time.Time {
		now = now.Add(d)
		return now
	}}
}

// gauge says the same of all invocations, and of all cells.
type gauge struct {
	value, adds, half float64 // 0 is not known
}

func (g gauge) Value(*results.Invocation) (float64, string, bool) { return g.value, "ns", g.value != 0 }

func (g gauge) Adds(string) (float64, float64, bool) { return g.adds, g.half, g.adds != 0 }

// sized is a terminal's size.
func sized(width, height int) func() (int, int) { return func() (int, int) { return width, height } }

// decide makes the plan's decision: three blocks in all.
func decide(p *plan.Plan) results.Scenario {
	more(p, 1)
	s := p.Campaign.Scenarios[0]
	s.Sizing.Decision = &results.Decision{Blocks: 3, Reason: "three are enough"}
	return s
}

func TestLinesFollowADecision(t *testing.T) {
	var out strings.Builder
	l := &lines{w: &out, gauge: gauge{}, pace: every(time.Hour / 2)}
	p := stagedPlan()
	l.Planned(p.Campaign, nil, 4)
	end := func(block, done, total int) {
		inv := plan.Invocation{Cell: p.Cells[1]}
		got := &results.Invocation{Identity: results.Identity{Block: block}, Cell: "c01", Status: results.StatusOK, Profile: results.ProfileTiming}
		l.End(inv, got, done, total)
	}
	end(0, 2, 4)
	l.Decided(decide(p), 6)
	end(2, 5, 6)
	for _, want := range []string{
		"2 of 4 (pilot)  about 60 min left\n", // two in an hour
		"s: three are enough · 6 invocations in all\n",
		"5 of 6  about 24 min left\n", // five in two hours
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("want %q in:\n%s", want, out.String())
		}
	}
}

func TestLiveFollowsADecision(t *testing.T) {
	var out strings.Builder
	l := &live{c: console.Console{Err: &out}, size: sized(200, 0), gauge: gauge{}, pace: every(time.Hour)}
	p := stagedPlan()
	l.Planned(p.Campaign, nil, 4)
	inv := plan.Invocation{Identity: results.Identity{Block: 1}, Cell: p.Cells[1]}
	l.Begin(inv, 0, 4)
	pilot := out.String()
	l.End(inv, &results.Invocation{Cell: "c01", Status: results.StatusOK, Profile: results.ProfileTiming}, 1, 4)
	l.Decided(decide(p), 6)
	out.Reset()
	l.Begin(inv, 1, 6)
	for text, wants := range map[string][]string{
		pilot:        {"0 of 2", "1 of 4 (pilot)"},
		out.String(): {"0 of 3", "1 of 3", "2 of 6  about 5 h 00 min left"},
	} {
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("want %q in:\n%s", want, text)
			}
		}
	}
	if strings.Contains(out.String(), "pilot") {
		t.Errorf("the pilot is over, and it says:\n%s", out.String())
	}
}

// What is there of a campaign that goes on is said before the first line of the display, also where
// it is one invocation; a new campaign says nothing.
func TestLiveResumes(t *testing.T) {
	for n, want := range []string{"", "resuming: 1 of 4 invocations are there", "resuming: 2 of 4 invocations are there"} {
		var out strings.Builder
		l := &live{c: console.Console{Err: &out}, size: sized(200, 0), gauge: gauge{}, pace: every(time.Hour)}
		p := stagedPlan()
		var there []*results.Invocation
		for i := range n {
			inv := &results.Invocation{Identity: results.Identity{Block: 1, Slot: i}, Cell: p.Cells[i].ID, Status: results.StatusOK}
			there = append(there, inv)
		}
		l.Planned(p.Campaign, there, 4)
		if got, _, _ := strings.Cut(out.String(), "\n"); got != want {
			t.Errorf("%d are there: %q, want %q", n, got, want)
		}
	}
}

// More cells than the terminal has lines: those around the one that is measured
// are shown, and no more lines than can be taken back.
func TestLiveFitsTheTerminal(t *testing.T) {
	campaign := &results.Campaign{}
	for i := range 60 {
		c := results.Cell{ID: fmt.Sprintf("c%02d", i), Variant: fmt.Sprintf("probe/hotswap/collect at_once=%d one_by_one=true", i)}
		campaign.Cells = append(campaign.Cells, c)
		campaign.Blocks = append(campaign.Blocks, results.Block{Number: 1, Profile: results.ProfileTiming, Order: []string{c.ID}})
	}
	for name, c := range map[string]struct {
		cell, height, lines int
		first               string
	}{
		"first":           {0, 24, 23, "at_once=0 "},
		"middle":          {30, 24, 23, "at_once=20 "},
		"last":            {59, 24, 23, "at_once=39 "},
		"tall enough":     {30, 70, 61, "at_once=0 "},
		"height unknown":  {30, 0, 61, "at_once=0 "},
		"hardly any room": {30, 4, 3, "at_once=30 "},
	} {
		var out strings.Builder
		l := &live{c: console.Console{Err: &out}, size: sized(110, c.height), gauge: gauge{}, pace: every(time.Hour)}
		l.Planned(campaign, nil, 60)
		l.Begin(plan.Invocation{Cell: plan.Cell{Cell: campaign.Cells[c.cell]}}, 0, 60)
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if len(lines) != c.lines || len(l.drawn) != c.lines || !strings.Contains(lines[0], c.first) {
			t.Errorf("%s: %d lines, %d to take back, want %d with %q first:\n%s", name, len(lines), len(l.drawn), c.lines, c.first, out.String())
		}
		if !strings.Contains(out.String(), fmt.Sprintf("at_once=%d ", c.cell)) || !strings.Contains(lines[0], "0 of 1") {
			t.Errorf("%s: the cell that is measured, or what there is to do, is missing:\n%s", name, out.String())
		}
	}
}

// TestTroubleStandsInPlaceOfANumber: what is not instrumented has no mean, and the row of a
// cell counts its blocks and not its runs for memory.
func TestTroubleStandsInPlaceOfANumber(t *testing.T) {
	p := stagedPlan()
	p.Campaign.Cells[1].Proof = results.ProofPlan{Kind: results.ProofCount, Expected: 200_000}
	p.Cells[1].Cell = p.Campaign.Cells[1]
	p.Campaign.Blocks = append(p.Campaign.Blocks, results.Block{Number: 9, Profile: results.ProfileResources, Order: []string{"c00", "c01"}})
	blind := &results.Invocation{Cell: "c01", Status: results.StatusOK, Profile: results.ProfileTiming, Proof: results.Proof{Source: "otlp"}}
	memory := &results.Invocation{Cell: "c00", Status: results.StatusOK, Profile: results.ProfileResources, Scalars: map[string]float64{run.RSSPeakBytes: 70 << 20}}
	var screen, log strings.Builder
	for _, display := range []run.Progress{
		&live{c: console.Console{Err: &screen}, size: sized(200, 0), gauge: gauge{value: 100}, pace: every(time.Hour)},
		&lines{w: &log, gauge: gauge{value: 100}, pace: every(time.Hour)},
	} {
		display.Planned(p.Campaign, nil, 6)
		display.End(plan.Invocation{Cell: p.Cells[1]}, blind, 1, 6)
		display.End(plan.Invocation{Cell: p.Cells[0]}, memory, 2, 6)
		display.Begin(plan.Invocation{Cell: p.Cells[0], Profile: results.ProfileResources}, 2, 6)
	}
	for text, wants := range map[string][]string{
		screen.String(): {"0 of 2", "  x     ✗ not instrumented: 0 of 200,000 records\n", "  memory run · none · "},
		log.String():    {"x                                    not instrumented: 0 of 200,000 records ", "none (memory run)                       70.00 MiB "},
	} {
		for _, want := range wants {
			if !strings.Contains(text, want) || strings.Contains(text, "100.0 ns") {
				t.Errorf("want %q and no mean in:\n%s", want, text)
			}
		}
	}
}

// TestACauseIsToldOnce: the log of a failed invocation is shown unless that of another one
// said the same.
func TestACauseIsToldOnce(t *testing.T) {
	var out strings.Builder
	var c causes
	for i, f := range []results.Failure{
		{Cause: "X: \x1bno\n\tat A.b(A.java:1)", LogTail: "a\nb"},
		{Cause: "X: \x1bno\n\tat A.b(A.java:1)", LogTail: "c"},
		{LogTail: "1\n2\n3\n4\n5\n6\n7\n8\n9\n"},
		{},
	} {
		c.tell(&out, &results.Invocation{Identity: results.Identity{Block: i}, Failure: &f})
	}
	const want = "  | X: \ufffdno\n  | \tat A.b(A.java:1)\n  | as in the log of b0000.s00.r0\n" +
		"  | 2\n  | 3\n  | 4\n  | 5\n  | 6\n  | 7\n  | 8\n  | 9\n"
	if got := out.String(); got != want {
		t.Errorf("%q", got)
	}
}

// TestLogsAreShort: what says nothing but how far it is comes every ten seconds at most; the
// first and the last one, and trouble, come at once.
func TestLogsAreShort(t *testing.T) {
	var out strings.Builder
	l := &lines{w: &out, gauge: gauge{value: 100}, pace: every(time.Second)}
	p := stagedPlan()
	l.Planned(p.Campaign, nil, 40)
	for i := range 40 {
		got := &results.Invocation{Identity: results.Identity{Block: i + 1}, Cell: "c01", Status: results.StatusOK, Profile: results.ProfileTiming}
		if i == 3 {
			got.Status, got.Failure = results.StatusFailed, &results.Failure{Kind: "exit", Message: "it ended"}
		}
		l.End(plan.Invocation{Cell: p.Cells[1]}, got, i+1, 40)
	}
	var blocks []string
	for line := range strings.Lines(out.String()) {
		if id, _, ok := strings.Cut(line, "."); ok && strings.HasPrefix(line, "b") {
			blocks = append(blocks, id)
		}
	}
	if got := strings.Join(blocks, " "); got != "b0001 b0004 b0013 b0022 b0031 b0040" {
		t.Errorf("%s\n%s", got, out.String())
	}
}

// TestLiveSaysWhatItKnows: an estimate with its interval as soon as there is one, in rows that
// fit, whatever the width.
func TestLiveSaysWhatItKnows(t *testing.T) {
	const long = "opentelemetry/bci/otlp at_once=1 one_by_one=true"
	for _, c := range []struct {
		gauge gauge
		width int
		want  string
	}{
		{gauge{}, 80, "  " + long[:15] + "…" + long[len(long)-15:] + "  █████░░░░░░   1 of 2\n"},
		{gauge{value: 3456}, 80, "1 of 2    3.46 µs\n"},
		{gauge{value: 3456, adds: 338.4}, 80, "1 of 2    338 ns more\n"},
		{gauge{value: 3456, adds: 338.4, half: 30}, 80, "1 of 2    338 ns ± 8.9 % more\n"},
		{gauge{value: 3456, adds: -338.4, half: 30}, 140, "  " + long + "  █████░░░░░░   1 of 2    338 ns ± 8.9 % less\n"},
		{gauge{value: 3456, adds: 12.5, half: 338}, 80, "1 of 2    +12 ± 338 ns\n"},
		{gauge{value: 3456, adds: 338.4, half: 30}, 30, "  opent…e=true  █████░░░░░░ …\n"},
	} {
		var out strings.Builder
		l := &live{c: console.Console{Err: &out}, size: sized(c.width, 24), gauge: c.gauge, pace: every(time.Hour)}
		p := stagedPlan()
		p.Campaign.Cells[1].Variant = long
		p.Cells[1].Cell = p.Campaign.Cells[1]
		got := &results.Invocation{Cell: "c01", Status: results.StatusOK, Profile: results.ProfileTiming}
		l.Planned(p.Campaign, []*results.Invocation{got}, 4)
		l.Begin(plan.Invocation{Identity: results.Identity{Block: 2}, Cell: p.Cells[1]}, 1, 4)
		if !strings.Contains(out.String(), c.want) {
			t.Errorf("%+v: want %q in:\n%s", c.gauge, c.want, out.String())
		}
		for line := range strings.Lines(out.String()) {
			if n := len([]rune(line)); n > c.width {
				t.Errorf("%d columns of %d: %q", n-1, c.width, line)
			}
		}
	}
}

// TestResizedTerminal: what a narrower terminal wraps is taken back with all its lines, and
// nothing stands when it is over.
func TestResizedTerminal(t *testing.T) {
	var out strings.Builder
	width := 80
	l := &live{c: console.Console{Err: &out}, size: func() (int, int) { return width, 24 }, gauge: gauge{value: 1}, pace: every(time.Hour)}
	p := stagedPlan()
	l.Planned(p.Campaign, nil, 4)
	l.resized()
	if out.Len() > 0 {
		t.Errorf("drawn before there is anything: %q", out.String())
	}
	l.Begin(plan.Invocation{Cell: p.Cells[1]}, 1, 4)
	for _, c := range []struct{ width, up int }{{20, 7}, {120, 3}} { // two rows of two lines, and one of three; then all fit
		width = c.width
		out.Reset()
		l.resized()
		if want := fmt.Sprintf("\r\x1b[%dA\x1b[J", c.up); !strings.HasPrefix(out.String(), want) {
			t.Errorf("%d columns: %q, want %q", c.width, out.String(), want)
		}
	}
	l.stop()
	if !strings.HasSuffix(out.String(), "\r\x1b[3A\x1b[J") {
		t.Errorf("something is left: %q", out.String())
	}
}

// A campaign that goes on says which block was cut: it starts again.
func TestResuming(t *testing.T) {
	c := &results.Campaign{
		Blocks:  []results.Block{{Number: 1, Order: []string{"a", "b"}}, {Number: 2, Order: []string{"a", "b", "c"}}, {Number: 3, Order: []string{"a", "c"}}},
		GivenUp: []results.GivenUp{{Cell: "c", Block: 3}},
	}
	of := func(blocks ...int) (all []*results.Invocation) {
		for _, b := range blocks {
			all = append(all, &results.Invocation{Identity: results.Identity{Block: b}})
		}
		return all
	}
	const there = "resuming: %d of 6 invocations are there"
	for _, test := range []struct {
		blocks []int
		want   string
	}{
		{[]int{1, 1}, fmt.Sprintf(there, 2)},
		{[]int{1, 1, 2, 2}, fmt.Sprintf(there, 4) + "; block 2 was cut after 2 of 3, and starts again"},
		{[]int{1, 1, 2, 2, 2, 3}, fmt.Sprintf(there, 6)}, // c was given up
	} {
		if got := resuming(c, of(test.blocks...), 6); got != test.want {
			t.Errorf("%v: %q, want %q", test.blocks, got, test.want)
		}
	}
	for want, got := range map[string]*results.Invocation{
		"":             {},
		"invalid":      {Invalid: "late"},
		"latency void": {Void: map[string]string{"latency": "late"}},
		"not up in time": {
			AtLeast: map[string]float64{"startup": 6e10}, Void: map[string]string{"latency": "not up"},
		},
	} {
		if is := doesNotCount(got); is != want {
			t.Errorf("%+v: %q, want %q", got, is, want)
		}
	}
}
