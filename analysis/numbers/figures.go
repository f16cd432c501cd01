package numbers

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"moobench/analysis/stats"
)

// Summary is the mean, the sample standard deviation and the size of a sample.
type Summary = stats.Sample

// exact is the largest whole number up to which a 64-bit float has them all.
const exact = 1 << 53

// ParseSummary reads mean,sd,n such as 2.0718,18.0090,1000000.
func ParseSummary(s string) (Summary, error) {
	if strings.Count(s, ",") != 2 {
		return Summary{}, fmt.Errorf("%s is no summary: write mean,sd,n with decimal points, such as 2.0718,18.0090,1000000", quote(s))
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
		return Counts{}, fmt.Errorf("%s is no rate: write count,exposure such as 25,26105373", quote(s))
	}
	v, err := figures(s, "count", "exposure")
	if err != nil {
		return Counts{}, fmt.Errorf("the rate %s: %w", quote(s), err)
	}
	return Counts{Count: []int64{int64(v[0])}, Exposure: v[1:]}, nil
}

var (
	errNoCount    = errors.New("a count is a whole number from 0 on")
	errNoExposure = errors.New("an exposure is above 0")
)

// figures reads as many numbers as there are names, with commas between them. Those of
// the names n and count are whole, and 1e6 is one too; an exposure is above 0. All that
// is wrong is on one line.
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
	factor, ok := 1.0, suffix == "" || suffix == unit
	if from, to := nanoseconds[suffix], nanoseconds[unit]; !ok && from > 0 && to > 0 {
		factor, ok = from/to, true
	}
	switch {
	case ok && v*factor > 0 && !math.IsInf(v*factor, 0):
		return Margin{v * factor, false}, nil
	case unit == "":
		return Margin{}, fmt.Errorf("the margin %s has a unit: name that of the numbers too, as in --unit ns", quote(s))
	}
	return Margin{}, fmt.Errorf("the margin %s can't be expressed in the numbers' unit %s", quote(s), quote(unit))
}

// nanoseconds in a unit of time.
var nanoseconds = map[string]float64{"ns": 1, "us": 1e3, "µs": 1e3, "μs": 1e3, "ms": 1e6, "s": 1e9}
