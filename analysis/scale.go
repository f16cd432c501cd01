package analysis

import (
	"math"

	"moobench/analysis/stats"
)

// scale is an estimate on a scale on which it is compared with 0: its value,
// standard error and degrees of freedom. From these follow the interval, the
// test, what can be detected, and equivalence, so that they can't contradict
// each other.
type scale struct {
	n             int // pairs, or invocations of the smaller sample
	value, se, df float64
	sd            float64 // of what was averaged
}

const onePair = "one pair: how much others would differ is not known"

// power is the chance with which a detectable effect is found.
const power = 0.8

// scaleOf averages independent values.
func scaleOf(xs []float64) (scale, error) {
	s, err := stats.SampleOf(xs)
	if err != nil {
		return scale{}, err
	}
	n := float64(s.N)
	return scale{s.N, s.Mean, s.SD / math.Sqrt(n), n - 1, s.SD}, nil
}

// withSpread takes the standard deviation and its degrees of freedom from the
// pilot (Stein 1945).
func (s scale) withSpread(pilot scale) scale {
	s.se, s.df = pilot.sd/math.Sqrt(float64(s.n)), pilot.df
	return s
}

// estimate is the estimate with its interval at the given level.
func (s scale) estimate(level float64) (*Estimate, string) {
	if s.n == 1 {
		return &Estimate{N: 1, Value: s.value, NoInterval: onePair}, ""
	}
	return estimated(s.raw(level), nil)
}

func (s scale) raw(level float64) stats.Estimate {
	e := stats.Studentised(s.value, s.se, s.df, stats.TwoSided, level)
	e.N, e.SD = s.n, s.sd
	return e
}

// ratio is the estimate of the ratio, of a scale that is one of logarithms.
func (s scale) ratio(level float64) (*Estimate, string) {
	if s.n == 1 {
		if !finite(math.Exp(s.value)) {
			return nil, reason(stats.ErrNotFinite)
		}
		return &Estimate{N: 1, Value: math.Exp(s.value), NoInterval: onePair}, ""
	}
	e := s.raw(level)
	e.Value, e.Interval.Low, e.Interval.High = math.Exp(e.Value), math.Exp(e.Interval.Low), math.Exp(e.Interval.High)
	return estimated(e, nil)
}

// detector knows what was asked of it: the same designs come up in every cell
// and metric, and the noncentral t distribution is dear. Its values are in
// standard errors, by degrees of freedom and level.
type detector map[[2]float64]float64

// smallest is the smallest true value that is found four times in five by a
// test at 1 - level; nil when it can't be told.
func (d detector) smallest(s scale, level float64) *float64 {
	return d.found(s, level, func() (float64, error) { return stats.Detectable(1, s.df, 1-level, power) })
}

// above is the smallest true value that a one-sided lower bound at 1 - alpha
// shows to be above 0 four times in five; nil when it can't be told. It is known
// by -alpha, which is no level of another test.
func (d detector) above(s scale, alpha float64) *float64 {
	return d.found(s, -alpha, func() (float64, error) { return stats.DetectableAbove(1, s.df, alpha, power) })
}

// found is a detectable value in the unit of s. What solve says of a standard
// error of 1 is known by name, and solved for once.
func (d detector) found(s scale, name float64, solve func() (float64, error)) *float64 {
	if s.n < 2 || s.se == 0 {
		return nil
	}
	key := [2]float64{s.df, name}
	unit, known := d[key]
	if !known {
		var err error
		if unit, err = solve(); err != nil {
			return nil
		}
		if d != nil {
			d[key] = unit
		}
	}
	if x := unit * s.se; finite(x) {
		return &x
	}
	return nil
}

func finiteAll(xs ...float64) error {
	for _, x := range xs {
		if !finite(x) {
			return stats.ErrNotFinite
		}
	}
	return nil
}
