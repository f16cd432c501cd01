package jvm

import (
	"bufio"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const transcripts = "../../jvm-fixtures/protocol"

// TestTranscripts replays what fixture and harness say to each other: the test
// plays the fixture, and our side of the channel asks what the transcript says.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(transcripts, "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skipf("needs the transcripts of %s: there are none", transcripts)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { replay(t, file) })
	}
}

func replay(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var script []string // lines that begin with < or >
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimRight(line, "\n"); line != "" && line[0] != '#' {
			script = append(script, line)
		}
	}
	ours, theirs := net.Pipe()
	defer ours.Close()
	go playFixture(t, theirs, script)
	c := newControl(ours, "the fixture")
	hello := mustParse(t, script[0])
	if _, _, err := c.greet(t.Context(), hello.String("token")); err != nil {
		t.Fatalf("%s: %v", script[0], err)
	}
	for i := 1; i < len(script); {
		answer, err := askLine(t, c, said(script[i]))
		var f *Failure
		if err != nil && !(errors.As(err, &f) && f.Kind == KindRefused) {
			t.Fatalf("%s: %v", script[i], err)
		}
		for _, got := range answer {
			i++
			if d := cmp.Diff(mustParse(t, script[i]), got); d != "" {
				t.Errorf("%s: %s", script[i], d)
			}
		}
		i++
	}
}

// askLine sends a line as it is when it is one that we would never send.
func askLine(t *testing.T, c *control, line string) ([]Message, error) {
	request, err := ParseMessage(line)
	if _, known := answers[request.Verb]; err == nil && known {
		return c.ask(t.Context(), request)
	}
	if _, err := c.conn.Write([]byte(line + "\n")); err != nil {
		return nil, err
	}
	answer, err := c.receive(t.Context())
	if err == nil && answer.Verb != "error" {
		t.Errorf("%s: answered with %s, want error", line, answer.Verb)
	}
	return []Message{answer}, err
}

// playFixture says the lines of the fixture, and expects those of the harness
// between them.
func playFixture(t *testing.T, conn net.Conn, script []string) {
	defer conn.Close()
	r := bufio.NewReader(conn)
	for _, line := range script {
		if line[0] == '<' {
			conn.Write([]byte(said(line) + "\n"))
			continue
		}
		got, err := r.ReadString('\n')
		if err != nil {
			return // our side gave up, and says why
		}
		got = strings.TrimSuffix(got, "\n")
		want, wantErr := ParseMessage(said(line))
		m, err := ParseMessage(got)
		if got != said(line) && (err != nil || wantErr != nil || !cmp.Equal(m, want)) {
			t.Errorf("sent %q, want %q", got, line)
		}
	}
}

func said(line string) string { return strings.TrimSpace(line[1:]) }

func mustParse(t *testing.T, line string) Message {
	t.Helper()
	m, err := ParseMessage(said(line))
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return m
}
