package receiver

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// Fault is the name of one of results.Faults; "": none. A record that the receiver does not accept does not count.
type Fault string

// The faults described in results.Faults. All end when the subject is gone.
const (
	refused Fault = "refuse"
	hung    Fault = "hang"
	slow    Fault = "slow"
	reset   Fault = "reset"
	failing Fault = "status"
)

const (
	slowRead  = 64 << 10
	slowPause = 20 * time.Millisecond
)

// refusing occupies a port without listening on it.
type refusing struct {
	passive
	fd   int
	port int
}

func refuse() (*refusing, error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("keep a port: %w", err)
	}
	r := &refusing{fd: fd}
	err = unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}})
	var at unix.Sockaddr
	if err == nil {
		at, err = unix.Getsockname(fd)
	}
	if in, ok := at.(*unix.SockaddrInet4); ok {
		r.port = in.Port
	}
	if err != nil {
		r.Close()
		return nil, fmt.Errorf("keep a port: %w", err)
	}
	return r, nil
}

// Vars implements Source.
func (r *refusing) Vars() map[string]string { return map[string]string{"port": strconv.Itoa(r.port)} }

// Finish implements Source.
func (r *refusing) Finish(context.Context) (Tally, error) { return Tally{}, r.Close() }

// Close implements Source.
func (r *refusing) Close() error {
	if r.fd < 0 {
		return nil
	}
	err := unix.Close(r.fd)
	r.fd = -1
	return err
}

// withhold keeps a connection open without reading, or resets it.
func (n *network) withhold(c *conn) {
	defer c.Close()
	if n.fault == reset {
		if tcp, ok := c.Conn.(*net.TCPConn); ok {
			_, _ = tcp.Read(make([]byte, 1))
			_ = tcp.SetLinger(0)
		}
		return
	}
	<-n.ending
}

// dawdle waits before a read, and returns the part of the buffer to fill.
func (n *network) dawdle(p []byte) []byte {
	select {
	case <-n.ending:
		return p
	case <-time.After(slowPause):
		return p[:min(len(p), slowRead)]
	}
}
