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
	// correlated is the level at which neighbouring nights count as autocorrelated; permutations
	// then exchange blocks of blockNights.
	correlated  = 0.01
	blockNights = 5
	// draws is the number of permutations per candidate. More are drawn if so few could not pass
	// the adjustment over many series, at most mostDraws: enough for 100 series at 1 %, and for 200
	// if at least two of them change at once.
	draws     = 999
	mostDraws = 19_999
	drawSeed  = 20140901
)

// search searches one track for change points: in windows that move on by half their width, or to
// the last change point found, each split again as long as a split is significant.
type search struct {
	*track
	next   func() (span, bool) // returns the next span to test
	tested span
	test   *stats.SplitPermutation // of the candidate in tested; nil if its values do not vary
	split  int                     // position of a significant change point; else 0
}

// spans yields the spans to test; split must be set before the next one.
func (s *search) spans(yield func(span) bool) {
	for _, part := range s.levels() { // between fixed bounds
		start, end := part.from, part.from
		for part.to-part.from >= leastNights && end < part.to { // any further window would be part of this one
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

// divide finds the change points of the tracks that are large enough to report, round by round: in
// each round every track tests at most one candidate, and the p values are adjusted over all series
// (Benjamini and Hochberg), including series without a candidate.
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
		// Remove change points below the least reported change, the smallest first: each removal
		// changes the neighbouring levels.
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

// candidate returns the test of the likeliest change point of a span; nil if its values do not
// vary.
func candidate(t *track, tested span) *stats.SplitPermutation {
	xs := t.x[tested.from:tested.to]
	point, err := stats.EDivisive(xs, leastSide)
	if err != nil || !(point.Q > 0) {
		return nil
	}
	// Test the autocorrelation without the tested change, which by itself would make neighbours
	// alike.
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
	test, _ := stats.PermuteSplit(xs, leastSide, block, rng) // no error: EDivisive checked the same conditions
	return test
}

// significance returns the adjusted p values of a round. A candidate that at most one permutation
// matched gets more permutations, if only the adjustment keeps its p above changeAlpha: with so
// few, p can't be smaller.
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
