package compare

import (
	"cmp"
	"math"

	"moobench/analysis/infer"
)

// scales are a cell's figures in one campaign, on each scale on which they can
// be compared; nil where they can't.
type scales struct {
	// overhead is the logarithm of the ratio to the cell's own reference, added
	// the difference from it in the metric's unit.
	overhead, added *infer.Scale
	// logMean and mean are the cell's own.
	logMean, mean *infer.Scale
	alone         bool   // the cell has no reference
	why           string // there is no figure
}

// scalesOf reads a side's figures of a metric.
func scalesOf(s side, metric string) scales {
	a := s.answer(metric)
	if a == nil {
		return scales{why: "it does not measure this"}
	}
	sc := scales{mean: linear(a.Mean), logMean: logarithm(a.Mean), overhead: exponential(a.Ratio), added: linear(a.Difference), alone: s.cell.Baseline == ""}
	switch {
	case s.cell.Void != "":
		return scales{why: s.cell.Void}
	case a.Rate != nil:
		sc.why = "rates of events are not compared across campaigns: each campaign's own report compares them with the baseline's"
	case a.Mean == nil:
		sc.why = cmp.Or(a.Absent, "it has no figure")
	case !sc.alone && sc.overhead == nil && sc.added == nil:
		sc.why = cmp.Or(a.NoDifference, a.NoRatio, "it has no figure against its reference")
	}
	if s.unordered && sc.added != nil {
		sc.overhead = unpaired(s, metric)
	}
	return sc
}

// unpaired is the logarithm of the ratio to the reference where there are no
// pairs: the difference of the logarithms of two means.
func unpaired(s side, metric string) *infer.Scale {
	base := s.baseline()
	if base == nil {
		return nil
	}
	x, y := s.answer(metric), side{scenario: s.scenario, cell: base}.answer(metric)
	if x == nil || y == nil {
		return nil
	}
	a, b := logarithm(x.Mean), logarithm(y.Mean)
	if a == nil || b == nil {
		return nil
	}
	d := a.Minus(*b)
	return &d
}

// linear is an estimate as it stands.
func linear(e *infer.Estimate) *infer.Scale { return scaleOf(e, false) }

// exponential is the logarithm of an estimate that was one.
func exponential(e *infer.Estimate) *infer.Scale { return scaleOf(e, true) }

func scaleOf(e *infer.Estimate, ratio bool) *infer.Scale {
	s, ok := e.ScaleFrom(ratio)
	if !ok {
		return nil
	}
	return &s
}

// logarithm is that of a mean, its standard error by the delta method: se/mean.
func logarithm(e *infer.Estimate) *infer.Scale {
	s := linear(e)
	if s == nil || !(s.Value > 0) {
		return nil
	}
	s.SE, s.SD = s.SE/s.Value, s.SD/s.Value
	s.Value, s.Size = math.Log(s.Value), 1
	return s
}
