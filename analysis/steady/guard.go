package steady

import "math"

// certain is the number of standard errors for a significant slope.
const certain = 3.3

// leans reports whether the steady part [from, n) of y, or all of y, keeps rising or falling. The
// slope of the least-squares line must be 3.3 standard errors from 0 and move the mean by more than
// delta.
//
// PELT only finds steps. It approximates a slow trend by a staircase, whose last step may be long
// enough to seem steady, and short enough to lean by less than delta. Hence the second test: if one
// line through all batches is at least as likely as PELT's segments, including PELT's penalties,
// the series is a trend and not a warm-up. Warm-up and steps are far from a line, and a flat
// invocation's line does not rise.
//
// It uses the filtered values: spikes would inflate the error so that trends are missed, and a
// spike near the end would look like a trend.
func (c *cost) leans(y []float64, from int, total float64) bool {
	if line(y[from:]).leans() {
		return true
	}
	whole := line(y)
	n := float64(len(y))
	return whole.leans() && c.likelihood(n, whole.rss/n) <= total
}

// pastTail returns the start of the steady part if only its beginning leans: the tail of a warm-up,
// which fades too slowly for PELT to cut it off when batches are noisy. A step in the first half of
// [from, n) that explains more than the line is such a tail; a steady trend is explained better by
// a line than by any step. The rest may lean again, and is tested again. It returns from if there
// is no tail.
func pastTail(y []float64, from int) int {
	for {
		rest := y[from:]
		l, n, m := line(rest), float64(len(rest)), mean(rest)
		best, at, sum := l.slope*l.slope*n*(n*n-1)/12, 0, 0.0 // sum of squares explained by the line
		for i, v := range rest[:len(rest)/2] {
			sum += v - m
			k := float64(i + 1)
			if gain := sum * sum * n / (k * (n - k)); i+1 >= shortest && gain > best {
				best, at = gain, i+1
			}
		}
		if !l.leans() || at == 0 || 4*(from+at) > 3*len(y) {
			return from
		}
		from += at
	}
}

func (l fit) leans() bool {
	return math.Abs(l.slope)*float64(l.n) > delta*l.mean && math.Abs(l.slope) > certain*l.se
}

// fit is a least-squares line through values at 0, 1, 2, …
type fit struct {
	n               int
	mean, slope, se float64
	rss             float64 // residual sum of squares
}

// line fits a straight line. The standard error of its slope is multiplied by sqrt((1+r)/(1-r)),
// where r is the lag-1 autocorrelation of the residuals if positive, because neighbouring batches
// are correlated (Bayley and Hammersley 1946).
func line(y []float64) fit {
	n, m := float64(len(y)), mean(y)
	var sxy float64
	for i, v := range y {
		sxy += (float64(i) - (n-1)/2) * (v - m)
	}
	sxx := n * (n*n - 1) / 12
	l := fit{n: len(y), mean: m, slope: sxy / sxx}
	var lag, before float64
	for i, v := range y {
		e := v - m - l.slope*(float64(i)-(n-1)/2)
		l.rss += e * e
		lag += e * before
		before = e
	}
	if l.rss == 0 {
		return l
	}
	r := min(max(lag/l.rss, 0), 0.99)
	l.se = math.Sqrt(l.rss / (n - 2) / sxx * (1 + r) / (1 - r))
	return l
}

// mean is computed by Welford's recurrence, which cannot overflow.
func mean(y []float64) float64 {
	var m float64
	for i, v := range y {
		m += (v - m) / float64(i+1)
	}
	return m
}
