package compare

import (
	"time"

	"moobench/analysis"
	"moobench/analysis/infer"
	"moobench/results"
)

// Version is the version of Comparison as JSON. Keys may be added within a
// version; meanings never change.
const Version = 1

// Comparison is everything that is said of two campaigns or more. Every number
// in it is finite: what is not known is absent, with the reason beside it.
type Comparison struct {
	Version int `json:"version"`
	// Campaigns are set against the first one.
	Campaigns []Campaign `json:"campaigns"`
	// Margin is the share within which a change does not matter, 0.03 is 3 %;
	// Confidence that of all intervals of a family together.
	Margin     float64 `json:"margin"`
	Confidence float64 `json:"confidence"`
	// Unlike says why the campaigns would not have been compared, had it not
	// been asked for all the same.
	Unlike []Difference `json:"unlike,omitempty"`
	// Changed is what else is not the same: what was measured, and how the
	// machine stood.
	Changed   []Difference `json:"changed,omitempty"`
	Scenarios []Scenario   `json:"scenarios"`
	// Only are the cells that not every campaign has.
	Only  []Only   `json:"only,omitempty"`
	Notes []string `json:"notes,omitempty"` // what is true of all changes
}

// Campaign is one of the campaigns that are compared.
type Campaign struct {
	Title    string     `json:"title"` // old and new; of several A, B, …
	Folder   string     `json:"folder,omitempty"`
	Name     string     `json:"name"`
	Start    *time.Time `json:"start,omitempty"` // of its first invocation
	Blocks   int        `json:"blocks"`          // planned, timing
	Moobench string     `json:"moobench,omitempty"`
	Machines []string   `json:"machines,omitempty"`
	Runtimes []string   `json:"runtimes,omitempty"` // JDK builds
	// Failed are its A/As that failed: nothing that is said of it can be
	// trusted.
	Failed []string `json:"aa_failed,omitempty"`
	// Incomplete says why not every planned cell of it has an answer.
	Incomplete []string `json:"incomplete,omitempty"`
	// Warnings are about its files: what can't be read, or is not as it was sealed.
	Warnings []string `json:"warnings,omitempty"`
}

// Difference is something in which campaigns differ.
type Difference struct {
	What   string   `json:"what"`
	Values []string `json:"values"`          // one for each campaign, "" where it is not known
	Cells  []string `json:"cells,omitempty"` // that it is about, by label; none is all
}

// Only is a cell that not every campaign has.
type Only struct {
	Scenario string   `json:"scenario"`
	Cell     string   `json:"cell"`
	In       []string `json:"in"` // titles of campaigns
}

// Scenario is one scenario that the campaigns share.
type Scenario struct {
	Label   string   `json:"label"`
	Use     string   `json:"use"`
	About   string   `json:"about,omitempty"`
	Metrics []Metric `json:"metrics"`
}

// Metric is one metric over all cells.
type Metric struct {
	Metric  results.Metric `json:"metric"`
	Primary bool           `json:"primary,omitempty"` // of the scenario, in the first campaign
	Rows    []Row          `json:"rows"`
}

// Row is one cell.
type Row struct {
	Cell    string       `json:"cell"` // label
	Variant string       `json:"variant"`
	Role    results.Role `json:"role"`
	Level   string       `json:"level,omitempty"`
	// Sides are what each campaign says of it, Changes what the second and later
	// ones say against the first.
	Sides   []Side   `json:"sides"`
	Changes []Change `json:"changes"`
}

// Side is a cell in one campaign.
type Side struct {
	// ID is that of the cell, "" where the campaign has no such cell.
	ID   string `json:"id,omitempty"`
	Void string `json:"void,omitempty"` // why no number of it counts
	// Mean is the metric's, in its unit; Ratio and Difference are against the
	// cell's own reference.
	Mean       *analysis.Estimate `json:"mean,omitempty"`
	Ratio      *analysis.Estimate `json:"ratio,omitempty"`
	Difference *analysis.Estimate `json:"difference,omitempty"`
	// Rate is that of a metric which counts events.
	Rate   *analysis.Rate  `json:"rate,omitempty"`
	Absent string          `json:"absent,omitempty"` // why there is no number
	Marks  []analysis.Mark `json:"marks,omitempty"`
}

// Change is what a campaign says of a cell against the first one.
type Change struct {
	Campaign string          `json:"campaign"` // title
	Verdict  infer.Judgement `json:"verdict"`
	// Estimate is the ratio of the two overheads when Relative, else their
	// difference in the metric's unit. Of a Raw one it is about the means
	// themselves, with the machine's own drift in them. Estimate.N is the smaller
	// one's.
	Estimate *analysis.Estimate `json:"estimate,omitempty"`
	Relative bool               `json:"relative,omitempty"`
	Raw      bool               `json:"raw,omitempty"`
	// SE is the standard error of the estimate, of its logarithm when Relative;
	// absent when it is not known.
	SE *float64 `json:"se,omitempty"`
	// Family is the number of changes whose intervals hold together; PHolm the p
	// adjusted over them.
	Family      int                   `json:"family"`
	PHolm       *float64              `json:"p_holm,omitempty"`
	Equivalence *analysis.Equivalence `json:"equivalence,omitempty"`
	// Between is what nights differ by of themselves; nil when it is not in SE.
	Between *Between `json:"between,omitempty"`
	// Absent says why there is no estimate, or no verdict; Why says it for who has said
	// already that it is about the campaign Whose, "" when it is about both.
	Absent string `json:"absent,omitempty"`
	Why    string `json:"-"`
	Whose  string `json:"-"`
}

// Between is what nights of a series differ by beyond their own standard errors.
type Between struct {
	SD     float64 `json:"sd"` // of logarithms
	Nights int     `json:"nights"`
}

// Count is the number of changes of a metric with a verdict, those of variants
// only.
func (m *Metric) Count(v infer.Judgement) int {
	n := 0
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
	for _, one := range c.Campaigns {
		if len(one.Incomplete) > 0 {
			return true
		}
	}
	return false
}
