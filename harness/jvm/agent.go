package jvm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"moobench/harness/proc"
	"moobench/refusal"
	"moobench/results/safefile"
)

// agentGreeting bounds the time in which a started agent must connect.
const agentGreeting = 10 * time.Second

// Agent is moobench's hotswap agent in a JVM that moobench did not start, and the channel
// to it. The JVM lives on when the channel is closed.
type Agent struct {
	control *control
	hello   Message
}

// AttachAgent loads the agent into process pid and waits for its hello; the agent connects to us on loopback. Each
// setting is key=value. An agent that is already loaded keeps its first settings.
func AttachAgent(ctx context.Context, pid int, jars AgentJars, settings ...string) (*Agent, error) {
	if err := IsJVM(pid); err != nil {
		return nil, err
	}
	if !sameNamespace(pid, "net") {
		return nil, refusal.New(
			fmt.Errorf("process %d has a network of its own, as in a container, and its agent would not reach us", pid),
			fmt.Sprintf("join its network: nsenter -t %d -n moobench swap …", pid))
	}
	seen, remove, err := jars.seenBy(pid)
	if err != nil {
		return nil, err
	}
	defer remove()
	ln, err := listen(ctx)
	if err != nil {
		return nil, fmt.Errorf("listening on 127.0.0.1 for the agent: %w", err)
	}
	defer ln.Close()
	token := newToken() // sent over the attach socket, so no command line shows it
	settings = append(slices.Clip(settings),
		"kernel="+seen.Kernel, "probes="+seen.Probes, "control="+ln.Addr().String(), "token="+token)
	if err := attach(ctx, pid, seen.Agent, strings.Join(settings, ",")); err != nil {
		return nil, err
	}
	return greetAgent(ctx, ln, pid, token)
}

func greetAgent(ctx context.Context, ln net.Listener, pid int, token string) (*Agent, error) {
	ctx, cancel := context.WithTimeout(ctx, agentGreeting)
	defer cancel()
	name := fmt.Sprintf("the agent in process %d", pid)
	c, hello, err := door{ln: ln, name: name, pid: pid, token: token}.await(ctx)
	_, known := errors.AsType[*Failure](err)
	others, came := errors.AsType[*turnedAway](err)
	switch {
	case known:
		return nil, err // it says who did what
	case errors.Is(err, context.DeadlineExceeded) && came:
		return nil, fmt.Errorf("%s started, but did not say hello at %s within %s: "+
			"the JVM's standard error may say why; %s", name, ln.Addr(), agentGreeting, others.others)
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("%s started, but did not connect to %s within %s: the JVM's standard error may say why",
			name, ln.Addr(), agentGreeting)
	case err != nil:
		return nil, fmt.Errorf("waiting for %s: %w", name, err)
	}
	if says := hello.Args["pid"]; says != strconv.Itoa(pid) && !slices.Contains(namespacePIDs(pid), says) {
		c.close()
		return nil, fmt.Errorf("%s says that it is in process %s", name, abridged(says))
	}
	return &Agent{control: c, hello: hello}, nil
}

// Hello returns the agent's first message: pid, jvm, vm, and the name of the probe that it inserts.
func (a *Agent) Hello() Message { return a.hello }

// Ask sends one request and returns the lines of its answer, the terminal one last.
func (a *Agent) Ask(ctx context.Context, request Message) ([]Message, error) {
	answer, err := a.control.ask(ctx, request)
	if isClosed(err) {
		err = fmt.Errorf("%s closed the connection instead of answering %s: has the JVM ended?",
			a.control.name, request.Verb)
	}
	return answer, err
}

// Close ends the session; the agent and its probes stay as they are.
func (a *Agent) Close() error {
	defer a.control.close()
	ctx, cancel := context.WithTimeout(context.Background(), agentGreeting)
	defer cancel()
	if _, err := a.control.ask(ctx, Message{Verb: "quit"}); err != nil {
		return fmt.Errorf("taking leave of %s: %w", a.control.name, err)
	}
	return nil
}

// AgentJars are the files of the hotswap agent: its own jar, and the jars that it adds to a JVM that lacks them.
type AgentJars struct{ Agent, Kernel, Probes string }

// seenBy returns the jars at paths that process pid can open: the originals, or copies in its own /tmp if its
// files or its user differ from ours. The JVM keeps them open, so the copies may be removed once it has loaded
// them.
func (j AgentJars) seenBy(pid int) (AgentJars, func(), error) {
	plain := !strings.ContainsAny(j.Agent+j.Kernel+j.Probes, ",=")
	if proc.User(pid) == os.Geteuid() && sameNamespace(pid, "mnt") && plain {
		return j, func() {}, nil
	}
	outside, err := os.MkdirTemp(fmt.Sprintf("/proc/%d/root/tmp", pid), "moobench-")
	remove := func() { os.RemoveAll(outside) }
	inside := filepath.Join("/tmp", filepath.Base(outside))
	err = cmp.Or(err, os.Chmod(outside, 0o755)) // another user reads it
	for _, jar := range []*string{&j.Agent, &j.Kernel, &j.Probes} {
		if err == nil {
			err = copyFile(*jar, filepath.Join(outside, filepath.Base(*jar)))
		}
		*jar = filepath.Join(inside, filepath.Base(*jar))
	}
	if err != nil {
		remove()
		return AgentJars{}, nil, fmt.Errorf("copying the agent to where process %d can read it: %w", pid, err)
	}
	return j, remove, nil
}

// copyFile makes a copy that everybody may read, whatever our umask is.
func copyFile(from, to string) error {
	content, err := safefile.Read(from, 64<<20)
	if err != nil {
		return err
	}
	return safefile.Renew(to, 0o644, func(w io.Writer) error { _, err := w.Write(content); return err })
}

// sameNamespace reports whether a process shares a namespace (mnt, net) with us. An unreadable namespace counts as
// shared: the next step then fails and says why.
func sameNamespace(pid int, kind string) bool {
	ours, err := os.Readlink("/proc/self/ns/" + kind)
	if err != nil {
		return true
	}
	theirs, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/%s", pid, kind))
	return err != nil || ours == theirs
}
