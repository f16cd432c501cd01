package analysis

// Growth says how a metric of one variant grows with a factor: a line through
// one value per invocation, and whether it is one.
type Growth struct {
	Factor  string `json:"factor"`                // name
	Unit    string `json:"factor_unit,omitempty"` // what the factor counts
	Metric  string `json:"metric"`                // name
	Variant string `json:"variant"`               // whose line it is
	// At are the other factors, one_by_one=true: each combination has a line
	// of its own; absent where nothing else varies.
	At     string        `json:"at,omitempty"`
	Points []GrowthPoint `json:"points"` // by rising x
	// Slope is the growth per unit of the factor, in the metric's unit, with the
	// interval of stats.Slope at 0.95: t over the blocks' own slopes where there are
	// blocks. n counts invocations. It is absent when no line can be laid.
	Slope     *Estimate `json:"slope,omitempty"`
	Intercept *float64  `json:"intercept,omitempty"` // value of the line at 0
	// Caveats say why the interval may hold the slope less often than its level.
	Caveats []Mark `json:"caveats,omitempty"`
	// LackOfFitP is the p value of the means' lying on the line but for chance;
	// absent where it can't be computed.
	LackOfFitP *float64 `json:"lack_of_fit_p,omitempty"`
	// BendP is the p value of a square term being 0, Holm-adjusted over the lines of one
	// factor and metric; absent where it can't be computed.
	BendP *float64 `json:"bend_p,omitempty"`
	// Exponent is the slope between the logarithms, for display: 1 is proportional, 0
	// constant.
	Exponent *float64 `json:"exponent,omitempty"`
	// Margin is the largest growth over the whole range that counts as flat, in the
	// metric's unit; absent: none was set.
	Margin float64 `json:"margin,omitempty"`
	// Against sets the slope against that of the same variant where a factor
	// that is true or false has its other value.
	Against []SlopeRatio `json:"against,omitempty"`
	Verdict GrowthShape  `json:"verdict"` // the shape that the data show
	Text    string       `json:"text"`    // slope with interval, the verdict, and why
	Why     string       `json:"-"`       // the reason of the verdict
}

// SlopeRatio is the slope of a Growth divided by that of another one, with
// Fieller's interval for independent slopes.
type SlopeRatio struct {
	At    string   `json:"at"`              // other factors of the other line
	Ratio *float64 `json:"ratio,omitempty"` // this slope by the other one
	// Low and High are the interval of Ratio; High is absent where the other slope
	// can't be told from 0, since the ratio has no bound then.
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
	Level float64  `json:"level,omitempty"` // of the interval
	Text  string   `json:"text"`            // "one_by_one=false grows by 1/41 (1/45 … 1/37) of one_by_one=true"
}

// GrowthPoint is one level of the factor.
type GrowthPoint struct {
	X    float64   `json:"x"`    // value of the factor
	Cell string    `json:"cell"` // ID
	Mean *Estimate `json:"mean"` // mean over invocations
}

// GrowthShape is the shape that the data show.
type GrowthShape string

const (
	GrowthFlat      GrowthShape = "flat"               // the interval of the growth lies within the margin
	GrowthLinear    GrowthShape = "linear"             // no bend that matters
	GrowthFaster    GrowthShape = "faster than linear" // it bends upwards
	GrowthOther     GrowthShape = "other"              // neither
	GrowthUndecided GrowthShape = "undecided"          // too few levels or invocations
)

// BreakEven says after how many calls a probe that is swapped in, which costs
// its swap once, beats one that is compiled in behind a switch, which costs its
// check at each call.
type BreakEven struct {
	Swapped      string `json:"swapped"`              // variant that is swapped in, probe/hotswap/collect
	Switchable   string `json:"switchable"`           // variant that is compiled in behind a switch, probe/manual/collect
	SwapScenario string `json:"swap_scenario"`        // where the price of the swap was measured
	SwapLevel    string `json:"swap_level,omitempty"` // at which factor level
	CostScenario string `json:"cost_scenario"`        // where the cost per call was measured
	Level        string `json:"level,omitempty"`      // at which factor level
	// Parts are the metrics that the price is the sum of, within each invocation.
	Parts []string  `json:"parts"`
	Price *Estimate `json:"price,omitempty"` // ns, once; absent when a part was not measured
	Saved *Estimate `json:"saved,omitempty"` // ns per call: switchable minus swapped, paired within blocks
	// Calls is Price / Saved; absent when nothing is saved in the mean.
	Calls *float64 `json:"calls,omitempty"`
	// Low and High are Fieller's set of the number of calls. High is absent when it has no
	// upper end, Low too when a call is shown to cost more.
	Low        *float64 `json:"low,omitempty"`
	High       *float64 `json:"high,omitempty"`
	Confidence float64  `json:"confidence,omitempty"` // level of the set
	Never      bool     `json:"never,omitempty"`      // the interval of Saved lies below 0
	Verdict    Payback  `json:"verdict"`              // whether the swap pays; "may never pay": what is saved may be 0
	// Off is what the check of the switchable one costs, in ns per call, while it is
	// off, against nothing; a probe that is not swapped in costs nothing.
	Off  *Estimate `json:"off,omitempty"`
	Text string    `json:"text"` // in words
}

// Payback says whether a swap pays for itself.
type Payback string

// The verdicts on a swap.
const (
	Pays          Payback = "pays"              // the interval of what a call saves lies above 0
	PaysPerhaps   Payback = "may never pay"     // it holds 0
	PaysNever     Payback = "never"             // it lies below 0
	PaysUndecided Payback = "cannot be decided" // a figure is missing
)
