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

	"moobench/analysis/stats"
	"moobench/refusal"
)

// longest is the length of the longest line that is read, in bytes.
const longest = 1 << 20

// Most is the largest number of values, over all samples: they are held in memory several times, and sorted.
const Most = 5_000_000

// ErrMost is the error for more values than Most.
var ErrMost = fmt.Errorf("there are more than %d numbers: calls of one run are no runs, so give the mean of each run, or mean,sd,n with --summary", Most)

// Sample has the numbers of one name: values with their lines in File, or only a summary.
type Sample struct {
	Name   string
	File   string
	Values []float64
	Lines  []int
	// Summary replaces Values: mean, standard deviation and n as a paper prints them.
	Summary *Summary
}

// Lines reads one number per line. Blank lines, and text after a #, are skipped. The error is
// [refusal.Mistakes], with every line that is not a number.
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
		if err == nil && len(s.Values) == Most {
			return s, fmt.Errorf("%s:%d: %w", file, n, ErrMost)
		}
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

// missing are the notations of missing values.
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
	return q + " is not a number"
}

// quote makes any text safe and short enough for an error.
func quote(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return strconv.Quote(s)
}

// Summary is the mean, the sample standard deviation and the size of a sample.
type Summary = stats.Sample

// exact is the largest integer up to which a float64 represents every integer.
const exact = 1 << 53

// ParseSummary reads mean,sd,n such as 2.0718,18.0090,1000000.
func ParseSummary(s string) (Summary, error) {
	if strings.Count(s, ",") != 2 {
		return Summary{}, fmt.Errorf("%s is not a summary: write mean,sd,n with decimal points, such as 2.0718,18.0090,1000000", quote(s))
	}
	v, err := figures(s, "mean", "sd", "n")
	switch {
	case err != nil:
		return Summary{}, fmt.Errorf("the summary %s: %w", quote(s), err)
	case v[1] < 0:
		return Summary{}, fmt.Errorf("the summary %s: a standard deviation is not negative", quote(s))
	case v[2] < 2:
		return Summary{}, fmt.Errorf("the summary %s: n = %v, and an interval needs two values or more", quote(s), v[2])
	}
	return Summary{Mean: v[0], SD: v[1], N: int(v[2])}, nil
}

// ParseRate reads count,exposure such as 25,26105373: lost transactions of all
// transactions, or events in a time.
func ParseRate(s string) (Counts, error) {
	if strings.Count(s, ",") != 1 {
		return Counts{}, fmt.Errorf("%s is not a rate: write count,exposure such as 25,26105373", quote(s))
	}
	v, err := figures(s, "count", "exposure")
	if err != nil {
		return Counts{}, fmt.Errorf("the rate %s: %w", quote(s), err)
	}
	return Counts{EventRuns: stats.EventRuns{Events: []int64{int64(v[0])}, Exposure: v[1:]}}, nil
}

var (
	errNoCount    = errors.New("a count is a whole number from 0 on")
	errNoExposure = errors.New("an exposure is above 0")
)

// figures reads one number for each name, separated by commas. n and count must be whole, in any notation
// (1e6); an exposure must be above 0. All mistakes are on one line.
func figures(text string, names ...string) ([]float64, error) {
	var all []float64
	var wrong []string
	for i, field := range strings.Split(text, ",") {
		v, err := Parse(strings.TrimSpace(field))
		switch {
		case err != nil:
		case names[i] == "n", names[i] == "count":
			_, err = asCount(v)
		case names[i] == "exposure" && v <= 0:
			err = errNoExposure
		}
		if err != nil {
			wrong = append(wrong, names[i]+": "+err.Error())
		}
		all = append(all, v)
	}
	if len(wrong) > 0 {
		return nil, errors.New(strings.Join(wrong, "; "))
	}
	return all, nil
}

func asCount(v float64) (int64, error) {
	if v < 0 || v != math.Trunc(v) || v > exact {
		return 0, fmt.Errorf("%v: %w", v, errNoCount)
	}
	return int64(v), nil
}

// Margin is the largest difference of two means that counts as equivalent: in the numbers' unit, or as a share
// of the second mean.
type Margin struct {
	Size     float64 `json:"size"`
	Relative bool    `json:"relative"` // Size 0.01 is 1 %
}

// ParseMargin reads 1%, 0.3 or, if unit is a time unit, 5ns. The margin is returned in the unit of the numbers.
func ParseMargin(s, unit string) (Margin, error) {
	number, suffix := s, ""
	if i := strings.LastIndexAny(s, "0123456789."); i >= 0 {
		number, suffix = s[:i+1], strings.TrimSpace(s[i+1:])
	}
	v, err := Parse(strings.TrimSpace(number))
	factor, ok := 1.0, suffix == "" || suffix == unit
	if from, to := nanoseconds[suffix], nanoseconds[unit]; !ok && from > 0 && to > 0 {
		factor, ok = from/to, true
	}
	switch {
	case err != nil:
		return Margin{}, fmt.Errorf("the margin %s: %w", quote(s), err)
	case v <= 0:
		return Margin{}, fmt.Errorf("the margin %s is not above 0", quote(s))
	case suffix == "%":
		return Margin{v / 100, true}, nil
	case ok && v*factor > 0 && !math.IsInf(v*factor, 0):
		return Margin{v * factor, false}, nil
	case unit == "":
		return Margin{}, fmt.Errorf("the margin %s has a unit: name that of the numbers too, as in --unit ns", quote(s))
	}
	return Margin{}, fmt.Errorf("the margin %s can't be expressed in the numbers' unit %s", quote(s), quote(unit))
}

// nanoseconds per unit of time.
var nanoseconds = map[string]float64{"ns": 1, "us": 1e3, "µs": 1e3, "μs": 1e3, "ms": 1e6, "s": 1e9}
