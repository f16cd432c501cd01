package jtl

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moobench/refusal"
	"moobench/results"
	"moobench/results/importer"
)

// Names in an imported campaign: its scenario, and the metrics that are neither columns
// nor outcomes.
const (
	scenario         = "jmeter"
	metricRequests   = "requests"
	metricLost       = "lost"
	metricThroughput = "throughput"
)

// Format reads JMeter's result files in CSV.
func Format() importer.Format {
	return importer.Format{
		Name: "jtl", Paths: []string{"*.jtl", "*.csv"}, Options: []string{"variant"}, Import: importFiles,
		About: `*.jtl, *.csv of Apache JMeter, as CSV with the line that names the
columns: each file is an invocation, whose variant is the file's
name without its end, or what --variant says`,
	}
}

// importFiles makes a campaign of JTL files in CSV: an invocation for each file, a cell
// for each variant, by default the file's name. All mistakes in the files are in one
// *refusal.Mistakes. It ends when ctx is done.
//
// For each request a JTL has when it was sent, how long after that its last byte was there
// (service), what JMeter calls Latency (first_byte), how long connecting took, and its
// outcome. It has neither when the request was due nor whether it came late: such columns
// and metrics are absent.
func importFiles(ctx context.Context, r importer.Request) (*results.Store, error) {
	b := importer.NewBuilder(r, "JMeter", "", results.Scenario{
		Label: scenario, Window: results.WindowAll, About: "requests that JMeter sent, from its result files",
	})
	cells := make([]string, len(r.Files))
	for i, f := range r.Files {
		variant := cmp.Or(f.Variant, strings.TrimSuffix(filepath.Base(f.Path), filepath.Ext(f.Path)))
		cells[i] = b.Cell(results.Cell{Variant: variant})
	}
	err := b.Compare(
		r.Baseline,
		importer.Question{Metric: metricLost, Test: results.TestRates, Text: func(cell, baseline *results.Cell) string {
			return fmt.Sprintf("Does %s lose more requests than %s?", cell.Variant, baseline.Variant)
		}},
		importer.Question{Metric: columns[rowTook].name, Text: func(cell, _ *results.Cell) string {
			return fmt.Sprintf("How much longer does an answer take with %s?", cell.Variant)
		}},
	)
	if err != nil {
		return nil, err
	}
	return b.Make(func() error {
		slot, has := 0, [rowLabels]bool{}
		mistakes := &refusal.Mistakes{}
		err := r.ReadFiles(ctx, importer.Bound{}, mistakes, func(f importer.File, in io.Reader) error {
			s := read(f.Path, in, samplesMost, mistakes)
			if mistakes.Count > 0 {
				return nil // the others are only read
			}
			for i := range has {
				has[i] = has[i] || s.has[i]
			}
			inv, id := s.invocation(), results.Identity{Block: 1, Slot: slot}
			inv.Cell = cells[slot]
			slot++
			return b.Add(ctx, id, inv, s.series(results.SeriesRequest), s.series(results.SeriesBroken))
		})
		b.Scenario().Metrics = metrics(has)
		return err
	})
}

// metrics returns the metrics of a campaign whose files have these columns.
func metrics(has [rowLabels]bool) []results.Metric {
	var all []results.Metric
	for i, c := range columns {
		if has[i] && c.about != "" {
			m := importer.Metric(c.name, c.unit, results.Lower, c.about)
			m.Primary, m.Series, m.Column = i == rowTook, results.SeriesRequest, c.name
			all = append(all, m)
		}
	}
	lost := importer.Metric(metricLost, "1", results.Lower, "requests that got no right answer: wrong, refused, reset, timed out or truncated")
	lost.Of, lost.Key = metricRequests, true
	all = append(all, lost, importer.Metric(metricRequests, "1", results.Neither, "requests that were sent"))
	for _, o := range outcomes {
		m := importer.Metric(metricName(o), "1", results.Lower, "requests whose outcome was: "+o)
		if m.Of = metricRequests; o == right {
			m.Better = results.Higher
		}
		all = append(all, m)
	}
	about := "right answers per second, from the first sending to the last answer"
	return append(all, importer.Metric(metricThroughput, "1/s", results.Higher, about))
}

// metricName is the name of the metric that counts an outcome.
func metricName(outcome string) string { return strings.ReplaceAll(outcome, " ", "_") }

// series returns the broken requests, or the others, in the order of sending: JMeter
// writes them in the order of their ends.
func (s *samples) series(name string) importer.Samples {
	var order []int
	for i, o := range s.values[rowOutcome] {
		if slices.Contains(broken, results.Outcomes[o]) == (name == results.SeriesBroken) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.values[rowSent][a], s.values[rowSent][b]) })
	series := importer.Samples{Series: results.Series{Name: name, Batch: 1}}
	dicts := map[int][]string{rowOutcome: results.Outcomes, rowRequest: s.labels}
	for i, c := range columns {
		if !s.has[i] {
			continue
		}
		sorted := make([]int64, len(order))
		for to, from := range order {
			sorted[to] = s.values[i][from]
		}
		series.Column(c.name, c.unit, c.kind, sorted, dicts[i]...)
	}
	return series
}

// invocation counts the outcomes, and warns of what is odd in the file. Whether an answer
// was late is unknown. It lasts from the first sending to the last answer.
func (s *samples) invocation() *results.Invocation {
	found := map[string]float64{metricRequests: float64(len(s.values[rowOutcome]))}
	for _, o := range outcomes {
		found[metricName(o)] = 0
	}
	for _, o := range s.values[rowOutcome] {
		found[metricName(results.Outcomes[o])]++
	}
	found[metricLost] = found[metricRequests] - found[right]
	first, last := s.values[rowSent][0], int64(0) // ns since 1970
	for i, at := range s.values[rowSent] {
		first, last = min(first, at), max(last, at+s.values[rowTook][i])
	}
	if last > first {
		found[metricThroughput] = found[right] / time.Duration(last-first).Seconds()
	}
	inv := &results.Invocation{Scalars: found, Start: time.Unix(0, first).UTC(), End: time.Unix(0, last).UTC()}
	if s.transactions > 0 {
		inv.Warnings = append(inv.Warnings, fmt.Sprintf("%d lines are sums of other lines (JMeter's transaction controller): they are left out", s.transactions))
	}
	for _, class := range slices.Sorted(maps.Keys(s.unknown)) {
		inv.Warnings = append(inv.Warnings, fmt.Sprintf("%d requests failed with %s, which says nothing of the connection: they are counted as reset", s.unknown[class], class))
	}
	return inv
}
