package receiver

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"mime"
	"net"
	"net/http"
	"sync"
	"sync/atomic"

	"moobench/harness/proc"
)

const (
	otlpType = "application/x-protobuf"
	otlpMax  = 256 << 20 // bytes of one request, unpacked
	otlpHead = 64 << 10  // bytes of the head of one
	otlpRead = 32 << 10  // bytes of a body that are in memory at once
)

// receiveOTLP receives spans over OTLP/HTTP with protobuf bodies, plain or gzip. The
// spans of a request arrive when its body is whole; they are counted as it comes, so
// that none is ever held.
func receiveOTLP(n *network) Source {
	n.answers = true
	o := &otlp{network: n, incoming: make(chan net.Conn), intakes: sync.Pool{New: newIntake}}
	o.server = &http.Server{
		Handler:        http.HandlerFunc(o.handle),
		MaxHeaderBytes: otlpHead,
		ErrorLog:       log.New(io.Discard, "", 0),
		ConnContext:    func(ctx context.Context, c net.Conn) context.Context { return context.WithValue(ctx, connKey{}, c) },
		ConnState:      state,
	}
	o.serving.Go(func() { _ = o.server.Serve(o) }) // ends when Accept does
	n.start(func(c *conn) {
		select {
		case o.incoming <- &otlpConn{conn: c}:
		case <-o.done:
			c.Close()
		}
	})
	return o
}

// otlp is also the listener of its HTTP server: connections come from network, which
// knows them from the first moment, so that Finish misses none.
type otlp struct {
	*network
	server   *http.Server
	incoming chan net.Conn
	serving  sync.WaitGroup
	intakes  sync.Pool // *intake
	strange  atomic.Pointer[string]
}

type connKey struct{}

// otlpConn knows how far its present request got.
type otlpConn struct {
	*conn
	inHead atomic.Bool // a request has begun that no handler has seen
}

// Close records an error when the connection ends within the head of a request, or that
// head was invalid: no handler sees those.
func (c *otlpConn) Close() error {
	if c.inHead.Swap(false) {
		c.n.fail(errors.New("otlp connection: it ended before the head of an HTTP request was whole, or sent what is no HTTP"))
	}
	return c.conn.Close()
}

// state follows the requests of a connection.
func state(nc net.Conn, s http.ConnState) {
	if c, ok := nc.(*otlpConn); ok && (s == http.StateActive || s == http.StateIdle) {
		c.inHead.Store(s == http.StateActive)
	}
}

// Accept implements net.Listener.
func (o *otlp) Accept() (net.Conn, error) {
	select {
	case c := <-o.incoming:
		return c, nil
	case <-o.done:
		return nil, net.ErrClosed
	}
}

// Addr implements net.Listener.
func (o *otlp) Addr() net.Addr { return o.ln.Addr() }

// Finish implements Source.
func (o *otlp) Finish(ctx context.Context) (Tally, error) {
	t, err := o.network.Finish(ctx)
	err = errors.Join(err, o.server.Close())
	o.serving.Wait()
	if p := o.strange.Load(); p != nil && t.Records == 0 {
		err = errors.Join(err, fmt.Errorf("no spans came, but %s: the agent's endpoint or protocol doesn't fit OTLP over HTTP", *p))
	}
	return t, err
}

func (o *otlp) handle(w http.ResponseWriter, r *http.Request) {
	var from *conn
	if c, ok := r.Context().Value(connKey{}).(*otlpConn); ok {
		c.inHead.Store(false)
		from = c.conn
	}
	status, err := o.take(r, from)
	if err != nil {
		if status != http.StatusNotFound {
			o.fail(fmt.Errorf("otlp: %s %s: %w", r.Method, r.URL.Path, err))
		}
		http.Error(w, err.Error(), status)
		return
	}
	w.Header().Set("Content-Type", otlpType)
	w.Header().Set("Content-Length", "0") // an empty message: all accepted
	w.WriteHeader(http.StatusOK)
}

// take reads a request and counts its spans. With an error comes its status.
func (o *otlp) take(r *http.Request, from *conn) (int, error) {
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
	in := o.intakes.Get().(*intake)
	defer o.intakes.Put(in)
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

func newIntake() any { return &intake{content: bufio.NewReaderSize(nil, otlpRead)} }

// take reads the body of a request to its end, and counts its spans. An incomplete body
// has none.
func (in *intake) take(r *http.Request) (int64, error) {
	switch encoding := r.Header.Get("Content-Encoding"); encoding {
	case "", "identity":
		in.body = body{from: r.Body}
	case "gzip":
		in.packed.Reset(r.Body)
		if err := in.zip.Reset(&in.packed); err != nil {
			return 0, fmt.Errorf("unpack the body: %w", err)
		}
		in.body = body{from: &in.zip}
	default:
		return 0, fmt.Errorf("content encoding %.60q, want gzip or none", encoding)
	}
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
