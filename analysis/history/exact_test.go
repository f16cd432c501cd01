package history

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"moobench/analysis/infer"
)

// What goes on is the same in whichever order a history's lines are: its shift and the first night that counts, which
// of noise floors is the first one on the new machine.
func TestSucceedInAnyOrder(t *testing.T) {
	k, now := key(cell), firstNight.AddDate(0, 0, 60)
	h := replaced(m1, m2, k, 6, 0.1, []float64{0.1})
	h.Records = h.Records[:len(h.Records)-1]
	floor := key("pinned/bci/collect#aa")
	floors := slices.Concat(nightsOn(m1, floor, 0, quiet(1, 30, 0.01)), nightsOn(m2, floor, 27, quiet(1, 3, 0.01)))
	for _, r := range floors {
		r.Night.AA = true
		h.Records = append(h.Records, r)
	}
	first, err := h.Succeed(m1, m2, now)
	if err != nil || len(first) != 2 {
		t.Fatal(first, err)
	}
	for _, s := range first {
		want := "m2" + nightID(24)
		if s.Move.Cell == floor.Cell {
			want = "m2" + nightID(27)
		}
		if !s.Goes() || s.Floor != (s.Move.Cell == floor.Cell) || s.Move.Night != want {
			t.Errorf("%+v, want it from %s on", s, want)
		}
	}
	slices.Reverse(h.Records)
	if again, err := h.Succeed(m1, m2, now); err != nil || !reflect.DeepEqual(first, again) {
		t.Errorf("%+v, %v\nin another order %+v", first, err, again)
	}
}

// A change that is measured again goes on with its old and new, even if the old one is the first night of all.
func TestAnotherNightAgainstTheFirst(t *testing.T) {
	h := historyOf(key(cell), append(quiet(1, 30, 0.01), 0.2, 0.1))
	begun(h, 0, 30, 1)
	_, f := checked(t, h)
	open := f.Unsettled()
	if len(open) != 1 {
		t.Fatalf("%d are unsettled", len(open))
	}
	if r := h.Choose(open)[0]; r.Why != "" || r.Old.ID != nightID(0) || r.New.ID != nightID(30) || r.Log != 0.2 {
		t.Errorf("%q, old %s, new %s, %v", r.Why, r.Old.ID, r.New.ID, r.Log)
	}
}

// The least change that is reported is the one that is asked for, or the one that a night's blocks find, where these
// are known.
func TestLeastOf(t *testing.T) {
	solver := infer.Solver{}
	asked := math.Log1p(0.03)
	for name, c := range map[string]struct {
		ses, dfs []float64
		want     float64
	}{
		"unknown":                  {[]float64{0, 0, 0}, []float64{0, 0, 0}, asked},
		"an error, and no freedom": {[]float64{0.1, 0.1, 0.1}, []float64{0, 0, 0}, asked},
		"freedom, and no error":    {[]float64{0, 0, 0}, []float64{14, 14, 14}, asked},
		"small":                    {[]float64{0.001, 0.001, 0.001}, []float64{14, 14, 14}, asked},
		"large":                    {[]float64{0.1, 0.1, 0.1}, []float64{14, 14, 14}, 0.1 * solver.Units(14, 0.05)},
		"of the one in the middle": {[]float64{0.3, 0.001, 0.1}, []float64{14, 1, 30}, 0.1 * solver.Units(14, 0.05)},
		"with one degree":          {[]float64{0.1}, []float64{1}, 0.1 * solver.Units(1, 0.05)},
	} {
		if got := leastOf(&solver, 0.03, c.ses, c.dfs); !(math.Abs(got-c.want) <= 1e-9) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// How often a gate fails is computed and not counted, so that its interval is all that other nights of such a history
// would have, however rarely it fails.
func TestGateInterval(t *testing.T) {
	b := rehearse(t, historyOf(key(cell), quiet(1, 40, 0.012)), few).Series[0].Blocks[0]
	if g := b.Gate; g.Rate > 2 || g.Low <= 0 || g.Low > g.Rate/10 || g.High < 10*g.Rate {
		t.Errorf("%+v", g)
	}
}
