package receiver

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// sendFor makes the test binary a measured process, which says by a variable that
// it is to send.
const sendFor = "RECEIVER_TEST_SENDER"

func TestMain(m *testing.M) {
	if os.Getenv(sendFor) != "" {
		if err := sendAsChild(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// sendAsChild sends seven records to the address that it is told, and holds the
// connection until nothing more is told, or is brief and ends.
func sendAsChild() error {
	told := bufio.NewReader(os.Stdin)
	address, err := told.ReadString('\n')
	if err != nil {
		return err
	}
	c, err := net.Dial("tcp", strings.TrimSpace(address))
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := c.Write(kiekerWire(7)); err != nil || os.Getenv(sendFor) == "brief" {
		return err
	}
	_, err = told.ReadString('\n')
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// Anybody on this machine can connect to a port. Only what comes from the
// processes that are measured counts.
func TestStrangersDoNotCount(t *testing.T) {
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), sendFor+"=1")
	child.Stderr = os.Stderr
	tell, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	ended := false
	t.Cleanup(func() {
		if !ended {
			child.Process.Kill()
			child.Wait()
		}
	})
	n := listenFor(t, child.Process.Pid)
	s := receiveKieker(n, nil)
	address := "127.0.0.1:" + s.Vars()["port"]
	stranger := dial(t, s) // this process is not a child of the child's
	defer stranger.Close()
	_, _ = stranger.Write(kiekerWire(50)) // it may be hung up on before
	if _, err := fmt.Fprintln(tell, address); err != nil {
		t.Fatal(err)
	}
	waitFor(t, s, 7)
	if err := tell.Close(); err != nil {
		t.Fatal(err)
	}
	if err := child.Wait(); err != nil {
		t.Fatal(err)
	}
	ended = true
	tally, err := s.Finish(t.Context())
	if tally.Records != 7 || tally.Bytes != int64(len(kiekerWire(7))) {
		t.Errorf("%+v; want 7 records", tally)
	}
	checkError(t, err, fmt.Sprintf("1 connections came from processes that are not measured (the first: of user %d)", os.Geteuid()))
}

// Spans that a stranger posts are refused before they are read.
func TestStrangersSpansDoNotCount(t *testing.T) {
	sleep := exec.Command("sleep", "600")
	if err := sleep.Start(); err != nil {
		t.Skip("needs sleep on PATH:", err)
	}
	t.Cleanup(func() {
		sleep.Process.Kill()
		sleep.Wait()
	})
	s := receivePosts(listenFor(t, sleep.Process.Pid), otlp)
	url := "http://127.0.0.1:" + s.Vars()["port"] + "/v1/traces"
	if answer, err := http.Post(url, protobufType, bytes.NewReader(traces(50))); err == nil {
		answer.Body.Close()
		t.Errorf("it was answered: %s", answer.Status)
	}
	tally, err := s.Finish(t.Context())
	if tally.Records != 0 || tally.Bytes != 0 {
		t.Errorf("%+v; want nothing", tally)
	}
	checkError(t, err, "not measured")
}

// listenFor is a listener for what descends from a process.
func listenFor(t *testing.T, root int) *network {
	t.Helper()
	n, err := listen(t.Context(), anyPort, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	n.root = root
	return n
}

// What is not known of a sender is said. One that was to wait for its answer and
// did not is not a sender.
func TestUnknownSenders(t *testing.T) {
	for _, c := range []struct {
		sender  sender
		answers bool
		records int64
		err     string
	}{
		{measured, false, 5, ""},
		{gone, false, 5, "5 of the records came from a sender that could not be looked up"},
		{gone, true, 0, "5 records came from a sender that did not wait for an answer"},
		{hidden, true, 5, "5 of the records"},
	} {
		n := &network{arrivals: newArrivals(), answers: c.answers}
		n.count(&conn{n: n, sender: c.sender}, 1, 5)
		if got := n.snapshot().Records; got != c.records {
			t.Errorf("%v: %d records, want %d", c, got, c.records)
		}
		checkError(t, errors.Join(n.suspects.doubts()...), c.err)
	}
}

// A program may end while its connection is being looked up. It was measured all the same.
func TestBriefSendersCount(t *testing.T) {
	n := listenFor(t, os.Getpid())
	s := receiveKieker(n, nil)
	const most = 40
	for range most {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), sendFor+"=brief", "GORACE=atexit_sleep_ms=0") // else each ends a second later
		child.Stdin, child.Stderr = strings.NewReader("127.0.0.1:"+s.Vars()["port"]+"\n"), os.Stderr
		if err := child.Run(); err != nil {
			t.Fatal(err)
		}
	}
	tally, err := s.Finish(t.Context())
	if tally.Records != 7*most || err != nil && strings.Contains(err.Error(), "not measured") {
		t.Errorf("%+v, %v; want %d records", tally, err, 7*most)
	}
}
