package saturation

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"moobench/harness/config"
	"moobench/harness/framework"
	"moobench/harness/plan"
	"moobench/results"
)

func TestCurve(t *testing.T) {
	for _, c := range []struct {
		lowest, highest, rates int64
		want                   string
	}{
		{1000, 100_000, 5, "[1000 3200 10000 32000 100000]"},
		{1500, 1_234_567, 4, "[1500 14000 130000 1234567]"},
		{10, 12, 5, "[10 11 12]"},
		{7, 8, 2, "[7 8]"},
	} {
		s := settings{lowest: c.lowest, highest: c.highest, rates: c.rates}
		if got := fmt.Sprint(s.curve()); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// TestWhatIsFound: the range in which an agent's limit lies is found to 5 %, whatever its kind, and
// nothing is made up where no rate that is asked for bounds it.
func TestWhatIsFound(t *testing.T) {
	tests := []struct {
		name          string
		a             agent
		limit         float64 // 0: it is not bounded
		below         bool    // not even the lowest rate is borne
		outcome       results.Borne
		windowsAtMost int
	}{
		{"loses", agent{deliver: atMost(20_000), call: all, live: true}, 20_000 / 0.99, false, results.RateLost, 30},
		{"slows", agent{deliver: all, call: atMost(20_000), live: true}, 20_000 / 0.99, false, results.RateSlowed, 30},
		{"bears all", agent{deliver: all, call: all, live: true}, 0, false, "", 5},
		{"bears nothing", agent{deliver: atMost(3), call: all, live: true}, 0, true, results.RateLost, 5},
		{"nobody counts", agent{deliver: atMost(20_000), call: all}, 0, false, "", 5},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for block := 1; block <= 20; block++ {
				a := tt.a
				if err := drive(t, &a, block, results.ProfileTiming); err != nil {
					t.Fatal(err)
				}
				borne, refused := results.Knee(a.windows)
				switch {
				case tt.below:
					if borne != nil || refused == nil || refused.Asked != 1000 {
						t.Errorf("bears %+v, not %+v", borne, refused)
					}
				case tt.limit == 0:
					if refused != nil || borne.Asked != 100_000 {
						t.Errorf("bears %+v, not %+v", borne, refused)
					}
				case float64(borne.Asked) > tt.limit+1 || float64(refused.Asked) < tt.limit-1 || float64(refused.Asked) > 1.051*float64(borne.Asked):
					t.Errorf("between %d and %d, and the limit is %.0f", borne.Asked, refused.Asked, tt.limit)
				case refused.Outcome() != tt.outcome:
					t.Errorf("%s, want %s", refused.Outcome(), tt.outcome)
				}
				if len(a.windows) > tt.windowsAtMost {
					t.Errorf("%d windows", len(a.windows))
				}
			}
		})
	}
}

// TestAPauseIsNoLimit: what is not borne once is tried again.
func TestAPauseIsNoLimit(t *testing.T) {
	n := 0
	a := agent{call: all, live: true, deliver: func(calls float64) float64 {
		if n++; n == 4 {
			return calls / 2
		}
		return calls
	}}
	if err := drive(t, &a, 1, results.ProfileTiming); err != nil {
		t.Fatal(err)
	}
	if borne, refused := results.Knee(a.windows); refused != nil || borne.Asked != 100_000 {
		t.Errorf("bears %+v, not %+v", borne, refused)
	}
}

// TestOrder: every JVM is asked for all rates of the curve, in an order that its block says; all
// cells of a block have the same.
func TestOrder(t *testing.T) {
	order := func(block int) (asked []int64) {
		a := agent{deliver: all, call: all, live: true}
		if err := drive(t, &a, block, results.ProfileTiming); err != nil {
			t.Fatal(err)
		}
		for _, w := range a.windows {
			asked = append(asked, w.Asked)
		}
		return asked
	}
	if !slices.Equal(order(1), order(1)) {
		t.Error("two orders in one block")
	}
	orders := map[string]bool{}
	for block := range 10 {
		asked := order(block)
		orders[fmt.Sprint(asked)] = true
		if slices.Sort(asked); fmt.Sprint(asked) != "[1000 3200 10000 32000 100000]" {
			t.Errorf("asked for %v", asked)
		}
	}
	if len(orders) < 5 {
		t.Errorf("%d orders in ten blocks", len(orders))
	}
}

// TestWhatIsTold: costs are those of the lowest rate, expected are the records of all calls, and the
// resources profile searches nothing.
func TestWhatIsTold(t *testing.T) {
	a := agent{deliver: atMost(20_000), call: all, live: true}
	if err := drive(t, &a, 1, results.ProfileTiming); err != nil {
		t.Fatal(err)
	}
	var calls int64 = 10_000 // that warm it up
	for _, w := range a.windows {
		calls += w.Calls
	}
	if a.scalars[call] != 500 || a.scalars[cpu] != 1000 || math.Abs(a.scalars[most]-100_000) > 1 || a.expected != calls {
		t.Errorf("%v, %d records expected of %d calls", a.scalars, a.expected, calls)
	}
	if len(a.warnings) > 0 {
		t.Errorf("%q", a.warnings)
	}
	a = agent{deliver: atMost(20_000), call: all, live: true}
	if err := drive(t, &a, 1, results.ProfileResources); err != nil {
		t.Fatal(err)
	}
	if paced := len(slices.DeleteFunc(a.asked, func(verb string) bool { return verb != "pace" })); paced != 6 || len(a.windows) > 0 || a.scalars["heap_after_gc_bytes"] != 7 {
		t.Errorf("%d windows, %v", paced, a.scalars)
	}
	a = agent{deliver: func(calls float64) float64 { return calls + 1 }, call: all, live: true}
	if err := drive(t, &a, 1, results.ProfileTiming); err != nil || len(a.warnings) != 1 || !strings.Contains(a.warnings[0], "make drain longer") {
		t.Errorf("%q, %v", a.warnings, err)
	}
}

func TestWhatCanNotBeAskedFor(t *testing.T) {
	for lines, want := range map[string]string{
		"lowest = 10\nhighest = 10\nhold = \"20s\"": "highest = 10 is no higher than lowest = 10",
		"highest = 200_000_000":                     "no thread calls so often",
		"hold = \"10ms\"":                           "there are fewer than 100 calls",
		"fixture = \"h2\"\ndepth = 2":               "it does not call itself to depth 2",
	} {
		s := Scenario{}
		f, err := config.Parse("benchmarks.toml", []byte("name = \"x\"\n[[scenario]]\nuse = \"saturation\"\nvariants = [\"none\"]\n"+lines), config.Known{
			Scenarios: []plan.Schema{s.Schema()}, Environment: plan.Environment(),
		})
		if err == nil {
			set, errSet := framework.Catalogue()
			if errSet != nil {
				t.Fatal(errSet)
			}
			_, err = plan.New(f, set, []plan.Scenario{s}, nil, 1)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", lines, err)
		}
	}
}

// TestTimeIsBounded: the search has its time in the derived timeout.
func TestTimeIsBounded(t *testing.T) {
	c := results.Cell{Parameters: []results.Value{{Name: rates, Value: "5"}, {Name: hold, Value: "2000000000"}, {Name: drain, Value: "10000000000"}}}
	w := Scenario{}.Work(&c)
	if may := time.Duration(w.MayTakeNS); may < 30*time.Minute || may > time.Hour || w.TakesNS >= w.MayTakeNS {
		t.Errorf("may take %s, takes %s", may, time.Duration(w.TakesNS))
	}
}
