package replication

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Number is a figure as printed. Its digits belong to it, because they show its precision.
type Number struct {
	Text     string // as printed, with the commas between thousands
	value    float64
	decimals int
}

// maxDecimals is more than any paper prints, and fewer than a float64 has.
const maxDecimals = 12

var numberForm = regexp.MustCompile(`^[-+]?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$`)

// parseNumber reads a printed number such as 13086.6300, -10.0721 or 1,000,000.
func parseNumber(text string) (Number, error) {
	if len(text) > 40 || !numberForm.MatchString(text) {
		return Number{}, fmt.Errorf("%q is not a number as papers print them, such as 13086.6300 or 1,000,000", text)
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
	if err != nil {
		return Number{}, fmt.Errorf("%q: %w", text, err)
	}
	_, fraction, _ := strings.Cut(text, ".")
	if len(fraction) > maxDecimals {
		return Number{}, fmt.Errorf("%q has more than %d decimals", text, maxDecimals)
	}
	return Number{text, v, len(fraction)}, nil
}

// UnmarshalText reads the number as parseNumber does.
func (n *Number) UnmarshalText(text []byte) (err error) {
	*n, err = parseNumber(string(text))
	return err
}

// MarshalText writes the number as it was printed.
func (n Number) MarshalText() ([]byte, error) { return []byte(n.Text), nil }

// round formats x with the number's decimals.
func (n Number) round(x float64) string { return strconv.FormatFloat(x, 'f', n.decimals, 64) }

// rounds reports whether x, rounded to the printed decimals, is the number.
func (n Number) rounds(x float64) bool { return n.same(n.round(x)) }

// cutsOff reports whether x, truncated to the printed decimals, is the number.
func (n Number) cutsOff(x float64) bool {
	unit := math.Pow10(n.decimals)
	return n.same(n.round(math.Trunc(x*unit) / unit))
}

func (n Number) same(text string) bool {
	v, err := strconv.ParseFloat(text, 64)
	return err == nil && v == n.value
}
