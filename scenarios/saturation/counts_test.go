package saturation

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/framework"
	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
	"moobench/scenarios/internal/testcell"
)

// counter is a recorder whose records arrive as listed, the last ones for good.
type counter struct {
	run.Recorder
	arrived [][]int64
}

func (c *counter) Arrived() []int64 {
	now := c.arrived[0]
	if len(c.arrived) > 1 {
		c.arrived = c.arrived[1:]
	}
	return now
}

// counted is the driver of a JVM with agents that make so many records of a call, the last one's of all others, and so
// many besides.
func counted(drain time.Duration, perCall string, extra int64, arrived ...[]int64) *driver {
	d := &driver{settings: settings{drain: drain}, rec: &counter{arrived: arrived}}
	each := strings.Split(perCall, " ")
	for i := range arrived[0] {
		proof := framework.Proof{Kind: results.ProofCount, PerCall: each[min(i, len(each)-1)], Extra: extra}
		plan, recorded := results.ProofPlan{Kind: results.ProofCount}, framework.Recorded{Proof: proof}
		if i == 0 {
			d.inv.Cell.Proof, d.inv.Cell.Recipe.Proof = plan, proof
			continue
		}
		d.inv.Cell.Beside = append(d.inv.Cell.Beside, plan)
		d.inv.Cell.Recipe.Beside = append(d.inv.Cell.Recipe.Beside, recorded)
	}
	return d
}

// TestDelivered: of several agents the one counts that delivered the smallest share of a window's records, the first of
// equals; what nobody counts, or made nothing, is none of them.
func TestDelivered(t *testing.T) {
	for name, c := range map[string]struct {
		perCall         string
		extra           int64
		before, arrived []int64
		made, delivered int64
	}{
		"one":              {"1", 0, []int64{5}, []int64{15}, 10, 10},
		"two of a call":    {"2", 0, []int64{5}, []int64{15}, 20, 10},
		"some at the end":  {"1", 3, []int64{5}, []int64{15}, 10, 10},
		"nothing came":     {"1", 0, []int64{5}, []int64{5}, 10, 0},
		"the last is less": {"1", 0, []int64{1, 2, 3}, []int64{11, 12, 5}, 10, 2},
		"the first is":     {"1", 0, []int64{1, 2}, []int64{3, 12}, 10, 2},
		"one not counted":  {"1", 0, []int64{-1, 2}, []int64{-1, 12}, 10, 10},
		"counted as none":  {"1", 0, []int64{0, 0}, []int64{10, 0}, 10, 0},
		"none is counted":  {"1", 0, []int64{-1}, []int64{-1}, 0, -1},
		"one had more":     {"1", 0, []int64{100, 0}, []int64{102, 5}, 10, 2},
		"more of a call":   {"1 2", 0, []int64{0, 0}, []int64{2, 3}, 20, 3},
		"equal shares":     {"1 2", 0, []int64{0, 0}, []int64{2, 4}, 10, 2},
		"no record":        {"0", 0, []int64{0}, []int64{7}, 0, -1},
		"unknown":          {"", 0, []int64{0}, []int64{7}, 0, -1},
	} {
		made, delivered := counted(0, c.perCall, c.extra, c.arrived).delivered(10, c.before)
		if made != c.made || delivered != c.delivered {
			t.Errorf("%s: %d of %d, want %d of %d", name, delivered, made, c.delivered, c.made)
		}
	}
}

// TestWait: a window waits until its last record is there, and no longer than its drain.
func TestWait(t *testing.T) {
	for name, c := range map[string]struct {
		drain     time.Duration
		arrived   [][]int64
		delivered int64
	}{
		"all at once":      {time.Hour, [][]int64{{10}}, 10},
		"one after all":    {time.Hour, [][]int64{{9}, {10}, {11}}, 10},
		"more than all":    {time.Hour, [][]int64{{11}}, 11},
		"nobody counts":    {time.Hour, [][]int64{{-1}}, -1},
		"the wait is over": {0, [][]int64{{9}, {10}}, 9},
	} {
		w := results.Rated{Calls: 10}
		err := counted(c.drain, "1", 0, c.arrived...).wait(t.Context(), &w, []int64{0}, math.MaxInt64)
		if err != nil || w.Delivered != c.delivered || w.WaitedNS != 0 {
			t.Errorf("%s: %+v, %v", name, w, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := counted(time.Hour, "1", 0, []int64{9}).wait(ctx, &results.Rated{Calls: 10}, []int64{0}, math.MaxInt64)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("nobody wants it any more: %v", err)
	}
	w := results.Rated{Calls: 10}
	err = counted(time.Hour, "1", 0, []int64{10}).wait(t.Context(), &w, []int64{0}, 0)
	if err != nil || w.WaitedNS <= 0 {
		t.Errorf("since the clock's beginning it waited %d ns, %v", w.WaitedNS, err)
	}
}

// TestSettle: late records are waited for until none comes, where there may be any; where they never end, that is
// remembered.
func TestSettle(t *testing.T) {
	some := results.Rated{Made: 10, Delivered: 9}
	var endless, seldom [][]int64
	for i := range int64(10_000) {
		endless = append(endless, []int64{i})
		seldom = append(seldom, []int64{i / 300})
	}
	late := [][]int64{{1}, {2}, {3}, {3}}
	for name, c := range map[string]struct {
		w       results.Rated
		drain   time.Duration
		arrived [][]int64
		took    time.Duration
		unrest  bool
	}{
		"all came":           {results.Rated{Made: 10, Delivered: 10}, time.Hour, late, 0, false},
		"more came":          {results.Rated{Made: 10, Delivered: 11}, time.Hour, late, 0, false},
		"nobody counts":      {results.Rated{Delivered: -1}, time.Hour, late, 0, false},
		"none was made":      {results.Rated{}, time.Hour, late, 0, false},
		"silence":            {some, time.Hour, [][]int64{{1}}, time.Second, false},
		"a short drain":      {some, 100 * time.Millisecond, [][]int64{{1}}, 100 * time.Millisecond, false},
		"no drain":           {some, 0, late, 0, false},
		"late ones":          {some, time.Hour, late, 1010 * time.Millisecond, false},
		"endless":            {some, 2 * time.Second, endless, 10*time.Second + pollEvery, true},
		"longer than a rest": {some, time.Hour, seldom, time.Second, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			d, begin := counted(c.drain, "1", 0, c.arrived...), time.Now()
			err := d.settle(t.Context(), c.w)
			if took := time.Since(begin); err != nil || took != c.took || d.unrest != c.unrest {
				t.Errorf("%s: %v, unrest %t, after %s, want %s", name, err, d.unrest, took, c.took)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := counted(time.Hour, "1", 0, []int64{1}).settle(ctx, some); !errors.Is(err, context.Canceled) {
		t.Errorf("nobody wants it any more: %v", err)
	}
}

// ended is an agent whose windows are ended and whose records are counted in the JVM.
type ended struct {
	agent
	began, ended int
	recorded     int64
	cpu          bool // that the process used can be seen
}

func (e *ended) Begin() error     { e.began++; return nil }
func (e *ended) End(int64) error  { e.ended++; return nil }
func (e *ended) Recorded(n int64) { e.recorded = n }

func (e *ended) Snapshot() (jvm.Snapshot, error) {
	if !e.cpu {
		return jvm.Snapshot{}, errors.New("it is gone")
	}
	return jvm.Snapshot{CPUNS: 7}, nil
}

// TestOneWindow: the measured window is begun and ended once; CPU time that can't be seen is unknown, and none is none.
func TestOneWindow(t *testing.T) {
	for cpu, want := range map[bool]int64{true: 0, false: -1} {
		e := &ended{agent: agent{deliver: all, call: all, live: true}, cpu: cpu}
		if err := drive(t, &e.agent, 1, results.ProfileTiming); err != nil {
			t.Fatal(err)
		}
		e.windows, e.scalars = nil, map[string]float64{}
		v := framework.Variant{Proof: framework.Proof{Kind: results.ProofCount, PerCall: "1"}}
		inv := plan.Invocation{Profile: results.ProfileTiming, Cell: plan.Cell{Recipe: v}}
		inv.Cell.Cell = testcell.Of(Scenario{}.Schema(), drain, "0", hold, "1000000000")
		inv.Cell.Proof.Kind = results.ProofCount
		if err := (Scenario{}).Drive(t.Context(), inv, e, e); err != nil {
			t.Fatal(err)
		}
		_, told := e.scalars["cpu"]
		if e.began != 1 || e.ended != 1 || told != cpu || len(e.windows) != 5 {
			t.Errorf("begun %d times, ended %d times, CPU time told: %t", e.began, e.ended, told)
		}
		for _, w := range e.windows {
			if w.CPUNS != want || w.Searched != 0 {
				t.Errorf("%+v, want %d ns of CPU time", w, want)
			}
		}
	}
}

// TestProofIsOneWindow: a proof makes calls at the lowest rate alone, and a variant that takes its probe out again
// need not make records of all calls.
func TestProofIsOneWindow(t *testing.T) {
	a := &agent{deliver: all, call: all, live: true}
	if err := drive(t, a, 1, results.ProfileProof); err != nil {
		t.Fatal(err)
	}
	paced := slices.DeleteFunc(slices.Clone(a.asked), func(verb string) bool { return verb != "pace" })
	if len(paced) != 1 || a.expected != 1000 || len(a.windows) != 0 {
		t.Errorf("%q, %d records expected", a.asked, a.expected)
	}
	for name, c := range map[string]struct {
		calls    int64
		off      string
		expected int64
	}{"none": {0, "", -1}, "one": {1, "", 1}, "taken out": {1, "a.B", -1}} {
		d := counted(0, "1", 0, []int64{0})
		a := &agent{expected: -1}
		d.Ask, d.rec, d.calls, d.inv.Cell.Recipe.Deactivate = &run.Asker{}, a, c.calls, c.off
		if err := d.end(); err != nil || a.expected != c.expected {
			t.Errorf("%s: %d expected, %v", name, a.expected, err)
		}
	}
}

// TestNoCallIsAFailure: a fixture that makes no call is not a slow agent; one call is a call.
func TestNoCallIsAFailure(t *testing.T) {
	for calls, fails := range map[float64]bool{0: true, 1: false} {
		a := &agent{deliver: all, call: func(float64) float64 { return calls }, live: true}
		if err := drive(t, a, 1, results.ProfileProof); (err != nil) != fails {
			t.Errorf("%v calls: %v", calls, err)
		}
	}
}

// TestSearchedIsTold: windows of the search are told from those of the curve.
func TestSearchedIsTold(t *testing.T) {
	a := &agent{deliver: atMost(20_000), call: all, live: true}
	if err := drive(t, a, 1, results.ProfileTiming); err != nil {
		t.Fatal(err)
	}
	for i, w := range a.windows {
		if want := map[bool]int64{true: 1}[i >= 5]; w.Searched != want {
			t.Errorf("window %d: %+v", i, w)
		}
	}
	if len(a.windows) < 7 {
		t.Errorf("only %d windows", len(a.windows))
	}
}

// TestWork: what the windows take, at most and as a rule.
func TestWork(t *testing.T) {
	given := []string{rates, "5", hold, "2000", drain, "400", "threads", "3", "method_time", "17"}
	cell := testcell.Of(Scenario{}.Schema(), given...)
	want := plan.Work{
		Threads: 3, Depth: 1, WaitNS: 17,
		MayTakeNS: 35 * (2000 + 6*400), TakesNS: 13 * 2100, Values: 13 * 10,
	}
	if diff := cmp.Diff(want, Scenario{}.Work(&cell)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestTwiceInARow: a rate of the search that was not borne is tried twice more, and must be borne in both.
func TestTwiceInARow(t *testing.T) {
	for name, c := range map[string]struct {
		bears       func(trial int) bool
		least, most int64 // of what is found
	}{
		"not at once":      {func(trial int) bool { return trial > 1 }, 19_000, 20_203},
		"at once":          {func(int) bool { return true }, 19_000, 20_203},
		"only in between":  {func(trial int) bool { return trial == 2 }, 10_000, 10_000},
		"only at the last": {func(trial int) bool { return trial == 3 }, 10_000, 10_000},
	} {
		for block := range 5 {
			trials := map[float64]int{}
			a := &agent{call: all, live: true, deliver: func(calls float64) float64 {
				trials[calls]++
				curve := calls == 1000 || calls == 3200 || calls == 10_000
				if calls <= 20_000 && (curve || c.bears(trials[calls])) {
					return calls
				}
				return min(calls/2, 20_000)
			}}
			if err := drive(t, a, block, results.ProfileTiming); err != nil {
				t.Fatal(err)
			}
			borne, refused := results.Knee(a.windows)
			if borne == nil || borne.Asked < c.least || borne.Asked > c.most || refused == nil {
				t.Errorf("%s: bears %+v, not %+v", name, borne, refused)
			}
			if a.scalars[cpu] != 1000 {
				t.Errorf("%s: %v ns of CPU time at the lowest rate", name, a.scalars[cpu])
			}
		}
	}
}

// TestWhyNoCurve: why a window is refused is told by what is wrong with it.
func TestWhyNoCurve(t *testing.T) {
	for ns, why := range map[string]string{
		"0":     "hold = 0s: no call is due in no time",
		"10000": "in 10µs of 1000 calls per second a share of 99 % can't be measured: there are fewer than 100 calls",
	} {
		cell := testcell.Of(Scenario{}.Schema(), lowest, "1000", highest, "2000", hold, ns)
		got := Scenario{}.Check(&plan.Cell{Cell: cell, Work: Scenario{}.Work(&cell)})
		if len(got) != 1 || got[0].Why != why {
			t.Errorf("%s: %v, want %s", ns, got, why)
		}
	}
}
