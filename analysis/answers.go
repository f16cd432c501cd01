package analysis

import (
	"time"

	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/proof"
	"moobench/analysis/prose"
	"moobench/results"
)

// What other rooms hand on stands in the answers as it is.
type (
	Estimate    = infer.Estimate
	Interval    = infer.Interval
	Test        = infer.Test
	Equivalence = infer.Equivalence
	Verdict     = infer.Verdict
	Records     = proof.Records
	Queue       = proof.Queue
	Sentence    = prose.Sentence
)

// Answers is everything that a report says about one campaign. Every number in it
// is finite: what is not known is absent, with the reason beside it. Keys may be added
// within a version of JSON, which is results.Format; meanings never change.
type Answers struct {
	Version int `json:"format"` // 2
	// Campaign is where the answers come from.
	Campaign Campaign `json:"campaign"`
	// Machines are the hosts, as in the folder machines of the campaign.
	Machines []*results.Machine `json:"machines,omitempty"`
	// Scenarios are the answers.
	Scenarios []Scenario `json:"scenarios"`
	// Invocations are all current ones.
	Invocations []Invocation `json:"invocations"`
	// Traced are those of which the page draws what their threads did.
	Traced []Traced `json:"-"`
	// Loops is the share of wall time inside the loops, of the whole campaign.
	Loops Loops `json:"loops"`
	// BreakEvens say after how many calls a swap pays for itself; absent when nothing
	// was swapped.
	BreakEvens []BreakEven `json:"break_evens,omitempty"`
	// Gate is what the campaign's gate says; absent when it has none.
	Gate *GateAnswer `json:"gate,omitempty"`
	// Superseded are the invocations of blocks that were started again; they are in no
	// number.
	Superseded []Superseded `json:"superseded_invocations,omitempty"`
	// Hosts say how each machine was quietened, and what changed between sessions.
	Hosts []Host `json:"hosts,omitempty"`
	// Settings are the knobs as the campaign's first invocation read them back.
	Settings map[string]string `json:"settings,omitempty"`
	// Changed says that the campaign is not as it was sealed, and what of it; absent when
	// it is, or is not sealed. It stands in Warnings, too.
	Changed string `json:"changed,omitempty"`
	// Warnings say what could not be read, or is not as it was recorded.
	Warnings []string `json:"warnings,omitempty"`
	// Unanswered says why not every planned cell has an answer that can be relied on:
	// not instrumented, given up, unfinished, A/A failed. The program exits with 4 when
	// it is there.
	Unanswered []string `json:"incomplete,omitempty"`
}

// Incomplete says whether a planned cell has no answer that can be relied on.
func (a *Answers) Incomplete() bool { return len(a.Unanswered) > 0 }

// Campaign is where the answers come from.
type Campaign struct {
	Name    string    `json:"name"`            // as in benchmarks.toml
	About   string    `json:"about,omitempty"` // as in benchmarks.toml, or what is to be known of an import
	Created time.Time `json:"created"`         // when the campaign was planned, or imported
	// Source is moobench, or the tool that the campaign was imported from.
	Source string `json:"source"`
	// Design says how invocations were ordered: in randomised blocks, or, of imports, unordered (no
	// blocks, no pairs, no A/A) or paired (the source says what was made together, and not in which order).
	Design   results.Design    `json:"design"`
	Seed     uint64            `json:"seed,string"`         // as text, because it needs 64 bits
	PlanHash string            `json:"plan_hash,omitempty"` // hash of the plan
	Versions map[string]string `json:"versions,omitempty"`  // versions of the programs
	Start    *time.Time        `json:"start,omitempty"`     // start of the first invocation
	End      *time.Time        `json:"end,omitempty"`       // end of the last invocation
	Blocks   int               `json:"blocks"`              // planned timing blocks
	// Scale is by how much a replication was made shorter than the paper's
	// experiment, 0.1; absent when not at all.
	Scale          float64 `json:"scale,omitempty"`
	Extra          int     `json:"extra_blocks,omitempty"`    // blocks that were added
	ExtraFailed    int     `json:"extra_failed,omitempty"`    // added blocks that repeat failed invocations
	ExtraDisturbed int     `json:"extra_disturbed,omitempty"` // added blocks that repeat disturbed invocations
	ExtraInvalid   int     `json:"extra_invalid,omitempty"`   // added blocks that repeat invalid invocations, whatever else they repeat
	// Control is what benchmarks.toml asked of the machine.
	Control *results.Control `json:"control,omitempty"`
	// Fleet are the hosts of a merged campaign, in order of time; Hosts of metrics have their numbers.
	Fleet []FleetHost `json:"fleet,omitempty"`
	// Missing are the shards that nobody measured.
	Missing  []MissingShard `json:"missing_shards,omitempty"`
	Sessions int            `json:"sessions"`           // runs of moobench on one boot of one host
	Runtimes []string       `json:"runtimes,omitempty"` // JDK builds
	// Superseded counts the invocations of interrupted blocks that were started again;
	// they are in no number.
	Superseded int `json:"superseded,omitempty"`
}

// Pool names the pool any machine of which would do, "" without one. Shards of a plan are measured by
// whichever machine is there.
func (c *Campaign) Pool() string {
	if c.Control != nil && c.Control.Pool != "" {
		return c.Control.Pool
	}
	return prose.If(len(c.Fleet) > 0 && c.Lanes() == 0, results.FleetPool)
}

// Lanes counts the lanes of one machine that measured at once; 0 where none did.
func (c *Campaign) Lanes() int {
	lanes := 0
	for _, h := range c.Fleet {
		lanes = max(lanes, h.Lane)
	}
	return lanes
}

// HostWord is the word for one of Fleet: lane or machine.
func (c *Campaign) HostWord() string {
	if c.Lanes() > 0 {
		return "lane"
	}
	return "machine"
}

// Scenario holds the answers of one scenario.
type Scenario struct {
	Label   string `json:"label"`             // unique within the campaign
	Use     string `json:"use"`               // name of what was done
	About   string `json:"about,omitempty"`   // as planned
	Primary string `json:"primary,omitempty"` // name of the metric that verdicts are about
	// Metrics are the definitions of all metrics.
	Metrics []results.Metric `json:"metrics"`
	// Window says in words over which samples means are taken.
	Window string `json:"window"`
	// References say how fast the CPU was, and which speed values are at; absent where no
	// reference was taken.
	References []Reference `json:"references,omitempty"`
	// Common are the parameters that all cells share.
	Common []results.Value `json:"common,omitempty"`
	// Notes say what is true of all numbers, such as "1 CPU: …" or "unordered: …".
	Notes []string `json:"notes,omitempty"`
	// Lanes say what lanes of one machine that measured at once do to each other; absent where none did.
	Lanes   *Lanes   `json:"lanes,omitempty"`
	Answers []Answer `json:"answers,omitempty"` // answers to the questions
	// Unseen is said once where answers are "equivalent" or "negligible": which modes so few
	// JVMs may not have fallen into.
	Unseen string `json:"unseen_modes,omitempty"`
	Cells  []Cell `json:"cells"`        // in the order of the plan
	AA     []AA   `json:"aa,omitempty"` // what the second baselines say about the machine
	Loops  Loops  `json:"loops"`        // share of wall time inside the scenario's loops
	// WindowKind is the choice that Window puts in words.
	WindowKind results.Window `json:"window_kind,omitempty"`
	// Settling says how the number of calls was found; absent when it was given.
	Settling *results.Settling `json:"settling,omitempty"`
	// Sizing says how the number of blocks was found; absent when it is fixed, and so
	// many were made.
	Sizing *Sizing `json:"sizing,omitempty"`
	// Contrasts are the parts of the cost.
	Contrasts []Contrast `json:"contrasts,omitempty"`
	// Unisolated are sentences on parts that nothing here tells apart.
	Unisolated []string `json:"unisolated,omitempty"`
	// Closures are the parts that are known by two routes.
	Closures []Closure `json:"closures,omitempty"`
	// Interactions compare two agents in one JVM with the sum of both alone.
	Interactions []Interaction `json:"interactions,omitempty"`
	// Repeats says what became of disturbed invocations that extra blocks repeated;
	// absent when there are none.
	Repeats *Repeats `json:"repeats,omitempty"`
	// Growths say how metrics grow with a factor; absent when that was not asked.
	Growths []Growth `json:"growths,omitempty"`
	// Saturations say what becomes of records, calls and CPU time as calls come more often; absent
	// when they were not made at rates.
	Saturations []Saturation `json:"saturations,omitempty"`
	// Published are a paper's figures beside variants of this scenario.
	Published []results.Published `json:"published,omitempty"`
	// Calibrations say how much load baselines take, which other loads are shares of.
	Calibrations []Calibration `json:"calibrations,omitempty"`
	// Timelines show one typical invocation of each cell over time.
	Timelines []Timeline `json:"timelines,omitempty"`
	// ToggleEffects say what a change of what is monitored does to the latency
	// just after it.
	ToggleEffects []ToggleEffect `json:"toggle_effects,omitempty"`
	// PooledRates is the arithmetic of papers that scale counts to their own
	// arm's total, where PoolKind asks for it.
	PooledRates []PooledRates `json:"pooled_rates,omitempty"`
	// Pooled says that Cells carry the arithmetic of others that takes each call for an
	// independent observation: pseudo-replication, for comparison only.
	Pooled string `json:"pooled,omitempty"`
	// PoolKind says whose arithmetic that is: that of papers, over the calls of all
	// invocations (results.PoolCalls), or of MooBench's script, over those of the last
	// invocation alone (results.PoolLastLoop).
	PoolKind string `json:"pool_kind,omitempty"`
}

// Scenario is the one with a label; nil when there is none.
func (a *Answers) Scenario(label string) *Scenario {
	return results.Find(a.Scenarios, func(s *Scenario) bool { return s.Label == label })
}

// Cell is the one with an ID; nil when the scenario has none.
func (s *Scenario) Cell(id string) *Cell {
	return results.Find(s.Cells, func(c *Cell) bool { return c.ID == id })
}

// MetricNamed is the definition of a metric; nil when the scenario has none.
func (s *Scenario) MetricNamed(name string) *results.Metric {
	return results.Find(s.Metrics, func(m *results.Metric) bool { return m.Name == name })
}

// MetricNamed is what is known of a metric of the cell; nil when that is nothing.
func (c *Cell) MetricNamed(name string) *MetricAnswer {
	return results.Find(c.Metrics, func(m *MetricAnswer) bool { return m.Metric == name })
}

// Cell holds what is known of one cell.
type Cell struct {
	ID        string       `json:"id"`                  // c00, c01, …
	Label     string       `json:"label"`               // variant with its factor level
	Variant   string       `json:"variant"`             // framework/mode/stage, or the name of a baseline
	Framework string       `json:"framework,omitempty"` // who monitors
	Mode      string       `json:"mode,omitempty"`      // how the probe gets in
	Stage     string       `json:"stage,omitempty"`     // how far the record goes
	Role      results.Role `json:"role"`                // what the cell is for
	Level     string       `json:"level,omitempty"`     // factor level, depth=10
	// Factors are the parameters that differ between cells of the scenario.
	Factors  []results.Value `json:"factors,omitempty"`
	Baseline string          `json:"baseline,omitempty"` // ID of the cell that it is compared with
	// Planned, OK, Failed and Disturbed count invocations of the primary metric's
	// profile: in planned blocks, succeeded, failed, disturbed by other processes.
	// OK and Failed count extra blocks, too. Missing ones, of any profile, were not
	// started yet.
	Planned   int `json:"planned"`
	OK        int `json:"ok"`
	Failed    int `json:"failed"`
	Missing   int `json:"missing"`
	Disturbed int `json:"disturbed"`
	// Repeated counts the disturbed ones that an extra block repeated. They are in the
	// numbers; the scenario's repeats say more.
	Repeated int `json:"repeated,omitempty"`
	// InvalidInvocations counts those that ended well, but are excluded from every
	// estimate: what they asked of the subject was not what was planned. They are not in
	// OK.
	InvalidInvocations int `json:"invalid_invocations,omitempty"`
	// GivenUp says why the cell was not started any more.
	GivenUp string `json:"given_up,omitempty"`
	// GivenUpBy are the shards of a merged campaign that gave it up while others went on, each with its
	// reason. Its numbers come from the others, and from blocks before.
	GivenUpBy []string `json:"given_up_by,omitempty"`
	// Invalid says why no number of the cell counts: it was not instrumented, or its baseline
	// gave too many wrong answers.
	Invalid string `json:"invalid,omitempty"`
	// Broken says in what way the application did not do its work with the agent: it answered
	// wrongly. Its numbers are shown, and no verdict is read from them; the program exits with 4.
	Broken string `json:"broken,omitempty"`
	// Records say what became of its records.
	Records *Records `json:"records,omitempty"`
	// Queue says how often the window filled the framework's own queue.
	Queue *Queue `json:"queue,omitempty"`
	// AgentThreads are the threads that the variant has started and that took CPU time, those of
	// one name together, with * for each number; three at most, those of the most
	// invocations first.
	AgentThreads []string `json:"agent_threads,omitempty"`
	// Metrics have one entry for each metric of the scenario, in that order.
	Metrics  []MetricAnswer `json:"metrics"`
	Marks    []Mark         `json:"caveats,omitempty"`  // caveats: what distorts its numbers
	Failures []Failure      `json:"failures,omitempty"` // its failed invocations
	Warnings []Warning      `json:"warnings,omitempty"` // what its invocations warned of
	// Launch is how the framework got in.
	Launch results.Launch `json:"launch"`
	// Steady is how its invocations come to rest; absent when the primary metric is no
	// series.
	Steady *Steady `json:"steady,omitempty"`
	// Labels are its requests by label, where there are several, in the primary metric: those that
	// its mean is of, each with the same weight, and the rest.
	Labels []Stratum `json:"labels,omitempty"`
	// AtMix is the primary metric's difference from the baseline where labels are weighted by how
	// often the baseline was asked for each; absent where there is one label.
	AtMix *Estimate `json:"at_baseline_mix,omitempty"`
	// PerRecord is the difference from the baseline divided by the records
	// delivered per call, in the primary metric's unit per record.
	PerRecord   *Estimate `json:"per_record,omitempty"`
	NoPerRecord string    `json:"no_per_record,omitempty"` // why there is none
	// PerExecution is the primary metric's difference from the baseline divided by the
	// monitored executions of a call, which are Executions; absent where they are not known.
	PerExecution *Estimate `json:"per_execution,omitempty"`
	Executions   int64     `json:"executions,omitempty"`
	// Unadjusted is the primary metric's difference from the baseline as it is without
	// the reference; absent where nothing is adjusted by one.
	Unadjusted *Estimate `json:"unadjusted,omitempty"`
	// Doubt bounds how far the difference is off because the variant slows the reference down,
	// or speeds it up; absent where nothing is adjusted by one. It is not in the interval;
	// verdicts leave room for it.
	Doubt *infer.Doubt `json:"reference_doubt,omitempty"`
	// Pooled is others' arithmetic over calls, for comparison with printed tables only.
	Pooled *Pooled `json:"pooled,omitempty"`
	// Distribution is that of the primary metric's calls; absent when it is no series
	// of calls, or when NoDistribution says why.
	Distribution   *Distribution `json:"distribution,omitempty"`
	NoDistribution string        `json:"no_distribution,omitempty"` // why there is none
	// Other is the mean of the primary metric over the window that was not
	// chosen: half beside steady, steady beside the others. It shows how much
	// depends on the choice.
	Other *OtherWindow `json:"other_window,omitempty"`
}

// MetricAnswer is what is known of one metric of one cell.
type MetricAnswer struct {
	Metric string `json:"metric"` // name
	// Mean is the mean over invocations with its t interval, absent when
	// Absent says why.
	Mean   *Estimate `json:"mean,omitempty"`
	Absent string    `json:"absent,omitempty"` // why there is no mean
	// Difference is cell minus baseline, in the metric's unit: paired within blocks, of
	// unordered campaigns Welch's.
	Difference *Estimate `json:"difference,omitempty"`
	// Ratio is cell over baseline, from paired logarithms.
	Ratio        *Estimate `json:"ratio,omitempty"`
	NoDifference string    `json:"no_difference,omitempty"` // why there is no difference
	NoRatio      string    `json:"no_ratio,omitempty"`      // why there is no ratio
	// Verdict says what Difference shows, in the values of Answer.Verdict: that of the scenario's
	// own question about the metric, or where it asks none, by the margin of Equivalence. Absent
	// without a baseline, and of counts of events.
	Verdict Verdict `json:"verdict,omitempty"`
	// Equivalence is about the margin within which Difference does not matter. Where no question
	// names one it is 1 % of the baseline, and 1 B or 1 ns below 100.
	Equivalence *Equivalence `json:"equivalence,omitempty"`
	// Hosts is what the hosts of a merged campaign say of Difference, one by one and together; absent
	// where one measured.
	Hosts *infer.Hosts `json:"hosts,omitempty"`
	// Healthy is Difference without the hosts whose own A/A failed, of a primary metric in a merged campaign
	// that has such hosts.
	Healthy *Estimate `json:"without_failed_hosts,omitempty"`
	// AtLeast is there where values are only known to be larger than a bound: then there is neither
	// a mean nor a difference of means.
	AtLeast *AtLeast `json:"at_least,omitempty"`
	// InPairs are the means of the blocks that Difference is of; absent where these hold all values.
	InPairs *InPairs `json:"in_pairs,omitempty"`
	// Kept is Difference without the invocations that were disturbed and repeated,
	// of a primary metric in a scenario that has such.
	Kept *Estimate `json:"without_repeated,omitempty"`
	// All is Difference itself, where there is Kept.
	All *Estimate `json:"with_repeated,omitempty"`
	// Quantiles are those of the calls of each invocation.
	Quantiles   []Quantile `json:"quantiles,omitempty"`
	NoQuantiles string     `json:"no_quantiles,omitempty"` // why there are none
	// Rate is that of a metric which counts events, whose mean over invocations is no
	// answer.
	Rate *Rate `json:"rate,omitempty"`
	// Components splits the variance, of metrics that are means of samples.
	Components *Components `json:"components,omitempty"`
	// Speed says how the values were adjusted for the speed of the CPU; absent where they are
	// as they were measured.
	Speed *Speed `json:"speed,omitempty"`
	// AtStandard has the same figures at the standard speed of the CPU. Where they are other
	// numbers, they are printed first. Absent where the metric does not follow the speed, or no
	// standard is known.
	AtStandard *AtStandard `json:"at_standard,omitempty"`
	// Values has one value for each invocation, with how it was carried to one speed of the
	// CPU. Other campaigns are compared with these.
	Values evidence.Values `json:"-"`
}

// InPairs are the figures of a cell and its baseline over the blocks that hold both. An
// invocation that failed or does not count leaves one without its partner, which is in the
// figures of its own cell and in no difference.
type InPairs struct {
	Blocks  int     `json:"blocks"`  // that hold both
	With    float64 `json:"with"`    // of the cell
	Without float64 `json:"without"` // of its baseline
}

// Quantile returns the quantile of this name, nil where it was not observed.
func (a *MetricAnswer) Quantile(name string) *Quantile {
	return results.Find(a.Quantiles, func(q *Quantile) bool { return q.Name == name })
}

// Speed says how a cell's values of one metric were carried to one speed of the CPU: value =
// measured · (at / reference)^elasticity.
type Speed struct {
	ReferenceNS float64 `json:"reference_ns"` // how long the reference took beside them: the geometric mean
	AtNS        float64 `json:"at_ns"`        // how long it takes at the speed that they are at
	// Elasticity says by how many per cent the program slows down when the reference slows down
	// by one per cent; SE is its standard error.
	Elasticity float64 `json:"elasticity"`
	SE         float64 `json:"elasticity_se"`
}

// Components are variance components after Kalibera and Jones: between
// invocations, and within them (of the means of batches). What batches add to an
// invocation's mean is computed as if they were independent. Autocorrelation adds
// more, which counts as between: BetweenSD and ICC are upper bounds but for chance.
type Components struct {
	// BetweenSD is the standard deviation of invocations, in the metric's unit, without
	// what batches add; 0 when that is more. Where batches are not independent it is an
	// upper bound.
	BetweenSD float64 `json:"between_sd"`
	WithinSD  float64 `json:"within_sd"` // standard deviation of batches inside an invocation, in the metric's unit
	// ICC is the share of the variance that lies between invocations. Where batches
	// are not independent it is an upper bound.
	ICC float64 `json:"icc"`
}

// Quantile is the median over invocations of a quantile of the calls of each.
type Quantile struct {
	Name string  `json:"name"` // p50, p90, p99, p99.9, max
	P    float64 `json:"p"`    // 0.5, 0.9, 0.99, 0.999, 1
	// Estimate is the median over invocations.
	Estimate Estimate `json:"estimate"`
	// Difference is the median over blocks of what the quantiles of cell and baseline
	// differ by, with an order-statistic interval.
	Difference *Estimate `json:"difference,omitempty"`
	// Ratio is the same of cell over baseline.
	Ratio        *Estimate `json:"ratio,omitempty"`
	NoDifference string    `json:"no_difference,omitempty"` // why there is neither
	// Verdict and Equivalence are those of Difference, as of a metric.
	Verdict     Verdict      `json:"verdict,omitempty"`
	Equivalence *Equivalence `json:"equivalence,omitempty"` // about the margin
	// InPairs are the medians of the blocks that Difference is of; absent where these hold all
	// values.
	InPairs *InPairs `json:"in_pairs,omitempty"`
	// AtStandard has the same figures at the standard speed of the CPU. Absent where the quantile
	// does not follow the speed, or no standard is known.
	AtStandard *AtStandard `json:"at_standard,omitempty"`
	// Values has the quantile of each invocation, with how it was carried to one speed of the
	// CPU. Other campaigns are compared with these.
	Values evidence.Values `json:"-"`
}

// Answer is the answer to a question that was registered before the first
// invocation.
type Answer struct {
	ID     string `json:"id"`     // of the question
	Text   string `json:"text"`   // the question
	Metric string `json:"metric"` // name
	A      string `json:"a"`      // ID of a cell
	B      string `json:"b"`      // ID of a cell: the answer is about A - B
	// Quantile is the one that the question is about, 0.99; absent: it is about the mean.
	Quantile float64 `json:"quantile,omitempty"`
	// Alternative is what a one-sided question asks of A - B: greater, less; absent: two-sided.
	Alternative string `json:"alternative,omitempty"`
	// Family names the questions whose intervals hold together, FamilySize is their
	// number.
	Family     string `json:"family,omitempty"`
	FamilySize int    `json:"family_size"`
	// Difference is A - B, in the metric's unit.
	Difference *Estimate `json:"difference,omitempty"`
	// Ratio is A over B.
	Ratio *Estimate `json:"ratio,omitempty"`
	// AtStandard answers the question at the standard speed of the CPU. The verdict stays that of
	// the campaign as it ran. Absent where the metric does not follow the speed, or no standard is
	// known.
	AtStandard *AtStandard `json:"at_standard,omitempty"`
	// Rates is the answer about a metric that counts events; Difference and Ratio are
	// then absent.
	Rates *Rates `json:"rates,omitempty"`
	// Verdict says what the interval shows. higher, lower: all of it lies above, below 0.
	// negligible: so it does, and within the margin. equivalent: it holds 0, and the
	// difference is shown to lie within the margin. undecided: it holds 0. excluded: so is
	// what a one-sided question asked, and no other direction is claimed. no answer: there
	// is none.
	Verdict  Verdict  `json:"verdict"`
	Sentence Sentence `json:"sentence"`         // the answer in words
	Detail   string   `json:"detail,omitempty"` // test, degrees of freedom, p, n, what can be detected
	// Caveats limit the answer: few invocations, ties, values that do not vary.
	Caveats []infer.Caveat `json:"caveats,omitempty"`
	// Kept is Difference without the invocations that were disturbed and repeated;
	// absent where none were.
	Kept *Estimate `json:"without_repeated,omitempty"`
	// All is Difference itself, where there is Kept.
	All     *Estimate `json:"with_repeated,omitempty"`
	Without string    `json:"repeated_text,omitempty"` // Kept in words
	// Asked marks a question of benchmarks.toml; the scenario asks the others by itself.
	Asked bool `json:"configured,omitempty"`
	// Alpha is the chance of a wrong "yes" of the question, which its family shares.
	Alpha float64 `json:"alpha"`
	// Equivalence is about the margin within which a cost does not matter; absent
	// without a margin, or without an interval.
	Equivalence *Equivalence `json:"equivalence,omitempty"`
	// Pooled is the papers' arithmetic beside ours, in words, where the scenario asks for it.
	Pooled string `json:"pooled,omitempty"`
	// Doubt bounds what A itself does to the reference of the CPU's speed. The verdict leaves room
	// for it beside the interval. Absent where nothing was carried by the reference.
	Doubt *infer.Doubt `json:"reference_doubt,omitempty"`

	Unit string `json:"-"` // of the metric
}

// Mark is something that distorts a number, and is printed at it.
type Mark struct {
	Kind string `json:"kind"` // without amounts
	Show string `json:"show"` // as printed at the number, lost 95.5 %
	Text string `json:"text"` // cause, consequence, what to do
	// Rank is how loud it is.
	Rank Rank `json:"rank"`
	// Count and Of say how many invocations it is about; 0 where it is about all.
	Count int `json:"count,omitempty"`
	Of    int `json:"of,omitempty"`
}

// Rank is how loud a caveat is.
type Rank string

// The ranks of caveats.
const (
	NoResult   Rank = "no result"  // it stands in place of the number
	Misleading Rank = "misleading" // it stands in the number's row: without it, the number says what is not so
	Remark     Rank = "remark"     // it is said once for all cells that have it
)

// Failure is a failed invocation.
type Failure struct {
	Invocation string `json:"invocation"` // b0003.s07.r0
	results.Failure
}

// Warning is a warning that invocations of a cell carry.
type Warning struct {
	Text  string `json:"text"`  // the warning
	Count int    `json:"count"` // invocations that carry it
}
