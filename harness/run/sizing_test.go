package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/plan"
	"moobench/results"
)

// instant is a scenario whose subject ends at once. It fails where it is told
// to, and stops the campaign where it is told to.
type instant struct {
	plan.Plain
	fails func(plan.Invocation) bool
	stop  func(plan.Invocation)
}

func (instant) Schema() plan.Schema                         { return plan.Schema{Name: "instant"} }
func (instant) Questions([]results.Cell) []results.Question { return nil }

func (s instant) Drive(ctx context.Context, inv plan.Invocation, subject Subject, _ Recorder) error {
	if s.stop != nil {
		s.stop(inv)
	}
	if s.fails != nil && s.fails(inv) {
		return errors.New("told to fail")
	}
	if err := subject.Start(ctx); err != nil {
		return err
	}
	_, err := subject.Wait(ctx)
	return err
}

// told is a Progress that remembers what was decided, and the totals.
type told struct {
	decided []string
	total   int
}

func (t *told) Planned(_ *results.Campaign, _ []*results.Invocation, total int) { t.total = total }
func (t *told) Begin(plan.Invocation, int, int)                                 {}
func (t *told) End(_ plan.Invocation, _ *results.Invocation, _, total int)      { t.total = total }
func (t *told) Note(string, ...any)                                             {}
func (t *told) Decided(s results.Scenario, total int) {
	var reason string
	if s.Sizing != nil {
		reason = s.Sizing.Decision.Reason
	} else {
		reason = s.Settling.Decision.Reason
	}
	t.decided = append(t.decided, fmt.Sprintf("%s: %s, %d invocations", s.Label, reason, total))
	t.total = total
}

// campaignOf has a scenario for each sizing, with a baseline and a variant, in
// the given number of common timing blocks.
func campaignOf(blocks int, sizings ...*results.Sizing) *results.Campaign {
	c := &results.Campaign{Format: results.Format, Name: "sized", Source: "moobench", Design: results.DesignBlocks, Seed: 7}
	var order []string
	for i, z := range sizings {
		label := string(rune('p' + i))
		c.Scenarios = append(c.Scenarios, results.Scenario{Label: label, Use: "instant", Sizing: z})
		for j, role := range []results.Role{results.RoleBaseline, results.RoleVariant} {
			cell := results.Cell{
				ID: fmt.Sprintf("c%02d", 2*i+j), Scenario: label, Variant: []string{"none", "x"}[j], Role: role,
			}
			if j > 0 {
				cell.Baseline = c.Cells[2*i].ID
			}
			c.Cells = append(c.Cells, cell)
			order = append(order, cell.ID)
		}
	}
	for n := range blocks {
		c.Blocks = append(c.Blocks, results.Block{Number: n + 1, Kind: results.BlockPlanned, Profile: results.ProfileTiming, Order: slices.Clone(order)})
	}
	return c
}

func pilot(blocks int) *results.Sizing { return &results.Sizing{Precision: 0.02, Pilot: blocks} }

// runnerOn is a new session on the campaign in a folder.
func runnerOn(t *testing.T, dir string, s instant) (*Runner, *told) {
	t.Helper()
	store, err := results.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	p := &plan.Plan{Campaign: store.Campaign()}
	for _, c := range p.Campaign.Cells {
		p.Cells = append(p.Cells, plan.Cell{Cell: c, Use: "instant", Work: plan.Work{Run: []string{"true"}}, Timeout: time.Minute, MaxFailures: 2})
	}
	progress := &told{}
	return &Runner{
		Store: store, Plan: p, Scenarios: []Scenario{s}, Artifacts: &Artifacts{}, Progress: progress, Session: "s", Host: Host{ID: "m"},
	}, progress
}

func created(t *testing.T, c *results.Campaign) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	if _, err := results.Create(dir, c, nil); err != nil {
		t.Fatal(err)
	}
	return dir
}

// started lists the blocks in which a cell was started, in order, those of
// repeats once.
func started(t *testing.T, dir, cell string) []int {
	t.Helper()
	store, err := results.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	all, err := store.Invocations()
	if err != nil {
		t.Fatal(err)
	}
	var blocks []int
	for _, inv := range all {
		if inv.Cell == cell && !inv.Superseded {
			blocks = append(blocks, inv.Block)
		}
	}
	return blocks
}

func decisionOf(t *testing.T, dir, label string) *results.Decision {
	t.Helper()
	store, err := results.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return store.Campaign().Scenario(label).Sizing.Decision
}

// TestPilotDecidesOnce sizes two scenarios beside a fixed one, with a failure
// in the pilot: each is asked once, after its extra block.
func TestPilotDecidesOnce(t *testing.T) {
	c := campaignOf(3, pilot(3), pilot(3), nil)
	c.Blocks = append(c.Blocks, results.Block{Number: 4, Kind: results.BlockPlanned, Profile: results.ProfileResources, Order: []string{"c00", "c01"}})
	dir := created(t, c)
	r, progress := runnerOn(t, dir, instant{fails: func(inv plan.Invocation) bool { return inv.Cell.ID == "c03" && inv.Block == 2 }})
	var asked []string
	r.More = func(c *results.Campaign, label string) (*results.Decision, error) {
		asked = append(asked, fmt.Sprintf("%s after %d", label, len(started(t, dir, c.Cells[0].ID))))
		return &results.Decision{Blocks: map[string]int{"p": 5, "q": 3}[label], Reason: "it is " + label}, nil
	}
	if err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	// 3 timing blocks and one of resources; c03's extra block is number 5.
	if diff := cmp.Diff([]string{"p after 4", "q after 4"}, asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
	for cell, want := range map[string][]int{"c00": {1, 2, 3, 4, 6, 7}, "c01": {1, 2, 3, 4, 6, 7}, "c03": {1, 2, 3, 5}, "c05": {1, 2, 3}} {
		if got := started(t, dir, cell); !slices.Equal(got, want) {
			t.Errorf("%s was started in blocks %v, want %v", cell, got, want)
		}
	}
	if want := []string{"p: it is p, 26 invocations", "q: it is q, 26 invocations"}; !slices.Equal(progress.decided, want) || progress.total != 26 {
		t.Errorf("told %q, at the end %d, want %q", progress.decided, progress.total, want)
	}
}

// TestDecisionIsKeptWithItsBlocks fails before and while the decision is
// written, and stops in the second stage: what is on disk has both or none,
// and what was decided is not asked again.
func TestDecisionIsKeptWithItsBlocks(t *testing.T) {
	dir := created(t, campaignOf(3, pilot(3)))
	asked := 0
	more := func(*results.Campaign, string) (*results.Decision, error) {
		asked++
		return &results.Decision{Blocks: 5, Reason: "five"}, nil
	}
	r, _ := runnerOn(t, dir, instant{})
	r.More = func(*results.Campaign, string) (*results.Decision, error) { return nil, errors.New("no idea") }
	if err := r.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "deciding how many blocks p gets: no idea") {
		t.Fatalf("got %v", err)
	}
	r, _ = runnerOn(t, dir, instant{})
	inTheWay := filepath.Join(dir, ".tmp-campaign.json")
	r.More = func(c *results.Campaign, label string) (*results.Decision, error) {
		d, _ := more(c, label)
		return d, os.Mkdir(inTheWay, 0o777)
	}
	if err := r.Run(t.Context()); err == nil {
		t.Fatal("the decision could not be written, and nobody said so")
	}
	if err := os.RemoveAll(inTheWay); err != nil {
		t.Fatal(err)
	}
	r, _ = runnerOn(t, dir, instant{})
	if d := decisionOf(t, dir, "p"); d != nil || len(r.campaign().Blocks) != 3 {
		t.Fatalf("half a decision is on disk: %+v, %d blocks", d, len(r.campaign().Blocks))
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, progress := runnerOn(t, dir, instant{stop: func(inv plan.Invocation) {
		if inv.Block == 5 {
			cancel()
		}
	}})
	r.More = more
	if err := r.Run(ctx); !errors.Is(err, context.Canceled) || len(progress.decided) != 1 {
		t.Fatalf("got %v, told %q", err, progress.decided)
	}
	if d := decisionOf(t, dir, "p"); d == nil || d.Blocks != 5 || asked != 2 {
		t.Fatalf("asked %d times, kept %+v", asked, d)
	}
	r, progress = runnerOn(t, dir, instant{})
	r.More = more
	if err := r.Run(t.Context()); err != nil || asked != 2 || len(progress.decided) != 0 || progress.total != 10 {
		t.Errorf("resumed: %v, asked %d times, told %q, total %d", err, asked, progress.decided, progress.total)
	}
	if got := started(t, dir, "c01"); !slices.Equal(got, []int{1, 2, 3, 4, 5}) {
		t.Errorf("started in blocks %v", got)
	}
}

func TestNobodyDecides(t *testing.T) {
	dir := created(t, campaignOf(1, pilot(1)))
	r, _ := runnerOn(t, dir, instant{})
	if err := r.Run(t.Context()); !errors.Is(err, errNobodyDecides) || len(started(t, dir, "c00")) != 0 {
		t.Errorf("got %v", err)
	}
	r.More = func(*results.Campaign, string) (*results.Decision, error) { return nil, nil }
	if err := r.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "no decision") {
		t.Errorf("got %v", err)
	}
}

// TestBaselineGivenUpAddsNothing fails the baseline until it is given up.
func TestBaselineGivenUpAddsNothing(t *testing.T) {
	dir := created(t, campaignOf(3, pilot(3)))
	r, _ := runnerOn(t, dir, instant{fails: func(inv plan.Invocation) bool { return inv.Cell.ID == "c00" }})
	r.More = func(*results.Campaign, string) (*results.Decision, error) {
		t.Error("asked, though there is nothing to compare with")
		return &results.Decision{Blocks: 9, Reason: "nine"}, nil
	}
	if err := r.Run(t.Context()); !errors.Is(err, ErrGivenUp) {
		t.Fatal(err)
	}
	d := decisionOf(t, dir, "p")
	if d == nil || d.Blocks != 2 || !strings.Contains(d.Reason, "nothing is left to compare: none failed 2 times") {
		t.Errorf("decision %+v", d)
	}
	if got := len(r.timing("p")); got != 3 {
		t.Errorf("%d timing blocks, want the three that were planned", got)
	}
}

// sealHours seals blocks as if each cell had taken so many hours.
func sealHours(t *testing.T, dir string, hours map[string]int, blocks ...int) {
	t.Helper()
	store, err := results.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC)
	for _, n := range blocks {
		for slot, cell := range store.Campaign().Blocks[slices.IndexFunc(store.Campaign().Blocks, func(b results.Block) bool { return b.Number == n })].Order {
			draft, err := store.Begin(results.Identity{Block: n, Slot: slot})
			if err != nil {
				t.Fatal(err)
			}
			inv := &results.Invocation{Cell: cell, Profile: results.ProfileTiming, Status: results.StatusOK, Start: start, End: start.Add(time.Duration(hours[cell]) * time.Hour)}
			if err := draft.Seal(inv); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestTimeCutsFixedBlocks has two scenarios in the same blocks, of which one
// has no time left after two; the other one goes on.
func TestTimeCutsFixedBlocks(t *testing.T) {
	slow := &results.Sizing{MaxTimeNS: int64(11 * time.Hour)}
	quick := &results.Sizing{MaxTimeNS: int64(12 * time.Hour)}
	dir := created(t, campaignOf(5, slow, quick))
	hours := map[string]int{"c00": 1, "c01": 3, "c02": 2, "c03": 2} // 4 h a block: two are 8 h, three are 12 h
	sealHours(t, dir, hours, 1, 2)
	r, progress := runnerOn(t, dir, instant{})
	if err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	for cell, want := range map[string][]int{"c00": {1, 2}, "c01": {1, 2}, "c02": {1, 2, 3, 4, 5}, "c03": {1, 2, 3, 4, 5}} {
		if got := started(t, dir, cell); !slices.Equal(got, want) {
			t.Errorf("%s was started in blocks %v, want %v", cell, got, want)
		}
	}
	want := &results.Decision{Blocks: 2, Cut: results.CutTime, Reason: "cut to 2 of 5 blocks by max_time: they took 8h0m0s, and one more would have gone beyond 11h0m0s"}
	if diff := cmp.Diff(want, decisionOf(t, dir, "p")); diff != "" {
		t.Errorf("decision (-want +got):\n%s", diff)
	}
	if d := decisionOf(t, dir, "q"); d != nil {
		t.Errorf("the other one was cut: %+v", d)
	}
	if len(progress.decided) != 1 || progress.total != 14 {
		t.Errorf("told %q, total %d", progress.decided, progress.total)
	}
}

// TestTimeSparesWhatHasBegun resumes in the middle of a block that the time no
// longer allows: it has begun, and is finished; the next one is cut.
func TestTimeSparesWhatHasBegun(t *testing.T) {
	dir := created(t, campaignOf(5, &results.Sizing{MaxTimeNS: int64(time.Hour)}))
	hours := map[string]int{"c00": 1, "c01": 1}
	sealHours(t, dir, hours, 1, 2)
	store, err := results.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	draft, err := store.Begin(results.Identity{Block: 3})
	if err != nil {
		t.Fatal(err)
	}
	if err := draft.Seal(&results.Invocation{Cell: "c00", Profile: results.ProfileTiming, Status: results.StatusOK}); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second session finds nothing to do
		r, _ := runnerOn(t, dir, instant{})
		if err := r.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got := started(t, dir, "c01"); !slices.Equal(got, []int{1, 2, 3}) {
		t.Errorf("started in blocks %v, want the first three", got)
	}
	if d := decisionOf(t, dir, "p"); d == nil || d.Blocks != 3 || d.Cut != results.CutTime {
		t.Errorf("decision %+v", d)
	}
}
