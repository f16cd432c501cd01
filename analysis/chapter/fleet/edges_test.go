package fleet

import (
	"slices"
	"strings"
	"testing"

	"moobench/analysis/chapter"
	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/internal/testdoc"
	"moobench/analysis/report/doc"
	"moobench/results"
)

// A missing shard takes the time of a block as often as it has blocks, and blocks of two hosts count once.
func TestMissingTakesAsLong(t *testing.T) {
	c := &results.Campaign{
		Merged: &results.Merged{Count: 16, Missing: []results.MissingShard{
			{Index: 7, Blocks: 1},
			{Index: 9, Blocks: 3},
		}},
		Blocks: []results.Block{{Number: 1, Kind: results.BlockPlanned}, {Number: 2, Kind: results.BlockPlanned}},
	}
	hosts := []evidence.Host{{Machine: "m1"}, {Machine: "m2"}}
	for _, c2 := range []struct {
		name string
		ran  []evidence.Invocation
		want []int64 // ns
	}{
		{"nobody measured", nil, []int64{0, 0}},
		{"no planned block", []evidence.Invocation{ran(0, 5, 30)}, []int64{0, 0}},
		{"one block of both", []evidence.Invocation{ran(0, 1, 30), ran(1, 1, 10)}, []int64{40e9, 120e9}},
		{"two blocks", []evidence.Invocation{ran(0, 1, 30), ran(1, 2, 10)}, []int64{20e9, 60e9}},
		{
			"with an extra block",
			[]evidence.Invocation{ran(0, 1, 30), ran(1, 2, 10), ran(1, 3, 20)},
			[]int64{30e9, 90e9},
		},
		{"an end before its start", []evidence.Invocation{ran(0, 1, -30), ran(1, 2, 10)}, []int64{5e9, 15e9}},
	} {
		f := Of(c, nil, evidence.All{Hosts: hosts, Invocations: c2.ran})
		var got []int64
		for _, m := range f.Missing {
			got = append(got, m.WallNS)
		}
		if !slices.Equal(got, c2.want) || f.Missing[0].Shard != "7/16" || f.Missing[1].Shard != "9/16" {
			t.Errorf("%s: %+v, want %d ns", c2.name, f.Missing, c2.want)
		}
	}
}

// A lane's CPUs come from the first invocation that recorded them. A whole machine shows none.
func TestCPUsOfALane(t *testing.T) {
	c := &results.Campaign{Merged: &results.Merged{}}
	untold, other := ran(1, 1, 1), ran(1, 1, 1)
	untold.CPUs, other.CPUs = "", "6-7"
	f := Of(c, nil, evidence.All{
		Hosts:       []evidence.Host{{Machine: "m1"}, {Machine: "m1", Lane: 1}},
		Invocations: []evidence.Invocation{ran(0, 1, 1), untold, other, ran(1, 1, 1)},
	})
	if f.Hosts[0].CPUs != "" || f.Hosts[1].CPUs != "6-7" || f.Hosts[0].Name != "" || f.Hosts[0].Blocks != 0 {
		t.Errorf("%+v", f.Hosts)
	}
}

// A host fails below the level, not at it, and one failed host is enough.
func TestJudgeAtTheLevel(t *testing.T) {
	se := 1.0
	on := func(host int, value float64) infer.HostEstimate {
		return infer.HostEstimate{Host: host, Value: value, SE: &se, DF: 10}
	}
	p := hostP(on(0, 3))
	for _, c := range []struct {
		name   string
		on     []infer.HostEstimate
		alpha  float64
		failed string // of each host
	}{
		{"at the level", []infer.HostEstimate{on(0, 3)}, p, "false false false"},
		{"just below it", []infer.HostEstimate{on(0, 3)}, p * 1.0001, "true false false"},
		{"the first of two", []infer.HostEstimate{on(0, 3), on(1, 0)}, 2.0001 * p, "true false false"},
		{"the last of two", []infer.HostEstimate{on(0, 0), on(2, 3)}, 2.0001 * p, "false false true"},
		{"both", []infer.HostEstimate{on(0, 3), on(2, -3)}, 2.0001 * p, "true false true"},
		{"without spread", []infer.HostEstimate{{Host: 1, Value: 99}}, 1, "false false false"},
		{"of nothing", nil, 1, "false false false"},
	} {
		f := &Fleet{Hosts: make([]Host, 3)}
		failed := f.Judge(c.on, c.alpha)
		var each []string
		for _, h := range f.Hosts {
			each = append(each, map[bool]string{true: "true", false: "false"}[h.Failed])
		}
		if got := strings.Join(each, " "); got != c.failed || failed != strings.Contains(c.failed, "true") {
			t.Errorf("%s: %s, %t; want %s", c.name, got, failed, c.failed)
		}
	}
	clone := []infer.HostEstimate{{Host: 0, Value: 9}, on(1, 3)}
	(&Fleet{Hosts: make([]Host, 2)}).Judge(clone, 0.01)
	if clone[0].SE != nil || clone[1].SE == nil {
		t.Error("what is judged is changed")
	}
}

// Machines have their model, lanes their CPUs, and shards that lack stand below them.
func TestShownOfMachines(t *testing.T) {
	f := &Fleet{
		Hosts: []Host{{Name: "one", CPU: "7402P", CPUs: "2-3", Blocks: 4, WallNS: 240e9}},
		Missing: []Missing{
			{Shard: "2/3", Blocks: 1, WallNS: 240e9},
			{Shard: "3/3", Blocks: 2, WallNS: 480e9},
		},
	}
	blocks := f.Show(&chapter.Scene{})
	tables := testdoc.Blocks[*doc.Table](blocks)
	if sec := blocks[0].(*doc.Section); sec.Title != "Machines" || !strings.HasPrefix(sec.About, "who measured") {
		t.Errorf("%q, %q", sec.Title, sec.About)
	}
	if len(tables) != 1 || len(tables[0].Rows) != 1 {
		t.Fatalf("%+v", tables)
	}
	table := tables[0]
	var cells []string
	for i, c := range table.Rows[0].Cells {
		cells = append(cells, table.Columns[i].Head+": "+c.Text)
	}
	if table.Columns[1].Rank != 1 || table.Columns[0].Rank != 0 {
		t.Errorf("%+v", table.Columns)
	}
	want := "machine: one, CPU: 7402P, blocks: 4, wall time: 4 min, its own A/A: too few blocks to say"
	if got := strings.Join(cells, ", "); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	notes := []string{
		"shard 2/3 is missing: 1 block, about 4 min to measure",
		"shard 3/3 is missing: 2 blocks, about 8 min to measure",
	}
	if strings.Join(table.Notes, "\n") != strings.Join(notes, "\n") {
		t.Errorf("%q", table.Notes)
	}
	if got := f.Together([]string{"ranks"}); !strings.HasPrefix(got, "ranks: over all machines together") ||
		!strings.HasSuffix(got, "within machines") || f.Lanes() != 0 {
		t.Errorf("%s", got)
	}
}

// One lane of several hosts makes all of them lanes, whatever their order.
func TestLanesAreTheMost(t *testing.T) {
	for want, hosts := range map[int][]Host{
		0: {{}, {}}, 1: {{Lane: 1}}, 3: {{Lane: 3}, {Lane: 1}, {Lane: 2}}, 2: {{}, {Lane: 2}, {}},
	} {
		f := &Fleet{Hosts: hosts}
		if f.Lanes() != want || (f.Word() == "lane") != (want > 0) {
			t.Errorf("%+v: %d lanes, %s", hosts, f.Lanes(), f.Word())
		}
		title := map[bool]string{true: "Lanes", false: "Machines"}[want > 0]
		if sec := f.Show(&chapter.Scene{})[0].(*doc.Section); sec.Title != title {
			t.Errorf("%+v: %q", hosts, sec.Title)
		}
	}
}

// A machine that booted twice is named by its boots, even beside others of its name.
func TestNameOfTwoBoots(t *testing.T) {
	f := &Fleet{Hosts: []Host{
		{Machine: "m1", Name: "one", Boot: "b"}, {Machine: "m1", Name: "one", Boot: "c"}, {Machine: "m2", Name: "two"},
	}}
	for host, want := range []string{"one, boot b", "one, boot c", "two"} {
		if got := f.NameOf(host); got != want {
			t.Errorf("%d: %q, want %q", host, got, want)
		}
	}
}
