package compare

import (
	"slices"
	"time"

	"moobench/analysis"
	"moobench/analysis/infer"
	"moobench/results"
)

// Comparison is the result of comparing two or more campaigns. Every number in it is finite; an
// unknown one is absent, with the reason in another field.
type Comparison struct {
	Version int `json:"format"` // 2
	// Campaigns are the compared campaigns; each later one is compared with the first.
	Campaigns []Campaign `json:"campaigns"`
	// Margin is the largest relative change that does not matter: 0.03 is 3 %.
	Margin float64 `json:"margin"`
	// Confidence is the simultaneous level of the intervals of a family.
	Confidence float64 `json:"confidence"`
	// Unlike lists the differences (machine, JDK, plan) that forbid a comparison without --anyway.
	// Absent when the campaigns are alike.
	Unlike []Difference `json:"incompatible,omitempty"`
	// Changed lists the other differences: versions, artifacts and arguments of the variants,
	// number of blocks, calls found by pilots, settings of the machine.
	Changed []Difference `json:"changed,omitempty"`
	// Scenarios are the scenarios that the campaigns share.
	Scenarios []Scenario `json:"scenarios"`
	// Only lists the cells missing from some campaign.
	Only []Only `json:"only,omitempty"`
	// Notes apply to all changes, and say whether the intervals include the variation between
	// nights.
	Notes []string `json:"notes,omitempty"`
}

// Campaign is one of the compared campaigns.
type Campaign struct {
	Title    string     `json:"title"`              // old and new; A, B, … for three or more
	Folder   string     `json:"folder,omitempty"`   // its folder
	Name     string     `json:"name"`               // as in benchmarks.toml
	Start    *time.Time `json:"start,omitempty"`    // start of its first invocation
	Blocks   int        `json:"blocks"`             // planned timing blocks
	Moobench string     `json:"moobench,omitempty"` // version of moobench
	Machines []string   `json:"machines,omitempty"` // hosts
	Runtimes []string   `json:"runtimes,omitempty"` // JDK builds
	// Failed lists its failed A/As: no difference of this campaign can be trusted.
	Failed []string `json:"aa_failed,omitempty"`
	// Incomplete says why some planned cells have no answer; if any campaign has this, the program
	// exits with 4.
	Incomplete []string `json:"incomplete,omitempty"`
	// Warnings are about its files: unreadable ones, and ones changed since they were sealed.
	Warnings []string `json:"warnings,omitempty"`
}

// Difference is a property in which campaigns differ.
type Difference struct {
	What   string   `json:"name"`            // its name
	Values []string `json:"values"`          // one per campaign, "" if not known
	Cells  []string `json:"cells,omitempty"` // labels of the affected cells; absent: all
}

// Only is a cell missing from some campaign.
type Only struct {
	Scenario string   `json:"scenario"`  // label
	Cell     string   `json:"cell"`      // label
	In       []string `json:"campaigns"` // titles of the campaigns that have it
}

// Scenario is one scenario that the campaigns share.
type Scenario struct {
	Label string `json:"label"`           // as planned
	Use   string `json:"use"`             // name of the workload
	About string `json:"about,omitempty"` // description
	// Metrics are the primary metric, key metrics, and with --all every other.
	Metrics []Metric `json:"metrics"`
}

// Metric is one metric in all cells.
type Metric struct {
	Metric results.Metric `json:"metric"` // its definition
	// Quantile (p50 or p90) is set if this is a quantile of the samples of each invocation, of the
	// metric named before the slash. Mean, differences and changes are then those of the quantile,
	// averaged over invocations. Absent for a metric itself.
	Quantile string `json:"quantile,omitempty"`
	Primary  bool   `json:"primary,omitempty"` // whether this is the scenario's primary metric, in the first campaign
	// Rows are its cells. A cell without a number in any campaign is left out, except in the
	// primary metric.
	Rows []Row `json:"rows"`
}

// Row is one cell.
type Row struct {
	Cell    string       `json:"cell"`            // label
	Variant string       `json:"variant"`         // framework/mode/stage, or the name of a baseline
	Role    results.Role `json:"role"`            // the cell's role
	Level   string       `json:"level,omitempty"` // factor level
	// Sides are the cell's figures, one per campaign.
	Sides []Side `json:"sides"`
	// Changes compare each later campaign with the first; campaigns without the cell are left out.
	Changes []Change `json:"changes"`
}

// Side is a cell in one campaign.
type Side struct {
	// ID is the cell's ID; absent if the campaign has no such cell.
	ID      string `json:"id,omitempty"`
	Invalid string `json:"invalid,omitempty"` // why its numbers don't count
	// Executions is the number of monitored executions per call, for the primary metric if the
	// report divides costs by it; all numbers here are per whole call.
	Executions int64 `json:"executions,omitempty"`
	// Mean is the metric's mean, in its unit.
	Mean *analysis.Estimate `json:"mean,omitempty"`
	// Ratio and Difference are against the cell's own reference.
	Ratio      *analysis.Estimate `json:"ratio,omitempty"`
	Difference *analysis.Estimate `json:"difference,omitempty"`
	// AtStandard has the same figures at the standard CPU speed; absent if the speed is not known,
	// and for quantiles. Changes don't use it: they are computed between the two speeds.
	AtStandard *analysis.AtStandard `json:"at_standard,omitempty"`
	// Rate is the rate of a metric that counts events.
	Rate   *analysis.Rate  `json:"rate,omitempty"`
	Absent string          `json:"absent,omitempty"`  // why there is no number
	Marks  []analysis.Mark `json:"caveats,omitempty"` // caveats of its numbers
}

// Change compares a cell of one campaign with that of the first.
type Change struct {
	Campaign string `json:"campaign"` // title
	// Verdict is regression or improvement when the whole interval, which includes the variation
	// between nights, lies on one side of "no change"; unconfirmed difference when it does, but the
	// variation between nights is not known; equivalent when the change is shown to lie within the
	// margin, whether or not it is shown to differ; undecided otherwise. changed: the interval
	// excludes "no change", but the change is not judged (baselines, A/As, metrics without a better
	// direction). no answer: there is no estimate to judge.
	Verdict infer.Judgement `json:"verdict"`
	// Estimate is the difference of the two overheads in the metric's unit, each a difference from
	// its own reference (0 is no change); when Relative, the ratio of the two, each a ratio to a
	// monitored reference (1 is no change). Its n is the smaller one's, its test is whether there
	// is a change, and the detectable change is given when the verdict is undecided.
	Estimate *analysis.Estimate `json:"estimate,omitempty"`
	Relative bool               `json:"relative,omitempty"` // whether the estimate is a ratio
	// Raw says that the estimate compares the means themselves: the cell has no reference, so the
	// state of the machine that night is in it.
	Raw bool `json:"without_reference,omitempty"`
	// OneSpeed is the CPU speed at which the two were compared; absent if they are compared as
	// measured.
	OneSpeed *OneSpeed `json:"at_one_speed,omitempty"`
	// SE is the standard error of the estimate, or of its logarithm when Relative; absent when not
	// known.
	SE *float64 `json:"se,omitempty"`
	// Family is the number of changes with simultaneous intervals: those of the variants of one
	// factor level, in one metric; each interval is at 1 − 0.05/family.
	Family int      `json:"family"`
	PHolm  *float64 `json:"p_holm,omitempty"` // p adjusted over the family (Holm 1979)
	// Equivalence has the two one-sided tests of the margin, each at 0.05/family; in the metric's
	// unit, the margin is a share of the smaller mean.
	Equivalence *analysis.Equivalence `json:"equivalence,omitempty"`
	// Between is the variation between nights of the series, from the history; absent when it is
	// not in SE.
	Between *Between `json:"between,omitempty"`
	// Doubt bounds the effect of the two programs on the reference. The verdict allows for it.
	// Absent if both campaigns ran the same program, or nothing was carried.
	Doubt *infer.Doubt `json:"reference_doubt,omitempty"`
	// Absent says why there is no estimate, or no verdict.
	Absent string `json:"absent,omitempty"`
	// Why is Absent without the title of the campaign Whose it is about; Whose is "" when it is
	// about both.
	Why   string `json:"-"`
	Whose string `json:"-"`
}

// Between is the variation between nights of a series beyond their own standard errors.
type Between struct {
	SD     float64 `json:"sd"`     // standard deviation: of logarithms when Relative, else in the metric's unit
	Nights int     `json:"nights"` // nights that it was estimated from
}

// Count returns the number of changes of variants with a verdict.
func (m *Metric) Count(v infer.Judgement) (n int) {
	for _, r := range m.Rows {
		for _, c := range r.Changes {
			if r.Role == results.RoleVariant && c.Verdict == v {
				n++
			}
		}
	}
	return n
}

// Incomplete reports whether any campaign lacks a reliable answer.
func (c *Comparison) Incomplete() bool {
	return slices.ContainsFunc(c.Campaigns, func(one Campaign) bool { return len(one.Incomplete) > 0 })
}
