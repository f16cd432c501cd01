package infer

import (
	"math"

	"moobench/analysis/stats"
	"moobench/results"
)

// Equivalence is two one-sided tests (Schuirmann 1987).
type Equivalence struct {
	// Margin is a share of the baseline's mean when Relative (0.01 is 1 %, and the
	// ratio must lie between 1/1.01 and 1.01), else in the metric's unit.
	Margin   float64  `json:"margin"`
	Relative bool     `json:"relative,omitempty"` // whether the margin is a share
	Interval Interval `json:"interval"`           // at 1 - 2 alpha: of the ratio when Relative, else of the difference
	P        float64  `json:"p"`                  // the larger p of both tests
	Within   bool     `json:"equivalent"`         // whether the interval lies within the margin
	// PLow is of "not above the lower margin", PHigh of "not below the upper one".
	PLow  float64 `json:"-"`
	PHigh float64 `json:"-"`
}

// Beyond says whether the whole interval lies outside the margin.
func (e *Equivalence) Beyond() bool {
	if e.Relative {
		return e.Interval.Low > 1+e.Margin || e.Interval.High < 1/(1+e.Margin)
	}
	return e.Interval.Low > e.Margin || e.Interval.High < -e.Margin
}

// Relative says whether a margin is a share, for a baseline's mean; false with ok
// false where there is no margin.
func relative(m *results.Margin, baseline float64) (share, ok bool) {
	switch {
	case m == nil:
		return false, false
	case m.Share > 0 && (m.Amount <= 0 || baseline >= m.ShareFrom):
		return true, true
	}
	return false, m.Amount > 0
}

// Equivalent tests whether the value lies within ± limit, each side at alpha; nil
// without spread. On a scale of logarithms limit is that of the share.
func (s Scale) Equivalent(margin float64, share bool, alpha float64) *Equivalence {
	limit, on := margin, func(v float64) float64 { return v }
	if share {
		limit, on = math.Log1p(margin), math.Exp
	}
	if !s.Spread() || !(limit > 0) || !stats.Finite(limit) || !(alpha > 0 && alpha < 0.5) {
		return nil
	}
	e := Equivalence{Margin: margin, Relative: share}
	if s.Still() {
		// So many alike values: the order-statistic interval has no width.
		e.P = AlikeP(s.N) / 2 // of one side
		e.Within = e.P <= alpha && math.Abs(s.Value) < limit
		if math.Abs(s.Value) >= limit {
			e.P = 1
		}
		e.PLow, e.PHigh = e.P, e.P
		e.Interval = Interval{on(s.Value), on(s.Value), 1 - 2*alpha}
	} else {
		q, err := stats.EquivalenceT(s.Value, s.SE, s.DF, -limit, limit, alpha)
		if err != nil {
			return nil
		}
		e.P, e.PLow, e.PHigh, e.Within = q.P, q.PLow, q.PHigh, q.Equivalent
		e.Interval = Interval{on(q.Interval.Low), on(q.Interval.High), q.Interval.Level}
	}
	if !stats.Finite(e.P, e.Interval.Low, e.Interval.High) {
		return nil
	}
	return &e
}
