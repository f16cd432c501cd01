package load

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestAside(t *testing.T) {
	t.Parallel()
	posts := 0
	s := newStub(t, func(s *stub, _ int, c net.Conn, r *http.Request) bool {
		if r.Method == http.MethodPost {
			posts++
			return s.say(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno")
		}
		return s.fine(c)
	})
	l := loads(s.url("/"))["constant"]
	l.Rate, l.Hold = 100, time.Second
	l.Aside = []Aside{{Every: 100 * time.Millisecond, Request: Request{Name: "toggle", Method: http.MethodPost, URL: s.url("/"), Body: []byte("x"), Expect: Expect{Body: []byte(body)}}}}
	r, got := run(t, l)
	s.did(0) // and is not doing any more
	if got.Lost() != 0 || len(r.Asides) != posts || posts == 0 || posts > 10 {
		t.Fatalf("%d were sent apart, %d told of; counted %v", posts, len(r.Asides), got)
	}
	if a := r.Asides[0]; a.Outcome != Wrong || a.intendedNS != r.BeginNS+int64(100*time.Millisecond) {
		t.Errorf("the load began at %d; the first sent apart is %+v", r.BeginNS, a)
	}
	if w := r.Wrong[0]; w.Request != "toggle" || w.Status != 200 || w.Body != "no" || w.AtNS != r.Asides[0].DoneNS {
		t.Errorf("kept %+v", w)
	}
}

func TestWrongAnswersAreShortened(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("0123456789", 100)
	s := newStub(t, func(s *stub, n int, c net.Conn, _ *http.Request) bool {
		return s.say(c, fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(long), long))
	})
	l := loads(s.url("/a"))["closed"]
	l.Requests[0].Expect = Expect{Pattern: regexp.MustCompile("^x")}
	r, got := run(t, l)
	if len(r.Wrong) != wrongKept || got[Wrong] < wrongKept {
		t.Fatalf("%d wrong answers, %d kept", got[Wrong], len(r.Wrong))
	}
	if w := r.Wrong[0]; w.Body != long[:wrongBytes] || w.Why != "the body does not match ^x" || w.Request != "GET "+s.url("/a") || w.AtNS == 0 {
		t.Errorf("kept %+v", w)
	}
}

func TestHeaders(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://192.0.2.1:1")
	s := newStub(t, func(s *stub, _ int, c net.Conn, r *http.Request) bool {
		if r.Host != "elsewhere" {
			return s.say(c, "HTTP/1.1 400 No\r\nContent-Length: 0\r\n\r\n")
		}
		return s.fine(c)
	})
	l := loads(s.url("/"))["closed"]
	l.Requests[0].Header = http.Header{"host": {"elsewhere"}, "X-Own": {"1", "2"}}
	if _, got := run(t, l); got.Lost() != 0 {
		t.Errorf("counted %v", got)
	}
	s.did(0) // and is not doing any more
	if h := s.headers[0]; h.Get("User-Agent") != "moobench" || len(h["X-Own"]) != 2 || h.Get("Connection") != "" {
		t.Errorf("sent %v", h)
	}
}

// TestLocalhost: the name may stand for two addresses; the stub has one.
func TestLocalhost(t *testing.T) {
	t.Parallel()
	if _, err := net.LookupHost("localhost"); err != nil {
		t.Skipf("needs the name localhost: %v", err)
	}
	s := newStub(t, func(s *stub, _ int, c net.Conn, _ *http.Request) bool { return s.fine(c) })
	l := loads(fmt.Sprintf("http://localhost:%d/", s.ln.Addr().(*net.TCPAddr).Port))["closed"]
	if _, got := run(t, l); got.Lost() != 0 || got.Total() == 0 {
		t.Errorf("counted %v", got)
	}
}

func TestCancelled(t *testing.T) {
	for name, l := range loads("") {
		t.Run(name, func(t *testing.T) {
			s := newStub(t, func(s *stub, n int, c net.Conn, _ *http.Request) bool {
				s.aloof(func() { <-t.Context().Done() })
				return false
			})
			l.Requests[0].URL, l.Hold, l.Timeout = s.url("/"), time.Hour, time.Hour
			l.Rate = 1000
			if l.Arrival != Closed {
				l.Hold = time.Minute
			}
			l.Aside = []Aside{{Every: time.Millisecond, Request: l.Requests[0]}}
			before := senders()
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			defer cancel()
			if _, err := Run(ctx, l); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got the error %v", err)
			}
			for deadline := time.Now().Add(20 * time.Second); senders() > before; time.Sleep(time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatalf("%d goroutines of the load are left", senders()-before)
				}
			}
		})
	}
}

// senders counts the goroutines that run this package's code, not its tests'.
func senders() (n int) {
	all := make([]byte, 1<<20)
	all = all[:runtime.Stack(all, true)]
	for stack := range strings.SplitSeq(string(all), "\n\n") {
		if strings.Contains(stack, "load.(*sender)") || strings.Contains(stack, "load.(*client)") {
			n++
		}
	}
	return n
}

func TestCheck(t *testing.T) {
	fine := func() Load { return loads("http://127.0.0.1:1/")["constant"] }
	for want, change := range map[string]func(*Load){
		"there is no request": func(l *Load) { l.Requests = nil },
		"there are 0 clients": func(l *Load) { l.Clients = 0 },
		"a load held for 0s":  func(l *Load) { l.Hold = 0 },
		"a timeout of 0s":     func(l *Load) { l.Timeout = 0 },
		"think -1s":           func(l *Load) { l.Think = -time.Second },
		"ramp -1s":            func(l *Load) { l.Ramp = -time.Second },
		"late after -1s":      func(l *Load) { l.LateAfter = -time.Second },
		"a rate of 0":         func(l *Load) { l.Rate = 0 },
		"lower the rate":      func(l *Load) { l.Rate = 1e12 },
		`arrival "bursts"`:    func(l *Load) { l.Arrival = "bursts" },
		"a weight of -1":      func(l *Load) { l.Requests[0].Weight = -1 },
		"every 0s":            func(l *Load) { l.Aside = []Aside{{Request: l.Requests[0]}} },
		"not this machine":    func(l *Load) { l.Requests[0].URL = "http://192.0.2.1/" },
		"has no host":         func(l *Load) { l.Requests[0].URL = "http:///" },
		`the scheme is "ftp"`: func(l *Load) { l.Requests[0].URL = "ftp://127.0.0.1/" },
		"Authorization":       func(l *Load) { l.Requests[0].URL = "http://me@127.0.0.1/" },
		"has one server":      func(l *Load) { l.Requests = append(l.Requests, Request{URL: "http://127.0.0.1:2/"}) },
		"invalid method":      func(l *Load) { l.Requests[0].Method = "A B" },
	} {
		l := fine()
		change(&l)
		if _, err := Run(t.Context(), l); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got the error %v, want %q in it", err, want)
		}
	}
	_, err := Run(t.Context(), Load{Arrival: Poisson})
	for _, want := range []string{"no request", "clients", "held", "timeout", "rate"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("an empty load: %q is not in the error %v", want, err)
		}
	}
}

func TestOwnFault(t *testing.T) {
	for err, want := range map[error]bool{
		&net.OpError{Op: "dial", Err: unix.EMFILE}:        true,
		&net.OpError{Op: "dial", Err: unix.EADDRNOTAVAIL}: true,
		&net.OpError{Op: "dial", Err: unix.ECONNREFUSED}:  false,
		context.Canceled: false,
		unix.ENFILE:      true,
		unix.ENOBUFS:     true,
		unix.ENOMEM:      true,
		nil:              false,
	} {
		if hint, got := ownFault(err); got != want || got != (hint != "") {
			t.Errorf("%v: our own fault %v, with the hint %q", err, got, hint)
		}
	}
}
