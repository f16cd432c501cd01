package breakeven

import (
	"strings"
	"testing"

	"moobench/analysis/infer"
	"moobench/analysis/report/doc"
)

// Exports have the number of calls, if there is one; its interval only if it has two ends.
func TestRows(t *testing.T) {
	calls, low, high := 2e6, 1.7e6, 2.4e6
	price, saved := &infer.Estimate{N: 10}, &infer.Estimate{N: 8}
	all := Answers{
		{
			Swapped: "probe/hotswap/collect", Switchable: "probe/manual/collect", CostScenario: "overhead", Level: "depth=10",
			Calls: &calls, Low: &low, High: &high, Confidence: 0.95, Price: price, Saved: saved,
		},
		{CostScenario: "overhead", Calls: &calls, Low: &low, Price: price, Saved: saved},
		{CostScenario: "overhead", Text: "never"},
	}
	found := all.Rows(nil)
	if len(found) != 2 || found[0].Label != "probe/hotswap/collect depth=10" || found[0].Name() != "calls_until_break_even" {
		t.Fatalf("rows %+v", found)
	}
	if e := found[0].Estimate; e.N != 8 || e.Value != calls || e.Interval == nil || e.Interval.High != high {
		t.Errorf("estimate %+v", e)
	}
	if e := found[1].Estimate; e.Interval != nil {
		t.Errorf("a set without an upper end has the interval %+v", e.Interval)
	}
}

// The answer comes first, and what it was computed from is for readers who want everything.
func TestShow(t *testing.T) {
	entry := Answers{{
		Swapped: "a", Switchable: "b", Level: "depth=10", Text: "never", Parts: []string{"match", "recovery"},
		SwapScenario: "swap", CostScenario: "overhead", Price: &infer.Estimate{N: 5, Value: 4e7},
	}}.Show(nil)[0].(*doc.Section).Blocks[0].(*doc.Entries).Items[0]
	if entry.Term != "a instead of b, depth=10" || entry.Items[0].Text != "never" || entry.Items[1].Depth != doc.Full {
		t.Errorf("%+v", entry)
	}
	if got := entry.Items[1].Text; !strings.Contains(got, "once: match + recovery, scenario swap") {
		t.Errorf("details %q", got)
	}
}
