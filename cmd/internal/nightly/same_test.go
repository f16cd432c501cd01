package nightly

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"moobench/analysis"
	"moobench/analysis/history"
	"moobench/results"
)

// TestVerdictIsTheSimulated: what the command makes of a re-measurement is what
// analysis/simulation makes of it, which calls Choose and ConfirmationOf by itself.
func TestVerdictIsTheSimulated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		se := rapid.Float64Range(0.001, 0.02)
		log := rapid.Float64Range(-0.2, 0.2)
		end := time.Date(2026, 11, 22, 4, 0, 0, 0, time.UTC)
		r := history.Remeasurement{
			Unsettled: history.Unsettled{Series: &history.Series{Key: history.Key{Scenario: "s", Cell: "c", Metric: "m"}}},
			Old:       history.Night{ID: "n1"}, New: history.Night{ID: "n2", Better: results.Lower},
			Alarm: results.Alarm{HistoryKey: results.HistoryKey{Scenario: "s", Cell: "c", Metric: "m"}, Log: log.Draw(t, "alarm"), Better: results.Lower}, Blocks: 15,
		}
		if rapid.Bool().Draw(t, "known") {
			r.Scatter = &results.Scatter{SD: se.Draw(t, "sd"), DF: rapid.Float64Range(4, 60).Draw(t, "df"), Within: se.Draw(t, "within")}
		}
		for i := range rapid.IntRange(0, 3).Draw(t, "before") {
			r.Before = append(r.Before, results.Remeasured{When: end.AddDate(0, 0, i-5), Log: log.Draw(t, "log"), SE: se.Draw(t, "se"), DF: 14})
		}
		ratio, e, df := math.Exp(log.Draw(t, "tonight")), se.Draw(t, "own"), 14.0
		tonight := results.Remeasured{When: end, Log: math.Log(ratio), SE: e, DF: df}
		confirm := group{r}.confirm(0)
		want := history.ConfirmationOf(confirm, r.Alarm, tonight, 15)

		answers := &analysis.Answers{Campaign: analysis.Campaign{End: &end}, Scenarios: []analysis.Scenario{{
			Label: "s", Answers: []analysis.Answer{{ID: "q1", Ratio: &analysis.Estimate{N: 15, Value: ratio, SE: &e, DF: &df}}},
		}}}
		v := judged(&results.Campaign{Confirm: confirm}, "d", answers)[0]
		want.Folder = v.record.Folder
		if diff := cmp.Diff(want, *v.record); diff != "" {
			t.Fatal(diff)
		}
	})
}
