package evidence

import (
	"errors"
	"testing"

	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/stats"
	"moobench/results"
)

// keeping is a campaign that kept samples of its hot method and of its changes,
// beside the scalars that were recorded of them.
type keeping struct {
	*testcampaign.Store
	during []int64
	err    error
}

func (k *keeping) Samples(inv *results.Invocation, fn func(results.Series, int, []int64) error) error {
	for _, s := range inv.Series {
		values := k.during
		switch s.Name {
		case results.SeriesBefore, results.SeriesAfter:
			values = []int64{50, 50}
		case "other":
			values = []int64{1}
		}
		for page := values; len(page) > 0; page = page[min(1000, len(page)):] {
			if err := fn(s, 0, page[:min(1000, len(page))]); err != nil {
				return err
			}
		}
	}
	return k.err
}

// recovered is a campaign of one invocation, whose recovery was recorded as 7 ns.
func recovered(during []int64, series ...string) (*keeping, *results.Invocation, *results.Scenario) {
	inv := &results.Invocation{
		Status: results.StatusOK, Profile: results.ProfileTiming, Warnings: []string{"recorded"},
		Scalars: map[string]float64{results.DerivedRecovery: 7, results.DerivedResidue: 9, "safepoint": 3},
	}
	for _, name := range series {
		inv.Series = append(inv.Series, results.Series{Name: name, Columns: []results.Column{{Name: "t", Unit: "ns", Kind: results.KindDuration}}})
	}
	sc := &results.Scenario{}
	for _, name := range []string{results.DerivedRecovery, results.DerivedResidue, "safepoint"} {
		sc.Metrics = append(sc.Metrics, results.Metric{Name: name, Profile: results.ProfileTiming})
	}
	return &keeping{Store: &testcampaign.Store{}, during: during}, inv, sc
}

// course100 comes back after 200 calls: 800 ns more each.
func course100() []int64 {
	ns := make([]int64, 10_000)
	for i := range ns {
		ns[i] = 100
		if i < 200 {
			ns[i] = 900
		}
	}
	return ns
}

// TestKeptSamplesAreAskedAgain: what can be derived replaces what was recorded,
// also where the rule now finds nothing; without the samples what was recorded
// stands, as do figures of another kind.
func TestKeptSamplesAreAskedAgain(t *testing.T) {
	hot := []string{results.SeriesBefore, results.SeriesDuring, results.SeriesAfter}
	for name, c := range map[string]struct {
		during   []int64
		series   []string
		want     map[string]float64
		warnings int
	}{
		"kept":              {course100(), hot, map[string]float64{results.DerivedRecovery: 160_000, results.DerivedResidue: 1, "safepoint": 3}, 1},
		"too few calls":     {[]int64{1, 2}, hot, map[string]float64{results.DerivedResidue: 1, "safepoint": 3}, 2},
		"others were kept":  {nil, []string{"other"}, map[string]float64{results.DerivedRecovery: 7, results.DerivedResidue: 9, "safepoint": 3}, 1},
		"nothing kept":      {nil, nil, map[string]float64{results.DerivedRecovery: 7, results.DerivedResidue: 9, "safepoint": 3}, 1},
		"only one was kept": {course100(), hot[1:2], map[string]float64{results.DerivedRecovery: 7, results.DerivedResidue: 9, "safepoint": 3}, 1},
	} {
		src, inv, sc := recovered(c.during, c.series...)
		e := &Invocation{Invocation: inv, Values: map[string]float64{}}
		for range 2 { // a warning that is there already is not doubled
			all, err := e.scalars(src)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range sc.Metrics {
				if x, ok := all[m.Name]; ok && stats.Finite(x) {
					e.Values[m.Name] = x
				}
			}
		}
		for _, m := range sc.Metrics {
			want, known := c.want[m.Name]
			if got, ok := e.Values[m.Name]; ok != known || got != want {
				t.Errorf("%s: %s is %v, %t; want %v, %t", name, m.Name, got, ok, want, known)
			}
		}
		if len(e.Warnings) != c.warnings || len(inv.Warnings) != 1 {
			t.Errorf("%s: warnings %q; of the store's own %q", name, e.Warnings, inv.Warnings)
		}
	}
	src, inv, _ := recovered(course100(), hot...)
	src.err = errors.New("unreadable")
	if _, err := (&Invocation{Invocation: inv}).scalars(src); !errors.Is(err, src.err) {
		t.Errorf("unreadable samples: %v", err)
	}
}
