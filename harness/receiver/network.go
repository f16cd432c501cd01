package receiver

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"moobench/harness/peer"
)

const (
	anyPort = "127.0.0.1:0"
	// quiet is the longest accepted silence of an open connection after the subject is gone: its data is already
	// in the kernel, and arrives at once.
	quiet = 5 * time.Second
	// errorsKept bounds the memory that a hostile peer can make us use for errors.
	errorsKept = 8
	// connectionsMost bounds the open connections. Agents open one or a few; each costs us memory.
	connectionsMost = 64
	// acceptPause is the wait after a failure to accept a connection, such as with all descriptors in use.
	acceptPause = 10 * time.Millisecond
)

// network is a loopback listener with its connections and the arrivals counted from them. serve knows the wire
// format.
type network struct {
	*arrivals
	ln    *net.TCPListener
	serve func(*conn) // owns the conn and closes it
	quiet time.Duration
	// settle is the time in ms without activity after which all data counts as received: a connection with several
	// requests ends before the last one's handler has started.
	settle int
	root   int // ancestor of all measured processes
	// answers means that senders wait for an answer. A sender that was gone at once is then not ours, and its
	// records are not counted.
	answers bool
	fault   Fault
	ending  chan struct{} // closed when the subject is gone: faults are useless then

	bytes     atomic.Int64
	reading   atomic.Int64 // requests being read, which may outlive their connection
	accepting sync.WaitGroup
	retried   sync.Once
	ended     sync.Once
	done      chan struct{} // closed by Close

	mu       sync.Mutex
	open     map[*conn]struct{}
	errs     []error
	closed   bool
	suspects suspects
}

// suspects counts connections and records that may not be the subject's.
type suspects struct {
	strangers int   // connections of other processes: closed
	firstUser int   // user of the first of them
	tooMany   int   // connections beyond connectionsMost: closed
	counted   int64 // records of unknown senders
	left      int64 // records not counted because their sender was gone
}

// conn counts the bytes that it reads, and deregisters from network when closed.
type conn struct {
	net.Conn
	n      *network
	sender sender
}

func (c *conn) Read(p []byte) (int, error) {
	if c.n.fault == slow {
		p = c.n.dawdle(p)
	}
	k, err := c.Conn.Read(p)
	c.n.bytes.Add(int64(k))
	return k, err
}

func (c *conn) Close() error {
	err := c.Conn.Close()
	c.n.mu.Lock()
	defer c.n.mu.Unlock()
	delete(c.n.open, c)
	return err
}

func listen(ctx context.Context, address string, fault Fault) (*network, error) {
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp4", address)
	switch {
	case errors.Is(err, unix.EADDRINUSE):
		return nil, fmt.Errorf("listen on %s: the port is in use by another program: %w", address, err)
	case err != nil:
		return nil, fmt.Errorf("listen on %s: %w", address, err)
	}
	return &network{
		arrivals: newArrivals(), ln: ln.(*net.TCPListener), quiet: quiet, root: os.Getpid(), fault: fault,
		ending: make(chan struct{}), done: make(chan struct{}), open: map[*conn]struct{}{},
	}, nil
}

// start accepts connections and serves each in its own goroutine. After a failure it retries, until Finish or
// Close.
func (n *network) start(serve func(*conn)) {
	n.serve = serve
	if n.fault == hung || n.fault == reset {
		n.serve = n.withhold
	}
	n.accepting.Go(func() {
		for {
			err := n.accept()
			if errors.Is(err, net.ErrClosed) || errors.Is(err, os.ErrDeadlineExceeded) {
				return
			}
			if err != nil && !n.retry(err) {
				return
			}
		}
	})
}

// retry records the first error of accepting and waits briefly. It reports whether to go on.
func (n *network) retry(err error) bool {
	n.retried.Do(func() {
		n.fail(fmt.Errorf("accept a connection: %w (tried again until it went: what it brought came late)", err))
	})
	select {
	case <-n.done:
		return false
	case <-time.After(acceptPause):
		return true
	}
}

// accept accepts one connection. Connections of strangers, and those beyond the limit, are closed at once. Senders
// are looked up one at a time: however many connect, each costs only its place in the kernel's queue.
func (n *network) accept() error {
	tcp, err := n.ln.AcceptTCP()
	if err != nil {
		return err
	}
	c := &conn{Conn: tcp, n: n}
	var user int
	c.sender, user = senderOf(tcp, n.root)
	if !n.admit(c, user) {
		tcp.Close() // not ours: errors don't matter
		return nil
	}
	go n.serve(c)
	return nil
}

// admit reports whether a connection is served, and counts it if not.
func (n *network) admit(c *conn, user int) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	s := &n.suspects
	switch {
	case n.closed:
		return false
	case c.sender == stranger:
		if s.strangers++; s.strangers == 1 {
			s.firstUser = user
		}
		return false
	case len(n.open) >= connectionsMost:
		s.tooMany++
		return false
	}
	n.open[c] = struct{}{}
	return true
}

// count counts a connection's records, unless they can't be the subject's.
func (n *network) count(c *conn, atNS, records int64) {
	if c == nil || c.sender == measured {
		n.add(atNS, records)
		return
	}
	left := c.sender == gone && n.answers
	n.mu.Lock()
	if left {
		n.suspects.left += records
	} else {
		n.suspects.counted += records
	}
	n.mu.Unlock()
	if !left {
		n.add(atNS, records)
	}
}

// doubts lists the connections and records that may not be the subject's.
func (s *suspects) doubts() []error {
	var all []error
	say := func(n int64, format string, args ...any) {
		if n > 0 {
			all = append(all, fmt.Errorf("%d "+format, append([]any{n}, args...)...))
		}
	}
	say(int64(s.strangers), "connections came from processes that are not measured (the first: of user %d): "+
		"they were closed, and count for nothing", s.firstUser)
	say(int64(s.tooMany), "connections were closed because %d were open already: "+
		"what they would have brought is not counted", connectionsMost)
	say(s.counted, "of the records came from a sender that could not be looked up: "+
		"it was gone, or its files can't be read; they are counted, but may not be the subject's")
	say(s.left, "records came from a sender that did not wait for an answer "+
		"and was gone before it could be looked up: they are not counted")
	return all
}

// Vars implements Source.
func (n *network) Vars() map[string]string {
	return map[string]string{"port": strconv.Itoa(n.ln.Addr().(*net.TCPAddr).Port)}
}

// fail records an error, if not nil, for Finish.
func (n *network) fail(err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err != nil && len(n.errs) < errorsKept {
		n.errs = append(n.errs, err)
	}
}

// Finish implements Source: it accepts the connections that the subject left in the queue, reads all to their end,
// and closes.
func (n *network) Finish(ctx context.Context) (Tally, error) {
	n.ended.Do(func() { close(n.ending) })
	n.fail(n.acceptRest(ctx))
	n.fail(n.wait(ctx))
	if err := n.Close(); err != nil {
		n.fail(fmt.Errorf("close the receiver: %w", err))
	}
	t := n.snapshot()
	t.Bytes = n.bytes.Load()
	n.mu.Lock()
	defer n.mu.Unlock()
	return t, errors.Join(append(n.suspects.doubts(), n.errs...)...)
}

// acceptRest stops the accepting goroutine, then accepts the connections still queued in the kernel: a subject may
// connect, send and exit before we are scheduled.
func (n *network) acceptRest(ctx context.Context) error {
	if err := n.ln.SetDeadline(time.Unix(1, 0)); err != nil {
		return fmt.Errorf("stop accepting connections: %w", err)
	}
	n.accepting.Wait()
	_ = n.ln.SetDeadline(time.Time{}) // if that fails, accept fails too
	for begin := time.Now(); n.pending(); {
		err := n.accept()
		late := time.Since(begin) > n.quiet
		switch {
		case err != nil && (late || errors.Is(err, net.ErrClosed) || !n.retry(err)):
			return fmt.Errorf("accept the last connections: %w", err)
		case ctx.Err() != nil:
			return fmt.Errorf("accept the last connections: %w", ctx.Err())
		case late:
			return fmt.Errorf("connections were still coming %v after the subject was gone: the rest is not counted",
				n.quiet)
		}
	}
	return nil
}

// pending reports whether accept would return at once.
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

// wait returns when all connections are closed and all requests read. After n.quiet without a byte, it returns an
// error with the number of open connections.
func (n *network) wait(ctx context.Context) error {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	seen, since := n.bytes.Load(), time.Now()
	for idle := 0; ; {
		open, reading := n.connections(), n.reading.Load()
		if open > 0 || reading > 0 {
			idle = 0
		} else if idle++; idle > n.settle {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for the end of %d connections and %d requests: %w", open, reading, ctx.Err())
		case <-tick.C:
		}
		if now := n.bytes.Load(); now != seen || open == 0 { // a request received whole is read to its end
			seen, since = now, time.Now()
		}
		if time.Since(since) > n.quiet {
			return fmt.Errorf("%d connections are still open and silent %v after the subject was gone: "+
				"another process holds them", open, n.quiet)
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
	close(n.done)
	n.ended.Do(func() { close(n.ending) })
	left := slices.Collect(maps.Keys(n.open))
	n.mu.Unlock()

	err := n.ln.Close()
	for _, c := range left {
		if e := c.Close(); !errors.Is(e, net.ErrClosed) { // it may have closed by itself meanwhile
			err = errors.Join(err, e)
		}
	}
	n.accepting.Wait()
	return err
}

// sender classifies the process at the other end of a connection.
type sender int

const (
	// measured: a descendant of moobench, as all measured processes are.
	measured sender = iota
	// stranger: any other process.
	stranger
	// gone: it had closed its end before it could be looked up.
	gone
	// hidden: it has the user of a measured process, but its open files can't be seen.
	hidden
)

// senderOf classifies the process at the other end of a connection, and returns its user. The check is needed
// because the records received are believed, and any process of the machine can connect.
//
// It is called once per connection, when that is accepted: agents connect while their program starts, and may have
// closed their end later. On a busy machine even the look-up may be too late, so a sender that no measured process
// holds is a stranger only if a second look-up still finds it.
func senderOf(c net.Conn, root int) (sender, int) {
	user := -1
	for range 2 {
		from, err := peer.LookUp(c)
		switch {
		case err != nil:
			return hidden, -1
		case from.IsGone():
			return gone, -1
		}
		user = from.UID()
		switch held, unseen := from.IsHeldBelow(root); {
		case held:
			return measured, user
		case unseen:
			return hidden, user
		}
	}
	return stranger, user
}
