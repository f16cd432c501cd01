package numbers

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// longest line that is read, in bytes.
const longest = 1 << 20

var (
	byteOrderMark = []byte("\xef\xbb\xbf")
	errUTF16      = errors.New("is UTF-16 text: save it as UTF-8")
	errBinary     = errors.New("is a binary file, not text")
)

// Sample is the numbers of one name: values with the lines of File they stand
// on, or a summary where only that is known.
type Sample struct {
	Name   string
	File   string
	Values []float64
	Lines  []int
	// Summary has no Values behind it: mean, standard deviation and n as a paper
	// prints them.
	Summary *Summary
}

// Lines reads one number a line. Blank lines, and what follows a #, are
// skipped. The error is Mistakes, with every line that is not a number.
func Lines(file string, r io.Reader) (Sample, error) {
	s := Sample{Name: file, File: file}
	in, err := text(r)
	if err != nil {
		return s, Mistakes{{File: file, Text: err.Error()}}
	}
	var wrong Mistakes
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, longest)
	n := 0
	for lines.Scan() {
		n++
		field, _, _ := strings.Cut(lines.Text(), "#")
		if field = strings.TrimSpace(field); field == "" {
			continue
		}
		v, err := Parse(field)
		if err != nil {
			wrong.at(file, n, orTable(field, err))
			continue
		}
		s.Values, s.Lines = append(s.Values, v), append(s.Lines, n)
	}
	if err := lines.Err(); err != nil {
		wrong.at(file, n+1, unreadable(err))
	}
	if len(s.Values) == 0 && len(wrong) == 0 {
		wrong = Mistakes{{File: file, Text: "holds no number"}}
	}
	return s, wrong.Err()
}

// text refuses binary files and UTF-16, and skips the mark that some editors put before
// UTF-8.
func text(r io.Reader) (*bufio.Reader, error) {
	in := bufio.NewReaderSize(r, longest)
	head, err := in.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, unreadable(err)
	}
	if bytes.HasPrefix(head, []byte{0xff, 0xfe}) || bytes.HasPrefix(head, []byte{0xfe, 0xff}) {
		return nil, errUTF16
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return nil, errBinary
	}
	if bytes.HasPrefix(head, byteOrderMark) {
		_, err = in.Discard(len(byteOrderMark))
		return in, err
	}
	return in, nil
}

func unreadable(err error) error {
	if errors.Is(err, bufio.ErrTooLong) {
		return errors.New("is longer than 1 MiB: this is not one number a line")
	}
	return fmt.Errorf("reading: %w", err)
}

// orTable knows that a line with several fields comes from a table.
func orTable(field string, err error) error {
	several := strings.ContainsAny(field, "\t;|") || strings.Contains(field, ", ") ||
		strings.Contains(field, ",") && !grouped.MatchString(field) && !decimalComma.MatchString(field)
	if several {
		return fmt.Errorf("%s has several fields: choose one with --column NAME or --column N", quote(field))
	}
	return err
}
