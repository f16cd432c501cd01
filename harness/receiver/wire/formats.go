package wire

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// SpansJSON counts the spans of an ExportTraceServiceRequest in JSON.
func SpansJSON(body *bufio.Reader) (int64, error) {
	return Elements("resourceSpans", "scopeSpans", "spans")(body)
}

// Elastic counts the transactions and spans of Elastic's intake, version 2. Each document is an object with one
// key, which names its kind.
func Elastic(body *bufio.Reader) (int64, error) {
	return documents(body, func(w *jsonWalk) (n int64, err error) {
		err = w.object(func(key []byte) error {
			record := string(key) == "transaction" || string(key) == "span"
			err := w.skip()
			if record && err == nil {
				n++
			}
			return err
		})
		return n, err
	})
}

// ApplicationInsights counts the requests and dependencies (its name for spans) of a request to /v2.1/track:
// several documents, or an array of them.
func ApplicationInsights(body *bufio.Reader) (int64, error) {
	return documents(body, func(w *jsonWalk) (n int64, err error) {
		one := func() error { return w.envelope(&n) }
		if b, err := w.next(); err == nil && b == '[' {
			return n, w.array(one)
		}
		err = one()
		return n, err
	})
}

// envelope reads one envelope of Application Insights, and counts a record if data.baseType names one.
func (w *jsonWalk) envelope(records *int64) error {
	return w.object(func(key []byte) error {
		if string(key) != "data" {
			return w.skip()
		}
		return w.object(func(key []byte) error {
			if string(key) != "baseType" {
				return w.skip()
			}
			kind, err := w.str()
			if string(kind) == "RequestData" || string(kind) == "RemoteDependencyData" {
				*records++
			}
			return err
		})
	})
}

// Once counts a body as one record, whatever it contains.
func Once(body *bufio.Reader) (int64, error) {
	_, err := io.Copy(io.Discard, body)
	return 1, err
}

// GRPC returns a counter that adds up count over the messages of a call. A message begins with a byte that says
// whether it is compressed, and its length. Decompressed, all messages together may not exceed most bytes.
func GRPC(count func(message *bufio.Reader) (int64, error), most int64) func(body *bufio.Reader) (int64, error) {
	return func(body *bufio.Reader) (all int64, err error) {
		call := &grpcCall{count: count, most: most, left: most, content: bufio.NewReader(nil)}
		for {
			head, err := body.Peek(grpcHead)
			if len(head) == 0 && errors.Is(err, io.EOF) {
				return all, nil
			}
			if err != nil {
				return all, fmt.Errorf("no whole head of a gRPC message: %w", early(err))
			}
			packed, length := head[0], int64(binary.BigEndian.Uint32(head[1:]))
			_, _ = body.Discard(grpcHead)
			n, err := call.message(&io.LimitedReader{R: body, N: length}, packed)
			if all += n; err != nil {
				return all, fmt.Errorf("a gRPC message of %d bytes: %w", length, err)
			}
		}
	}
}

// grpcHead is the length of a message's header in bytes.
const grpcHead = 5

// grpcCall reads the messages of a call with the same buffers: there may be millions of messages.
type grpcCall struct {
	count      func(message *bufio.Reader) (int64, error)
	most, left int64         // bytes of decompressed messages: the limit, and the remainder
	content    *bufio.Reader // of a message
	packed     *bufio.Reader // of a compressed message; nil before the first one
	zip        gzip.Reader
}

func (c *grpcCall) message(message *io.LimitedReader, packed byte) (int64, error) {
	var from io.Reader = message
	switch packed {
	case 0:
	case 1:
		if c.packed == nil {
			c.packed = bufio.NewReader(nil)
		}
		c.packed.Reset(message)
		if err := c.zip.Reset(c.packed); err != nil {
			return 0, fmt.Errorf("unpack it: %w", err)
		}
		from = &c.zip
	default:
		return 0, fmt.Errorf("it begins with %d, want 0 or 1", packed)
	}
	unpacked := &io.LimitedReader{R: from, N: c.left + 1}
	c.content.Reset(unpacked)
	n, err := c.count(c.content)
	if c.left = unpacked.N - 1; c.left < 0 {
		return 0, fmt.Errorf("messages of more than %d bytes, unpacked", c.most)
	}
	if err == nil {
		_, err = io.Copy(io.Discard, message)
	}
	if err == nil && message.N > 0 {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}
