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

	"moobench/results"
	"moobench/results/importer"
)

// The names of an imported campaign: its scenario, and the metrics that are neither
// columns nor outcomes.
const (
	scenario         = "jmeter"
	metricRequests   = "requests"
	metricLost       = "lost"
	metricThroughput = "throughput"
)

// Format reads JMeter's result files in CSV.
func Format() importer.Format {
	return importer.Format{Name: "jtl", Paths: []string{"*.jtl", "*.csv"}, Options: []string{"variant"}, Import: importFiles}
}

// importFiles makes a campaign of JTL files in CSV: an invocation for each file, a cell for
// each variant, by default the file's name. What is wrong in the files is in one
// *importer.Mistakes.
//
// Known of a request are when it was sent, how long after that its last byte
// was there (service), what JMeter calls Latency (first_byte), how long
// connecting took, and what became of it. When it was to be sent is not, nor
// whether it came late: such columns and metrics are absent. It ends when ctx is
// done.
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
		importer.Question{Metric: columnService, Text: func(cell, _ *results.Cell) string {
			return fmt.Sprintf("How much longer does an answer take with %s?", cell.Variant)
		}},
	)
	if err != nil {
		return nil, err
	}
	return b.Make(func() error {
		mistakes, optional := &importer.Mistakes{}, map[string]bool{}
		for i, f := range r.Files {
			var s *samples
			err := importer.ReadFile(ctx, f.Path, importer.Bound{}, mistakes, func(in io.Reader) error {
				s = read(f.Path, in, samplesMost, mistakes)
				return nil
			})
			if err != nil {
				return err
			}
			if mistakes.Count > 0 {
				continue // the others are only read
			}
			for _, name := range s.optional {
				optional[name] = true
			}
			inv := &results.Invocation{Cell: cells[i], Scalars: s.scalars(), Warnings: s.warnings()}
			first, last := s.span()
			inv.Start, inv.End = time.Unix(0, first).UTC(), time.Unix(0, last).UTC()
			id := results.Identity{Block: 1, Slot: i}
			if err := b.Add(ctx, id, inv, s.series(results.SeriesRequest), s.series(results.SeriesBroken)); err != nil {
				return fmt.Errorf("importing %s: %w", f.Path, err)
			}
		}
		b.Scenario().Metrics = metrics(optional)
		return mistakes.Err()
	})
}

// metrics are those of an imported campaign, with those of the optional columns
// that some file has.
func metrics(optional map[string]bool) []results.Metric {
	timing := func(name, unit string, better results.Better, about string) results.Metric {
		return results.Metric{Name: name, Unit: unit, Better: better, Profile: results.ProfileTiming, About: about}
	}
	var all []results.Metric
	for _, c := range []struct{ name, about string }{
		{columnService, "from the sending of a request to the last byte of its answer (JMeter's elapsed)"},
		{columnFirstByte, "from the sending of a request to the first byte of its answer (JMeter's Latency)"},
		{columnConnect, "how long it took to connect; 0 where a connection was there"},
	} {
		if c.name == columnService || optional[c.name] {
			m := timing(c.name, "ns", results.Lower, c.about)
			m.Primary, m.Series, m.Column = c.name == columnService, results.SeriesRequest, c.name
			all = append(all, m)
		}
	}
	lost := timing(metricLost, "1", results.Lower, "requests that got no right answer: wrong, refused, reset, timed out or truncated")
	lost.Of, lost.Key = metricRequests, true
	all = append(all, lost, timing(metricRequests, "1", results.Neither, "requests that were sent"))
	for _, o := range results.Outcomes {
		if o == late {
			continue // JMeter has no such bound
		}
		m := timing(metricName(o), "1", results.Lower, "requests whose outcome was: "+o)
		if m.Of = metricRequests; o == right {
			m.Better = results.Higher
		}
		all = append(all, m)
	}
	return append(all, timing(metricThroughput, "1/s", results.Higher, "right answers per second, from the first sending to the last answer"))
}

// metricName is that of the count of an outcome.
func metricName(outcome string) string { return strings.ReplaceAll(outcome, " ", "_") }

// series are the requests that were broken, or the others, in the order of
// sending: JMeter writes them in that of their ends.
func (s *samples) series(name string) importer.Samples {
	var order []int
	for i, o := range s.outcome {
		if isBroken(results.Outcomes[o]) == (name == results.SeriesBroken) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.sent[a], s.sent[b]) })
	series := importer.Samples{Series: results.Series{Name: name, Batch: 1}}
	add := func(column, unit string, kind results.Kind, values []int64, dict ...string) {
		sorted := make([]int64, len(order))
		for i, at := range order {
			sorted[i] = values[at]
		}
		series.Column(column, unit, kind, sorted, dict...)
	}
	add(columnSent, "ns", results.KindInstant, s.sent)
	add(columnService, "ns", results.KindDuration, s.took)
	for _, name := range s.optional {
		values := s.firstByte
		if name == columnConnect {
			values = s.connect
		}
		add(name, "ns", results.KindDuration, values)
	}
	add(columnOutcome, "1", results.KindID, s.outcome, results.Outcomes...)
	add(columnRequest, "1", results.KindID, s.label, s.labels...)
	return series
}

// span is when the first request was sent, and when the last answer was there,
// in ns since 1970.
func (s *samples) span() (first, last int64) {
	first = s.sent[0]
	for i, at := range s.sent {
		first, last = min(first, at), max(last, at+s.took[i])
	}
	return first, last
}

// scalars count the outcomes. Whether an answer was late is not known.
func (s *samples) scalars() map[string]float64 {
	found := map[string]float64{metricRequests: float64(len(s.outcome)), metricLost: 0}
	for _, o := range results.Outcomes {
		if o != late {
			found[metricName(o)] = 0
		}
	}
	for _, o := range s.outcome {
		found[metricName(results.Outcomes[o])]++
		if results.Outcomes[o] != right {
			found[metricLost]++
		}
	}
	if first, last := s.span(); last > first {
		found[metricThroughput] = found[right] / time.Duration(last-first).Seconds()
	}
	return found
}

func (s *samples) warnings() []string {
	var all []string
	if s.transactions > 0 {
		all = append(all, fmt.Sprintf("%d lines are sums of other lines (JMeter's transaction controller): they are left out", s.transactions))
	}
	for _, class := range slices.Sorted(maps.Keys(s.unknown)) {
		all = append(all, fmt.Sprintf("%d requests failed with %s, which says nothing of the connection: they are counted as reset", s.unknown[class], class))
	}
	return all
}
