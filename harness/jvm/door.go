package jvm

import (
	"context"
	"errors"
	"fmt"
	"net"

	"moobench/harness/peer"
	"moobench/harness/proc"
)

// maxCallers is the maximum number of connected, silent callers besides the awaited process.
const maxCallers = 64

// door awaits the one process that we started or put an agent into. Anybody on this machine can connect.
type door struct {
	ln    net.Listener
	name  string // the process's name in messages
	pid   int
	token string
	gone  <-chan struct{} // closed when the process has ended; nil: unknown
}

// caller is a process that has connected.
type caller struct {
	control *control
	hello   Message
	final   bool // it is the awaited process, whether or not err is nil
	err     error
}

// turnedAway is the error of a wait in which only other callers came.
type turnedAway struct {
	others string // how many, and why the last one was turned away
	err    error
}

func (e *turnedAway) Error() string { return fmt.Sprintf("%v; %s", e.err, e.others) }

func (e *turnedAway) Unwrap() error { return e.err }

// await accepts connections until the process says hello with the token. Callers of other users are turned away
// unheard. So are callers that send a wrong hello, unless it is the process itself: its error ends the wait.
func (d door) await(ctx context.Context) (*control, Message, error) {
	ctx, done := context.WithCancelCause(ctx)
	defer done(nil) // turns everybody else away
	defer context.AfterFunc(ctx, func() { d.ln.Close() })()
	callers := make(chan caller)
	go d.accept(ctx, callers)
	var others string
	var err error
	for n := 1; err == nil; n++ {
		select {
		case c := <-callers:
			if c.final {
				return c.control, c.hello, c.err
			}
			others = fmt.Sprintf("callers that were turned away: %d, the last because %v", n, c.err)
		case <-d.gone:
			err = errEnded
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
	}
	if others != "" {
		err = &turnedAway{others, err}
	}
	return nil, Message{}, err
}

// accept passes on each caller once it has spoken. A caller is the awaited process if the kernel says so, or if it
// knows the token.
func (d door) accept(ctx context.Context, to chan<- caller) {
	pass := func(c caller) {
		select {
		case to <- c:
		case <-ctx.Done():
			c.control.close()
		}
	}
	others := make(chan struct{}, maxCallers) // callers that have said nothing yet
	for {
		conn, err := d.ln.Accept()
		if err != nil {
			pass(caller{final: true, err: because(ctx, err)})
			return
		}
		from, _ := peer.LookUp(conn) // if the kernel tells nothing, the token alone decides
		itself := from.IsHeldBy(d.pid)
		switch {
		case !from.IsGone() && !from.IsOf(proc.User(d.pid)):
			err = errors.New("it belongs to another user")
		case itself:
		case len(others) == cap(others):
			err = fmt.Errorf("%d others are connected and silent", maxCallers)
		default:
			others <- struct{}{} // does not block: only this goroutine sends
		}
		if err != nil {
			conn.Close()
			pass(caller{err: err})
			continue
		}
		go func() {
			c := caller{control: newControl(conn, d.name)}
			c.hello, c.final, c.err = c.control.greet(ctx, d.token)
			c.final = c.final || itself
			if c.err != nil {
				c.control = nil
				// Close only after passing the error on: a process that ends because of it would otherwise seem to
				// have said nothing.
				defer conn.Close()
			}
			pass(c)
			if !itself {
				<-others
			}
		}()
	}
}
