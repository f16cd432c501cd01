package numbers

import (
	"moobench/analysis/infer"
	"moobench/analysis/stats"
)

// Report is the answer to one call.
type Report struct {
	Kind        Kind              `json:"kind"`
	Method      string            `json:"method"` // the test in words
	Alternative stats.Alternative `json:"alternative"`
	Confidence  float64           `json:"confidence"` // of all comparisons together: 1 - alpha
	Unit        string            `json:"unit,omitempty"`
	Margin      *Margin           `json:"margin,omitempty"` // of tost
	Comparisons []Comparison      `json:"comparisons"`      // the first sample against each of the others
	Warnings    []string          `json:"warnings,omitempty"`
}

// Described is one sample.
type Described struct {
	Name     string   `json:"name"`
	N        int      `json:"n"`                  // values, or runs of counts; 0: the neutral value
	Mean     *float64 `json:"mean,omitempty"`     // in the numbers' unit
	SD       *float64 `json:"sd,omitempty"`       // sample standard deviation
	Count    *int64   `json:"count,omitempty"`    // of all runs
	Exposure *float64 `json:"exposure,omitempty"` // of all runs
	Rate     *float64 `json:"rate,omitempty"`     // count / exposure
}

// Comparison is A against B.
type Comparison struct {
	A        Described     `json:"a"`
	B        Described     `json:"b"`
	Verdict  infer.Verdict `json:"verdict"`
	Sentence string        `json:"sentence"` // the verdict in words, with its uncertainty
	// Estimate is the basis of the verdict; nil if the values don't vary.
	Estimate  *Estimate  `json:"estimate,omitempty"`
	Statistic *Statistic `json:"statistic,omitempty"`
	// P is never 0: 5e-324 stands for anything smaller, too. PHolm is P adjusted for the number of comparisons,
	// if there are several.
	P     *float64 `json:"p,omitempty"`
	PHolm *float64 `json:"p_holm,omitempty"`
	// Equivalence is tost's own interval and p values.
	Equivalence *Equivalence `json:"equivalence,omitempty"`
	// Delta is the interval by the delta method, beside Fieller's.
	Delta      *Estimate   `json:"delta_method,omitempty"`
	Effects    *Effects    `json:"effects,omitempty"`
	Detectable *Detectable `json:"detectable,omitempty"`
	Scatter    *Scatter    `json:"overdispersion,omitempty"` // of counts
}

// Estimate is a value with its interval.
type Estimate struct {
	What    string   `json:"quantity"`
	Value   *float64 `json:"value"`   // null: infinite, a ratio to 0
	Low     *float64 `json:"low"`     // null: unbounded
	High    *float64 `json:"high"`    // null: unbounded
	Level   float64  `json:"level"`   // of this interval
	Neutral float64  `json:"neutral"` // 0 for a difference, 1 for a ratio
	// Exclusive says that the set is everything outside Low to High.
	Exclusive bool `json:"exclusive,omitempty"`
}

// Statistic is a test's statistic, and the values beyond which it rejects.
type Statistic struct {
	Name        string   `json:"name"` // t, W, V or S
	Value       float64  `json:"value"`
	DF          *float64 `json:"df,omitempty"`
	RejectBelow *float64 `json:"reject_below,omitempty"`
	RejectAbove *float64 `json:"reject_above,omitempty"`
	// Exact distinguishes an exact null distribution from a normal approximation; nil for a t test.
	Exact *bool `json:"exact,omitempty"`
}

// Equivalence is the result of two one-sided tests.
type Equivalence struct {
	PLow           float64 `json:"p_low"`  // of "not below the lower margin"
	PHigh          float64 `json:"p_high"` // of "not above the upper margin"
	infer.Interval         // at 1 - 2 alpha
	Equivalent     bool    `json:"equivalent"`
}

// Effects are effect sizes without a unit. Each is nil if it can't be computed.
type Effects struct {
	Ratio      *float64 `json:"ratio,omitempty"`       // mean of A / mean of B
	HedgesG    *float64 `json:"hedges_g,omitempty"`    // difference in standard deviations
	CliffDelta *float64 `json:"cliff_delta,omitempty"` // P(A > B) - P(A < B)
	A12        *float64 `json:"a12,omitempty"`         // P(A > B) + P(A = B)/2
}

// Detectable is the smallest effect that such samples find with a power of 0.8.
type Detectable struct {
	Value float64 `json:"value"` // a difference in the numbers' unit, or a ratio above 1
	Power float64 `json:"power"`
	Ratio bool    `json:"ratio,omitempty"` // Value is a ratio; else a difference, even for a ratio of means
	// ByT says that the t test on the same values stands in for the requested test.
	ByT bool `json:"by_t,omitempty"`
}

// Scatter says whether counts scatter more than Poisson's law allows, and has the tests that hold even then. If
// they do, P of the comparison is not valid.
type Scatter struct {
	stats.RateScatter
	DF1          float64 `json:"df1"` // of F
	DF2          float64 `json:"df2"`
	TooScattered bool    `json:"overdispersed,omitempty"` // P of Poisson is not valid
}
