// Package jvm starts one subject, a fixture JVM or a plain process, talks to it, watches
// it from outside and reports how it ended.
//
// A subject runs in its own process group, on its own CPUs, with a minimal environment,
// and never outlives moobench. While it measures, nothing here wakes up: one goroutine is
// blocked in a read, another one in a wait.
package jvm

import (
	"cmp"
	"context"
	"errors"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

const (
	defaultStart = 60 * time.Second
	// lastBreath bounds the time from the end of a JVM's control channel to its own end: it writes its log,
	// perhaps a core dump.
	lastBreath = 5 * time.Second
)

// VM is a fixture JVM that has said hello.
type VM struct {
	*Process
	control *control
	hello   Message
	greeted Snapshot
}

// Start starts a fixture JVM and waits for its hello. The command is the java program;
// its arguments are JVM options, class path, main class and the fixture's own. Errors are
// *Failure; after one, nothing is left running.
func Start(ctx context.Context, c Command) (*VM, error) {
	ln, err := listen(ctx)
	if err != nil {
		return nil, Failuref(KindStart, "listening on 127.0.0.1 for the fixture: %w", err)
	}
	defer ln.Close()
	return c.start(ctx, ln)
}

// start starts a fixture JVM that connects to ln.
func (c Command) start(ctx context.Context, ln net.Listener) (v *VM, err error) {
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		dir = c.Dir
	}
	v = &VM{}
	token, timeout := newToken(), cmp.Or(c.StartTimeout, defaultStart)
	c.Args = append([]string{"-Dmoobench.control=" + ln.Addr().String(), "-Dmoobench.dir=" + dir}, c.Args...)
	c.Env = append(slices.Clip(c.Env), tokenVar+"="+token) // of duplicate names the last one wins
	if v.Process, err = StartProcess(ctx, c); err != nil {
		return nil, err
	}
	v.alone = true
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	v.control, v.hello, err = door{ln: ln, name: "the fixture", pid: v.PID(), token: token, gone: v.done}.await(ctx)
	// The process that we observe must be the one that speaks to us.
	says, pid := v.hello.Args["pid"], v.PID()
	if err == nil && says != strconv.Itoa(pid) && !slices.Contains(namespacePIDs(pid), says) {
		err = Failuref(KindProtocol, "the fixture says that it is process %s, but %d was started: is %s a script? "+
			"set home in [jvm] to the JDK itself (moobench cost: --jdk)", abridged(says), pid, v.cmd.Path)
	}
	if err == nil {
		v.greeted, err = v.Snapshot()
	}
	if err != nil {
		return nil, v.failed(err, "hello", timeout)
	}
	return v, nil
}

// tokenVar is the environment variable with the token. No other user can read it there, whereas everybody can read
// a command line.
const tokenVar = "MOOBENCH_TOKEN"

var errEnded = errors.New("it ended")

// Hello returns the fixture's first message: its name, pid, jvm, vm and main_ns.
func (v *VM) Hello() Message { return v.hello }

// Greeted returns the snapshot taken when the hello arrived. Its CPU time was spent on the start-up.
func (v *VM) Greeted() Snapshot { return v.greeted }

// Ask sends one request and returns the lines of its answer, the terminal one last. Neither the JVM nor we send
// anything until it has carried out the request.
//
// Errors are *Failure. When the fixture refuses, the JVM lives on; after any other
// failure it is gone, killed if need be, also when ctx ends.
func (v *VM) Ask(ctx context.Context, request Message) ([]Message, error) {
	if v == nil {
		return nil, errNotStarted
	}
	begin := time.Now()
	answer, err := v.control.ask(ctx, request)
	if err != nil {
		return nil, v.failed(err, request.Verb, time.Since(begin))
	}
	return answer, nil
}

// failed converts an error that occurred while we waited for an answer into a Failure, and ends the JVM unless it
// only refused.
func (v *VM) failed(err error, request string, after time.Duration) error {
	f, known := errors.AsType[*Failure](err)
	switch hello := request == "hello"; {
	case known && f.Kind == KindRefused:
		return f.explain(v.log)
	case errors.Is(err, context.Canceled):
		f = Failuref(kindInterrupted, "waiting for the fixture's answer to %s: %w", request, err)
	case errors.Is(err, context.DeadlineExceeded) && hello:
		f = Failuref(KindTimeout, "the JVM started, but did not say hello within %s, and was killed: "+
			"does an agent hang at its start?", after.Round(time.Millisecond))
	case errors.Is(err, context.DeadlineExceeded):
		f = Failuref(KindTimeout, "the fixture was silent for %s instead of answering %s, and was killed: "+
			"does it hang, or does it need a longer timeout?", after.Round(time.Millisecond), request)
	case known:
	case v.within(context.Background(), lastBreath):
		f = Failuref(KindDied, "the JVM ended (%s) instead of answering %s", v.ended(), request)
		if hello {
			f = Failuref(KindStart, "the JVM ended (%s) before it said hello", v.ended())
		}
	case errors.Is(err, errEnded), isClosed(err):
		f = Failuref(KindProtocol, "the fixture closed its control channel instead of answering %s, but did not end: "+
			"it was killed", request)
	default:
		f = Failuref(KindProtocol, "talking to the fixture about %s: %v", request, err)
	}
	if error(f) != err {
		f.Err = err
	}
	if others, ok := errors.AsType[*turnedAway](err); ok {
		f.Message += "; " + others.others
	}
	v.Kill()
	v.control.close()
	return f.explain(v.log)
}

// Stop asks the JVM to end, and waits: its agents export their data while it exits. After its grace it gets
// SIGTERM, then SIGKILL. The exit is returned in any case; the error is a *Failure unless the JVM said bye and
// exited with 0. After Kill or a failed Ask, Stop only reports how the JVM ended.
func (v *VM) Stop(ctx context.Context) (Exit, error) {
	defer v.control.close()
	select {
	case <-v.done:
		return v.exit, v.badExit()
	default:
	}
	begin := time.Now()
	quitting, cancel := context.WithTimeout(ctx, v.grace)
	defer cancel()
	_, err := v.control.ask(quitting, Message{Verb: "quit"})
	if err == nil && v.within(quitting, v.grace) {
		return v.exit, v.badExit()
	}
	if ctx.Err() != nil {
		v.Kill()
		return v.exit, Failuref(kindInterrupted, "stopping the JVM: %w", ctx.Err())
	}
	if err != nil && quitting.Err() == nil {
		err = v.failed(err, "quit", time.Since(begin))
		v.Kill() // must be gone, whatever the failure
		return v.exit, err
	}
	v.signal(unix.SIGTERM)
	how := "SIGTERM"
	if !v.within(ctx, termGrace) {
		v.Kill()
		how = "SIGKILL"
	}
	f := Failuref(KindTimeout, "the JVM did not exit within %s of quit and was ended with %s: "+
		"does an agent hang while it flushes?", v.grace, how)
	return v.exit, f.explain(v.log)
}

func (v *VM) badExit() error {
	if v.exit.Status == "0" {
		return nil
	}
	return Failuref(KindDied, "the JVM ended with %s", v.ended()).explain(v.log)
}
