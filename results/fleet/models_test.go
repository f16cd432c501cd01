package fleet

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/results"
)

// TestSplit: on machines of two models a cell is two cells, each with the baseline of its model, and a block has
// those of the machine that measured it.
func TestSplit(t *testing.T) {
	machines := []*results.Machine{
		{ID: "m3", CPU: "B"}, {ID: "m2", CPU: "A"}, {ID: "m1", CPU: "B"}, {ID: "m3", CPU: "B"},
	}
	made := func() *results.Campaign {
		return &results.Campaign{
			Merged: &results.Merged{},
			Scenarios: []results.Scenario{{
				Label: "s", Questions: []results.Question{{ID: "q", A: "c1", B: "c0"}},
			}},
			Cells: []results.Cell{
				{ID: "c0"},
				{
					ID: "c1", Baseline: "c0", Factors: []results.Value{{Name: "depth", Value: "1"}},
					Beside: []results.ProofPlan{{Cell: "c0"}},
				},
			},
			Blocks: []results.Block{
				{
					Number: 1, Shard: 1, Order: []string{"c0", "c1"},
				}, {Number: 2, Shard: 1, Order: []string{"c1"}}, {Number: 3, Shard: 2, Order: []string{"c1"}},
			},
			GivenUp:    []results.GivenUp{{Cell: "c1", Block: 2, Shard: 1}},
			Influences: []results.Influence{{Cell: "c1", CPU: "x"}},
		}
	}
	on := map[int]string{1: "m1", 2: "m2", 3: "m1"}
	c := made()
	split(c, machines, on)
	var got []string
	say := func(format string, args ...any) { got = append(got, fmt.Sprintf(format, args...)) }
	for _, m := range c.Merged.Models {
		say("model %s of %s", m.CPU, strings.Join(m.Machines, " "))
	}
	for _, cell := range c.Cells {
		say("%s beside %s: %v, %v", cell.ID, cell.Baseline, cell.Factors, cell.Parameters)
		for _, p := range cell.Beside {
			say("its sibling is %s", p.Cell)
		}
	}
	for _, q := range c.Scenarios[0].Questions {
		say("%s: %s, %s", q.ID, q.A, q.B)
	}
	for _, b := range c.Blocks {
		say("block %d: %v", b.Number, b.Order)
	}
	for _, g := range c.GivenUp {
		say("given up %s", g.Cell)
	}
	for _, i := range c.Influences {
		say("influence of %s", i.Cell)
	}
	want := []string{
		"model A of m2", "model B of m1 m3",
		"c0.1 beside : [{cpu_model A }], [{cpu_model A }]",
		"c1.1 beside c0.1: [{depth 1 } {cpu_model A }], [{cpu_model A }]", "its sibling is c0.1",
		"c0.2 beside : [{cpu_model B }], [{cpu_model B }]",
		"c1.2 beside c0.2: [{depth 1 } {cpu_model B }], [{cpu_model B }]", "its sibling is c0.2",
		"q on A: c1.1, c0.1", "q on B: c1.2, c0.2",
		"block 1: [c0.2 c1.2]", "block 2: [c1.1]", "block 3: [c1.2]",
		"given up c1.1",
		"influence of c1.1", "influence of c1.2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	one := made()
	split(one, machines[2:], on)
	if diff := cmp.Diff(made(), one); diff != "" {
		t.Errorf("of one model nothing is split (-want +got):\n%s", diff)
	}
}

// TestNameAmong: the name of a model is that of its CPU, unless another has the same.
func TestNameAmong(t *testing.T) {
	a, other := (&results.Machine{CPU: "A", Stepping: "1"}).Model(), (&results.Machine{CPU: "B"}).Model()
	again, none := (&results.Machine{CPU: "A", Stepping: "2"}).Model(), (&results.Machine{Stepping: "3"}).Model()
	for _, c := range []struct {
		all  []results.CPUModel
		m    results.CPUModel
		want string
	}{
		{[]results.CPUModel{a, other}, a, "A"},
		{[]results.CPUModel{a, again, other}, a, "A 1"},
		{[]results.CPUModel{a, again, other}, other, "B"},
		{[]results.CPUModel{a, none}, none, "3"},
	} {
		if got := nameAmong(c.all, c.m); got != c.want {
			t.Errorf("%v among %v: %s", c.m, c.all, got)
		}
	}
}

// TestGivenUpOn: a shard gives a cell up on the machines of its later blocks, and on each of them once.
func TestGivenUpOn(t *testing.T) {
	c := &results.Campaign{
		Merged:  &results.Merged{Models: []results.Model{{Machines: []string{"a"}}, {Machines: []string{"b"}}}},
		GivenUp: []results.GivenUp{{Cell: "c", Block: 2, Shard: 1}},
		Blocks: []results.Block{
			{Number: 1, Shard: 1},
			{Number: 2, Shard: 1},
			{Number: 3, Shard: 1},
			{Number: 4, Shard: 1},
			{Number: 5, Shard: 2},
		},
	}
	var cells []string
	for _, g := range givenUpOn(c, map[int]string{1: "b", 2: "a", 3: "a", 4: "a", 5: "b"}) {
		cells = append(cells, g.Cell)
	}
	if strings.Join(cells, " ") != "c.1" {
		t.Errorf("%q", cells)
	}
}
