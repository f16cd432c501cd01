package receiver

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf16"

	"google.golang.org/protobuf/encoding/protowire"
)

const (
	operation = "kieker.common.record.controlflow.OperationExecutionRecord"
	before    = "kieker.common.record.flow.trace.operation.BeforeOperationEvent"
)

// kiekerStream builds what Kieker writes.
type kiekerStream struct{ bytes.Buffer }

func (s *kiekerStream) entry(id int32, value string) *kiekerStream {
	units := len(utf16.Encode([]rune(value)))
	for _, v := range []int32{-1, id, int32(units)} {
		s.Write(binary.BigEndian.AppendUint32(nil, uint32(v)))
	}
	s.WriteString(value)
	return s
}

func (s *kiekerStream) records(id int32, size, n int) *kiekerStream {
	for range n {
		s.Write(binary.BigEndian.AppendUint32(nil, uint32(id)))
		s.Write(make([]byte, 8+size))
	}
	return s
}

// kiekerWire is a connection with its metadata, n operations and a signature that
// isn't ASCII.
func kiekerWire(n int) []byte {
	var s kiekerStream
	s.entry(0, kiekerMetadata).entry(1, "2.0.2").records(0, 37, 1)
	s.entry(2, operation).entry(3, "public long Größe.日本.𝄞(long, int)").records(2, 44, n)
	return s.Bytes()
}

// binaryFile is n operations with the id 2.
func binaryFile(n int) []byte {
	var s kiekerStream
	return s.records(2, 44, n).Bytes()
}

// traces builds an ExportTraceServiceRequest with a resource, a scope and n
// spans of about 100 bytes.
func traces(n int) []byte {
	span := protowire.AppendTag(nil, 1, protowire.BytesType)
	span = protowire.AppendBytes(span, make([]byte, 16))
	span = protowire.AppendTag(span, 5, protowire.BytesType)
	span = protowire.AppendString(span, "MonitoredClass.monitoredMethod")
	span = protowire.AppendTag(span, 7, protowire.Fixed64Type)
	span = protowire.AppendFixed64(span, 1)
	span = protowire.AppendTag(span, 9, protowire.BytesType)
	span = protowire.AppendBytes(span, make([]byte, 40))
	scope := message(1, []byte("\x0a\x01s"))
	for range n {
		scope = append(scope, message(2, span)...)
	}
	resource := append(message(1, nil), message(2, scope)...)
	return message(1, append(resource, message(3, []byte("schema"))...))
}

func message(field protowire.Number, v []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, field, protowire.BytesType), v)
}

func zipped(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write(b); err != nil {
		panic(err)
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return out.Bytes()
}

func write(t testing.TB, path string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

func textFile(from, n int) []byte {
	var b bytes.Buffer
	for i := from; i < from+n; i++ {
		fmt.Fprintf(&b, "$1;%d;public long a.B.c(long, int);<no-session-id>;1;2;3;host;0;0\n", i)
	}
	return b.Bytes()
}
