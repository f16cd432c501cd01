package numbers

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

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
		return 0, errors.New(refusal(s))
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%s is too large for a 64-bit number", quote(s))
	case err != nil:
		return 0, errors.New(refusal(s))
	case math.IsNaN(v) || math.IsInf(v, 0):
		return 0, fmt.Errorf("%s is not a finite number: leave the value out, and say so where you report the rest", quote(s))
	}
	return v, nil
}

// refusal says why s is not a number, and what to write instead.
func refusal(s string) string {
	q := quote(s)
	switch {
	case s == "":
		return "a value is missing"
	case slices.Contains(missing, strings.ToLower(s)):
		return q + " is a missing value: leave it out, and its partner too if the values are pairs"
	case ambiguous.MatchString(s):
		return fmt.Sprintf("%s has a comma that may separate thousands or decimals: write %s or %s", q, strings.Replace(s, ",", "", 1), strings.Replace(s, ",", ".", 1))
	case grouped.MatchString(s):
		return fmt.Sprintf("%s has a thousands separator: write %s", q, digitsOf(s))
	case decimalComma.MatchString(s):
		return fmt.Sprintf("%s has a decimal comma: write %s", q, strings.Replace(strings.ReplaceAll(s, ".", ""), ",", ".", 1))
	}
	if m := withUnit.FindStringSubmatch(s); m != nil {
		return fmt.Sprintf("%s has a unit: write %s, and name the unit with --unit", q, m[1])
	}
	return q + " is no number"
}

// digitsOf drops the separators of thousands.
func digitsOf(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("+-.0123456789", r) {
			return r
		}
		return -1
	}, s)
}

// quote makes any text safe and short enough for an error.
func quote(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return strconv.Quote(s)
}
