package jvm

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"moobench/harness/proc"
	"moobench/refusal"
	"moobench/results/safefile"
)

// kindAttach is the Failure of an agent that could not be loaded late.
const kindAttach = "attach"

const (
	attachPatience = 10 * time.Second // for the JVM to open its attach socket; the JDK's own tools wait as long
	attachLook     = 20 * time.Millisecond
	agentPatience  = 60 * time.Second // for agentmain to return
	longestAgent   = 1024             // bytes of jar=options allowed by version 1 of the attach protocol
)

// attach loads an agent into the running HotSpot JVM of process pid, and returns when its agentmain has returned.
// It uses the protocol of the JDK's own attach: a signal makes the JVM open a socket, and a request over the
// socket names the jar. jar is a path in the JVM's mount namespace.
func attach(ctx context.Context, pid int, jar, options string) error {
	if err := IsJVM(pid); err != nil {
		return err
	}
	agent := jar
	if options != "" {
		agent += "=" + options
	}
	switch {
	case strings.Contains(jar, "="):
		return fmt.Errorf("attaching to process %d: the JVM takes what follows the = in %s for the agent's options: "+
			"move the jar", pid, jar)
	case strings.ContainsRune(agent, 0), len(agent) > longestAgent:
		return fmt.Errorf("attaching to process %d: path and options of an agent are at most %d bytes, without zeros, "+
			"and these have %d: move the jar, or pass fewer options", pid, longestAgent, len(agent))
	}
	var answer string
	conn, err := openAttach(ctx, pid)
	if err == nil {
		defer conn.Close()
		answer, err = load(ctx, conn, agent)
	}
	if err != nil {
		return fmt.Errorf("attaching to process %d: %w", pid, err)
	}
	if err := attached(answer, jar); err != nil {
		return fmt.Errorf("loading %s into process %d: %w", jar, pid, err)
	}
	return nil
}

// Attach loads an agent into the JVM. Errors are *Failure; the JVM lives on.
func (v *VM) Attach(ctx context.Context, jar, options string) error {
	if v == nil {
		return errNotStarted
	}
	err := attach(ctx, v.PID(), jar, options)
	if err == nil {
		return nil
	}
	f := Failuref(kindAttach, "%s", refusal.Text(err))
	f.Err = err
	return f.explain(v.log)
}

// IsJVM returns why no agent can be attached to a process, or nil for a HotSpot JVM that accepts one. It does not
// disturb the process.
func IsJVM(pid int) error {
	tgid := proc.Status(pid, "Tgid:")
	if pid <= 0 || len(tgid) == 0 {
		return fmt.Errorf("there is no process %d", pid)
	}
	if tgid[0] != strconv.Itoa(pid) {
		return fmt.Errorf("%d is a thread of process %s: name the process", pid, tgid[0])
	}
	name := fmt.Sprintf("process %d (%s)", pid, cmp.Or(nameOf(pid), "?"))
	if us := os.Geteuid(); us != 0 && proc.User(pid) != us {
		return fmt.Errorf("%s belongs to another user, and a JVM takes agents from its own user and from root only: "+
			"run moobench as that user", name)
	}
	command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)) // unreadable: assume that attaching is not disabled
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	switch {
	case err != nil:
		return fmt.Errorf("looking whether %s is a JVM: %w", name, err)
	case bytes.Contains(maps, []byte("/libj9vm")):
		return fmt.Errorf("%s is an OpenJ9 JVM, and moobench can attach to HotSpot only", name)
	case !bytes.Contains(maps, []byte("/libjvm.so")):
		return fmt.Errorf("%s is not a JVM: it has not loaded libjvm.so", name)
	case slices.Contains(strings.Split(string(command), "\x00"), "-XX:+DisableAttachMechanism"):
		return fmt.Errorf("%s takes no agents: it was started with -XX:+DisableAttachMechanism; start it without", name)
	case !catchesQuit(pid):
		return fmt.Errorf("%s is a JVM that doesn't listen to SIGQUIT, which asks it to take agents: "+
			"it is only just starting, or was started with -Xrs or -XX:+ReduceSignalUsage", name)
	}
	return nil
}

// catchesQuit reports whether a process handles SIGQUIT. Without a handler the signal would kill it.
func catchesQuit(pid int) bool {
	mask, err := strconv.ParseUint(strings.Join(proc.Status(pid, "SigCgt:"), ""), 16, 64)
	return err == nil && mask>>(unix.SIGQUIT-1)&1 == 1
}

// openAttach connects to the JVM's attach socket. On SIGQUIT, the JVM opens it if it finds a file of a certain
// name.
func openAttach(ctx context.Context, pid int) (net.Conn, error) {
	inside := strconv.Itoa(pid)
	if pids := namespacePIDs(pid); len(pids) > 0 {
		inside = pids[len(pids)-1]
	}
	tmp := fmt.Sprintf("/proc/%d/root/tmp", pid)
	socket := filepath.Join(tmp, ".java_pid"+inside)
	if _, err := os.Stat(tmp); err != nil {
		return nil, fmt.Errorf("looking into its /tmp: %w", err)
	}
	if _, err := os.Lstat(socket); errors.Is(err, fs.ErrNotExist) {
		remove, err := leaveRequest(".attach_pid"+inside, fmt.Sprintf("/proc/%d/cwd", pid), tmp)
		if err != nil {
			return nil, err
		}
		defer remove()
		if err := summon(ctx, pid, socket, attachPatience); err != nil {
			return nil, err
		}
	}
	return connectTo(ctx, pid, socket)
}

// leaveRequest creates the file that marks a SIGQUIT as an attach request, in the first folder where that
// succeeds. Other users can write to these folders: existing files are never touched.
func leaveRequest(name string, folders ...string) (remove func(), err error) {
	var errs []error
	for _, folder := range folders {
		remove, err := safefile.Leave(folder, name, 0o600)
		if err == nil {
			return remove, nil
		}
		errs = append(errs, fmt.Errorf("in %s: %w", folder, err))
	}
	err = errors.Join(errs...)
	if errors.Is(err, fs.ErrExist) {
		err = refusal.New(err, "if nothing else is attaching to it, remove what was left there")
	}
	return nil, fmt.Errorf("leaving the file that it looks for: %w", err)
}

// summon asks the JVM to open its socket and waits for it; after half of the patience it asks once more. A JVM
// that does not recognise the request answers each signal with a thread dump.
func summon(ctx context.Context, pid int, socket string, patience time.Duration) error {
	for range 2 {
		if !catchesQuit(pid) {
			return errors.New("it ended")
		}
		if err := unix.Kill(pid, unix.SIGQUIT); err != nil {
			return fmt.Errorf("sending it SIGQUIT: %w", err)
		}
		for begin := time.Now(); time.Since(begin) < patience/2; {
			select {
			case <-ctx.Done():
				return context.Cause(ctx)
			case <-time.After(attachLook):
			}
			if _, err := os.Lstat(socket); err == nil {
				return nil
			}
		}
	}
	return fmt.Errorf("it opened no attach socket within %s: is it stopped, out of memory, or in a pause? "+
		"does JAVA_TOOL_OPTIONS hold -XX:+DisableAttachMechanism?", patience)
}

// connectTo connects to the attach socket of a JVM, and checks that the JVM itself listens there: anybody can
// create a socket in /tmp.
func connectTo(ctx context.Context, pid int, socket string) (net.Conn, error) {
	const do = "remove it, and the JVM makes its own"
	var s unix.Stat_t
	if err := unix.Lstat(socket, &s); err != nil {
		return nil, fmt.Errorf("looking at its attach socket %s: %w", socket, err)
	}
	if s.Mode&unix.S_IFMT != unix.S_IFSOCK {
		return nil, refusal.New(fmt.Errorf("%s is not a socket, and is not used", socket), do)
	}
	if owner := proc.User(pid); int(s.Uid) != owner {
		return nil, refusal.New(fmt.Errorf("the attach socket %s belongs to user %d and the process to user %d: "+
			"it is not used", socket, s.Uid, owner), do)
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", socket)
	if err != nil {
		return nil, fmt.Errorf("its attach socket doesn't answer: %w "+
			"(left behind by an earlier process of this number? then remove it)", err)
	}
	listener, err := listenerOf(conn.(*net.UnixConn))
	if err == nil && listener != pid {
		err = refusal.New(fmt.Errorf("at its attach socket %s listens process %d (%s): it is not used",
			socket, listener, cmp.Or(nameOf(listener), "?")), do)
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return conn, nil
}

// listenerOf returns the pid that the kernel recorded for the listener of a Unix socket connection; 0 if it is in
// a PID namespace that we can't see.
func listenerOf(conn syscall.Conn) (int, error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return 0, err
	}
	var cred *unix.Ucred
	var credErr error
	err = raw.Control(func(fd uintptr) {
		cred, credErr = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	})
	if err = errors.Join(err, credErr); err != nil {
		return 0, fmt.Errorf("asking who listens there: %w", err)
	}
	return int(cred.Pid), nil
}

// load sends the request and reads the whole answer.
func load(ctx context.Context, conn net.Conn, agent string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, agentPatience)
	defer cancel()
	defer context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })()
	if _, err := io.WriteString(conn, "1\x00load\x00instrument\x00false\x00"+agent+"\x00"); err != nil {
		return "", fmt.Errorf("asking it to load the agent: %w", because(ctx, err))
	}
	answer, err := io.ReadAll(io.LimitReader(conn, maxLine))
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return "", fmt.Errorf("its agentmain did not return within %s", agentPatience)
	}
	if err != nil {
		return "", fmt.Errorf("waiting for the agent: %w", because(ctx, err))
	}
	return string(answer), nil
}

// attached parses the JVM's answer: the first line is the status of the request, the second the return code of the
// agent's start, since JDK 9 after "return code: ".
func attached(answer, jar string) error {
	first, rest, _ := strings.Cut(answer, "\n")
	rest = strings.TrimSpace(rest)
	code, _, _ := strings.Cut(strings.TrimPrefix(rest, "return code: "), "\n")
	switch {
	case strings.TrimSpace(answer) == "":
		return errors.New("it closed the attach socket without an answer: has it ended?")
	case strings.Contains(rest, "ynamic agent loading is not enabled"):
		return errors.New("it was started with -XX:-EnableDynamicAgentLoading, which forbids late agents: " +
			"start it with -XX:+EnableDynamicAgentLoading")
	case code == "100":
		return fmt.Errorf("it can't read the jar, or finds no Agent-Class in it: "+
			"the JVM's own user must be able to read %s", jar)
	case code == "101":
		return errors.New("it does not find the agent's class: is the jar damaged?")
	case code == "102":
		return errors.New("agentmain threw an exception: the JVM's standard error has it")
	case first == "0" && (code == "0" || rest == ""):
		return nil
	}
	return fmt.Errorf("it answered %s", abridged(printable(strings.TrimSpace(answer))))
}
