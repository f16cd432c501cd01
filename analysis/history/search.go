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

// search looks for the change points of one track: in windows that move on by
// half their width, or to the last change point found, each split again as long
// as a split is significant.
type search struct {
	*track
	parts  []span // still to be searched: what lies between fixed bounds
	part   span
	stack  []span // of the current window
	start  int    // of the current window
	newest int    // change point found in it
	done   bool   // with the part
	// tested is the span of the current candidate, test its test; nil when its values
	// do not vary.
	tested span
	test   *stats.SplitPermutation
}

// next goes to the next span to be tested, in this window, the next one or the next
// part; false when the search is over.
func (s *search) next(window int) bool {
	for {
		for len(s.stack) > 0 {
			last := len(s.stack) - 1
			s.tested, s.stack = s.stack[last], s.stack[:last]
			if s.tested.to-s.tested.from >= leastNights {
				return true
			}
		}
		if !s.done {
			s.start = max(s.newest, s.start+window/2)
		} else if len(s.parts) > 0 {
			s.part, s.parts = s.parts[0], s.parts[1:]
			s.start = s.part.from
		} else {
			return false
		}
		s.newest = 0
		end := min(s.start+window, s.part.to)
		s.done = end == s.part.to // what follows would be a part of this window
		s.stack = append(s.stack, span{s.start, end})
	}
}

// divide finds the change points of the tracks, round by round: in each round
// every track tests at most one candidate, and the p values are adjusted over all
// series (Benjamini and Hochberg), those without a candidate included.
func (c *checker) divide(tracks []*track, series int) {
	var searches []*search
	for _, t := range tracks {
		s := &search{track: t, done: true}
		for _, l := range t.levels() {
			if l.to-l.from >= leastNights {
				s.parts = append(s.parts, l)
			}
		}
		searches = append(searches, s)
	}
	for {
		var round []*search
		for _, s := range searches {
			if s.next(c.Window) {
				s.test = c.candidate(s.track, s.tested)
				round = append(round, s)
			}
		}
		if len(round) == 0 {
			break
		}
		for i, p := range c.significance(round, series) {
			if p > c.Alpha {
				continue
			}
			s := round[i]
			at := s.tested.from + s.test.Point().Index
			s.newest = max(s.newest, at)
			s.stack = append(s.stack, span{s.tested.from, at}, span{at, s.tested.to})
			s.bounds = append(s.bounds, bound{at: at, kind: found, p: p})
		}
	}
	for _, t := range tracks {
		t.order()
	}
}

// candidate is the test of the likeliest change point of a span; nil when its
// values do not vary.
func (c *checker) candidate(t *track, of span) *stats.SplitPermutation {
	xs := t.x[of.from:of.to]
	point, err := stats.EDivisive(xs, leastSide)
	if err != nil || !(point.Q > 0) {
		return nil
	}
	// Whether nights are correlated is asked without the change that is tested: it
	// alone would make neighbours alike.
	rest := slices.Clone(xs)
	for _, side := range [][]float64{rest[:point.Index], rest[point.Index:point.End], rest[point.End:]} {
		level := mean(side)
		for i := range side {
			side[i] -= level
		}
	}
	block := 1
	if _, p, err := stats.Lag1(rest); err == nil && p < correlated {
		block = blockNights
	}
	rng := rand.New(rand.NewPCG(c.Seed^seed(t.Key), uint64(of.from)<<32|uint64(of.to)))
	test, err := stats.PermuteSplit(xs, leastSide, block, rng)
	if err != nil {
		return nil
	}
	return test
}

// significance are the adjusted p values of a round. A candidate that at most one
// permutation was as strong as gets more of them, if the adjustment alone keeps
// its p above Alpha: so few can't give a smaller one.
func (c *checker) significance(round []*search, series int) []float64 {
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
