package reading

import (
	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/stats"
)

// beside bounds the influence of the first of two cells on the reference, and so on its own values, as a share:
// its elasticity times the further end of ReferenceRatio. It is 0 if values were not carried, or both cells run
// one program.
func beside(pairs evidence.Pairs) float64 {
	s, ok := ReferenceRatio(pairs)
	if !ok {
		return 0
	}
	return pairs.First[0].Carried.Law.Value * s.Known().FurtherEnd()
}

// ReferenceRatio estimates the mean of log(w_first/w_second) over pairs of two cells, where w is the
// reference's time beside each. Earlier knowledge is pooled with it unless the blocks contradict it. ok is
// false if values were not carried, both cells run one program, or there are too few pairs.
func ReferenceRatio(pairs evidence.Pairs) (s infer.Scale, ok bool) {
	var ratios []float64
	var law, other *evidence.Law
	for i, v := range pairs.First {
		w := pairs.Second[i].Carried
		if v.Carried.Law == nil || w.Law == nil || v.Carried.Law == w.Law {
			return s, false
		}
		ratios = append(ratios, v.Carried.Speed-w.Speed)
		law, other = v.Carried.Law, w.Law
	}
	s, why := infer.ScaleOf(ratios)
	if why != "" || !s.Spread() {
		return s, false
	}
	if before := influence(law, other); before != nil {
		if both, agree := s.Known().Pooled(*before); agree {
			s.Value, s.SE, s.DF = both.Value, both.SE, both.DF
		}
	}
	return s, true
}

// influence compares earlier knowledge of the reference beside two programs with one baseline, which may be one
// of the two; nil if either is unknown.
func influence(one, other *evidence.Law) *stats.Known {
	a, b := one.Influence, other.Influence
	if a == nil || b == nil || one.Against != other.Against {
		return nil
	}
	v := stats.SumOfVariances(stats.Variance{Value: a.SE * a.SE, DF: a.DF},
		stats.Variance{Value: b.SE * b.SE, DF: b.DF})
	return &stats.Known{Value: a.Value - b.Value, SE: v.SE(), DF: v.DF}
}
