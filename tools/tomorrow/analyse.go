package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moobench/analysis"
	"moobench/analysis/compare"
	"moobench/analysis/history"
	"moobench/analysis/infer"
	"moobench/results"
)

// margin is the largest negligible change, as by default in compare.
const margin = 0.03

// series is a variant in a metric, which is judged.
type series struct{ variant, metric string }

// tool is one way to judge a series.
type tool struct {
	name string
	series
}

// ours is the name of the shipped method beside the peers'.
const ours = "moobench compare"

// result is the outcome of all pairs of one series, judged by one tool.
type result struct {
	tool
	blocks         int     // of each campaign, or part of one
	factor         float64 // by which one of each pair was made slower; 1: not at all
	differs, apart share
	unjudged       int // pairs without an answer
}

// width is the average precision of single campaigns.
type width struct {
	series
	blocks      int
	least, most float64   // cost, in the metric's unit
	unit        string    // of the metric
	halves      []float64 // half-widths as shares of the cost, by scale
}

// scale is a scale on which a campaign states the cost of a variant, as a mean or a quantile; nil if it has no
// such statement.
type scale struct {
	name     string
	mean     func(*analysis.MetricAnswer) *analysis.Estimate
	quantile func(*analysis.Quantile) *analysis.Estimate
}

// scales are the scales whose widths are reported.
var scales = []scale{{
	"as it ran",
	func(a *analysis.MetricAnswer) *analysis.Estimate { return a.Difference },
	func(q *analysis.Quantile) *analysis.Estimate { return q.Difference },
}}

// reading is the result of a campaign, or a part of it, for one variant.
type reading struct {
	campaign int
	answers  *analysis.Answers
	peers    map[string][]infer.Scale // by variant, in the order of peers; of the primary metric
}

// analyse reads the campaigns of a folder, and judges their pairs.
func (p plan) analyse(ctx context.Context, dir string) (*figures, error) {
	var stores []source
	for n := range p.campaigns {
		store, err := results.Open(folder(dir, n))
		if err != nil {
			return nil, err
		}
		all, err := store.Invocations()
		if err != nil {
			return nil, fmt.Errorf("campaign %d: %w", n+1, err)
		}
		stores = append(stores, held{store, all})
	}
	f := &figures{plan: p}
	if err := f.describe(stores); err != nil {
		return nil, err
	}
	for i, variant := range variants[1:] {
		seen := []string{variant}
		if i == 0 {
			seen = append(seen, variants[0]) // the baseline is the same for each variant
		}
		for _, size := range p.sizes() {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if err := f.same(stores, variant, seen, size); err != nil {
				return nil, err
			}
		}
		if err := f.power(ctx, stores, variant); err != nil {
			return nil, err
		}
	}
	return f, f.withHistory(stores)
}

// sizes returns the numbers of blocks to judge: the measured one, and smaller ones to which the campaigns are
// cut.
func (p plan) sizes() []int {
	all := []int{p.blocks}
	for _, size := range []int{11, 8, 5} {
		if size < p.blocks {
			all = append(all, size)
		}
	}
	return all
}

// same judges the pairs of equal campaigns, in pieces of size blocks. Pieces of the same campaign are not
// paired, since they were measured in the same minutes.
func (f *figures) same(stores []source, variant string, seen []string, size int) error {
	all, err := f.readings(stores, variant, size, 1)
	if err != nil {
		return err
	}
	t := &tally{}
	for i, older := range all {
		for _, later := range all[i+1:] {
			if older.campaign == later.campaign {
				continue
			}
			if err := t.add(older, later, seen, nil); err != nil {
				return err
			}
			t.addPeers(older, later, seen)
		}
	}
	f.results = append(f.results, t.results(size, 1, numbers(0, len(stores)))...)
	f.widths = append(f.widths, widthsOf(all, seen, size)...)
	return nil
}

// power judges the pairs of an unchanged campaign of the first half and one of the second half whose variant is
// made slower.
func (f *figures) power(ctx context.Context, stores []source, variant string) error {
	half := len(stores) / 2
	for _, c := range []struct {
		factor float64
		blocks int
	}{{1.05, f.blocks}, {1.10, min(8, f.blocks)}} {
		if err := ctx.Err(); err != nil {
			return err
		}
		older, err := f.readings(stores[:half], variant, c.blocks, 1)
		if err != nil {
			return err
		}
		later, err := f.readings(stores[half:], variant, c.blocks, c.factor)
		if err != nil {
			return err
		}
		t := &tally{}
		for _, a := range older {
			for _, b := range later {
				b.campaign += half
				if err := t.add(a, b, []string{variant}, nil); err != nil {
					return err
				}
			}
		}
		f.found = append(f.found, t.results(c.blocks, c.factor, numbers(0, half), numbers(half, len(stores)))...)
	}
	return nil
}

// leastHistory is the number of nights that a history needs to estimate the scatter between nights.
const leastHistory = 5

// withHistory judges the pairs of the second half of the campaigns, with the first half as their history.
func (f *figures) withHistory(stores []source) error {
	half := len(stores) / 2
	if half < leastHistory {
		return nil
	}
	nights, err := historyOf(stores[:half])
	if err != nil {
		return fmt.Errorf("making a history of %d campaigns: %w", half, err)
	}
	f.nights = half
	for _, variant := range variants[1:] {
		all, err := f.readings(stores[half:], variant, f.blocks, 1)
		if err != nil {
			return err
		}
		t := &tally{}
		for i, older := range all {
			for _, later := range all[i+1:] {
				if err := t.add(older, later, []string{variant}, nights); err != nil {
					return err
				}
			}
		}
		f.after = append(f.after, t.results(f.blocks, 1, numbers(0, len(stores)-half))...)
	}
	return nil
}

// historyOf returns the findings of a history file with the campaigns as its nights.
func historyOf(stores []source) (found *history.Findings, err error) {
	dir, err := os.MkdirTemp("", "tomorrow-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var records []history.Record
	for _, store := range stores {
		answers, pinned, err := analysis.Pin(store, variants[0])
		if err != nil {
			return nil, err
		}
		nights := history.Nights(answers, pinned, history.Origin{})
		for i := range nights {
			records = append(records, history.Record{Kind: history.KindNight, Night: &nights[i]})
		}
	}
	file := filepath.Join(dir, "history.jsonl")
	if _, err := history.Append(file, records...); err != nil {
		return nil, err
	}
	h, err := history.Read(file)
	if err != nil {
		return nil, err
	}
	return history.Check(h, 0)
}

// readings returns the readings of all pieces of size blocks, with the variant slower by a factor.
func (f *figures) readings(stores []source, variant string, size int, factor float64) ([]reading, error) {
	var all []reading
	for n, store := range stores {
		for piece := range f.blocks / size {
			src := source(partOf(store, variant, size, piece))
			if factor != 1 {
				src = slower{partOf(store, variant, size, piece), factor}
			}
			r, err := readingOf(src)
			if err != nil {
				return nil, fmt.Errorf("campaign %d: %w", n+1, err)
			}
			r.campaign = n
			all = append(all, r)
		}
	}
	return all, nil
}

// readingOf analyses a campaign by our method and by the peers'.
func readingOf(src source) (reading, error) {
	answers, err := analysis.Analyse(src)
	if err != nil {
		return reading{}, err
	}
	r := reading{answers: answers, peers: map[string][]infer.Scale{}}
	for _, cell := range src.Campaign().Cells {
		if cell.Role != results.RoleVariant && cell.Role != results.RoleBaseline {
			continue
		}
		halves, err := halvesOf(src, cell.ID)
		if err != nil {
			return reading{}, err
		}
		for _, p := range peers {
			r.peers[cell.Variant] = append(r.peers[cell.Variant], p.scale(halves))
		}
	}
	return r, nil
}

// told is the verdicts on the pairs of a series by a tool.
type told struct {
	tool
	pairs    []pair
	unjudged int // pairs without a verdict
}

// tally collects verdicts on pairs, in the order in which series came up.
type tally struct{ all []*told }

// note adds a verdict on a pair; ok is false without a verdict.
func (t *tally) note(name string, about series, p pair, ok bool) {
	at := slices.IndexFunc(t.all, func(x *told) bool { return x.tool == tool{name, about} })
	if at < 0 {
		at = len(t.all)
		t.all = append(t.all, &told{tool: tool{name, about}})
	}
	if ok {
		t.all[at].pairs = append(t.all[at].pairs, p)
	} else {
		t.all[at].unjudged++
	}
}

// add compares two campaigns by the shipped method.
func (t *tally) add(older, later reading, seen []string, nights *history.Findings) error {
	both := []*analysis.Answers{older.answers, later.answers}
	c, err := compare.Several(both, compare.Options{All: true, Margin: margin, Nights: nights})
	if err != nil {
		return fmt.Errorf("comparing campaigns %d and %d: %w", older.campaign+1, later.campaign+1, err)
	}
	for _, m := range c.Scenarios[0].Metrics {
		if nights != nil && m.Quantile != "" {
			continue // a history has none
		}
		for _, r := range m.Rows {
			if r.Role == results.RoleAA || !slices.Contains(seen, r.Variant) {
				continue
			}
			for _, change := range r.Changes {
				p, ok := pairOf(older.campaign, later.campaign, change)
				t.note(ours, series{r.Variant, m.Metric.Name}, p, ok)
			}
		}
	}
	return nil
}

// pairOf converts a change; ok is false if it has no verdict.
func pairOf(older, later int, c compare.Change) (p pair, ok bool) {
	neutral := 0.0
	if c.Relative {
		neutral = 1
	}
	p = pair{a: older, b: later, apart: c.Verdict != infer.Same && c.Verdict != infer.UndecidedYet}
	if c.Verdict == infer.NotJudged || c.Estimate == nil || c.Estimate.Interval == nil {
		return p, false
	}
	p.differs = c.Estimate.Interval.Low > neutral || c.Estimate.Interval.High < neutral
	return p, true
}

// addPeers compares two campaigns by the peers' intervals.
func (t *tally) addPeers(older, later reading, seen []string) {
	for _, variant := range seen {
		for i, peer := range peers {
			p := pair{a: older.campaign, b: later.campaign}
			var ok bool
			p.differs, p.apart, ok = peer.judge(older.peers[variant][i], later.peers[variant][i])
			t.note(peer.name, series{variant, older.answers.Scenarios[0].Primary}, p, ok)
		}
	}
}

// results returns the shares by metric, in order of first appearance, and then by variant; ours come before the
// peers'.
func (t *tally) results(blocks int, factor float64, groups ...[]int) []result {
	var all []result
	for _, x := range t.all {
		all = append(all, result{
			tool: x.tool, blocks: blocks, factor: factor, unjudged: x.unjudged,
			differs: shareOf(x.pairs, func(p pair) bool { return p.differs }, groups...),
			apart:   shareOf(x.pairs, func(p pair) bool { return p.apart }, groups...),
		})
	}
	place := func(s series) int { return slices.IndexFunc(t.all, func(x *told) bool { return x.series == s }) }
	slices.SortStableFunc(all, func(a, b result) int { return place(a.series) - place(b.series) })
	return all
}

// widthsOf returns the widths of the intervals of single campaigns.
func widthsOf(all []reading, seen []string, size int) []width {
	var found []width
	for _, m := range quantities(all[0].answers) {
		for _, variant := range seen {
			if variant == variants[0] {
				continue // it has no cost
			}
			w := width{
				series: series{variant, m.Name}, unit: m.Unit, blocks: size,
				least: math.Inf(1), most: math.Inf(-1),
			}
			for _, s := range scales {
				sum, n := 0.0, 0.0
				for _, r := range all {
					e := estimateOf(r.answers, w.series, s)
					if e == nil || e.Interval == nil {
						continue
					}
					w.least, w.most = min(w.least, e.Value), max(w.most, e.Value)
					sum, n = sum+e.Interval.Half()/math.Abs(e.Value), n+1
				}
				w.halves = append(w.halves, sum/n)
			}
			found = append(found, w)
		}
	}
	return found
}

// judgedQuantiles are the quantiles that compare judges.
var judgedQuantiles = []string{"p50", "p90"}

// quantities returns the metrics whose widths are reported, the primary one followed by its quantiles, named as
// in compare.
func quantities(a *analysis.Answers) []results.Metric {
	var all []results.Metric
	for _, m := range a.Scenarios[0].Metrics {
		all = append(all, m)
		if m.Name != a.Scenarios[0].Primary {
			continue
		}
		for _, name := range judgedQuantiles {
			q := m
			q.Name += "/" + name
			all = append(all, q)
		}
	}
	return all
}

// estimateOf returns a campaign's estimate of a series on a scale, or nil.
func estimateOf(a *analysis.Answers, about series, on scale) *analysis.Estimate {
	cell := results.Find(a.Scenarios[0].Cells, func(c *analysis.Cell) bool {
		return c.Variant == about.variant && c.Role == results.RoleVariant
	})
	if cell == nil {
		return nil
	}
	metric, quantile, _ := strings.Cut(about.metric, "/")
	m := cell.MetricNamed(metric)
	switch {
	case m == nil:
		return nil
	case quantile == "":
		return on.mean(m)
	}
	if q := m.Quantile(quantile); q != nil {
		return on.quantile(q)
	}
	return nil
}

// numbers returns the numbers from one up to, but not including, another.
func numbers(from, to int) []int {
	var all []int
	for n := from; n < to; n++ {
		all = append(all, n)
	}
	return all
}

// describe collects the machine, the versions and the times of the campaigns.
func (f *figures) describe(stores []source) error {
	for _, store := range stores {
		machines, err := store.Machines()
		if err != nil {
			return err
		}
		for _, m := range machines {
			f.machine = fmt.Sprintf("%s, %d CPUs", m.CPU, m.CPUs)
			if v := m.Facts["virtualisation"]; v != "" && v != "none" {
				f.machine += ", " + v
			}
		}
		invocations, err := store.Invocations()
		if err != nil {
			return err
		}
		f.include(invocations)
		c := store.Campaign()
		f.jdk, f.version = c.Versions["jdk"], c.Versions["moobench"]
	}
	slices.Sort(f.artifacts)
	return nil
}

// include adds the times of a campaign, and the artifacts in it.
func (f *figures) include(campaign []*results.Invocation) {
	var first, last time.Time
	for _, inv := range campaign {
		if first.IsZero() || inv.Start.Before(first) {
			first = inv.Start
		}
		if inv.End.After(last) {
			last = inv.End
		}
		for _, a := range inv.Artifacts {
			if !slices.Contains(f.artifacts, a.Name) {
				f.artifacts = append(f.artifacts, a.Name)
			}
		}
	}
	f.took += last.Sub(first)
	if f.first.IsZero() || first.Before(f.first) {
		f.first = first
	}
	if last.After(f.last) {
		f.last = last
	}
}
