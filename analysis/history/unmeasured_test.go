package history

import (
	"encoding/json"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// without makes nights that have no standard error of their own.
func without(h *History) *History {
	for _, r := range h.Records {
		r.Night.SE, r.Night.DF, r.Night.N = 0, 0, 1
	}
	return h
}

// A standard error that is not known is absent in the file, and nights come back without one.
func TestAbsentStandardError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.jsonl")
	if _, err := Append(path, without(historyOf(key(cell), []float64{0.1, 0.2})).Records...); err != nil {
		t.Fatal(err)
	}
	h, err := Read(path)
	if err != nil || len(h.Records) != 2 || h.Records[0].Night.DF != 0 {
		t.Fatalf("%+v, %v", h, err)
	}
	line, err := json.Marshal(h.Records[0])
	if err != nil || strings.Contains(string(line), `"se"`) || strings.Contains(string(line), `"df"`) {
		t.Errorf("%s, %v", line, err)
	}
}

// Nights without a standard error are judged by what they differ by: as those whose own errors are a part of
// that, but for the least change that blocks could show.
func TestJudgedByWhatNightsDifferBy(t *testing.T) {
	for name, xs := range map[string][]float64{
		"no change": quiet(3, 40, 0.02), "a step": stepped(quiet(3, 40, 0.02), 30, 0.1), "a last night": stepped(quiet(3, 40, 0.02), 39, 0.12),
	} {
		own, _ := checked(t, historyOf(key(cell), xs))
		none, _ := checked(t, without(historyOf(key(cell), xs)))
		if len(own.Changes) != len(none.Changes) || len(none.Changes) != map[bool]int{true: 0, false: 1}[name == "no change"] {
			t.Errorf("%s: %d and %d changes", name, len(own.Changes), len(none.Changes))
			continue
		}
		for i := range own.Changes {
			a, b := own.Changes[i], none.Changes[i]
			if a.Night != b.Night || a.State != b.State || math.Abs(a.P-b.P) > 1e-12 || math.Abs(a.Log-b.Log) > 1e-12 {
				t.Errorf("%s: %+v and %+v", name, a, b)
			}
		}
	}
}

// A rehearsal of such nights counts alarms, and knows no other numbers of blocks.
func TestRehearsedWithoutStandardErrors(t *testing.T) {
	r := rehearse(t, without(historyOf(key(cell), quiet(4, 40, 0.02))), Rehearsing{Years: FewestYears})
	s := r.Series[0]
	if s.Remeasured || s.Within != 0 || len(s.Blocks) != 1 || s.Blocks[0].N != 1 || len(r.Total) != 1 || len(s.Blocks[0].Found) != len(horizons) {
		t.Fatalf("%+v", r)
	}
	for _, y := range []Yearly{s.Blocks[0].Check, s.Blocks[0].Gate} {
		if !(y.Rate > 0 && y.Low <= y.Rate && y.Rate <= y.High && y.High < 366) {
			t.Errorf("%+v", y)
		}
	}
	if _, err := json.Marshal(r); err != nil { // NaN has no JSON
		t.Error(err)
	}
}
