// Package rows has the form in which a campaign's numbers leave it: one relation, a row for each number. Exports are
// encoders of these rows; a chapter that has numbers of its own adds rows, and so reaches every export.
package rows

import (
	"moobench/analysis/caveat"
	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/reading"
	"moobench/results"
)

// Statistic says which number of a metric a row holds. Chapters may have statistics of their own: words joined by
// underscores.
type Statistic string

// The statistics of cells. AtStandard marks numbers carried to the standard speed of the CPU.
const (
	Mean           Statistic = "mean"                   // mean over invocations
	Difference     Statistic = "difference"             // mean minus the baseline's
	Ratio          Statistic = "ratio"                  // mean over the baseline's
	Unadjusted     Statistic = "unadjusted"             // Difference at whatever speed the CPU had
	PerExecution   Statistic = "per_execution"          // Difference for each monitored execution
	PerRecord      Statistic = "per_record"             // Difference for each record that arrived
	Rate           Statistic = "per_million"            // events per million
	RateDifference Statistic = "per_million_difference" // Rate minus the baseline's

	MeanAtStandard         Statistic = "mean_at_standard"
	DifferenceAtStandard   Statistic = "difference_at_standard"
	RatioAtStandard        Statistic = "ratio_at_standard"
	PerExecutionAtStandard Statistic = "per_execution_at_standard"
)

// QuantileOf is the statistic of a quantile of calls, by its name (p99): the median over invocations.
func QuantileOf(name string) Statistic { return Statistic(name) }

// QuantileAtStandard is QuantileOf at standard speed.
func QuantileAtStandard(name string) Statistic { return Statistic(name + "_at_standard") }

// Quantile reports whether a statistic is a quantile of calls.
func (s Statistic) Quantile() bool {
	for _, q := range evidence.Quantiles {
		if q.Name == string(s) {
			return true
		}
	}
	return false
}

// PerMillion is the unit of rates of events.
const PerMillion = "per million"

// Key says what a row is about.
type Key struct {
	Scenario string // label
	Cell     string // ID
	Label    string // of the cell
	Variant  string
	Level    string // factor level
	Role     results.Role
}

// Row is one number of a campaign's answers, or the reason why it is missing.
type Row struct {
	Key
	Metric    *results.Metric
	Primary   bool // Metric is the scenario's primary metric
	Statistic Statistic
	// About describes a statistic that a chapter has of its own; "" for those above.
	About string
	// Against is the ID of the cell that the number compares with; "" if it compares with none.
	Against string
	// Unit is the unit of Estimate: the metric's unit, PerMillion, or "" for ratios.
	Unit string
	// Estimate is nil if the number is missing; Why then says why.
	Estimate *infer.Estimate
	Why      string
	// Alone are the caveats of the cell and of all numbers, Compared those and the baseline's.
	Alone, Compared []caveat.Mark
}

// RateOf is the rate of a cell as an estimate.
func RateOf(r *reading.Rate) *infer.Estimate {
	return &infer.Estimate{N: r.N, Value: r.PerMillion, Interval: r.Interval}
}

// Caveats lists the caveats of the number.
func (r *Row) Caveats() []caveat.Mark {
	if r.Against == "" {
		return r.Alone
	}
	return r.Compared
}

// Own reports whether the statistic is one that a chapter has of its own.
func (r *Row) Own() bool { return r.About != "" }

// Name names what was measured: the metric, followed by a statistic that a chapter has of its own.
func (r *Row) Name() string {
	if !r.Own() {
		return r.Metric.Name
	}
	return r.Metric.Name + "_" + string(r.Statistic)
}

// Find returns the estimate of a metric and a statistic among the rows of one cell, or nil.
func Find(all []Row, metric string, s Statistic) *infer.Estimate {
	return find(all, metric, s).Estimate
}

// Why returns the reason why a metric lacks a statistic, among the rows of one cell; "" if it has it.
func Why(all []Row, metric string, s Statistic) string { return find(all, metric, s).Why }

// find returns a row; an empty one without it.
func find(all []Row, metric string, s Statistic) *Row {
	for i := range all {
		if r := &all[i]; r.Statistic == s && r.Metric.Name == metric {
			return r
		}
	}
	return &Row{}
}
