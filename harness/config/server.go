package config

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"moobench/harness/peer"
	"moobench/harness/strict"
	"moobench/refusal"
)

// Server describes how the program of section [server] becomes ready, and the requests sent to it.
type Server struct {
	Ready    string        // URL that answers with 2xx once the server is up; may hold {port}
	Within   time.Duration // limit for becoming ready; 0: see Limit
	Requests []Request     // at least one
}

// Request is one [[server.request]], drawn at random by its weight.
type Request struct {
	Name    string // unique; by default method and path, such as "GET /path"
	Method  string
	URL     string   // may hold {port}
	Headers []string // "Name: value"
	Body    string
	Weight  int // at least 1

	// The expected answer.
	Status  int            // 200 by default
	Expect  *string        // the exact body; nil: not compared
	Pattern *regexp.Regexp // must match the body; nil: anything does
}

const maxWeight = 1_000_000

const (
	usualWithin   = time.Minute
	timesItsStart = 5
)

// Limit returns the time within which the server must be ready: Within if it is set, and otherwise
// a minute or five times took, whichever is more. took is the measured start time, 0 if unknown.
func (s Server) Limit(took time.Duration) time.Duration {
	if s.Within > 0 {
		return s.Within
	}
	return max(usualWithin, timesItsStart*took)
}

// On returns the server with {port} filled in.
func (s Server) On(port int) Server {
	s.Ready = onPort(s.Ready, port)
	s.Requests = slices.Clone(s.Requests)
	for i := range s.Requests {
		s.Requests[i].URL = onPort(s.Requests[i].URL, port)
	}
	return s
}

// onPort fills in {port} and undoubles braces.
func onPort(template string, port int) string {
	return token.ReplaceAllStringFunc(template, func(t string) string {
		switch t {
		case "{{", "}}":
			return t[:1]
		case "{" + PortPlaceholder + "}":
			return strconv.Itoa(port)
		}
		return t
	})
}

// server describes the section [server].
func (r *reader) server(s *Program) strict.Table {
	return strict.NewTable("A server of your own. It must stay in the foreground.", append(r.programKeys(s),
		strict.NewKey("ready", strict.Func("URL", &s.Ready, address),
			"URL on this machine that answers with 2xx once the server is up; may hold {port}").Must().Like("http://127.0.0.1:{port}/health"),
		strict.NewKey("within", span(&s.Within), "start-up timeout; by default a minute, or five times "+
			"what it took when it was tried without an agent, if that is longer").Like("10min"),
		strict.NewKey("request", strict.Tables(&s.Requests, s.request), "a request to send; at least one"))...,
	).Checked(func(v strict.Value) {
		if !v.Has("request") {
			v.Fail("add [[server.request]] with url = …", "no request is given")
		}
		if list, ok := v.Key("request").Raw.([]any); ok && len(list) == 0 {
			v.Key("request").Fail("", "request is an empty list")
		}
	})
}

var methodName = regexp.MustCompile(`^[A-Z]+$`)

// request describes one [[server.request]].
func (s *Server) request(q *Request, _ strict.Value) strict.Table {
	method := func(v strict.Value) (string, bool) {
		name, ok := v.Line()
		if ok && !methodName.MatchString(name) {
			v.Fail("such as GET, POST, PUT, DELETE", "%q is not a method", name)
		}
		return name, ok
	}
	header := func(v strict.Value) (string, bool) {
		line, ok := v.Line()
		name, _, found := strings.Cut(line, ":")
		if ok && (!found || strings.TrimSpace(name) == "" || strings.ContainsAny(name, " \t")) {
			v.Fail(`such as "Accept: text/html"`, "%q is not a header", line)
		}
		return line, ok
	}
	whole := func(v strict.Value) (*string, bool) {
		body, ok := v.Any()
		return &body, ok
	}
	return strict.NewTable("A request to the server, drawn at random by its weight, and what its right answer is.",
		strict.NewKey("name", strict.String(&q.Name),
			"its name, which tells it from others; by default method and path").Like("cart"),
		strict.NewKey("url", strict.Func("URL", &q.URL, address),
			"where it is sent to, on this machine; may hold {port}").Must().Like("http://127.0.0.1:{port}/cart"),
		strict.NewKey("method", strict.Func("string", &q.Method, method), "HTTP method").Or(http.MethodGet),
		strict.NewKey("headers", strict.Strings(&q.Headers, header), "headers").Like([]string{"Accept: text/html"}),
		strict.NewKey("body", strict.Func("string", &q.Body, strict.Value.Any), "its body").Like(`{"item": 17}`),
		strict.NewKey("weight", strict.Int(&q.Weight, 1, maxWeight),
			"how often it is sent, among the other requests").Or(1),
		strict.NewKey("status", strict.Int(&q.Status, 200, 599), "status of a right answer").Or(http.StatusOK),
		strict.NewKey("expect", strict.Func("string", &q.Expect, whole),
			"whole body of a right answer; by default not compared").Like("OK"),
		strict.NewKey("match", strict.Func("regular expression", &q.Pattern, expression),
			"what the body of a right answer must match; ^ and $ match at the ends of each line").Like(`"total": \d+`),
	).Checked(func(v strict.Value) {
		if u, err := url.Parse(onPort(q.URL, 1)); q.Name == "" && err == nil {
			q.Name = q.Method + " " + u.RequestURI()
		}
		if q.URL != "" && slices.ContainsFunc(s.Requests, func(o Request) bool { return o.Name == q.Name }) {
			v.Fail(`tell them apart: name = "…"`, "a second request is called %q", q.Name)
		}
	})
}

// address reads a URL on this machine, which may hold {port}.
func address(v strict.Value) (string, bool) {
	s, ok := v.Line()
	if !ok || !placeholders(v, s, PortPlaceholder) {
		return "", false
	}
	if err := peer.CheckURL(s); err != nil {
		v.Fail(refusal.Do(err), "%s: %v", v.Name(), err)
		return "", false
	}
	return s, true
}
