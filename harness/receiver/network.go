package receiver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

const (
	anyPort = "127.0.0.1:0"
	// quiet is how long connections may stay open without a byte after the
	// subject is gone: what it sent lies in the kernel, and comes at once.
	quiet = 5 * time.Second
	// errorsKept bounds what a hostile peer can make us remember.
	errorsKept = 8
)

// network is a listener on loopback, its connections and what they brought.
// The wire formats are in serve.
type network struct {
	*arrivals
	ln    *net.TCPListener
	serve func(*conn) // owns the conn and closes it
	quiet time.Duration

	bytes     atomic.Int64
	accepting sync.WaitGroup

	mu     sync.Mutex
	open   map[*conn]struct{}
	errs   []error
	closed bool
}

// conn counts the bytes it reads, and tells network when it is closed.
type conn struct {
	net.Conn
	n    *network
	once sync.Once
}

func (c *conn) Read(p []byte) (int, error) {
	k, err := c.Conn.Read(p)
	c.n.bytes.Add(int64(k))
	return k, err
}

func (c *conn) Close() error {
	err := c.Conn.Close()
	c.once.Do(func() {
		c.n.mu.Lock()
		delete(c.n.open, c)
		c.n.mu.Unlock()
	})
	return err
}

func listen(ctx context.Context, address string) (*network, error) {
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp4", address)
	switch {
	case errors.Is(err, unix.EADDRINUSE):
		return nil, fmt.Errorf("listen on %s: the port is in use by another program: %w", address, err)
	case err != nil:
		return nil, fmt.Errorf("listen on %s: %w", address, err)
	}
	return &network{arrivals: newArrivals(), ln: ln.(*net.TCPListener), quiet: quiet, open: map[*conn]struct{}{}}, nil
}

// start accepts connections and gives each to serve in its own goroutine.
func (n *network) start(serve func(*conn)) {
	n.serve = serve
	n.accepting.Go(func() {
		for n.accept() == nil {
		}
	})
}

func (n *network) accept() error {
	tcp, err := n.ln.AcceptTCP()
	if err != nil {
		return err
	}
	c := &conn{Conn: tcp, n: n}
	n.mu.Lock()
	closed := n.closed
	if !closed {
		n.open[c] = struct{}{}
	}
	n.mu.Unlock()
	if closed {
		return tcp.Close()
	}
	go n.serve(c)
	return nil
}

// Vars implements Source.
func (n *network) Vars() map[string]string {
	return map[string]string{"port": strconv.Itoa(n.ln.Addr().(*net.TCPAddr).Port)}
}

// Mark implements Source.
func (n *network) Mark(endNS int64) { n.mark(endNS) }

// fail keeps an error for Finish.
func (n *network) fail(err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.errs) < errorsKept {
		n.errs = append(n.errs, err)
	}
}

// Finish implements Source: it takes the connections that the subject made
// and left behind, reads all to their end, and closes.
func (n *network) Finish(ctx context.Context) (Tally, error) {
	if err := n.acceptRest(); err != nil {
		n.fail(err)
	}
	if err := n.wait(ctx); err != nil {
		n.fail(err)
	}
	if err := n.Close(); err != nil {
		n.fail(fmt.Errorf("close the receiver: %w", err))
	}
	t := n.snapshot()
	t.Bytes = n.bytes.Load()
	n.mu.Lock()
	defer n.mu.Unlock()
	return t, errors.Join(n.errs...)
}

// acceptRest stops the accepting goroutine, then takes what the kernel still
// holds: a subject may connect, send and be gone before we were scheduled.
func (n *network) acceptRest() error {
	if err := n.ln.SetDeadline(time.Unix(1, 0)); err != nil {
		return fmt.Errorf("stop accepting connections: %w", err)
	}
	n.accepting.Wait()
	if err := n.ln.SetDeadline(time.Time{}); err != nil {
		return fmt.Errorf("accept the last connections: %w", err)
	}
	for n.pending() {
		if err := n.accept(); err != nil {
			return fmt.Errorf("accept the last connections: %w", err)
		}
	}
	return nil
}

// pending says whether accept would return at once.
func (n *network) pending() bool {
	raw, err := n.ln.SyscallConn()
	if err != nil {
		return false
	}
	ready := 0
	err = raw.Control(func(fd uintptr) {
		ready, _ = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 0)
	})
	return err == nil && ready > 0
}

// wait returns when all connections are closed, or says how many are not
// after a while without a byte.
func (n *network) wait(ctx context.Context) error {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	seen, since := n.bytes.Load(), time.Now()
	for {
		open := n.connections()
		if open == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for the end of %d connections: %w", open, ctx.Err())
		case <-tick.C:
		}
		if now := n.bytes.Load(); now != seen {
			seen, since = now, time.Now()
		}
		if time.Since(since) > n.quiet {
			return fmt.Errorf("%d connections are still open and silent %v after the subject was gone: another process holds them", open, n.quiet)
		}
	}
}

func (n *network) connections() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.open)
}

// Close implements Source.
func (n *network) Close() error {
	n.mu.Lock()
	if n.closed {
		n.mu.Unlock()
		return nil
	}
	n.closed = true
	var left []*conn
	for c := range n.open {
		left = append(left, c)
	}
	n.mu.Unlock()

	err := n.ln.Close()
	for _, c := range left {
		if e := c.Close(); !errors.Is(e, net.ErrClosed) { // it may end by itself meanwhile
			err = errors.Join(err, e)
		}
	}
	n.accepting.Wait()
	return err
}
