package analysis

import (
	"moobench/analysis/infer"
	"moobench/results"
)

const (
	unorderedPairs = "unordered: there are no pairs"
	noPairs        = "no block holds both it and its baseline"
)

// compare sets values against those of another cell, at the level of a family of
// so many comparisons. The spread of a sized scenario's primary metric is at
// least that of its pilot.
func (r *reader) compare(vs []value, cell string, m results.Metric, family int) infer.Answer {
	return r.ask(infer.Question{Alpha: alpha, Family: family}, vs, r.values(cell, m), r.sized(m))
}

// ask puts a question to the values of two cells: over the blocks that hold both,
// or in campaigns without blocks to two samples, by Welch's way.
func (r *reader) ask(q infer.Question, vs, others []value, sized bool) infer.Answer {
	none := func(why string) infer.Answer {
		return infer.Answer{Question: q, NoDifference: why, NoRatio: why, Verdict: infer.NoAnswer}
	}
	switch {
	case len(vs) == 0:
		return none(infer.NoValue)
	case len(others) == 0:
		return none("no invocation of the baseline observed it")
	}
	d := infer.Data{X: infer.Sample{Values: numbers(vs)}, Y: infer.Sample{Values: numbers(others)}}
	if onBlocks(q.Kind) && !r.unordered() {
		ps := pairs(vs, others)
		if len(ps) == 0 {
			return none(noPairs)
		}
		d.X.Values, d.Y.Values = columnsOfPairs(ps)
		d.Paired = true
		if sized {
			if first := r.secondStage(); first > 0 {
				d.Pilot = len(before(ps, first))
			}
		}
	}
	a := r.solver.Compare(q, d)
	if r.unordered() {
		a.Ratio, a.NoRatio, a.L = nil, unorderedPairs, infer.Scale{}
	}
	return a
}

// onBlocks says whether a kind of comparison looks at pairs.
func onBlocks(k results.Comparison) bool {
	switch k {
	case results.TestWelch, results.TestStudent, results.TestMannWhitney:
		return false
	}
	return true
}

// before are the pairs of the blocks with a lower number.
func before(ps []pair, block int) []pair {
	for i, p := range ps {
		if p.block >= block {
			return ps[:i]
		}
	}
	return ps
}
