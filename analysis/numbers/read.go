package numbers

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"moobench/refusal"
)

// longest line that is read, in bytes.
const longest = 1 << 20

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
// skipped. The error is [refusal.Mistakes], with every line that is not a number.
func Lines(file string, r io.Reader) (Sample, error) {
	s := Sample{Name: file, File: file}
	var wrong refusal.Mistakes
	in, err := text(r)
	if err != nil {
		wrong.At(file, 0, "%v", err)
		return s, &wrong
	}
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
		switch {
		case err == nil:
			s.Values, s.Lines = append(s.Values, v), append(s.Lines, n)
		case strings.ContainsAny(field, "\t;|"), strings.Contains(field, ", "),
			strings.Contains(field, ",") && !grouped.MatchString(field) && !decimalComma.MatchString(field):
			wrong.At(file, n, "%s has several fields: choose one with --column NAME or --column N", quote(field))
		default:
			wrong.At(file, n, "%v", err)
		}
	}
	if err := lines.Err(); err != nil {
		wrong.At(file, n+1, "%v", unreadable(err))
	}
	if len(s.Values) == 0 && wrong.Count == 0 {
		wrong.At(file, 0, "holds no number")
	}
	return s, wrong.Err()
}

// text refuses binary files and UTF-16, and skips the byte order mark that some editors
// put before UTF-8.
func text(r io.Reader) (*bufio.Reader, error) {
	in := bufio.NewReaderSize(r, longest)
	head, err := in.Peek(512)
	switch mark := []byte("\xef\xbb\xbf"); {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, unreadable(err)
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}) || bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return nil, errors.New("is UTF-16 text: save it as UTF-8")
	case bytes.IndexByte(head, 0) >= 0:
		return nil, errors.New("is a binary file, not text")
	case bytes.HasPrefix(head, mark):
		_, err = in.Discard(len(mark))
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

var (
	grouped      = regexp.MustCompile(`^[+-]?\d{1,3}([,'’_ \x{a0}\x{202f}]\d{3})+(\.\d+)?$`)
	ambiguous    = regexp.MustCompile(`^[+-]?\d{1,3},\d{3}$`)
	decimalComma = regexp.MustCompile(`^[+-]?(\d*|\d{1,3}(\.\d{3})+),\d+([eE][+-]?\d+)?$`)
	withUnit     = regexp.MustCompile(`^([+-]?[\d.]+(?:[eE][+-]?\d+)?)\s*(%|[a-zA-Zµμ]{1,3})$`)
)

// missing is how programs write a value that isn't there.
var missing = []string{"na", "n/a", "null", "none", "-", ".", "?"}

// Parse reads one finite number, written with a decimal point and without
// thousands separators. The error says what to write instead.
func Parse(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	switch {
	case strings.ContainsAny(s, "_xX"): // Go's own notations, which no other program writes
		return 0, errors.New(reason(s))
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%s is too large for a 64-bit number", quote(s))
	case err != nil:
		return 0, errors.New(reason(s))
	case math.IsNaN(v) || math.IsInf(v, 0):
		return 0, fmt.Errorf("%s is not a finite number: leave the value out, and say so where you report the rest", quote(s))
	}
	return v, nil
}

// reason says why s is not a number, and what to write instead.
func reason(s string) string {
	q := quote(s)
	switch {
	case s == "":
		return "a value is missing"
	case slices.Contains(missing, strings.ToLower(s)):
		return q + " is a missing value: leave it out, and its partner too if the values are pairs"
	case ambiguous.MatchString(s):
		return fmt.Sprintf("%s has a comma that may separate thousands or decimals: write %s or %s", q, strings.Replace(s, ",", "", 1), strings.Replace(s, ",", ".", 1))
	case grouped.MatchString(s):
		return fmt.Sprintf("%s has a thousands separator: write %s", q, strings.Map(func(r rune) rune {
			if strings.ContainsRune("+-.0123456789", r) {
				return r
			}
			return -1
		}, s))
	case decimalComma.MatchString(s):
		return fmt.Sprintf("%s has a decimal comma: write %s", q, strings.Replace(strings.ReplaceAll(s, ".", ""), ",", ".", 1))
	}
	if m := withUnit.FindStringSubmatch(s); m != nil {
		return fmt.Sprintf("%s has a unit: write %s, and name the unit with --unit", q, m[1])
	}
	return q + " is no number"
}

// quote makes any text safe and short enough for an error.
func quote(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return strconv.Quote(s)
}
