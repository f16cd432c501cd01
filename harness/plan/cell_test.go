package plan

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestAllowance(t *testing.T) {
	for _, c := range []struct {
		work Work
		want time.Duration
	}{
		{Work{}, 120 * time.Second},
		{Work{Calls: 1_000_000}, 140 * time.Second},
		{Work{Calls: 1_000_000, Depth: 10, Threads: 2}, 520 * time.Second},
		{Work{Calls: 1_000_000, WaitNS: 1_000_000}, 2140 * time.Second},
		{Work{Calls: 1_000, Depth: 10, Pattern: "* a..*.*(..)"}, 140 * time.Second},
		{Work{MayTakeNS: 25e9}, 145 * time.Second},
		{Work{Calls: 1_000, Rate: 1}, 1120 * time.Second},
		{Work{Calls: 1_000, Rate: 4, MayTakeNS: 25e9}, 395 * time.Second},
		{Work{Calls: 1_000_000, MayTakeNS: 25e9}, 165 * time.Second},
		{Work{Calls: math.MaxInt64, Depth: math.MaxInt64}, 30 * 24 * time.Hour},
		{Work{MayTakeNS: math.MaxFloat64}, 30 * 24 * time.Hour},
	} {
		cell := Cell{Work: c.work}
		if got := cell.allowance(); got != c.want {
			t.Errorf("%+v: %v, want %v", c.work, got, c.want)
		}
	}
}

// A pattern says what is monitored, and no class or method of the fixture does.
func TestVarsOfAPattern(t *testing.T) {
	var i Invocation
	i.Cell.Launch.Target = "moobench.calls.Plain"
	i.Cell.Work = Work{Pattern: "* com.acme.Queue.*(..)", Calls: 7, Depth: 1}
	want := map[string]string{"signature": "* com.acme.Queue.*(..)", "classes": "com.acme.Queue", "depth": "1"}
	if diff := cmp.Diff(want, i.Vars()); diff != "" {
		t.Errorf("placeholders (-want +got):\n%s", diff)
	}
}
