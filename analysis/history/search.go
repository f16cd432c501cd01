package history

import (
	"hash/fnv"
	"iter"
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
	next   func() (span, bool) // goes on to the next span to be tested
	tested span
	test   *stats.SplitPermutation // of the candidate in tested; nil when its values do not vary
	split  int                     // where the candidate is a change point; else 0
}

// spans are those to be tested; how one was split is told before the next one.
func (s *search) spans(yield func(span) bool) {
	for _, part := range s.levels() { // what lies between fixed bounds
		start, end := part.from, part.from
		for part.to-part.from >= leastNights && end < part.to { // what follows would be a part of this window
			end = min(start+window, part.to)
			newest := 0
			for stack := []span{{start, end}}; len(stack) > 0; {
				last := len(stack) - 1
				s.tested, s.split, stack = stack[last], 0, stack[:last]
				if s.tested.to-s.tested.from >= leastNights && !yield(s.tested) {
					return
				}
				if s.split > 0 {
					newest = max(newest, s.split)
					stack = append(stack, span{s.tested.from, s.split}, span{s.split, s.tested.to})
				}
			}
			start = max(newest, start+window/2)
		}
	}
}

// divide finds the change points of the tracks that are worth a word, round by round: in each round
// every track tests at most one candidate, and the p values are adjusted over all
// series (Benjamini and Hochberg), those without a candidate included.
func (c *checker) divide(tracks []*track, series int) {
	var searches []*search
	for _, t := range tracks {
		s := &search{track: t}
		next, stop := iter.Pull(s.spans)
		defer stop()
		s.next = next
		searches = append(searches, s)
	}
	for {
		var round []*search
		for _, s := range searches {
			if tested, ok := s.next(); ok {
				s.test = candidate(s.track, tested)
				round = append(round, s)
			}
		}
		if len(round) == 0 {
			break
		}
		for i, p := range significance(round, series) {
			if s := round[i]; p <= changeAlpha {
				s.split = s.tested.from + s.test.Point().Index
				s.bounds = append(s.bounds, bound{at: s.split, kind: found, p: p})
			}
		}
	}
	for _, t := range tracks {
		t.order()
		// Change points that are smaller than what is worth a word go, the smallest first: each
		// removal changes the levels beside it.
		for {
			weakest, at := 1.0, -1
			levels := t.levels()
			for i, b := range t.bounds {
				if b.kind != found {
					continue
				}
				before, after := levels[i], levels[i+1]
				size := math.Abs(t.level(after) - t.level(before))
				if share := size / c.leastOf(t, before.from, after.to); share < weakest {
					weakest, at = share, i
				}
			}
			if at < 0 {
				break
			}
			t.bounds = slices.Delete(t.bounds, at, at+1)
		}
	}
}

// candidate is the test of the likeliest change point of a span; nil when its
// values do not vary.
func candidate(t *track, tested span) *stats.SplitPermutation {
	xs := t.x[tested.from:tested.to]
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
	rng := rand.New(rand.NewPCG(drawSeed^key.Sum64(), uint64(tested.from)<<32|uint64(tested.to)))
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
