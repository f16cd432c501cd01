package load

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"
)

const (
	body = "This is the response"
	fine = "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n" + body
)

// stub is a server that can lie. Requests are numbered from 1 and answered one
// after another, so that what it did is known exactly.
type stub struct {
	t      *testing.T
	ln     net.Listener
	answer func(s *stub, n int, c net.Conn, r *http.Request) (again bool)

	mu       sync.Mutex // guards what follows
	n        int
	open     map[net.Conn]bool
	answered int // with fine
	planted  int
	dead     bool
	headers  []http.Header
}

// newStub serves until the test ends.
func newStub(t *testing.T, answer func(s *stub, n int, c net.Conn, r *http.Request) bool) *stub {
	t.Helper()
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &stub{t: t, ln: ln, answer: answer, open: map[net.Conn]bool{}}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.open[c] = true
			s.mu.Unlock()
			serving.Go(func() { s.serve(c) })
		}
	})
	t.Cleanup(func() {
		s.mu.Lock()
		s.die()
		s.mu.Unlock()
		serving.Wait()
	})
	return s
}

func (s *stub) serve(c net.Conn) {
	defer c.Close()
	in := bufio.NewReader(c)
	for again := true; again; {
		r, err := http.ReadRequest(in)
		if err != nil {
			break
		}
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			break
		}
		s.mu.Lock()
		s.n++
		if s.n == 1 {
			s.headers = append(s.headers, r.Header)
		}
		again = !s.dead && s.answer(s, s.n, c, r) && !r.Close
		s.mu.Unlock()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, c)
}

// fine answers rightly.
func (s *stub) fine(c net.Conn) bool {
	s.answered++
	return s.say(c, fine)
}

func (s *stub) say(c net.Conn, answer string) bool {
	_, err := io.WriteString(c, answer)
	return err == nil
}

// did returns how many faults it planted and how many right answers it gave,
// once the faults are as many: what nobody waits for any more, it may have yet
// to read.
func (s *stub) did(faults int) (planted, answered int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for deadline := time.Now().Add(20 * time.Second); s.planted < faults && time.Now().Before(deadline); {
		s.aloof(func() { time.Sleep(time.Millisecond) })
	}
	return s.planted, s.answered
}

// die closes the listener and all connections at once.
func (s *stub) die() {
	s.dead = true
	s.ln.Close()
	for c := range s.open {
		c.Close()
	}
}

// aloof lets other requests be answered while this one waits.
func (s *stub) aloof(wait func()) {
	s.mu.Unlock()
	wait()
	s.mu.Lock()
}

func (s *stub) url(path string) string { return "http://" + s.ln.Addr().String() + path }

// every plants a fault in every twentieth request.
func every(fault func(s *stub, c net.Conn) bool) func(*stub, int, net.Conn, *http.Request) bool {
	return func(s *stub, n int, c net.Conn, _ *http.Request) bool {
		if n%20 != 0 {
			return s.fine(c)
		}
		s.planted++
		return fault(s, c)
	}
}

func abort(c net.Conn) bool {
	c.(*net.TCPConn).SetLinger(0)
	return false
}

// loads are the ways to send: one for each arrival. Each sends a few hundred
// requests.
func loads(url string) map[string]Load {
	all := map[string]Load{}
	for _, arrival := range []Arrival{Closed, Constant, Poisson} {
		l := Load{
			Requests: []Request{{URL: url, Expect: Expect{Status: 200, Body: []byte(body)}}},
			Arrival:  arrival, Clients: 4, Rate: 2000, Ramp: 50 * time.Millisecond, Hold: 150 * time.Millisecond,
			Timeout: 20 * time.Second, Seed: 7,
		}
		if arrival == Closed {
			l.Think = time.Millisecond
		}
		all[string(arrival)] = l
	}
	return all
}
