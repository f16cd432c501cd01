package receiver

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// toSpans are the fields that lead to the spans of an ExportTraceServiceRequest: its
// ResourceSpans, their ScopeSpans, and the spans of those. Spans themselves are skipped.
var toSpans = [...]protowire.Number{1, 2, 2}

// countSpans walks an ExportTraceServiceRequest to its end and counts its spans. With an
// error it returns those of the resources before it.
func countSpans(request *bufio.Reader) (int64, error) {
	w := &spanWalk{in: request}
	spans, err := w.message(math.MaxInt64, 0)
	if err != nil {
		return spans, fmt.Errorf("not an ExportTraceServiceRequest (after %d spans): %w", spans, err)
	}
	return spans, nil
}

// spanWalk reads messages as their bytes come. What a length announces is only skipped,
// never allocated.
type spanWalk struct{ in *bufio.Reader }

// message counts the spans in a message that ends after left bytes; at depth 0 it ends
// where the request does.
func (w *spanWalk) message(left int64, depth int) (spans int64, err error) {
	for left > 0 {
		if _, err := w.in.Peek(1); depth == 0 && errors.Is(err, io.EOF) {
			break
		}
		inside, err := w.field(&left, depth)
		if err != nil {
			return spans, err
		}
		spans += inside
	}
	return spans, nil
}

// field counts the spans in the next field.
func (w *spanWalk) field(left *int64, depth int) (spans int64, err error) {
	tag, err := w.varint(left)
	if err != nil {
		return 0, err
	}
	number, kind := protowire.DecodeTag(tag)
	leads, size := number == toSpans[depth], uint64(0)
	switch {
	case number < protowire.MinValidNumber:
		err = errors.New("a field without a valid number")
	case leads && kind != protowire.BytesType:
		err = fmt.Errorf("field %d has wire type %d, want a message", number, kind)
	case kind == protowire.VarintType:
		_, err = w.varint(left)
	case kind == protowire.Fixed32Type:
		size = 4
	case kind == protowire.Fixed64Type:
		size = 8
	case kind == protowire.BytesType:
		size, err = w.varint(left)
	default:
		err = fmt.Errorf("a field has wire type %d, which OTLP has none of", kind)
	}
	if err == nil && size > uint64(*left) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return 0, err
	}
	*left -= int64(size)
	if leads && depth < len(toSpans)-1 {
		return w.message(int64(size), depth+1)
	}
	if leads {
		spans = 1
	}
	_, err = w.in.Discard(int(size))
	return spans, early(err)
}

func (w *spanWalk) varint(left *int64) (uint64, error) {
	b, err := w.in.Peek(int(min(*left, binary.MaxVarintLen64)))
	v, n := protowire.ConsumeVarint(b)
	switch {
	case n >= 0:
		*left -= int64(n)
		_, err = w.in.Discard(n)
		return v, err
	case len(b) == binary.MaxVarintLen64:
		return 0, errors.New("a number of more than 64 bits")
	}
	return 0, cmp.Or(early(err), io.ErrUnexpectedEOF)
}

// early turns the end of the input into an unexpected one.
func early(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
