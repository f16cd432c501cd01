package load

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"golang.org/x/sys/unix"
)

// longest bounds the body of a valid answer.
const longest = 64 << 20

var errTooLong = fmt.Errorf("the body is longer than %d MiB", longest>>20)

// client sends requests one after another, on one connection at a time.
type client struct {
	ctx     context.Context // its end closes the connection
	timeout time.Duration
	now     func() int64

	conn net.Conn
	stop func() bool
	lost error // error of the last read from conn
	in   *bufio.Reader
	body bytes.Buffer // of the last answer
}

// Read implements io.Reader on the connection, and keeps its error. Any other error in parsing an answer is then
// the answer's fault.
func (c *client) Read(p []byte) (int, error) {
	n, err := c.conn.Read(p)
	if err != nil {
		c.lost = err
	}
	return n, err
}

// answer is a server's answer, or the lack of one. Outcome is Right if the answer was whole and as expected.
type answer struct {
	outcome Outcome
	doneNS  int64
	status  int
	err     error // why outcome is not Right
}

// ask sends one request and waits for its answer.
func (c *client) ask(p *prepared) answer {
	deadline := time.Now().Add(c.timeout)
	c.body.Reset()
	if c.conn == nil {
		dialer := net.Dialer{Deadline: deadline, KeepAlive: -1}
		conn, err := dialer.DialContext(c.ctx, "tcp", p.address)
		if err != nil {
			return c.broken(Refused, err)
		}
		c.conn, c.stop = conn, context.AfterFunc(c.ctx, func() { conn.Close() })
		c.in.Reset(c)
	}
	c.lost = nil
	if err := c.conn.SetDeadline(deadline); err != nil {
		return c.broken(Reset, err)
	}
	if _, err := c.conn.Write(p.wire); err != nil {
		return c.broken(Reset, err)
	}
	if _, err := c.in.Peek(1); err != nil {
		return c.broken(Reset, err)
	}
	status, again, err := c.read(p.request)
	switch {
	case err != nil && c.lost == nil:
		return c.broken(Wrong, err)
	case err != nil:
		return c.broken(Truncated, c.lost)
	}
	a := answer{doneNS: c.now(), status: status}
	if left := c.in.Buffered(); left > 0 {
		a.err, again = fmt.Errorf("%d bytes followed the answer's end", left), false
	} else {
		a.err = p.expect.check(status, c.body.Bytes())
	}
	if a.err != nil {
		a.outcome = Wrong
	}
	if !again {
		c.close()
	}
	return a
}

// read reads one answer, its body into c.body, and reports whether the connection can be reused.
func (c *client) read(request *http.Request) (status int, again bool, err error) {
	resp, err := http.ReadResponse(c.in, request)
	for err == nil && resp.StatusCode/100 == 1 && resp.StatusCode != http.StatusSwitchingProtocols {
		resp, err = http.ReadResponse(c.in, request)
	}
	if err != nil {
		return 0, false, err
	}
	n, err := c.body.ReadFrom(io.LimitReader(resp.Body, longest+1))
	if err == nil && n > longest {
		err = errTooLong
	}
	return resp.StatusCode, !resp.Close && resp.StatusCode != http.StatusSwitchingProtocols, err
}

// broken closes the connection after an error. A timeout becomes TimedOut, unless the outcome is Wrong.
func (c *client) broken(o Outcome, err error) answer {
	a := answer{outcome: o, doneNS: c.now(), err: err}
	if late := net.Error(nil); o != Wrong && errors.As(err, &late) && late.Timeout() {
		a.outcome = TimedOut
	}
	c.close()
	return a
}

func (c *client) close() {
	if c.conn != nil {
		c.stop()
		c.conn.Close()
		c.conn = nil
	}
}

// ownFault reports whether an error is due to this process or machine rather than the server.
func ownFault(err error) (hint string, is bool) {
	switch {
	case errors.Is(err, unix.EMFILE), errors.Is(err, unix.ENFILE):
		return "raise the limit of open files (ulimit -n), or take fewer clients", true
	case errors.Is(err, unix.EADDRNOTAVAIL):
		return "no local port is free: lower the load", true
	case errors.Is(err, unix.ENOBUFS), errors.Is(err, unix.ENOMEM):
		return "the kernel has no memory for it: take fewer clients", true
	}
	return "", false
}
