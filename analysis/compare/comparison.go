package compare

import (
	"slices"
	"time"

	"moobench/analysis"
	"moobench/analysis/infer"
	"moobench/results"
)

// Comparison is everything that is said about two campaigns or more. Every number
// in it is finite: what is not known is absent, with the reason beside it.
type Comparison struct {
	Version int `json:"format"` // 2
	// Campaigns are what is compared; all are set against the first one.
	Campaigns []Campaign `json:"campaigns"`
	// Margin is the share within which a change does not matter: 0.03 is 3 %.
	Margin float64 `json:"margin"`
	// Confidence is the level at which the intervals of a family hold together.
	Confidence float64 `json:"confidence"`
	// Unlike says why the campaigns would have been refused, had --anyway not been
	// given: machine, JDK, plan. Absent when they are alike.
	Unlike []Difference `json:"incompatible,omitempty"`
	// Changed is what else is not the same: versions, artifacts and arguments of the
	// variants, number of blocks, calls that pilots found, settings of the machine.
	Changed []Difference `json:"changed,omitempty"`
	// Scenarios are those that the campaigns share.
	Scenarios []Scenario `json:"scenarios"`
	// Only are the cells that not every campaign has.
	Only []Only `json:"only,omitempty"`
	// Notes say what is true of all changes, and whether the variation between nights is
	// in the intervals.
	Notes []string `json:"notes,omitempty"`
}

// Campaign is one of the campaigns that are compared.
type Campaign struct {
	Title    string     `json:"title"`              // old and new; of three or more A, B, …
	Folder   string     `json:"folder,omitempty"`   // its folder
	Name     string     `json:"name"`               // as in benchmarks.toml
	Start    *time.Time `json:"start,omitempty"`    // start of its first invocation
	Blocks   int        `json:"blocks"`             // planned timing blocks
	Moobench string     `json:"moobench,omitempty"` // version of moobench
	Machines []string   `json:"machines,omitempty"` // hosts
	Runtimes []string   `json:"runtimes,omitempty"` // JDK builds
	// Failed are its A/As that failed: no difference of that campaign can be trusted.
	Failed []string `json:"aa_failed,omitempty"`
	// Incomplete says why not every planned cell of it has an answer; the program exits
	// with 4 when any campaign has this.
	Incomplete []string `json:"incomplete,omitempty"`
	// Warnings are about its files: what can't be read, or is not as it was sealed.
	Warnings []string `json:"warnings,omitempty"`
}

// Difference is something in which campaigns differ.
type Difference struct {
	What   string   `json:"name"`            // its name
	Values []string `json:"values"`          // one for each campaign, "" where it is not known
	Cells  []string `json:"cells,omitempty"` // labels of the cells that it is about; absent: all
}

// Only is a cell that not every campaign has.
type Only struct {
	Scenario string   `json:"scenario"`  // label
	Cell     string   `json:"cell"`      // label
	In       []string `json:"campaigns"` // titles of the campaigns that have it
}

// Scenario is one scenario that the campaigns share.
type Scenario struct {
	Label string `json:"label"`           // as planned
	Use   string `json:"use"`             // name of what was done
	About string `json:"about,omitempty"` // in words
	// Metrics are the primary one, key metrics, and with --all every other.
	Metrics []Metric `json:"metrics"`
}

// Metric is one metric over all cells.
type Metric struct {
	Metric results.Metric `json:"metric"` // its definition
	// Quantile says that it is about a quantile of the samples of each invocation: p50 or p90, of
	// the metric whose name stands before the slash. Then mean, differences and changes are those
	// of the quantile, on average over invocations. Absent of a metric itself.
	Quantile string `json:"quantile,omitempty"`
	Primary  bool   `json:"primary,omitempty"` // whether the scenario's verdicts are about it, in the first campaign
	// Rows are its cells. One of which no campaign has a number is left out, except in the
	// primary metric.
	Rows []Row `json:"rows"`
}

// Row is one cell.
type Row struct {
	Cell    string       `json:"cell"`            // label
	Variant string       `json:"variant"`         // framework/mode/stage, or the name of a baseline
	Role    results.Role `json:"role"`            // what the cell is for
	Level   string       `json:"level,omitempty"` // factor level
	// Sides are what each campaign says about it.
	Sides []Side `json:"sides"`
	// Changes are what each later campaign says against the first one; there is none of a
	// campaign without the cell.
	Changes []Change `json:"changes"`
}

// Side is a cell in one campaign.
type Side struct {
	// ID is that of the cell; absent where the campaign has no such cell.
	ID      string `json:"id,omitempty"`
	Invalid string `json:"invalid,omitempty"` // why no number of it counts
	// Executions is how many monitored executions a call makes, of the primary metric where
	// the report divides costs by them; all numbers here are of whole calls.
	Executions int64 `json:"executions,omitempty"`
	// Mean is that of the metric, in its unit.
	Mean *analysis.Estimate `json:"mean,omitempty"`
	// Ratio and Difference are against the cell's own reference.
	Ratio      *analysis.Estimate `json:"ratio,omitempty"`
	Difference *analysis.Estimate `json:"difference,omitempty"`
	// AtStandard has the same figures at the standard speed of the CPU; absent where that is not
	// known, and of quantiles. Changes don't rest on it: they are found between the two speeds.
	AtStandard *analysis.AtStandard `json:"at_standard,omitempty"`
	// Rate is that of a metric which counts events.
	Rate   *analysis.Rate  `json:"rate,omitempty"`
	Absent string          `json:"absent,omitempty"`  // why there is no number
	Marks  []analysis.Mark `json:"caveats,omitempty"` // caveats of its numbers
}

// Change is what a campaign says about a cell against the first one.
type Change struct {
	Campaign string `json:"campaign"` // title
	// Verdict is regression or improvement when the whole interval, which holds what nights
	// differ by, lies on one side of "no change"; unconfirmed difference when it does, and
	// what nights differ by is not known; equivalent when the change is shown to lie within
	// the margin, be it shown to differ or not; undecided when neither holds. changed: the interval does
	// not hold "no change", of what is not judged (baselines, A/As, metrics without a
	// better direction). no answer: there is none.
	Verdict infer.Judgement `json:"verdict"`
	// Estimate is the difference of the two overheads in the metric's unit, each a difference
	// from its own reference (0 is no change); when Relative, the ratio of the two, each a
	// ratio to a reference that is monitored itself (1 is no change). Its n is the smaller one's, its test is of no change, and what could have
	// been detected is there when the verdict is undecided.
	Estimate *analysis.Estimate `json:"estimate,omitempty"`
	Relative bool               `json:"relative,omitempty"` // whether the estimate is a ratio
	// Raw says that the estimate is about the means themselves: the cell has no
	// reference, and what the machine did that night is in it.
	Raw bool `json:"without_reference,omitempty"`
	// OneSpeed says at which speed of the CPU the two were compared; absent where they are
	// compared as they were measured.
	OneSpeed *OneSpeed `json:"at_one_speed,omitempty"`
	// SE is the standard error of the estimate, of its logarithm when Relative;
	// absent when it is not known.
	SE *float64 `json:"se,omitempty"`
	// Family is the number of changes whose intervals hold together: those of the variants
	// of one factor level, in one metric; each interval is at 1 − 0.05/family.
	Family int      `json:"family"`
	PHolm  *float64 `json:"p_holm,omitempty"` // p adjusted over the family (Holm 1979)
	// Equivalence is two one-sided tests of the margin, each at 0.05/family; in the
	// metric's unit the margin is a share of the smaller mean.
	Equivalence *analysis.Equivalence `json:"equivalence,omitempty"`
	// Between is what nights of the series differ by, as the history knows it; absent when
	// it is not in SE.
	Between *Between `json:"between,omitempty"`
	// Doubt bounds what two programs do to the reference. The verdict leaves room for it. Absent
	// where both campaigns ran one program, or nothing was carried.
	Doubt *infer.Doubt `json:"reference_doubt,omitempty"`
	// Absent says why there is no estimate, or no verdict.
	Absent string `json:"absent,omitempty"`
	// Why is Absent for a reader who knows already that it is about the campaign Whose,
	// "" when it is about both.
	Why   string `json:"-"`
	Whose string `json:"-"`
}

// Between is what nights of a series differ by beyond their own standard errors.
type Between struct {
	SD     float64 `json:"sd"`     // standard deviation: of logarithms when the change is relative, else in the metric's unit
	Nights int     `json:"nights"` // nights that it was estimated from
}

// Count is the number of changes of a metric with a verdict, those of variants
// only.
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

// Incomplete says whether a campaign lacks an answer that can be relied on.
func (c *Comparison) Incomplete() bool {
	return slices.ContainsFunc(c.Campaigns, func(one Campaign) bool { return len(one.Incomplete) > 0 })
}
