package receiver

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"
)

// spoken are requests as agents of each protocol make them, and what is made of them.
var spoken = []struct {
	source, method, path, kind, body string
	status                           int
	answer                           string
	records                          int64
}{
	{"otlp", "POST", "/v1/traces", protobufType, string(traces(3)), 200, "", 3},
	{"otlp", "POST", "/v1/traces", jsonType, `{"resourceSpans":[{"scopeSpans":[{"spans":[{},{}]}]}]}`, 200, "{}", 2},
	{"otlp", "POST", "/opentelemetry.proto.collector.trace.v1.TraceService/Export", grpcType, called(traces(3)), 200, "\x00\x00\x00\x00\x00", 3},
	{"otlp", "POST", "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export", grpcType, "", 200, "\x00\x00\x00\x00\x00", 0},
	{"zipkin", "POST", "/api/v2/spans", jsonType, `[{},{}]`, 202, "", 2},
	{"elastic", "GET", "/", "", "", 200, `"version":"8`, 0},
	{"elastic", "POST", "/intake/v2/events", "application/x-ndjson", "{\"metadata\":{}}\n{\"span\":{}}\n", 202, "", 1},
	{"datadog", "GET", "/info", "", "", 200, "/v0.4/traces", 0},
	{"datadog", "PUT", "/v0.4/traces", msgpackType, "\x91\x92\x80\x80", 200, "rate_by_service", 2},
	{"datadog", "PUT", "/v0.5/traces", msgpackType, "\x92\x91\xa1x\x91\x91\x90", 200, "rate_by_service", 1},
	{"datadog", "POST", "/telemetry/proxy/api/v2/apmtelemetry", jsonType, "{}", 200, "", 0},
	{"appinsights", "POST", "/v2.1/track", "application/x-json-stream", `{"data":{"baseType":"RequestData"}}`, 200, `"itemsAccepted":1`, 1},
	{
		"skywalking", "POST", "/skywalking.v3.TraceSegmentReportService/collect", grpcType,
		called([]byte("\x0a\x01t\x1a\x00\x1a\x00")) + called([]byte("\x1a\x00")), 200, "\x00\x00\x00\x00\x00", 3,
	},
	{"skywalking", "POST", "/skywalking.v3.ManagementService/keepAlive", grpcType, called(traces(3)), 200, "\x00\x00\x00\x00\x00", 0},
	{"profiles", "POST", "/ingest?name=x", "multipart/form-data; boundary=x", "--x--", 200, "", 1},
	{"profiles", "POST", "/v1development/profiles", protobufType, string(traces(2)), 200, "", 2},
	{"posts", "POST", "/anything", "text/plain", "a\nb\n", 200, "{}", 1},
	{"posts", "GET", "/anything", "", "", 200, "{}", 0},
}

// called is a message as gRPC frames it.
func called(message []byte) string {
	return string(append(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(message))), message...))
}

// TestProtocols: what each protocol's agent posts is counted, and answered as it wants.
func TestProtocols(t *testing.T) {
	for _, c := range spoken {
		t.Run(c.source+c.path, func(t *testing.T) {
			s := openTest(t, c.source, nil, "")
			status, answer, err := request(t.Context(), s, c.method, c.path, c.kind, c.body)
			if err != nil || status != c.status || !strings.Contains(answer, c.answer) {
				t.Errorf("status %d, %q, %v; want %d, %q", status, answer, err, c.status, c.answer)
			}
			if tally, err := s.Finish(t.Context()); tally.Records != c.records || err != nil {
				t.Errorf("%+v, %v; want %d records", tally, err, c.records)
			}
		})
	}
}

func openTest(t testing.TB, source string, told Told, fault Fault) Source {
	t.Helper()
	s, err := Open(t.Context(), source, "", told, fault)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// request sends one on a connection of its own: by HTTP/2 without encryption where it is gRPC.
func request(ctx context.Context, s Source, method, path, kind, body string) (status int, answer string, err error) {
	req, err := http.NewRequestWithContext(ctx, method, "http://127.0.0.1:"+s.Vars()["port"]+path, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	req.Header.Set("Content-Type", kind)
	transport := &http.Transport{DisableKeepAlives: true}
	if kind == grpcType {
		transport = &http.Transport{Protocols: new(http.Protocols)}
		transport.Protocols.SetUnencryptedHTTP2(true)
		defer transport.CloseIdleConnections()
	}
	resp, err := (&http.Client{Transport: transport, Timeout: 20 * time.Second}).Do(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	if kind == grpcType && err == nil && resp.Trailer.Get("Grpc-Status") != "0" {
		err = errors.New("no status follows")
	}
	return resp.StatusCode, string(all), err
}

// TestAnyPosts: of a protocol that nobody here knows, requests are counted, or what is in them.
func TestAnyPosts(t *testing.T) {
	for _, c := range []struct {
		told    Told
		path    string
		body    string
		records int64
	}{
		{nil, "/x", `[1,2]`, 1},
		{Told{"items": {"."}}, "/x", `[1,2]`, 2},
		{Told{"items": {"."}}, "/x", "{\"a\":1}\n{\"a\":2}\n", 2},
		{Told{"items": {"batch.events"}}, "/x", `{"batch":[{"events":[1,2]},{"events":[3]}]}`, 3},
		{Told{"to": {"/x"}}, "/x", `{}`, 1},
		{Told{"to": {"/x"}}, "/y", `{}`, 0},
	} {
		s := openTest(t, "posts", c.told, "")
		if status, _, err := request(t.Context(), s, "POST", c.path, jsonType, c.body); status != 200 || err != nil {
			t.Errorf("%v: status %d, %v", c.told, status, err)
		}
		if tally, err := s.Finish(t.Context()); tally.Records != c.records || err != nil {
			t.Errorf("%v: %+v, %v; want %d", c.told, tally, err, c.records)
		}
	}
	for wrong, told := range map[string]Told{"is not a path": {"to": {"x"}}, "a key that is empty": {"items": {"a..b"}}} {
		if _, err := Open(t.Context(), "posts", "", told, ""); err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%v: %v, want %q", told, err, wrong)
		}
	}
}

// TestFaults: each fault is what it says, nothing that it withholds counts, and Finish doesn't
// wait for it.
func TestFaults(t *testing.T) {
	body := string(traces(5))
	for fault, want := range map[Fault]struct {
		status  int
		err     error
		records int64
	}{
		refused: {0, syscall.ECONNREFUSED, 0}, hung: {0, context.DeadlineExceeded, 0}, reset: {0, syscall.ECONNRESET, 0},
		failing: {503, nil, 0}, slow: {200, nil, 5},
	} {
		t.Run(string(fault), func(t *testing.T) {
			s := openTest(t, "otlp", nil, fault)
			ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
			if fault == hung {
				ctx, cancel = context.WithTimeout(t.Context(), 300*time.Millisecond)
			}
			defer cancel()
			status, _, err := request(ctx, s, "POST", "/v1/traces", protobufType, body)
			if status != want.status || !errors.Is(err, want.err) && !(fault == reset && errors.Is(err, io.EOF)) {
				t.Errorf("status %d, %v; want %d, %v", status, err, want.status, want.err)
			}
			if p, listens := s.(*posts); listens {
				p.quiet = time.Hour // what is waited for is seen
			}
			if tally, err := s.Finish(t.Context()); tally.Records != want.records || err != nil {
				t.Errorf("%+v, %v; want %d records", tally, err, want.records)
			}
		})
	}
	for name, fault := range map[string]Fault{"kieker-tcp": failing, "fixture": hung} {
		if _, err := Open(t.Context(), name, t.TempDir(), nil, fault); err == nil {
			t.Errorf("%s can %s", name, fault)
		}
	}
}

// TestSlowIsSlow: a body takes as long as its pauses do, until the subject is gone.
func TestSlowIsSlow(t *testing.T) {
	body := bytes.Repeat([]byte("\x0a\x00"), 20*slowRead/2)
	s := openTest(t, "otlp", nil, slow)
	begin := time.Now()
	if status, _, err := request(t.Context(), s, "POST", "/v1/traces", protobufType, string(body)); status != 200 || err != nil {
		t.Errorf("status %d, %v", status, err)
	}
	if took := time.Since(begin); took < 20*slowPause {
		t.Errorf("it took %v, want at least %v", took, 20*slowPause)
	}
}
