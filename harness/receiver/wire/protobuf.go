// Package wire counts records in the body of an agent's request while reading it.
//
// A body is not trusted: announced lengths cause no allocation, records are not kept, and nesting is limited.
package wire

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

// Field numbers on the way to records, which themselves are skipped. In OTLP: the ResourceSpans of an
// ExportTraceServiceRequest, their ScopeSpans, and the spans of those; the messages of profiles have the same
// numbers. A SkyWalking SegmentObject holds its spans directly.
var (
	inOTLP    = []protowire.Number{1, 2, 2}
	inSegment = []protowire.Number{3}
)

// Spans reads an ExportTraceServiceRequest to its end and counts its spans. With an error it returns the spans of
// the resources before it.
func Spans(request *bufio.Reader) (int64, error) {
	return protobuf(request, inOTLP, "an ExportTraceServiceRequest", "spans")
}

// Profiles counts the profiles of an ExportProfilesServiceRequest, in the same way.
func Profiles(request *bufio.Reader) (int64, error) {
	return protobuf(request, inOTLP, "an ExportProfilesServiceRequest", "profiles")
}

// Segment counts the spans of a SkyWalking SegmentObject, in the same way.
func Segment(request *bufio.Reader) (int64, error) {
	return protobuf(request, inSegment, "a SegmentObject", "spans")
}

func protobuf(request *bufio.Reader, path []protowire.Number, message, records string) (int64, error) {
	w := &protoWalk{in: request, path: path}
	n, err := w.message(math.MaxInt64, 0)
	if err != nil {
		return n, fmt.Errorf("not %s (after %d %s): %w", message, n, records, err)
	}
	return n, nil
}

// protoWalk reads messages as their bytes arrive. Fields are skipped by their announced length, never allocated.
type protoWalk struct {
	in   *bufio.Reader
	path []protowire.Number // to the records
}

// message counts the records in a message that ends after left bytes, or at depth 0 with the request.
func (w *protoWalk) message(left int64, depth int) (records int64, err error) {
	for left > 0 {
		if _, err := w.in.Peek(1); depth == 0 && errors.Is(err, io.EOF) {
			break
		}
		inside, err := w.field(&left, depth)
		if err != nil {
			return records, err
		}
		records += inside
	}
	return records, nil
}

// field counts the records in the next field.
func (w *protoWalk) field(left *int64, depth int) (records int64, err error) {
	tag, err := w.varint(left)
	if err != nil {
		return 0, err
	}
	number, kind := protowire.DecodeTag(tag)
	leads, size := number == w.path[depth], uint64(0)
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
		err = fmt.Errorf("a field has wire type %d, which nobody writes any more", kind)
	}
	if err == nil && size > uint64(*left) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return 0, err
	}
	*left -= int64(size)
	if leads && depth < len(w.path)-1 {
		return w.message(int64(size), depth+1)
	}
	if leads {
		records = 1
	}
	_, err = w.in.Discard(int(size))
	return records, early(err)
}

func (w *protoWalk) varint(left *int64) (uint64, error) {
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

// early turns io.EOF into io.ErrUnexpectedEOF.
func early(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
