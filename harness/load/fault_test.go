package load

import (
	"cmp"
	"io"
	"math"
	"net"
	"net/http"
	"slices"
	"testing"
	"time"
)

// run sends a load, and checks what must be so of any.
func run(t *testing.T, l Load) (*Result, Counts) {
	t.Helper()
	r, err := Run(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	all, hold := r.Counts()
	if all.Total() != int64(len(r.Ramp)+len(r.Hold)) || hold.Total() != int64(len(r.Hold)) {
		t.Errorf("counts of %d and %d requests, samples of %d and %d", all.Total(), hold.Total(), len(r.Ramp)+len(r.Hold), len(r.Hold))
	}
	last := int64(0)
	for _, samples := range [][]Sample{r.Ramp, r.Hold} {
		for _, s := range samples {
			late := s.DoneNS >= r.EndNS || l.LateAfter > 0 && s.LatencyNS() > int64(l.LateAfter)
			if s.lagNS() < 0 || s.serviceNS() < 0 || s.SentNS > r.EndNS+int64(grace) || s.intendedNS < last || s.Outcome == Late && !late || s.Outcome == Right && late && s.DoneNS != r.EndNS {
				t.Fatalf("load from %d to %d: no sample can be %+v", r.BeginNS, r.EndNS, s)
			}
			last = s.intendedNS
		}
	}
	if l.Arrival != Closed && int(all.Total()) != len(schedule(l)) {
		t.Errorf("%d requests are told of, %d were due", all.Total(), len(schedule(l)))
	}
	if n := mostUnderWay(slices.Concat(r.Ramp, r.Hold)); n > l.Clients || r.Own.CPUShare < 0 {
		t.Errorf("%d requests under way at once, and of itself it says %+v", n, r.Own)
	}
	return r, all
}

// mostUnderWay is the largest number of requests that were under way at once.
func mostUnderWay(samples []Sample) (most int) {
	type step struct {
		atNS int64
		by   int
	}
	var steps []step
	for _, s := range samples {
		steps = append(steps, step{s.SentNS, 1}, step{s.DoneNS, -1})
	}
	slices.SortFunc(steps, func(a, b step) int { return cmp.Or(cmp.Compare(a.atNS, b.atNS), a.by-b.by) })
	n := 0
	for _, s := range steps {
		n += s.by
		most = max(most, n)
	}
	return most
}

func TestPlantedFaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault func(*stub, net.Conn) bool
		want  Outcome
	}{
		"wrong body":            {func(s *stub, c net.Conn) bool { return s.say(c, fine[:len(fine)-1]+"E") }, Wrong},
		"wrong status":          {func(s *stub, c net.Conn) bool { return s.say(c, "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n") }, Wrong},
		"longer than said":      {func(s *stub, c net.Conn) bool { return s.say(c, fine+"!") }, Wrong},
		"no HTTP":               {func(s *stub, c net.Conn) bool { return s.say(c, "what do you want?\r\n\r\n") }, Wrong},
		"closed before answer":  {func(s *stub, c net.Conn) bool { return false }, Reset},
		"reset":                 {func(s *stub, c net.Conn) bool { return abort(c) }, Reset},
		"closed in the head":    {func(s *stub, c net.Conn) bool { s.say(c, fine[:10]); return false }, Truncated},
		"closed in the body":    {func(s *stub, c net.Conn) bool { s.say(c, fine[:len(fine)-5]); return false }, Truncated},
		"closed within a chunk": {func(s *stub, c net.Conn) bool { s.say(c, chunked[:len(chunked)-12]); return false }, Truncated},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for name, l := range loads("") {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					s := newStub(t, every(c.fault))
					l.Requests[0].URL = s.url("/")
					r, got := run(t, l)
					planted, answered := s.did(0)
					if n := int64(planted); got[c.want] != n || got.Lost() != n || got[Right]+got[Late]-r.Own.Unsent != int64(answered) {
						t.Errorf("%d faults and %d right answers were planted, %d requests never sent; counted %v", planted, answered, r.Own.Unsent, got)
					}
					if c.want == Wrong && len(r.Wrong) != min(planted, wrongKept) {
						t.Errorf("%d wrong answers, of which %d were kept", planted, len(r.Wrong))
					}
				})
			}
		})
	}
}

const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\nThis is \r\nC\r\nthe response\r\n0\r\n\r\n"

// TestSlowAnswers: which request is slow is told by its path, so that a busy
// machine, on which others are late too, changes no count.
func TestSlowAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		wait, timeout, lateAfter time.Duration
		want                     Outcome
	}{
		"stalls":                {300 * time.Millisecond, time.Minute, 200 * time.Millisecond, Late},
		"answers after the end": {time.Second, time.Minute, 0, Late},
		"never answers":         {time.Hour, 500 * time.Millisecond, 0, TimedOut},
	} {
		for arrival, l := range loads("") {
			t.Run(name+"/"+arrival, func(t *testing.T) {
				t.Parallel()
				s := newStub(t, func(s *stub, _ int, conn net.Conn, r *http.Request) bool {
					if r.URL.Path == "/slow" {
						s.planted++
						s.aloof(func() {
							select {
							case <-time.After(c.wait):
							case <-t.Context().Done():
							}
						})
					}
					return !s.dead && s.fine(conn)
				})
				l.Requests = []Request{{URL: s.url("/"), Weight: 9}, {URL: s.url("/slow")}}
				l.Timeout, l.LateAfter, l.Clients, l.Rate, l.Hold = c.timeout, c.lateAfter, 30, 300, 500*time.Millisecond
				r, got := run(t, l)
				slow := 0
				for _, x := range append(r.Ramp, r.Hold...) {
					if x.request == 0 || x.SentNS == r.EndNS {
						continue
					}
					slow++
					if least := min(c.wait, c.timeout); x.Outcome != c.want || x.serviceNS() < int64(least) {
						t.Errorf("a request answered after %v is %v after %v", c.wait, x.Outcome, time.Duration(x.serviceNS()))
					}
				}
				if planted, _ := s.did(slow); slow != planted || slow == 0 {
					t.Errorf("%d were planted, %d are told of", planted, slow)
				}
				if c.want == Late && got.Lost() != 0 || c.want == TimedOut && got.Lost() < int64(slow) {
					t.Errorf("counted %v", got)
				}
			})
		}
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	for name, l := range loads("") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStub(t, nil)
			s.ln.Close()
			l.Requests[0].URL = s.url("/")
			if _, got := run(t, l); got[Refused]+got[Late] != got.Total() || got[Refused] == 0 {
				t.Errorf("a closed port: counted %v", got)
			}
		})
	}
}

// TestDiesInTheMiddle: once all clients are connected and ten requests answered,
// the server is gone. Each client then loses its connection once, in mid-request
// or between two, and is refused from then on.
func TestDiesInTheMiddle(t *testing.T) {
	t.Parallel()
	for name, l := range loads("") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStub(t, func(s *stub, n int, c net.Conn, _ *http.Request) bool {
				if n > 10 && len(s.open) == l.Clients {
					s.die()
					return false
				}
				return s.fine(c)
			})
			l.Requests[0].URL, l.Hold = s.url("/"), time.Second
			r, got := run(t, l)
			if _, answered := s.did(0); int64(answered) != got[Right]+got[Late]-r.Own.Unsent || got[Refused] == 0 || got[Refused]+got[Reset]+got[Right]+got[Late] != got.Total() {
				t.Errorf("%d were answered before it died, %d never sent; counted %v", answered, r.Own.Unsent, got)
			}
			if want := int64(l.Clients); got[Reset] != want {
				t.Errorf("%d connections were reset, %d clients had one", got[Reset], want)
			}
		})
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer string
		want   Outcome
	}{
		"with a length":             {fine, Right},
		"in chunks":                 {chunked, Right},
		"until the end":             {"HTTP/1.1 200 OK\r\n\r\n" + body, Right},
		"as of old":                 {"HTTP/1.0 200 OK\r\n\r\n" + body, Right},
		"after a hint":              {"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + fine, Right},
		"redirects aren't followed": {"HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 20\r\n\r\n" + body, Wrong},
		"no content":                {"HTTP/1.1 204 No Content\r\n\r\n", Wrong},
		"bad chunk":                 {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", Wrong},
		"no end of the trailer":     {chunked[:len(chunked)-2], Truncated},
		"nothing":                   {"", Reset},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStub(t, func(s *stub, _ int, conn net.Conn, _ *http.Request) bool {
				s.say(conn, c.answer)
				return false
			})
			l := Load{
				Requests: []Request{{URL: s.url("/"), Expect: Expect{Body: []byte(body)}}},
				Arrival:  Closed, Clients: 1, Hold: time.Second, Timeout: 20 * time.Second,
			}
			requests, _, err := l.prepare(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			// This load has no end: a busy machine may take its time.
			endless := &sender{Load: l, ctx: t.Context(), requests: requests, clock: newClock(), endNS: math.MaxInt64, lastNS: math.MaxInt64}
			client := endless.client()
			for range 3 {
				var got Sample
				if !endless.transact(client, &requests[0], &got) || got.Outcome != c.want {
					t.Errorf("got %+v, want %v", got, c.want)
				}
				client.close() // the stub leaves no connection open
			}
		})
	}
}

// TestSaturated: requests that are due while the only client is busy wait, and
// their latency grows from when they were due.
func TestSaturated(t *testing.T) {
	t.Parallel()
	s := newStub(t, func(s *stub, _ int, c net.Conn, _ *http.Request) bool {
		s.aloof(func() { time.Sleep(100 * time.Millisecond) })
		_, err := io.WriteString(c, fine)
		return err == nil
	})
	r, _ := run(t, Load{
		Requests: []Request{{URL: s.url("/")}}, Arrival: Constant, Rate: 100, Clients: 1,
		Hold: 500 * time.Millisecond, Timeout: time.Minute,
	})
	if len(r.Hold) != 50 || r.Own.Waited == 0 || r.Own.Unsent < 44 || len(r.Own.Words) == 0 {
		t.Errorf("50 requests at a server that takes 5: %d told of, %+v", len(r.Hold), r.Own)
	}
	if s := r.Hold[1]; s.LatencyNS() < int64(190*time.Millisecond) {
		t.Errorf("the second, due after 10 ms, waited for the first and then took 100 ms: its latency can't be %d ns", s.LatencyNS())
	}
}
