package receiver

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"net/http"
	"strings"
	"sync/atomic"

	"moobench/harness/proc"
)

const (
	otlpType = "application/x-protobuf"
	otlpMax  = 256 << 20 // bytes of one request, unpacked
	otlpHead = 64 << 10  // bytes of the head of one
	otlpRead = 32 << 10  // bytes of a body that are in memory at once
	otlpRest = 256 << 10 // bytes of a refused body that are still read, so that the next request is found
)

// receiveOTLP receives spans over OTLP/HTTP with protobuf bodies, plain or gzip. The
// spans of a request arrive when its body is whole; they are counted as it comes, so
// that none is ever held.
func receiveOTLP(n *network) Source {
	n.answers = true
	o := &otlp{network: n}
	n.start(o.serve)
	return o
}

// otlp is a network of connections with one HTTP request after another.
type otlp struct {
	*network
	strange atomic.Pointer[string]
}

// Finish implements Source.
func (o *otlp) Finish(ctx context.Context) (Tally, error) {
	t, err := o.network.Finish(ctx)
	if p := o.strange.Load(); p != nil && t.Records == 0 {
		err = errors.Join(err, fmt.Errorf("no spans came, but %s: the agent's endpoint or protocol doesn't fit OTLP over HTTP", *p))
	}
	return t, err
}

// serve answers the requests of a connection.
func (o *otlp) serve(c *conn) {
	defer c.Close()
	limited := &io.LimitedReader{R: c}
	from, to, in := bufio.NewReader(limited), bufio.NewWriter(c), newIntake()
	for again := true; again; {
		limited.N = otlpHead
		if _, err := from.Peek(1); err != nil {
			return // it ended between two requests
		}
		r, err := http.ReadRequest(from)
		if err != nil {
			o.fail(errors.New("otlp connection: it ended before the head of an HTTP request was whole, or sent what is no HTTP"))
			_, _ = io.WriteString(c, "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
			return
		}
		limited.N = math.MaxInt64
		if r.Header.Get("Expect") == "100-continue" {
			_, _ = io.WriteString(c, "HTTP/1.1 100 Continue\r\n\r\n")
		}
		again = o.answer(to, in, r, c)
	}
}

// answer takes a request and reports whether another one may follow.
func (o *otlp) answer(to *bufio.Writer, in *intake, r *http.Request, from *conn) bool {
	status, err := o.take(in, r, from)
	if err != nil && status != http.StatusNotFound {
		o.fail(fmt.Errorf("otlp: %s %s: %w", r.Method, r.URL.Path, err))
	}
	// An empty message means that all was accepted.
	answer := http.Response{Request: r, StatusCode: http.StatusOK, ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}}
	answer.Header.Set("Content-Type", otlpType)
	if err != nil {
		answer.StatusCode = status
		answer.Header.Set("Content-Type", "text/plain; charset=utf-8")
		answer.Body, answer.ContentLength = io.NopCloser(strings.NewReader(err.Error())), int64(len(err.Error()))
	}
	_, rest := io.CopyN(io.Discard, r.Body, otlpRest)
	answer.Close = r.Close || rest != io.EOF
	return errors.Join(answer.Write(to), to.Flush()) == nil && !answer.Close
}

// take reads a request and counts its spans. With an error comes its status.
func (o *otlp) take(in *intake, r *http.Request, from *conn) (int, error) {
	traces := r.URL.Path == "/v1/traces"
	if !traces && r.URL.Path != "/v1/metrics" && r.URL.Path != "/v1/logs" {
		what := fmt.Sprintf("%s %.100s", r.Method, r.URL.Path)
		o.strange.CompareAndSwap(nil, &what)
		return http.StatusNotFound, errors.New("want /v1/traces, /v1/metrics or /v1/logs")
	}
	if r.Method != http.MethodPost {
		return http.StatusMethodNotAllowed, errors.New("want POST")
	}
	if !traces {
		_, err := io.Copy(io.Discard, r.Body)
		return http.StatusBadRequest, err
	}
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != otlpType {
		return http.StatusUnsupportedMediaType, fmt.Errorf("content type %.60q, want %s: set the agent's protocol to http/protobuf", kind, otlpType)
	}
	spans, err := in.take(r)
	o.count(from, proc.MonotonicNS(), spans)
	return http.StatusBadRequest, err
}

// intake reads bodies, one after the other.
type intake struct {
	packed  bufio.Reader
	zip     gzip.Reader
	body    body
	content *bufio.Reader // of the body
}

func newIntake() *intake { return &intake{content: bufio.NewReaderSize(nil, otlpRead)} }

// take reads the body of a request to its end, and counts its spans. An incomplete body
// has none.
func (in *intake) take(r *http.Request) (int64, error) {
	unpacked, err := in.unpack(r)
	if err != nil {
		return 0, err
	}
	in.body = body{from: unpacked}
	in.content.Reset(&in.body)
	spans, err := countSpans(in.content)
	_, _ = io.Copy(io.Discard, in.content) // its error is the body's, checked below
	switch b := &in.body; {
	case b.err != nil:
		return 0, fmt.Errorf("the request ends after %d bytes of its body (announced: %d): %w", b.bytes, r.ContentLength, b.err)
	case b.bytes > otlpMax:
		return 0, fmt.Errorf("a body of more than %d bytes", otlpMax)
	}
	return spans, err
}

// unpack returns a reader of the content of a request's body.
func (in *intake) unpack(r *http.Request) (io.Reader, error) {
	switch encoding := r.Header.Get("Content-Encoding"); encoding {
	case "", "identity":
		return r.Body, nil
	case "gzip":
		in.packed.Reset(r.Body)
		if err := in.zip.Reset(&in.packed); err != nil {
			return nil, fmt.Errorf("unpack the body: %w", err)
		}
		return &in.zip, nil
	default:
		return nil, fmt.Errorf("content encoding %.60q, want gzip or none", encoding)
	}
}

// body is that of a request, up to the first byte that is too many. It keeps the error
// that ended it early.
type body struct {
	from  io.Reader
	bytes int64
	err   error
}

func (b *body) Read(p []byte) (int, error) {
	if b.bytes > otlpMax {
		return 0, io.EOF
	}
	n, err := b.from.Read(p[:min(int64(len(p)), otlpMax+1-b.bytes)])
	b.bytes += int64(n)
	if err != nil && err != io.EOF {
		b.err = err
	}
	return n, err
}
