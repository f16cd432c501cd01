package receiver

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"moobench/internal/testrace"
)

// attacked is how many bytes a body may have under attack, so that no attack needs many.
const attacked = 1 << 20

// plain is a request of HTTP/1.1.
func plain(method, path, kind, body string) string {
	return fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head(method, path, kind), len(body), body)
}

// head is the beginning of one.
func head(method, path, kind string) string {
	return fmt.Sprintf("%s %s HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\n", method, path, kind)
}

// chunked is a request whose body has no end.
func chunked(head string, chunks int) string {
	return head + "Transfer-Encoding: chunked\r\n\r\n" + strings.Repeat("10000\r\n"+strings.Repeat("1", 1<<16)+"\r\n", chunks)
}

// attacks are requests that want to cost memory, time or the receiver itself, with what is said of each.
// The last of them are those of a media type.
func attacks(method, path, kind string) map[string]struct{ in, err string } {
	const many = 4 * attacked
	zeros := string(make([]byte, many))
	head := head(method, path, kind)
	all := map[string]struct{ in, err string }{
		"slow head":       {head + "X-A: b", "before the head of an HTTP request was whole"},
		"long head":       {head + "X-A: " + strings.Repeat("b", 2*headMost), "before the head of an HTTP request was whole"},
		"gigantic body":   {head + "Content-Length: 1099511627776\r\n\r\n" + zeros, "a body of more than"},
		"no such body":    {head + "Content-Length: 1099511627776\r\n\r\n", "announced: 1099511627776"},
		"bomb":            {plainPacked(head, zeros), "a body of more than"},
		"endless chunks":  {chunked(head, many>>16), "a body of more than"},
		"half a chunk":    {head + "Transfer-Encoding: chunked\r\n\r\nffffffff\r\n1", "ends after"},
		"a wrong chunk":   {head + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n", "ends after"},
		"two lengths":     {head + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n", "not HTTP"},
		"negative length": {head + "Content-Length: -1\r\n\r\n", "not HTTP"},
	}
	add := func(name, body, err string) {
		all[name] = struct{ in, err string }{plain(method, path, kind, body), err}
	}
	switch kind {
	case jsonType:
		add("deep", strings.Repeat(`{"resourceSpans":[`, 1000), "nested more than")
		add("deep arrays", strings.Repeat(`[`, attacked/2), "nested more than")
	case "application/x-ndjson":
		add("deep", `{"span":`+strings.Repeat("[", attacked/2), "nested more than")
		add("many small lines", strings.Repeat("{}\n", attacked/4)+"{", "unexpected EOF")
	case "application/x-json-stream":
		add("deep", `{"x":`+strings.Repeat("[", attacked/2), "nested more than")
	case msgpackType:
		add("deep", strings.Repeat("\x91", attacked/2), "not Datadog's traces")
		add("an array of 4 billion", "\xdd\xff\xff\xff\xff", "not Datadog's traces")
		add("a string of 4 GiB", "\x92\xdb\xff\xff\xff\xff", "not Datadog's traces")
	case protobufType:
		// An AnyValue holds others; none of them leads to a span, and so none is looked into.
		add("deep, and cut off", string(message(1, message(2, message(2, bytes.Repeat([]byte("\x2a\x7f"), 1000))))[:900]), "unexpected EOF")
		add("a field of 4 GiB", "\x0a\xff\xff\xff\xff\x0f", "unexpected EOF")
	case grpcType:
		add("a message of 4 GiB", "\x00\xff\xff\xff\xff\x0a", "a gRPC message of 4294967295 bytes")
		add("a bomb in a message", "\x01"+called(zipped([]byte(zeros)))[1:], "a field without a valid number")
		add("many small messages", strings.Repeat(called(nil), attacked/8)+"\x07", "no whole head")
	}
	return all
}

// TestAttackedRequests: of each protocol, an attack costs itself alone, is named, and the next
// request counts.
func TestAttackedRequests(t *testing.T) {
	testrace.Slow(t)
	for _, c := range spoken {
		if c.records == 0 {
			continue
		}
		t.Run(c.source+c.path+" "+c.kind, func(t *testing.T) {
			watch(t)
			var all sync.WaitGroup // each takes half a second to hang up, and next to no CPU
			for name, a := range attacks(c.method, c.path, c.kind) {
				all.Go(func() {
					s := receiverOf(t, c.source)
					if err := attack(s, a.in); err != nil {
						t.Errorf("%s: %v", name, err)
					}
					if status, _, err := request(t.Context(), s, c.method, c.path, c.kind, c.body); status != c.status || err != nil {
						t.Errorf("%s: the next one: status %d, %v", name, status, err)
					}
					tally, err := s.Finish(t.Context())
					if tally.Records != c.records || err == nil || !strings.Contains(err.Error(), a.err) {
						t.Errorf("%s: %d records, want the next one's %d; %v, want %q", name, tally.Records, c.records, err, a.err)
					}
				})
			}
			all.Wait()
		})
	}
}

func plainPacked(head, body string) string {
	packed := zipped([]byte(body))
	return fmt.Sprintf("%sContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", head, len(packed), packed)
}

// attack sends bytes by a connection, and returns when the other end has ended it.
func attack(s *posts, in string) error {
	c, err := net.Dial("tcp4", "127.0.0.1:"+s.Vars()["port"])
	if err != nil {
		return err
	}
	defer c.Close()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = io.Copy(io.Discard, c)
	}()
	_ = c.SetWriteDeadline(time.Now().Add(20 * time.Second))
	_, _ = io.WriteString(c, in) // it may be hung up on before
	_ = c.(*net.TCPConn).CloseWrite()
	select {
	case <-ended:
		return nil
	case <-time.After(20 * time.Second):
		return errors.New("the connection has not ended")
	}
}

// preface is what HTTP/2 begins with, and a frame that sets nothing.
var preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, "")

// frame is one of HTTP/2.
func frame(kind, flags byte, stream uint32, payload string) string {
	n := len(payload)
	b := binary.BigEndian.AppendUint32([]byte{byte(n >> 16), byte(n >> 8), byte(n), kind, flags}, stream)
	return string(b) + payload
}

// block are the headers of a gRPC call, none of them packed.
func block(path string) string {
	field := func(name, value string) string {
		return name + string([]byte{byte(len(value))}) + value
	}
	return "\x83\x86" + field("\x04", path) + field("\x01", "x") + field("\x0f\x10", grpcType) // names by their place in the table
}

// framed is something that comes by HTTP/2. Records are those of its requests that are whole.
type framed struct {
	name, in string
	records  int64
	err      string
}

// frames are what may be wrong with frames.
func frames() []framed {
	const export = "/opentelemetry.proto.collector.trace.v1.TraceService/Export"
	call := called(traces(3))
	open := frame(1, 4, 1, block(export)) // END_HEADERS
	var bytewise strings.Builder
	for _, b := range []byte(call) {
		bytewise.WriteString(frame(0, 0, 1, string([]byte{b})))
	}
	var resets strings.Builder
	for i := range uint32(2000) {
		resets.WriteString(frame(1, 4, 2*i+1, block(export)) + frame(3, 0, 2*i+1, "\x00\x00\x00\x08"))
	}
	return []framed{
		{"a call", preface + open + frame(0, 1, 1, call), 3, ""},
		{"byte by byte", preface + open + bytewise.String() + frame(0, 1, 1, ""), 3, ""},
		{"empty frames", preface + open + strings.Repeat(frame(0, 0, 1, ""), 20_000) + frame(0, 1, 1, call), 3, ""},
		{"many small messages", preface + open + strings.Repeat(frame(0, 0, 1, strings.Repeat("\x00\x00\x00\x00\x00", 100)), 100) + frame(0, 1, 1, call), 3, ""},
		{"half a call", preface + open + frame(0, 0, 1, call[:40]), 0, "ends after 40 bytes"},
		{"half a message", preface + open + frame(0, 1, 1, call[:40]), 0, "unexpected EOF"},
		{"a message of 4 GiB", preface + open + frame(0, 1, 1, "\x00\xff\xff\xff\xff\x0a"), 0, "a gRPC message of 4294967295 bytes"},
		{"half a frame", preface + open + frame(0, 0, 1, call)[:20], 0, "ends after"},
		{"a frame of 16 MiB", preface + open + "\xff\xff\xff\x00\x00\x00\x00\x00\x01", 0, "ends after"},
		{"a stream that is not open", preface + open + frame(0, 1, 1, call) + frame(0, 1, 7, call), 3, ""},
		{"headers without end", preface + frame(1, 0, 1, block(export)) + strings.Repeat(frame(9, 0, 1, "\x00\x01a\x7f"+strings.Repeat("b", 127)), 2000), 0, ""},
		{"settings without end", preface + strings.Repeat(frame(4, 0, 0, ""), 20_000), 0, ""},
		{"pings without end", preface + strings.Repeat(frame(6, 0, 0, "12345678"), 20_000), 0, ""},
		{"calls that are taken back", preface + resets.String(), 0, ""},
		{"an unknown kind of frame", preface + frame(0xee, 0xff, 9, "x") + open + frame(0, 1, 1, call), 3, ""},
		{"headers that are none", preface + frame(1, 5, 1, "\xff\xff\xff\xff\xff\xff"), 0, ""},
		{"half a preface", preface[:10], 0, ""},
		{"nothing but the preface", preface, 0, ""},
	}
}

// TestAttackedFrames: whatever HTTP/2's frames are, the connection ends with its sender, and the
// next call counts.
func TestAttackedFrames(t *testing.T) {
	testrace.Slow(t)
	c := spoken[2]
	for _, a := range frames() {
		t.Run(a.name, func(t *testing.T) {
			watch(t)
			s := receiverOf(t, "otlp")
			if err := attack(s, a.in); err != nil {
				t.Error(err)
			}
			if status, _, err := request(t.Context(), s, c.method, c.path, c.kind, c.body); status != c.status || err != nil {
				t.Errorf("the next one: status %d, %v", status, err)
			}
			tally, err := s.Finish(t.Context())
			if want := a.records + c.records; tally.Records != want {
				t.Errorf("%d records, want %d", tally.Records, want)
			}
			if a.err != "" {
				checkError(t, err, a.err)
			}
		})
	}
}

// TestManyConnections: those that are too many are closed, and each of the others may have no more
// than a few calls under way.
func TestManyConnections(t *testing.T) {
	watch(t)
	s := receiverOf(t, "otlp")
	s.quiet = 200 * time.Millisecond
	var calls bytes.Buffer
	calls.WriteString(preface)
	message := zipped(bytes.Repeat(traces(1), 2000))
	for i := range uint32(100) {
		calls.WriteString(frame(1, 4, 2*i+1, block(spoken[2].path)) + frame(0, 0, 2*i+1, "\x01"+called(message)[1:300]))
	}
	const many = connectionsMost + 50
	for range many {
		c := dial(t, s)
		defer c.Close()
		_ = c.SetWriteDeadline(time.Now().Add(20 * time.Second))
		_, _ = c.Write(calls.Bytes()) // it may be hung up on before
	}
	until(t, "the end of those that are too many", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.suspects.tooMany >= many-connectionsMost && len(s.open) <= connectionsMost
	})
	tally, err := s.Finish(t.Context())
	if tally.Records != 0 {
		t.Errorf("%d records", tally.Records)
	}
	checkError(t, err, "connections were closed because 64 were open already")
}
