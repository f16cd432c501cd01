package moobenchcsv

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"moobench/results/importer"
)

const (
	lineMost    = 64 << 10   // bytes
	threadsMost = 4096       // of one JVM
	callsMost   = 20_000_000 // of one file: they are held in memory, 24 bytes each
	// sizeMost is how long a file may be, unpacked, in bytes: so many calls of 40
	// bytes. A small compressed file could be endless otherwise.
	sizeMost = 40 * callsMost
)

// bounds limit what is read of one file.
type bounds struct{ bytes, calls int64 }

// layout says in which columns of a line the values stand; -1: in none.
type layout struct{ width, thread, took, heap, gc int }

// layouts are the layouts of files whose first line names no columns, by the number
// of these: MooBench's Java program writes four, the one for Python two. What a
// third column alone would be is not known.
var layouts = map[int]layout{
	2: {2, 0, 1, -1, -1},
	3: {3, 0, 1, -1, -1},
	4: {4, 0, 1, 2, 3},
}

// thread are the calls of one thread, in the order in which they were made.
type thread struct {
	id             int64
	took, heap, gc []int64 // ns, bytes in use after the call, collections since the call before
}

// calls are the calls of one file.
type calls struct {
	threads  []*thread
	count    int64
	negative int64 // calls that took less than nothing
	has      layout
}

// reader reads one file.
type reader struct {
	name     string
	line     int
	calls    calls
	known    bool  // the layout is
	most     int64 // calls
	last     *thread
	mistakes *importer.Mistakes
}

// read reads a raw file of at most so many bytes and calls. What is wrong in it is added to
// the mistakes; reading ends where going on could not make sense.
func read(name string, in io.Reader, most bounds, mistakes *importer.Mistakes) *calls {
	r := &reader{name: name, most: most.calls, mistakes: mistakes}
	before, left := mistakes.Count, most.bytes
	b := bufio.NewReaderSize(in, lineMost)
	for {
		text, err := b.ReadSlice('\n')
		r.line++
		left -= int64(len(text))
		switch {
		case left < 0:
			r.wrong("the file is longer than %d bytes up to here: is this a raw file of MooBench?", most.bytes)
			return &r.calls
		case err == io.EOF && len(text) == 0:
			if r.calls.count == 0 && mistakes.Count == before {
				mistakes.Add(name, 0, "it has no calls")
			}
			return &r.calls
		case err == io.EOF:
			r.wrong("the file ends in the middle of this line: it was cut off")
			return &r.calls
		case errors.Is(err, bufio.ErrBufferFull):
			r.wrong("it is longer than %d bytes: is this a raw file of MooBench?", lineMost)
			return &r.calls
		case errors.Is(err, io.ErrUnexpectedEOF):
			r.wrong("the compressed file ends here: it was cut off")
			return &r.calls
		case err != nil:
			r.wrong("%v", err)
			return &r.calls
		}
		if !r.take(bytes.TrimSpace(text)) {
			return &r.calls
		}
	}
}

func (r *reader) wrong(format string, args ...any) {
	r.mistakes.Add(r.name, r.line, format, args...)
}

// take reads one line, and says whether to go on.
func (r *reader) take(text []byte) bool {
	if len(text) == 0 {
		return true
	}
	var fields [8][]byte
	n := split(text, fields[:])
	if !r.known {
		isHead, ok := r.head(fields[:min(n, len(fields))], n)
		if isHead || !ok {
			return ok
		}
	}
	if n != r.calls.has.width {
		r.wrong("it has %d columns, and the first line %d", n, r.calls.has.width)
		return true
	}
	return r.call(fields[:n])
}

// split puts the fields of a line into place, and returns how many there are.
func split(text []byte, into [][]byte) int {
	for n := 0; ; n++ {
		at := bytes.IndexByte(text, ';')
		field := text
		if at >= 0 {
			field = text[:at]
		}
		if n < len(into) {
			into[n] = bytes.TrimSpace(field)
		}
		if at < 0 {
			return n + 1
		}
		text = text[at+1:]
	}
}

// head settles the layout by the first line, which may name the columns.
func (r *reader) head(fields [][]byte, n int) (isHead, ok bool) {
	has, fits := layouts[n]
	if slices.ContainsFunc(fields, func(f []byte) bool { _, ok := integer(f); return ok }) {
		if !fits {
			r.wrong("it has %d columns separated by semicolons, and a raw file of MooBench two or four: thread;ns or thread;ns;heap;gc", n)
		}
		r.calls.has, r.known = has, fits
		return false, fits
	}
	has = layout{width: n, thread: -1, took: -1, heap: -1, gc: -1}
	for i, f := range fields {
		switch string(bytes.ToLower(f)) {
		case "thread", "thread_id", "thread-id":
			has.thread = i
		case "ns", "duration", "duration_ns", "duration_nsec":
			has.took = i
		case "heap", "used_heap", "heap_bytes":
			has.heap = i
		case "gc", "gc_count":
			has.gc = i
		}
	}
	if has.thread < 0 || has.took < 0 {
		r.wrong("%.60q is neither a call (thread;ns;heap;gc) nor a line that names these columns", bytes.Join(fields, []byte(";")))
		return true, false
	}
	r.calls.has, r.known = has, true
	return true, true
}

// call reads the line of one call, and says whether to go on.
func (r *reader) call(fields [][]byte) bool {
	has := r.calls.has
	id, ok := r.number("the thread", fields[has.thread])
	took, ok2 := r.number("the time in ns", fields[has.took])
	var heap, gc int64
	ok3, ok4 := true, true
	if has.heap >= 0 {
		heap, ok3 = r.number("the used heap", fields[has.heap])
	}
	if has.gc >= 0 {
		gc, ok4 = r.number("the number of collections", fields[has.gc])
	}
	if !ok || !ok2 || !ok3 || !ok4 {
		return true
	}
	if r.calls.count++; r.calls.count > r.most {
		r.wrong("there are more than %d calls: is this a raw file of MooBench?", r.most)
		return false
	}
	t := r.thread(id)
	if t == nil {
		return false
	}
	if took < 0 {
		r.calls.negative++
	}
	t.took = append(t.took, took)
	if has.heap >= 0 {
		t.heap = append(t.heap, heap)
	}
	if has.gc >= 0 {
		t.gc = append(t.gc, gc)
	}
	return true
}

func (r *reader) number(what string, field []byte) (int64, bool) {
	n, ok := integer(field)
	if !ok {
		r.wrong("%s, %.40q, is no whole number", what, field)
	}
	return n, ok
}

// thread finds the calls of a thread; nil after saying what is wrong with it.
func (r *reader) thread(id int64) *thread {
	if r.last != nil && r.last.id == id {
		return r.last
	}
	i := slices.IndexFunc(r.calls.threads, func(t *thread) bool { return t.id == id })
	switch {
	case i >= 0:
		r.last = r.calls.threads[i]
	case id < 0 || id > math.MaxInt32:
		r.wrong("%d is no number of a thread", id)
		return nil
	case len(r.calls.threads) == threadsMost:
		r.wrong("it has more than %d threads: is this a raw file of MooBench?", threadsMost)
		return nil
	default:
		r.last = &thread{id: id}
		r.calls.threads = append(r.calls.threads, r.last)
	}
	return r.last
}

// integer is a decimal number. There are a million or more in a file, and none
// becomes a string.
func integer(text []byte) (n int64, ok bool) {
	digits := bytes.TrimPrefix(text, []byte("-"))
	if len(digits) == 0 || len(digits) > 18 {
		return 0, false
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int64(c-'0')
	}
	if len(digits) < len(text) {
		n = -n
	}
	return n, true
}

// warnings say what is odd in the calls.
func (c *calls) warnings() []string {
	var all []string
	if c.negative > 0 {
		all = append(all, fmt.Sprintf("%d calls took less than nothing: the clock was set back meanwhile; they are in the mean", c.negative))
	}
	if c.has.width == 3 && c.has.gc < 0 && c.has.heap < 0 {
		all = append(all, "the third column is left out: nothing says what it is")
	}
	return all
}
