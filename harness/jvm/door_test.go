package jvm

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestCommandLineTellsNoToken: every user of the machine can read it.
func TestCommandLineTellsNoToken(t *testing.T) {
	t.Parallel()
	v, err := startFake(t, "good", func(c *Command) { c.Env = append(c.Env, tokenVar+"=the variant's own") })
	if err != nil {
		t.Fatal(err)
	}
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", v.PID()))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(env), tokenVar+"=")
	token, _, _ := strings.Cut(rest, "\x00")
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", v.PID()))
	if err != nil || len(token) != 2*16 || strings.Contains(string(line), token) {
		t.Errorf("token %q, command line %q, %v", token, line, err)
	}
}

// knock connects to a listener and says something, or nothing; the connection
// stays until the test ends.
func knock(t *testing.T, ln net.Listener, says string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp4", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	fmt.Fprint(conn, says)
	return conn
}

// TestOthersAreTurnedAway: whoever comes before the JVM, silent or with something
// else to say, does not keep it out.
func TestOthersAreTurnedAway(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"good", "wrong token", "silent at start"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			ln, err := listen(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer ln.Close()
			for _, says := range []string{"", "GET / HTTP/1.1\r\n", "hello protocol=1 token=guessed pid=1\n", "hello proto"} {
				knock(t, ln, says)
			}
			c := Command{Path: os.Args[0], Env: []string{fakeVar + "=" + mode}, Dir: t.TempDir()}
			if mode == "silent at start" {
				c.StartTimeout = 10 * time.Second // which is nothing to four callers
			}
			v, err := c.start(t.Context(), ln)
			if err == nil {
				t.Cleanup(v.Kill)
			}
			switch mode {
			case "good":
				if err != nil {
					t.Fatal(err)
				}
				if _, err := v.Ask(t.Context(), Message{Verb: "setup"}); err != nil {
					t.Error(err)
				}
			case "wrong token": // that of the JVM itself is an answer
				mustFail(t, err, KindProtocol, "wrong token")
			default:
				mustFail(t, err, KindTimeout, "callers that were turned away: 2, the last because")
			}
		})
	}
}

// TestCrowd: more silent callers than are listened to don't keep the JVM out.
func TestCrowd(t *testing.T) {
	t.Parallel()
	ln, err := listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	silent := exec.Command(os.Args[0])
	silent.Env = append(os.Environ(), fakeVar+"=silent at start")
	if err := silent.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		silent.Process.Kill()
		silent.Wait()
	}()
	// Not a timeout: how long it takes to look at so many is the machine's affair. They
	// are turned away one after the other, so with the sixth five are counted.
	ctx, enough := context.WithCancelCause(t.Context())
	away := make(chan struct{}, maxCallers+6)
	for range cap(away) {
		conn := knock(t, ln, "")
		go func() {
			if _, err := conn.Read(make([]byte, 1)); errors.Is(err, io.EOF) {
				away <- struct{}{}
			}
		}()
	}
	go func() {
		for range 6 {
			<-away
		}
		enough(errors.New("nobody said hello"))
	}()
	_, _, err = door{ln: ln, name: "the fixture", pid: silent.Process.Pid, token: newToken()}.await(ctx)
	if err == nil || !regexp.MustCompile(`^nobody said hello; .* turned away: [56], the last because 64 others are connected and silent$`).MatchString(err.Error()) {
		t.Errorf("of a crowd: %v", err)
	}
	if ln, err = listen(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	for range maxCallers + 5 {
		knock(t, ln, "")
	}
	c := Command{Path: os.Args[0], Env: []string{fakeVar + "=good"}, Dir: t.TempDir()}
	v, err := c.start(t.Context(), ln)
	if err != nil {
		t.Fatal(err)
	}
	v.Kill()
}

// asUser connects with another user's rights.
func asUser(t *testing.T, uid int, ln net.Listener, says string) {
	t.Helper()
	done := make(chan error)
	go func() {
		// The rights are the thread's, which ends with this goroutine.
		runtime.LockOSThread()
		done <- errors.Join(unix.Setfsuid(uid), func() error {
			fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
			if err != nil {
				return err
			}
			t.Cleanup(func() { unix.Close(fd) })
			port := ln.Addr().(*net.TCPAddr).Port
			if err := unix.Connect(fd, &unix.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}); err != nil {
				return err
			}
			_, err = unix.Write(fd, []byte(says))
			return err
		}())
	}()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// TestAnotherUserIsTurnedAway: not even the right token helps.
func TestAnotherUserIsTurnedAway(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can connect as another user")
	}
	ln, err := listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	hello := fmt.Sprintf("hello protocol=1 token=t0ken pid=%d who=", os.Getpid())
	asUser(t, 65534, ln, hello+"nobody\n")
	go func() {
		conn, err := net.Dial("tcp4", ln.Addr().String())
		if err != nil {
			return
		}
		defer conn.Close()
		fmt.Fprintln(conn, hello+"agent")
		bufio.NewReader(conn).ReadString('\n')
	}()
	a, err := greetAgent(t.Context(), ln, os.Getpid(), "t0ken")
	if err != nil {
		t.Fatal(err)
	}
	defer a.control.close()
	if who := a.Hello().String("who"); who != "agent" {
		t.Errorf("driven by %q", who)
	}
}

// TestAllThatIsSaid: an agent that answers each request within bounds meets one all
// the same.
func TestAllThatIsSaid(t *testing.T) {
	ours, theirs := net.Pipe()
	defer ours.Close()
	go func() {
		defer theirs.Close()
		in := bufio.NewReader(theirs)
		for {
			if _, err := in.ReadString('\n'); err != nil {
				return
			}
			for range 200 {
				fmt.Fprintf(theirs, "method signature=%s\n", strings.Repeat("x", 60_000))
			}
			fmt.Fprintln(theirs, "instrumented count=200")
		}
	}()
	c := newControl(ours, "the agent")
	for n := range 10 {
		_, err := c.ask(t.Context(), Message{Verb: "instrumented"})
		if err == nil {
			continue
		}
		if n < 4 || !strings.Contains(err.Error(), "more than 64 MiB in all") {
			t.Errorf("answer %d: %v", n, err)
		}
		return
	}
	t.Error("it could go on for ever")
}

// TestAnswerOfTheEnded: what a process said counts, although it ends as soon as the
// connection does and its caller waits for that end.
func TestAnswerOfTheEnded(t *testing.T) {
	ln, err := listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancelCause(t.Context())
	defer end(nil)
	go func() {
		conn, err := net.Dial("tcp4", ln.Addr().String())
		if err != nil {
			return
		}
		defer conn.Close()
		fmt.Fprintln(conn, "hello protocol=1 token=wrong")
		io.ReadAll(conn)
		end(errEnded)
	}()
	_, _, err = door{ln: ln, name: "the fixture", pid: os.Getpid(), token: "t0ken"}.await(ctx)
	mustFail(t, err, KindProtocol, "wrong token")
}
