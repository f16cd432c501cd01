package peer

import (
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moobench/refusal"
)

// TestFind: the socket with both addresses is found, and lines that are too short are not read.
func TestFind(t *testing.T) {
	bound, connected := netip.MustParseAddrPort("127.0.0.1:4711"), netip.MustParseAddrPort("127.0.0.1:80")
	here, there := spelt(bound, false), spelt(connected, false)
	line := func(local, remote, uid, inode string) string {
		return "   0: " + local + " " + remote + " 01 0:0 0:0 0 " + uid + " 0 " + inode + "\n"
	}
	for name, c := range map[string]struct {
		table string
		want  Peer
		found bool
		fails bool
	}{
		"empty":             {"", Peer{}, false, false},
		"it":                {line(here, there, "7", "42"), Peer{7, "42"}, true, false},
		"after others":      {line(there, here, "8", "41") + line(here, there, "7", "42"), Peer{7, "42"}, true, false},
		"from elsewhere":    {line(there, there, "7", "42"), Peer{}, false, false},
		"to elsewhere":      {line(here, here, "7", "42"), Peer{}, false, false},
		"closed":            {line(here, there, "0", "0"), Peer{}, true, false},
		"cut off":           {strings.TrimSuffix(line(here, there, "7", "x"), "x\n"), Peer{}, false, false},
		"a user of letters": {line(here, there, "x", "42"), Peer{inode: "42"}, true, true},
	} {
		path := filepath.Join(t.TempDir(), "tcp")
		if err := os.WriteFile(path, []byte(c.table), 0o600); err != nil {
			t.Fatal(err)
		}
		got, found, err := find(path, bound, connected)
		if got != c.want || found != c.found || (err != nil) != c.fails {
			t.Errorf("%s: %+v, %t, %v", name, got, found, err)
		}
	}
	if _, found, err := find(filepath.Join(t.TempDir(), "gone"), bound, connected); found || !os.IsNotExist(err) {
		t.Errorf("without a table: %t, %v", found, err)
	}
}

// half is a connection of which one end alone has an address of TCP.
type half struct {
	net.Conn
	local, remote net.Addr
}

func (h half) LocalAddr() net.Addr  { return h.local }
func (h half) RemoteAddr() net.Addr { return h.remote }

func TestHalfTCP(t *testing.T) {
	tcp, other := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1}, &net.UnixAddr{Name: "x"}
	for _, conn := range []half{{local: tcp, remote: other}, {local: other, remote: tcp}} {
		if _, err := LookUp(conn); err == nil || !strings.Contains(err.Error(), "is not a TCP address") {
			t.Errorf("from %v to %v: %v", conn.local, conn.remote, err)
		}
	}
}

func TestCheckURL(t *testing.T) {
	for url, want := range map[string]string{
		"http://127.0.0.1:{port}/health": "", "http://localhost/": "", "http://[::1]:80": "",
		"http://127.9.9.9/x?a=b": "",
		"https://127.0.0.1/":     "is not an http URL", "127.0.0.1/": "is not an http URL", "http:///x": "is not an http URL",
		"http://127.0.0.1:x/": "is not an http URL", "": "is not an http URL", "//127.0.0.1/": "is not an http URL",
		"http://10.0.0.1/": `"10.0.0.1" is not on this machine`, "http://example.com/": "is not on this machine",
		"http://localhost.example.com/": "is not on this machine", "http://[::2]/": `"::2" is not on this machine`,
	} {
		err := CheckURL(url)
		if err == nil && want == "" {
			continue
		}
		if err == nil || want == "" || !strings.Contains(err.Error(), want) || refusal.Do(err) == "" {
			t.Errorf("%q: %v, want %q", url, err, want)
		}
	}
}
