package wire

import (
	"bufio"
	"fmt"

	"github.com/tinylib/msgp/msgp"
)

// Datadog04 counts the spans of a request to /v0.4/traces from Datadog's tracer: an array of traces, each an array
// of spans, in MessagePack.
func Datadog04(body *bufio.Reader) (int64, error) { return datadog(body, msgp.MapType) }

// Datadog05 counts the spans of a request to /v0.5/traces: the same traces, after an array of the strings that
// spans refer to.
func Datadog05(body *bufio.Reader) (int64, error) { return datadog(body, msgp.ArrayType) }

// datadog counts spans, each of which must have this type.
func datadog(body *bufio.Reader, span msgp.Type) (int64, error) {
	r := msgp.NewReader(body)
	r.SetMaxRecursionDepth(deepest)
	var err error
	if span == msgp.ArrayType { // fields without names, and indexes instead of strings
		var parts uint32
		if parts, err = r.ReadArrayHeader(); err == nil && parts != 2 {
			err = fmt.Errorf("an array of %d parts, want strings and traces", parts)
		}
		if err == nil {
			err = r.Skip()
		}
	}
	n := int64(0)
	if err == nil {
		n, err = traces(r, span)
	}
	if err != nil {
		return n, fmt.Errorf("not Datadog's traces (after %d spans): %w", n, early(err))
	}
	return n, nil
}

func traces(r *msgp.Reader, span msgp.Type) (n int64, err error) {
	all, err := r.ReadArrayHeader()
	for ; err == nil && all > 0; all-- {
		var spans uint32
		spans, err = r.ReadArrayHeader()
		for ; err == nil && spans > 0; spans-- {
			var kind msgp.Type
			if kind, err = r.NextType(); err == nil && kind != span {
				err = fmt.Errorf("a span is of type %s, want %s", kind, span)
			}
			if err == nil {
				err = r.Skip()
			}
			if err == nil {
				n++
			}
		}
	}
	return n, err
}
