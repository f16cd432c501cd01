package analysis

// Growth says how a metric of one variant grows with a factor: a line through
// one value per invocation, and whether it is one.
type Growth struct {
	Factor  string `json:"factor"`
	Unit    string `json:"factor_unit,omitempty"`
	Metric  string `json:"metric"`
	Variant string `json:"variant"`
	// At are the other factors, "one_by_one=true": each combination has a line
	// of its own; "" where nothing else varies.
	At     string        `json:"at,omitempty"`
	Points []GrowthPoint `json:"points"` // by rising X
	// Slope is the growth per unit of the factor, in the metric's unit, with the
	// interval of stats.Slope: t over the blocks' own slopes where there are blocks.
	Slope     *Estimate `json:"slope,omitempty"`
	Intercept *float64  `json:"intercept,omitempty"`
	// Caveats say why the interval may hold the slope less often than its level.
	Caveats []Mark `json:"caveats,omitempty"`
	// LackOfFitP is the p value of the means' lying on the line but for chance,
	// BendP that of a square term; absent where they can't be computed.
	LackOfFitP *float64 `json:"lack_of_fit_p,omitempty"`
	BendP      *float64 `json:"bend_p,omitempty"`
	// Exponent is that of the power law through the logarithms, for display.
	Exponent *float64 `json:"exponent,omitempty"`
	Margin   float64  `json:"margin,omitempty"` // largest growth over the range that counts as flat
	// Against sets the slope against that of the same variant where a factor
	// that is true or false has its other value.
	Against []SlopeRatio `json:"against,omitempty"`
	Verdict GrowthShape  `json:"verdict"`
	Text    string       `json:"text"` // the slope, the verdict, and why
	Why     string       `json:"-"`    // why that is the verdict
}

// SlopeRatio is the slope of a Growth divided by that of another one, with
// Fieller's interval for independent slopes; High is absent where the other
// slope can't be told from 0, since the ratio has no bound then.
type SlopeRatio struct {
	At    string   `json:"at"` // of the other Growth
	Ratio *float64 `json:"ratio,omitempty"`
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
	Level float64  `json:"level,omitempty"`
	Text  string   `json:"text"` // "one_by_one=false grows by 1/41 (1/45 … 1/37) of one_by_one=true"
}

// GrowthPoint is one level of the factor: the mean over invocations.
type GrowthPoint struct {
	X    float64   `json:"x"`
	Cell string    `json:"cell"`
	Mean *Estimate `json:"mean"`
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
	Swapped    string `json:"swapped"`    // variant, e.g. probe/hotswap/collect
	Switchable string `json:"switchable"` // variant, e.g. probe/manual/collect
	// SwapScenario is where the price of the swap was measured, at SwapLevel,
	// CostScenario where the cost per call, at Level.
	SwapScenario string `json:"swap_scenario"`
	SwapLevel    string `json:"swap_level,omitempty"`
	CostScenario string `json:"cost_scenario"`
	Level        string `json:"level,omitempty"`
	// Parts are the metrics that the price consists of.
	Parts []string  `json:"parts"`
	Price *Estimate `json:"price,omitempty"` // ns, once; absent when a part was not measured
	Saved *Estimate `json:"saved,omitempty"` // ns per call: switchable minus swapped
	// Calls is Price / Saved, with Fieller's interval; absent when nothing is
	// saved. High is absent where it may never pay. Never says that the interval of
	// Saved lies below 0.
	Calls      *float64 `json:"calls,omitempty"`
	Low        *float64 `json:"low,omitempty"`
	High       *float64 `json:"high,omitempty"`
	Confidence float64  `json:"confidence,omitempty"`
	Never      bool     `json:"never,omitempty"`
	Verdict    Payback  `json:"verdict"`
	// Off is what the check of the switchable one costs per call while it is
	// off, against nothing; a probe that is not swapped in costs nothing.
	Off  *Estimate `json:"off,omitempty"`
	Text string    `json:"text"`
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
