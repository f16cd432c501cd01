package server

import (
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/config"
	"moobench/harness/framework"
	"moobench/harness/jvm"
	"moobench/harness/load"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

var _ run.Scenario = Scenario{}

// cellsOf are a baseline with its A/A, and a variant.
func cellsOf(limit string) []results.Cell {
	parameters := []results.Value{{Name: p99Limit, Value: limit}}
	return []results.Cell{
		{ID: "c00", Scenario: "shop", Variant: "none", Role: results.RoleBaseline, Parameters: parameters},
		{ID: "c01", Scenario: "shop", Variant: "none", Role: results.RoleAA, Baseline: "c00", Parameters: parameters},
		{ID: "c02", Scenario: "shop", Variant: "mine", Role: results.RoleVariant, Baseline: "c00", Parameters: parameters},
	}
}

func TestQuestions(t *testing.T) {
	metrics := map[string]results.Metric{}
	for _, m := range (Scenario{}).Schema().Metrics {
		if _, twice := metrics[m.Name]; twice {
			t.Errorf("metric %s stands there twice", m.Name)
		}
		metrics[m.Name] = m
	}
	for limit, want := range map[string][]string{
		"0":        {"latency-c02", "p99-c02", "lost-c02", "cpu-c02", "startup-c02"},
		"50000000": {"latency-c02", "p99-c02", "lost-c02", "cpu-c02", "startup-c02", "capacity-c02"},
	} {
		var got []string
		families := map[string]bool{}
		for _, q := range (Scenario{}).Questions(cellsOf(limit)) {
			got = append(got, q.ID)
			families[q.Family] = true
			m, there := metrics[q.Metric]
			if q.A != "c02" || q.B != "c00" || !there {
				t.Errorf("%+v is about no variant, or no metric", q)
			}
			if (q.Test == results.TestRates) != (m.Of != "") {
				t.Errorf("%s: test %q of a metric out of %q", q.ID, q.Test, m.Of)
			}
		}
		if d := cmp.Diff(want, got); d != "" || len(families) != len(got) {
			t.Errorf("limit %s (-want +got): %s\nfamilies %v", limit, d, families)
		}
	}
}

// TestEachParameterHasADefault: a [server] and its variants are enough to begin.
func TestEachParameterHasADefault(t *testing.T) {
	names := map[string]bool{}
	for _, p := range (Scenario{}).Schema().Parameters {
		if p.Default == "" || p.About == "" || names[p.Name] {
			t.Errorf("parameter %+v has no default, no text, or stands there twice", p)
		}
		names[p.Name] = true
	}
}

func TestCheck(t *testing.T) {
	for limit, wrong := range map[string]string{"0": "", "3000000000": "", "3000000001": p99Limit} {
		c := invocation(0, map[string]string{"p99_limit": limit, "late_after": "1000"}).Cell
		got := Scenario{}.Check(&c)
		if len(got) == 0 {
			got = []plan.Refusal{{}}
		}
		if r := got[0]; len(got) > 1 || r.Key != wrong || (r.Why == "") != (wrong == "") || (r.Hint == "") != (wrong == "") {
			t.Errorf("p99_limit %s: %+v; want %q", limit, got, wrong)
		}
	}
}

// TestSearchNeedsResources: what is never searched for is not a limit.
func TestSearchNeedsResources(t *testing.T) {
	const refused = "benchmarks.toml:10: p99_limit is searched for in the runs of resources, and resources = 0: it never would be (set resources to 1 or more, or take p99_limit out)"
	for keys, want := range map[string]string{
		"p99_limit = \"5ms\"":                "",
		"p99_limit = \"5ms\"\nresources = 0": refused,
		"p99_limit = \"0s\"\nresources = 0":  "",
		"\nresources = 0":                    "",
	} {
		s := Scenario{}
		const server = "[server]\nrun = [\"shop\"]\nready = \"http://127.0.0.1:{port}/\"\n[[server.request]]\nurl = \"http://127.0.0.1:{port}/\"\n"
		f, err := config.Parse("benchmarks.toml", []byte("name = \"x\"\n"+server+"[[scenario]]\nuse = \"server\"\nvariants = [\"none\"]\n"+keys+"\n"), config.Known{
			Scenarios: []plan.Schema{s.Schema()},
			CPUs:      func(list string) (string, error) { return list, nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if _, err := plan.New(f, new(framework.Set), []plan.Scenario{s}, nil, 1); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", keys, got, want)
		}
	}
}

// TestSearchTakesItsTime: with a limit there is a search.
func TestSearchTakesItsTime(t *testing.T) {
	for limit, want := range map[string]float64{"0": 25e9, "50000000": 625e9} {
		c := invocation(0, map[string]string{"ramp": "5000000000", "hold": "20000000000", "p99_limit": limit}).Cell
		if got := (Scenario{}).Work(&c.Cell); got.MayTakeNS != want || got.TakesNS != 25e9 {
			t.Errorf("p99_limit %s: %+v, want at most %v ns", limit, got, want)
		}
	}
}

func TestRequest(t *testing.T) {
	empty, some := "", "ok"
	pattern := regexp.MustCompile("o.")
	for name, test := range map[string]struct {
		q    config.Request
		want load.Request
	}{
		"plain": {
			config.Request{Name: "GET /", Method: "GET", URL: "http://127.0.0.1:1/", Weight: 1, Status: 200},
			load.Request{Name: "GET /", Method: "GET", URL: "http://127.0.0.1:1/", Weight: 1, Header: http.Header{}, Expect: load.Expect{Status: 200}},
		},
		"all": {
			config.Request{Name: "order", Method: "POST", URL: "http://127.0.0.1:1/o", Weight: 3, Status: 201, Headers: []string{"accept: a/b", "Accept:c", "X-Time: 12:30"}, Body: "x", Expect: &some, Pattern: pattern},
			load.Request{
				Name: "order", Method: "POST", URL: "http://127.0.0.1:1/o", Weight: 3, Body: []byte("x"),
				Header: http.Header{"Accept": {"a/b", "c"}, "X-Time": {"12:30"}}, Expect: load.Expect{Status: 201, Body: []byte("ok"), Pattern: pattern},
			},
		},
		"no body may come": {
			config.Request{Status: 204, Expect: &empty},
			load.Request{Header: http.Header{}, Expect: load.Expect{Status: 204, Body: []byte{}}},
		},
	} {
		same := cmp.Comparer(func(a, b *regexp.Regexp) bool { return a == b })
		if d := cmp.Diff(test.want, request(test.q), same); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// TestTakes: a load is taken if nothing is lost and at most one in a hundred
// comes after the limit.
func TestTakes(t *testing.T) {
	const limit = 10 * time.Millisecond
	for name, test := range map[string]struct {
		of, slow int
		broken   load.Outcome // of the last one
		inRamp   load.Outcome
		unsent   int64
		want     bool
	}{
		"all in time":                          {of: 200, want: true},
		"one in a hundred late":                {of: 200, slow: 2, want: true},
		"some more":                            {of: 200, slow: 3},
		"one of few":                           {of: 50, slow: 1},
		"a late one is counted by its latency": {of: 200, broken: load.Late, want: true},
		"one wrong":                            {of: 200, broken: load.Wrong},
		"one refused":                          {of: 200, broken: load.Refused},
		"one timed out":                        {of: 200, broken: load.TimedOut},
		"one lost in the ramp":                 {of: 200, inRamp: load.Reset},
		"one never sent":                       {of: 200, unsent: 1},
		"nothing at all":                       {},
	} {
		r := &load.Result{Own: load.Own{Unsent: test.unsent}, Ramp: []load.Sample{{Outcome: test.inRamp}}}
		for i := range test.of {
			s := load.Sample{DoneNS: int64(limit)}
			if i < test.slow {
				s.DoneNS++
			}
			r.Hold = append(r.Hold, s)
		}
		if test.of > 0 {
			r.Hold[test.of-1].Outcome = test.broken
		}
		if got := takes(r, limit); got != test.want {
			t.Errorf("%s: taken %t, want %t", name, got, test.want)
		}
	}
}

func TestObituary(t *testing.T) {
	for status, want := range map[string]string{
		"0":              "the server ended (exit status 0): it must stay in the foreground until it is asked to end",
		"137":            "the server died (exit status 137)",
		"signal: killed": "the server died (signal: killed)",
	} {
		if got := obituary(jvm.Exit{Status: status}); got != want {
			t.Errorf("%s: %s", status, got)
		}
	}
}
