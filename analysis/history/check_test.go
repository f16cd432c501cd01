package history

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moobench/analysis/infer"
	"moobench/results"
)

// Where more is better, less is worse.
func TestHigherIsBetter(t *testing.T) {
	h := historyOf(key(cell), append(quiet(1, 30, 0.01), 0))
	for i := range h.Records {
		h.Records[i].Night.Better = results.Higher
	}
	s, f := checked(t, h)
	if len(s.Changes) != 1 || !s.Changes[0].Worse || len(f.Unsettled()) != 1 {
		t.Errorf("%+v", s.Changes)
	}
}

func TestNightsThatAreNotJudged(t *testing.T) {
	k := key(cell)
	xs := append(quiet(1, 30, 0.01), 0.4)
	h := historyOf(k, xs)
	h.Records[30].Night.Marks = []string{"lost 5 %", MarkAAFailed}
	if s, _ := checked(t, h); len(s.Changes) != 0 || len(s.Nights) != 31 {
		t.Errorf("a night whose A/A failed made %+v of %d nights", s.Changes, len(s.Nights))
	}
	// A night that lost records is judged: it does so every night.
	h.Records[30].Night.Marks = []string{"lost 5 %"}
	if s, _ := checked(t, h); len(s.Changes) != 1 {
		t.Errorf("%+v", s.Changes)
	}
	// A level is found in spite of such nights inside, and starts at a judged one.
	h = historyOf(k, stepped(quiet(1, 40, 0.01), 30, 0.1))
	for _, i := range []int{3, 29, 30, 33} {
		h.Records[i].Night.Marks, h.Records[i].Night.Log = []string{MarkInvalid}, 3
	}
	s, _ := checked(t, h)
	if len(s.Changes) != 1 || s.Changes[0].Night != 31 || s.Changes[0].State != StateDetected {
		t.Errorf("%+v", s.Changes)
	}
	covered(t, s)
}

func TestShortSeries(t *testing.T) {
	h := historyOf(key(cell), []float64{0.1, 0.1, 0.1, 0.1, 0.5})
	h.Records = append(h.Records, historyOf(key("other"), []float64{0, 0, 0, 0, 0}).Records...)
	f, err := Check(h, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Warnings) != 1 || !strings.Contains(f.Warnings[0], "2 series with fewer than 7 nights") || !strings.Contains(f.Warnings[0], "2 nights are lacking") {
		t.Errorf("warnings %q", f.Warnings)
	}
	for _, s := range f.Series {
		if len(s.Changes) != 0 || s.Short != 2 || len(s.Segments) != 1 {
			t.Errorf("%+v", s)
		}
	}
}

// A new plan is a new level that nothing is said of; a confirmed change before it
// is over.
func TestPlanChanges(t *testing.T) {
	k := key(cell)
	h := historyOf(k, stepped(stepped(quiet(1, 45, 0.01), 30, 0.1), 35, 0.5))
	for i := range h.Records {
		if i >= 35 {
			h.Records[i].Night.Plan = "another"
		}
	}
	settled(h, k, 29, 30, infer.Confirmed, 0.1)
	s, f := checked(t, h)
	if len(s.Segments) != 3 || len(s.Changes) != 1 || s.Changes[0].Over == "" || len(f.Worse()) != 0 {
		t.Errorf("segments %+v, changes %+v", s.Segments, s.Changes)
	}
	covered(t, s)
}

// What is not measured any more does not fail for ever.
func TestEndedSeries(t *testing.T) {
	k := key(cell)
	h := historyOf(k, stepped(quiet(1, 34, 0.01), 30, 0.1))
	settled(h, k, 29, 30, infer.Confirmed, 0.1)
	newer := k
	newer.Runtime = "21.0.1+12"
	for i, x := range quiet(2, 6, 0.01) {
		f, err := Check(h, 0)
		if err != nil {
			t.Fatal(err)
		}
		if want := i < 5; want != (len(f.Worse()) == 1) {
			t.Errorf("after %d nights without it, it fails of %d", i, len(f.Worse()))
		}
		h.Records = append(h.Records, record(made(newer, 34+i, x)))
	}
}

// The noise floor is what two equal baselines differ by, whatever both are pinned
// to.
func TestFloor(t *testing.T) {
	k, r := key(cell), rand.New(rand.NewPCG(4, 4))
	h := historyOf(k, quiet(1, 30, 0.02))
	for i := range 30 {
		common := 0.05 * r.NormFloat64() // the reference's own
		first := made(key("none"), i, common)
		second := made(key("none#aa"), i, common+0.01*r.NormFloat64())
		second.AA = true
		h.Records = append(h.Records, record(first), record(second))
	}
	f, err := Check(h, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range f.Series {
		if s.Floor < 0.007 || s.Floor > 0.013 {
			t.Errorf("%s: the floor is %v, and was made 0.01", s.Key, s.Floor)
		}
		if s.Cell == "none#aa" && len(s.Changes) != 0 {
			t.Errorf("the second baseline is judged: %+v", s.Changes)
		}
	}
}

// A second baseline against the first is the floor by itself.
func TestFloorAgainstBaseline(t *testing.T) {
	k := key("none#aa")
	k.Reference = "none"
	h := historyOf(k, quiet(1, 30, 0.01))
	for i := range h.Records {
		h.Records[i].Night.AA = true
	}
	if s, _ := checked(t, h); s.Floor < 0.007 || s.Floor > 0.013 {
		t.Errorf("the floor is %v, and was made 0.01", s.Floor)
	}
}

// The order of lines does not matter, nor a constant that is added to all nights.
func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(8, 45).Draw(t, "nights")
		xs := stepped(quiet(rapid.Uint64().Draw(t, "seed"), n, 0.01), rapid.IntRange(1, n-1).Draw(t, "from"), rapid.Float64Range(-0.2, 0.2).Draw(t, "step"))
		h := historyOf(key(cell), xs)
		want, err := Check(h, 0)
		if err != nil {
			t.Fatal(err)
		}
		mixed := &History{Records: rapid.Permutation(h.Records).Draw(t, "order")}
		if got, err := Check(mixed, 0); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v, %v, want %+v", got, err, want)
		}
	})
}

// When the reference changes, all series do.
func TestAllTogether(t *testing.T) {
	h := &History{}
	for i, c := range []string{"a", "b", "c", "d"} {
		h.Records = append(h.Records, historyOf(key(c), append(quiet(uint64(i), 30, 0.01), 0)).Records...)
	}
	f, err := Check(h, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Warnings) != 1 || !strings.Contains(f.Warnings[0], "4 of 4 series changed in the same direction") {
		t.Errorf("%q", f.Warnings)
	}
}

// A constant machine: nights that never vary, and then do.
func TestNightsWithoutScatter(t *testing.T) {
	xs := slices.Repeat([]float64{0.1}, 30)
	if s, _ := checked(t, historyOf(key(cell), xs)); len(s.Changes) != 0 {
		t.Errorf("%+v", s.Changes)
	}
	s, _ := checked(t, historyOf(key(cell), append(xs, 0.2)))
	if len(s.Changes) != 1 || s.Changes[0].State != StateSuspected {
		t.Errorf("%+v", s.Changes)
	}
}

func TestBadOptions(t *testing.T) {
	for _, least := range []float64{2, -1, 1, math.NaN()} {
		if _, err := Check(&History{}, least); err == nil || !strings.Contains(err.Error(), "least change") {
			t.Errorf("a least change of %v: %v", least, err)
		}
	}
	if f, err := Check(&History{}, 0); err != nil || len(f.Series) != 0 || len(f.Worse()) != 0 {
		t.Errorf("an empty history: %+v, %v", f, err)
	}
}
