package summary

import (
	"cmp"
	"math"
	"slices"
)

// Moments are the exact first moments of a set of samples.
type Moments struct {
	N   int64
	Sum float64
	ss  float64 // sum of squared deviations from the mean
	Min int64   // undefined when N is 0, as is Max
	Max int64
}

// Mean is the arithmetic mean, NaN without samples.
func (m Moments) Mean() float64 {
	if m.N == 0 {
		return math.NaN()
	}
	return m.Sum / float64(m.N)
}

// Variance is the sample variance (divisor n-1), NaN with fewer than two samples.
func (m Moments) Variance() float64 {
	if m.N < 2 {
		return math.NaN()
	}
	return m.ss / float64(m.N-1)
}

// possible reports whether any samples could have these moments: moments read from a file must not lead to a
// mean outside the extremes, or to an infinity.
func (m Moments) possible() bool {
	low, high := float64(m.Min), float64(m.Max)
	slack := 1e-9 * max(math.Abs(low), math.Abs(high))
	mean := m.Mean()
	most := float64(m.N) * (high - low + slack) * (high - low + slack)
	return m.N > 0 && m.Min <= m.Max && mean >= low-slack && mean <= high+slack && m.ss >= 0 && m.ss <= most
}

// Merge returns the moments of both sets of samples together. Squared deviations are combined by the pairwise
// formula of Chan, Golub and LeVeque (1979): SS = SSa + SSb + d² na nb / (na + nb), where d is the difference
// of the means.
func (m Moments) Merge(o Moments) Moments {
	switch {
	case m.N == 0:
		return o
	case o.N == 0:
		return m
	}
	d := o.Mean() - m.Mean()
	na, nb := float64(m.N), float64(o.N)
	ss := m.ss + o.ss + d*d*(na/(na+nb)*nb)
	return Moments{N: m.N + o.N, Sum: m.Sum + o.Sum, ss: ss, Min: min(m.Min, o.Min), Max: max(m.Max, o.Max)}
}

// Batch returns the moments of batch i.
func (c *Column) Batch(i int) Moments {
	return Moments{N: Start(c.Count, i+1) - Start(c.Count, i), Sum: c.Sum[i], ss: c.SS[i], Min: c.Min[i], Max: c.Max[i]}
}

// Moments returns the moments of the samples in a window.
func (c *Column) Moments(w Window) Moments {
	var m Moments
	w = c.clip(w)
	for i := w.From; i < w.To; i++ {
		m = m.Merge(c.Batch(i))
	}
	return m
}

// Window is a range of batches, [From, To). It begins and ends at boundaries of histograms, or at the last
// batch.
type Window struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Whole is the window of all batches.
func (c *Column) Whole() Window { return Window{0, c.Batches()} }

// Half is the window of the second half: batches 500 to 999 of 1,000.
func (c *Column) Half() Window { return c.Since(c.Batches() / 2) }

// Since is the window from the first histogram that begins at or after batch to the last batch, so that it has
// no earlier sample. It is empty if no histogram begins so late.
func (c *Column) Since(batch int) Window {
	return c.clip(Window{batch, c.Batches()})
}

// Without splits a window of whole histograms into parts, leaving out each histogram with a batch that is set
// in out; batches beyond the end of out stay.
func (w Window) Without(out []bool) []Window {
	var parts []Window
	for from := w.From; from < w.To; from += perHistogram {
		part := Window{from, min(from+perHistogram, w.To)}
		last := len(parts) - 1
		switch {
		case part.From < len(out) && slices.Contains(out[part.From:min(part.To, len(out))], true):
		case last >= 0 && parts[last].To == part.From:
			parts[last].To = part.To
		default:
			parts = append(parts, part)
		}
	}
	return parts
}

// clip shrinks a window to whole histograms and to the existing batches.
func (c *Column) clip(w Window) Window {
	n := c.Batches()
	from := min((max(w.From, 0)+perHistogram-1)/perHistogram*perHistogram, n)
	to := min(w.To, n)
	if to < n {
		to = to / perHistogram * perHistogram
	}
	return Window{from, max(from, to)}
}

// Median returns the median of values in any order: the mean of the two middle ones if their number is even; 0
// without values.
func Median(values []int64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	low, high := sorted[(len(sorted)-1)/2], sorted[len(sorted)/2]
	return (float64(low) + float64(high)) / 2
}

// NearestRank returns the smallest of the sorted values such that at least a share q of them are not larger;
// the zero value without values.
func NearestRank[T cmp.Ordered](sorted []T, q float64) T {
	if len(sorted) == 0 {
		return *new(T)
	}
	rank := math.Ceil(q * float64(len(sorted)) * (1 - 1e-12)) // 0.28 of 25 is 7, not 7.000000000000001
	return sorted[min(max(int(rank), 1), len(sorted))-1]
}
