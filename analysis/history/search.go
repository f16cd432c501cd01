package history

import (
	"hash/fnv"
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
	// draws are the permutations of each candidate. More are drawn where the adjustment
	// over many series could not be passed with so few, mostDraws at most: enough for
	// 100 series at the level of 1 %, and for 200 when at least two of them change at once.
	draws     = 999
	mostDraws = 19_999
	drawSeed  = 20140901
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
func (s *search) next() bool {
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
func divide(tracks []*track, series int) {
	var searches []*search
	for _, t := range tracks {
		parts := slices.DeleteFunc(t.levels(), func(l span) bool { return l.to-l.from < leastNights })
		searches = append(searches, &search{track: t, parts: parts, done: true})
	}
	for {
		var round []*search
		for _, s := range searches {
			if s.next() {
				s.test = candidate(s.track, s.tested)
				round = append(round, s)
			}
		}
		if len(round) == 0 {
			break
		}
		for i, p := range significance(round, series) {
			if p > changeAlpha {
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
func candidate(t *track, of span) *stats.SplitPermutation {
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
	key := fnv.New64a()
	key.Write([]byte(joined(t.Key)))
	rng := rand.New(rand.NewPCG(drawSeed^key.Sum64(), uint64(of.from)<<32|uint64(of.to)))
	test, _ := stats.PermuteSplit(xs, leastSide, block, rng) // whose conditions EDivisive has seen to
	return test
}

// significance are the adjusted p values of a round. A candidate that at most one
// permutation was as strong as gets more of them, if the adjustment alone keeps
// its p above changeAlpha: so few can't give a smaller one.
func significance(round []*search, series int) []float64 {
	ps := slices.Repeat([]float64{1}, max(series, len(round)))
	for i, r := range round {
		if r.test != nil {
			ps[i] = r.test.P(draws, changeAlpha)
		}
	}
	adjusted := stats.BenjaminiHochberg(ps)
	most := min(mostDraws, int(math.Ceil(2*float64(len(ps))/changeAlpha))-1)
	for i, r := range round {
		if r.test != nil && ps[i]*(draws+1) < 2.5 && adjusted[i] > changeAlpha {
			ps[i] = r.test.P(most, changeAlpha)
		}
	}
	return stats.BenjaminiHochberg(ps)[:len(round)]
}
