package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"moobench/analysis"
	"moobench/analysis/compare"
	"moobench/analysis/infer"
	"moobench/harness/run"
	"moobench/results"
	"moobench/results/importer"
	"moobench/results/summary"
)

func apart(p pair) bool { return p.apart }

// pairsOf are the pairs of so many campaigns, of which some are told apart.
func pairsOf(n int, told func(a, b int) bool) []pair {
	var all []pair
	for a := range n {
		for b := a + 1; b < n; b++ {
			all = append(all, pair{a: a, b: b, apart: told(a, b)})
		}
	}
	return all
}

func TestJackknife(t *testing.T) {
	cross := []pair{{a: 0, b: 2, apart: true}, {a: 0, b: 3, apart: true}, {a: 1, b: 2}, {a: 1, b: 3, apart: true}}
	for _, test := range []struct {
		name         string
		pairs        []pair
		groups       [][]int
		value, given float64
	}{
		// Without 0 or 1 the share is 0, without 2 it is 1: 2/3 (1/9 + 1/9 + 4/9).
		{"one of three pairs", pairsOf(3, func(a, b int) bool { return b == 1 }), [][]int{{0, 1, 2}}, 1. / 3, 4. / 9},
		// Without 0 it is 0, without any other 2/3: 3/4 (1/4 + 3/36).
		{"one campaign from all others", pairsOf(4, func(a, b int) bool { return a == 0 }), [][]int{{0, 1, 2, 3}}, 0.5, 0.25},
		// Without 0 it is 1/2, without 1 it is 1; the same without 2 or 3: 1/2 (1/16 + 1/16) for each group.
		{"two groups", cross, [][]int{{0, 1}, {2, 3}}, 0.75, 0.125},
		{"none", pairsOf(5, func(a, b int) bool { return false }), [][]int{{0, 1, 2, 3, 4}}, 0, 0},
	} {
		got, _ := jackknife(test.pairs, apart, test.groups)
		if value := shareOf(test.pairs, apart, test.groups...).value; math.Abs(got-test.given) > 1e-12 || value != test.value {
			t.Errorf("%s: share %v with variance %v, want %v with %v", test.name, value, got, test.value, test.given)
		}
	}
}

// Where no pair is told apart, the interval is that of pairs without a common campaign.
func TestShareWithoutScatter(t *testing.T) {
	for _, test := range []struct {
		campaigns int
		told      bool
		low, high float64
	}{
		// 1 - 0.025^(1/m) of m = 10, 2 and 1 pairs.
		{20, false, 0, 0.3084971},
		{20, true, 0.6915029, 1},
		{4, false, 0, 0.8418861},
		{3, false, 0, 0.975},
	} {
		s := shareOf(pairsOf(test.campaigns, func(a, b int) bool { return test.told }), apart, numbers(0, test.campaigns))
		if math.Abs(s.low-test.low) > 1e-6 || math.Abs(s.high-test.high) > 1e-6 {
			t.Errorf("%d campaigns, told apart %v: %v … %v, want %v … %v", test.campaigns, test.told, s.low, s.high, test.low, test.high)
		}
	}
}

// The table of Clopper and Pearson, as R's binom.test prints it.
func TestClopperPearson(t *testing.T) {
	for _, test := range []struct{ k, n, low, high float64 }{
		{0, 10, 0, 0.3084971}, {1, 10, 0.002528579, 0.4450161}, {5, 10, 0.1870860, 0.8129140}, {10, 10, 0.6915029, 1},
	} {
		low, high := clopperPearson(test.k, test.n, 0.025)
		if math.Abs(low-test.low) > 1e-6 || math.Abs(high-test.high) > 1e-6 {
			t.Errorf("%v of %v: %v … %v, want %v … %v", test.k, test.n, low, high, test.low, test.high)
		}
	}
}

// The interval holds the true share, at the nominal one and where campaigns differ by more
// than their intervals know, with one group and with two.
func TestShareCovers(t *testing.T) {
	const rounds, campaigns = 400, 20
	for _, test := range []struct {
		between, shift float64 // beyond a standard error of 1; between the halves
		cross          bool
	}{{}, {between: 1}, {between: 3}, {shift: 4, cross: true}, {between: 0.5, shift: 3, cross: true}} {
		rng := rand.New(rand.NewPCG(20, 1969))
		sd := math.Sqrt(2 * (1 + test.between*test.between))
		far := func(z float64) float64 { return math.Erfc(z/math.Sqrt2) / 2 }
		bound := 1.959964 * math.Sqrt2
		truth := far((bound-test.shift)/sd) + far((bound+test.shift)/sd)
		held, mean := 0, 0.0
		for range rounds {
			x := make([]float64, campaigns)
			for i := range x {
				x[i] = math.Hypot(1, test.between) * rng.NormFloat64()
				if i >= campaigns/2 {
					x[i] += test.shift
				}
			}
			all := pairsOf(campaigns, func(a, b int) bool { return math.Abs(x[a]-x[b]) > bound })
			groups := [][]int{numbers(0, campaigns)}
			if test.cross {
				all = slices.DeleteFunc(all, func(p pair) bool { return p.a >= campaigns/2 || p.b < campaigns/2 })
				groups = [][]int{numbers(0, campaigns/2), numbers(campaigns/2, campaigns)}
			}
			s := shareOf(all, apart, groups...)
			mean += s.value / rounds
			if s.low <= truth && truth <= s.high {
				held++
			}
		}
		if held < rounds*92/100 {
			t.Errorf("%+v: %d of %d intervals hold %.3f", test, held, rounds, truth)
		}
		if math.Abs(mean-truth) > 0.02 {
			t.Errorf("%+v: %.3f of the pairs on average, want %.3f", test, mean, truth)
		}
	}
}

func TestPairOf(t *testing.T) {
	estimate := func(low, high float64) *analysis.Estimate {
		return &analysis.Estimate{Interval: &infer.Interval{Low: low, High: high}}
	}
	for _, test := range []struct {
		change             compare.Change
		differs, apart, ok bool
	}{
		{compare.Change{Verdict: infer.Differs, Estimate: estimate(1, 2)}, true, true, true},
		{compare.Change{Verdict: infer.Changed, Estimate: estimate(0.8, 0.9), Relative: true}, true, true, true},
		{compare.Change{Verdict: infer.Regression, Estimate: estimate(1.1, 1.2), Relative: true}, true, true, true},
		{compare.Change{Verdict: infer.Improvement, Estimate: estimate(-2, -1)}, true, true, true},
		{compare.Change{Verdict: infer.Same, Estimate: estimate(1, 2)}, true, false, true},
		{compare.Change{Verdict: infer.UndecidedYet, Estimate: estimate(-1, 1)}, false, false, true},
		{compare.Change{Verdict: infer.UndecidedYet, Estimate: estimate(0.9, 1.1), Relative: true}, false, false, true},
		{compare.Change{Verdict: infer.NotJudged, Estimate: &analysis.Estimate{}}, false, false, false},
		{compare.Change{Verdict: infer.NotJudged}, false, false, false},
	} {
		p, ok := pairOf(3, 5, test.change)
		if ok != test.ok || ok && (p != pair{3, 5, test.differs, test.apart}) {
			t.Errorf("%s: %+v, %v", test.change.Verdict, p, ok)
		}
	}
}

// halfOf is the second half of a JVM with these samples after as many of warm-up.
func halfOf(t *testing.T, samples ...int64) half {
	t.Helper()
	b := summary.NewBuilder(int64(2 * len(samples)))
	b.Add(slices.Repeat([]int64{1_000_000}, len(samples)))
	b.Add(samples)
	c, err := b.Column()
	if err != nil {
		t.Fatal(err)
	}
	return half{&c, len(samples), 2 * len(samples)}
}

func TestPeersFormulas(t *testing.T) {
	one, other := halfOf(t, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3), halfOf(t, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6)
	// Of the 20 calls the mean is 3, and the squared deviations are 10·1 + 10·1 about their
	// own means of 2 and 4, 2·10 of these, and 10·1 more of the second: 10 + 20 + 20.
	m := mooBench([]half{one, other})
	if want := math.Sqrt(50. / 19 / 20); m.N != 20 || m.Value != 3 || math.Abs(m.SE-want) > 1e-12 {
		t.Errorf("MooBench: %+v, want the mean 3 with the standard error %v", m, want)
	}
	if i := m.Interval(level); math.Abs(i.Half()-1.959964*m.SE) > 1e-6 {
		t.Errorf("MooBench's half-width is %v, want 1.96 of %v", i.Half(), m.SE)
	}
	// Iterations: five of 2; 2, 3, 4, 5, 6.
	j := jmh([]half{one, other})
	if want := math.Sqrt(20. / 9 / 10); j.N != 10 || j.Value != 3 || j.DF != 9 || math.Abs(j.SE-want) > 1e-12 {
		t.Errorf("JMH: %+v, want the mean 3 with the standard error %v", j, want)
	}
	// By a table of t: 4.781 with 9 degrees of freedom.
	if i := j.Interval(0.999); math.Abs(i.Half()/j.SE-4.781) > 1e-3 {
		t.Errorf("JMH's half-width is %v standard errors, want 4.781", i.Half()/j.SE)
	}
	if s := jmh(nil); s.Spread() {
		t.Errorf("JMH without an iteration: %+v", s)
	}
}

func TestPeersJudge(t *testing.T) {
	of := func(mean, se float64) infer.Scale {
		return infer.Scale{N: 1000, Value: mean, SE: se, DF: math.Inf(1), Size: mean}
	}
	for _, test := range []struct {
		older, later       infer.Scale
		level              float64
		differs, apart, ok bool
	}{
		{of(100, 1), of(103, 1), 0.95, true, true, true},    // 2.12 standard errors
		{of(100, 1), of(103, 1), 0.999, false, false, true}, // below 3.29
		{of(100, 1), of(102, 1), 0.95, false, false, true},
		{of(100, 0.1), of(101, 0.1), 0.95, true, false, true}, // within 3 %
		{of(100, 1), infer.Scale{}, 0.95, false, false, false},
	} {
		differs, apart, ok := peer{level: test.level}.judge(test.older, test.later)
		if differs != test.differs || apart != test.apart || ok != test.ok {
			t.Errorf("%v and %v at %v: differs %v, apart %v, %v", test.older, test.later, test.level, differs, apart, ok)
		}
	}
}

const madeBlocks = 5

// makeCampaign makes a campaign up in a folder, in which what variants take is times as much.
// JVMs differ by 1 %.
func makeCampaign(t *testing.T, dir string, seed uint64, times float64) *results.Store {
	t.Helper()
	c := &results.Campaign{
		Name: "tomorrow", Created: time.Date(2026, 11, 26, 3, 0, int(seed), 0, time.UTC), Source: "moobench", Design: results.DesignBlocks, Seed: 1,
		Versions: map[string]string{"jdk": "17.0.15", "moobench": "0.1.0"},
		Scenarios: []results.Scenario{{Label: "overhead", Use: "overhead", Metrics: []results.Metric{
			{Name: "duration", Unit: "ns", Better: results.Lower, Profile: results.ProfileTiming, Primary: true, Series: "duration", Column: "t", About: "one call"},
			{Name: run.CPUNS, Unit: "ns", Better: results.Lower, Profile: results.ProfileTiming, About: "CPU time"},
			{Name: "gc_count", Unit: "1", Better: results.Lower, Profile: results.ProfileTiming, About: "collections"},
		}}},
	}
	for i, variant := range append([]string{variants[0]}, variants...) {
		cell := results.Cell{
			ID: fmt.Sprintf("c%02d", i), Scenario: "overhead", Variant: variant, Role: results.RoleVariant, Baseline: "c00",
			Proof: results.ProofPlan{Kind: results.ProofNone},
		}
		switch i {
		case 0:
			cell.Role, cell.Baseline, cell.Proof.Kind = results.RoleBaseline, "", results.ProofBaseline
		case 1:
			cell.Role, cell.Proof.Kind = results.RoleAA, results.ProofBaseline
		}
		c.Cells = append(c.Cells, cell)
	}
	for b := range madeBlocks {
		c.Blocks = append(c.Blocks, results.Block{Number: b + 1, Kind: results.BlockPlanned, Profile: results.ProfileTiming, Order: []string{"c00", "c01", "c02", "c03"}})
	}
	store, err := results.Create(dir, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.AddMachine(results.Machine{ID: "m1", Host: "bench-01", CPU: "Made-up 7402P", CPUs: 4}); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 7))
	for b := range madeBlocks {
		for slot, ns := range []float64{600, 600, 6000 * times, 900 * times} {
			seal(t, store, results.Identity{Block: b + 1, Slot: slot}, ns*(1+0.01*rng.NormFloat64()), rng)
		}
	}
	if err := store.Seal(); err != nil {
		t.Fatal(err)
	}
	return store
}

// seal makes one invocation up.
func seal(t *testing.T, store *results.Store, id results.Identity, ns float64, rng *rand.Rand) {
	t.Helper()
	start := store.Campaign().Created.Add(time.Duration(10*id.Block+id.Slot) * time.Second)
	inv := &results.Invocation{
		Cell: fmt.Sprintf("c%02d", id.Slot), Profile: results.ProfileTiming, Status: results.StatusOK, Session: "s", Machine: "m1",
		Start: start, End: start.Add(time.Second), Runtime: "17.0.15", Exit: "0", Scalars: map[string]float64{run.CPUNS: ns * 0.9, "gc_count": 3},
	}
	values := make([]int64, 100)
	for i := range values {
		values[i] = int64(ns * (1 + 0.01*rng.NormFloat64()))
	}
	samples := importer.Samples{Series: results.Series{Name: "duration", Batch: 1}}
	samples.Column("t", "ns", results.KindDuration, values)
	if err := importer.Seal(store, id, inv, samples); err != nil {
		t.Fatal(err)
	}
}

func TestPart(t *testing.T) {
	store := makeCampaign(t, filepath.Join(t.TempDir(), "c"), 1, 1)
	for _, test := range []struct {
		size, piece int
		blocks      []int
	}{{5, 0, []int{1, 2, 3, 4, 5}}, {2, 0, []int{1, 2}}, {2, 1, []int{3, 4}}, {4, 0, []int{1, 2, 3, 4}}} {
		p := partOf(store, variants[2], test.size, test.piece)
		all, err := p.Invocations()
		if err != nil {
			t.Fatal(err)
		}
		var blocks []int
		cells := map[string]int{}
		for _, inv := range all {
			cells[inv.Cell]++
			if !slices.Contains(blocks, inv.Block) {
				blocks = append(blocks, inv.Block)
			}
		}
		if !slices.Equal(blocks, test.blocks) || len(cells) != 3 || cells["c03"] != len(blocks) || cells["c02"] != 0 {
			t.Errorf("piece %d of %d blocks: blocks %v, cells %v", test.piece, test.size, blocks, cells)
		}
		a, err := analysis.Analyse(p)
		if err != nil || len(a.Warnings) > 0 {
			t.Errorf("piece %d of %d blocks: warnings %q, error %v", test.piece, test.size, a.Warnings, err)
		}
		if m := a.Scenarios[0].Cells[2].MetricNamed("duration"); m.Difference.N != len(test.blocks) {
			t.Errorf("piece %d of %d blocks: the cost is of %d", test.piece, test.size, m.Difference.N)
		}
	}
	if len(store.Campaign().Cells) != 4 || len(store.Campaign().Scenarios[0].Metrics) != 3 {
		t.Error("the campaign itself was changed")
	}
}

func TestSlower(t *testing.T) {
	store := makeCampaign(t, filepath.Join(t.TempDir(), "c"), 1, 1)
	same := partOf(store, variants[1], madeBlocks, 0)
	before, err1 := analysis.Analyse(same)
	after, err2 := analysis.Analyse(slower{same, 1.25})
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{1, 1, 1.25} {
		was, is := &before.Scenarios[0].Cells[i], &after.Scenarios[0].Cells[i]
		for _, metric := range []string{"duration", run.CPUNS} {
			if got := is.MetricNamed(metric).Mean.Value / was.MetricNamed(metric).Mean.Value; math.Abs(got-want) > 1e-4 {
				t.Errorf("%s: %s is %v times as large, want %v", was.ID, metric, got, want)
			}
		}
		median := func(c *analysis.Cell) float64 { return c.MetricNamed("duration").Quantiles[0].Estimate.Value }
		if got := median(is) / median(was); math.Abs(got-want) > 2e-3 {
			t.Errorf("%s: the median is %v times as large, want %v", was.ID, got, want)
		}
	}
	if inv, err := store.Invocations(); err != nil || inv[2].Scalars["gc_count"] != 3 || inv[2].Scalars[run.CPUNS] > 6000 {
		t.Errorf("the campaign itself was changed: %v, %v", inv[2].Scalars, err)
	}
}

// A folder with all of its campaigns is only analysed. One of ten costs a fifth more than the
// others, and is told apart from them alone.
func TestMadeCampaigns(t *testing.T) {
	dir, p := t.TempDir(), plan{campaigns: 10, blocks: madeBlocks, calls: 100, depth: 1}
	if err := os.WriteFile(filepath.Join(dir, "benchmarks.toml"), []byte(p.toml()), 0o666); err != nil {
		t.Fatal(err)
	}
	for n := range p.campaigns {
		times := 1.0
		if n == 9 {
			times = 1.2
		}
		makeCampaign(t, folder(dir, n), uint64(n), times)
	}
	if err := p.measure(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	f, err := p.analyse(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	text := f.markdown()
	for _, line := range []string{
		"Measured 2026-11-26 on Made-up 7402P, 4 CPUs, JDK 17.0.15, by moobench 0.1.0: 10 campaigns one after the other",
		"| kieker/bci/collect | duration | 5 | moobench compare | 45 | ", "| none | duration | 5 | JMH at 99.9 % | 45 | ",
		"| kieker/bci/collect | duration/p50 | 5 | moobench compare | 45 | ", "| none | duration/p90 | 5 | moobench compare | 45 | ",
		"| probe/bci/collect | cpu_ns | 5 | 1.05 | 25 | ", "| probe/bci/collect | duration/p50 | 5 | 1.05 | 25 | ", "The last 5 campaigns with each other, the first 5 being the nights",
	} {
		if !strings.Contains(text, line) {
			t.Errorf("want %q in\n%s", line, text)
		}
	}
	kieker := series{variants[1], "duration"}
	find := func(all []result, name string, about series, blocks int) result {
		r := results.Find(all, func(r *result) bool { return r.tool == tool{name, about} && r.blocks == blocks })
		if r == nil {
			t.Fatalf("no result of %v by %s in %d blocks in\n%s", about, name, blocks, text)
		}
		return *r
	}
	whole := find(f.results, ours, kieker, madeBlocks)
	if whole.apart.pairs != 45 || whole.apart.value < 9./45 || whole.apart.value > 12./45 {
		t.Errorf("told apart: %v of %d pairs, want some 9 of 45", whole.apart, whole.apart.pairs)
	}
	if base := find(f.results, ours, series{variants[0], "duration"}, madeBlocks); base.apart.value > 0.1 {
		t.Errorf("the baseline, which is the same in all: %v", base.apart)
	}
	if cpu := find(f.results, ours, series{variants[2], run.CPUNS}, madeBlocks); cpu.apart.value < 9./45 {
		t.Errorf("CPU time: %v", cpu.apart)
	}
	for _, name := range []string{"duration/p50", "duration/p90"} {
		q := find(f.results, ours, series{variants[1], name}, madeBlocks)
		if q.apart.pairs != 45 || q.apart.value < 9./45 || q.apart.value > 12./45 {
			t.Errorf("%s told apart: %v of %d pairs, want some 9 of 45", name, q.apart, q.apart.pairs)
		}
		if slices.ContainsFunc(f.after, func(r result) bool { return r.metric == name }) {
			t.Errorf("%s is judged by a history, which has none", name)
		}
	}
	// Calls of one JVM are taken for independent: 1 % between JVMs is told apart.
	if theirs := find(f.results, "MooBench", kieker, madeBlocks); theirs.differs.value < 2*whole.differs.value {
		t.Errorf("MooBench's intervals leave 0 out in %v, ours in %v", theirs.differs, whole.differs)
	}
	if dear := find(f.found, ours, kieker, madeBlocks); dear.apart.pairs != 25 || dear.differs.value < 0.9 {
		t.Errorf("made slower: %+v", dear)
	}
	if after := find(f.after, ours, kieker, madeBlocks); after.apart.pairs != 10 || f.nights != 5 {
		t.Errorf("with a history of %d: %+v", f.nights, after)
	}
	if len(f.widths) != 8 || f.widths[1].metric != "duration/p50" || f.widths[3].metric != run.CPUNS || f.widths[0].series != kieker || !(f.widths[0].halves[0] > 0.002 && f.widths[0].halves[0] < 0.05) {
		t.Errorf("widths %+v", f.widths)
	}
}

// Campaigns of another size, or measured beside something else, are not mixed.
func TestOtherFolder(t *testing.T) {
	dir, p := t.TempDir(), plan{campaigns: 2, blocks: 5, calls: 100, depth: 1}
	if err := os.WriteFile(filepath.Join(dir, "benchmarks.toml"), []byte(p.toml()), 0o666); err != nil {
		t.Fatal(err)
	}
	more, beside := p, p
	more.blocks, beside.loops, beside.load = 8, 2, 0.3
	for _, other := range []plan{more, beside} {
		if err := other.measure(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "another size or kind") {
			t.Errorf("%+v in a folder of %+v: %v", other, p, err)
		}
	}
}

func TestPlan(t *testing.T) {
	for _, test := range []struct {
		plan   plan
		blocks int // 0: an error
		sizes  []int
	}{
		{plan{campaigns: 20}, 23, []int{23, 11, 8, 5}},
		{plan{campaigns: 20, loops: 2, load: 0.3}, 8, []int{8, 5}},
		{plan{campaigns: 2, blocks: 5}, 5, []int{5}},
		{plan{campaigns: 1}, 0, nil},
		{plan{campaigns: 20, blocks: 2}, 0, nil},
		{plan{campaigns: 20, loops: 17, load: 0.3}, 0, nil},
		{plan{campaigns: 20, loops: 2, load: 1}, 0, nil},
	} {
		p, err := test.plan.settled()
		if (err != nil) != (test.blocks == 0) || err == nil && (p.blocks != test.blocks || !slices.Equal(p.sizes(), test.sizes)) {
			t.Errorf("%+v: %d blocks, sizes %v, error %v", test.plan, p.blocks, p.sizes(), err)
		}
	}
}

func TestWriteInto(t *testing.T) {
	mark := plan{}.mark()
	table := func(text string) string { return mark + "\n" + text + "\n" + tableEnd + "\n" }
	beside := plan{loops: 1}.mark() + "\nbusy\n" + tableEnd + "\n"
	for _, test := range []struct{ before, after string }{
		{"", table("new")},
		{"text\n", "text\n\n" + table("new")},
		{"text\n" + table("old") + "more\n", "text\n" + table("new") + "more\n"},
		{beside + table("old"), beside + table("new")},
		{beside, beside + "\n" + table("new")},
		{mark + "\nold\n", ""},
	} {
		file := filepath.Join(t.TempDir(), "a.md")
		if err := os.WriteFile(file, []byte(test.before), 0o666); err != nil {
			t.Fatal(err)
		}
		err := writeInto(file, mark, table("new"))
		if got, _ := os.ReadFile(file); err == nil && string(got) != test.after || (err != nil) != (test.after == "") {
			t.Errorf("%q became %q (%v), want %q", test.before, got, err, test.after)
		}
	}
}

// What works beside takes CPU time, and ends with its input.
func TestBurn(t *testing.T) {
	input, output := io.Pipe()
	ended := make(chan struct{})
	go func() {
		burn(input, 0.9, 1)
		close(ended)
	}()
	if _, err := io.Copy(output, bytes.NewReader([]byte("ignored"))); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended:
		t.Fatal("it ended before its input")
	default:
	}
	if err := output.Close(); err != nil {
		t.Fatal(err)
	}
	<-ended
}
