package prose

import (
	"fmt"
	"math"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
)

// Standard is a difference at the standard speed of the CPU.
type Standard struct {
	Difference *infer.Estimate
	Ratio      *infer.Estimate // nil without one
	Slower     float64         // how much slower the CPU was here, as a share; below 0 it was faster
}

// answers reports whether the difference at standard speed can stand for the one as it ran: it has an interval,
// which lies on the same side of 0.
func (s *Standard) answers(ran float64) bool {
	if s == nil || s.Difference == nil || s.Difference.Interval == nil {
		return false
	}
	side := s.Difference.Interval.Side(0)
	return ran > 0 && side > 0 || ran < 0 && side < 0
}

// sentence gives the difference at standard speed first, and then the one measured here.
func (s *Standard) sentence(unit, adds, than, interval, here string) string {
	d := s.Difference
	low, high := math.Abs(d.Interval.Low), math.Abs(d.Interval.High)
	size := figure.Fit(unit, d.Value, low, high)
	text := fmt.Sprintf("%s %s %s at standard speed (%s %s)", adds, size.WithUnit(size.Number(math.Abs(d.Value))), than, interval,
		figure.Range(min(low, high), max(low, high), unit))
	if s.Ratio != nil {
		text += ", " + timesAsMuch(s.Ratio.Value)
	}
	return text + fmt.Sprintf("; here the CPU was %s: %s", Slower(s.Slower), here)
}

// Slower says how much slower or faster a CPU was than another speed: share is how much longer the reference
// took.
func Slower(share float64) string {
	if share < 0 {
		return figure.Percent(-share/(1+share)) + " faster"
	}
	return figure.Percent(share) + " slower"
}

// StandardSpeed explains that costs are at standard speed; ns is the reference's time there.
func StandardSpeed(ns, slower float64) string {
	return fmt.Sprintf("at standard speed the reference takes %s; here the CPU was %s, and what does not say at standard speed is as it ran",
		figure.Quantity(ns, "ns"), Slower(slower))
}

// NearStandard says that costs are the same at standard speed.
func NearStandard(ns, slower float64) string {
	return fmt.Sprintf("at standard speed costs are the same within 1 %% (the reference takes %s there; here the CPU was %s)", figure.Quantity(ns, "ns"), Slower(slower))
}

// TooFar says why there are no figures at standard speed: the CPU was too much slower or faster.
func TooFar(slower float64) string {
	return fmt.Sprintf("as it ran only: the CPU was %s than at standard speed, and no program was measured so far from it", Slower(slower))
}

// OwnSpeed says why cells with a speed of their own have no figures at standard speed.
const OwnSpeed = "as it ran only: the cells have speeds of their own, by their frequency, CPUs, threads or JVM, which are not taken from them"

// TwoKinds says why there are no figures at standard speed on CPUs of two kinds.
const TwoKinds = "as it ran only: the measured CPUs are of two kinds, which have no one speed (pin those of one kind)"

// Way names the cells whose interval at standard speed comes mostly from carrying values to it.
func Way(names []string) string {
	return fmt.Sprintf("most of the interval of %s is the way from this campaign's speed to the standard; no number of blocks helps",
		strings.Join(names, ", "))
}
