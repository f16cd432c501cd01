package fleet

import (
	"strings"
	"testing"
	"time"

	"moobench/analysis/chapter"
	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/internal/testdoc"
	"moobench/analysis/report/doc"
	"moobench/results"
)

// ran is an invocation of so many seconds.
func ran(host, block, seconds int) evidence.Invocation {
	start := time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC)
	return evidence.Invocation{Host: host, Invocation: &results.Invocation{
		Identity: results.Identity{Block: block}, CPUs: "2-3", Start: start, End: start.Add(time.Duration(seconds) * time.Second),
	}}
}

// Each host has its planned blocks and the time of all its invocations; a missing shard takes as long as others did.
func TestOf(t *testing.T) {
	c := &results.Campaign{
		Merged: &results.Merged{Count: 3, Missing: []results.MissingShard{{Index: 3, Blocks: 4}}},
		Blocks: []results.Block{
			{Number: 1, Kind: results.BlockPlanned}, {Number: 2, Kind: results.BlockPlanned}, {Number: 3, Kind: results.BlockExtra},
		},
	}
	machines := []*results.Machine{{ID: "m1", Host: "one", CPU: "7402P"}}
	all := evidence.All{
		Hosts:       []evidence.Host{{Machine: "m1", Boot: "b"}, {Machine: "m2", Lane: 2}},
		Invocations: []evidence.Invocation{ran(0, 1, 30), ran(0, 1, 10), ran(1, 2, 40), ran(0, 3, 20), ran(1, 2, -5)},
	}
	f := Of(c, machines, all)
	if len(f.Hosts) != 2 || f.Hosts[0] != (Host{Machine: "m1", Boot: "b", Name: "one", CPU: "7402P", Blocks: 1, WallNS: 60e9}) ||
		f.Hosts[1] != (Host{Machine: "m2", Lane: 2, CPUs: "2-3", Blocks: 1, WallNS: 40e9}) {
		t.Errorf("%+v", f.Hosts)
	}
	if len(f.Missing) != 1 || f.Missing[0] != (Missing{Shard: "3/3", Blocks: 4, WallNS: 200e9}) {
		t.Errorf("%+v", f.Missing)
	}
	if got := f.Lacking(); len(got) != 1 || got[0] != "shard 3/3 is missing: 4 planned blocks, about 4 min to measure" {
		t.Errorf("%q", got)
	}
	unknown := Of(c, nil, evidence.All{})
	if got := unknown.Lacking()[0]; got != "shard 3/3 is missing: 4 planned blocks" {
		t.Errorf("%q", got)
	}
	c.Merged = nil
	if f := Of(c, machines, all); f.Hosts != nil || f.Missing != nil || f.Show(&chapter.Scene{}) != nil {
		t.Errorf("not merged: %+v", f)
	}
}

// A host fails by the smallest p of its A/As, of which those of all hosts are judged together.
func TestJudge(t *testing.T) {
	se := 1.0
	on := func(host int, value float64) infer.HostEstimate {
		return infer.HostEstimate{Host: host, Value: value, SE: &se, DF: 10}
	}
	f := &Fleet{Hosts: make([]Host, 4)}
	if f.Judge([]infer.HostEstimate{on(0, 3.2), on(1, 0), on(1, 1), {Host: 2, Value: 99}}, 0.01) {
		t.Errorf("p = 0.0095 thrice is by chance: %+v", f.Hosts)
	}
	if h := f.Hosts; h[0].P == nil || h[1].P == nil || h[2].P != nil || h[3].P != nil || *h[0].P < 0.02 || *h[0].P > 0.04 {
		t.Errorf("%+v", h)
	}
	f = &Fleet{Hosts: make([]Host, 2)}
	if !f.Judge([]infer.HostEstimate{on(1, 1), on(1, 3.2), on(1, 0.5)}, 0.05) || f.Hosts[0].Failed || !f.Hosts[1].Failed {
		t.Errorf("%+v", f.Hosts)
	}
	if p := *f.Hosts[1].P; p < 0.02 || p > 0.04 {
		t.Errorf("p %v is not the smallest", p)
	}
	none := 0.0
	if p := hostP(infer.HostEstimate{SE: &none, DF: 10}); p != 1 {
		t.Errorf("equal baselines without spread: p %v", p)
	}
}

// Hosts have names that tell them apart.
func TestNameOf(t *testing.T) {
	f := &Fleet{Hosts: []Host{
		{Machine: "m1", Name: "one", Boot: "b"},
		{Machine: "m2", Name: "two"},
		{Machine: "m3", Name: "two"},
		{Machine: "m4", Name: "four", Boot: "c"},
		{Machine: "m4", Name: "four", Boot: "d"},
		{Machine: "m4", Name: "four", Lane: 2},
	}}
	for host, want := range map[int]string{
		-1: "machine 0", 0: "one", 1: "two m2", 2: "two m3", 3: "four, boot c", 4: "four, boot d", 5: "lane 2", 6: "machine 7",
	} {
		if got := f.NameOf(host); got != want {
			t.Errorf("%d: %q, want %q", host, got, want)
		}
	}
}

// Lanes of a machine are called lanes, and have CPUs instead of a model.
func TestLanes(t *testing.T) {
	p := 0.2
	f := &Fleet{Hosts: []Host{{CPU: "7402P", CPUs: "2-3", Lane: 1, P: &p}, {CPU: "7402P", CPUs: "4-5", Lane: 2, P: &p, Failed: true}}}
	if f.Lanes() != 2 || f.Word() != "lane" {
		t.Errorf("%d, %s", f.Lanes(), f.Word())
	}
	want := "ranks, growth: over all lanes together, so the spread includes what these differ by; " +
		"compare means for an answer within lanes"
	if got := f.Together([]string{"ranks", "growth"}); got != want {
		t.Errorf("%s", got)
	}
	var texts []string
	for _, r := range testdoc.Blocks[*doc.Table](f.Show(&chapter.Scene{}))[0].Rows {
		texts = append(texts, r.Cells[0].Text+"|"+r.Cells[1].Text+"|"+r.Cells[4].Text)
	}
	if got := strings.Join(texts, "; "); got != "lane 1|2-3|passed (p = 0.200); lane 2|4-5|failed (p = 0.200)" {
		t.Errorf("%s", got)
	}
	if f.Rows(nil) != nil || (&Fleet{Hosts: []Host{{}}}).Word() != "machine" {
		t.Error("it has rows, or one machine is a lane")
	}
}
