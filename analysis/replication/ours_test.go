package replication

import (
	_ "embed"
	"math"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/infer"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// servedPaper prints what no server ever did.
//
//go:embed testdata/served.toml
var servedPaper string

func compared(t *testing.T, store *testcampaign.Store, more ...string) *Replication {
	t.Helper()
	p, err := Parse("served", []byte(servedPaper+strings.Join(more, "")))
	if err != nil {
		t.Fatal(err)
	}
	answers, err := analysis.Analyse(store)
	if err != nil {
		t.Fatal(err)
	}
	return Compare(p, store, answers)
}

func TestPaperBesideACampaign(t *testing.T) {
	store := testcampaign.Served()
	store.Made.Scale = 0.1
	r := compared(t, store)
	pooledIsOverAllSamples(t, store, r.Tables[1].Columns[1].Ours)
}

// TestColumnsOfTheirOwn: one may name another metric than its table, also one without samples,
// and another scenario.
func TestColumnsOfTheirOwn(t *testing.T) {
	r := compared(t, testcampaign.Served(), `
[[table]]
id = "own"
title = "Of their own"
source = "page 6"
unit = "ms"
scenario = "reliability"
take = "all"
[[table.column]]
id = "cpu"
title = "CPU time of a request"
variant = "probe/attach/collect"
metric = "cpu_per_request"
[[table.column]]
id = "elsewhere"
title = "where nothing is"
variant = "probe/attach/collect"
scenario = "overhead"
`)
	cpu, elsewhere := r.Tables[2].Columns[0], r.Tables[2].Columns[1]
	if got, want := cpu.Ours["mean"].value, cpu.Mean.Value/1e6; len(cpu.Ours) != 1 || !(want > 0) || got != want {
		t.Errorf("without samples: %v, want %v ms alone", cpu.Ours, want)
	}
	if elsewhere.Ours != nil || elsewhere.NoOurs != `the campaign has no scenario "overhead"` {
		t.Errorf("of no scenario: %v because %q", elsewhere.Ours, elsewhere.NoOurs)
	}
}

// TestLostIsTheThesisArithmetic computes S L_i / S_i by hand.
func TestLostIsTheThesisArithmetic(t *testing.T) {
	store := testcampaign.Served()
	void := ""
	var total, mean float64
	var shares []float64
	for _, inv := range store.Runs {
		if inv.Cell != "c04" || inv.Profile != results.ProfileTiming || inv.Status != results.StatusOK {
			continue
		}
		if void == "" { // one whose numbers don't count
			void, inv.Invalid = inv.Identity.String(), "our own load came too late"
			continue
		}
		if inv.Invalid != "" {
			continue
		}
		total += inv.Scalars["requests_all"]
		shares = append(shares, inv.Scalars["lost_all"]/inv.Scalars["requests_all"])
	}
	for _, x := range shares {
		mean += x * total / float64(len(shares))
	}
	r := compared(t, store)
	got := r.Tables[0].Columns[1].Ours
	if n := int(got["n"].value); len(shares) < 2 || n != len(shares) {
		t.Fatalf("n = %d, want %d", n, len(shares))
	}
	if math.Abs(got["mean"].value-mean) > 1e-9*mean {
		t.Errorf("mean %v, want %v", got["mean"].value, mean)
	}
}

// pooledIsOverAllSamples adds the samples up by their summaries' sums.
func pooledIsOverAllSamples(t *testing.T, store *testcampaign.Store, got map[string]Number) {
	t.Helper()
	var sum float64
	var n int64
	for _, inv := range store.Runs {
		if inv.Cell != "c04" || inv.Profile != results.ProfileTiming || inv.Status != results.StatusOK || inv.Invalid != "" {
			continue
		}
		for _, col := range store.Summaries[inv.Identity].Find(results.SeriesRequest, "latency") {
			for _, x := range col.Sum {
				sum += x
			}
			n += col.Count
		}
	}
	if want := sum / float64(n) / 1e6; int64(got["n"].value) != n || math.Abs(got["mean"].value-want) > 1e-9*want {
		t.Errorf("n = %v, mean %v ms, want %d, %v", got["n"].value, got["mean"].value, n, want)
	}
}

func TestNothingOfOurs(t *testing.T) {
	store := testcampaign.Small()
	r := compared(t, store)
	for _, table := range r.Tables {
		for _, c := range table.Columns {
			if c.Ours != nil || c.NoOurs == "" {
				t.Errorf("%s/%s: %v of a campaign without that scenario, because %q", table.ID, c.ID, c.Ours, c.NoOurs)
			}
		}
	}
	for _, j := range r.Claims {
		if j.Verdict != infer.CannotDecide {
			t.Errorf("%s: %s without a scenario", j.Text, j.Verdict)
		}
	}
}
