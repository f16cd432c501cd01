package jtl

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"
)

const (
	// recordMost is the largest length in bytes of a line, and of a quoted field that spans lines.
	recordMost = 1 << 20
	// aheadMost is the number of lines that are searched for the end of a quoted field.
	aheadMost = 1000
)

// lineReader reads records line by line, so that a broken one costs only its own lines: an unclosed quote would
// otherwise swallow the rest of the file.
type lineReader struct {
	in      *bufio.Reader
	comma   rune
	pending []textLine // read ahead in search of a closing quote
	next    int        // number of the next line
	fields  []string
}

// textLine is a line without its end.
type textLine struct {
	text  string
	n     int
	ended bool  // by a line break, not by the end of the file
	err   error // read error
}

// record is the content of a line, or of several if a quoted field has line breaks.
type record struct {
	line   int
	fields []string // valid until the next record is read
	cut    bool     // the file ends in it
	cause  string   // why it is malformed; "" if it is not
}

const nulBytes = "it has NUL bytes: the machine stopped, or its disk was full, while JMeter wrote"

var errLong = errors.New("a line is longer than 1 MiB: is this a JTL?")

func newLineReader(in io.Reader, comma rune) *lineReader {
	return &lineReader{in: bufio.NewReaderSize(in, recordMost), comma: comma, next: 1}
}

// line returns the next line, or io.EOF.
func (r *lineReader) line() (textLine, error) {
	if len(r.pending) > 0 {
		l := r.pending[0]
		r.pending = r.pending[1:]
		return l, nil
	}
	text, err := r.in.ReadSlice('\n')
	l := textLine{n: r.next}
	r.next++
	if errors.Is(err, bufio.ErrBufferFull) {
		l.err = errLong
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = r.in.ReadSlice('\n')
		}
		text = nil
	}
	if err != nil && (err != io.EOF || len(text) == 0 && l.err == nil) {
		return l, err
	}
	l.ended = err == nil
	l.text = string(bytes.TrimRight(text, "\r\n"))
	return l, nil
}

// read returns the next record, or io.EOF. Empty lines are skipped.
func (r *lineReader) read() (record, error) {
	l, err := r.line()
	for err == nil && l.err == nil && l.text == "" {
		l, err = r.line()
	}
	if err != nil {
		return record{line: l.n}, err
	}
	rec := record{line: l.n, cut: !l.ended}
	switch {
	case l.err != nil:
		rec.cause = l.err.Error()
		return rec, nil
	case strings.ContainsRune(l.text, 0):
		rec.cause = nulBytes
		return rec, nil
	case !strings.ContainsRune(l.text, '"'):
		rec.fields = r.split(l.text)
		return rec, nil
	}
	return r.quoted(l, rec)
}

// split returns the fields of a line without quotes.
func (r *lineReader) split(text string) []string {
	r.fields = r.fields[:0]
	for field := range strings.SplitSeq(text, string(r.comma)) {
		r.fields = append(r.fields, field)
	}
	return r.fields
}

// quoted returns a record with quotes, of as many lines as they span. If they are not closed, the record is the
// first line alone, and the others are read again.
func (r *lineReader) quoted(l textLine, rec record) (record, error) {
	text, more := l.text, []textLine(nil)
	for strings.Count(text, `"`)%2 == 1 && len(more) < aheadMost && len(text) < recordMost {
		next, err := r.line()
		if err != nil && err != io.EOF {
			return rec, err
		}
		if err != nil {
			break
		}
		more = append(more, next)
		text += "\n" + next.text
	}
	if strings.Count(text, `"`)%2 == 1 {
		r.pending = append(more, r.pending...)
		rec.cut = !l.ended
		rec.cause = "a quote is not closed"
		return rec, nil
	}
	c := csv.NewReader(strings.NewReader(text))
	c.Comma, c.FieldsPerRecord = r.comma, -1
	fields, err := c.Read()
	if bad, malformed := errors.AsType[*csv.ParseError](err); malformed {
		r.pending = append(more, r.pending...)
		rec.cause = bad.Err.Error()
		return rec, nil
	}
	if len(more) > 0 {
		rec.cut = !more[len(more)-1].ended
	}
	rec.fields = fields
	return rec, err
}
