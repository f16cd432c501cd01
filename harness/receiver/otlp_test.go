package receiver

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

func TestCountSpans(t *testing.T) {
	wrongType := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), 3)
	whole := traces(5)
	for _, c := range []struct {
		name  string
		in    []byte
		spans int64
		err   string
	}{
		{"empty", nil, 0, ""},
		{"no span", traces(0), 0, ""},
		{"spans", traces(512), 512, ""},
		{"two resources", append(traces(3), traces(4)...), 7, ""},
		{"unknown fields", append(message(77, []byte("later")), traces(2)...), 2, ""},
		{"truncated", whole[:len(whole)-1], 0, "unexpected EOF"},
		{"wrong type", wrongType, 0, "want a message"},
		{"text", []byte(`{"resourceSpans":[]}`), 0, "not an ExportTraceServiceRequest"},
	} {
		t.Run(c.name, func(t *testing.T) {
			spans, err := countSpans(bufio.NewReader(bytes.NewReader(c.in)))
			if spans != c.spans {
				t.Errorf("%d spans, want %d", spans, c.spans)
			}
			checkError(t, err, c.err)
		})
	}
}

func TestOTLPAnswers(t *testing.T) {
	big := strings.Repeat("x", 10)
	for _, c := range []struct {
		name, method, path, kind, encoding string
		body                               []byte
		status                             int
		records                            int64
		err                                string
	}{
		{"traces", "POST", "/v1/traces", otlpType, "", traces(7), 200, 7, ""},
		{"gzip", "POST", "/v1/traces", otlpType, "gzip", zipped(traces(7)), 200, 7, ""},
		{"with charset", "POST", "/v1/traces", otlpType + "; charset=x", "", traces(1), 200, 1, ""},
		{"metrics", "POST", "/v1/metrics", otlpType, "", []byte(big), 200, 0, ""},
		{"logs", "POST", "/v1/logs", otlpType, "", nil, 200, 0, ""},
		{"malformed", "POST", "/v1/traces", otlpType, "", []byte("\x0a\xff"), 400, 0, "not an ExportTraceServiceRequest"},
		{"no gzip", "POST", "/v1/traces", otlpType, "gzip", traces(7), 400, 0, "unpack the body"},
		{"half gzip", "POST", "/v1/traces", otlpType, "gzip", zipped(traces(7))[:30], 400, 0, "unexpected EOF"},
		{"other packing", "POST", "/v1/traces", otlpType, "zstd", traces(7), 400, 0, `content encoding "zstd"`},
		{"json", "POST", "/v1/traces", "application/json", "", []byte("{}"), 415, 0, "set the agent's protocol to http/protobuf"},
		{"get", "GET", "/v1/traces", otlpType, "", nil, 405, 0, "want POST"},
		{"elsewhere", "POST", "/intake/v2", otlpType, "", traces(7), 404, 0, "no spans came, but POST /intake/v2"},
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
	s, err := Open(t.Context(), "otlp", "", nil)
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
	if resp.StatusCode == 200 && resp.Header.Get("Content-Type") != otlpType {
		t.Errorf("content type %q", resp.Header.Get("Content-Type"))
	}
	return resp.StatusCode, answer
}

func TestOTLPBrokenConnections(t *testing.T) {
	head := "POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Type: " + otlpType + "\r\n"
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
		{"garbage", "\x00\xff\x00\xff\r\n\r\n", 0, "no HTTP"},
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

func FuzzCountSpans(f *testing.F) {
	f.Add(traces(2))
	f.Add(append(traces(1), 0xff))
	f.Fuzz(func(t *testing.T, in []byte) {
		if n, _ := countSpans(bufio.NewReader(bytes.NewReader(in))); n > int64(len(in)) {
			t.Fatalf("%d spans in %d bytes", n, len(in))
		}
	})
}

func FuzzOTLPRequest(f *testing.F) {
	f.Add(traces(2), "", otlpType, "/v1/traces")
	f.Add(zipped(traces(2)), "gzip", otlpType, "/v1/traces")
	f.Fuzz(func(t *testing.T, body []byte, encoding, kind, path string) {
		o := testOTLP()
		req := httptest.NewRequest("POST", "/", bytes.NewReader(body))
		req.URL.Path = path
		req.Header.Set("Content-Type", kind)
		req.Header.Set("Content-Encoding", encoding)
		o.handle(httptest.NewRecorder(), req)
	})
}

// testOTLP is a receiver without a socket.
func testOTLP() *otlp {
	return &otlp{network: &network{arrivals: newArrivals()}, intakes: sync.Pool{New: newIntake}}
}

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
			req.Header.Set("Content-Type", otlpType)
			req.Header.Set("Content-Encoding", c.encoding)
			req.ContentLength = int64(len(c.body))
			in := bytes.NewReader(nil)
			req.Body = io.NopCloser(in)
			b.ReportAllocs()
			for b.Loop() {
				in.Reset(c.body)
				if _, err := o.take(req, nil); err != nil {
					b.Fatal(err)
				}
			}
			perRecord(b, n)
		})
	}
}

func BenchmarkOTLPDecode(b *testing.B) {
	const n = 512
	request := traces(n)
	in := bytes.NewReader(request)
	buffered := bufio.NewReaderSize(in, otlpRead)
	b.ReportAllocs()
	for b.Loop() {
		in.Reset(request)
		buffered.Reset(in)
		if spans, err := countSpans(buffered); spans != n || err != nil {
			b.Fatal(spans, err)
		}
	}
	perRecord(b, n)
}
