package load

import (
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// TestOnce: each request is asked once, and what is wrong with the first wrong answer is said
// with what came.
func TestOnce(t *testing.T) {
	for name, c := range map[string]struct {
		expect Expect
		fault  func(*stub, net.Conn) bool
		want   string
	}{
		"right":           {Expect{Status: 200, Body: []byte(body)}, nil, ""},
		"another body":    {Expect{Body: []byte("That is")}, nil, "GET /b: the body is not That is; it was " + body},
		"no match":        {Expect{Pattern: regexp.MustCompile(`(?m)"sum": \d+`)}, nil, `GET /b: the body does not match "sum": \d+; it was ` + body},
		"no body":         {Expect{Status: 200}, func(s *stub, c net.Conn) bool { return s.say(c, "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n") }, "GET /b: status 500, expected 200; it was empty"},
		"no answer":       {Expect{Status: 200}, func(*stub, net.Conn) bool { return false }, ""},
		"no HTTP, at all": {Expect{Status: 200}, func(s *stub, c net.Conn) bool { return s.say(c, "what?\r\n\r\n") }, "GET /b: malformed HTTP response"},
	} {
		s := newStub(t, func(s *stub, _ int, conn net.Conn, r *http.Request) bool {
			if c.fault != nil && r.URL.Path == "/b" {
				return c.fault(s, conn)
			}
			return s.say(conn, fine)
		})
		l := loads("")["closed"]
		l.Requests = []Request{{Name: "GET /a", URL: s.url("/a")}, {Name: "GET /b", URL: s.url("/b"), Expect: c.expect}, {URL: s.url("/c")}}
		got := ""
		if err := Once(t.Context(), l); err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if s.mu.Lock(); s.n != 3 && c.want == "" {
			t.Errorf("%s: %d were asked", name, s.n)
		}
		s.mu.Unlock()
	}
}
