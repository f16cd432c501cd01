package results

import (
	"cmp"
	"math"
	"strings"
)

// Better is the wanted direction of a metric.
type Better string

const (
	Lower   Better = "lower"   // less is better
	Higher  Better = "higher"  // more is better
	Neither Better = "neither" // a quantity to know, not to judge
)

// Metric is a named quantity. A metric with a Series is the mean of that
// series' Column over the window, divided by the samples' batch; every other
// metric is the scalar of the same name in invocation.json.
type Metric struct {
	Name    string  `json:"name"`              // unique in the scenario
	Unit    string  `json:"unit"`              // ns, B, 1, calls/s, …
	Better  Better  `json:"better"`            // wanted direction
	About   string  `json:"about"`             // in words
	Profile Profile `json:"profile"`           // the only profile it is read from
	Primary bool    `json:"primary,omitempty"` // the metric that verdicts are about
	// Series and Column name the samples whose mean over the window, divided by their batch, is the metric;
	// absent: it is the scalar of its name.
	Series string `json:"series,omitempty"`
	Column string `json:"column,omitempty"`
	// Key metrics appear in every report, not only in those with all metrics.
	Key bool `json:"key,omitempty"`
	// Executions names the parameter with the number of monitored executions per call, if that is known:
	// "depth".
	Executions string `json:"executions_parameter,omitempty"`
	// Once marks a time that is paid once per change, not per call: the sum of a cell's one-time metrics is the
	// price of the change, which a lower cost per call may earn back.
	Once bool `json:"one_time,omitempty"`
	// Of names the scalar that holds the exposure: the metric counts events out of that many chances, and is
	// compared by tests for rates, not by its mean.
	Of string `json:"exposure_scalar,omitempty"`
	// BaselineMost is the largest share of the exposure that may be such events at a baseline. A baseline with
	// more did not do its work, and nothing is compared with it; absent: no limit.
	BaselineMost float64 `json:"baseline_most,omitempty"`
	// Per is record if the scalar is a total divided by the invocation's delivered records. Over invocations it
	// is the ratio of the totals.
	Per Per `json:"per,omitempty"`
	// PartOf names the metric of CPU time that this one is a part of: the part of one group of threads, derived
	// from the threads of invocations.
	PartOf string `json:"part_of,omitempty"`
	// Threads names the group of threads of such a part.
	Threads ThreadGroup `json:"threads,omitempty"`
	// Share marks shares of a whole, which lie within 0 and 1.
	Share bool `json:"share,omitempty"`
	// Title is the metric's name in the answer; absent: its name.
	Title string `json:"title,omitempty"`
	// Decides ranks the metrics that people decide by: the answer has them beside the primary one, 1 before 2.
	// Absent: the answer has the metric only if it is a key one.
	Decides int `json:"decides,omitempty"`
}

// The ranks of metrics that people decide by.
const (
	DecidesCPU = 10 * (1 + iota)
	DecidesStartup
	DecidesMemory
	DecidesMemoryAtEnd
	DecidesAllocation
	DecidesCapacity
	DecidesLoss
)

// untitled has the titles and ranks of metrics in campaigns older than Title.
var untitled = map[string]Metric{
	"cpu_ns":          {Title: "call CPU", Decides: DecidesCPU},
	"cpu":             {Title: "CPU", Decides: DecidesCPU},
	"cpu_per_request": {Title: "CPU per request", Decides: DecidesCPU},
	"startup_ns":      {Title: "start-up", Decides: DecidesStartup},
	"startup":         {Title: "start-up", Decides: DecidesStartup},
	"rss_peak_bytes":  {Title: "memory", Decides: DecidesMemory},
	"peak_rss":        {Title: "memory", Decides: DecidesMemory},
	"rss_bytes":       {Title: "memory at end", Decides: DecidesMemoryAtEnd},
	"alloc_bytes":     {Title: "call alloc", Decides: DecidesAllocation},
	"capacity":        {Title: "most load", Decides: DecidesCapacity},
	"lost":            {Title: "lost requests", Decides: DecidesLoss},
}

// InAnswer returns the metric's title in the answer, "" if it is its name, and its rank, 0 without one.
func (m Metric) InAnswer() (title string, rank int) {
	if m.Title == "" && m.Decides == 0 {
		m = untitled[m.Name]
	}
	return m.Title, m.Decides
}

// Bounds returns the smallest and the largest possible value of the metric, either of which may be infinite.
// Amounts and times are at least 0, except the recovery: the extra time of calls after a change may be
// negative.
func (m Metric) Bounds() (low, high float64) {
	switch {
	case m.Share:
		return 0, 1
	case m.Name == DerivedRecovery:
		return math.Inf(-1), math.Inf(1)
	}
	return 0, math.Inf(1)
}

// Per is the divisor of a total.
type Per string

// Record is a delivered record.
const Record Per = "record"

// PerRecord reports whether the metric is a total divided by the delivered records. In campaigns older than
// Per, its name alone says so.
func (m Metric) PerRecord() bool {
	return m.Per == Record || m.Name == "cpu_per_record_ns" || m.Name == "bytes_per_record"
}

// Sample is the event that one sample of a metric measures.
type Sample string

const (
	SampleNone    Sample = ""        // no samples: the metric is one value of an invocation
	SampleCall    Sample = "call"    // calls of a method
	SampleChange  Sample = "change"  // a change, which is paid once
	SampleRequest Sample = "request" // a request, mostly waiting; without an answer it ends when it is given up
)

// Sample returns the event that one sample of the metric measures.
func (m Metric) Sample() Sample {
	switch {
	case m.Series == "":
		return SampleNone
	case m.Series == SeriesRequest:
		return SampleRequest
	case m.Once:
		return SampleChange
	}
	return SampleCall
}

// Parameter is a setting of a scenario in benchmarks.toml. Only a Factor may be a list, which is crossed with
// other factors to make the cells.
type Parameter struct {
	Name    string        `json:"name"`
	Type    ParameterType `json:"type"`
	Unit    string        `json:"unit,omitempty"`    // for TypeInt; TypeDuration is always in ns
	Default string        `json:"default,omitempty"` // as in benchmarks.toml; "" means required
	Values  []string      `json:"values,omitempty"`  // TypeEnum: the allowed values
	Min     int64         `json:"-"`                 // TypeInt, TypeDuration (ns): the smallest allowed value
	Factor  bool          `json:"factor,omitempty"`
	// Auto, for TypeInt, is the series of the calls that it counts, if a pilot may find the number; "": none.
	Auto  string `json:"-"`
	About string `json:"about"`
}

// Auto is the value of a parameter that a pilot finds.
const Auto = "auto"

// ParameterType is the type of a Parameter's value.
type ParameterType string

const (
	TypeInt      ParameterType = "int"      // 2_000_000
	TypeDuration ParameterType = "duration" // "10us"
	TypeEnum     ParameterType = "enum"     // "wall"
	TypeString   ParameterType = "string"
	TypeBool     ParameterType = "bool"
	TypeOptions  ParameterType = "options" // "-Xint -Dname='a value'": words as in a shell, or ""
	TypePattern  ParameterType = "pattern" // "com.acme..*.*(..)", or the default
)

// NoOptions is the value of a parameter of TypeOptions without options: in a file it is "", which can't be a
// label.
const NoOptions = "default"

// Question is a comparison that is registered before the first JVM starts.
type Question struct {
	ID     string `json:"id"`     // unique in the campaign
	Text   string `json:"text"`   // in words
	Metric string `json:"metric"` // name
	A      string `json:"a"`      // ID of a cell
	B      string `json:"b"`      // ID of a cell; the answer is about A - B
	// Family names the questions with simultaneous intervals, wherever in the campaign they are asked; its size
	// is fixed in the plan. Absent: the levels at which this question is asked are a family of their own.
	Family string `json:"family,omitempty"`
	// Quantile asks about a quantile of each invocation's samples instead of
	// their mean, 0.99; absent: the mean.
	Quantile float64 `json:"quantile,omitempty"`
	// Test names the test; absent: TestPaired, or TestSign for a quantile.
	Test Comparison `json:"test,omitempty"`
	// Alternative is the expected sign of A - B: two-sided, less, greater; absent: two-sided.
	Alternative string `json:"alternative,omitempty"`
	// Alpha is the probability of a wrong "yes"; absent: 0.05.
	Alpha float64 `json:"alpha,omitempty"`
	// Margin is the difference that counts as no cost; absent: none.
	Margin *Margin `json:"margin,omitempty"`
	// Asked marks a question of benchmarks.toml, as opposed to a scenario's own.
	Asked bool `json:"configured,omitempty"`
}

// Comparison names a test that answers a question. The analysis knows more tests than the ones named here.
type Comparison string

const (
	TestPaired      Comparison = "paired"       // t over blocks
	TestWelch       Comparison = "welch"        // t, unpaired
	TestStudent     Comparison = "student"      // t, unpaired, one variance
	TestSignedRank  Comparison = "signed-rank"  // Wilcoxon's, over blocks
	TestMannWhitney Comparison = "mann-whitney" // unpaired ranks
	TestSign        Comparison = "sign"         // order statistics of the median difference, over blocks
	TestTOST        Comparison = "tost"         // equivalence within the margin, over blocks
	// TestRates compares rates of events, for metrics with Of: exact, quasi-Poisson, or signs flipped within
	// blocks.
	TestRates Comparison = "rates"
)

// Margin is a negligible difference: a share of the baseline's mean, or an amount in the metric's unit. With
// both, the share applies to baselines of at least ShareFrom, and the amount to smaller ones.
type Margin struct {
	Share  float64 `json:"share,omitempty"`  // of the baseline's mean: 0.01 is 1 %
	Amount float64 `json:"amount,omitempty"` // in the metric's unit
	// ShareFrom, with both, is the smallest baseline for which the share applies; below it the amount does.
	ShareFrom float64 `json:"share_from,omitempty"`
}

// Scaling asks how a metric grows with a factor: cells that differ in nothing else are fitted together, each
// variant by itself.
type Scaling struct {
	Factor string `json:"factor"` // name of an integer parameter with three values or more
	Metric string `json:"metric"` // name
	// Margin is the largest growth over the whole range, in the metric's unit,
	// that counts as flat; absent: none.
	Margin float64 `json:"margin,omitempty"`
}

// Published holds figures of a paper, printed beside one of our variants.
type Published struct {
	Scenario string           `json:"scenario"`       // label
	Variant  string           `json:"variant"`        // variant beside which they are printed
	Source   string           `json:"source"`         // figure, paper, and the machine or setup of the measurement
	Note     string           `json:"note,omitempty"` // further remarks
	Values   []PublishedValue `json:"values"`         // as printed
}

// PublishedValue is a figure as it was printed.
type PublishedValue struct {
	Name  string  `json:"name"`  // mean, median, sd, min, max, ci95 (half-width), n
	Value float64 `json:"value"` // in Unit
	Unit  string  `json:"unit"`  // ns, or 1 for n
}

// FamilyOf returns the family that a question shares its alpha with, and its size: the number of questions of
// that name in the whole campaign. The copies of one question at the factor levels are a family even if it has
// no name.
func (c *Campaign) FamilyOf(q Question) (name string, size int) {
	name = q.family()
	for _, s := range c.Scenarios {
		for _, other := range s.Questions {
			if other.family() == name {
				size++
			}
		}
	}
	return name, max(1, size)
}

// family returns the given name, else the ID without the level.
func (q Question) family() string {
	id, _, _ := strings.Cut(q.ID, "@")
	return cmp.Or(q.Family, id)
}
