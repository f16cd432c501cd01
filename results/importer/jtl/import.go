package jtl

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"moobench/results"
	"moobench/results/importer"
	"moobench/results/safefile"
)

// Tool is what an imported campaign names as its source.
const Tool = "JMeter"

// Source is a JTL: one invocation of a variant.
type Source struct{ Variant, Path string }

// Import makes a campaign in dir, which must be new or empty, of JTL files in CSV: an
// invocation for each file, a cell for each variant, the named one of which is the
// baseline, or else the first. Of the rest of the header only Name, Created and Versions
// are taken from made. The campaign is there whole or not at all. What is wrong in the
// files is in one *importer.Mistakes.
//
// Known of a request are when it was sent, how long after that its last byte
// was there (service), what JMeter calls Latency (first_byte), how long
// connecting took, and what became of it. When it was to be sent is not, nor
// whether it came late: such columns and metrics are absent. It ends when ctx is
// done.
func Import(ctx context.Context, dir string, made results.Campaign, sources []Source, baseline string) (*results.Store, error) {
	c, err := newCampaign(made, sources, baseline)
	if err != nil {
		return nil, err
	}
	return importer.Campaign(dir, c, func(store *results.Store) error { return fill(ctx, store, sources) })
}

// fill adds an invocation for each file.
func fill(ctx context.Context, store *results.Store, sources []Source) error {
	c := store.Campaign()
	mistakes, optional := &importer.Mistakes{}, map[string]bool{}
	for i, source := range sources {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("importing: %w", err)
		}
		s, err := readFile(ctx, source.Path, mistakes)
		if err != nil {
			return err
		}
		if mistakes.Count > 0 {
			continue
		}
		optional[columnFirstByte], optional[columnConnect] = optional[columnFirstByte] || s.hasFirstByte, optional[columnConnect] || s.hasConnect
		if err := s.seal(store, i, cellOf(c, source.Variant)); err != nil {
			return fmt.Errorf("importing %s: %w", source.Path, err)
		}
	}
	c.Scenarios[0].Metrics = metrics(optional)
	return mistakes.Err()
}

func readFile(ctx context.Context, path string, mistakes *importer.Mistakes) (*samples, error) {
	f, err := safefile.Open(path)
	if err != nil {
		return nil, fmt.Errorf("importing: %w", err)
	}
	defer f.Close()
	s := read(path, importer.UntilDone(ctx, f), mistakes)
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("importing %s: %w", path, err)
	}
	return s, nil
}

// seal makes an invocation of the samples.
func (s *samples) seal(store *results.Store, slot int, cell string) error {
	inv := &results.Invocation{
		Cell: cell, Profile: results.ProfileTiming, Status: results.StatusOK,
		Scalars: s.scalars(), Warnings: s.warnings(),
	}
	first, last := s.span()
	inv.Start, inv.End = time.Unix(0, first).UTC(), time.Unix(0, last).UTC()
	return importer.Seal(store, results.Identity{Block: 1, Slot: slot}, inv, s.series(results.SeriesRequest), s.series(results.SeriesBroken))
}

// series are the requests that were broken, or the others, in the order of
// sending: JMeter writes them in that of their ends.
func (s *samples) series(name string) importer.Samples {
	broken := name == results.SeriesBroken
	var order []int
	for i, o := range s.outcome {
		if isBroken(results.Outcomes[o]) == broken {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.sent[a], s.sent[b]) })
	series := results.Series{Name: name, Batch: 1}
	var columns [][]int64
	add := func(c results.Column, values []int64) {
		sorted := make([]int64, len(order))
		for i, at := range order {
			sorted[i] = values[at]
		}
		series.Columns, columns = append(series.Columns, c), append(columns, sorted)
	}
	add(results.Column{Name: columnSent, Unit: "ns", Kind: results.KindInstant}, s.sent)
	add(results.Column{Name: columnService, Unit: "ns", Kind: results.KindDuration}, s.took)
	if s.hasFirstByte {
		add(results.Column{Name: columnFirstByte, Unit: "ns", Kind: results.KindDuration}, s.firstByte)
	}
	if s.hasConnect {
		add(results.Column{Name: columnConnect, Unit: "ns", Kind: results.KindDuration}, s.connect)
	}
	add(results.Column{Name: columnOutcome, Unit: "1", Kind: results.KindID, Dict: results.Outcomes}, s.outcome)
	add(results.Column{Name: columnRequest, Unit: "1", Kind: results.KindID, Dict: s.labels}, s.label)
	return importer.Samples{Series: series, Values: columns}
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
