package jvm

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The test binary is also the JVM that the tests start: what it does is in its
// environment.
const fakeVar = "MOOBENCH_FAKE"

// scratch is a folder for what the tests share.
var scratch string

func TestMain(m *testing.M) {
	switch mode := os.Getenv(fakeVar); mode {
	case "":
		var err error
		if scratch, err = os.MkdirTemp("", "moobench-jvm-"); err != nil {
			panic(err)
		}
		status := m.Run()
		os.RemoveAll(scratch)
		os.Exit(status)
	case "parent":
		fakeParent()
	default:
		fakeJVM(mode)
	}
}

func systemProperty(key string) string {
	for _, a := range os.Args {
		if v, ok := strings.CutPrefix(a, "-D"+key+"="); ok {
			return v
		}
	}
	return ""
}

// fakeJVM behaves well, except as its mode says.
func fakeJVM(mode string) {
	switch mode {
	case "dies at start":
		fmt.Fprintln(os.Stderr, "Error: Could not find or load main class moobench.calls.Main")
		os.Exit(1)
	case "silent at start", "immortal":
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE)
		hang()
	case "environment":
		fmt.Println(strings.Join(os.Environ(), "\n"))
	case "listens":
		ln, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			os.Exit(9)
		}
		fmt.Println(ln.Addr().(*net.TCPAddr).Port)
		hang()
	case "counts quits":
		countQuits()
	case "leaves a child":
		c := exec.Command(os.Args[0])
		c.Env = []string{fakeVar + "=immortal"}
		if err := c.Start(); err != nil {
			os.Exit(9)
		}
		fmt.Println(c.Process.Pid)
		return
	}
	conn, err := net.Dial("tcp", systemProperty("moobench.control"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	fmt.Fprint(conn, fakeHello(mode))
	if mode == "closes" {
		conn.Close()
		hang()
	}
	r := bufio.NewReader(conn)
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			os.Exit(3)
		}
		fakeAnswer(mode, conn, strings.Fields(line)[0])
	}
}

func fakeHello(mode string) string {
	token, version, pid := os.Getenv(tokenVar), "1", os.Getpid()
	switch mode {
	case "wrong token":
		token = "0123"
	case "wrong version":
		version = "2"
	case "wrong pid":
		pid = 1 << 30
	case "garbage at start":
		return "\xff\xfe GET / HTTP/1.1\r\n"
	case "speaks out of turn":
		return "ready\n"
	}
	return fmt.Sprintf("hello protocol=%s token=%s fixture=calls pid=%d jvm=\"17.0.15+6\" main_ns=1\n", version, token, pid)
}

func fakeAnswer(mode string, conn net.Conn, verb string) {
	good := map[string]string{
		"setup": "ready clock_ns=29.5 tick_ns=10", "measure": "measured begin_ns=1 end_ns=2 calls=1",
		"dump": "series name=duration file=a\nseries name=duration file=b\ndumped bytes=16", "quit": "bye",
	}
	if verb == "measure" {
		switch mode {
		case "hangs":
			hang()
		case "exits":
			fmt.Println("java.lang.OutOfMemoryError: Java heap space")
			os.Exit(7)
		case "is killed":
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
		case "fills the disk":
			fmt.Println("java.io.IOException: No space left on device")
			os.Exit(1)
		case "lies":
			fmt.Fprintln(conn, "ready")
			return
		case "garbage":
			fmt.Fprintln(conn, `measured begin_ns="1`)
			return
		case "floods":
			fmt.Fprint(conn, strings.Repeat("x", 3*maxLine))
			return
		case "half a line":
			fmt.Fprint(conn, "measured begin_ns=1")
			os.Exit(0)
		case "refuses":
			fmt.Fprintln(conn, `error message="no class matches \"+ x\""`)
			return
		case "chatters":
			fmt.Fprint(conn, strings.Repeat("series\n", maxIntermediate+10))
			return
		}
	}
	if verb == "dump" && mode == "shouts" {
		for err := error(nil); err == nil; {
			_, err = fmt.Fprintf(conn, "series name=%s\n", strings.Repeat("x", maxLine-100))
		}
	}
	if verb == "dump" && mode == "chatters" {
		fmt.Fprint(conn, strings.Repeat("series\n", maxIntermediate+10))
		return
	}
	if verb == "quit" {
		fakeQuit(mode, conn)
	}
	fmt.Fprintln(conn, good[verb])
	if verb == "quit" {
		os.Exit(0)
	}
}

func fakeQuit(mode string, conn net.Conn) {
	switch mode {
	case "never exits":
		fmt.Fprintln(conn, "bye")
		hang()
	case "never exits nor terminates":
		signal.Ignore(syscall.SIGTERM)
		fmt.Fprintln(conn, "bye")
		hang()
	case "exits badly":
		fmt.Fprintln(conn, "bye")
		os.Exit(4)
	case "exits without bye":
		os.Exit(0)
	}
}

// countQuits adds a line to a file for each SIGQUIT. Each is one by one: the kernel
// keeps no count of those that wait.
func countQuits() {
	quits := make(chan os.Signal, 1000)
	signal.Notify(quits, syscall.SIGQUIT)
	fmt.Println("ready")
	for range quits {
		f, err := os.OpenFile("quits", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
		if err != nil {
			os.Exit(9)
		}
		fmt.Fprintln(f, "quit")
		f.Close()
	}
}

// hang sleeps for ever; a bare select{} would be a deadlock to the runtime.
func hang() {
	for {
		time.Sleep(time.Hour)
	}
}

// fakeParent is a moobench that gets killed while its JVM runs.
func fakeParent() {
	dir := systemProperty("dir")
	p, err := StartProcess(context.Background(), Command{Path: os.Args[0], Env: []string{fakeVar + "=immortal"}, Dir: dir})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(p.PID())
	hang()
}
