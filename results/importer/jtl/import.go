package jtl

import (
	"cmp"
	"context"
	"errors"
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
	metricRequests   = results.ScalarRequests
	metricLost       = results.ScalarLost
	metricThroughput = "throughput"
)

// Format reads JMeter's result files in CSV.
func Format() importer.Format {
	return importer.Format{
		Name: "jtl", Paths: []string{"*.jtl", "*.csv"}, Import: importFiles,
		Options: []string{"variant", "whole-labels"},
		About: `*.jtl, *.csv of Apache JMeter, as CSV with the line that names the
columns: each run is an invocation, whose variant is the file's
name without its end, or what --variant says; files of a variant
that overlap in time are one run`,
	}
}

// importFiles makes a campaign of JTL files in CSV: a cell for each variant, by default the file's name, and an
// invocation for each run. A file is a run, unless it holds several in sequence, or several files of a variant
// overlap in time. All mistakes in the files are in one *refusal.Mistakes. It stops when ctx is done.
//
// For each request a JTL has the time of sending, the times from then to the last byte (service) and to the
// first one (first_byte, JMeter's Latency), the time to connect, and the outcome. It does not have the time at
// which the request was due, nor whether it came late: such columns and metrics are absent.
func importFiles(ctx context.Context, r importer.Request) (*results.Store, error) {
	b := importer.NewBuilder(r, "JMeter", "", results.Scenario{
		Label: scenario, Window: results.WindowAll, About: "requests that JMeter sent, from its result files",
	})
	byCell := map[string][]importer.File{}
	for _, f := range r.Files {
		variant := cmp.Or(f.Variant, strings.TrimSuffix(filepath.Base(f.Path), filepath.Ext(f.Path)))
		id := b.Cell(results.Cell{Variant: variant})
		byCell[id] = append(byCell[id], f)
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
		i := into{builder: b, seen: copies{}, mistakes: &refusal.Mistakes{}}
		for _, c := range b.Campaign.Cells {
			if err := i.variant(ctx, r, c.ID, byCell[c.ID]); err != nil {
				return err
			}
		}
		b.Scenario().Metrics = metrics(i.has)
		return i.mistakes.Err()
	})
}

// into is a campaign that is being filled.
type into struct {
	builder  *importer.Builder
	slot     int
	has      [rowLabels]bool
	seen     copies
	mistakes *refusal.Mistakes
}

// variant adds the runs in the files of a cell. After a mistake, files are only searched for more mistakes.
func (i *into) variant(ctx context.Context, r importer.Request, cell string, files []importer.File) error {
	t, read := newTables(), []*file(nil)
	r.Files = files
	err := r.ReadFiles(ctx, importer.Bound{}, i.mistakes, func(f importer.File, in io.Reader) error {
		before := i.mistakes.Count
		x := readFile(f.Path, in, samplesMost, r.WholeLabels, t, i.mistakes)
		if i.mistakes.Count == before {
			i.seen.add(x, t, i.mistakes)
		}
		if i.mistakes.Count == 0 {
			read = append(read, x)
		}
		return nil
	})
	switch _, wrong := errors.AsType[*refusal.Mistakes](err); {
	case err != nil && !wrong:
		return err
	case i.mistakes.Count > 0:
		return nil // the other variants' files are still searched for mistakes
	}
	for _, run := range runsOf(read, t) {
		s := run.samples(t)
		if len(s.values[rowOutcome]) == 0 {
			why := cmp.Or(run.pieces[0].unsent, strings.Join(run.notes(), "; "))
			i.mistakes.At(run.pieces[0].file, 0, "no request was sent: %s", why)
			continue
		}
		for c := range i.has {
			i.has[c] = i.has[c] || s.has[c]
		}
		inv, id := s.invocation(), results.Identity{Block: 1, Slot: i.slot}
		inv.Cell, inv.Warnings = cell, append(run.notes(), inv.Warnings...)
		i.slot++
		series := []importer.Samples{s.series(results.SeriesRequest), s.series(results.SeriesBroken)}
		if err := i.builder.Add(ctx, id, inv, series...); err != nil {
			return err
		}
	}
	return nil
}

// samples are the requests of a run, by column.
type samples struct {
	values  [rowLabels][]int64 // times in ns
	has     [rowLabels]bool    // columns of the files
	labels  []string
	unknown map[string]int // exceptions without a known outcome
}

// samples returns the requests of all load generators of a run. Labels beyond labelsMost share a name.
func (r run) samples(t *tables) *samples {
	s := &samples{unknown: map[string]int{}}
	labels, at := newNames(labelsMost), map[int32]int64{}
	for c := range s.has {
		s.has[c] = !slices.ContainsFunc(r.pieces, func(p piece) bool { return !p.has[c] })
	}
	for _, p := range r.pieces {
		for _, x := range p.samples {
			id, known := at[x.label]
			if !known {
				id = int64(labels.number(t.labels.list[x.label]))
				at[x.label] = id
			}
			x.values[rowRequest] = id
			for c, v := range x.values {
				s.values[c] = append(s.values[c], v)
			}
			if x.unclear >= 0 {
				s.unknown[t.classes.list[x.unclear]]++
			}
		}
	}
	s.labels = labels.list
	return s
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
	lost := importer.Metric(metricLost, "1", results.Lower,
		"requests that got no right answer: wrong, refused, reset, timed out or truncated")
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

// metricName returns the name of the metric that counts an outcome.
func metricName(outcome string) string { return strings.ReplaceAll(outcome, " ", "_") }

// series returns the broken requests, or the others, in order of sending; JMeter writes them in order of
// completion.
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

// invocation counts the outcomes, and warns of exceptions without a known outcome. Whether an answer was late
// is unknown. The invocation lasts from the first sending to the last answer.
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
	for _, class := range slices.Sorted(maps.Keys(s.unknown)) {
		inv.Warnings = append(inv.Warnings, fmt.Sprintf(
			"%d requests failed with %s, which says nothing of the connection: they are counted as reset",
			s.unknown[class], class))
	}
	return inv
}
