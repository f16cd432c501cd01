package infer

import "moobench/analysis/stats"

// enoughToSee is how many invocations a claim that nothing is wrong needs to stand
// without a word on what they may have missed: of twenty, that is a mode of one JVM
// in seven.
const enoughToSee = 20

// unseenAlpha is the chance with which a mode of the named share is missed.
const unseenAlpha = 0.05

// Unseen is the caveat of a claim of no or of little cost that rests on n
// invocations: what they did not fall into is in no interval. None of twenty or
// more.
func Unseen(n int) []Caveat {
	if n >= enoughToSee {
		return nil
	}
	share, err := stats.Unseen(n, unseenAlpha)
	if err != nil {
		return nil
	}
	return []Caveat{{Kind: CaveatUnseen, N: n, Value: share}}
}
