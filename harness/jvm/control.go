package jvm

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
	"time"
)

// protocol is the version of the fixture protocol that this package speaks.
const protocol = "1"

// Limits on the other end's messages: an agent that has gone wrong must not fill our memory.
const (
	maxIntermediate = 10_000   // lines before the terminal one of an answer
	maxAnswer       = 16 << 20 // bytes of an answer
	maxSaid         = 64 << 20 // bytes of all answers
)

// control is the harness's end of the control channel.
type control struct {
	name string // the other end's name in messages
	conn net.Conn
	r    *bufio.Reader
	said int64 // bytes that the other end has sent
}

func newControl(conn net.Conn, name string) *control {
	return &control{name: name, conn: conn, r: bufio.NewReaderSize(conn, maxLine)}
}

// listen opens the control channel on loopback. Keep-alive is off, because its timer
// would fire while the loop runs.
func listen(ctx context.Context) (net.Listener, error) {
	lc := net.ListenConfig{KeepAlive: -1}
	return lc.Listen(ctx, "tcp4", "127.0.0.1:0")
}

// newToken returns a secret for the fixture that we start.
func newToken() string {
	b := make([]byte, 16)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// greet reads the other end's hello. known: the token was right, even if err is not nil.
func (c *control) greet(ctx context.Context, token string) (hello Message, known bool, err error) {
	m, err := c.receive(ctx)
	switch {
	case err != nil:
		return m, false, err
	case m.Verb != "hello":
		return m, false, Failuref(KindProtocol, "%s began with %q instead of hello: is it moobench's?", c.name, m.Verb)
	case subtle.ConstantTimeCompare([]byte(m.Args["token"]), []byte(token)) != 1:
		return m, false, Failuref(KindProtocol, "%s said hello with a wrong token: "+
			"was it started by someone else, or does it not read the one that it was given?", c.name)
	case m.Args["protocol"] != protocol:
		return m, true, Failuref(KindProtocol, "%s speaks protocol %q, this moobench speaks %s: "+
			"build the fixtures again with this version", c.name, m.Args["protocol"], protocol)
	}
	return m, true, nil
}

// answers maps each request to the verb that ends its answer, and to the verb of any lines before that.
var answers = map[string]struct{ last, before string }{
	"setup":        {"ready", ""},
	"prime":        {"primed", ""},
	"activate":     {"active", "failure"},
	"deactivate":   {"inactive", "failure"},
	"remove":       {"removed", "failure"},
	"replace":      {"replaced", "failure"},
	"patterns":     {"patterns", "pattern"},
	"instrumented": {"instrumented", "method"},
	"records":      {"records", ""},
	"counts":       {"counts", ""},
	"measure":      {"measured", ""},
	"turn":         {"turned", ""},
	"pace":         {"paced", ""},
	"follow":       {"following", ""},
	"followed":     {"followed", "series"},
	"gc":           {"collected", ""},
	"dump":         {"dumped", "series"},
	"code":         {"code", "class"},
	"threads":      {"threads", "thread"},
	"quit":         {"bye", ""},
}

// ask sends a request and reads its whole answer.
func (c *control) ask(ctx context.Context, request Message) ([]Message, error) {
	verbs, known := answers[request.Verb]
	if !known {
		return nil, Failuref(KindProtocol, "asking %s: %q is not a request of protocol %s", c.name, request.Verb, protocol)
	}
	if err := c.send(ctx, request); err != nil {
		return nil, err
	}
	var answer []Message
	for begin := c.said; len(answer) <= maxIntermediate; {
		m, err := c.receive(ctx)
		if err != nil {
			return answer, err
		}
		answer = append(answer, m)
		switch {
		case m.Verb == verbs.last:
			return answer, nil
		case m.Verb == "error":
			return answer, Failuref(KindRefused, "%s refused to %s: %s",
				c.name, request.Verb, inLine(m.Args["message"]))
		case m.Verb != verbs.before:
			return answer, Failuref(KindProtocol, "%s answered %s with %q instead of %s: "+
				"are both ends of the same version?", c.name, request.Verb, m.Verb, verbs.last)
		case c.said-begin > maxAnswer:
			return answer, Failuref(KindProtocol, "%s answered %s with more than %d MiB: no answer is that long",
				c.name, request.Verb, maxAnswer>>20)
		}
	}
	return answer, Failuref(KindProtocol, "%s answered %s with more than %d lines: no answer is that long",
		c.name, request.Verb, maxIntermediate)
}

func (c *control) send(ctx context.Context, m Message) error {
	line := m.Line() + "\n"
	if len(line) > maxLine {
		return Failuref(KindProtocol, "asking %s: %s has %d bytes, the protocol allows %d",
			c.name, m.Verb, len(line), maxLine)
	}
	if ctx.Err() != nil { // the deadline set by until would be too late to prevent a short write
		return context.Cause(ctx)
	}
	defer c.until(ctx)()
	_, err := c.conn.Write([]byte(line))
	return because(ctx, err)
}

// receive blocks in a single read: none of our threads wakes up before the fixture speaks or ctx ends.
func (c *control) receive(ctx context.Context) (Message, error) {
	defer c.until(ctx)()
	line, err := c.r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		return Message{}, Failuref(KindGarbage, "%s sent a line of more than %d bytes, beginning with %s: "+
			"does something else write to its control channel?", c.name, maxLine, abridged(string(line)))
	}
	if err != nil {
		return Message{}, because(ctx, err)
	}
	if c.said += int64(len(line)); c.said > maxSaid {
		return Message{}, Failuref(KindProtocol, "%s has sent more than %d MiB in all: no invocation says so much",
			c.name, maxSaid>>20)
	}
	m, err := ParseMessage(strings.TrimSuffix(string(line), "\n"))
	if err != nil {
		return Message{}, Failuref(KindGarbage, "%s sent garbage: %v", c.name, err)
	}
	return m, nil
}

// until ends reads and writes when ctx ends, and not before.
func (c *control) until(ctx context.Context) (release func() bool) {
	c.conn.SetDeadline(time.Time{})
	return context.AfterFunc(ctx, func() { c.conn.SetDeadline(time.Unix(1, 0)) })
}

// because returns the cause of ctx's end rather than the I/O error that followed from it.
func because(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// isClosed reports whether the other end closed the channel, properly or not.
func isClosed(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// close may be called more than once, and on nil.
func (c *control) close() {
	if c != nil {
		c.conn.Close()
	}
}
