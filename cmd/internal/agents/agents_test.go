package agents

import (
	"testing"

	"moobench/harness/framework"
)

// TestSaid: variants of which the same is said share a clause, and what is stale says so.
func TestSaid(t *testing.T) {
	held := func(variant, check string, received, expected int64) framework.Held {
		return framework.Held{Variant: "acme/" + variant, Check: check, Received: received, Expected: expected}
	}
	old := held("bci/old", "exact", 20000, 20000)
	old.Stale = "seen with 2.19.0"
	got := said(framework.Conformed{Entry: "acme", Java: 17, Day: "2026-11-27", Held: []framework.Held{
		held("bci/big", "exact", 20000, 20000), held("bci/grpc", "exact", 20000, 20000), old,
		held("bci/small", "loses", 4100, 20000), held("bci/off", "silent", 0, 0), held("bci/clock", "some", 7, 0),
		held("bci/small~hang", "faults", 0, 20000), held("bci/small~reset", "faults", 3, 20000), held("bci/grpc~hang", "faults", 0, 20000),
		held("bci/small~refuse", "hangs", 0, 0),
	}})
	want := "Java 17 (2026-11-27): bci/big, bci/grpc exact, 20,000 of 20,000; bci/old exact, 20,000 of 20,000 (seen with 2.19.0); " +
		"bci/small delivers 4,100 of 20,000; bci/clock delivers 7; bci/off silent; " +
		"ends with bci/small~hang, ~reset, bci/grpc~hang; hangs with bci/small~refuse"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
