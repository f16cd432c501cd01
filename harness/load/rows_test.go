package load

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moobench/results"
)

func TestOutcomesAreTheResults(t *testing.T) {
	if len(results.Outcomes) != outcomes {
		t.Fatalf("%d outcomes here, %d in the format", outcomes, len(results.Outcomes))
	}
	for o, want := range map[Outcome]string{Right: "right", Wrong: "wrong", Refused: "refused", Reset: "reset", TimedOut: "timed out", Truncated: "truncated", Late: "late"} {
		if o.String() != want {
			t.Errorf("outcome %d is %q, want %q", o, o, want)
		}
	}
}

// TestWhatOutcomesMean: a late answer is not lost, and a wrong one came over a connection that held.
func TestWhatOutcomesMean(t *testing.T) {
	for o, want := range map[Outcome]struct{ lost, broken bool }{
		Right: {false, false}, Late: {false, false}, Wrong: {true, false}, TimedOut: {true, false},
		Refused: {true, true}, Reset: {true, true}, Truncated: {true, true},
	} {
		if o.Lost() != want.lost || o.broken() != want.broken {
			t.Errorf("%s: lost %v, broken %v", o, o.Lost(), o.broken())
		}
	}
}

func TestTimeline(t *testing.T) {
	ms := int64(time.Millisecond)
	at := func(due, latency int64, o Outcome) Sample {
		return Sample{intendedNS: 1000*ms + due*ms, SentNS: 1000*ms + due*ms, DoneNS: 1000*ms + (due+latency)*ms, Outcome: o}
	}
	r := &Result{
		BeginNS: 1000 * ms, HoldNS: 1100 * ms, EndNS: 1250 * ms,
		Ramp: []Sample{at(0, 3, Right), at(99, 1, Right)},
		Hold: []Sample{at(200, 5, Late), at(210, 7, Reset), at(220, 9, TimedOut), at(249, 2, Right)},
	}
	want := [][]int64{{0, 100 * ms, 200 * ms}, {2, 0, 4}, {0, 0, 2}, {ms, 0, 2 * ms}, {3 * ms, 0, 5 * ms}, {3 * ms, 0, 5 * ms}}
	if diff := cmp.Diff(want, r.Timeline(100*time.Millisecond)); diff != "" {
		t.Error(diff)
	}
	r.EndNS = r.BeginNS + 1001*ms
	if rows := r.Timeline(0); len(rows[0]) != 501 || rows[0][1] != 2*ms {
		t.Errorf("%d rows of %d ns, want 501 of 2 ms", len(rows[0]), rows[0][1])
	}
	if all, hold := r.Counts(); all[Right] != 3 || hold[Right] != 1 || hold.Lost() != 2 || hold.Total() != 4 {
		t.Errorf("counts %v and %v", all, hold)
	}
}

func TestRows(t *testing.T) {
	request, broken := Rows([]Sample{
		{10, 11, 15, Right, 2}, {20, 20, 21, Refused, 0}, {30, 33, 99, TimedOut, 1},
	})
	if diff := cmp.Diff([][]int64{{10, 30}, {5, 69}, {4, 66}, {1, 3}, {0, 4}, {2, 1}}, request); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][]int64{{20}, {1}, {1}, {0}, {2}, {0}}, broken); diff != "" {
		t.Error(diff)
	}
}
