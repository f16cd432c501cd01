package wire

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// deepest is the maximum nesting depth of values.
const deepest = 200

var errDeep = fmt.Errorf("values are nested more than %d deep", deepest)

// longestKey is the number of bytes of a key that are kept: no key that we look for is longer.
const longestKey = 40

// jsonWalk reads JSON as its bytes arrive. It keeps only the beginnings of keys and of requested strings, and
// skips the rest: encoding/json would make a value of each token, and a body may hold a million. Skipped values
// are checked only as far as necessary to find their end.
type jsonWalk struct {
	in   *bufio.Reader
	text [longestKey]byte
}

// next skips white space and returns the next byte without consuming it.
func (w *jsonWalk) next() (byte, error) {
	for {
		b, err := w.in.Peek(1)
		if err != nil {
			return 0, err
		}
		switch b[0] {
		case ' ', '\t', '\r', '\n':
			_, _ = w.in.Discard(1)
		default:
			return b[0], nil
		}
	}
}

// expect skips white space and consumes one byte, which must be want.
func (w *jsonWalk) expect(want byte) error {
	b, err := w.next()
	if err != nil {
		return early(err)
	}
	if b != want {
		return fmt.Errorf("%q where %q was to come", b, want)
	}
	_, err = w.in.Discard(1)
	return err
}

// str reads a string and returns its beginning, with escapes unprocessed. The result is valid until the next
// string is read.
func (w *jsonWalk) str() ([]byte, error) {
	if err := w.expect('"'); err != nil {
		return nil, err
	}
	kept := w.text[:0]
	for {
		part, err := w.in.ReadSlice('"')
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return nil, early(err)
		}
		full := err != nil
		if !full {
			part = part[:len(part)-1]
		}
		kept = append(kept, part[:min(len(part), cap(kept)-len(kept))]...)
		ended, err := w.escaped(part, full)
		if err != nil || ended {
			return kept, err
		}
	}
}

// escaped reports whether a part of a string is its last: after an odd number of backslashes, the next character
// still belongs to the string.
func (w *jsonWalk) escaped(part []byte, full bool) (ended bool, err error) {
	odd := (len(part)-len(bytes.TrimRight(part, `\`)))%2 == 1
	if full && odd { // the escaped character begins the next part
		_, err = w.in.Discard(1)
	}
	return !full && !odd, early(err)
}

// object calls member for each key of an object. member must read the key's value.
func (w *jsonWalk) object(member func(key []byte) error) error {
	return w.list('{', '}', func() error {
		key, err := w.str()
		if err == nil {
			err = w.expect(':')
		}
		if err != nil {
			return err
		}
		return member(key)
	})
}

// array calls element at the beginning of each element of an array. element must read it.
func (w *jsonWalk) array(element func() error) error { return w.list('[', ']', element) }

// list reads a bracketed list of elements, separated by commas.
func (w *jsonWalk) list(open, end byte, element func() error) error {
	if err := w.expect(open); err != nil {
		return err
	}
	for first := true; ; first = false {
		b, err := w.next()
		switch {
		case err != nil:
			return early(err)
		case first && b == end:
			_, err = w.in.Discard(1)
			return err
		}
		if err := element(); err != nil {
			return err
		}
		if b, err = w.next(); err != nil {
			return early(err)
		}
		_, _ = w.in.Discard(1)
		if b == end {
			return nil
		}
		if b != ',' {
			return fmt.Errorf("%q where %q or %q was to come", b, ',', end)
		}
	}
}

// skip skips a value of any kind.
func (w *jsonWalk) skip() error { return w.skipAt(0) }

func (w *jsonWalk) skipAt(depth int) error {
	b, err := w.next()
	switch {
	case err != nil:
		return early(err)
	case depth > deepest:
		return errDeep
	case b == '"':
		_, err = w.str()
		return err
	case b == '{':
		return w.object(func([]byte) error { return w.skipAt(depth + 1) })
	case b == '[':
		return w.array(func() error { return w.skipAt(depth + 1) })
	}
	return w.word()
}

// word skips a number, true, false or null.
func (w *jsonWalk) word() error {
	for n := 0; ; n++ {
		b, err := w.in.Peek(1)
		part := err == nil && (b[0] == '+' || b[0] == '-' || b[0] == '.' ||
			b[0]|0x20 >= 'a' && b[0]|0x20 <= 'z' || b[0] >= '0' && b[0] <= '9')
		switch {
		case part:
			_, _ = w.in.Discard(1)
		case n > 0 && (err == nil || errors.Is(err, io.EOF)):
			return nil
		case err != nil:
			return early(err)
		default:
			return fmt.Errorf("%q where a value was to come", b[0])
		}
	}
}

// count counts the elements of the arrays at the end of a path of keys: through objects by key, and through each
// element of the arrays in between. An object in place of the final array counts as one record.
func (w *jsonWalk) count(path []string, depth int) (n int64, err error) {
	b, err := w.next()
	switch {
	case err != nil:
		return 0, early(err)
	case depth > deepest:
		return 0, errDeep
	case b == '[' && len(path) == 0:
		err = w.array(func() error {
			err := w.skip()
			if err == nil {
				n++
			}
			return err
		})
	case b == '[':
		err = w.array(func() error {
			inside, err := w.count(path, depth+1)
			n += inside
			return err
		})
	case b == '{' && len(path) > 0:
		err = w.object(func(key []byte) error {
			if string(key) != path[0] {
				return w.skip()
			}
			inside, err := w.count(path[1:], depth+1)
			n += inside
			return err
		})
	default:
		if err = w.skip(); err == nil && b == '{' {
			n = 1
		}
	}
	return n, err
}

// Elements returns a counter of array elements in JSON documents, of which there may be several, as in ND-JSON.
// The keys of path lead to the arrays, through objects and through each element of the arrays in between. Without
// keys, a document is the array itself or, if it is an object, one record.
func Elements(path ...string) func(body *bufio.Reader) (int64, error) {
	return func(body *bufio.Reader) (int64, error) {
		return documents(body, func(w *jsonWalk) (int64, error) { return w.count(path, 0) })
	}
}

// documents adds up the records of JSON documents; each reads one document and returns its number of records.
func documents(body *bufio.Reader, each func(w *jsonWalk) (int64, error)) (all int64, err error) {
	w := &jsonWalk{in: body}
	for {
		if _, err = w.next(); errors.Is(err, io.EOF) {
			return all, nil
		}
		n := int64(0)
		if err == nil {
			n, err = each(w)
		}
		if all += n; err != nil {
			return all, fmt.Errorf("not the JSON that was to come (after %d records): %w", all, early(err))
		}
	}
}
