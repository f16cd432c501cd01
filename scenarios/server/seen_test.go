package server

import (
	"errors"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"moobench/harness/config"
	"moobench/harness/jvm"
	"moobench/harness/load"
	"moobench/harness/run"
	"moobench/results"
	"moobench/scenarios/serving"
)

// seen is a subject of which only its CPU time and its ports can be seen.
type seen struct {
	run.Subject
	cpu     []float64 // NaN: it can't be seen
	strange []int     // ports that somebody else answers
	asked   []int
}

func (s *seen) Snapshot() (jvm.Snapshot, error) {
	used := s.cpu[0]
	if s.cpu = s.cpu[1:]; math.IsNaN(used) {
		return jvm.Snapshot{}, errors.New("gone")
	}
	return jvm.Snapshot{CPUNS: used, RSSBytes: 5}, nil
}

func (s *seen) Answering(port int) error {
	if s.asked = append(s.asked, port); slices.Contains(s.strange, port) {
		return errors.New("somebody else answers")
	}
	return nil
}

// TestPorts: a port is the URL's, or else that of its scheme.
func TestPorts(t *testing.T) {
	for address, want := range map[string]int{
		"http://127.0.0.1:8080/x": 8080, "http://[::1]:81/": 81, "http://localhost/": 80, "https://localhost/": 443,
		"https://localhost:444": 444, "http://[": 0,
	} {
		if got := portOf(address); got != want {
			t.Errorf("%s: %d, want %d", address, got, want)
		}
	}
}

// TestWhoAnswers: each port is looked at once; that somebody else says that the server is up is an error, and that
// somebody else answers requests is told.
func TestWhoAnswers(t *testing.T) {
	of := func(strange ...int) (trial, *seen, *recorder) {
		s, rec := &seen{strange: strange}, &recorder{}
		on := trial{subject: s, rec: rec, server: config.Server{Ready: "http://127.0.0.1:1/"}}
		for _, rest := range []string{"1/a", "2/b", "2/c", "3/"} {
			on.server.Requests = append(on.server.Requests, config.Request{URL: "http://127.0.0.1:" + rest})
		}
		return on, s, rec
	}
	for _, c := range []struct {
		strange, asked []int
		fails          bool
		warnings       int
	}{
		{nil, []int{1, 2, 3}, false, 0},
		{[]int{1}, []int{1}, true, 0},
		{[]int{2}, []int{1, 2, 3}, false, 1},
		{[]int{2, 3}, []int{1, 2, 3}, false, 2},
	} {
		on, s, rec := of(c.strange...)
		err := on.answering()
		if (err != nil) != c.fails || !slices.Equal(s.asked, c.asked) || len(rec.warnings) != c.warnings {
			t.Errorf("%v: %v, asked %v, warned %q", c.strange, err, s.asked, rec.warnings)
		}
	}
}

// TestLateIsAResult: a variant that still works at the end of the wait took longer; one that does not, any other cell,
// and any other profile, failed.
func TestLateIsAResult(t *testing.T) {
	const within = 40 * time.Millisecond
	enough := leastWork * float64(within) / waitSteps
	for name, c := range map[string]struct {
		role    results.Role
		profile results.Profile
		worked  float64
		late    bool
	}{
		"works":        {results.RoleVariant, results.ProfileTiming, enough, true},
		"works less":   {results.RoleVariant, results.ProfileTiming, enough - 1, false},
		"not seen":     {results.RoleVariant, results.ProfileTiming, math.NaN(), false},
		"a baseline":   {results.RoleBaseline, results.ProfileTiming, enough, false},
		"no timing":    {results.RoleVariant, results.ProfileResources, enough, false},
		"works as two": {results.RoleVariant, results.ProfileTiming, 1e12, true},
	} {
		rec := &recorder{}
		on := trial{rec: rec, subject: &seen{cpu: []float64{0, 0, 0, 1000, 1000 + c.worked}}}
		on.server.Ready, on.inv.Within = "http://127.0.0.1:1/", within
		on.inv.Cell.Role, on.inv.Profile = c.role, c.profile
		_, _, err := on.wait(t.Context(), 0)
		switch {
		case !c.late && (failure(err) == nil || failure(err).Kind != jvm.KindStart || len(rec.atLeast) > 0):
			t.Errorf("%s: %v, at least %v", name, err, rec.atLeast)
		case c.late && (!errors.Is(err, errWorking) || rec.atLeast[startup] != float64(within)):
			t.Errorf("%s: %v, at least %v", name, err, rec.atLeast)
		case c.late && (rec.void == "" || !rec.warned("it was not up %s after its start, and still worked")):
			t.Errorf("%s: void %q, warned %q", name, rec.void, rec.warnings)
		}
	}
}

// answered is a trial of a server whose clients wait for its answers, or of one that never answers in time.
func answered(t *testing.T, slow bool) (trial, *recorder) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if slow {
			<-r.Context().Done()
		}
	}))
	t.Cleanup(s.Close)
	rec := &recorder{scalars: map[string]float64{}}
	on := trial{rec: rec, subject: &seen{cpu: []float64{1, 2, 3, 4}}}
	on.inv.Profile = results.ProfileTiming
	on.Settings = serving.Settings{LagBound: time.Hour, Load: load.Load{
		Arrival: load.Closed, Clients: 4, Think: time.Millisecond,
		Hold: 20 * time.Millisecond, Timeout: 10 * time.Second,
	}}
	if slow {
		on.Arrival, on.Rate, on.Think, on.Timeout = load.Constant, 400, 0, 10*time.Millisecond
	}
	on.server.Requests = []config.Request{{Method: http.MethodGet, URL: s.URL, Weight: 1}}
	return on, rec
}

// TestNotBorne: times at a rate that the server does not bear don't count of a baseline, and are told of a variant;
// where clients wait, any rate is borne.
func TestNotBorne(t *testing.T) {
	for name, c := range map[string]struct {
		role      results.Role
		slow      bool
		void, say bool
	}{
		"a baseline bears it": {results.RoleBaseline, false, false, false},
		"a variant bears it":  {results.RoleVariant, false, false, false},
		"a baseline does not": {results.RoleBaseline, true, true, false},
		"a variant does not":  {results.RoleVariant, true, false, true},
	} {
		on, rec := answered(t, c.slow)
		on.inv.Cell.Role = c.role
		if err := on.alive(t.Context(), 3); err != nil {
			t.Fatal(err)
		}
		if (rec.void != "") != c.void || slices.Contains(rec.warnings, "%s") != c.say || rec.scalars[rss] != 5 {
			t.Errorf("%s: void %q, warned %q, %v", name, rec.void, rec.warnings, rec.scalars)
		}
		if seconds := rec.series[results.SeriesSeconds]; len(seconds) == 0 || len(seconds[0]) == 0 {
			t.Errorf("%s: no latency by the second: %v", name, rec.series)
		}
	}
}

// TestBears: what a server bears is tried with clients that wait for their answers, whatever the load is, and is told.
func TestBears(t *testing.T) {
	on, rec := answered(t, false)
	on.Arrival, on.Rate = load.Constant, 0
	err := on.bears(t.Context())
	if _, told := rec.scalars[run.CapacityScalar]; err != nil || !told {
		t.Errorf("%v, %v", err, rec.scalars)
	}
	on.server.Requests = nil
	if err := on.bears(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "trying what it handles: ") {
		t.Errorf("of no request: %v", err)
	}
}
