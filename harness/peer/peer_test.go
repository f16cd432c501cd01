package peer

import (
	"encoding/binary"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// connect is a connection from dial to a listener of ours, our end first.
func connect(t *testing.T, dial func(port int) func()) net.Conn {
	t.Helper()
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	t.Cleanup(dial(ln.Addr().(*net.TCPAddr).Port))
	conn, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// socket connects over a socket of a family, with a user's rights, and returns
// what closes it.
func socket(t *testing.T, family, uid int) func(port int) func() {
	return func(port int) func() {
		fds := make(chan int)
		go func() {
			// The rights are the thread's, which ends with this goroutine.
			runtime.LockOSThread()
			fd := -1
			defer func() { fds <- fd }()
			if err := unix.Setfsuid(uid); err != nil {
				t.Error(err)
				return
			}
			var err error
			if fd, err = unix.Socket(family, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0); err != nil {
				t.Error(err)
				return
			}
			var to unix.Sockaddr = &unix.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}
			if family == unix.AF_INET6 {
				to = &unix.SockaddrInet6{Port: port, Addr: netip.MustParseAddr("::ffff:127.0.0.1").As16()}
			}
			if err := unix.Connect(fd, to); err != nil {
				t.Error(err)
			}
		}()
		fd := <-fds
		return func() { unix.Close(fd) }
	}
}

func TestPeerIsOurselves(t *testing.T) {
	for name, family := range map[string]int{"IPv4": unix.AF_INET, "both": unix.AF_INET6} {
		t.Run(name, func(t *testing.T) {
			fd, err := unix.Socket(family, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
			if err != nil {
				t.Skipf("needs sockets of that family: %v", err)
			}
			unix.Close(fd)
			p, err := LookUp(connect(t, socket(t, family, os.Geteuid())))
			if err != nil || p.IsGone() || !p.IsOf(os.Geteuid()) || p.IsOf(os.Geteuid()+1) {
				t.Errorf("%+v, %v", p, err)
			}
			if !p.IsHeldBy(os.Getpid()) {
				t.Error("not held by this process")
			}
			sleep := exec.Command("sleep", "100")
			if err := sleep.Start(); err != nil {
				t.Skipf("needs the command sleep: %v", err)
			}
			defer sleep.Wait()
			defer sleep.Process.Kill()
			if p.IsHeldBy(sleep.Process.Pid) {
				t.Error("held by a process that has nothing to do with it")
			}
		})
	}
}

func TestPeerOfAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can connect as another user")
	}
	const nobody = 65534
	p, err := LookUp(connect(t, socket(t, unix.AF_INET, nobody)))
	if err != nil || !p.IsOf(nobody) || p.IsOf(0) {
		t.Errorf("%+v, %v: want user %d", p, err, nobody)
	}
}

func TestPeerIsGone(t *testing.T) {
	conn := connect(t, func(port int) func() {
		socket(t, unix.AF_INET, os.Geteuid())(port)()
		return func() {}
	})
	p, err := LookUp(conn)
	if err != nil || !p.IsGone() || p.IsOf(0) || p.IsOf(os.Geteuid()) || p.IsHeldBy(os.Getpid()) {
		t.Errorf("%+v, %v: want nobody", p, err)
	}
}

func TestNoTCP(t *testing.T) {
	ours, theirs := net.Pipe()
	defer ours.Close()
	defer theirs.Close()
	if _, err := LookUp(ours); err == nil {
		t.Error("a pipe has a peer")
	}
}

func TestSpelt(t *testing.T) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		t.Skip("the examples are those of a little-endian machine")
	}
	a := netip.MustParseAddrPort("127.0.0.1:4711")
	if got := spelt(a, false); got != "0100007F:1267" {
		t.Error(got)
	}
	if got := spelt(a, true); got != "0000000000000000FFFF00000100007F:1267" {
		t.Error(got)
	}
}
