package results

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

func collectDump(data []byte, s Series) ([][]int64, error) {
	got := make([][]int64, len(s.Columns))
	err := readDump(bytes.NewReader(data), "d.i64", s, func(columns [][]int64) error {
		for c := range columns {
			got[c] = append(got[c], columns[c]...)
		}
		return nil
	})
	return got, err
}

func TestDumpLayout(t *testing.T) {
	s := Series{Name: "duration", Batch: 1, Columns: []Column{{Name: "a", Unit: "ns", Kind: KindDuration}, {Name: "b", Unit: "1", Kind: KindID}}}
	var b bytes.Buffer
	if err := WriteDump(&b, s, []int64{1, -2}, []int64{math.MinInt64, math.MaxInt64}); err != nil {
		t.Fatal(err)
	}
	want := "moobench-i64 1 series=duration thread=0 columns=a:ns:duration,b:1:id n=2 batch=1\n" +
		"\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80" +
		"\xfe\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f" +
		"MOOEND01\x02\x00\x00\x00\x00\x00\x00\x00"
	if b.String() != want {
		t.Errorf("got %q", b.String())
	}
}

func TestDumpLies(t *testing.T) {
	s := testSeries
	s.Count = 1000
	var good bytes.Buffer
	if err := WriteDump(&good, s, make([]int64, 1000), make([]int64, 1000)); err != nil {
		t.Fatal(err)
	}
	headerEnd := bytes.IndexByte(good.Bytes(), '\n') + 1
	edit := func(f func(b []byte) []byte) func() []byte {
		return func() []byte { return f(slices.Clone(good.Bytes())) }
	}
	header := func(old, new string) func() []byte {
		return func() []byte { return bytes.Replace(good.Bytes(), []byte(old), []byte(new), 1) }
	}
	tests := []struct {
		name    string
		data    func() []byte
		problem problem
		says    string
	}{
		{"empty", func() []byte { return nil }, problemDump, "no header line"},
		{"garbage", func() []byte { return []byte("<html>not found</html>\n") }, problemDump, "it begins with"},
		{"endless header", func() []byte { return append([]byte(dumpMagic), bytes.Repeat([]byte("x"), 1<<17)...) }, problemDump, "no header line"},
		{"another version", header("i64 1 ", "i64 2 "), problemDump, "want moobench-i64 1"},
		{"no pair", header(" batch=1", " batch"), problemDump, "not a key=value"},
		{"key twice", header(" batch=1", " batch=1 batch=1"), problemDump, "there twice"},
		{"another series", header("series=duration", "series=x"), problemDump, "announced series=duration"},
		{"another thread", header("thread=0", "thread=1"), problemDump, "announced thread=0"},
		{"other columns", header(":duration n", ":count n"), problemDump, "announced columns="},
		{"another batch", header("batch=1", "batch=10"), problemDump, "announced batch=1"},
		{"wrong n", header("n=1000", "n=999"), problemCounts, "announced n=1000"},
		{"n no number", header("n=1000", "n=many"), problemDump, "announced n=1000"},
		{"cut in header", edit(func(b []byte) []byte { return b[:20] }), problemDump, "no header line"},
		{"cut in rows", edit(func(b []byte) []byte { return b[:headerEnd+16*17+5] }), problemCounts, "after 17 of 1000 rows"},
		{"a row less", edit(func(b []byte) []byte { return slices.Delete(b, headerEnd, headerEnd+16) }), problemDump, "0 of the 16 bytes of its end record"},
		{"a row more", edit(func(b []byte) []byte { return slices.Insert(b, headerEnd, make([]byte, 16)...) }), problemCounts, "more rows than announced"},
		{"no end record", edit(func(b []byte) []byte { return b[:len(b)-16] }), problemDump, "0 of the 16 bytes"},
		{"half an end record", edit(func(b []byte) []byte { return b[:len(b)-3] }), problemDump, "13 of the 16 bytes"},
		{"another n at the end", edit(func(b []byte) []byte {
			binary.LittleEndian.PutUint64(b[len(b)-8:], 7)
			return b
		}), problemCounts, "end record says 7 rows"},
		{"something behind it", edit(func(b []byte) []byte { return append(b, 'x') }), problemDump, "behind its end record"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := collectDump(tt.data(), s)
			if problemOf(err) != tt.problem || !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), "d.i64") {
				t.Errorf("got %s: %v", problemOf(err), err)
			}
			if FailureKind(fmt.Errorf("x: %w", err)) != string(tt.problem) {
				t.Errorf("failure kind %s", FailureKind(err))
			}
		})
	}
}

func TestDumpUnreadable(t *testing.T) {
	s := testSeries
	s.Count = 10
	var b bytes.Buffer
	if err := WriteDump(&b, s, make([]int64, 10), make([]int64, 10)); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("input/output error")
	r := iotest.OneByteReader(bytes.NewReader(b.Bytes()))
	if err := readDump(r, "d", s, func([][]int64) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("the error of fn became %v", err)
	}
}

func TestDumpRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSeries(t, "s", 0)
		columns := drawColumns(t, len(s.Columns), rapid.IntRange(0, 3000).Draw(t, "rows"))
		s.Count = int64(len(columns[0]))
		var b bytes.Buffer
		if err := WriteDump(&b, s, columns...); err != nil {
			t.Fatal(err)
		}
		got, err := collectDump(b.Bytes(), s)
		if err != nil {
			t.Fatal(err)
		}
		for c := range columns {
			if !slices.Equal(got[c], columns[c]) {
				t.Fatalf("column %d differs", c)
			}
		}
	})
}

func drawSeries(t *rapid.T, name string, thread int) Series {
	s := Series{Name: name, Thread: thread, Batch: 1}
	for i, c := range "abcde"[:rapid.IntRange(1, 5).Draw(t, "columns")] {
		kind := []Kind{KindDuration, KindInstant, KindID, KindCount}[rapid.IntRange(0, 3).Draw(t, "kind")]
		if i == 0 || rapid.Bool().Draw(t, "has") {
			s.Columns = append(s.Columns, Column{Name: string(c), Unit: "ns", Kind: kind})
		}
	}
	return s
}

// drawColumns draws values in cheap bulk: a seed and a scale, and extremes.
func drawColumns(t *rapid.T, columns, rows int) [][]int64 {
	values := make([][]int64, columns)
	for c := range values {
		shift := rapid.IntRange(0, 63).Draw(t, "shift")
		x := rapid.Uint64().Draw(t, "seed") | 1
		values[c] = make([]int64, rows)
		for r := range values[c] {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
			values[c][r] = int64(x) >> shift
		}
		for range min(rows, 3) {
			at := rapid.IntRange(0, rows-1).Draw(t, "at")
			values[c][at] = rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64, 0, -1}).Draw(t, "extreme")
		}
	}
	return values
}

func TestParseColumns(t *testing.T) {
	for _, text := range []string{"", "t", "t:ns", "t:ns:instant,t:ns:instant", "series:1:id", "T:ns:instant", "t:n s:instant", "t:ns:moment", "t::instant"} {
		if c, err := ParseColumns(text); err == nil {
			t.Errorf("%q gave %v", text, c)
		}
	}
	const good = "t:ns:instant,thread_id:1:id,rate:calls/s:count"
	c, err := ParseColumns(good)
	if err != nil || FormatColumns(c) != good {
		t.Errorf("%v, %v", c, err)
	}
}
