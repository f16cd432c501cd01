package figure

import (
	"math"
	"strconv"
)

// Calls is a number of calls in words: 42,000 calls, 4.2 million calls.
func Calls(n float64) string {
	number, word := spoken(n, n)
	return number + word + " calls"
}

// CallsRange is an interval of numbers of calls: 3.1 … 6.8 million.
func CallsRange(low, high float64) string {
	from, one := spoken(low, high)
	to, word := spoken(high, high)
	if one != word {
		from += one
	}
	return from + " … " + to + word
}

// spoken writes n to two significant digits, or to the last whole one that is
// larger, in the words that fit the size of top; n that would be nothing in
// them has its own.
func spoken(n, top float64) (number, word string) {
	if !finite(n) {
		return unknown, ""
	}
	for _, s := range []struct {
		size float64
		word string
	}{{1e12, " trillion"}, {1e9, " billion"}, {1e6, " million"}} {
		if top < s.size || n != 0 && n < s.size/10 {
			continue
		}
		if n/s.size >= huge {
			return minus(strconv.FormatFloat(n/s.size, 'e', 1, 64)), s.word
		}
		return few(n / s.size), s.word
	}
	return few(n), ""
}

// few has two significant digits, or is whole, and three digits at the most that
// are no zeros.
func few(n float64) string {
	switch {
	case n < 1:
		return strconv.FormatFloat(n, 'g', 2, 64)
	case n < 9.95:
		return strconv.FormatFloat(n, 'f', 1, 64)
	case n < 1000:
		return strconv.FormatFloat(n, 'f', 0, 64)
	}
	p := math.Pow10(int(math.Log10(n)) - 2)
	return Count(int64(math.Round(n/p) * p))
}
