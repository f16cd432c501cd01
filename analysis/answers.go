package analysis

import (
	"time"

	"moobench/analysis/caveat"
	"moobench/analysis/chapter"
	"moobench/analysis/chapter/breakeven"
	"moobench/analysis/chapter/contrasts"
	"moobench/analysis/chapter/distribution"
	"moobench/analysis/chapter/fleet"
	"moobench/analysis/chapter/growth"
	"moobench/analysis/chapter/lanes"
	"moobench/analysis/chapter/modes"
	"moobench/analysis/chapter/records"
	"moobench/analysis/chapter/repeats"
	"moobench/analysis/chapter/saturation"
	"moobench/analysis/chapter/settling"
	"moobench/analysis/chapter/sizing"
	"moobench/analysis/chapter/timelines"
	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/proof"
	"moobench/analysis/prose"
	"moobench/analysis/reading"
	"moobench/results"
)

// Types that other packages contribute unchanged.
type (
	Estimate    = infer.Estimate
	Interval    = infer.Interval
	Test        = infer.Test
	Equivalence = infer.Equivalence
	Verdict     = infer.Verdict
	Records     = proof.Records
	Sentence    = prose.Sentence
	Mark        = caveat.Mark
	Rate        = reading.Rate
	Rates       = reading.Rates
)

// Answers holds everything that a report says about one campaign. Every number is finite: an unknown one is
// absent, with the reason beside it. Keys may be added within a version of the JSON (results.Format); meanings
// never change.
type Answers struct {
	Version int `json:"format"` // 2
	// Campaign is the provenance of the answers.
	Campaign Campaign `json:"campaign"`
	// Machines are the hosts, as in the campaign's folder machines.
	Machines []*results.Machine `json:"machines,omitempty"`
	// Scenarios has the answers, scenario by scenario.
	Scenarios []Scenario `json:"scenarios"`
	// Invocations are all current invocations.
	Invocations []Invocation `json:"invocations"`
	// Traced are the invocations whose threads the page draws.
	Traced []Traced `json:"-"`
	// Loops is the share of wall time inside the loops, over the whole campaign.
	Loops Loops `json:"loops"`
	// BreakEvens say after how many calls a swap pays for itself; absent if nothing was swapped.
	BreakEvens breakeven.Answers `json:"break_evens,omitempty"`
	// Gate is the verdict of the campaign's gate; absent without a gate.
	Gate *GateAnswer `json:"gate,omitempty"`
	// Superseded are the invocations of blocks that were started again; no number includes them.
	Superseded []Superseded `json:"superseded_invocations,omitempty"`
	// Hosts say how each machine was quietened, and what changed between sessions.
	Hosts []Host `json:"hosts,omitempty"`
	// Settings are the knobs as the campaign's first invocation read them back.
	Settings map[string]string `json:"settings,omitempty"`
	// Changed says what differs from the sealed campaign; absent if nothing does, or it is not sealed. Warnings
	// repeat it.
	Changed string `json:"changed,omitempty"`
	// Warnings say what could not be read, or does not match its record.
	Warnings []string `json:"warnings,omitempty"`
	// Unanswered says why some planned cells have no reliable answer: not instrumented, given up, unfinished,
	// A/A failed. If it is present, the program exits with 4.
	Unanswered []string `json:"incomplete,omitempty"`
}

// Incomplete reports whether a planned cell has no reliable answer.
func (a *Answers) Incomplete() bool { return len(a.Unanswered) > 0 }

// Campaign is the provenance of the answers.
type Campaign struct {
	Name    string    `json:"name"`            // as in benchmarks.toml
	About   string    `json:"about,omitempty"` // as in benchmarks.toml, or a note on an import
	Created time.Time `json:"created"`         // when the campaign was planned, or imported
	// Source is moobench, or the tool that the campaign was imported from.
	Source string `json:"source"`
	// Design is the order of invocations: randomised blocks or, for imports, unordered (no blocks, no pairs, no
	// A/A) or paired (the source says which belong together, but not in which order they ran).
	Design   results.Design    `json:"design"`
	Seed     uint64            `json:"seed,string"`         // as text, because it needs 64 bits
	PlanHash string            `json:"plan_hash,omitempty"` // hash of the plan
	Versions map[string]string `json:"versions,omitempty"`  // versions of the programs
	Start    *time.Time        `json:"start,omitempty"`     // start of the first invocation
	End      *time.Time        `json:"end,omitempty"`       // end of the last invocation
	Blocks   int               `json:"blocks"`              // planned timing blocks
	// Scale is the length of a replication as a share of the paper's experiment, 0.1; absent at full length.
	Scale          float64 `json:"scale,omitempty"`
	Extra          int     `json:"extra_blocks,omitempty"`    // blocks that were added
	ExtraFailed    int     `json:"extra_failed,omitempty"`    // added blocks that repeat failed invocations
	ExtraDisturbed int     `json:"extra_disturbed,omitempty"` // added blocks that repeat disturbed invocations
	ExtraInvalid   int     `json:"extra_invalid,omitempty"`   // added blocks that repeat invalid invocations, whatever else they repeat
	// Control is the control of the machine that benchmarks.toml asks for.
	Control *results.Control `json:"control,omitempty"`
	fleet.Fleet
	Sessions int      `json:"sessions"`           // runs of moobench on one boot of one host
	Runtimes []string `json:"runtimes,omitempty"` // JDK builds
	// Superseded counts the invocations of interrupted blocks that were started again; no number includes them.
	Superseded int `json:"superseded,omitempty"`
}

// Pool names the pool whose machines are interchangeable, "" without one. Hosts that measured shards of a plan
// form a pool, because any machine may measure a shard.
func (c *Campaign) Pool() string {
	if c.Control != nil && c.Control.Pool != "" {
		return c.Control.Pool
	}
	return prose.If(len(c.Hosts) > 0 && c.Lanes() == 0, results.FleetPool)
}

// Scenario holds the answers of one scenario.
type Scenario struct {
	Label   string `json:"label"`             // unique within the campaign
	Use     string `json:"use"`               // name of the scenario
	About   string `json:"about,omitempty"`   // as planned
	Primary string `json:"primary,omitempty"` // name of the metric that verdicts are about
	// Metrics are the definitions of all metrics.
	Metrics []results.Metric `json:"metrics"`
	// Window says in words which samples the means cover.
	Window string `json:"window"`
	// References say how fast the CPU was, and to which speed values were carried; absent if no reference was
	// taken.
	References []Reference `json:"references,omitempty"`
	// Common are the parameters that all cells share.
	Common []results.Value `json:"common,omitempty"`
	// Notes apply to all numbers, such as "1 CPU: …" or "unordered: …".
	Notes []string     `json:"notes,omitempty"`
	modes *modes.Modes // in the caveats of cells
	pilot *settling.Pilot
	// Lanes say how lanes that measured at once on one machine affect each other; absent without lanes.
	Lanes   *lanes.Lanes `json:"lanes,omitempty"`
	Answers []Answer     `json:"answers,omitempty"` // answers to the questions
	// Unseen is said once if an answer is "equivalent" or "negligible": it names the modes that so few JVMs may
	// have missed.
	Unseen string `json:"unseen_modes,omitempty"`
	Cells  []Cell `json:"cells"`        // in the order of the plan
	AA     []AA   `json:"aa,omitempty"` // A/A tests of the second baselines
	Loops  Loops  `json:"loops"`        // share of wall time inside the scenario's loops
	// WindowKind is the choice that Window puts in words.
	WindowKind results.Window `json:"window_kind,omitempty"`
	// Settling says how the number of calls was found; absent if it was given.
	Settling *results.Settling `json:"settling,omitempty"`
	// Sizing says how the number of blocks was found; absent if it was fixed, and no time limit cut it.
	Sizing *sizing.Sizing `json:"sizing,omitempty"`
	contrasts.Parts
	// Repeats says what became of disturbed invocations that extra blocks repeated; absent without any.
	Repeats *repeats.Repeats `json:"repeats,omitempty"`
	// Growths say how metrics grow with a factor; absent if that was not asked.
	Growths growth.Lines `json:"growths,omitempty"`
	// Chapters has, by name, what chapters without a key of their own found; absent without any.
	Chapters map[string]chapter.Value `json:"chapters,omitempty"`
	// Saturations say how records, calls and CPU time respond to rising call rates; absent if calls were not
	// made at set rates.
	Saturations saturation.Curves `json:"saturations,omitempty"`
	// Published are a paper's figures for variants of this scenario.
	Published []results.Published `json:"published,omitempty"`
	// Calibrations are the loads that baselines sustain; other loads are shares of them.
	Calibrations []Calibration `json:"calibrations,omitempty"`
	timelines.Loads
	// PooledRates is the arithmetic of papers that scale counts to their own arm's total; present if PoolKind
	// asks for it.
	PooledRates []PooledRates `json:"pooled_rates,omitempty"`
	// Pooled says that Cells carry others' arithmetic, which treats each call as an independent observation:
	// pseudo-replication, for comparison only.
	Pooled string `json:"pooled,omitempty"`
	// PoolKind names that arithmetic: the papers', over the calls of all invocations (results.PoolCalls), or
	// that of MooBench's script, over the calls of the last invocation alone (results.PoolLastLoop).
	PoolKind string `json:"pool_kind,omitempty"`
}

// Scenario returns the scenario with a label, or nil.
func (a *Answers) Scenario(label string) *Scenario {
	return results.Find(a.Scenarios, func(s *Scenario) bool { return s.Label == label })
}

// Cell returns the cell with an ID, or nil.
func (s *Scenario) Cell(id string) *Cell {
	return results.Find(s.Cells, func(c *Cell) bool { return c.ID == id })
}

// MetricNamed returns the definition of a metric, or nil.
func (s *Scenario) MetricNamed(name string) *results.Metric {
	return results.Find(s.Metrics, func(m *results.Metric) bool { return m.Name == name })
}

// MetricNamed returns the cell's answer for a metric, or nil.
func (c *Cell) MetricNamed(name string) *MetricAnswer {
	return results.Find(c.Metrics, func(m *MetricAnswer) bool { return m.Metric == name })
}

// Cell holds what is known of one cell.
type Cell struct {
	ID        string       `json:"id"`                  // c00, c01, …
	Label     string       `json:"label"`               // variant with its factor level
	Variant   string       `json:"variant"`             // framework/mode/stage, or the name of a baseline
	Framework string       `json:"framework,omitempty"` // monitoring framework
	Mode      string       `json:"mode,omitempty"`      // how the probe gets in
	Stage     string       `json:"stage,omitempty"`     // how far the record goes
	Role      results.Role `json:"role"`                // baseline, variant, second baseline or proof
	Level     string       `json:"level,omitempty"`     // factor level, depth=10
	// Factors are the parameters that differ between cells of the scenario.
	Factors  []results.Value `json:"factors,omitempty"`
	Baseline string          `json:"baseline,omitempty"` // ID of the cell that it is compared with
	// Planned, OK, Failed and Disturbed count invocations of the primary metric's profile: in planned blocks,
	// succeeded, failed, disturbed by other processes. OK and Failed include extra blocks. Missing counts
	// invocations of any profile that were not started yet.
	Planned   int `json:"planned"`
	OK        int `json:"ok"`
	Failed    int `json:"failed"`
	Missing   int `json:"missing"`
	Disturbed int `json:"disturbed"`
	// Repeated counts disturbed invocations that an extra block repeated. The numbers include them; the
	// scenario's repeats say more.
	Repeated int `json:"repeated,omitempty"`
	// InvalidInvocations counts invocations that ended well but are excluded from every estimate, because the
	// work asked of the subject was not as planned. OK excludes them.
	InvalidInvocations int `json:"invalid_invocations,omitempty"`
	// GivenUp says why the cell was no longer started.
	GivenUp string `json:"given_up,omitempty"`
	// GivenUpBy are the shards of a merged campaign that gave the cell up while others went on, each with its
	// reason. Its numbers come from the others, and from earlier blocks.
	GivenUpBy []string `json:"given_up_by,omitempty"`
	// Invalid says why none of the cell's numbers count: it was not instrumented, or its baseline gave too many
	// wrong answers.
	Invalid string `json:"invalid,omitempty"`
	// Broken says how the application failed under the agent: it gave wrong answers. Its numbers are shown but
	// support no verdict; the program exits with 4.
	Broken string `json:"broken,omitempty"`
	records.Outcome
	// AgentThreads names the threads that the variant started and that took CPU time; names that differ only in
	// numbers are merged, with * for each number. There are three at most, by falling number of invocations.
	AgentThreads []string `json:"agent_threads,omitempty"`
	// Metrics have one entry for each metric of the scenario, in that order.
	Metrics  []MetricAnswer `json:"metrics"`
	Marks    []caveat.Mark  `json:"caveats,omitempty"`  // caveats about its numbers
	Failures []Failure      `json:"failures,omitempty"` // its failed invocations
	Warnings []Warning      `json:"warnings,omitempty"` // warnings of its invocations
	// Launch tells how the framework got into the JVM.
	Launch results.Launch `json:"launch"`
	// Steady says how its invocations reach a steady state; absent if the primary metric is not a series.
	Steady *Steady `json:"steady,omitempty"`
	// Labels split the primary metric by request label, if there are several: the labels that make up the mean,
	// with equal weights, and the rest.
	Labels []Stratum `json:"labels,omitempty"`
	// AtMix is the primary metric's difference from the baseline, with labels weighted by their number of
	// requests in the baseline; absent with one label.
	AtMix *Estimate `json:"at_baseline_mix,omitempty"`
	// PerRecord is the difference from the baseline per delivered record, in the primary metric's unit.
	PerRecord   *Estimate `json:"per_record,omitempty"`
	NoPerRecord string    `json:"no_per_record,omitempty"` // why there is none
	// PerExecution is the primary metric's difference from the baseline divided by Executions, the monitored
	// executions of a call; absent if these are unknown.
	PerExecution *Estimate `json:"per_execution,omitempty"`
	Executions   int64     `json:"executions,omitempty"`
	// Unadjusted is the primary metric's difference from the baseline without adjustment by the reference;
	// absent if nothing is adjusted.
	Unadjusted *Estimate `json:"unadjusted,omitempty"`
	// Doubt bounds the error of the difference because the variant itself slows the reference down or speeds it
	// up; absent if nothing is adjusted. The interval does not include it; verdicts leave room for it.
	Doubt *infer.Doubt `json:"reference_doubt,omitempty"`
	// Pooled is others' arithmetic over calls, only for comparison with printed tables.
	Pooled *Pooled `json:"pooled,omitempty"`
	// Distribution is the distribution of the primary metric's calls; absent if the metric is not a series of
	// calls, or if NoDistribution says why.
	Distribution   *distribution.Distribution `json:"distribution,omitempty"`
	NoDistribution string                     `json:"no_distribution,omitempty"` // why there is none
	// Other is the primary metric's mean over the window that was not chosen: half for steady, steady for the
	// others. It shows how much depends on the choice.
	Other *OtherWindow `json:"other_window,omitempty"`
}

// MetricAnswer is the answer for one metric of one cell.
type MetricAnswer struct {
	Metric string `json:"metric"` // name
	// Mean is the mean over invocations with its t interval; absent if Absent says why.
	Mean   *Estimate `json:"mean,omitempty"`
	Absent string    `json:"absent,omitempty"` // why there is no mean
	// Difference is cell minus baseline, in the metric's unit: paired within blocks, or Welch's in unordered
	// campaigns.
	Difference *Estimate `json:"difference,omitempty"`
	// Ratio is cell over baseline, from paired logarithms.
	Ratio        *Estimate `json:"ratio,omitempty"`
	NoDifference string    `json:"no_difference,omitempty"` // why there is no difference
	NoRatio      string    `json:"no_ratio,omitempty"`      // why there is no ratio
	// Verdict is the verdict on Difference, with the values of Answer.Verdict. It answers the scenario's own
	// question about the metric or, without one, uses the margin of Equivalence. Absent without a baseline, and
	// for counts of events.
	Verdict Verdict `json:"verdict,omitempty"`
	// Equivalence is about the margin within which Difference does not matter. Unless a question names one, it
	// is 1 % of the baseline, and 1 B or 1 ns below 100.
	Equivalence *Equivalence `json:"equivalence,omitempty"`
	// Hosts has Difference on each host of a merged campaign, and their combination; absent if one host
	// measured all.
	Hosts *infer.Hosts `json:"hosts,omitempty"`
	// Healthy is Difference without the hosts whose own A/A failed; only for the primary metric of a merged
	// campaign with such hosts.
	Healthy *Estimate `json:"without_failed_hosts,omitempty"`
	// AtLeast is present if some values are only known to exceed a bound: then there is neither a mean nor a
	// difference of means.
	AtLeast *reading.AtLeast `json:"at_least,omitempty"`
	// InPairs are the means over the blocks behind Difference; absent if these hold all values.
	InPairs *InPairs `json:"in_pairs,omitempty"`
	// Kept is Difference without the disturbed invocations that were repeated; only for the primary metric of a
	// scenario with such invocations.
	Kept *Estimate `json:"without_repeated,omitempty"`
	// All is Difference itself, present with Kept.
	All *Estimate `json:"with_repeated,omitempty"`
	// Quantiles are quantiles of each invocation's calls.
	Quantiles   []Quantile `json:"quantiles,omitempty"`
	NoQuantiles string     `json:"no_quantiles,omitempty"` // why there are none
	// Rate replaces the mean for a metric that counts events.
	Rate *reading.Rate `json:"rate,omitempty"`
	// Components splits the variance of a metric that is a mean of samples.
	Components *Components `json:"components,omitempty"`
	// Speed says how the values were adjusted for the speed of the CPU; absent for values as measured.
	Speed *Speed `json:"speed,omitempty"`
	// AtStandard has the same figures at the standard speed of the CPU. If they differ, they are printed first.
	// Absent if the metric does not follow the speed, or no standard is known.
	AtStandard *AtStandard `json:"at_standard,omitempty"`
	// Values has one value per invocation, and how it was carried to one speed of the CPU. Comparisons with
	// other campaigns use these.
	Values evidence.Values `json:"-"`
}

// InPairs are the figures of a cell and its baseline over the blocks that hold both. A failed or invalid
// invocation leaves another without its partner: that one counts in its own cell's figures, but in no
// difference.
type InPairs struct {
	Blocks  int     `json:"blocks"`  // blocks that hold both
	With    float64 `json:"with"`    // figure of the cell
	Without float64 `json:"without"` // figure of its baseline
}

// Quantile returns the quantile with this name, or nil if it was not observed.
func (a *MetricAnswer) Quantile(name string) *Quantile {
	return results.Find(a.Quantiles, func(q *Quantile) bool { return q.Name == name })
}

// Speed says how a cell's values of one metric were carried to one speed of the CPU: value = measured · (at /
// reference)^elasticity.
type Speed struct {
	ReferenceNS float64 `json:"reference_ns"` // time of the reference beside them: the geometric mean
	AtNS        float64 `json:"at_ns"`        // time of the reference at the speed that they are carried to
	// Elasticity is the program's slowdown, in per cent, for a slowdown of the reference by one per cent; SE is
	// its standard error.
	Elasticity float64 `json:"elasticity"`
	SE         float64 `json:"elasticity_se"`
}

// Components are variance components after Kalibera and Jones: between invocations, and within them (between
// means of batches). The share of batches in the variance of an invocation's mean is computed as if they were
// independent. Autocorrelation adds more, which counts as between: apart from chance, BetweenSD and ICC are
// upper bounds.
type Components struct {
	// BetweenSD is the standard deviation between invocations, in the metric's unit, less the share of batches;
	// 0 if that share is larger. If batches are not independent, it is an upper bound.
	BetweenSD float64 `json:"between_sd"`
	WithinSD  float64 `json:"within_sd"` // standard deviation of batches inside an invocation, in the metric's unit
	// ICC is the share of the variance that lies between invocations. If batches are not independent, it is an
	// upper bound.
	ICC float64 `json:"icc"`
}

// Quantile is a quantile of each invocation's calls, as the median over invocations.
type Quantile struct {
	Name string  `json:"name"` // p50, p90, p99, p99.9, max
	P    float64 `json:"p"`    // 0.5, 0.9, 0.99, 0.999, 1
	// Estimate is the median over invocations.
	Estimate Estimate `json:"estimate"`
	// Difference is the median over blocks of cell minus baseline, with an order-statistic interval.
	Difference *Estimate `json:"difference,omitempty"`
	// Ratio is the same for cell over baseline.
	Ratio        *Estimate `json:"ratio,omitempty"`
	NoDifference string    `json:"no_difference,omitempty"` // why there is neither
	// Verdict and Equivalence are about Difference, as in a metric.
	Verdict     Verdict      `json:"verdict,omitempty"`
	Equivalence *Equivalence `json:"equivalence,omitempty"` // about the margin
	// InPairs are the medians over the blocks behind Difference; absent if these hold all values.
	InPairs *InPairs `json:"in_pairs,omitempty"`
	// AtStandard has the same figures at the standard speed of the CPU. Absent if the quantile does not follow
	// the speed, or no standard is known.
	AtStandard *AtStandard `json:"at_standard,omitempty"`
	// Values has the quantile of each invocation, and how it was carried to one speed of the CPU. Comparisons
	// with other campaigns use these.
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
	// Quantile is the quantile that the question is about, 0.99; absent: the mean.
	Quantile float64 `json:"quantile,omitempty"`
	// Alternative is the direction of a one-sided question about A - B: greater, less; absent: two-sided.
	Alternative string `json:"alternative,omitempty"`
	// Family names the questions whose intervals are simultaneous, FamilySize is their number.
	Family     string `json:"family,omitempty"`
	FamilySize int    `json:"family_size"`
	// Difference is A - B, in the metric's unit.
	Difference *Estimate `json:"difference,omitempty"`
	// Ratio is A over B.
	Ratio *Estimate `json:"ratio,omitempty"`
	// AtStandard answers the question at the standard speed of the CPU. The verdict remains that of the
	// campaign as it ran. Absent if the metric does not follow the speed, or no standard is known.
	AtStandard *AtStandard `json:"at_standard,omitempty"`
	// Rates answers for a metric that counts events; Difference and Ratio are then absent.
	Rates *reading.Rates `json:"rates,omitempty"`
	// Verdict is read from the interval. higher, lower: it lies above, below 0. negligible: it excludes 0, but
	// lies within the margin. equivalent: it contains 0, and the difference is shown to lie within the margin.
	// undecided: it contains 0. excluded: it excludes the direction that a one-sided question asked about; the
	// other one is not claimed. no answer: there is no interval.
	Verdict  Verdict  `json:"verdict"`
	Sentence Sentence `json:"sentence"`         // the answer in words
	Detail   string   `json:"detail,omitempty"` // test, degrees of freedom, p, n, what can be detected
	// Caveats limit the answer: few invocations, ties, values that do not vary.
	Caveats []infer.Caveat `json:"caveats,omitempty"`
	// Kept is Difference without the disturbed invocations that were repeated; absent without any.
	Kept *Estimate `json:"without_repeated,omitempty"`
	// All is Difference itself, present with Kept.
	All     *Estimate `json:"with_repeated,omitempty"`
	Without string    `json:"repeated_text,omitempty"` // Kept in words
	// Asked marks a question of benchmarks.toml; the scenario itself asks the others.
	Asked bool `json:"configured,omitempty"`
	// Alpha is the question's chance of a wrong "yes", which its family shares.
	Alpha float64 `json:"alpha"`
	// Equivalence is about the margin within which a cost does not matter; absent without a margin or an
	// interval.
	Equivalence *Equivalence `json:"equivalence,omitempty"`
	// Pooled is the papers' arithmetic in words, if the scenario asks for it.
	Pooled string `json:"pooled,omitempty"`
	// Doubt bounds the influence of A itself on the reference of the CPU's speed. The verdict leaves room for
	// it beside the interval. Absent if nothing was carried by the reference.
	Doubt *infer.Doubt `json:"reference_doubt,omitempty"`

	Unit string `json:"-"` // of the metric
}

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
