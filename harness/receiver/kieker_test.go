package receiver

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
)

// TestKiekerSizes compares the table with the sizes that the released classes
// declare. Records with an array have no fixed size and must stay unknown.
func TestKiekerSizes(t *testing.T) {
	text, err := os.ReadFile("testdata/kieker-2.0.2-records.txt")
	if err != nil {
		t.Fatal(err)
	}
	known := 0
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		class, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		size, types, _ := strings.Cut(rest, " ")
		want, err := strconv.Atoi(size)
		if err != nil {
			t.Fatal(err)
		}
		got := kiekerSize(class)
		if got == 0 {
			continue
		}
		known++
		if got != want || strings.Contains(types, "[]") {
			t.Errorf("%s: %d bytes, released with %d of %s", class, got, want, types)
		}
	}
	if known < 50 {
		t.Errorf("only %d of the released classes are known", known)
	}
}

func TestKiekerStream(t *testing.T) {
	var mixed, unknown, early, reversed, long, badText, array kiekerStream
	mixed.entry(0, operation).records(0, 44, 3).entry(1, before).records(1, 28, 2).records(0, 44, 1)
	unknown.entry(0, operation).entry(1, "com.example.MyRecord").records(0, 44, 2).records(1, 8, 1)
	early.records(0, 44, 1)
	reversed.entry(-7, operation)
	long.entry(0, strings.Repeat("x", kiekerBuffer))
	badText.entry(0, "a\xff\xfeb")
	array.entry(0, "kieker.common.record.flow.trace.operation.EntryLevelBeforeOperationEvent").records(0, 40, 1)
	whole := kiekerWire(10)
	for _, c := range []struct {
		name    string
		in      []byte
		records int64
		err     string
	}{
		{"empty", nil, 0, ""},
		{"metadata does not count", kiekerWire(0), 0, ""},
		{"operations", kiekerWire(1000), 1000, ""},
		{"two classes", mixed.Bytes(), 6, ""},
		{"unknown class", unknown.Bytes(), 2, `class "com.example.MyRecord" (id 1), whose size is not known`},
		{"class of no fixed size", array.Bytes(), 0, "whose size is not known"},
		{"record before its class", early.Bytes(), 0, "has the id 0, which was not registered"},
		{"negative id", reversed.Bytes(), 0, "id -7"},
		{"entry too long", long.Bytes(), 0, "longer than"},
		{"entry not UTF-8", badText.Bytes(), 0, "not UTF-8"},
		{"truncated record", whole[:len(whole)-5], 9, "5 of the 56 bytes of a record with class id 2 are missing"},
		{"truncated id", append(kiekerWire(4), 0, 0), 4, "2 of the 4 bytes of its class id"},
		{"truncated entry", append(kiekerWire(4), 0xff, 0xff, 0xff, 0xff, 0), 4, "a registry entry lacks its end"},
		{"garbage", []byte("GET / HTTP/1.1\r\n\r\n"), 0, "not registered before: not the binary form of Kieker 2.0.2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, r := range []io.Reader{bytes.NewReader(c.in), iotest.OneByteReader(bytes.NewReader(c.in)), iotest.DataErrReader(bytes.NewReader(c.in))} {
				if len(c.in) > 1<<17 {
					r = bytes.NewReader(c.in) // byte by byte would walk the entry again each time
				}
				var records int64
				err := countKieker(r, new(atomic.Int64), func(_, n int64) { records += n })
				if records != c.records {
					t.Errorf("%d records, want %d", records, c.records)
				}
				checkError(t, err, c.err)
			}
		})
	}
}

func TestKiekerReadError(t *testing.T) {
	broken := errors.New("connection reset")
	err := countKieker(iotest.ErrReader(broken), new(atomic.Int64), func(_, _ int64) {})
	if !errors.Is(err, broken) {
		t.Errorf("got %v, want the error of the socket", err)
	}
}

// checkError wants an error that contains text, or none.
func checkError(t *testing.T, err error, text string) {
	t.Helper()
	switch {
	case text == "" && err != nil:
		t.Errorf("unexpected error: %v", err)
	case text != "" && (err == nil || !strings.Contains(err.Error(), text)):
		t.Errorf("error %v, want one with %q", err, text)
	}
}

func FuzzKiekerStream(f *testing.F) {
	f.Add(kiekerWire(3))
	f.Add(kiekerWire(3)[:100])
	f.Fuzz(func(t *testing.T, in []byte) {
		var once, bytewise int64
		errOnce := countKieker(bytes.NewReader(in), new(atomic.Int64), func(_, n int64) { once += n })
		errBytewise := countKieker(iotest.OneByteReader(bytes.NewReader(in)), new(atomic.Int64), func(_, n int64) { bytewise += n })
		if once != bytewise || (errOnce == nil) != (errBytewise == nil) {
			t.Fatalf("in one read %d (%v), byte by byte %d (%v)", once, errOnce, bytewise, errBytewise)
		}
	})
}

// BenchmarkFloorCopy is the floor of the decoders: to take the bytes at all.
func BenchmarkFloorCopy(b *testing.B) {
	const n = 1000
	in := binaryFile(n)
	out := make([]byte, len(in))
	b.ReportAllocs()
	for b.Loop() {
		copy(out, in)
	}
	perRecord(b, n)
}

func BenchmarkKiekerDecode(b *testing.B) {
	const n = 1000
	d := newKiekerDecoder(true, new(atomic.Int64))
	if _, _, err := d.decode(kiekerWire(0)); err != nil {
		b.Fatal(err)
	}
	in := binaryFile(n)
	b.ReportAllocs()
	for b.Loop() {
		if _, records, err := d.decode(in); records != n || err != nil {
			b.Fatal(records, err)
		}
	}
	perRecord(b, n)
}

func perRecord(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/record")
}
