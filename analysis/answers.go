package analysis

import (
	"time"

	"moobench/analysis/infer"

	"moobench/results"
)

// Version is the version of Answers as JSON. Keys may be added within a
// version; meanings never change.
const Version = 1

// Answers is everything that a report says of one campaign. Every number in it
// is finite: what is not known is absent, with the reason beside it.
type Answers struct {
	Version     int                `json:"version"`
	Campaign    Campaign           `json:"campaign"`
	Machines    []*results.Machine `json:"machines,omitempty"`
	Scenarios   []Scenario         `json:"scenarios"`
	Invocations []Invocation       `json:"invocations"`
	Loops       Loops              `json:"loops"`
	// BreakEvens say when a swap pays for itself.
	BreakEvens []BreakEven `json:"break_evens,omitempty"`
	// Gate is what the campaign's gate says; nil when it has none.
	Gate *GateAnswer `json:"gate,omitempty"`
	// Superseded invocations are in no number: their block was started again.
	Superseded []Superseded `json:"superseded_invocations,omitempty"`
	// Hosts say how each machine was quietened, and changed between sittings.
	Hosts []Host `json:"hosts,omitempty"`
	// Settings are the knobs as the campaign's first invocation read them back.
	Settings map[string]string `json:"settings,omitempty"`
	// Changed says that the campaign is not as it was sealed, and stands in Warnings,
	// too; "" when it is, or while it is not sealed.
	Changed  string   `json:"changed,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	// Unanswered says why not every planned cell has an answer that can be
	// relied on: not instrumented, given up, unfinished, A/A failed.
	Unanswered []string `json:"incomplete,omitempty"`
}

// Incomplete says whether a planned cell has no answer that can be relied on.
func (a *Answers) Incomplete() bool { return len(a.Unanswered) > 0 }

// Campaign is where the answers come from.
type Campaign struct {
	Name     string            `json:"name"`
	About    string            `json:"about,omitempty"`
	Created  time.Time         `json:"created"`
	Source   string            `json:"source"`
	Design   results.Design    `json:"design"`
	Seed     uint64            `json:"seed,string"`
	PlanHash string            `json:"plan_hash,omitempty"`
	Versions map[string]string `json:"versions,omitempty"`
	// Start and End are those of the first and the last invocation.
	Start  *time.Time `json:"start,omitempty"`
	End    *time.Time `json:"end,omitempty"`
	Blocks int        `json:"blocks"` // planned, timing
	// Scale is by how much a replication was made shorter than the paper's
	// experiment; 0 is not at all.
	Scale float64 `json:"scale,omitempty"`
	Extra int     `json:"extra_blocks,omitempty"`
	// Extra blocks repeat invocations that failed, or that were disturbed.
	ExtraFailed    int `json:"extra_failed,omitempty"`
	ExtraDisturbed int `json:"extra_disturbed,omitempty"`
	// ExtraVoid blocks repeat void ones, whatever else they repeat.
	ExtraVoid int `json:"extra_void,omitempty"`
	// Control is what benchmarks.toml asked of the machine.
	Control  *results.Control `json:"control,omitempty"`
	Sittings int              `json:"sittings"`
	Runtimes []string         `json:"runtimes,omitempty"` // e.g. JDK builds
	// Superseded invocations belong to interrupted blocks that were started
	// again; they are in no number.
	Superseded int `json:"superseded,omitempty"`
}

// Scenario holds the answers of one scenario.
type Scenario struct {
	Label   string           `json:"label"`
	Use     string           `json:"use"`
	About   string           `json:"about,omitempty"`
	Primary string           `json:"primary,omitempty"` // the metric that verdicts are about
	Metrics []results.Metric `json:"metrics"`
	Window  string           `json:"window"` // the samples that means are taken over
	// Common are the parameters that all cells share.
	Common  []results.Value `json:"common,omitempty"`
	Notes   []string        `json:"notes,omitempty"` // what is true of all numbers
	Answers []Answer        `json:"answers,omitempty"`
	// Unseen is said once where answers are "free" or "small": which modes so few
	// JVMs may not have fallen into.
	Unseen string `json:"unseen,omitempty"`
	Cells  []Cell `json:"cells"`
	AA     []AA   `json:"aa,omitempty"`
	Loops  Loops  `json:"loops"`
	// WindowKind is the choice that Window puts in words.
	WindowKind results.Window `json:"window_kind,omitempty"`
	Sizing     *Sizing        `json:"sizing,omitempty"`
	// Contrasts are the parts of the cost, Unisolated what nothing here tells apart
	// in them, Closures the parts that are known by two routes.
	Contrasts  []Contrast `json:"contrasts,omitempty"`
	Unisolated []string   `json:"unisolated,omitempty"`
	Closures   []Closure  `json:"closures,omitempty"`
	// Repeats says what became of disturbed invocations that were repeated; nil
	// when there are none.
	Repeats *Repeats `json:"repeats,omitempty"`
	// Growths say how metrics grow with a factor.
	Growths []Growth `json:"growths,omitempty"`
	// Published are a paper's figures beside cells of this scenario.
	Published []results.Published `json:"published,omitempty"`
	// Calibrations say how much load baselines take, which others are shares of.
	Calibrations []Calibration `json:"calibrations,omitempty"`
	// Timelines show one typical invocation of each cell over time.
	Timelines []Timeline `json:"timelines,omitempty"`
	// ToggleEffects say what a change of what is monitored does to the latency
	// just after it.
	ToggleEffects []ToggleEffect `json:"toggle_effects,omitempty"`
	// PooledRates is the arithmetic of papers that scale counts to their own
	// arm's total, where Pool asks for it.
	PooledRates []PooledRates `json:"pooled_rates,omitempty"`
	// Pooled marks that Cells carry the arithmetic of others that take each call
	// for an independent observation: pseudo-replication. PoolKind is whose it is:
	// results.PoolCalls, results.PoolLastLoop.
	Pooled   string `json:"pooled,omitempty"`
	PoolKind string `json:"pool_kind,omitempty"`
}

// Sizing says how the number of timing blocks was found. Precision 0 is a fixed
// number that only time could cut.
type Sizing struct {
	results.Sizing
	Text string `json:"text"` // the plan and the decision in words
	// Reached are the half-widths that came out, in the order of the cells.
	Reached []Reached `json:"reached,omitempty"`
}

// Reached is how precise a cell's difference is: Share is the half-width as a
// share of the cell's own mean. PilotSD and SD are those of the differences of
// the pilot and of all blocks.
type Reached struct {
	Cell    string  `json:"cell"`
	Share   float64 `json:"share"`
	PilotSD float64 `json:"pilot_sd"`
	SD      float64 `json:"sd"`
	OK      bool    `json:"ok"` // Share is at most the wanted precision
}

// Contrast is a part of the cost: I (is the probe active?), C (collect), W (write
// or send), or a sum of these. It is the paired difference of two cells whose
// executions differ in Steps and in nothing else, in the primary metric, with its
// own 95 % interval.
type Contrast struct {
	Name      string    `json:"name"`  // I, C, W, I+C, C+W, I+C+W
	Steps     []string  `json:"steps"` // names of results.Steps, in their order
	About     string    `json:"about"` // the name in words
	Framework string    `json:"framework"`
	Mode      string    `json:"mode"`
	Stage     string    `json:"stage"` // of A
	Level     string    `json:"level,omitempty"`
	A         string    `json:"a"` // cell ID
	B         string    `json:"b"` // cell ID: the contrast is A - B
	Estimate  *Estimate `json:"estimate,omitempty"`
	Absent    string    `json:"absent,omitempty"` // why there is none

	body string
	part passage
}

// Closure sets two routes to one part side by side: the part costs the same
// whichever way, if parts add up and both routes run the same code.
type Closure struct {
	Name      string `json:"name"` // I, C or W
	Framework string `json:"framework"`
	Level     string `json:"level,omitempty"`
	First     Route  `json:"first"`
	Second    Route  `json:"second"`
	// Difference is First minus Second, the combination of four cells in each
	// block, in the primary metric's unit; the intervals of a scenario's closures
	// hold together at 95 %. It is absent when Absent says why.
	Difference *Estimate `json:"difference,omitempty"`
	Absent     string    `json:"absent,omitempty"`
	Disagree   bool      `json:"disagree"` // the interval of Difference excludes 0
	Text       string    `json:"text"`

	more         passage // steps that only one of the routes has
	firstHasMore bool
}

// Route is a difference of two cells that is a part of the cost.
type Route struct {
	A        string    `json:"a"` // cell ID
	B        string    `json:"b"` // cell ID: the route is A - B
	Estimate *Estimate `json:"estimate,omitempty"`
	Absent   string    `json:"absent,omitempty"` // why there is none
}

// Cell holds what is known of one cell.
type Cell struct {
	ID        string          `json:"id"`
	Label     string          `json:"label"`
	Variant   string          `json:"variant"`
	Framework string          `json:"framework,omitempty"`
	Mode      string          `json:"mode,omitempty"`
	Stage     string          `json:"stage,omitempty"`
	Role      results.Role    `json:"role"`
	Level     string          `json:"level,omitempty"` // factor level, e.g. "depth=10"
	Factors   []results.Value `json:"factors,omitempty"`
	Baseline  string          `json:"baseline,omitempty"` // cell ID
	// Planned, OK, Failed and Disturbed count invocations of the primary
	// metric's profile; those of extra blocks count as OK or Failed, not as
	// planned. Missing ones, of any profile, were not started yet.
	Planned   int `json:"planned"`
	OK        int `json:"ok"`
	Failed    int `json:"failed"`
	Missing   int `json:"missing"`
	Disturbed int `json:"disturbed"`
	// Repeated are those of the disturbed ones that an extra block repeated;
	// They are in the numbers; Scenario.Repeats says more.
	Repeated int `json:"repeated,omitempty"`
	// VoidInvocations ended well, but no number of them counts: what they asked
	// of the subject was not what was planned. They are not in OK.
	VoidInvocations int `json:"void_invocations,omitempty"`
	// GivenUp says why the cell was not started any more.
	GivenUp string `json:"given_up,omitempty"`
	// Void says why no number of the cell counts: it was not instrumented.
	Void     string         `json:"void,omitempty"`
	Records  *Records       `json:"records,omitempty"`
	Queue    *Queue         `json:"queue,omitempty"`
	Metrics  []MetricAnswer `json:"metrics"` // in the order of the scenario's metrics
	Marks    []Mark         `json:"marks,omitempty"`
	Failures []Failure      `json:"failures,omitempty"`
	Warnings []Warning      `json:"warnings,omitempty"`
	Launch   results.Launch `json:"launch"`
	// Steady is what the cell's invocations do over time; nil when the primary
	// metric is no series.
	Steady *Steady `json:"steady,omitempty"`
	// PerRecord is the difference from the baseline divided by the records
	// delivered per call, in the primary metric's unit per record.
	PerRecord   *Estimate `json:"per_record,omitempty"`
	NoPerRecord string    `json:"no_per_record,omitempty"`
	// Pooled is others' arithmetic over calls; see Scenario.Pooled.
	Pooled *Pooled `json:"pooled,omitempty"`
	// Distribution is that of the primary metric's calls, absent when it is no
	// series of calls, or when NoDistribution says why.
	Distribution   *Distribution `json:"distribution,omitempty"`
	NoDistribution string        `json:"no_distribution,omitempty"`
	// Other is the mean of the primary metric over the window that was not
	// chosen: half beside steady, steady beside the others. It shows how much
	// hangs on the choice.
	Other *OtherWindow `json:"other_window,omitempty"`
}

// OtherWindow is a mean over another window.
type OtherWindow struct {
	Window results.Window `json:"window"`
	Mean   *Estimate      `json:"mean"`
}

// Steady is how the invocations of a cell come to rest.
type Steady struct {
	// Class is flat, warmup, slowdown or no steady state when all invocations
	// agree, else inconsistent; "not told" of too few samples.
	Class  string         `json:"class"`
	Counts map[string]int `json:"counts"` // invocations by class
	// WarmupCalls is the median number of calls of one thread before the
	// steady state, of the invocations that have one; WarmupMean the mean of
	// the calls before it, absent when none has any.
	WarmupCalls *Estimate `json:"warmup_calls,omitempty"`
	WarmupMean  *Estimate `json:"warmup_mean,omitempty"`
	Text        string    `json:"text"`
}

// Pooled is the arithmetic over all calls of all invocations, second halves
// only: N calls with their mean and sample standard deviation in the metric's unit,
// Half the half-width 1.96 sd/sqrt(N), and a pooled two-sample t against the
// baseline. It is printed to replicate papers; the intervals are far too narrow.
// Of PoolLastLoop the calls are those of the invocation of the last block, and
// there is no test: MooBench's script (frameworks/statistics.r) makes none.
type Pooled struct {
	N    int64   `json:"n"`
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd"`
	Half float64 `json:"half_width"`
	Test *Test   `json:"test,omitempty"`
	// TooNarrow is our interval's width divided by this one's, nil when either has
	// no width.
	TooNarrow *float64 `json:"too_narrow,omitempty"`
}

// MetricAnswer is what is known of one metric of one cell.
type MetricAnswer struct {
	Metric string `json:"metric"`
	// Mean is the mean over invocations with its t interval, absent when
	// Absent says why.
	Mean   *Estimate `json:"mean,omitempty"`
	Absent string    `json:"absent,omitempty"`
	// Difference (cell minus baseline, in the metric's unit) and Ratio (cell
	// over baseline, from paired logarithms) are absent when the reason says
	// why; both are absent of baselines without one.
	Difference   *Estimate `json:"difference,omitempty"`
	Ratio        *Estimate `json:"ratio,omitempty"`
	NoDifference string    `json:"no_difference,omitempty"`
	NoRatio      string    `json:"no_ratio,omitempty"`
	// Kept is Difference without the invocations that were disturbed and repeated,
	// of a primary metric of a scenario that has such; All is Difference itself.
	Kept        *Estimate  `json:"kept,omitempty"`
	All         *Estimate  `json:"all,omitempty"`
	Quantiles   []Quantile `json:"quantiles,omitempty"`
	NoQuantiles string     `json:"no_quantiles,omitempty"`
	// Rate is that of a metric with Of, whose mean over invocations is no answer.
	Rate *Rate `json:"rate,omitempty"`
	// Components splits the variance, of metrics that are means of samples.
	Components *Components `json:"components,omitempty"`
}

// Components are variance components after Kalibera and Jones: between
// invocations, and within them (of the means of batches). What batches add to an
// invocation's mean is reckoned as if they were independent. Autocorrelation adds
// more, which counts as between: BetweenSD and ICC are upper bounds but for chance.
type Components struct {
	// BetweenSD is that of invocations, in the metric's unit, what batches add
	// taken off; 0 when that is more.
	BetweenSD float64 `json:"between_sd"`
	WithinSD  float64 `json:"within_sd"` // of batches inside an invocation, in the metric's unit
	// ICC is the share of the variance that lies between invocations, at most.
	ICC float64 `json:"icc"`
}

// Quantile is the median over invocations of a quantile of the calls of each.
type Quantile struct {
	Name     string   `json:"name"` // p50, p99, p99.9, max
	P        float64  `json:"p"`
	Estimate Estimate `json:"estimate"`
	// Difference and Ratio are the medians over blocks of what the quantiles of
	// cell and baseline differ by, with order-statistic intervals.
	Difference   *Estimate `json:"difference,omitempty"`
	Ratio        *Estimate `json:"ratio,omitempty"`
	NoDifference string    `json:"no_difference,omitempty"`
}

// Answer is the answer to a question that was registered before the first
// invocation.
type Answer struct {
	ID         string    `json:"id"`
	Text       string    `json:"text"`
	Metric     string    `json:"metric"`
	A          string    `json:"a"` // cell ID
	B          string    `json:"b"` // cell ID
	Family     string    `json:"family,omitempty"`
	FamilySize int       `json:"family_size"`
	Difference *Estimate `json:"difference,omitempty"`
	Ratio      *Estimate `json:"ratio,omitempty"`
	// Rates is the answer about a metric with Of; Difference and Ratio are then
	// absent.
	Rates    *Rates  `json:"rates,omitempty"`
	Verdict  Verdict `json:"verdict"`
	Sentence Sentence `json:"sentence"`
	Detail   string  `json:"detail,omitempty"` // test, degrees of freedom, p, n
	// Caveats limit the answer: few invocations, ties, values that do not vary.
	Caveats []infer.Caveat `json:"caveats,omitempty"`
	// Kept and All are as in MetricAnswer; Without puts Kept into words.
	Kept    *Estimate `json:"kept,omitempty"`
	All     *Estimate `json:"all,omitempty"`
	Without string    `json:"without,omitempty"`
	// Asked marks a question of benchmarks.toml.
	Asked bool    `json:"asked,omitempty"`
	Alpha float64 `json:"alpha"` // of the question, shared by its family
	// Equivalence is about the margin within which a cost does not matter; nil
	// without a margin, or without an interval.
	Equivalence *Equivalence `json:"equivalence,omitempty"`
	// Pooled is the paper's arithmetic beside ours, of scenarios with
	// pool = "calls".
	Pooled string `json:"pooled,omitempty"`

	Unit string `json:"-"` // of the metric
}

// Mark is something that spoils a number, and is printed at it: cause,
// consequence, what to do.
type Mark struct {
	Kind string `json:"kind"`
	Show string `json:"show"` // as at the number, e.g. "lost 95.5 %"
	Text string `json:"text"` // cause, consequence, what to do
}

// Failure is a failed invocation.
type Failure struct {
	Invocation string `json:"invocation"`
	Kind       string `json:"kind"`
	Message    string `json:"message"`
	LogTail    string `json:"log_tail,omitempty"`
}

// Warning is a warning that Count invocations of a cell carry.
type Warning struct {
	Text  string `json:"text"`
	Count int    `json:"count"`
}
