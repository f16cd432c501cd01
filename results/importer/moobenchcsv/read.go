package moobenchcsv

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"

	"moobench/refusal"
	"moobench/results"
	"moobench/results/importer"
)

const (
	lineMost    = 64 << 10   // bytes
	threadsMost = 4096       // of one JVM
	callsMost   = 20_000_000 // in one file: they are held in memory, 24 bytes each
	// sizeMost is the largest length of an unpacked file in bytes: callsMost calls of 40 bytes. A small
	// compressed file could unpack without end.
	sizeMost = 40 * callsMost
)

// bounds limit how much of a file is read.
type bounds struct{ bytes, calls int64 }

// Columns of a call.
const (
	thread     = iota // number of the thread
	took              // ns
	heap              // bytes in use after the call
	gc                // collections since the call before
	allColumns        // number of columns
)

// columns describes the columns of a call: their names in mistakes, in a header and in the samples, and their
// metrics.
var columns = [allColumns]struct {
	what    string
	names   []string
	samples results.Column
	metric  results.Metric
}{
	thread: {what: "the thread", names: []string{"thread", "thread_id", "thread-id"}},
	took: {
		"the time in ns",
		[]string{"ns", "duration", "duration_ns", "duration_nsec"},
		results.Column{Name: "t", Unit: "ns", Kind: results.KindDuration},
		importer.Metric(metricDuration, "ns", results.Lower, "one call of the monitored method, with its recursion"),
	},
	heap: {
		"the used heap",
		[]string{"heap", "used_heap", "heap_bytes"},
		results.Column{Name: metricHeap, Unit: "B", Kind: results.KindCount},
		importer.Metric(metricHeap, "B", results.Neither, "heap in use after a call"),
	},
	gc: {
		"the number of collections",
		[]string{"gc", "gc_count"},
		results.Column{Name: "gc", Unit: "1", Kind: results.KindCount},
		importer.Metric(metricCollections, "1", results.Lower,
			"garbage collections from the first call to the last, warm-up included"),
	},
}

// layout is the number of columns in a line, and the index of each column; -1: absent.
type layout struct {
	width int
	at    [allColumns]int
}

// threadCalls are the calls of one thread in order, by column.
type threadCalls struct {
	id     int64
	values [allColumns][]int64
}

// calls are the calls of one file.
type calls struct {
	threads  []*threadCalls
	count    int64
	negative int64 // calls with a negative time
	has      layout
}

// reader reads one file.
type reader struct {
	name     string
	line     int
	calls    calls
	most     int64 // calls
	last     *threadCalls
	mistakes *refusal.Mistakes
}

// read reads a raw file of at most most bytes and calls, and adds its mistakes. It stops where going on would
// make no sense.
func read(name string, in io.Reader, most bounds, mistakes *refusal.Mistakes) *calls {
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
		case err == io.EOF && len(text) == 0:
			if r.calls.count == 0 && mistakes.Count == before {
				mistakes.At(name, 0, "it has no calls")
			}
		case err == io.EOF:
			r.wrong("the file ends in the middle of this line: it was cut off")
		case errors.Is(err, bufio.ErrBufferFull):
			r.wrong("it is longer than %d bytes: is this a raw file of MooBench?", lineMost)
		case errors.Is(err, io.ErrUnexpectedEOF):
			r.wrong("the compressed file ends here: it was cut off")
		case err != nil:
			r.wrong("%v", err)
		case r.take(bytes.TrimSpace(text)):
			continue
		}
		return &r.calls
	}
}

func (r *reader) wrong(format string, args ...any) {
	r.mistakes.At(r.name, r.line, format, args...)
}

// take reads one line, a call or a header. It reports whether to go on.
func (r *reader) take(text []byte) bool {
	if len(text) == 0 {
		return true
	}
	n, fields := 0, [8][]byte{}
	for field := range bytes.SplitSeq(text, []byte(";")) {
		if n < len(fields) {
			fields[n] = bytes.TrimSpace(field)
		}
		n++
	}
	if r.calls.has.width == 0 { // the layout is not known yet
		isHead, ok := r.head(fields[:min(n, len(fields))], n)
		if isHead || !ok {
			return ok
		}
	}
	if n != r.calls.has.width {
		r.wrong("it has %d columns, and the first line %d", n, r.calls.has.width)
		return true
	}
	var values [allColumns]int64
	before := r.mistakes.Count
	for c, at := range r.calls.has.at {
		ok := true
		if at >= 0 {
			values[c], ok = integer(fields[at])
		}
		if !ok {
			r.wrong("%s, %.40q, is not a whole number", columns[c].what, fields[at])
		}
	}
	if r.mistakes.Count > before {
		return true
	}
	if r.calls.count++; r.calls.count > r.most {
		r.wrong("there are more than %d calls: is this a raw file of MooBench?", r.most)
		return false
	}
	t := r.thread(values[thread])
	if t == nil {
		return false
	}
	if values[took] < 0 {
		r.calls.negative++
	}
	for c := took; c < allColumns; c++ {
		if r.calls.has.at[c] >= 0 {
			t.values[c] = append(t.values[c], values[c])
		}
	}
	return true
}

// head derives the layout from the first line, and reports whether the line is a header. Without a header,
// MooBench's Java program writes four columns, the Python one two; the meaning of a lone third column is
// unknown.
func (r *reader) head(fields [][]byte, n int) (isHead, ok bool) {
	if slices.ContainsFunc(fields, func(f []byte) bool { _, ok := integer(f); return ok }) {
		fits := 2 <= n && n <= 4
		if !fits {
			r.wrong("it has %d columns separated by semicolons, and a raw file of MooBench two or four: "+
				"thread;ns or thread;ns;heap;gc", n)
		}
		r.calls.has = layout{n, [allColumns]int{0, 1, -1, -1}}
		if n == allColumns {
			r.calls.has.at = [allColumns]int{0, 1, 2, 3}
		}
		return false, fits
	}
	has := layout{n, [allColumns]int{-1, -1, -1, -1}}
	for i, f := range fields {
		for c := range columns {
			if slices.Contains(columns[c].names, string(bytes.ToLower(f))) {
				has.at[c] = i
			}
		}
	}
	if has.at[thread] < 0 || has.at[took] < 0 {
		r.wrong("%.60q is neither a call (thread;ns;heap;gc) nor a line that names these columns",
			bytes.Join(fields, []byte(";")))
		return true, false
	}
	r.calls.has = has
	return true, true
}

// thread returns the calls of a thread; nil, after a mistake, if the number is impossible.
func (r *reader) thread(id int64) *threadCalls {
	if r.last != nil && r.last.id == id {
		return r.last
	}
	i := slices.IndexFunc(r.calls.threads, func(t *threadCalls) bool { return t.id == id })
	switch {
	case i >= 0:
		r.last = r.calls.threads[i]
	case id < 0 || id > math.MaxInt32:
		r.wrong("%d is not a number of a thread", id)
		return nil
	case len(r.calls.threads) == threadsMost:
		r.wrong("it has more than %d threads: is this a raw file of MooBench?", threadsMost)
		return nil
	default:
		r.last = &threadCalls{id: id}
		r.calls.threads = append(r.calls.threads, r.last)
	}
	return r.last
}

// integer parses a decimal number of at most 18 digits.
func integer(text []byte) (n int64, ok bool) {
	n, err := strconv.ParseInt(string(text), 10, 64) // strconv does not copy such a short text
	return n, err == nil && text[0] != '+' && len(bytes.TrimPrefix(text, []byte("-"))) <= 18
}
