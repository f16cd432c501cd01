package plan

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/config"
	"moobench/results"
)

// settling is a scenario whose calls a pilot may count.
type settling struct{ calling }

func (settling) Schema() config.Schema {
	s := calling{}.Schema()
	s.Name = "settling"
	s.Parameters = slices.Clone(s.Parameters)
	s.Parameters[1].Auto = "duration"
	return s
}

const settled = `name = "settled"
[[scenario]]
use = "overhead"
variants = ["none"]
blocks = 2
resources = 0
[[scenario]]
use = "settling"
variants = ["none", "a", "b"]
calls = "auto"
batch = 100
blocks = 2
resources = 0
[framework.a]
proof = { count = "fixture", per_call = "depth", extra = 2 }
[framework.b]
proof = { count = "fixture", per_call = "1" }
activate = "+ {signature}"
deactivate = "- {signature}"
`

// decision lets the baselines of settled make 123 calls, and its third cell 4,500.
var decision = &results.SettlingDecision{Groups: []results.SettledGroup{
	{Calls: 123, Cells: []results.SettledCell{{Cell: "c02"}, {Cell: "c03"}}},
	{Calls: 4500, Cells: []results.SettledCell{{Cell: "c04"}, {Cell: "c05"}}},
}}

// What a cell of settled is like, as far as its number of calls decides it.
type number struct {
	Calls    string
	Work     int64
	Expected int64
}

func numbers(p *Plan) map[string]number {
	all := map[string]number{}
	for i, c := range p.Cells {
		all[c.ID] = number{c.Parameter("calls"), c.Work.Calls, c.Proof.Expected}
		if p.Campaign.Cells[i].Proof.Expected != c.Proof.Expected {
			panic("two numbers of expected records: " + c.ID)
		}
	}
	return all
}

func TestSettle(t *testing.T) {
	p := mustRead(t, settled)
	if diff := cmp.Diff(map[string]number{
		"c00": {"1000", 1000, 0}, "c01": {"1000", 1000, 0},
		"c02": {"auto", 10_000, 0}, "c03": {"auto", 10_000, 0},
		"c04": {"auto", 10_000, 0}, "c05": {"auto", 10_000, 0},
	}, numbers(p)); diff != "" {
		t.Errorf("before the pilot (-want +got):\n%s", diff)
	}
	want := &results.Settling{Parameter: "calls", Series: "duration", WithinNS: 10e9}
	if diff := cmp.Diff(want, p.Campaign.Scenario("settling").Settling); diff != "" {
		t.Errorf("what the pilot finds (-want +got):\n%s", diff)
	}
	p.Campaign.Scenario("settling").Settling.Decision = decision
	p.Settle()
	if diff := cmp.Diff(map[string]number{
		"c00": {"1000", 1000, 0}, "c01": {"1000", 1000, 0},
		"c02": {"200", 200, 0}, "c03": {"200", 200, 0},
		"c04": {"4500", 4500, 45_002}, "c05": {"4500", 4500, 0},
	}, numbers(p)); diff != "" {
		t.Errorf("after the pilot (-want +got):\n%s", diff)
	}
	if got := p.Campaign.Cells[4].Parameter("calls"); got != results.Auto {
		t.Errorf("the campaign's own cell makes %s calls", got)
	}
}

// A pilot's block tries a number of calls, and leaves the planned cell as it is.
func TestPilotTriesCalls(t *testing.T) {
	p := mustRead(t, settled)
	for _, c := range []struct{ calls, want int64 }{{1, 100}, {99, 100}, {100, 100}, {101, 200}, {2e6, 2e6}} {
		before := numbers(p)
		b := Pilot(p.Campaign, "c04", c.calls)
		inv, err := p.Invocation(b, 0, 0)
		if err != nil || inv.Cell.Work.Calls != c.want || inv.Cell.Proof.Expected != 10*c.want+2 {
			t.Errorf("%d calls: %d, of %d records, %v", c.calls, inv.Cell.Work.Calls, inv.Cell.Proof.Expected, err)
		}
		if got, want := inv.Cell.Timeout, inv.Cell.allowance(); got != want {
			t.Errorf("%d calls: timeout %s, want %s", c.calls, got, want)
		}
		if diff := cmp.Diff(before, numbers(p)); diff != "" {
			t.Errorf("%d calls changed the plan (-want +got):\n%s", c.calls, diff)
		}
	}
	b := Pilot(p.Campaign, "c00", 3)
	if inv, err := p.Invocation(b, 0, 0); err != nil || inv.Cell.Work.Calls != 1000 {
		t.Errorf("a cell without a pilot makes %d calls, %v", inv.Cell.Work.Calls, err)
	}
}

func TestFreeze(t *testing.T) {
	sized := strings.Replace(settled, "blocks = 2", `precision = "2%"`, 1)
	const undecidedCalls = "settling: a pilot decides how many calls it makes"
	const undecidedBlocks = "overhead: a pilot decides how many blocks it gets"
	calls := results.FrozenScenario{Scenario: "settling", Calls: decision}
	blocks := results.FrozenScenario{Scenario: "overhead", Blocks: 12}
	for name, c := range map[string]struct {
		toml    string
		decided []results.FrozenScenario
		wrong   string // what is undecided
		blocks  int    // timing blocks
	}{
		"calls":           {settled, []results.FrozenScenario{calls}, "", 2},
		"nothing":         {settled, nil, undecidedCalls, 0},
		"another's":       {settled, []results.FrozenScenario{blocks}, undecidedCalls, 0},
		"calls of both":   {sized, []results.FrozenScenario{calls}, undecidedBlocks, 0},
		"calls, blocks":   {sized, []results.FrozenScenario{blocks, calls}, "", 12},
		"more than fixed": {settled, []results.FrozenScenario{blocks, calls}, "", 12},
		"neither of both": {sized, nil, undecidedBlocks + "\n" + undecidedCalls, 0},
	} {
		p := mustRead(t, c.toml)
		err := p.Freeze(c.decided)
		if c.wrong != "" {
			if err == nil || err.Error() != c.wrong || p.Campaign.Frozen != nil {
				t.Errorf("%s: %v, want %s", name, err, c.wrong)
			}
			continue
		}
		timing, _ := p.Planned()
		if err != nil || timing != c.blocks || numbers(p)["c04"].Work != 4500 {
			t.Errorf("%s: %d blocks, c04 is %+v, %v", name, timing, numbers(p)["c04"], err)
		}
		if s := p.Campaign.Scenario("overhead"); s.Sizing != nil {
			t.Errorf("%s: a pilot is left: %+v", name, s.Sizing)
		}
		var frozen []string
		for _, l := range p.Campaign.Plan {
			if strings.Contains(l, "frozen") {
				frozen = append(frozen, l)
			}
		}
		want := []string{"frozen: no pilot"}
		for _, f := range c.decided {
			if f.Calls == nil {
				want = append(want, `scenario "overhead": frozen at 12 blocks`)
				continue
			}
			want = append(want, `scenario "settling": frozen at 0 blocks`,
				`scenario "settling": frozen at 123 calls of c02 c03`,
				`scenario "settling": frozen at 4500 calls of c04 c05`)
		}
		if diff := cmp.Diff(want, frozen); diff != "" {
			t.Errorf("%s: lines of the plan (-want +got):\n%s", name, diff)
		}
	}
}
