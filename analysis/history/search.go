package history

import (
	"math"
	"math/rand/v2"
	"slices"

	"moobench/analysis/stats"
)

const (
	// correlated is the level at which neighbouring nights count as alike; blocks
	// of blockNights then change places in the permutations.
	correlated  = 0.01
	blockNights = 5
	// mostDraws bounds the permutations of one candidate: enough for 100 series at
	// the level of 1 %, and for 200 when at least two of them change at once.
	mostDraws = 19_999
)

// span is positions from (included) to (excluded).
type span struct{ from, to int }

// search looks for the change points of one track: in windows that move on by
// half their width, or to the last change point found, each split again as long
// as a split is significant.
type search struct {
	*track
	window int
	parts  []span // still to be searched: what lies between fixed bounds
	part   span
	stack  []span // of the current window
	start  int    // of the current window
	newest int    // change point found in it
	done   bool   // with the part
}

func newSearch(t *track, window int) *search {
	s := &search{track: t, window: window, done: true}
	ends := []int{0}
	for _, b := range t.bounds {
		ends = append(ends, b.at)
	}
	ends = append(ends, len(t.x))
	for i, from := range ends[:len(ends)-1] {
		if to := ends[i+1]; to-from >= leastNights {
			s.parts = append(s.parts, span{from, to})
		}
	}
	return s
}

// next is the next span to be tested; not ok when the search is over.
func (s *search) next() (span, bool) {
	for {
		for len(s.stack) > 0 {
			last := s.stack[len(s.stack)-1]
			s.stack = s.stack[:len(s.stack)-1]
			if last.to-last.from >= leastNights {
				return last, true
			}
		}
		if !s.move() {
			return span{}, false
		}
	}
}

// move goes to the next window, of this part or the next.
func (s *search) move() bool {
	if s.done {
		if len(s.parts) == 0 {
			return false
		}
		s.part, s.parts = s.parts[0], s.parts[1:]
		s.start, s.done = s.part.from, false
	} else {
		s.start = max(s.newest, s.start+s.window/2)
	}
	s.newest = 0
	end := min(s.start+s.window, s.part.to)
	s.done = end == s.part.to // what follows would be a part of this window
	s.stack = append(s.stack, span{s.start, end})
	return true
}

// split notes a change point and goes on in both sides.
func (s *search) split(of span, at int, p float64) {
	s.newest = max(s.newest, at)
	s.stack = append(s.stack, span{of.from, at}, span{at, of.to})
	s.bounds = append(s.bounds, bound{at: at, kind: found, p: p})
}

// candidate is a change point in a span that is being tested.
type candidate struct {
	*search
	span
	test *stats.SplitPermutation
}

// divide finds the change points of the tracks, round by round: in each round
// every track tests at most one candidate, and the p values are adjusted over all
// series (Benjamini and Hochberg), those without a candidate included.
func (c *checker) divide(tracks []*track, series int) {
	var searches []*search
	for _, t := range tracks {
		searches = append(searches, newSearch(t, c.Window))
	}
	for round := c.round(searches); len(round) > 0; round = c.round(searches) {
		for i, p := range c.significance(round, series) {
			if p <= c.Alpha {
				r := round[i]
				r.split(r.span, r.from+r.test.Point().Index, p)
			}
		}
	}
	for _, t := range tracks {
		t.order()
	}
}

// round takes the next candidate of each search that is not over.
func (c *checker) round(searches []*search) []candidate {
	var round []candidate
	for _, s := range searches {
		if of, ok := s.next(); ok {
			round = append(round, candidate{s, of, c.candidate(s.track, of)})
		}
	}
	return round
}

// candidate is the test of the likeliest change point of a span; nil when its
// values do not vary.
func (c *checker) candidate(t *track, of span) *stats.SplitPermutation {
	xs := t.x[of.from:of.to]
	point, err := stats.EDivisive(xs, leastSide)
	if err != nil || !(point.Q > 0) {
		return nil
	}
	block := 1
	if neighboursAlike(xs, point) {
		block = blockNights
	}
	rng := rand.New(rand.NewPCG(c.Seed^t.seed(), uint64(of.from)<<32|uint64(of.to)))
	test, err := stats.PermuteSplit(xs, leastSide, block, rng)
	if err != nil {
		return nil
	}
	return test
}

// neighboursAlike says whether the nights are correlated. The change that is
// tested is taken out first: it alone would make neighbours alike.
func neighboursAlike(xs []float64, point stats.ChangePoint) bool {
	rest := slices.Clone(xs)
	for _, side := range [][]float64{rest[:point.Index], rest[point.Index:point.End], rest[point.End:]} {
		level := mean(side)
		for i := range side {
			side[i] -= level
		}
	}
	_, p, err := stats.Lag1(rest)
	return err == nil && p < correlated
}

// mean of values; of none NaN.
func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

// significance are the adjusted p values of a round. A candidate that at most one
// permutation was as strong as gets more of them, if the adjustment alone keeps
// its p above Alpha: so few can't give a smaller one.
func (c *checker) significance(round []candidate, series int) []float64 {
	ps := slices.Repeat([]float64{1}, max(series, len(round)))
	for i, r := range round {
		if r.test != nil {
			ps[i] = r.test.P(c.Permutations, c.Alpha)
		}
	}
	adjusted := stats.BenjaminiHochberg(ps)
	most := min(mostDraws, int(math.Ceil(2*float64(len(ps))/c.Alpha))-1)
	for i, r := range round {
		if r.test != nil && ps[i]*float64(c.Permutations+1) < 2.5 && adjusted[i] > c.Alpha {
			ps[i] = r.test.P(most, c.Alpha)
		}
	}
	return stats.BenjaminiHochberg(ps)[:len(round)]
}
