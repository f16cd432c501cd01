package analysis_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/analysis"
	"moobench/analysis/chapter/sizing"
	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// without is a campaign whose invocations of these names were never made.
func without(s *testcampaign.Store, names ...string) *testcampaign.Store {
	s.Runs = slices.DeleteFunc(s.Runs, func(inv *results.Invocation) bool { return slices.Contains(names, inv.Identity.String()) })
	return s
}

// repeatedOf are the invocations that others stand for.
func repeatedOf(a *analysis.Answers) (names []string) {
	for _, inv := range a.Invocations {
		if inv.RepeatedBy != "" {
			names = append(names, inv.ID)
		}
	}
	return names
}

// mark is the text of a cell's mark of a kind.
func mark(c *analysis.Cell, kind string) (show, text string) {
	for _, m := range c.Marks {
		if m.Kind == kind {
			return m.Show, m.Text
		}
	}
	return "", ""
}

var repeatedOnes = []string{"b0005.s01.r0", "b0005.s03.r0", "b0006.s00.r0", "b0006.s03.r0", "b0010.s01.r0"}

// What was disturbed and repeated counts all the same; beside each answer stands
// what it would be had that never been made.
func TestRepeatedCount(t *testing.T) {
	a := analyse(t, testcampaign.Repeated())
	if diff := cmp.Diff(repeatedOnes, repeatedOf(a)); diff != "" {
		t.Errorf("repeated (-want +got)\n%s", diff)
	}
	never := analyse(t, without(testcampaign.Repeated(), repeatedOnes...)).Scenarios[0]
	plain := testcampaign.Repeated()
	for i := range plain.Made.Blocks {
		plain.Made.Blocks[i].Repeats = nil
	}
	all := analyse(t, plain).Scenarios[0]
	s := a.Scenarios[0]
	if s.Repeats == nil || s.Repeats.Primary != "all" || s.Repeats.Repeated != 5 || s.Repeats.Completed != 57 {
		t.Fatalf("%+v", s.Repeats)
	}
	for i := range s.Cells {
		got := s.Cells[i].Metrics
		for j := range got {
			if got[j].Metric == s.Primary {
				if diff := cmp.Diff(never.Cells[i].Metrics[j].Difference, got[j].Kept); diff != "" {
					t.Errorf("%s without the repeated (-want +got)\n%s", s.Cells[i].Label, diff)
				}
			}
			got[j].Kept, got[j].All = nil, nil
		}
		if diff := cmp.Diff(all.Cells[i].Metrics, got, cmp.AllowUnexported(evidence.Value{})); diff != "" {
			t.Errorf("%s (-want +got)\n%s", s.Cells[i].Label, diff)
		}
	}
	if diff := cmp.Diff(all.AA, s.AA); diff != "" {
		t.Error(diff)
	}
	if a.Campaign.ExtraDisturbed != 3 || a.Campaign.ExtraFailed != 0 || a.Incomplete() {
		t.Errorf("%+v, %q", a.Campaign, a.Unanswered)
	}
}

func TestRepeatedAreNamed(t *testing.T) {
	a := analyse(t, testcampaign.Repeated())
	c := cell(t, a, "kieker/bci/tcp")
	if c.OK != 15 || c.Disturbed != 4 || c.Repeated != 3 {
		t.Errorf("%d completed, %d disturbed, %d repeated", c.OK, c.Disturbed, c.Repeated)
	}
	show, text := mark(c, "repeated")
	if show != "3 repeated" || !strings.Contains(text, "b0010.s01.r0 (other processes took 5 % of the measured CPUs)") {
		t.Errorf("%s: %s", show, text)
	}
	show, text = mark(c, "disturbed")
	if show != "disturbed 1 of 15" || !strings.HasPrefix(text, "governor changed in or before 1 invocation") {
		t.Errorf("%s: %s", show, text)
	}
	answers := a.Scenarios[0].Answers
	if !strings.Contains(answers[0].Sentence.String(), "3 repeated") || strings.Contains(answers[1].Sentence.String(), "repeated") {
		t.Errorf("one of 14 is no reason to mind, three of 15 are: %q, %q", answers[0].Sentence.String(), answers[1].Sentence.String())
	}
	if !strings.HasPrefix(answers[0].Without, "without the disturbed invocations that were repeated: ") || answers[0].All.N != 15 || answers[0].Kept.N != 12 {
		t.Errorf("%q, %+v", answers[0].Without, answers[0].All)
	}
	for _, inv := range a.Invocations {
		if inv.ID == repeatedOnes[0] && inv.RepeatedBy != "b0015.s02.r0" {
			t.Errorf("%s was repeated as %q", inv.ID, inv.RepeatedBy)
		}
	}
}

// A disturbed invocation stays in until what stands for it is there.
func TestIncompleteRepeatsStayIn(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*testcampaign.Store)
		stays  []string
	}{
		"no repeat":       {func(s *testcampaign.Store) { without(s, "b0015.s02.r0") }, []string{"b0005.s01.r0"}},
		"no new baseline": {func(s *testcampaign.Store) { drop(s, 15, "c00") }, []string{"b0005.s01.r0", "b0005.s03.r0"}},
		"the repeat failed": {func(s *testcampaign.Store) {
			find(s, "b0015.s02.r0").Status = results.StatusFailed
		}, []string{"b0005.s01.r0"}},
		"it is not named": {func(s *testcampaign.Store) {
			b := extra(s, 15)
			b.Repeats = b.Repeats[1:]
		}, []string{"b0005.s01.r0"}},
		"it was not disturbed": {func(s *testcampaign.Store) { find(s, "b0005.s01.r0").Disturbed = nil }, []string{"b0005.s01.r0"}},
		"it failed":            {func(s *testcampaign.Store) { find(s, "b0005.s01.r0").Status = results.StatusFailed }, []string{"b0005.s01.r0"}},
		"no extra block":       {func(s *testcampaign.Store) { extra(s, 15).Kind = results.BlockPlanned }, []string{"b0005.s01.r0", "b0005.s03.r0"}},
		"of another profile":   {func(s *testcampaign.Store) { extra(s, 15).Profile = results.ProfileResources }, []string{"b0005.s01.r0", "b0005.s03.r0"}},
		"it came before":       {func(s *testcampaign.Store) { extra(s, 15).Number = 4 }, []string{"b0005.s01.r0", "b0005.s03.r0"}},
	} {
		s := testcampaign.Repeated()
		c.change(s)
		want := slices.DeleteFunc(slices.Clone(repeatedOnes), func(id string) bool { return slices.Contains(c.stays, id) })
		a := analyse(t, s)
		var got []string
		for _, inv := range a.Invocations {
			if inv.RepeatedBy != "" {
				got = append(got, inv.ID)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

func find(s *testcampaign.Store, name string) *results.Invocation {
	i := slices.IndexFunc(s.Runs, func(inv *results.Invocation) bool { return inv.Identity.String() == name })
	return s.Runs[i]
}

func drop(s *testcampaign.Store, block int, cell string) {
	s.Runs = slices.DeleteFunc(s.Runs, func(inv *results.Invocation) bool { return inv.Block == block && inv.Cell == cell })
}

func extra(s *testcampaign.Store, number int) *results.Block {
	return &s.Made.Blocks[slices.IndexFunc(s.Made.Blocks, func(b results.Block) bool { return b.Number == number })]
}

// A repeat that was disturbed itself is repeated as well.
func TestRepeatOfARepeat(t *testing.T) {
	s := testcampaign.Repeated()
	find(s, "b0015.s02.r0").Disturbed = &results.Disturbance{Reason: "a knob changed", Knobs: []string{"turbo"}}
	b := extra(s, 17) // which repeats the same cell
	b.Repeats = append(b.Repeats, "b0015.s02.r0")
	got := repeatedOf(analyse(t, s))
	if want := append(slices.Clone(repeatedOnes), "b0015.s02.r0"); !slices.Equal(got, want) {
		t.Errorf("repeated %q, want %q", got, want)
	}
}

// As it is, a machine only has its disturbed invocations marked.
func TestNothingIsRepeatedAsItIs(t *testing.T) {
	a := analyse(t, testcampaign.Troubled())
	if a.Scenarios[0].Repeats != nil || repeatedOf(a) != nil {
		t.Errorf("%+v, repeated %q", a.Scenarios[0].Repeats, repeatedOf(a))
	}
	if show, text := mark(cell(t, a, "none"), "disturbed"); show != "disturbed 1 of 6" || !strings.Contains(text, "other processes took CPU time") {
		t.Errorf("%s: %s", show, text)
	}
}

// Where the verdict is another one without the repeated, a note says so; where it
// is the same, nothing stands above the table.
func TestVerdictThatHangsOnTheRepeated(t *testing.T) {
	for name, c := range map[string]struct {
		mean, slower float64
		differs      bool
	}{"hangs on one": {600, 3, true}, "does not": {900, 0.2, false}} {
		s := testcampaign.Make(testcampaign.Plan{
			Seed: 5, Blocks: 12, Samples: 300, Repeat: true,
			Cells:   append(testcampaign.Baselines(), testcampaign.Variant(2, "a", results.ProofPlan{Kind: results.ProofNone})),
			Behaves: []testcampaign.Behaviour{{Mean: 561}, {Mean: 561}, {Mean: c.mean, Disturbed: []int{3}, Slower: c.slower}},
		})
		sc := analyse(t, s).Scenarios[0]
		r := sc.Repeats
		if r == nil || (len(r.Differs) > 0) != c.differs || slices.Contains(sc.Notes, r.Text) != (c.differs || r.Uneven) {
			t.Errorf("%s: %+v, notes %q", name, r, sc.Notes)
		}
	}
}

// The pilot decides from the same invocations as the report: all that completed.
func TestSizeIsOfAll(t *testing.T) {
	sized := func(s *testcampaign.Store) *results.Decision {
		s.Made.Scenarios[0].Sizing = &results.Sizing{Precision: 0.001, Pilot: 10, MaxTimeNS: math.MaxInt64}
		d, err := sizing.Size(s, "overhead")
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	plain := testcampaign.Repeated()
	for i := range plain.Made.Blocks {
		plain.Made.Blocks[i].Repeats = nil
	}
	if got, want := sized(testcampaign.Repeated()), sized(plain); !cmp.Equal(got, want) || got.Wanted == sized(without(testcampaign.Repeated(), repeatedOnes...)).Wanted {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestMachineIsShown(t *testing.T) {
	a := analyse(t, testcampaign.Repeated())
	if len(a.Hosts) != 1 {
		t.Fatalf("%+v", a.Hosts)
	}
	want := analysis.Host{
		ID: "m1", Name: "bench-01",
		Quiet: "profile fixed-hardware · turbo off · governor performance · what was found is put back at the end · 1 knob stood so already",
		Unmet: []string{"smt stays on (not supported here): recorded, went on", "energy_preference could not be set to performance (no file of that name): recorded, went on"},
		Changed: []analysis.Changed{
			{What: "governor", Values: []string{"schedutil", "performance"}}, {What: "microcode", Values: []string{"0x2a", "0x2b"}},
		},
	}
	if diff := cmp.Diff(want, a.Hosts[0]); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if a.Campaign.Control == nil || !a.Campaign.Control.Repeat {
		t.Errorf("control %+v", a.Campaign.Control)
	}
	if want := map[string]string{"governor": "performance", "turbo": "off", "smt": "on"}; !maps.Equal(a.Settings, want) {
		t.Errorf("settings %v, want %v", a.Settings, want)
	}
	for _, inv := range a.Invocations {
		if changed := inv.Disturbed != nil && inv.Disturbed.Knobs != nil; changed != (inv.Settings["governor"] == "powersave") || len(inv.Settings) > 1 {
			t.Errorf("%s: settings %v", inv.ID, inv.Settings)
		}
	}
}

func TestRequiredButUnmet(t *testing.T) {
	s := testcampaign.Tiny()
	s.Hosts[0].Knobs = []results.KnobState{{Name: "max_frequency", Found: "3 GHz", Wanted: "2 GHz", Got: "3 GHz", Policy: results.PolicyRequire}}
	if got := analyse(t, s).Hosts[0]; got.Quiet != "" || fmt.Sprint(got.Unmet) != "[max_frequency stays 3 GHz, not 2 GHz: it was required]" {
		t.Errorf("%+v", got)
	}
}

func TestSupersededAreListed(t *testing.T) {
	a := analyse(t, testcampaign.Troubled())
	if len(a.Superseded) != 1 || a.Superseded[0].ID == "" || a.Campaign.Superseded != 1 {
		t.Errorf("%+v", a.Superseded)
	}
}

func TestWarningsStandAtTheNumber(t *testing.T) {
	a := analyse(t, testcampaign.Repeated())
	show, text := mark(cell(t, a, "kieker/bci/tcp"), "warned")
	if show != "warned 3 of 15" || text != "the measured CPUs were throttled 5 times (3 ×)" {
		t.Errorf("%s: %s", show, text)
	}
	if show, _ := mark(cell(t, a, "none"), "warned"); show != "" {
		t.Errorf("what disturbed it has a mark of its own: %s", show)
	}
}

// Figures of different numbers of CPUs are never compared.
func TestCPUsAreNotCompared(t *testing.T) {
	a := analyse(t, testcampaign.Factored())
	s := a.Scenarios[0]
	for _, q := range s.Answers {
		n := cpusOf(s, q.A)
		if other := cpusOf(s, q.B); (n != other) != (q.Difference == nil) {
			t.Errorf("%s: %s against %s CPUs: %+v", q.Text, n, other, q.Difference)
		} else if n != other && (q.Verdict != infer.NoAnswer || !strings.Contains(q.Sentence.String(), "never compared")) {
			t.Errorf("%s: %s", q.Text, q.Sentence.String())
		}
	}
	for _, c := range s.Contrasts {
		if cpusOf(s, c.A) != cpusOf(s, c.B) {
			t.Errorf("part %s: %s and %s", c.Name, c.A, c.B)
		}
	}
	if want := "cpus=1: the JVM has 1 CPU, so the agent's own threads compete with it"; !slices.Contains(s.Notes, want) || len(s.Notes) != 2 {
		t.Errorf("notes %q", s.Notes)
	}
	text, err := json.Marshal(s.Cells[0].Factors)
	if err != nil || !strings.Contains(string(text), "17.0.15+6") {
		t.Errorf("factors %s", text)
	}
}

// cpusOf is the number of CPUs of a cell.
func cpusOf(s analysis.Scenario, id string) string {
	for _, c := range s.Cells {
		if c.ID == id {
			return (&results.Cell{Factors: c.Factors}).Factor("cpus")
		}
	}
	return ""
}

// Where nobody says how many CPUs a level has, those that were read back count.
func TestCPUsAsReadBack(t *testing.T) {
	s := testcampaign.Factored()
	for i := range s.Made.Cells {
		c := &s.Made.Cells[i]
		c.Factors[0].Name, c.Parameters = "place", nil
	}
	answers := analyse(t, s).Scenarios[0].Answers
	for _, q := range answers[len(answers)-2:] {
		if (q.ID == "rq2") != (q.Difference == nil) {
			t.Errorf("%s: %s", q.ID, q.Sentence.String())
		}
	}
}

// Cells whose windows are too short to be disturbed are named, where what is
// disturbed is repeated.
func TestShortWindowsAreNamed(t *testing.T) {
	s := testcampaign.Repeated()
	if notes := strings.Join(analyse(t, s).Scenarios[0].Notes, "\n"); strings.Contains(notes, "so short") {
		t.Fatalf("windows of 30 s: %s", notes)
	}
	for _, inv := range s.Runs {
		if inv.Cell == "c00" && inv.Scalars != nil {
			inv.Scalars["loop_ns"] = 14e6
		}
	}
	notes := strings.Join(analyse(t, s).Scenarios[0].Notes, "\n")
	if !strings.Contains(notes, "none: the windows are so short (28.00 ms of CPU time at most) that other programs can't take the 50.00 ms") {
		t.Errorf("notes: %s", notes)
	}
	s.Made.Control = nil
	if notes := strings.Join(analyse(t, s).Scenarios[0].Notes, "\n"); strings.Contains(notes, "so short") {
		t.Errorf("nothing is repeated: %s", notes)
	}
}
