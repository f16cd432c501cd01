// Package peer identifies the other end of a TCP connection within this machine. Linux only.
package peer

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"moobench/harness/proc"
)

// Peer is the other end of a connection.
type Peer struct {
	uid   int
	inode string // of its socket; "" if closed
}

// tables are the kernel's lists of sockets. A socket opened for both address families is in the
// second table, even if it uses IPv4.
var tables = []string{"/proc/net/tcp", "/proc/net/tcp6"}

// LookUp looks up the other end of a loopback connection.
func LookUp(conn net.Conn) (Peer, error) {
	ours, isTCP := conn.LocalAddr().(*net.TCPAddr)
	theirs, areTCP := conn.RemoteAddr().(*net.TCPAddr)
	if !isTCP || !areTCP {
		return Peer{}, fmt.Errorf("looking up who connected: %v is not a TCP address", conn.RemoteAddr())
	}
	for _, table := range tables {
		p, found, err := find(table, theirs.AddrPort(), ours.AddrPort())
		if err != nil && !os.IsNotExist(err) { // a kernel without IPv6 has no table of it
			return Peer{}, fmt.Errorf("looking up who connected: %w", err)
		}
		if found {
			return p, nil
		}
	}
	return Peer{}, nil
}

// IsGone reports whether the other end was closed before it was looked up, so that its owner is unknown.
func (p Peer) IsGone() bool { return p.inode == "" }

// IsOf reports whether the other end belongs to a user. A closed one belongs to nobody.
func (p Peer) IsOf(uid int) bool { return !p.IsGone() && p.uid == uid }

// IsHeldBy reports whether a process has the other end open; false if the process's open files
// cannot be read.
func (p Peer) IsHeldBy(pid int) bool {
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	entries, err := os.ReadDir(dir)
	if err != nil || p.IsGone() {
		return false
	}
	want := "socket:[" + p.inode + "]"
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		link, err := os.Readlink(filepath.Join(dir, e.Name()))
		return err == nil && link == want
	})
}

// find looks for the socket bound to one address and connected to another.
func find(table string, bound, connected netip.AddrPort) (p Peer, found bool, err error) {
	f, err := os.Open(table)
	if err != nil {
		return Peer{}, false, err
	}
	defer f.Close()
	wide := strings.HasSuffix(table, "6")
	want := [2]string{spelt(bound, wide), spelt(connected, wide)}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		const local, remote, uid, inode = 1, 2, 7, 9
		field := strings.Fields(lines.Text())
		if len(field) <= inode || field[local] != want[0] || field[remote] != want[1] {
			continue
		}
		if field[inode] == "0" { // closed by all processes: its user is listed as root
			return Peer{}, true, nil
		}
		n, err := strconv.Atoi(field[uid])
		return Peer{uid: n, inode: field[inode]}, true, err
	}
	return Peer{}, false, lines.Err()
}

// Listeners returns the sockets that listen on a port of this machine, at any address.
func Listeners(port int) ([]Peer, error) {
	var all []Peer
	for _, table := range tables {
		f, err := os.Open(table)
		if errors.Is(err, fs.ErrNotExist) { // a kernel without IPv6 has no table of it
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("looking up who listens on port %d: %w", port, err)
		}
		found, err := listening(f, port)
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("looking up who listens on port %d: %w", port, err)
		}
		all = append(all, found...)
	}
	return all, nil
}

// listening returns the sockets of a table that listen on a port.
func listening(table io.Reader, port int) ([]Peer, error) {
	const local, state, uid, inode, listens = 1, 3, 7, 9, "0A"
	end := fmt.Sprintf(":%04X", port)
	var all []Peer
	lines := bufio.NewScanner(table)
	for lines.Scan() {
		field := strings.Fields(lines.Text())
		if len(field) <= inode || field[state] != listens || !strings.HasSuffix(field[local], end) {
			continue
		}
		n, err := strconv.Atoi(field[uid])
		if err != nil {
			return nil, err
		}
		all = append(all, Peer{uid: n, inode: field[inode]})
	}
	return all, lines.Err()
}

// spelt returns an address in the kernel's notation: 32-bit words in native byte order, and the port.
func spelt(a netip.AddrPort, wide bool) string {
	ip := a.Addr().Unmap().AsSlice()
	if wide {
		ip = netip.AddrFrom16(a.Addr().As16()).AsSlice()
	}
	var b strings.Builder
	for ; len(ip) >= 4; ip = ip[4:] {
		fmt.Fprintf(&b, "%08X", binary.NativeEndian.Uint32(ip))
	}
	fmt.Fprintf(&b, ":%04X", a.Port())
	return b.String()
}

// UID returns the user that the other end belongs to, or -1 if it is closed.
func (p Peer) UID() int {
	if p.IsGone() {
		return -1
	}
	return p.uid
}

// IsHeldBelow reports whether a process or one of its descendants has the other end open. If
// none is found, unseen means that the open files of some process could not be read, and that
// it belongs to the other end's user.
func (p Peer) IsHeldBelow(root int) (held, unseen bool) {
	for _, pid := range proc.Families(func(pid int) bool { return pid == root }) {
		if p.IsHeldBy(pid) {
			return true, false
		}
		if f, err := os.Open(fmt.Sprintf("/proc/%d/fd", pid)); err == nil {
			f.Close()
		} else if !errors.Is(err, fs.ErrNotExist) { // otherwise it has ended
			unseen = unseen || p.isLikely(pid)
		}
	}
	return false, unseen
}

// isLikely reports whether a process shares a user ID with the other end. User IDs are readable
// by everybody, unlike open files.
func (p Peer) isLikely(pid int) bool {
	ids := proc.Status(pid, "Uid:")
	return ids == nil || slices.Contains(ids, strconv.Itoa(p.uid))
}
