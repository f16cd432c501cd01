package reliability

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/framework"
	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
	"moobench/scenarios/serving"
)

const signature = "+ public long a.B.monitoredMethod(long, int)"

// TestSteps holds what is done to the server of each kind of variant against
// what it is there for.
func TestSteps(t *testing.T) {
	swapped := framework.Variant{Activate: "+ {signature}", Proof: framework.Proof{Kind: results.ProofCount}}
	flagged := framework.Variant{Args: []string{"-Dmoobench.swapper=a.Swapper"}, Proof: framework.Proof{Kind: results.ProofCount}}
	off := framework.Variant{Args: []string{"-Dmoobench.swapper=a.Swapper"}, Proof: framework.Proof{Kind: results.ProofZero}}
	const without = "setup busy_wait=lazy depth=1 method_time=0 monitored=handler pool=10 server=jdk target=a.B toggle="
	setup, toggling := without+`""`, without+`"`+signature+`"`
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
			f := fakeServer(t, nil)
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
			if (f.posts.Load() > 0) != c.posts || f.scalars[serving.Lost] != 0 || f.scalars["right"] == 0 {
				t.Errorf("%d POSTs, %v", f.posts.Load(), f.scalars)
			}
		})
	}
}

// TestScalarsAndSeries: what is told of a load hangs together.
func TestScalarsAndSeries(t *testing.T) {
	f := fakeServer(t, nil)
	v := framework.Variant{Activate: "+ {signature}", Proof: framework.Proof{Kind: results.ProofCount}}
	f.entered = func() probed { return probed{7, 7, 7} }
	if err := (Scenario{}).Drive(t.Context(), invocation(v), f, f); err != nil {
		t.Fatal(err)
	}
	s := f.scalars
	if f.gets.Load() != int64(s["requests_all"]) || s["requests"] != float64(f.rows(results.SeriesRequest)) || s["requests_all"]-s["requests"] != float64(f.rows(results.SeriesRamp)) {
		t.Errorf("%d GETs, %d and %d rows, %v", f.gets.Load(), f.rows(results.SeriesRequest), f.rows(results.SeriesRamp), s)
	}
	if s["requests"] == 0 || s["right"]+s["late"] != s["requests"] || s["throughput"] != s["right"]/0.3 {
		t.Errorf("requests, right and throughput: %v", s)
	}
	posts := float64(f.posts.Load())
	if posts == 0 || s[toggleCount] != posts || s[toggleTook] != 1000*(posts+1)/2 || f.rows(results.SeriesToggle) != int64(posts) {
		t.Errorf("%v POSTs: %v toggles in %v ns, %d rows", posts, s[toggleCount], s[toggleTook], f.rows(results.SeriesToggle))
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
		{"wrong body", "wrong", results.SeriesRequest, func(w http.ResponseWriter) { fmt.Fprint(w, "This is not a response") }, func(n int64) bool { return n%10_000 == 17 }},
		{"wrong status", "wrong", results.SeriesRequest, func(w http.ResponseWriter) { w.WriteHeader(500); right(w) }, func(n int64) bool { return n%100 == 17 }},
		{"closed", "reset", results.SeriesBroken, func(http.ResponseWriter) { panic(http.ErrAbortHandler) }, func(n int64) bool { return n%100 == 17 }},
		{"cut off", "truncated", results.SeriesBroken, func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", fmt.Sprint(len(body)))
			fmt.Fprint(w, body[:5])
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}, func(n int64) bool { return n%100 == 17 }},
		{"dies in the middle", "reset", results.SeriesBroken, func(http.ResponseWriter) { panic(http.ErrAbortHandler) }, func(n int64) bool { return n > 50 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			var planted atomic.Int64
			f := fakeServer(t, func(n int64, w http.ResponseWriter, _ *http.Request) {
				if c.planted(n) {
					planted.Add(1)
					c.fault(w)
					return
				}
				right(w)
			})
			if err := (Scenario{}).Drive(t.Context(), invocation(framework.Variant{}, "ramp", "0"), f, f); err != nil {
				t.Fatal(err)
			}
			want := float64(planted.Load())
			if s := f.scalars; want == 0 || s[c.scalar] != want || s[serving.Lost] != want || s["lost_all"] != want || s["right"]+s["late"] != s["requests"]-want {
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
			if c.scalar == "wrong" && !strings.Contains(strings.Join(f.warnings, "\n"), "a wrong answer to GET") {
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
	f := fakeServer(t, func(n int64, w http.ResponseWriter, _ *http.Request) {
		if n == 20 {
			time.Sleep(stall)
		}
		fmt.Fprint(w, body)
	})
	inv := invocation(framework.Variant{}, "ramp", "0", "hold", ns(time.Second), "late_after", ns(stall))
	if err := (Scenario{}).Drive(t.Context(), inv, f, f); err != nil {
		t.Fatal(err)
	}
	longest := slices.Max(f.series[results.SeriesRequest][1])
	if f.scalars[serving.Lost] != 0 || longest < int64(stall) || f.scalars["late"] < 1 {
		t.Errorf("longest latency %s, %v", time.Duration(longest), f.scalars)
	}
}

// TestAnswersAfterTheEndAreLate, and not lost.
func TestAnswersAfterTheEndAreLate(t *testing.T) {
	over := make(chan struct{})
	f := fakeServer(t, func(n int64, w http.ResponseWriter, _ *http.Request) {
		if n == 1 {
			time.AfterFunc(600*time.Millisecond, func() { close(over) })
		}
		if n > 1 {
			<-over
		}
		fmt.Fprint(w, body)
	})
	if err := (Scenario{}).Drive(t.Context(), invocation(framework.Variant{}, "ramp", "0"), f, f); err != nil {
		t.Fatal(err)
	}
	if s := f.scalars; s[serving.Lost] != 0 || s["right"]+s["late"] != s["requests"] || s["late"] < 1 || s["requests"] != float64(f.gets.Load()) {
		t.Errorf("%d GETs: %v", f.gets.Load(), s)
	}
}

func TestTimeouts(t *testing.T) {
	over := make(chan struct{})
	t.Cleanup(func() { close(over) })
	f := fakeServer(t, func(n int64, w http.ResponseWriter, _ *http.Request) {
		if n == 5 || n == 9 {
			<-over
		}
		fmt.Fprint(w, body)
	})
	inv := invocation(framework.Variant{}, "ramp", "0", serving.Clients, "8", "lost_after", ns(2*time.Second), "late_after", ns(2*time.Second))
	if err := (Scenario{}).Drive(t.Context(), inv, f, f); err != nil {
		t.Fatal(err)
	}
	if s := f.scalars; s["timed_out"] < 2 || s[serving.Lost] != s["timed_out"] || outcomes(f, results.SeriesRequest, "timed out") != int64(s["timed_out"]) {
		t.Errorf("two were planted: %v", s)
	}
}

// TestTheServerDies in the middle of the load: that ends the load, and costs this
// invocation.
func TestTheServerDies(t *testing.T) {
	for _, profile := range []results.Profile{results.ProfileTiming, results.ProfileCalibration} {
		f := fakeServer(t, nil)
		f.done, f.refuse = make(chan struct{}), map[string]string{"counts": "its last words"}
		time.AfterFunc(200*time.Millisecond, func() { close(f.done) })
		inv := invocation(framework.Variant{}, "hold", ns(time.Hour), "search_step", ns(time.Hour), serving.Rate, "1000")
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
		{"fewer toggles than ordered", run.KindSwap, func(f *fake) { f.toggles = [][4]int64{} }, "the server did 0"},
		{"a toggle failed", run.KindSwap, func(f *fake) { f.toggles = [][4]int64{{1, 1, 1, 0}, {2, 1, 0, 1}, {3, 1, 1, 0}, {4, 1, 0, 0}} }, "toggle 2 of 4 failed"},
		{"more entered than called", "counts", func(f *fake) { f.entered = func() probed { return probed{1e9, 1e9, 1e9} } }, "the probe was entered 1000000000 times"},
		{"setup refused", jvm.KindRefused, func(f *fake) { f.refuse = map[string]string{"setup": "no virtual threads"} }, "no virtual threads"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := fakeServer(t, nil)
			c.spoil(f)
			err := (Scenario{}).Drive(t.Context(), invocation(v), f, f)
			var failure *jvm.Failure
			if !errors.As(err, &failure) || failure.Kind != c.kind || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q of kind %s", err, c.want, c.kind)
			}
		})
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
		inv := invocation(framework.Variant{}, "arrival", c.arrival, share, c.share)
		inv.Capacity = c.capacity
		l := (&driver{settings: settingsOf(&inv.Cell.Cell, 0), inv: inv}).load()
		if l.Clients != c.clients || l.Rate < c.rate-1e-9 || l.Rate > c.rate+1e-9 {
			t.Errorf("%s, %s %% of %v: %d clients, %v/s; want %d, %v", c.arrival, c.share, c.capacity, l.Clients, l.Rate, c.clients, c.rate)
		}
	}
}

var _ run.Subject = (*fake)(nil)

// TestAnsweredElsewhere: requests that were answered rightly, and that the server knows nothing of, have
// measured something else.
func TestAnsweredElsewhere(t *testing.T) {
	f := fakeServer(t, nil)
	f.elsewhere = 100
	err := Scenario{}.Drive(t.Context(), invocation(framework.Variant{}, "ramp", "0"), f, f)
	if failure := (*jvm.Failure)(nil); !errors.As(err, &failure) || failure.Kind != run.KindCounts || !strings.Contains(err.Error(), "something else answered them") {
		t.Errorf("%v", err)
	}
}
