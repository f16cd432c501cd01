package load

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"time"

	"moobench/results"
)

// most bounds the requests of an open loop: their schedule is computed beforehand, at 40 bytes each.
const most = 100_000_000

// prepared is a request ready to be written to a connection.
type prepared struct {
	name    string
	wire    []byte
	request *http.Request // its method decides whether the answer has a body
	address string        // IP and port
	expect  Expect
}

// check returns all faults of the load, except those of its URLs.
func (l Load) check() error {
	var errs []error
	refuse := func(wrong bool, format string, args ...any) {
		if wrong {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	refuse(len(l.Requests) == 0, "there is no request: give at least one")
	refuse(l.Clients < 1, "there are %d clients: at least one is needed", l.Clients)
	refuse(l.Hold <= 0, "a load held for %v sends nothing: hold it for longer than 0", l.Hold)
	refuse(l.Timeout <= 0, "a timeout of %v answers nothing: it must be over 0", l.Timeout)
	refuse(l.Think < 0 || l.Ramp < 0 || l.LateAfter < 0,
		"think %v, ramp %v, late after %v: none can be below 0", l.Think, l.Ramp, l.LateAfter)
	switch l.Arrival {
	case Closed:
	case Constant, Poisson:
		refuse(!(l.Rate > 0) || math.IsInf(l.Rate, 0),
			"a rate of %v requests per second can't be sent: it must be over 0", l.Rate)
		refuse(l.expected() > most,
			"%.0f requests are more than can be planned (%d): lower the rate, or hold it for less", l.expected(), most)
	default:
		refuse(true, "arrival %q is unknown: take %q, %q or %q", l.Arrival, Closed, Constant, Poisson)
	}
	for _, r := range l.Requests {
		refuse(r.Weight < 0, "request %s: a weight of %d is below 0", r.label(), r.Weight)
	}
	for _, a := range l.Aside {
		refuse(a.Every <= 0,
			"request %s, aside: every %v is not a distance: it must be over 0", a.Request.label(), a.Every)
	}
	return errors.Join(errs...)
}

func (r Request) label() string {
	return cmp.Or(r.Name, cmp.Or(r.Method, http.MethodGet)+" "+r.URL)
}

// prepare encodes the requests.
func (l Load) prepare(ctx context.Context) (load, aside []prepared, err error) {
	errs := []error{l.check()}
	add := func(to *[]prepared, r Request) {
		p, err := r.prepare(ctx, l)
		if err != nil {
			errs = append(errs, fmt.Errorf("request %s: %w", r.label(), err))
			return
		}
		*to = append(*to, p)
	}
	for _, r := range l.Requests {
		add(&load, r)
	}
	for _, a := range l.Aside {
		add(&aside, a.Request)
	}
	for _, p := range load {
		if p.address != load[0].address {
			errs = append(errs, fmt.Errorf("request %s goes to %s and request %s to %s: a load has one server",
				load[0].name, load[0].address, p.name, p.address))
			break
		}
	}
	return load, aside, errors.Join(errs...)
}

func (r Request) prepare(ctx context.Context, l Load) (prepared, error) {
	req, err := http.NewRequest(cmp.Or(r.Method, http.MethodGet), r.URL, bytes.NewReader(r.Body))
	if err != nil {
		return prepared{}, err
	}
	if req.URL.Scheme != "http" {
		return prepared{}, fmt.Errorf("the scheme is %q: only http is sent", req.URL.Scheme)
	}
	if u := req.URL.User; u != nil {
		return prepared{}, errors.New("the URL holds a user: put it into a header, Authorization")
	}
	address, err := resolve(ctx, req.URL, l.Timeout)
	if err != nil {
		return prepared{}, err
	}
	req.Header = http.Header{"User-Agent": {"moobench"}}
	for name, values := range r.Header {
		req.Header[http.CanonicalHeaderKey(name)] = values
	}
	req.Host = cmp.Or(req.Header.Get("Host"), req.Host)
	var wire bytes.Buffer
	if err := req.Write(&wire); err != nil {
		return prepared{}, err
	}
	return prepared{name: r.label(), wire: wire.Bytes(), request: req, address: address, expect: r.Expect}, nil
}

// resolve returns IP and port of a URL. A name may have several addresses, and the server may listen on only one:
// the first that accepts a connection counts.
func resolve(ctx context.Context, u *url.URL, timeout time.Duration) (string, error) {
	if u.Hostname() == "" {
		return "", errors.New("the URL has no host: 127.0.0.1, say")
	}
	ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", u.Hostname())
	if err != nil {
		return "", fmt.Errorf("looking up the host: %w", err)
	}
	if i := slices.IndexFunc(ips, func(ip netip.Addr) bool { return !ip.Unmap().IsLoopback() }); i >= 0 {
		return "", fmt.Errorf("host %s is %s, which is not this machine: load is sent to 127.0.0.0/8 and ::1 only",
			u.Hostname(), ips[i])
	}
	port := cmp.Or(u.Port(), "80")
	addresses := results.Each(ips, func(ip netip.Addr) string { return net.JoinHostPort(ip.Unmap().String(), port) })
	if len(addresses) == 1 {
		return addresses[0], nil
	}
	dialer := net.Dialer{Timeout: timeout}
	for _, address := range addresses {
		if conn, err := dialer.DialContext(ctx, "tcp", address); err == nil {
			conn.Close()
			return address, nil
		}
	}
	return addresses[0], nil
}
