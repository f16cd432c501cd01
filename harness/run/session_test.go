package run

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/fixture"
	"moobench/harness/plan"
	"moobench/results"
)

// settlingCampaign has two scenarios whose numbers of calls pilots find, and a pilot of the second that an earlier
// session began.
func settlingCampaign() *results.Campaign {
	c := campaignOf(1, nil, nil)
	for i := range c.Scenarios {
		c.Scenarios[i].Settling = &results.Settling{Parameter: "calls", Series: "duration", WithinNS: 1}
	}
	c.Blocks = append(c.Blocks, plan.Pilot(c, "c02", 5))
	return c
}

// TestPilotsComeFirst: each scenario's pilot goes on until it is decided, and only then anything is timed.
func TestPilotsComeFirst(t *testing.T) {
	dir := created(t, settlingCampaign())
	var events []string
	r, told := runnerOn(t, dir, instant{stop: func(inv plan.Invocation) {
		events = append(events, fmt.Sprintf("%s of %s", inv.Profile, inv.Cell.ID))
	}})
	next := map[string][]Pilot{
		"p": {{Cell: "c00", Calls: 7}, {Cell: "c01", Calls: 8}, {}}, "q": {{}},
	}
	r.Settle = func(_ *results.Campaign, scenario string) (Pilot, error) {
		p := next[scenario][0]
		next[scenario] = next[scenario][1:]
		if p.Calls == 0 {
			p.Decision = &results.SettlingDecision{
				Groups: []results.SettledGroup{{Calls: 9, Cells: cellsOf(r.campaign(), scenario)}}, Reason: "found",
			}
		}
		events = append(events, "settle "+scenario)
		return p, nil
	}
	if err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"settle p", "pilot of c00", "settle p", "pilot of c01", "settle p", "pilot of c02", "settle q",
		"timing of c00", "timing of c01", "timing of c02", "timing of c03",
	}
	if diff := cmp.Diff(want, events); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want = []string{"p: found, 7 invocations", "q: found, 7 invocations"}
	if diff := cmp.Diff(want, told.decided); diff != "" {
		t.Errorf("decided (-want +got):\n%s", diff)
	}
	store, err := results.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range store.Campaign().Scenarios {
		if s.Settling.Calls(cellsOf(store.Campaign(), s.Label)[1].Cell) != 9 {
			t.Errorf("%s: %+v", s.Label, s.Settling)
		}
	}
}

// TestNobodySettles: a pilot whose next step is unknown ends the session, and nothing is timed.
func TestNobodySettles(t *testing.T) {
	dir := created(t, settlingCampaign())
	r, _ := runnerOn(t, dir, instant{})
	r.Settle = func(*results.Campaign, string) (Pilot, error) { return Pilot{}, errors.New("no samples") }
	err := r.Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "deciding how many calls p makes: no samples") {
		t.Errorf("got %v", err)
	}
	if got := invocationsOf(t, dir); len(got) > 0 {
		t.Errorf("%d invocations", len(got))
	}
}

func cellsOf(c *results.Campaign, label string) (all []results.SettledCell) {
	for _, cell := range c.Cells {
		if cell.Scenario == label {
			all = append(all, results.SettledCell{Cell: cell.ID})
		}
	}
	return all
}

// TestTurnsOfALane: each block waits for its turn, alone where the plan says so, and the turn is kept.
func TestTurnsOfALane(t *testing.T) {
	c := campaignOf(3, nil)
	c.Blocks[1].Turn, c.Blocks[2].Turn = &results.Turn{Alone: true}, &results.Turn{}
	dir := created(t, c)
	r, _ := runnerOn(t, dir, instant{})
	var alone []bool
	r.Turn = func(_ context.Context, a bool) (int64, int, error) {
		alone = append(alone, a)
		return int64(10 * len(alone)), len(alone), nil
	}
	if err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	store, err := results.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var turns []results.Turn
	for _, b := range store.Campaign().Blocks {
		turns = append(turns, *b.Turn)
	}
	want := []results.Turn{{Number: 10, Others: 1}, {Number: 20, Others: 2, Alone: true}, {Number: 30, Others: 3}}
	if diff := cmp.Diff(want, turns); diff != "" || !slices.Equal(alone, []bool{false, true, false}) {
		t.Errorf("alone %v (-want +got):\n%s", alone, diff)
	}
}

// TestNoTurn: without a turn nothing is started.
func TestNoTurn(t *testing.T) {
	dir := created(t, campaignOf(1, nil))
	r, _ := runnerOn(t, dir, instant{})
	gone := errors.New("the lanes have ended")
	r.Turn = func(context.Context, bool) (int64, int, error) { return 0, 0, gone }
	if err := r.Run(t.Context()); !errors.Is(err, gone) {
		t.Errorf("got %v", err)
	}
	if got := invocationsOf(t, dir); len(got) > 0 {
		t.Errorf("%d invocations", len(got))
	}
}

// twoVariants has a baseline, its variants x and y, and a block of them.
func twoVariants() *results.Campaign {
	c := campaignOf(1, nil)
	other := c.Cells[1]
	other.ID, other.Variant = "c02", "y"
	c.Cells, c.Blocks[0].Order = append(c.Cells, other), []string{"c00", "c01", "c02"}
	return c
}

// TestWrongFileIsGivenUp: a variant with another file than the pinned one is not started, and the rest goes on.
func TestWrongFileIsGivenUp(t *testing.T) {
	dir := created(t, twoVariants())
	r, _ := runnerOn(t, dir, instant{})
	said := &notes{}
	r.Progress, r.Artifacts.wrong = said, map[string]error{"x": errors.New("another file")}
	if err := r.Run(t.Context()); !errors.Is(err, ErrGivenUp) {
		t.Fatal(err)
	}
	if got := invocationsOf(t, dir); len(got) != 2 || got[0].Cell != "c00" || got[1].Cell != "c02" {
		t.Errorf("%d invocations", len(got))
	}
	want := []results.GivenUp{{Cell: "c01", Reason: "another file"}}
	if diff := cmp.Diff(want, r.campaign().GivenUp); diff != "" {
		t.Errorf("given up (-want +got):\n%s", diff)
	}
	if n := said.said; len(n) != 1 || n[0] != "x: given up before the first JVM: another file" {
		t.Errorf("%q", said.said)
	}
}

// TestWhatRuns: the jars of the fixtures and of the variants are guarded, those of a variant that is given up not.
func TestWhatRuns(t *testing.T) {
	built := fixture.Built{Dir: t.TempDir()}
	for _, m := range []string{"calls", "kernel"} {
		write(t, filepath.Join(built.Dir, m, "pom.xml"), "")
	}
	r := &Runner{Fixtures: built, Artifacts: &Artifacts{
		paths: map[string]map[string]string{
			"a": {"agent": "/a.jar"}, "b": {"agent": "/b.jar", "more": "/a.jar"}, "c": {"x": "/c.jar"},
		},
		wrong: map[string]error{"c": errors.New("another file")},
	}}
	want := []string{"/a.jar", "/b.jar", built.Jar("calls"), built.Jar("kernel")}
	if diff := cmp.Diff(want, r.runs()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestMoved: that a subject was moved is the first warning.
func TestMoved(t *testing.T) {
	r := &Runner{own: readOwn()}
	for moved, want := range map[string]string{"": "[second]", "it was moved": "[it was moved second]"} {
		a := &attempt{subject: &subject{moved: moved}, got: &results.Invocation{Warnings: []string{"second"}}}
		if r.moved(a); fmt.Sprint(a.got.Warnings) != want {
			t.Errorf("%q: %q", moved, a.got.Warnings)
		}
	}
	a := &attempt{got: &results.Invocation{}}
	if r.moved(a); a.got.Warnings != nil {
		t.Errorf("of no subject: %q", a.got.Warnings)
	}
}

// TestUnfinishedIsRemoved: what an earlier session left unfinished is removed and told, and its block starts again.
func TestUnfinishedIsRemoved(t *testing.T) {
	dir := created(t, campaignOf(1, nil))
	r, _ := runnerOn(t, dir, instant{})
	if _, err := r.Store.Begin(results.Identity{Block: 1}); err != nil {
		t.Fatal(err)
	}
	r, _ = runnerOn(t, dir, instant{})
	said := &notes{}
	r.Progress = said
	if err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	const want = "1 unfinished invocation(s) of an earlier session were removed: their block starts again"
	if len(said.said) != 1 || said.said[0] != want {
		t.Errorf("said %q", said.said)
	}
	if got := invocationsOf(t, dir); len(got) != 2 {
		t.Errorf("%d invocations", len(got))
	}
}

// TestFinishFails: a campaign that could not be finished is not sealed, and says why.
func TestFinishFails(t *testing.T) {
	r, _ := runnerOn(t, created(t, campaignOf(1, nil)), instant{})
	full := errors.New("no room")
	finished := 0
	r.Finish = func() error { finished++; return full }
	if err := r.Run(t.Context()); !errors.Is(err, full) || finished != 1 {
		t.Errorf("finished %d times, %v", finished, err)
	}
}

// TestPathOfWhatIsWrong: nothing of a variant whose files differ is named to others.
func TestPathOfWhatIsWrong(t *testing.T) {
	all := &Artifacts{
		paths: map[string]map[string]string{"a": {"agent": "/a.jar"}, "b": {"agent": "/b.jar"}},
		wrong: map[string]error{"b": errors.New("another file")},
	}
	for variant, want := range map[string]string{"a": "/a.jar", "b": "", "c": ""} {
		if got := all.Path(variant, "agent"); got != want || (all.Wrong(variant) != nil) != (variant == "b") {
			t.Errorf("%s: %q, %v", variant, got, all.Wrong(variant))
		}
	}
}
