// Package peer finds out who is at the other end of a TCP connection within this machine.
// Linux only.
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
	inode string // of its socket, "" when that is closed
}

// tables are where the kernel lists the sockets: one that was opened for both families is
// in the second table, also when it speaks IPv4.
var tables = []string{"/proc/net/tcp", "/proc/net/tcp6"}

// LookUp looks up the other end of a connection over loopback.
func LookUp(conn net.Conn) (Peer, error) {
	ours, isTCP := conn.LocalAddr().(*net.TCPAddr)
	theirs, areTCP := conn.RemoteAddr().(*net.TCPAddr)
	if !isTCP || !areTCP {
		return Peer{}, fmt.Errorf("looking up who connected: %v is no TCP address", conn.RemoteAddr())
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

// IsGone reports whether the other end was closed before it was looked up, so that its
// owner is unknown.
func (p Peer) IsGone() bool { return p.inode == "" }

// IsOf reports whether the other end belongs to a user. One that is gone belongs to
// nobody.
func (p Peer) IsOf(uid int) bool { return !p.IsGone() && p.uid == uid }

// IsHeldBy reports whether a process has the other end open; false where its open files
// can't be seen.
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

// find finds the socket that is bound to one address and connected to another.
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
		if field[inode] == "0" { // nobody has it open any more, and its user reads as root
			return Peer{}, true, nil
		}
		n, err := strconv.Atoi(field[uid])
		return Peer{uid: n, inode: field[inode]}, true, err
	}
	return Peer{}, false, lines.Err()
}

// Listeners are the sockets that wait for connections to a port of this machine, whatever their
// addresses.
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

// listening are the sockets of a table that listen on a port.
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

// spelt is an address as the kernel lists it: words of 32 bits in the machine's own
// order, and the port.
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

// UID is the user that the other end belongs to, -1 when it is gone.
func (p Peer) UID() int {
	if p.IsGone() {
		return -1
	}
	return p.uid
}

// IsHeldBelow reports whether a process, or one that descends from it, has the other end
// open. Where none is found, unseen means that it may be among open files that can't be
// seen: those of a process of the same user.
func (p Peer) IsHeldBelow(root int) (held, unseen bool) {
	for _, pid := range proc.Families(func(pid int) bool { return pid == root }) {
		if p.IsHeldBy(pid) {
			return true, false
		}
		if f, err := os.Open(fmt.Sprintf("/proc/%d/fd", pid)); err == nil {
			f.Close()
		} else if !errors.Is(err, fs.ErrNotExist) { // else it has ended
			unseen = unseen || p.isLikely(pid)
		}
	}
	return false, unseen
}

// isLikely reports whether a process shares a user ID with the other end; everybody may
// read those, whoever owns its files.
func (p Peer) isLikely(pid int) bool {
	ids := proc.Status(pid, "Uid:")
	return ids == nil || slices.Contains(ids, strconv.Itoa(p.uid))
}
