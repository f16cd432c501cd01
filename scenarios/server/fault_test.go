package server

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"moobench/harness/run"
	"moobench/refusal"
	"moobench/results"
	"moobench/results/summary"
)

// The environment in which this test binary is a server, with the fault of that
// name.
const (
	faultName = "MOOBENCH_TEST_FAULT"
	portName  = "MOOBENCH_TEST_PORT"
)

func TestMain(m *testing.M) {
	if fault := os.Getenv(faultName); fault != "" {
		serve(fault, os.Getenv(portName))
	}
	os.Exit(m.Run())
}

const (
	rightBody  = "This is the response"
	everyNth   = 50  // request has the fault
	often      = 5   // the same, where each step of a busy machine must see it
	fewUnready = 5   // answers, of a server that is ready late
	longLife   = 200 // requests, of a server that dies
	diedWith   = 3
	atOnceWith = 4
	stall      = 2 * time.Second
	slow       = time.Second
	aTurn      = 2 * time.Millisecond // so that little is sent, and little computed, until it is found how much it takes
	silence    = time.Minute

	farewell   = "farewell" // the file that one writes which ends slowly
	endsSlowly = 400 * time.Millisecond
)

// serve is a server with a fault. It never returns.
func serve(fault, port string) {
	if fault == "exits at once" {
		fmt.Fprintln(os.Stderr, "no such option: --prot")
		os.Exit(atOnceWith)
	}
	if fault == "ends slowly" {
		asked := make(chan os.Signal, 1)
		signal.Notify(asked, syscall.SIGTERM)
		go func() {
			<-asked
			time.Sleep(endsSlowly)
			os.WriteFile(farewell, nil, 0o666)
			os.Exit(0)
		}()
	}
	f := &faulty{fault: fault}
	http.HandleFunc("/ready", f.ready)
	http.HandleFunc("/", f.answer)
	fmt.Fprintln(os.Stderr, http.ListenAndServe(net.JoinHostPort("127.0.0.1", port), nil))
	os.Exit(1)
}

type faulty struct {
	fault           string
	asked, requests atomic.Int64
	turn            sync.Mutex // of requests to a server whose capacity is searched
}

func (f *faulty) ready(w http.ResponseWriter, r *http.Request) {
	n := f.asked.Add(1)
	if f.fault == "never ready" || f.fault == "ready late" && n <= fewUnready {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	if f.fault == "unknown" || f.fault == "unknown late" && n <= fewUnready {
		http.NotFound(w, r)
	}
}

// answer counts the requests, so that exactly each so many have the fault.
func (f *faulty) answer(w http.ResponseWriter, r *http.Request) {
	n := f.requests.Add(1)
	nth := n%everyNth == 0
	if f.fault == "takes turns" || f.fault == "often wrong" {
		f.turn.Lock()
		time.Sleep(aTurn)
		f.turn.Unlock()
	}
	switch {
	case f.fault == "dies" && n == longLife:
		fmt.Fprintln(os.Stderr, "out of luck")
		os.Exit(diedWith)
	case f.fault == "slow":
		time.Sleep(slow)
	case f.fault == "wrong" && nth, f.fault == "often wrong" && n%often == 0:
		fmt.Fprint(w, "This is not the response")
		return
	case f.fault == "another status" && nth:
		w.WriteHeader(http.StatusInternalServerError)
	case f.fault == "closes" && nth:
		closeConnection(w, "")
		return
	case f.fault == "truncates" && nth:
		closeConnection(w, "HTTP/1.1 200 OK\r\nContent-Length: "+strconv.Itoa(len(rightBody))+"\r\n\r\nThis is")
		return
	case f.fault == "stalls" && nth:
		time.Sleep(stall)
	case f.fault == "is silent" && nth:
		time.Sleep(silence)
	}
	fmt.Fprint(w, rightBody)
}

// closeConnection sends so much and no more.
func closeConnection(w http.ResponseWriter, first string) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	fmt.Fprint(conn, first)
	conn.Close()
}

// TestFaultsAreCountedAsPlanted: a server that fails in one request of fifty
// loses exactly these, each in its own way, and nothing else.
func TestFaultsAreCountedAsPlanted(t *testing.T) {
	for fault, want := range map[string]string{
		"none":           "",
		"wrong":          "wrong",
		"another status": "wrong",
		"closes":         "reset",
		"truncates":      "truncated",
		"stalls":         "late",
		"is silent":      "timed_out",
		"ready late":     "",
		"unknown late":   "",
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			rec, err := drive(t, fault, nil)
			if err != nil {
				t.Fatal(err)
			}
			total := int64(rec.scalars["requests"])
			if total < everyNth {
				t.Fatalf("only %d requests were sent", total)
			}
			for _, name := range []string{"wrong", "refused", "reset", "timed_out", "truncated", "late"} {
				planted := int64(0)
				if name == want {
					planted = total / everyNth
				}
				atEnd := int64(0)
				if name == "late" { // so are those that are under way when the load ends
					atEnd = clients
				}
				if got := int64(rec.scalars[name]); got < planted || got > planted+atEnd {
					t.Errorf("%d are %s, planted were %d of %d", got, name, planted, total)
				}
			}
			if late := rec.scalars["late"]; rec.scalars["right"]+rec.scalars["lost"]+late != float64(total) {
				t.Errorf("right, lost and late are not all of the requests: %v", rec.scalars)
			}
			if rec.scalars[startup] <= 0 || rec.scalars[rss] <= 0 || rec.scalars["cpu_per_request"] <= 0 {
				t.Errorf("startup, memory or CPU time is missing: %v", rec.scalars)
			}
		})
	}
}

// TestAnswersAfterTheEndAreLate: they are neither right nor lost.
func TestAnswersAfterTheEndAreLate(t *testing.T) {
	rec, err := drive(t, "slow", map[string]string{"hold": ns(slow / 2)})
	if err != nil {
		t.Fatal(err)
	}
	if s := rec.scalars; s["late"] != clients || s["requests"] != clients || s["lost"] != 0 || s["right"] != 0 {
		t.Errorf("%d clients had an answer after the end, but: %v", clients, s)
	}
}

// TestFailures: a server that is never up, or does not stay so, costs the
// invocation, which says why and shows its log.
func TestFailures(t *testing.T) {
	for fault, test := range map[string]struct {
		kind, message, tail string
		scalar              bool // it was ready
	}{
		"exits at once": {"died", "the server died (exit status 4)", "no such option: --prot", false},
		"never ready":   {"start", "its last answer had status 503", "", false},
		"unknown":       {"start", "10 times in a row, at last with \"404 page not found", "", false},
		"dies":          {"died", "the server died (exit status 3)", "out of luck", true},
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			rec, err := drive(t, fault, map[string]string{"hold": ns(time.Minute)}) // a busy machine takes its time to die
			f := failure(err)
			if f == nil || f.Kind != test.kind || !strings.Contains(f.Message, test.message) || f.Tail != test.tail {
				t.Errorf("got %v (%+v), want %s: … %s … with the log %q", err, f, test.kind, test.message, test.tail)
			}
			if _, ok := rec.scalars[startup]; ok != test.scalar {
				t.Errorf("was it ready? %v", rec.scalars)
			}
		})
	}
}

// TestBehindAScript: a server is measured, whatever starts it, and has the time that it needs
// to end; one that somebody else answers for is refused, and named.
func TestBehindAScript(t *testing.T) {
	const shells = 8 << 20 // bytes: no shell is as large, and this server is larger
	for name, test := range map[string]struct{ script, refused string }{
		"waits":        {script: `"$0"; exit $?`},
		"own session":  {script: `setsid "$0"; exit $?`},
		"background":   {script: `"$0" & wait`},
		"two of them":  {script: `sh -c '"$0"; exit $?' "$0"; exit $?`},
		"not the port": {script: `MOOBENCH_TEST_PORT=1 exec sleep 1000`, refused: "what listens on port "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSubject(t, "ends slowly")
			s.script = test.script
			if test.refused != "" {
				strange(t, s)
			}
			rec := &recorder{scalars: map[string]float64{}, dir: s.dir}
			err := Scenario{}.Drive(t.Context(), invocation(s.port, map[string]string{"hold": ns(300 * time.Millisecond)}), s, rec)
			if test.refused != "" {
				f := failure(err)
				if f == nil || !strings.Contains(f.Message, test.refused) || !strings.Contains(f.Message, "process "+strconv.Itoa(os.Getpid())) {
					t.Errorf("got %v, want it refused: …%s…", err, test.refused)
				}
				return
			}
			if err == nil {
				err = s.Stop(t.Context())
			}
			if err != nil {
				t.Fatal(err)
			}
			if rec.scalars[rss] < shells || rec.scalars["cpu_per_request"] <= 0 {
				t.Errorf("the shell was measured: %v", rec.scalars)
			}
			if _, err := os.Stat(filepath.Join(s.dir, farewell)); err != nil {
				t.Errorf("it was killed before it had ended: %v", err)
			}
		})
	}
}

// strange answers in the place of a server that does not.
func strange(t *testing.T, s *subject) {
	t.Helper()
	ln, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)))
	if err != nil {
		t.Fatal(err)
	}
	other := &http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})}
	go other.Serve(ln)
	t.Cleanup(func() { other.Close() })
}

// TestInterrupted: the campaign's end is not the server's fault.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := newSubject(t, "never ready")
	time.AfterFunc(100*time.Millisecond, cancel)
	err := Scenario{}.Drive(ctx, invocation(s.port, nil), s, &recorder{scalars: map[string]float64{}, dir: s.dir})
	if f := failure(err); f != nil || err == nil || ctx.Err() == nil {
		t.Errorf("got %v, want what ended the context", err)
	}
}

// TestExpectedRecords: with so many records for each request that reaches the
// server, those that asked whether it is ready among them, it is known how many
// must arrive.
func TestExpectedRecords(t *testing.T) {
	for fault, asked := range map[string]int64{"ready late": fewUnready + 1, "wrong": 1, "closes": 1} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			rec, err := drive(t, fault, map[string]string{"records_per_request": "3"})
			if err != nil {
				t.Fatal(err)
			}
			if want := 3 * (int64(rec.scalars["requests"]) + asked); rec.expected != want {
				t.Errorf("%d records must arrive, want %d of %v", rec.expected, want, rec.scalars)
			}
		})
	}
}

// TestSecondsAreThoseOfTheRequests: each second has the 99th percentile of the latencies of its requests, and
// says whether it belongs to the measured part.
func TestSecondsAreThoseOfTheRequests(t *testing.T) {
	rec, err := drive(t, "none", map[string]string{"ramp": ns(time.Second), "hold": ns(time.Second / 2)})
	if err != nil {
		t.Fatal(err)
	}
	seconds := rec.series[results.SeriesSeconds]
	if len(seconds) != len(results.SecondsColumns()) || len(seconds[0]) < 2 {
		t.Fatalf("seconds are %v", seconds)
	}
	for second, part := range []string{results.SeriesRamp, results.SeriesRequest} {
		latencies := slices.Sorted(slices.Values(rec.series[part][1]))
		want := []int64{int64(time.Duration(second) * time.Second), summary.NearestRank(latencies, 0.99), int64(second)}
		if got := []int64{seconds[0][second], seconds[1][second], seconds[2][second]}; !slices.Equal(got, want) {
			t.Errorf("second %d of %d requests is %v, want %v", second, len(latencies), got, want)
		}
	}
}

// TestRehearsal: a request that the server answers otherwise than it should is found before anything is
// measured, and only then.
func TestRehearsal(t *testing.T) {
	for expected, refused := range map[string]bool{rightBody: false, "another answer": true} {
		s := newSubject(t, "none")
		rec := &recorder{scalars: map[string]float64{}, dir: s.dir}
		inv := invocation(s.port, nil)
		inv.Profile = run.Rehearsal
		inv.Cell.Program.Requests[0].Expect = &expected
		err := Scenario{}.Drive(t.Context(), inv, s, rec)
		if (err != nil) != refused || refused && !strings.Contains(refusal.Do(err), "correct status, expect or match") {
			t.Errorf("%q expected: %v", expected, err)
		}
		if capacity := rec.scalars[run.CapacityScalar]; (capacity > 0) == refused {
			t.Errorf("%q expected: it handles %v/s", expected, capacity)
		}
	}
}

// TestCapacityIsSearched: a server that fails once in five takes no load without
// a loss; one that does not fail takes some, within a limit that is generous. It
// is searched where nothing else is measured.
func TestCapacityIsSearched(t *testing.T) {
	parameters := map[string]string{"p99_limit": ns(time.Second), "search_step": ns(200 * time.Millisecond), "records_per_request": "1"}
	for _, test := range []struct {
		fault         string
		profile       results.Profile
		found, warned bool
	}{
		{"takes turns", results.ProfileResources, true, false},
		{"often wrong", results.ProfileResources, false, true},
		{"none", results.ProfileTiming, false, false},
		{"none", results.ProfileProof, false, false},
	} {
		t.Run(test.fault+" "+string(test.profile), func(t *testing.T) {
			s := newSubject(t, test.fault)
			rec := &recorder{scalars: map[string]float64{}, dir: s.dir}
			inv := invocation(s.port, parameters)
			inv.Profile = test.profile
			if err := (Scenario{}).Drive(t.Context(), inv, s, rec); err != nil {
				t.Fatal(err)
			}
			if got := rec.scalars["capacity"]; (got > 0) != test.found || test.warned && !rec.warned("no load was found") {
				t.Errorf("capacity %v, warnings %q", got, rec.warnings)
			}
			for i, format := range rec.warnings { // only a busy load generator is named as the limit
				if strings.HasPrefix(format, "capacity may be") && rec.args[i][1].(float64) < 100*nearlyAll {
					t.Errorf("the load generator had CPU time left: %v", rec.args[i])
				}
			}
			if (rec.expected == 0) != (test.profile == results.ProfileResources) {
				t.Errorf("%d records must arrive; those of the search are not counted", rec.expected)
			}
		})
	}
}

// nothingLeft checks that a server is gone with all that belongs to it.
func nothingLeft(t *testing.T, s *subject) {
	t.Helper()
	mark := faultName + "=" + s.fault + "\x00"
	entries, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		env, err := os.ReadFile(e)
		if err == nil && strings.Contains(string(env), mark) && strings.Contains(string(env), portName+"="+strconv.Itoa(s.port)+"\x00") {
			t.Errorf("%s is still there", filepath.Dir(e))
		}
	}
}
