package receiver

import (
	"bufio"
	"bytes"
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

	"google.golang.org/protobuf/encoding/protowire"
)

const (
	otlpType = "application/x-protobuf"
	otlpMax  = 256 << 20 // bytes of one request, unpacked
)

// openOTLP receives spans over OTLP/HTTP with protobuf bodies, plain or gzip.
// A request's spans arrive when its body is whole.
func openOTLP(ctx context.Context, address string) (Source, error) {
	n, err := listen(ctx, address)
	if err != nil {
		return nil, err
	}
	o := &otlp{network: n, incoming: make(chan net.Conn), gone: make(chan struct{})}
	o.bodies.New = func() any { return new(bytes.Buffer) }
	o.unzips.New = func() any { return new(unzip) }
	o.server = &http.Server{
		Handler:     http.HandlerFunc(o.handle),
		ErrorLog:    log.New(io.Discard, "", 0),
		ConnContext: func(ctx context.Context, c net.Conn) context.Context { return context.WithValue(ctx, connKey{}, c) },
		ConnState:   state,
	}
	o.serving.Go(func() { _ = o.server.Serve(o) }) // ends when Accept does
	n.start(func(c *conn) {
		select {
		case o.incoming <- &otlpConn{conn: c}:
		case <-o.gone:
			c.Close()
		}
	})
	return o, nil
}

// otlp is also the listener of its HTTP server: connections come from network,
// which knows them from the first moment, so that Finish misses none.
type otlp struct {
	*network
	server   *http.Server
	incoming chan net.Conn
	gone     chan struct{}
	goneOnce sync.Once
	serving  sync.WaitGroup
	bodies   sync.Pool // *bytes.Buffer
	unzips   sync.Pool // *unzip
	strange  atomic.Pointer[string]
}

type connKey struct{}

// otlpConn knows how far its present request got.
type otlpConn struct {
	*conn
	begun, handled atomic.Bool
	ended          sync.Once
}

// Close keeps an error when the connection ends within the head of a request,
// or that head was none: no handler sees those.
func (c *otlpConn) Close() error {
	c.ended.Do(func() {
		if c.begun.Load() && !c.handled.Load() {
			c.n.fail(errors.New("otlp connection: it ended before the head of an HTTP request was whole, or sent what is no HTTP"))
		}
	})
	return c.conn.Close()
}

// state follows the requests of a connection.
func state(nc net.Conn, s http.ConnState) {
	c, ok := nc.(*otlpConn)
	if !ok {
		return
	}
	switch s {
	case http.StateActive:
		c.begun.Store(true)
	case http.StateIdle:
		c.begun.Store(false)
		c.handled.Store(false)
	}
}

// unzip is a gzip reader with its buffer, to be used again.
type unzip struct {
	in bufio.Reader
	gzip.Reader
}

// Accept implements net.Listener.
func (o *otlp) Accept() (net.Conn, error) {
	select {
	case c := <-o.incoming:
		return c, nil
	case <-o.gone:
		return nil, net.ErrClosed
	}
}

// Addr implements net.Listener.
func (o *otlp) Addr() net.Addr { return o.ln.Addr() }

// Close implements Source and net.Listener.
func (o *otlp) Close() error {
	o.goneOnce.Do(func() { close(o.gone) })
	return o.network.Close()
}

// Finish implements Source.
func (o *otlp) Finish(ctx context.Context) (Tally, error) {
	t, err := o.network.Finish(ctx)
	err = errors.Join(err, o.Close(), o.server.Close())
	o.serving.Wait()
	if p := o.strange.Load(); p != nil && t.Records == 0 {
		err = errors.Join(err, fmt.Errorf("no spans came, but %s: the agent's endpoint or protocol doesn't fit OTLP over HTTP", *p))
	}
	return t, err
}

func (o *otlp) handle(w http.ResponseWriter, r *http.Request) {
	if c, ok := r.Context().Value(connKey{}).(*otlpConn); ok {
		c.handled.Store(true)
	}
	status, err := o.take(r)
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
func (o *otlp) take(r *http.Request) (int, error) {
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
	body := o.bodies.Get().(*bytes.Buffer)
	defer o.bodies.Put(body)
	body.Reset()
	if err := o.read(r, body); err != nil {
		return http.StatusBadRequest, err
	}
	atNS := Monotonic()
	spans, err := countSpans(body.Bytes())
	o.add(atNS, spans)
	return http.StatusBadRequest, err
}

// read takes the body of a request, unpacked.
func (o *otlp) read(r *http.Request, body *bytes.Buffer) error {
	var in io.Reader = r.Body
	switch encoding := r.Header.Get("Content-Encoding"); encoding {
	case "", "identity":
		if r.ContentLength > 0 && r.ContentLength <= otlpMax {
			body.Grow(int(r.ContentLength) + bytes.MinRead)
		}
	case "gzip":
		z := o.unzips.Get().(*unzip)
		defer o.unzips.Put(z)
		z.in.Reset(r.Body)
		if err := z.Reset(&z.in); err != nil {
			return fmt.Errorf("unpack the body: %w", err)
		}
		in = z
	default:
		return fmt.Errorf("content encoding %.60q, want gzip or none", encoding)
	}
	n, err := body.ReadFrom(io.LimitReader(in, otlpMax+1))
	if err != nil {
		return fmt.Errorf("the request ends after %d bytes of its body (announced: %d): %w", n, r.ContentLength, err)
	}
	if n > otlpMax {
		return fmt.Errorf("a body of more than %d bytes", otlpMax)
	}
	return nil
}

// countSpans walks an ExportTraceServiceRequest. Its field 1 are the
// ResourceSpans, whose field 2 are the ScopeSpans, whose field 2 are the
// spans; inside of a span it doesn't look.
func countSpans(request []byte) (int64, error) {
	var spans int64
	err := each(request, 1, func(resource []byte) error {
		return each(resource, 2, func(scope []byte) error {
			return each(scope, 2, func([]byte) error { spans++; return nil })
		})
	})
	if err != nil {
		return spans, fmt.Errorf("not an ExportTraceServiceRequest (after %d spans): %w", spans, err)
	}
	return spans, nil
}

// each calls f with the messages that stand in field want of message b.
func each(b []byte, want protowire.Number, f func([]byte) error) error {
	for len(b) > 0 {
		field, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return protowire.ParseError(n)
		}
		b = b[n:]
		if field != want {
			if n = protowire.ConsumeFieldValue(field, kind, b); n < 0 {
				return protowire.ParseError(n)
			}
			b = b[n:]
			continue
		}
		if kind != protowire.BytesType {
			return fmt.Errorf("field %d has wire type %d, want a message", field, kind)
		}
		v, n := protowire.ConsumeBytes(b)
		if n < 0 {
			return protowire.ParseError(n)
		}
		if err := f(v); err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}
