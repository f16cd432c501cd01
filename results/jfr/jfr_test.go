package jfr

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
)

// varint is a number as the recorder writes it.
func varint(n int64) (b []byte) {
	for u := uint64(n); ; u >>= 7 {
		if len(b) == 8 {
			return append(b, byte(u))
		}
		if u < 0x80 {
			return append(b, byte(u))
		}
		b = append(b, byte(u)|0x80)
	}
}

// sized puts before a body how long it is, the length included.
func sized(body []byte) []byte {
	for n := 1; ; n++ {
		if length := varint(int64(len(body) + n)); len(length) == n {
			return append(length, body...)
		}
	}
}

func event(kind int64, fields ...[]byte) []byte {
	return sized(append(varint(kind), bytes.Join(fields, nil)...))
}

// element is one of metadata: its kind, attributes, and what is within.
type element struct {
	kind       string
	attributes []string // key, value, …
	within     []element
}

// metadata writes a tree of elements as an event.
func metadata(root element) []byte {
	var texts []string
	index := func(s string) []byte {
		for i, t := range texts {
			if t == s {
				return varint(int64(i))
			}
		}
		texts = append(texts, s)
		return varint(int64(len(texts) - 1))
	}
	var write func(e element) []byte
	write = func(e element) []byte {
		b := append(index(e.kind), varint(int64(len(e.attributes)/2))...)
		for _, a := range e.attributes {
			b = append(b, index(a)...)
		}
		b = append(b, varint(int64(len(e.within)))...)
		for _, w := range e.within {
			b = append(b, write(w)...)
		}
		return b
	}
	tree := write(root)
	b := bytes.Join([][]byte{varint(0), varint(1), varint(2), varint(3), varint(int64(len(texts)))}, nil)
	for i, s := range texts {
		switch encoding := []byte{textUTF8, textLatin1, textChars}[i%3]; encoding {
		case textChars:
			b = append(append(b, encoding), varint(int64(len(s)))...)
			for _, c := range s {
				b = append(b, varint(int64(c))...)
			}
		default:
			b = append(append(append(b, encoding), varint(int64(len(s)))...), s...)
		}
	}
	return sized(append(b, tree...))
}

func classOf(id, name string, fields ...element) element {
	return element{"class", []string{"id", id, "name", name}, fields}
}

func fieldOf(name, class string, more ...string) element {
	return element{"field", append([]string{"name", name, "class", class}, more...), []element{{"annotation", []string{"class", "9"}, nil}}}
}

// schema has events with fields of all sorts before the one that is read.
var schema = element{"root", nil, []element{{"metadata", nil, []element{
	classOf("1", "long"), classOf("2", "boolean"), classOf("3", "float"), classOf("4", "double"), classOf("5", "java.lang.String"),
	classOf("6", "pair", fieldOf("a", "1"), fieldOf("b", "5")),
	classOf("200", "moobench.Execution", fieldOf("startTime", "1"), fieldOf("id", "1")),
	classOf("300", "all.Sorts",
		fieldOf("on", "2"), fieldOf("f", "3"), fieldOf("d", "4"), fieldOf("text", "5"), fieldOf("chars", "5"), fieldOf("ref", "5"),
		fieldOf("thread", "6", "constantPool", "true"), fieldOf("pair", "6"), fieldOf("list", "1", "dimension", "1"), fieldOf("n", "1")),
	classOf("400", lossEvent, fieldOf("startTime", "1"), fieldOf(lossField, "1"), fieldOf("total", "1")),
}}}}

// chunk is a whole one, of these events; the metadata stands between them.
func chunk(startNS, durationNS int64, events ...[]byte) []byte {
	return described(schema, startNS, durationNS, events...)
}

// noted is a chunk of a recorder that notes how a JVM ends.
func noted(startNS, durationNS int64, events ...[]byte) []byte {
	types := schema.within[0].within
	with := append(slices.Clone(types), classOf("500", shutdownEvent, fieldOf("startTime", "1")))
	return described(element{"root", nil, []element{{"metadata", nil, with}}}, startNS, durationNS, events...)
}

// described is a chunk whose types are those of a tree of elements.
func described(tree element, startNS, durationNS int64, events ...[]byte) []byte {
	half := len(events) / 2
	first, second := bytes.Join(events[:half], nil), bytes.Join(events[half:], nil)
	described := metadata(tree)
	b := binary.BigEndian.AppendUint32(nil, magic)
	b = binary.BigEndian.AppendUint16(b, version)
	b = binary.BigEndian.AppendUint16(b, 1)
	at := headerBytes + len(first)
	for _, n := range []int64{int64(at + len(described) + len(second)), 0, int64(at), startNS, durationNS, 0, 1e9} {
		b = binary.BigEndian.AppendUint64(b, uint64(n))
	}
	b = binary.BigEndian.AppendUint32(b, 1)
	return bytes.Join([][]byte{b, first, described, second}, nil)
}

func execution(id int64) []byte { return event(200, varint(1), varint(id)) }

func sorts(n int64) []byte {
	return event(300, []byte{1}, make([]byte, 4), make([]byte, 8),
		[]byte{textLatin1, 2, 'a', 'b'}, []byte{textChars, 2, 'a', 'b'}, append([]byte{textConstant}, varint(1<<40)...),
		varint(70_000), varint(5), []byte{textEmpty}, varint(3), varint(1), varint(-1), varint(1000), varint(n))
}

func TestCount(t *testing.T) {
	file := slicesOf(
		chunk(1000, 500, execution(1), sorts(7), execution(300), event(400, varint(1), varint(4096), varint(4096))),
		chunk(1500, 100, sorts(-3), execution(2), event(400, varint(1), varint(10), varint(4106))),
		chunk(1600, 1),
	)
	for _, test := range []struct {
		event, field string
		want         Seen
	}{
		{"moobench.Execution", "", Seen{Events: 3, Bytes: 5 + 6 + 5, LostBytes: 4106, EndNS: 1601, Chunks: 3}},
		{"moobench.Execution", "id", Seen{Events: 3, Bytes: 16, Most: 300, LostBytes: 4106, EndNS: 1601, Chunks: 3}},
		{"all.Sorts", "n", Seen{Events: 2, Bytes: int64(len(sorts(7)) + len(sorts(-3))), Most: 7, LostBytes: 4106, EndNS: 1601, Chunks: 3}},
		{"of.Nobody", "n", Seen{LostBytes: 4106, EndNS: 1601, Chunks: 3}},
	} {
		if got, err := Count(bytes.NewReader(file), test.event, test.field); got != test.want || err != nil {
			t.Errorf("%s %s: %+v, %v, want %+v", test.event, test.field, got, err, test.want)
		}
	}
	if _, err := Count(bytes.NewReader(file), "all.Sorts", "text"); err == nil || !strings.Contains(err.Error(), `all.Sorts has no field "text" that is a number`) {
		t.Errorf("a field that is not a number: %v", err)
	}
	if got, err := Count(bytes.NewReader(nil), "all.Sorts", ""); got != (Seen{}) || err != nil {
		t.Errorf("an empty file: %+v, %v", got, err)
	}
}

// TestCountOfShutdown: a recorder that knows how a JVM ends notes whether it was there.
func TestCountOfShutdown(t *testing.T) {
	ends := event(500, varint(1))
	for _, test := range []struct {
		name            string
		file            []byte
		shutdown, notes bool
	}{
		{"a recorder that notes nothing", chunk(0, 1, execution(1)), false, false},
		{"stopped before", noted(0, 1, execution(1)), false, true},
		{"to the end", slicesOf(noted(0, 1, execution(1)), noted(1, 1, execution(1), ends)), true, true},
		{"a number without a type", chunk(0, 1, ends), false, false},
	} {
		got, err := Count(bytes.NewReader(test.file), "moobench.Execution", "")
		if err != nil || got.Shutdown != test.shutdown || got.NotesShutdown != test.notes {
			t.Errorf("%s: %+v, %v", test.name, got, err)
		}
	}
}

func slicesOf(chunks ...[]byte) []byte { return bytes.Join(chunks, nil) }

var update = flag.Bool("update", false, "write the file that others read in their tests")

// TestSmallFiles: the files that are read elsewhere in tests have three executions, the largest number
// of which is 7, the loss of 4 KiB, and end at second 1,000,000,001 since 1970. Two are of a recorder
// that notes how a JVM ends, and one of these was there.
func TestSmallFiles(t *testing.T) {
	events := [][]byte{execution(1), execution(7), execution(3), event(400, varint(1), varint(4096), varint(4096))}
	for name, want := range map[string][]byte{
		"testdata/small.jfr":   chunk(1e18, 1e9, events...),
		"testdata/stopped.jfr": noted(1e18, 1e9, events...),
		"testdata/ended.jfr":   noted(1e18, 1e9, append(events, event(500, varint(1)))...),
	} {
		if *update {
			if err := os.WriteFile(name, want, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(name); !bytes.Equal(got, want) || err != nil {
			t.Errorf("%s is another one (%v): -update", name, err)
		}
	}
}

// TestCut: whatever is missing of a file is noticed, and what is there is counted.
func TestCut(t *testing.T) {
	first, second := chunk(0, 1, execution(1), execution(2)), chunk(1, 1, execution(3), execution(4))
	whole := slicesOf(first, second)
	for n := len(first) + 1; n < len(whole); n++ {
		if got, err := Count(bytes.NewReader(whole[:n]), "moobench.Execution", ""); !errors.Is(err, ErrCut) || got.Events < 2 || got.Chunks != 1 {
			t.Fatalf("%d bytes of %d: %+v, %v", n, len(whole), got, err)
		}
	}
	unfinished := bytes.Clone(whole)
	clear(unfinished[len(first)+8 : len(first)+16]) // the size of a chunk is written last
	if _, err := Count(bytes.NewReader(unfinished), "moobench.Execution", ""); !errors.Is(err, ErrCut) {
		t.Errorf("a chunk without its size: %v", err)
	}
	for what, damaged := range map[string]struct {
		at    int
		bytes string
	}{
		"chunk 1: it is not a file":     {0, "GIF8"},
		"chunk 2: it is not a file":     {len(first), "GIF8"},
		"not a file of Flight Recorder": {0, "GIF8"},
		"only version 2 is known":       {4, "\x00\x03"},
		"an event of":                   {headerBytes, "\xff\x7f"},
	} {
		file := bytes.Clone(whole)
		copy(file[damaged.at:], damaged.bytes)
		if _, err := Count(bytes.NewReader(file), "moobench.Execution", ""); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("want %q, got %v", what, err)
		}
	}
}

// TestCutHeader: a chunk that the recorder didn't finish says of itself that its metadata stand nowhere.
func TestCutHeader(t *testing.T) {
	whole := chunk(0, 1, execution(1), execution(2))
	for _, test := range []struct {
		what           string
		size, metadata int64
		cut            bool
	}{
		{"no metadata", int64(len(whole)), 0, true},
		{"metadata within the header", int64(len(whole)), headerBytes - 1, true},
		{"metadata after the end", int64(len(whole)), int64(len(whole)), true},
		{"shorter than a header", headerBytes - 1, headerBytes, true},
		{"whole", int64(len(whole)), int64(binary.BigEndian.Uint64(whole[24:])), false},
	} {
		file := bytes.Clone(whole)
		binary.BigEndian.PutUint64(file[8:], uint64(test.size))
		binary.BigEndian.PutUint64(file[24:], uint64(test.metadata))
		if _, err := Count(bytes.NewReader(file), "moobench.Execution", ""); errors.Is(err, ErrCut) != test.cut {
			t.Errorf("%s: %v", test.what, err)
		}
	}
}

// TestDepth: elements are read as deep as a recorder nests them, and not as deep as a file may.
func TestDepth(t *testing.T) {
	for depth, ok := range map[int]bool{1: true, mostDepth: true, mostDepth + 1: false, 10 * mostDepth: false} {
		tree := element{kind: "innermost"}
		for range depth {
			tree = element{kind: "around", within: []element{tree}}
		}
		_, err := readTypes(&input{r: bufio.NewReader(bytes.NewReader(metadata(tree)))})
		if (err == nil) != ok {
			t.Errorf("%d deep: %v", depth, err)
		}
	}
}

// TestText: of every way to write a text, and of what is no text.
func TestText(t *testing.T) {
	for _, test := range []struct {
		raw  []byte
		want string
		err  error
	}{
		{[]byte{textNull}, "", nil},
		{[]byte{textEmpty}, "", nil},
		{[]byte{textConstant, 9}, "", nil},
		{append([]byte{textUTF8}, "\x04größ"...), "grö", nil},
		{append([]byte{textLatin1}, "\x02ab"...), "ab", nil},
		{append([]byte{textChars, 2}, slices.Concat(varint('ö'), varint('x'))...), "öx", nil},
		{append([]byte{textUTF8}, varint(-1)...), "", errMetadata},
		{append([]byte{textLatin1}, varint(longestText+1)...), "", errMetadata},
		{[]byte{77}, "", errMetadata},
		{append([]byte{textUTF8}, "\x04ab"...), "ab\x00", io.ErrUnexpectedEOF},
	} {
		in := &input{r: bufio.NewReader(bytes.NewReader(test.raw))}
		if got := in.text(); got != test.want || !errors.Is(in.err, test.err) {
			t.Errorf("%q: %q, %v; want %q, %v", test.raw, got, in.err, test.want, test.err)
		}
	}
}

// FuzzCount: a file is written by the program that is measured, and may hold anything.
func FuzzCount(f *testing.F) {
	f.Add(slicesOf(chunk(0, 1, execution(1), sorts(1)), chunk(1, 1, event(400, varint(1), varint(1), varint(1)))), "all.Sorts", "n")
	f.Fuzz(func(t *testing.T, file []byte, event, field string) {
		seen, err := Count(bytes.NewReader(file), event, field)
		if err == nil && (seen.Events < 0 || seen.Bytes > int64(len(file))) {
			t.Errorf("%+v", seen)
		}
	})
}
