package peer

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	"moobench/refusal"
)

// CheckURL returns an error unless s is an http URL on this machine. {port} in it stands for a port.
func CheckURL(s string) error {
	u, err := url.Parse(strings.ReplaceAll(s, "{port}", "1"))
	if err != nil || u.Scheme != "http" || u.Host == "" {
		return refusal.New(fmt.Errorf("%q is not an http URL", s), `such as "http://127.0.0.1:{port}/health"`)
	}
	if ip, err := netip.ParseAddr(u.Hostname()); u.Hostname() != "localhost" && (err != nil || !ip.IsLoopback()) {
		return refusal.New(fmt.Errorf("%q is not on this machine", u.Hostname()), "moobench sends to 127.0.0.1 only")
	}
	return nil
}
