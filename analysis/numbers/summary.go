package numbers

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"moobench/analysis/stats"
)

// Summary is the mean, the sample standard deviation and the size of a sample.
type Summary = stats.Sample

// exact is the largest whole number up to which a 64-bit float has them all.
const exact = 1 << 53

// ParseSummary reads mean,sd,n such as 2.0718,18.0090,1000000.
func ParseSummary(s string) (Summary, error) {
	fields := strings.Split(s, ",")
	if len(fields) != 3 {
		return Summary{}, fmt.Errorf("%s is no summary: write mean,sd,n with decimal points, such as 2.0718,18.0090,1000000", quote(s))
	}
	mean, err1 := Parse(strings.TrimSpace(fields[0]))
	sd, err2 := Parse(strings.TrimSpace(fields[1]))
	n, err3 := parseCount(strings.TrimSpace(fields[2]))
	if err := errors.Join(named("mean", err1), named("sd", err2), named("n", err3)); err != nil {
		return Summary{}, fmt.Errorf("the summary %s: %w", quote(s), oneLine(err))
	}
	switch {
	case sd < 0:
		return Summary{}, fmt.Errorf("the summary %s: a standard deviation is not negative", quote(s))
	case n < 2:
		return Summary{}, fmt.Errorf("the summary %s: n = %d, and an interval needs two values or more", quote(s), n)
	}
	return Summary{Mean: mean, SD: sd, N: int(n)}, nil
}

// Rate is a count over an exposure: lost transactions of all transactions, or
// events in a time.
type Rate struct {
	Count    int64
	Exposure float64 // above 0, in whatever is counted over
}

// ParseRate reads count,exposure such as 25,26105373.
func ParseRate(s string) (Rate, error) {
	count, exposure, ok := strings.Cut(s, ",")
	if !ok || strings.Contains(exposure, ",") {
		return Rate{}, fmt.Errorf("%s is no rate: write count,exposure such as 25,26105373", quote(s))
	}
	k, err1 := parseCount(strings.TrimSpace(count))
	e, err2 := Parse(strings.TrimSpace(exposure))
	if err2 == nil && e <= 0 {
		err2 = errNoExposure
	}
	if err := errors.Join(named("count", err1), named("exposure", err2)); err != nil {
		return Rate{}, fmt.Errorf("the rate %s: %w", quote(s), oneLine(err))
	}
	return Rate{k, e}, nil
}

var (
	errNoCount    = errors.New("a count is a whole number from 0 on")
	errNoExposure = errors.New("an exposure is above 0")
)

// parseCount reads a whole number from 0 on; 1e6 is one too.
func parseCount(s string) (int64, error) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && n >= 0 && n <= exact {
		return n, nil
	}
	v, err := Parse(s)
	if err != nil {
		return 0, err
	}
	return asCount(v)
}

func asCount(v float64) (int64, error) {
	if v < 0 || v != math.Trunc(v) || v > exact {
		return 0, fmt.Errorf("%v: %w", v, errNoCount)
	}
	return int64(v), nil
}

func named(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}

// oneLine keeps errors that were joined on one line.
func oneLine(err error) error {
	return errors.New(strings.ReplaceAll(err.Error(), "\n", "; "))
}

// Counts is the counts of one arm, a run each, with their exposures.
type Counts struct {
	Name     string
	Count    []int64
	Exposure []float64
}

// Runs reads counts and exposures from two columns of a table, a run a row. With
// no columns named, the table must have two: counts, then exposures.
func Runs(file string, r io.Reader, count, exposure string) (Counts, error) {
	width := 0
	if count == "" && exposure == "" {
		count, exposure, width = "1", "2", 2
	}
	columns, err := readTable(file, r, []string{count, exposure}, width)
	if err != nil {
		return Counts{Name: file}, err
	}
	return countsOf(columns[0], columns[1])
}

func countsOf(count, exposure Sample) (Counts, error) {
	c := Counts{Name: count.File}
	var wrong Mistakes
	if len(count.Values) != len(exposure.Values) {
		wrong = append(wrong, Mistake{File: count.File, Text: fmt.Sprintf("%d counts and %d exposures: each run needs both", len(count.Values), len(exposure.Values))})
	}
	for i, v := range count.Values {
		k, err := asCount(v)
		if err != nil {
			wrong.at(count.File, count.Lines[i], err)
		}
		c.Count = append(c.Count, k)
	}
	for i, e := range exposure.Values {
		if e <= 0 {
			wrong.at(exposure.File, exposure.Lines[i], fmt.Errorf("%v: %w", e, errNoExposure))
		}
		c.Exposure = append(c.Exposure, e)
	}
	return c, wrong.Err()
}

// Margin is how far apart two means may lie and still count as equivalent:
// a size in the numbers' unit, or a share of the second mean.
type Margin struct {
	Size     float64 `json:"size"`
	Relative bool    `json:"relative"` // Size 0.01 is 1 %
}

// ParseMargin reads 1%, 0.3, or 5ns where unit is one of time: the margin is
// returned in the unit of the numbers.
func ParseMargin(s, unit string) (Margin, error) {
	number, suffix := s, ""
	if i := strings.LastIndexAny(s, "0123456789."); i >= 0 {
		number, suffix = s[:i+1], strings.TrimSpace(s[i+1:])
	}
	v, err := Parse(strings.TrimSpace(number))
	if err != nil {
		return Margin{}, fmt.Errorf("the margin %s: %w", quote(s), err)
	}
	if v <= 0 {
		return Margin{}, fmt.Errorf("the margin %s is not above 0", quote(s))
	}
	if suffix == "%" {
		return Margin{v / 100, true}, nil
	}
	factor, ok := conversion(suffix, unit)
	switch {
	case ok && v*factor > 0 && !math.IsInf(v*factor, 0):
		return Margin{v * factor, false}, nil
	case unit == "":
		return Margin{}, fmt.Errorf("the margin %s has a unit: name that of the numbers too, as in --unit ns", quote(s))
	}
	return Margin{}, fmt.Errorf("the margin %s can't be expressed in the numbers' unit %s", quote(s), quote(unit))
}

// conversion is what a value in one unit is multiplied by to be one of another.
func conversion(from, to string) (float64, bool) {
	if from == "" || from == to {
		return 1, true
	}
	a, b := nanoseconds(from), nanoseconds(to)
	return a / max(b, 1), a > 0 && b > 0
}

// nanoseconds in a unit of time; 0 of any other.
func nanoseconds(unit string) float64 {
	switch unit {
	case "ns":
		return 1
	case "us", "µs", "μs":
		return 1e3
	case "ms":
		return 1e6
	case "s":
		return 1e9
	}
	return 0
}
