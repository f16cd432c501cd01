package infer

import (
	"cmp"
	"slices"

	"moobench/analysis/stats"
	"moobench/results"
)

// Kinds of comparison that no campaign registers, beside those of results.
const (
	Fieller  results.Comparison = "fieller"   // ratio of arithmetic means
	LogRatio results.Comparison = "log-ratio" // ratio of geometric means
)

// Question is what is asked of two samples.
type Question struct {
	Kind        results.Comparison // "" is paired
	Alternative stats.Alternative  // "" is two-sided
	// Alpha is the chance of a wrong answer that Family questions share.
	Alpha  float64
	Family int
	// Margin is the difference that does not matter, or nil. A share is one of the second
	// sample's mean.
	Margin *results.Margin
}

// alpha is that of one question of the family.
func (q Question) alpha() float64 { return Share(q.Alpha, q.Family) }

// OneSided says whether the question has a direction.
func (q Question) OneSided() bool {
	return q.Alternative == stats.Less || q.Alternative == stats.Greater
}

func (q Question) alternative() stats.Alternative { return cmp.Or(q.Alternative, stats.TwoSided) }

// ByRanks says whether the test looks at ranks or signs, and knows no distribution.
func (q Question) ByRanks() bool {
	k, _ := KindOf(q.Kind)
	return k.Ranks()
}

// Unpaired says whether the test compares two samples, whatever blocks they are from.
func (q Question) Unpaired() bool {
	k, known := KindOf(q.Kind)
	return known && k.Pairing == Unpaired
}

// Level is that of the two-sided interval that the verdict is read from. Of a
// one-sided question it is 1 - 2 alpha: each of its bounds is a one-sided bound at
// 1 - alpha.
func (q Question) Level() float64 {
	if q.OneSided() {
		return Level(2*q.Alpha, q.Family)
	}
	return Level(q.Alpha, q.Family)
}

// Claimed is the level at which the intervals of the family hold together.
func (q Question) Claimed() float64 {
	q.Family = 1
	return q.Level()
}

// Sample is the values of one side, or what a paper printed of them.
type Sample struct {
	Values  []float64
	Summary *stats.Sample
	// Sensitivities say of each value how it hangs on elasticities; nil where none does.
	Sensitivities [][]Sensitivity
	// Strata are the numbers of the hosts that the values were measured on, of each host in order of
	// time; nil: all on one. Of pairs both samples have the same.
	Strata []int
	// Complete says that there are no other strata, as with the lanes of one machine: nothing is said of
	// others like these.
	Complete bool
}

// Sensitivity is that of a value.
type Sensitivity = stats.Sensitivity

// Sample is the summary of the values, or the one that was given.
func (s Sample) summary() (stats.Sample, error) {
	if s.Summary != nil {
		return *s.Summary, nil
	}
	return stats.SampleOf(s.Values)
}

// Data are two samples.
type Data struct {
	X, Y Sample
	// Paired says that X[i] and Y[i] are of one block. What hits both of a pair
	// alike, such as drift between blocks, cancels.
	Paired bool
	// Ordered says that the values are in order of time, so that neighbours may be alike.
	Ordered bool
	// Alone says that there is no Y: X are differences, which are compared with 0.
	Alone bool
	// Pilot is how many of the first pairs decided on the number of pairs; 0 when
	// that was fixed.
	Pilot int
	// Beside is by how much more or less the reference may have taken beside X than beside Y
	// because of what X is, as a logarithm, times the elasticity of X: X may be off by that
	// share. 0 where nothing was carried, or X and Y are one program.
	Beside float64
}

// Answer is what the data say.
type Answer struct {
	Question
	// Difference is X - Y, Ratio X/Y; where there is none, the reason stands in
	// NoDifference or NoRatio.
	Difference, Ratio     *Estimate
	NoDifference, NoRatio string
	// D and L are the scales of Difference and of the ratio's logarithm, for what
	// is computed from them.
	D, L        Scale
	Equivalence *Equivalence
	Verdict     Verdict
	// Hosts is what several hosts say together; nil of one.
	Hosts *Hosts
	// Exact tells the exact null distribution of a rank test from its normal
	// approximation. Fieller is the set of a ratio of arithmetic means.
	Exact   bool
	Doubt   *Doubt
	Fieller *stats.Ratio
	Caveats []Caveat
}

// Doubt is what the verdict leaves room for beside the interval: the reference that values
// were carried by may have something of the variant in it.
type Doubt struct {
	// Share is by how much the first sample may be off, and Amount the same in its unit.
	Share  float64 `json:"share"`
	Amount float64 `json:"amount"`
	// Decided says that the verdict is another one than without.
	Decided bool `json:"decided,omitempty"`
	// Interval is what the verdict was read from: that of the difference, wider by Amount on
	// both sides, or where that is narrower the one of what was measured.
	Interval *Interval `json:"interval,omitempty"`
	// Measured says that it is the interval of what was measured.
	Measured bool `json:"as_measured,omitempty"`

	sure Verdict // without room
}

// ByMeasured takes the verdict from what was measured where that interval is narrower than
// the one with room: neither has the variant's doing in it. It confirms a verdict that room
// took away, and makes no other one.
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

// Main is the estimate that the verdict is read from, and its neutral value.
func (a *Answer) Main() (e *Estimate, neutral float64) {
	if t, _ := KindOf(a.Kind); t.Ratio {
		return a.Ratio, 1
	}
	return a.Difference, 0
}

// Has says whether the answer has a caveat of a kind.
func (a *Answer) Has(k CaveatKind) bool { return has(a.Caveats, k) }

func has(caveats []Caveat, k CaveatKind) bool {
	return slices.ContainsFunc(caveats, func(c Caveat) bool { return c.Kind == k })
}

// CaveatKind says what limits an answer.
type CaveatKind string

const (
	CaveatFew          CaveatKind = "few"                // N invocations, fewer than six
	CaveatStill        CaveatKind = "no variation"       // the values do not vary
	CaveatTiesInterval CaveatKind = "ties interval"      // p is below alpha, and the interval holds the neutral value
	CaveatTiesP        CaveatKind = "ties p"             // the interval excludes it, and p is not below alpha
	CaveatHopeless     CaveatKind = "alpha unattainable" // no outcome has a p below alpha: the smallest is Value
	CaveatTied         CaveatKind = "tied"               // N of Of values are tied
	CaveatZeros        CaveatKind = "zeros"              // N of Of differences are 0, and left out
	CaveatUnbounded    CaveatKind = "unbounded"          // the divisor can't be told from 0
	CaveatOpposite     CaveatKind = "opposite"           // pooled rates and those of the runs have opposite signs
	CaveatUnseen       CaveatKind = "unseen modes"       // of N invocations, a mode of a share below Value may have been missed
)

// Caveat is something that limits an answer, with its numbers.
type Caveat struct {
	Kind CaveatKind `json:"kind"` // what limits the answer
	// N, Of and Value are its numbers: N of Of values, fewer than six; a mode rarer than
	// Value, a smallest p of Value.
	N     int     `json:"n,omitempty"`
	Of    int     `json:"total,omitempty"`
	Value float64 `json:"value,omitempty"`
}

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
	share, err := stats.Unseen(n, unseenAlpha)
	if err != nil || n >= enoughToSee {
		return nil
	}
	return []Caveat{{Kind: CaveatUnseen, N: n, Value: share}}
}
