package receiver

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"mime"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"moobench/harness/proc"
)

const (
	bodyMost = 256 << 20 // bytes of one request, decompressed
	headMost = 64 << 10  // bytes of a request's header
	bodyRead = 32 << 10  // bytes of a body in memory at once
	// streamsMost bounds the concurrent requests on one HTTP/2 connection. Agents send one after the other; each
	// costs us its buffers.
	streamsMost = 4
)

// counter counts the records of a body while reading it, so that no body is ever held whole.
type counter func(body *bufio.Reader) (int64, error)

// protocol is an agent's protocol on top of HTTP, served by posts.
type protocol struct {
	name    string // in messages
	records string // plural of its records in messages: spans
	// routes maps paths to their handling. A path that ends in * stands for all paths with this prefix. No two
	// such prefixes overlap, and an exact path takes precedence.
	routes map[string]*route
}

// at returns the route of a path; nil: none in this protocol.
func (p protocol) at(path string) *route {
	if r := p.routes[path]; r != nil {
		return r
	}
	for pattern, r := range p.routes {
		if begin, ok := strings.CutSuffix(pattern, "*"); ok && strings.HasPrefix(path, begin) {
			return r
		}
	}
	return nil
}

// route describes how requests to a path are handled.
type route struct {
	// bodies maps media types to counters; "" stands for any other type. A body without records, such as metrics,
	// is read and dropped: its route has no counters.
	bodies map[string]counter
	// get is the JSON answer to a GET; "": an error.
	get string
	// answer answers a request whose records were counted; nil: an empty answer with status 200.
	answer func(w http.ResponseWriter, r *http.Request, records int64)
}

// posts receives agents' HTTP requests: plain or compressed, over HTTP/1.1 or unencrypted HTTP/2. The records of a
// request count as arrived when its body is complete.
//
// It is also the listener of its HTTP server: connections come from network, which knows each from its first
// moment, so that Finish misses none.
type posts struct {
	*network
	protocol
	server   *http.Server
	incoming chan net.Conn
	serving  sync.WaitGroup
	intakes  sync.Pool // *intake
	strange  atomic.Pointer[string]
	most     int64 // bytes of one decompressed request
}

// receivePosts starts a receiver for a protocol.
func receivePosts(n *network, p protocol) Source {
	n.answers, n.settle = true, settleMS
	s := newPosts(n, p)
	withConn := func(ctx context.Context, c net.Conn) context.Context { return context.WithValue(ctx, connKey{}, c) }
	s.server = &http.Server{
		Handler:        http.HandlerFunc(s.handle),
		MaxHeaderBytes: headMost,
		ErrorLog:       log.New(io.Discard, "", 0),
		ConnContext:    withConn,
		ConnState:      state,
		Protocols:      new(http.Protocols),
		HTTP2:          &http.HTTP2Config{MaxConcurrentStreams: streamsMost},
	}
	s.server.Protocols.SetHTTP1(true)
	s.server.Protocols.SetUnencryptedHTTP2(true)
	s.serving.Go(func() { _ = s.server.Serve(s) }) // ends when Accept fails
	n.start(func(c *conn) {
		select {
		case s.incoming <- &postsConn{conn: c}:
		case <-s.done:
			c.Close()
		}
	})
	return s
}

func newPosts(n *network, p protocol) *posts {
	return &posts{
		network: n, protocol: p,
		incoming: make(chan net.Conn), intakes: sync.Pool{New: newIntake}, most: bodyMost,
	}
}

type connKey struct{}

// postsConn tracks the progress of its current request. The server's own states are not enough: to tell HTTP/2
// from HTTP/1, the server reads before it reports any of them.
type postsConn struct {
	*conn
	begun    atomic.Bool // a byte was read
	framed   atomic.Bool // it speaks HTTP/2: not all of its bytes belong to requests
	inHead   atomic.Bool // a request has begun, but no handler has it yet
	handling atomic.Bool // a handler has the current request
}

// Read implements net.Conn.
func (c *postsConn) Read(p []byte) (int, error) {
	n, err := c.conn.Read(p)
	if n > 0 && !c.begun.Swap(true) {
		c.framed.Store(bytes.HasPrefix(p[:n], []byte("PRI")))
	}
	if n > 0 && !c.handling.Load() {
		c.inHead.Store(!c.framed.Load())
	}
	return n, err
}

// Close records an error if the connection ends within a request's header, or if the header was invalid: no
// handler sees such requests.
func (c *postsConn) Close() error {
	if c.inHead.Swap(false) {
		c.n.fail(errors.New("a connection ended before the head of an HTTP request was whole, " +
			"or brought what is not HTTP"))
	}
	return c.conn.Close()
}

// handled records that a handler received a request, or that the request is finished.
func (c *postsConn) handled(begun bool) {
	c.handling.Store(begun)
	c.inHead.Store(false)
}

// state is notified when a connection becomes idle, between requests.
func state(nc net.Conn, s http.ConnState) {
	if c, ok := nc.(*postsConn); ok && s == http.StateIdle {
		c.handled(false)
	}
}

// Accept implements net.Listener.
func (s *posts) Accept() (net.Conn, error) {
	select {
	case c := <-s.incoming:
		return c, nil
	case <-s.done:
		return nil, net.ErrClosed
	}
}

// Addr implements net.Listener.
func (s *posts) Addr() net.Addr { return s.ln.Addr() }

// Finish implements Source.
func (s *posts) Finish(ctx context.Context) (Tally, error) {
	t, err := s.network.Finish(ctx)
	err = errors.Join(err, s.server.Close())
	s.serving.Wait()
	if p := s.strange.Load(); p != nil && t.Records == 0 {
		err = errors.Join(err, fmt.Errorf("no %s came, but %s: "+
			"the agent's endpoint or protocol doesn't fit the receiver %s", s.records, *p, s.name))
	}
	return t, err
}

// settleMS is the maximum time from the end of a connection until the handler of its last HTTP/2 request starts.
const settleMS = 50

func (s *posts) handle(w http.ResponseWriter, r *http.Request) {
	s.reading.Add(1)
	defer s.reading.Add(-1)
	var from *conn
	if c, ok := r.Context().Value(connKey{}).(*postsConn); ok {
		c.handled(true)
		from = c.conn
	}
	if s.fault == failing {
		_ = s.drop(r.Body) // to an agent, an early answer may look like a broken connection
		http.Error(w, "told to refuse", http.StatusServiceUnavailable)
		return
	}
	route := s.at(r.URL.Path)
	records, status, err := s.take(route, r, from)
	switch {
	case err != nil:
		if status != http.StatusNotFound {
			s.fail(fmt.Errorf("%s: %s %.100s: %w", s.name, r.Method, r.URL.Path, err))
		}
		http.Error(w, err.Error(), status)
	case route.get != "" && r.Method == http.MethodGet:
		answerJSON(w, http.StatusOK, route.get)
	case route.answer != nil:
		route.answer(w, r, records)
	default:
		w.Header().Set("Content-Length", "0")
	}
}

// take reads a request and counts its records. The int is the HTTP status for a non-nil error.
func (s *posts) take(route *route, r *http.Request, from *conn) (int64, int, error) {
	switch {
	case route == nil:
		what := fmt.Sprintf("%s %.100s", r.Method, r.URL.Path)
		s.strange.CompareAndSwap(nil, &what)
		return 0, http.StatusNotFound, fmt.Errorf("%s knows no such path", s.name)
	case r.Method == http.MethodGet && route.get != "":
		return 0, 0, nil
	case r.Method != http.MethodPost && r.Method != http.MethodPut:
		return 0, http.StatusMethodNotAllowed, errors.New("want POST")
	case len(route.bodies) == 0:
		return 0, http.StatusBadRequest, s.drop(r.Body)
	}
	count, err := route.counter(r.Header.Get("Content-Type"))
	if err != nil {
		return 0, http.StatusUnsupportedMediaType, err
	}
	in := s.intakes.Get().(*intake)
	defer s.intakes.Put(in)
	records, err := in.take(r, count, s.most)
	s.count(from, proc.MonotonicNS(), records)
	return records, http.StatusBadRequest, err
}

// drop reads a body without records.
func (s *posts) drop(from io.Reader) error {
	b := &body{from: from, most: s.most}
	_, _ = io.Copy(io.Discard, b)
	return cmp.Or(b.err, b.tooLong())
}

// counter returns the counter for this content type.
func (r *route) counter(contentType string) (counter, error) {
	kind := mediaType(contentType)
	count := r.bodies[kind]
	if count == nil {
		count = r.bodies[""]
	}
	if count == nil {
		wanted := strings.Join(slices.Sorted(maps.Keys(r.bodies)), " or ")
		return nil, fmt.Errorf("content type %.60q, want %s: set the agent's protocol", kind, wanted)
	}
	return count, nil
}

// mediaType returns a content type without its parameters.
func mediaType(contentType string) string {
	kind, _, _ := mime.ParseMediaType(contentType)
	return kind
}

// answerJSON answers with a status and a JSON text.
func answerJSON(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", jsonType)
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text)
}

// answerOK answers with an empty object, which most clients that expect JSON accept.
func answerOK(w http.ResponseWriter, _ *http.Request, _ int64) { answerJSON(w, http.StatusOK, "{}") }

// accepted answers with status 202.
func accepted(w http.ResponseWriter, _ *http.Request, _ int64) { w.WriteHeader(http.StatusAccepted) }

// intake reads bodies, one after the other, with the same buffers.
type intake struct {
	packed  bufio.Reader
	zip     gzip.Reader
	body    body
	content *bufio.Reader // of body
}

func newIntake() any { return &intake{content: bufio.NewReaderSize(nil, bodyRead)} }

// take reads a request's whole body and counts its records. An incomplete body, or one of more than most bytes,
// has no records.
func (in *intake) take(r *http.Request, count counter, most int64) (int64, error) {
	unpacked, err := in.unpack(r.Body, r.Header.Get("Content-Encoding"))
	if err != nil {
		return 0, err
	}
	in.body = body{from: unpacked, most: most}
	in.content.Reset(&in.body)
	records, err := count(in.content)
	_, _ = io.Copy(io.Discard, in.content) // its error is the body's, checked below
	b := &in.body
	if b.err != nil {
		return 0, fmt.Errorf("the request ends after %d bytes of its body (announced: %d): %w",
			b.bytes, r.ContentLength, b.err)
	}
	if err := b.tooLong(); err != nil {
		return 0, err
	}
	return records, err
}

// unpack returns a reader that decompresses a body according to its content encoding.
func (in *intake) unpack(from io.Reader, encoding string) (io.Reader, error) {
	switch encoding {
	case "", "identity":
		return from, nil
	case "gzip":
		in.packed.Reset(from)
		if err := in.zip.Reset(&in.packed); err != nil {
			return nil, fmt.Errorf("unpack the body: %w", err)
		}
		return &in.zip, nil
	case "deflate": // in HTTP, deflate means zlib
		in.packed.Reset(from)
		z, err := zlib.NewReader(&in.packed)
		if err != nil {
			return nil, fmt.Errorf("unpack the body: %w", err)
		}
		return z, nil
	}
	return nil, fmt.Errorf("content encoding %.60q, want gzip, deflate or none", encoding)
}

// body reads a request's body, up to one byte beyond the limit. It keeps the error that ended it early.
type body struct {
	from        io.Reader
	bytes, most int64
	err         error
}

// tooLong returns an error if the body exceeds the limit.
func (b *body) tooLong() error {
	if b.bytes <= b.most {
		return nil
	}
	return fmt.Errorf("a body of more than %d bytes", b.most)
}

func (b *body) Read(p []byte) (int, error) {
	if b.bytes > b.most {
		return 0, io.EOF
	}
	n, err := b.from.Read(p[:min(int64(len(p)), b.most+1-b.bytes)])
	b.bytes += int64(n)
	if err != nil && err != io.EOF {
		b.err = err
	}
	return n, err
}
