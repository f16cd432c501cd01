package history

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"moobench/analysis/infer"
	"moobench/results"
)

var firstNight = time.Date(2026, 1, 5, 3, 0, 0, 0, time.UTC)

func key(cell string) Key {
	return Key{Campaign: "nightly", Scenario: "overhead", Cell: cell, Metric: "duration", Reference: "pinned/bci/collect", Machine: "m1", Runtime: "17.0.15+6"}
}

func nightID(i int) string { return fmt.Sprintf("n%04d", i) }

// made is the night i of a series.
func made(k Key, i int, log float64) Night {
	return Night{
		Key: k, ID: nightID(i), When: firstNight.AddDate(0, 0, i), Commit: fmt.Sprintf("%07x", 0xabc0000+i), Folder: nightID(i), Plan: "p", Tool: "1.0.0",
		Unit: "ns", Better: results.Lower, Log: log, SE: 0.005, DF: 14, N: 15, Raw: 1000, ReferenceRaw: 900,
	}
}

func record(n Night) Record { return Record{Format: formatVersion, Kind: KindNight, Night: &n} }

// quiet draws nights of a level of 0.1 that scatter by sd.
func quiet(seed uint64, n int, sd float64) []float64 {
	r := rand.New(rand.NewPCG(seed, 1))
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = 0.1 + sd*r.NormFloat64()
	}
	return xs
}

// stepped adds a step to the values from a night on.
func stepped(xs []float64, from int, by float64) []float64 {
	ys := append([]float64(nil), xs...)
	for i := from; i < len(ys); i++ {
		ys[i] += by
	}
	return ys
}

func historyOf(k Key, xs []float64) *History {
	h := &History{}
	for i, x := range xs {
		h.Records = append(h.Records, record(made(k, i, x)))
	}
	return h
}

// settled adds what measuring again said of the night new, against old.
func settled(h *History, k Key, old, new int, v infer.Settlement, log float64) {
	h.Records = append(h.Records, Record{Format: formatVersion, Kind: KindConfirmation, Confirmation: &Confirmation{
		Key: k, Night: nightID(new), Against: nightID(old), When: firstNight.AddDate(0, 0, new).Add(time.Hour),
		Folder: "confirm", Log: log, Low: log - 0.02, High: log + 0.02, Alpha: 0.01, N: 15, Verdict: v,
	}})
}

func accepted(h *History, k Key, night int) {
	h.Records = append(h.Records, Record{Format: formatVersion, Kind: KindAcceptance, Acceptance: &Acceptance{
		Key: k, Night: nightID(night), When: firstNight.AddDate(0, 0, night).Add(2 * time.Hour), Why: "meant",
	}})
}

// checked is the only series of a history, checked.
func checked(t *testing.T, h *History) (Series, *Findings) {
	t.Helper()
	f, err := Check(h, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Series) != 1 {
		t.Fatalf("%d series", len(f.Series))
	}
	return f.Series[0], f
}
