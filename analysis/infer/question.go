package infer

import (
	"cmp"
	"slices"

	"moobench/analysis/stats"
	"moobench/results"
)

// Kinds of comparison that campaigns don't use, besides those of results.
const (
	Fieller  results.Comparison = "fieller"   // ratio of arithmetic means
	LogRatio results.Comparison = "log-ratio" // ratio of geometric means
)

// Question is a question about two samples.
type Question struct {
	Kind        results.Comparison // "" means paired
	Alternative stats.Alternative  // "" means two-sided
	// Alpha is the probability of a wrong answer, shared by Family questions.
	Alpha  float64
	Family int
	// Margin is the difference that does not matter, or nil. A share is of the second sample's
	// mean.
	Margin *results.Margin
}

// alpha returns the alpha of one question of the family.
func (q Question) alpha() float64 { return Share(q.Alpha, q.Family) }

// OneSided reports whether the question has a direction.
func (q Question) OneSided() bool {
	return q.Alternative == stats.Less || q.Alternative == stats.Greater
}

func (q Question) alternative() stats.Alternative { return cmp.Or(q.Alternative, stats.TwoSided) }

// ByRanks reports whether the test uses ranks or signs, so makes no distributional assumptions.
func (q Question) ByRanks() bool {
	k, _ := KindOf(q.Kind)
	return k.Ranks()
}

// Unpaired reports whether the test compares two independent samples, regardless of blocks.
func (q Question) Unpaired() bool {
	k, known := KindOf(q.Kind)
	return known && k.Pairing == Unpaired
}

// Level returns the level of the two-sided interval that the verdict is read from. For a one-sided
// question it is 1 - 2 alpha: each end is a one-sided bound at 1 - alpha.
func (q Question) Level() float64 {
	if q.OneSided() {
		return Level(2*q.Alpha, q.Family)
	}
	return Level(q.Alpha, q.Family)
}

// Claimed returns the simultaneous level of the intervals of the family.
func (q Question) Claimed() float64 {
	q.Family = 1
	return q.Level()
}

// Sample holds the values of one side, or a paper's summary of them.
type Sample struct {
	Values  []float64
	Summary *stats.Sample
	// Sensitivities hold, per value, its dependence on elasticities; nil if none depends on any.
	Sensitivities [][]Sensitivity
	// Strata are the numbers of the hosts that measured the values, which are in order of time on
	// each host; nil: one host. With pairs, both samples have the same strata.
	Strata []int
	// Complete says that there are no other strata, as for the lanes of one machine: nothing is
	// inferred about a population of strata.
	Complete bool
}

// Sensitivity is the dependence of a value on an elasticity.
type Sensitivity = stats.Sensitivity

// summary returns the summary of the values, or the given one.
func (s Sample) summary() (stats.Sample, error) {
	if s.Summary != nil {
		return *s.Summary, nil
	}
	return stats.SampleOf(s.Values)
}

// Data are two samples.
type Data struct {
	X, Y Sample
	// Paired says that X[i] and Y[i] are of one block. Effects common to both, such as drift
	// between blocks, cancel.
	Paired bool
	// Ordered says that the values are in order of time, so that neighbours may be correlated.
	Ordered bool
	// Alone says that there is no Y: X holds differences, which are compared with 0.
	Alone bool
	// Pilot is the number of first pairs that determined the number of pairs; 0 if that was fixed.
	Pilot int
	// Beside bounds the log ratio of the reference's time beside X to that beside Y due to X
	// itself, times the elasticity of X: X may be off by that share. 0 if nothing was carried, or X
	// and Y are one program.
	Beside float64
}

// Answer is the answer to a question.
type Answer struct {
	Question
	// Difference is X - Y, Ratio X/Y; if nil, the reason is in NoDifference or NoRatio.
	Difference, Ratio     *Estimate
	NoDifference, NoRatio string
	// D and L are the scales of Difference and of the log ratio, for further computations.
	D, L        Scale
	Equivalence *Equivalence
	Verdict     Verdict
	// Hosts combines the estimates of several hosts; nil for one.
	Hosts *Hosts
	// Exact says that a rank test used the exact null distribution, not its normal approximation.
	// Fieller is the set of a ratio of arithmetic means.
	Exact   bool
	Doubt   *Doubt
	Fieller *stats.Ratio
	Caveats []Caveat
}

// Doubt is the verdict's allowance beyond the interval: the variant may have influenced the
// reference by which values were carried.
type Doubt struct {
	// Share is the possible error of the first sample as a share, and Amount the same in its unit.
	Share  float64 `json:"share"`
	Amount float64 `json:"amount"`
	// Decided says that the allowance changes the verdict.
	Decided bool `json:"decided,omitempty"`
	// Interval is the interval that the verdict was read from: that of the difference, widened by
	// Amount on both sides, or if narrower, that of the uncarried values.
	Interval *Interval `json:"interval,omitempty"`
	// Measured says that it is the interval of the uncarried values.
	Measured bool `json:"as_measured,omitempty"`

	sure Verdict // without the allowance
}

// ByMeasured takes the verdict from the uncarried values if their interval is narrower than the
// widened one: the variant's influence is in neither. It can restore a verdict that the allowance
// withdrew, but not make another.
func (a *Answer) ByMeasured(measured Answer) {
	i, room := measured.Difference, a.Doubt.Interval
	if i == nil || i.Interval == nil || room == nil || i.Interval.Half() >= room.Half() {
		return
	}
	a.Doubt.Interval, a.Doubt.Measured = i.Interval, true
	if measured.Verdict == a.Doubt.sure {
		a.Verdict, a.Equivalence = measured.Verdict, measured.Equivalence
	}
}

// Main returns the estimate that the verdict is read from, and its neutral value.
func (a *Answer) Main() (e *Estimate, neutral float64) {
	if t, _ := KindOf(a.Kind); t.Ratio {
		return a.Ratio, 1
	}
	return a.Difference, 0
}

// Has reports whether the answer has a caveat of a kind.
func (a *Answer) Has(k CaveatKind) bool { return has(a.Caveats, k) }

func has(caveats []Caveat, k CaveatKind) bool {
	return slices.ContainsFunc(caveats, func(c Caveat) bool { return c.Kind == k })
}

// CaveatKind is the kind of limitation of an answer.
type CaveatKind string

const (
	CaveatFew          CaveatKind = "few"                // N invocations, fewer than six
	CaveatStill        CaveatKind = "no variation"       // the values do not vary
	CaveatTiesInterval CaveatKind = "ties interval"      // p is below alpha, but the interval covers the neutral value
	CaveatTiesP        CaveatKind = "ties p"             // the interval excludes it, but p is at least alpha
	CaveatHopeless     CaveatKind = "alpha unattainable" // no outcome has p below alpha: the smallest p is Value
	CaveatTied         CaveatKind = "tied"               // N of Of values are tied
	CaveatZeros        CaveatKind = "zeros"              // N of Of differences are 0, and left out
	CaveatUnbounded    CaveatKind = "unbounded"          // the divisor is not significantly different from 0
	CaveatOpposite     CaveatKind = "opposite"           // pooled and per-run differences have opposite signs
	CaveatUnseen       CaveatKind = "unseen modes"       // N invocations may have missed a mode of a share below Value
)

// Caveat is a limitation of an answer, with its numbers.
type Caveat struct {
	Kind CaveatKind `json:"kind"` // kind of limitation
	// N, Of and Value are its numbers: N of Of values, fewer than six; a mode rarer than Value, a
	// smallest possible p of Value.
	N     int     `json:"n,omitempty"`
	Of    int     `json:"total,omitempty"`
	Value float64 `json:"value,omitempty"`
}

// enoughToSee is the least number of invocations for a claim of no cost without the caveat of
// unseen modes: twenty could miss a mode of one JVM in seven.
const enoughToSee = 20

// unseenAlpha is the probability of missing a mode of the stated share.
const unseenAlpha = 0.05

// Unseen returns the caveat of a claim of no or little cost from n invocations: an interval does
// not cover modes that did not occur. It returns nil for twenty or more.
func Unseen(n int) []Caveat {
	share, err := stats.Unseen(n, unseenAlpha)
	if err != nil || n >= enoughToSee {
		return nil
	}
	return []Caveat{{Kind: CaveatUnseen, N: n, Value: share}}
}
