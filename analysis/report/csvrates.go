package report

import (
	"strconv"

	"moobench/analysis"
)

// csvRates are the columns of events that are counted: rates and differences
// per million, ratios as they are.
func csvRates() []csvColumn {
	rate := func(of func(*analysis.Rate) *float64) func(csvRow) *float64 {
		return func(r csvRow) *float64 {
			if r.answer.Rate == nil {
				return nil
			}
			return of(r.answer.Rate)
		}
	}
	versus := func(of func(*analysis.Rates) *float64) func(csvRow) *float64 {
		return rate(func(x *analysis.Rate) *float64 {
			if x.Versus == nil {
				return nil
			}
			return of(x.Versus)
		})
	}
	columns := []csvColumn{
		csvWord("chances", func(r csvRow) string { return r.metric.Of }),
		{"rate_n", csvRateN},
		{"events", csvEvents},
		csvNumber("exposure", rate(func(x *analysis.Rate) *float64 { return &x.Exposure })),
		csvNumber("per_million", rate(func(x *analysis.Rate) *float64 { return &x.PerMillion })),
	}
	columns = append(columns, csvInterval("per_million", csvRateInterval)...)
	columns = append(columns, csvNumber("per_million_difference", versus(func(x *analysis.Rates) *float64 { return &x.Difference })))
	columns = append(columns, csvInterval("per_million_difference", csvRatesInterval)...)
	return append(
		columns,
		csvNumber("rate_ratio", versus(func(x *analysis.Rates) *float64 { return x.Ratio })),
		csvNumber("rate_ratio_low", versus(func(x *analysis.Rates) *float64 { return x.RatioLow })),
		csvNumber("rate_ratio_high", versus(func(x *analysis.Rates) *float64 { return x.RatioHigh })),
	)
}

func csvRateN(r csvRow) string {
	if r.answer.Rate == nil {
		return ""
	}
	return strconv.Itoa(r.answer.Rate.N)
}

func csvEvents(r csvRow) string {
	if r.answer.Rate == nil {
		return ""
	}
	return strconv.FormatInt(r.answer.Rate.Events, 10)
}

func csvRateInterval(r csvRow) *analysis.Interval {
	if r.answer.Rate == nil {
		return nil
	}
	return r.answer.Rate.Interval
}

func csvRatesInterval(r csvRow) *analysis.Interval {
	if r.answer.Rate == nil || r.answer.Rate.Versus == nil {
		return nil
	}
	return r.answer.Rate.Versus.Interval
}

// csvRecords are the columns of the records of a line's cell.
func csvRecords() []csvColumn {
	records := func(of func(*analysis.Records) string) func(csvRow) string {
		return func(r csvRow) string {
			if r.cell.Records == nil {
				return ""
			}
			return of(r.cell.Records)
		}
	}
	// Counts are there only of records that somebody counted.
	counted := func(of func(*analysis.Records) int64) func(csvRow) string {
		return records(func(x *analysis.Records) string {
			if x.Invocations == 0 {
				return ""
			}
			return strconv.FormatInt(of(x), 10)
		})
	}
	return []csvColumn{
		csvWord("records_verdict", records(func(x *analysis.Records) string { return string(x.Verdict) })),
		{"records_expected", counted(func(x *analysis.Records) int64 { return x.Expected })},
		{"records_received", counted(func(x *analysis.Records) int64 { return x.Received })},
		{"records_lost", counted(func(x *analysis.Records) int64 { return x.Lost })},
	}
}
