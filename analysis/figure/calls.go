package figure

import (
	"math"
	"strconv"
)

// Calls returns a number of calls in words: 42,000 calls, 4.2 million calls.
func Calls(n float64) string {
	number, word := spoken(n, n)
	return number + word + " calls"
}

// CallsRange returns an interval of numbers of calls: 3.1 … 6.8 million.
func CallsRange(low, high float64) string {
	from, one := spoken(low, high)
	to, word := spoken(high, high)
	if one != word {
		from += one
	}
	return from + " … " + to + word
}

// spoken writes n to two significant digits, or if larger to the nearest integer, with the word
// that fits the size of top; an n far below that word's size gets a word of its own.
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

// few writes n with two significant digits; from 10 on as an integer, with at most three
// significant digits.
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
