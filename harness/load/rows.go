package load

import (
	"slices"
	"time"

	"moobench/results"
	"moobench/results/summary"
)

// Rows splits samples into the rows of results.SeriesRequest and those of results.SeriesBroken: one slice per
// column of results.RequestColumns.
func Rows(samples []Sample) (request, broken [][]int64) {
	request, broken = make([][]int64, len(results.RequestColumns())), make([][]int64, len(results.RequestColumns()))
	for _, s := range samples {
		rows := request
		if s.Outcome.broken() {
			rows = broken
		}
		row := [...]int64{s.intendedNS, s.LatencyNS(), s.serviceNS(), s.lagNS(), int64(s.Outcome), int64(s.request)}
		for i, v := range row {
			rows[i] = append(rows[i], v)
		}
	}
	return request, broken
}

// timelineRows bounds the rows of a timeline.
const timelineRows = 1_000

// Timeline returns one slice per column of results.TimelineColumns, with a row for each step from the start of the
// load to its end, including steps without requests. The step is at least 1 ms, and is multiplied if there would
// otherwise be over 1,000 rows.
func (r *Result) Timeline(step time.Duration) [][]int64 {
	stepNS, whole := max(int64(step), int64(time.Millisecond)), r.EndNS-r.BeginNS
	stepNS *= max(1, ceil(whole, stepNS*timelineRows))
	n := ceil(whole, stepNS)
	columns := make([][]int64, len(results.TimelineColumns()))
	for i := range columns {
		columns[i] = make([]int64, n)
	}
	latencies := make([][]int64, n)
	for _, samples := range [][]Sample{r.Ramp, r.Hold} {
		for _, s := range samples {
			i := min(max(0, (s.intendedNS-r.BeginNS)/stepNS), n-1)
			columns[1][i]++
			if s.Outcome.Lost() {
				columns[2][i]++
			} else {
				latencies[i] = append(latencies[i], s.LatencyNS())
			}
		}
	}
	for i, all := range latencies {
		slices.Sort(all)
		columns[0][i] = int64(i) * stepNS
		columns[3][i] = summary.NearestRank(all, 0.5)
		columns[4][i] = summary.NearestRank(all, 0.99)
		columns[5][i] = summary.NearestRank(all, 1)
	}
	return columns
}

func ceil(a, b int64) int64 { return (a + b - 1) / b }
