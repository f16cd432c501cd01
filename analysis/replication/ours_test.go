package replication

import (
	"math"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/infer"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// servedPaper prints what no server ever did.
const servedPaper = `
title = "A server that loses"
source = "made up"
[[table]]
id = "lost"
title = "Lost"
source = "page 1"
unit = "1"
scenario = "reliability"
take = "lost"
[[table.column]]
id = "MI"
title = "MI"
variant = "probe/manual/collect"
figures = { mean = "24.817", ci95 = "3.282", sd = "26.385", n = "10" }
[[table.column]]
id = "BCI"
title = "BCI"
variant = "probe/attach/collect"
figures = { mean = "50.743", sd = "28.444", n = "10" }
doubts = { mean = "on a scale of its own" }
[[table]]
id = "latency"
title = "Latency"
source = "page 2"
unit = "ms"
note = "all samples"
scenario = "reliability"
metric = "latency"
take = "all"
[[table.column]]
id = "MI"
title = "MI"
variant = "probe/manual/collect"
figures = { mean = "11.436", n = "26,105,373" }
[[table.column]]
id = "BCI"
title = "BCI"
variant = "probe/attach/collect"
figures = { mean = "15.980", n = "15,655,600" }
[[table.column]]
id = "JMX"
title = "JMX"
figures = { mean = "99" }
[[table.column]]
id = "none"
title = "nothing printed"
variant = "none"
[[check]]
name = "t"
where = "page 3"
printed = "-2.1132"
finds = "-2.1132"
kind = "pooled-t"
of = ["lost/MI", "lost/BCI"]
beside = true
[[check]]
name = "ratio of latencies"
finds = "0.12"
kind = "ratio"
of = ["latency/MI", "latency/JMX"]
beside = true
[[claim]]
text = "BCI loses more transactions than nothing does"
where = "page 3"
kind = "more"
scenario = "reliability"
metric = "lost"
a = "probe/attach/collect"
b = "none"
[[claim]]
text = "Latency is higher with BCI"
where = "page 4"
kind = "more"
scenario = "reliability"
metric = "latency"
a = "probe/attach/collect"
b = "none"
figures = ["latency/BCI", "latency/MI"]
[[claim]]
text = "Nobody asked"
where = "page 5"
kind = "less"
scenario = "reliability"
metric = "service"
a = "probe/attach/collect"
b = "none"
`

func compared(t *testing.T, store *testcampaign.Store) *Replication {
	t.Helper()
	p, err := Parse("served", []byte(servedPaper))
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
	var out strings.Builder
	r := compared(t, store)
	if err := Text(&out, r, 100); err != nil {
		t.Fatal(err)
	}
	golden(t, "served.txt", out.String())
	pooledIsOverAllSamples(t, store, r.Tables[1].Columns[1].Ours)
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
			void, inv.Void = inv.Identity.String(), "our own load came too late"
			continue
		}
		if inv.Void != "" {
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
	if n := int(got["n"].Value); len(shares) < 2 || n != len(shares) {
		t.Fatalf("n = %d, want %d", n, len(shares))
	}
	if math.Abs(got["mean"].Value-mean) > 1e-9*mean {
		t.Errorf("mean %v, want %v", got["mean"].Value, mean)
	}
}

// pooledIsOverAllSamples adds the samples up by their summaries' sums.
func pooledIsOverAllSamples(t *testing.T, store *testcampaign.Store, got map[string]Number) {
	t.Helper()
	var sum float64
	var n int64
	for _, inv := range store.Runs {
		if inv.Cell != "c04" || inv.Profile != results.ProfileTiming || inv.Status != results.StatusOK || inv.Void != "" {
			continue
		}
		for _, col := range store.Summaries[inv.Identity].Find(results.SeriesRequest, "latency") {
			for _, x := range col.Sum {
				sum += x
			}
			n += col.Count
		}
	}
	if want := sum / float64(n) / 1e6; int64(got["n"].Value) != n || math.Abs(got["mean"].Value-want) > 1e-9*want {
		t.Errorf("n = %v, mean %v ms, want %d, %v", got["n"].Value, got["mean"].Value, n, want)
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
