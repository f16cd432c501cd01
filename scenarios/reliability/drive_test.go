package reliability

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/framework"
	"moobench/harness/jvm"
	"moobench/harness/load"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

const signature = "+ public long a.B.monitoredMethod(long, int)"

// TestSteps holds what is done to the server of each kind of variant against
// what it is there for.
func TestSteps(t *testing.T) {
	swapped := framework.Variant{Activate: "+ {signature}", Proof: framework.Proof{Kind: results.ProofCount}}
	flagged := framework.Variant{Args: []string{"-Dmoobench.swapper=a.Swapper"}, Proof: framework.Proof{Kind: results.ProofCount}}
	off := framework.Variant{Args: []string{"-Dmoobench.swapper=a.Swapper"}, Proof: framework.Proof{Kind: results.ProofZero}}
	const setup = "setup monitored=handler pool=10 server=jdk target=a.B"
	toggling := setup + ` toggle="` + signature + `"`
	for _, c := range []struct {
		name    string
		inv     plan.Invocation
		profile results.Profile
		asked   []string
		posts   bool
	}{
		{"none", invocation(framework.Variant{}), results.ProfileTiming, []string{"start", setup, "attach", "begin", "end"}, true},
		{"swapped", invocation(swapped), results.ProfileTiming, []string{"start", toggling, "attach", "begin", "end"}, true},
		{"compiled in", invocation(flagged), results.ProfileTiming, []string{"start", toggling, "attach", "begin", "end"}, true},
		{"compiled in, off", invocation(off), results.ProfileTiming, []string{"start", setup, "attach", "begin", "end"}, true},
		{"in all the time", invocation(swapped, toggle, "0"), results.ProfileTiming, []string{"start", toggling, "attach", `activate pattern="` + signature + `"`, "begin", "end"}, false},
		{"proof", invocation(flagged), results.ProfileProof, []string{"start", toggling, "attach", `activate pattern="` + signature + `"`, "begin", "end"}, false},
		{"resources", invocation(swapped), results.ProfileResources, []string{"start", toggling, "attach", "begin", "end"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := serving(t, nil)
			c.inv.Profile = c.profile
			if err := (Scenario{}).Drive(t.Context(), c.inv, f, f); err != nil {
				t.Fatal(err)
			}
			end := slices.Index(f.asked, "end")
			if diff := cmp.Diff(c.asked, f.asked[:end+1]); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
			if heap := slices.Contains(f.asked, "gc"); heap != (c.profile == results.ProfileResources) {
				t.Errorf("asked for the heap: %t", heap)
			}
			if (f.posts.Load() > 0) != c.posts || f.scalars[Lost] != 0 || f.scalars[Right] == 0 {
				t.Errorf("%d POSTs, %v", f.posts.Load(), f.scalars)
			}
		})
	}
}

// TestScalarsAndSeries: what is told of a load hangs together.
func TestScalarsAndSeries(t *testing.T) {
	f := serving(t, nil)
	v := framework.Variant{Activate: "+ {signature}", Proof: framework.Proof{Kind: results.ProofCount}}
	f.entered = func() probed { return probed{7, 7, 7} }
	if err := (Scenario{}).Drive(t.Context(), invocation(v), f, f); err != nil {
		t.Fatal(err)
	}
	s := f.scalars
	if f.gets.Load() != int64(s[RequestsAll]) || s[Requests] != float64(f.rows(results.SeriesRequest)) || s[RequestsAll]-s[Requests] != float64(f.rows(results.SeriesRamp)) {
		t.Errorf("%d GETs, %d and %d rows, %v", f.gets.Load(), f.rows(results.SeriesRequest), f.rows(results.SeriesRamp), s)
	}
	if s[Requests] == 0 || s[Right]+s[Late] != s[Requests] || s[Throughput] != s[Right]/0.3 {
		t.Errorf("requests, right and throughput: %v", s)
	}
	posts := float64(f.posts.Load())
	if posts == 0 || s[Toggles] != posts || s[ToggleTook] != 1000*(posts+1)/2 || f.rows(results.SeriesToggle) != int64(posts) {
		t.Errorf("%v POSTs: %v toggles in %v ns, %d rows", posts, s[Toggles], s[ToggleTook], f.rows(results.SeriesToggle))
	}
	since := f.series[results.SeriesToggle][0]
	if len(since) > 1 && since[1] != since[0]+1 || since[0] >= 0 {
		t.Errorf("toggles %v ns since the load began: the fixture said that they were asked for at 0, 1, … of its clock", since)
	}
	if f.rows(results.SeriesTimeline) != 4 || f.expected != 7 || f.recorded != 7 || f.rows(results.SeriesBroken) != 0 {
		t.Errorf("%d rows of the timeline, %d records expected, %d recorded", f.rows(results.SeriesTimeline), f.expected, f.recorded)
	}
}

// TestPlantedFaults: the counts are exactly those of what the server did wrong.
func TestPlantedFaults(t *testing.T) {
	right := func(w http.ResponseWriter) { fmt.Fprint(w, body) }
	for _, c := range []struct {
		name, scalar, series string
		fault                func(w http.ResponseWriter)
		planted              func(n int64) bool
	}{
		{"wrong body", Wrong, results.SeriesRequest, func(w http.ResponseWriter) { fmt.Fprint(w, "This is no response") }, func(n int64) bool { return n%10_000 == 17 }},
		{"wrong status", Wrong, results.SeriesRequest, func(w http.ResponseWriter) { w.WriteHeader(500); right(w) }, func(n int64) bool { return n%100 == 17 }},
		{"closed", Reset, results.SeriesBroken, func(http.ResponseWriter) { panic(http.ErrAbortHandler) }, func(n int64) bool { return n%100 == 17 }},
		{"cut off", Truncated, results.SeriesBroken, func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", fmt.Sprint(len(body)))
			fmt.Fprint(w, body[:5])
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}, func(n int64) bool { return n%100 == 17 }},
		{"dies in the middle", Reset, results.SeriesBroken, func(http.ResponseWriter) { panic(http.ErrAbortHandler) }, func(n int64) bool { return n > 50 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			var planted atomic.Int64
			f := serving(t, func(n int64, w http.ResponseWriter, _ *http.Request) {
				if c.planted(n) {
					planted.Add(1)
					c.fault(w)
					return
				}
				right(w)
			})
			if err := (Scenario{}).Drive(t.Context(), invocation(framework.Variant{}, Ramp, "0"), f, f); err != nil {
				t.Fatal(err)
			}
			want := float64(planted.Load())
			if s := f.scalars; want == 0 || s[c.scalar] != want || s[Lost] != want || s[LostAll] != want || s[Right]+s[Late] != s[Requests]-want {
				t.Errorf("%v were planted: %v", want, s)
			}
			if got := outcomes(f, c.series, c.scalar); got != int64(want) {
				t.Errorf("%v were planted, series %s has %d", want, c.series, got)
			}
			var lost int64
			for _, n := range f.series[results.SeriesTimeline][2] {
				lost += n
			}
			if lost != int64(want) {
				t.Errorf("%v were planted, the timeline has %d", want, lost)
			}
			if c.scalar == Wrong && !strings.Contains(strings.Join(f.warnings, "\n"), "a wrong answer to GET") {
				t.Errorf("no wrong answer is shown: %q", f.warnings)
			}
		})
	}
}

// outcomes counts the rows of a series that have the outcome of a scalar.
func outcomes(f *fake, series, scalar string) (n int64) {
	if f.rows(series) == 0 {
		return 0
	}
	for _, id := range f.series[series][4] {
		if results.Outcomes[id] == scalar {
			n++
		}
	}
	return n
}

// TestAStallIsNoLoss: who waited, waited; nothing is lost.
func TestAStallIsNoLoss(t *testing.T) {
	const stall = 300 * time.Millisecond
	f := serving(t, func(n int64, w http.ResponseWriter, _ *http.Request) {
		if n == 20 {
			time.Sleep(stall)
		}
		fmt.Fprint(w, body)
	})
	inv := invocation(framework.Variant{}, Ramp, "0", Hold, ns(time.Second), LateAfter, ns(stall))
	if err := (Scenario{}).Drive(t.Context(), inv, f, f); err != nil {
		t.Fatal(err)
	}
	longest := slices.Max(f.series[results.SeriesRequest][1])
	if f.scalars[Lost] != 0 || longest < int64(stall) || f.scalars[Late] < 1 {
		t.Errorf("longest latency %s, %v", time.Duration(longest), f.scalars)
	}
}

// TestAnswersAfterTheEndAreLate, and not lost.
func TestAnswersAfterTheEndAreLate(t *testing.T) {
	over := make(chan struct{})
	f := serving(t, func(n int64, w http.ResponseWriter, _ *http.Request) {
		if n == 1 {
			time.AfterFunc(600*time.Millisecond, func() { close(over) })
		}
		if n > 30 {
			<-over
		}
		fmt.Fprint(w, body)
	})
	if err := (Scenario{}).Drive(t.Context(), invocation(framework.Variant{}, Ramp, "0"), f, f); err != nil {
		t.Fatal(err)
	}
	if s := f.scalars; s[Lost] != 0 || s[Right]+s[Late] != s[Requests] || s[Late] < 1 || s[Requests] != float64(f.gets.Load()) {
		t.Errorf("%d GETs: %v", f.gets.Load(), s)
	}
}

func TestTimeouts(t *testing.T) {
	over := make(chan struct{})
	t.Cleanup(func() { close(over) })
	f := serving(t, func(n int64, w http.ResponseWriter, _ *http.Request) {
		if n == 5 || n == 9 {
			<-over
		}
		fmt.Fprint(w, body)
	})
	inv := invocation(framework.Variant{}, Ramp, "0", Clients, "8", LostAfter, ns(2*time.Second), LateAfter, ns(2*time.Second))
	if err := (Scenario{}).Drive(t.Context(), inv, f, f); err != nil {
		t.Fatal(err)
	}
	if s := f.scalars; s[TimedOut] < 2 || s[Lost] != s[TimedOut] || outcomes(f, results.SeriesRequest, "timed out") != int64(s[TimedOut]) {
		t.Errorf("two were planted: %v", s)
	}
}

// TestTheServerDies ends the process that is observed in the middle of the load:
// that ends the load, and costs this invocation.
func TestTheServerDies(t *testing.T) {
	for _, profile := range []results.Profile{results.ProfileTiming, results.ProfileCalibration} {
		process := exec.Command("sleep", "600")
		if err := process.Start(); err != nil {
			t.Skipf("needs sleep: %v", err)
		}
		f := serving(t, nil)
		f.pid, f.refuse = process.Process.Pid, map[string]string{"counts": "its last words"}
		time.AfterFunc(200*time.Millisecond, func() { process.Process.Kill(); process.Wait() })
		inv := invocation(framework.Variant{}, Hold, ns(time.Hour), searchStep, ns(time.Hour), Rate, defaultRate)
		inv.Profile = profile
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		err := (Scenario{}).Drive(ctx, inv, f, f)
		if err == nil || ctx.Err() != nil || !strings.Contains(err.Error(), "its last words") {
			t.Errorf("%s: %v", profile, err)
		}
	}
}

// TestFailures holds every way in which the server can be wrong about itself
// against what is said of it.
func TestFailures(t *testing.T) {
	v := framework.Variant{Activate: "+ {signature}", Proof: framework.Proof{Kind: results.ProofCount}}
	for _, c := range []struct {
		name, kind string
		spoil      func(*fake)
		want       string
	}{
		{"fewer toggles than ordered", kindSwap, func(f *fake) { f.toggles = [][4]int64{} }, "the server did 0"},
		{"a toggle failed", kindSwap, func(f *fake) { f.toggles = [][4]int64{{1, 1, 1, 0}, {2, 1, 0, 1}, {3, 1, 1, 0}, {4, 1, 0, 0}} }, "toggle 2 of 4 failed"},
		{"more entered than called", "counts", func(f *fake) { f.entered = func() probed { return probed{1e9, 1e9, 1e9} } }, "the probe was entered 1000000000 times"},
		{"setup refused", jvm.KindRefused, func(f *fake) { f.refuse = map[string]string{"setup": "no virtual threads"} }, "no virtual threads"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := serving(t, nil)
			c.spoil(f)
			err := (Scenario{}).Drive(t.Context(), invocation(v), f, f)
			var failure *jvm.Failure
			if !errors.As(err, &failure) || failure.Kind != c.kind || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q of kind %s", err, c.want, c.kind)
			}
		})
	}
}

func TestVoid(t *testing.T) {
	for _, c := range []struct {
		name string
		own  load.Own
		void string
	}{
		{"in time", load.Own{LagP99NS: 10e6}, ""},
		{"late", load.Own{LagP99NS: 11e6}, "sent 11ms late or more, and lag_bound is 10ms"},
		{"the server kept all clients busy", load.Own{LagP99NS: 500e6, Waited: 20, Words: []string{"20 waited"}}, ""},
		{"few waited", load.Own{LagP99NS: 500e6, Waited: 1}, "500ms late"},
		{"both are busy", load.Own{LagP99NS: 500e6, Waited: 20, CPUShare: 0.95}, "500ms late"},
		{"own CPUs are busy, but in time", load.Own{CPUShare: 0.99, Words: []string{"used 99 %"}}, ""},
	} {
		f := &fake{scalars: map[string]float64{}}
		judge(f, &load.Result{Own: c.own, Hold: make([]load.Sample, 1000)}, 10*time.Millisecond)
		if (f.void == "") != (c.void == "") || !strings.Contains(f.void, c.void) || len(f.warnings) != len(c.own.Words) {
			t.Errorf("%s: void %q, want %q; warned %q", c.name, f.void, c.void, f.warnings)
		}
	}
	f := &fake{}
	if judge(f, &load.Result{Ramp: make([]load.Sample, 10)}, time.Second); !strings.Contains(f.void, "no request was due") {
		t.Errorf("nothing was due, void %q", f.void)
	}
}

// A server that stalls from the ramp on answers nothing while the load is held: the
// requests that all clients wait for are that load, and none is left out.
func TestStalledServerIsNotVoid(t *testing.T) {
	r := &load.Result{HoldNS: 1000, EndNS: 2000, Ramp: []load.Sample{
		{SentNS: 100, DoneNS: 200}, {SentNS: 900, DoneNS: 2500, Outcome: load.TimedOut}, {SentNS: 950, DoneNS: 2100, Outcome: load.Late},
	}}
	f := serving(t, nil)
	if err := Record(f, load.Load{Hold: time.Second}, r, time.Millisecond); err != nil || f.void != "" || len(f.warnings) != 1 {
		t.Errorf("%v, void %q, warned %q", err, f.void, f.warnings)
	}
	for name, want := range map[string]float64{Requests: 2, Lost: 1, Late: 1, RequestsAll: 3, LostAll: 1} {
		if f.scalars[name] != want {
			t.Errorf("%s: %v, want %v", name, f.scalars[name], want)
		}
	}
}

// TestScaledLoad: a share of what the baseline takes, of clients or of the rate.
func TestScaledLoad(t *testing.T) {
	for _, c := range []struct {
		arrival  string
		capacity float64
		share    string
		clients  int
		rate     float64
	}{
		{"closed", 0, "0", 4, 1000},
		{"closed", 333, "70", 233, 1000},
		{"closed", 1, "70", 1, 1000},
		{"poisson", 333, "70", 4, 233.1},
		{"constant", 8000, "100", 4, 8000},
	} {
		inv := invocation(framework.Variant{}, Arrival, c.arrival, share, c.share)
		inv.Capacity = c.capacity
		l := (&driver{inv: inv}).load()
		if l.Clients != c.clients || l.Rate < c.rate-1e-9 || l.Rate > c.rate+1e-9 {
			t.Errorf("%s, %s %% of %v: %d clients, %v/s; want %d, %v", c.arrival, c.share, c.capacity, l.Clients, l.Rate, c.clients, c.rate)
		}
	}
}

var _ run.Fixture = (*fake)(nil)
