package config

import (
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	defaultWithin = time.Minute
	maxWeight     = 1_000_000
)

// On is the server whose URLs have {port} filled in.
func (s Server) On(port int) Server {
	s.Ready = onPort(s.Ready, port)
	s.Requests = slices.Clone(s.Requests)
	for i := range s.Requests {
		s.Requests[i].URL = onPort(s.Requests[i].URL, port)
	}
	return s
}

// onPort fills in {port}; doubled braces become single ones.
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

// server reads the section [server].
func (r *reader) server(v any, at []any) *Server {
	s := &Server{Within: defaultWithin}
	keys := r.program(&s.Program)
	keys["ready"] = func(v any, at []any) { s.Ready = r.address(v, at) }
	keys["within"] = func(v any, at []any) { s.Within = r.span(v, at) }
	keys["request"] = func(v any, at []any) { s.Requests = r.requests(v, at) }
	r.table(v, at, keys, "run", "ready")
	if table, ok := v.(map[string]any); ok && table["request"] == nil {
		r.fail(at, "add [[server.request]] with url = …", "the server is asked for nothing: there is no request")
	}
	return s
}

func (r *reader) requests(v any, at []any) []Request {
	if _, single := v.(map[string]any); single {
		r.fail(at, "write [[server.request]]", "[server.request] is one table, a server has a list of them")
		return nil
	}
	list := r.list(v, at)
	if list != nil && len(list) == 0 {
		r.fail(at, "", "%s is an empty list", nameOf(at))
	}
	var all []Request
	for i, raw := range list {
		q := r.request(raw, under(at, i))
		if first := slices.IndexFunc(all, func(o Request) bool { return o.Name == q.Name }); first >= 0 && q.URL != "" {
			r.fail(under(at, i), `tell them apart: name = "…"`, "a second request is called %q", q.Name)
		}
		all = append(all, q)
	}
	return all
}

// method is the name of an HTTP method.
var method = regexp.MustCompile(`^[A-Z]+$`)

func (r *reader) request(v any, at []any) Request {
	q := Request{Method: http.MethodGet, Weight: 1, Status: http.StatusOK}
	r.table(v, at, fields{
		"name": func(v any, at []any) { q.Name = r.text(v, at) },
		"url":  func(v any, at []any) { q.URL = r.address(v, at) },
		"method": func(v any, at []any) {
			q.Method = r.text(v, at)
			if q.Method != "" && !method.MatchString(q.Method) {
				r.fail(at, "such as GET, POST, PUT, DELETE", "%q is no method", q.Method)
			}
		},
		"headers": func(v any, at []any) { q.Headers = r.headers(v, at) },
		"body":    func(v any, at []any) { q.Body = r.anyText(v, at) },
		"weight":  func(v any, at []any) { q.Weight = int(r.integer(v, at, 1, maxWeight)) },
		"status":  func(v any, at []any) { q.Status = int(r.integer(v, at, 200, 599)) },
		"expect": func(v any, at []any) {
			body := r.anyText(v, at)
			q.Expect = &body
		},
		"match": func(v any, at []any) { q.Pattern = r.expression(v, at) },
	}, "url")
	if u, err := url.Parse(onPort(q.URL, 1)); q.Name == "" && err == nil {
		q.Name = q.Method + " " + u.RequestURI()
	}
	return q
}

// headers are "Name: value" each.
func (r *reader) headers(v any, at []any) []string {
	all := r.texts(v, at)
	for i, h := range all {
		name, _, found := strings.Cut(h, ":")
		if h != "" && (!found || strings.TrimSpace(name) == "" || strings.ContainsAny(name, " \t")) {
			r.fail(under(at, i), `such as "Accept: text/html"`, "%q is no header", h)
		}
	}
	return all
}

// address is the URL of something on this machine, which may hold {port}.
func (r *reader) address(v any, at []any) string {
	s := r.text(v, at)
	if s == "" {
		return ""
	}
	before := len(r.errs)
	if r.placeholders(s, at, PortPlaceholder); len(r.errs) > before {
		return ""
	}
	u, err := url.Parse(onPort(s, 1))
	switch {
	case err != nil || u.Scheme != "http" || u.Host == "":
		r.fail(at, `such as "http://127.0.0.1:{port}/health"`, "%s: %q is no http URL", nameOf(at), s)
	case !loopback(u.Hostname()):
		r.fail(at, "moobench sends to 127.0.0.1 only", "%s: %q is not on this machine", nameOf(at), u.Hostname())
	default:
		return s
	}
	return ""
}

// loopback says whether a host is this machine itself.
func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}
