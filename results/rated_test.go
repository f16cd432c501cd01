package results_test

import (
	"slices"
	"testing"

	"moobench/results"
)

// rated is a window of a second at a rate, of whose calls and records so many came about.
func rated(asked, calls, delivered int64) results.Rated {
	return results.Rated{Asked: asked, Calls: calls, SpanNS: 1e9, Made: calls, Delivered: delivered}
}

func TestWhatBecomesOfARate(t *testing.T) {
	tests := []struct {
		name string
		r    results.Rated
		want results.Borne
	}{
		{"all", rated(1000, 1000, 1000), results.RateBorne},
		{"as many as must be", rated(1000, 990, 981), results.RateBorne},
		{"just as many delivered", rated(1000, 1000, 990), results.RateBorne},
		{"none delivered", rated(1000, 1000, 0), results.RateLost},
		{"in half a second", results.Rated{Asked: 1000, Calls: 500, SpanNS: 5e8}, results.RateBorne},
		{"one too few delivered", rated(1000, 1000, 989), results.RateLost},
		{"one too few made", rated(1000, 989, 989), results.RateSlowed},
		{"both", rated(1000, 500, 400), results.RateLost},
		{"nobody counts", rated(1000, 1000, -1), results.RateBorne},
		{"nobody counts, and too few", rated(1000, 900, -1), results.RateSlowed},
		{"it makes none", results.Rated{Asked: 10, Calls: 10, SpanNS: 1e9}, results.RateBorne},
	}
	for _, tt := range tests {
		if got := tt.r.Outcome(); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestKnee(t *testing.T) {
	tests := []struct {
		name           string
		all            []results.Rated
		borne, refused int64 // 0: none
	}{
		{"between", []results.Rated{rated(300, 300, 200), rated(100, 100, 100), rated(200, 200, 199)}, 200, 300},
		{"all borne", []results.Rated{rated(100, 100, 100), rated(200, 200, 200)}, 200, 0},
		{"none borne", []results.Rated{rated(200, 200, 2), rated(100, 100, 1)}, 0, 100},
		{"refused once, then borne twice", []results.Rated{rated(100, 100, 50), rated(100, 100, 100), rated(100, 100, 100), rated(300, 300, 0)}, 100, 300},
		{"borne once of three times", []results.Rated{rated(50, 50, 50), rated(100, 100, 50), rated(100, 100, 100), rated(100, 100, 50)}, 50, 100},
		{"a pause below what is borne", []results.Rated{rated(100, 100, 50), rated(200, 200, 200), rated(300, 300, 0)}, 200, 300},
		{"nothing", nil, 0, 0},
	}
	for _, tt := range tests {
		borne, refused := results.Knee(tt.all)
		asked := func(r *results.Rated) int64 {
			if r == nil {
				return 0
			}
			return r.Asked
		}
		if asked(borne) != tt.borne || asked(refused) != tt.refused {
			t.Errorf("%s: bears %d, not %d; want %d, %d", tt.name, asked(borne), asked(refused), tt.borne, tt.refused)
		}
	}
}

// TestKneeIsTheFirstWindow: of several windows with the deciding outcome the first one is shown.
func TestKneeIsTheFirstWindow(t *testing.T) {
	all := []results.Rated{
		rated(200, 200, 0), rated(100, 100, 100), rated(200, 200, 1), rated(100, 100, 99), rated(300, 300, 0),
	}
	if borne, refused := results.Knee(all); borne != &all[1] || refused != &all[0] {
		t.Errorf("%+v, %+v", borne, refused)
	}
	even := []results.Rated{rated(100, 100, 100), rated(100, 100, 0)} // half of the windows are no majority
	if borne, refused := results.Knee(even); borne != nil || refused != &even[1] {
		t.Errorf("%+v, %+v", borne, refused)
	}
}

// TestRatedRows: a window is the same after it was written and read.
func TestRatedRows(t *testing.T) {
	want := results.Rated{Asked: 1, Calls: 2, SpanNS: 3, BusyNS: 4, LateNS: 5, CPUNS: 6, Made: 7, Delivered: 8, WaitedNS: 9, Searched: 1}
	columns := results.RatedRows([]results.Rated{{}, want})
	var row []float64
	for _, column := range columns {
		row = append(row, float64(column[1]))
	}
	if got := results.RatedOf(row); got != want || len(columns) != len(results.RatedColumns()) {
		t.Errorf("%+v", got)
	}
	if slices.ContainsFunc(columns, func(c []int64) bool { return len(c) != 2 }) {
		t.Error("columns of different lengths")
	}
}
