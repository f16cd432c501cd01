package receiver

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestOTLPAnswers(t *testing.T) {
	big := strings.Repeat("x", 10)
	for _, c := range []struct {
		name, method, path, kind, encoding string
		body                               []byte
		status                             int
		records                            int64
		err                                string
	}{
		{"traces", "POST", "/v1/traces", protobufType, "", traces(7), 200, 7, ""},
		{"gzip", "POST", "/v1/traces", protobufType, "gzip", zipped(traces(7)), 200, 7, ""},
		{"with charset", "POST", "/v1/traces", protobufType + "; charset=x", "", traces(1), 200, 1, ""},
		{"metrics", "POST", "/v1/metrics", protobufType, "", []byte(big), 200, 0, ""},
		{"logs", "POST", "/v1/logs", protobufType, "", nil, 200, 0, ""},
		{"malformed", "POST", "/v1/traces", protobufType, "", []byte("\x0a\xff"), 400, 0, "not an ExportTraceServiceRequest"},
		{"no gzip", "POST", "/v1/traces", protobufType, "gzip", traces(7), 400, 0, "unpack the body"},
		{"half gzip", "POST", "/v1/traces", protobufType, "gzip", zipped(traces(7))[:30], 400, 0, "unexpected EOF"},
		{"other packing", "POST", "/v1/traces", protobufType, "zstd", traces(7), 400, 0, `content encoding "zstd"`},
		{"json", "POST", "/v1/traces", "text/plain", "", []byte("{}"), 415, 0, "set the agent's protocol"},
		{"get", "GET", "/v1/traces", protobufType, "", nil, 405, 0, "want POST"},
		{"elsewhere", "POST", "/intake/v2", protobufType, "", traces(7), 404, 0, "no spans came, but POST /intake/v2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, url := openTestOTLP(t)
			req, err := http.NewRequest(c.method, url+c.path, bytes.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", c.kind)
			if c.encoding != "" {
				req.Header.Set("Content-Encoding", c.encoding)
			}
			status, answer := send(t, req)
			if status != c.status || (status == 200 && len(answer) > 0) {
				t.Errorf("status %d with %q, want %d", status, answer, c.status)
			}
			tally, err := s.Finish(t.Context())
			if tally.Records != c.records {
				t.Errorf("%d records, want %d", tally.Records, c.records)
			}
			checkError(t, err, c.err)
		})
	}
}

func openTestOTLP(t testing.TB) (Source, string) {
	t.Helper()
	s, err := Open(t.Context(), "otlp", "", nil, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, "http://127.0.0.1:" + s.Vars()["port"]
}

// send sends one request on a connection of its own.
func send(t *testing.T, req *http.Request) (int, []byte) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode == 200 && resp.Header.Get("Content-Type") != protobufType {
		t.Errorf("content type %q", resp.Header.Get("Content-Type"))
	}
	return resp.StatusCode, answer
}

func TestOTLPBrokenConnections(t *testing.T) {
	head := "POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Type: " + protobufType + "\r\n"
	body := string(traces(3))
	whole := fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, len(body), body)
	for _, c := range []struct {
		name, in string
		records  int64
		err      string
	}{
		{"two requests", whole + whole, 6, ""},
		{"half a body", fmt.Sprintf("%s%sContent-Length: %d\r\n\r\n%s", whole, head, len(body), body[:20]), 3, "ends after 20 bytes of its body (announced: " + fmt.Sprint(len(body)) + ")"},
		{"half a head", head, 0, "before the head of an HTTP request was whole"},
		{"garbage", "\x00\xff\x00\xff\r\n\r\n", 0, "not HTTP"},
		{"nothing", "", 0, ""},
		{"chunked", head + "Transfer-Encoding: chunked\r\n\r\n" + fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(body), body), 3, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := openTestOTLP(t)
			dialAndSend(t, s, []byte(c.in))
			tally, err := s.Finish(t.Context())
			if tally.Records != c.records || tally.Bytes != int64(len(c.in)) {
				t.Errorf("%d records in %d bytes, want %d in %d", tally.Records, tally.Bytes, c.records, len(c.in))
			}
			checkError(t, err, c.err)
		})
	}
}

// testOTLP is a receiver without a socket.
func testOTLP() *posts { return newPosts(&network{arrivals: newArrivals()}, otlp) }

// BenchmarkOTLPHandle takes a request with the spans of a default batch.
func BenchmarkOTLPHandle(b *testing.B) {
	const n = 512
	for _, c := range []struct {
		name, encoding string
		body           []byte
	}{{"plain", "", traces(n)}, {"gzip", "gzip", zipped(traces(n))}} {
		b.Run(c.name, func(b *testing.B) {
			o := testOTLP()
			req := httptest.NewRequestWithContext(context.Background(), "POST", "/v1/traces", nil)
			req.Header.Set("Content-Type", protobufType)
			req.Header.Set("Content-Encoding", c.encoding)
			req.ContentLength = int64(len(c.body))
			in := bytes.NewReader(nil)
			req.Body = io.NopCloser(in)
			b.ReportAllocs()
			for b.Loop() {
				in.Reset(c.body)
				if _, _, err := o.take(o.at(req.URL.Path), req, nil); err != nil {
					b.Fatal(err)
				}
			}
			perRecord(b, n)
		})
	}
}
