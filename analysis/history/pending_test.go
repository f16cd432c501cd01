package history

import (
	"math"
	"slices"
	"testing"
	"time"

	"moobench/analysis/infer"
	"moobench/results"
)

// begun adds what the first night of re-measuring left open.
func begun(h *History, old, new int, nights int) *Confirmation {
	c := &Confirmation{
		Key: key(cell), Night: nightID(new), Against: nightID(old), When: firstNight.AddDate(0, 0, new).Add(time.Hour),
		Folder: "confirm", Log: 0.05, Low: 0.02, High: 0.08, Alpha: 0.01, N: 15, SE: 0.008, DF: 14, Alarm: 0.2, Verdict: infer.Open,
		Joint: &Joint{Nights: nights, Log: 0.05, Low: -0.02, High: 0.12, Alpha: jointAlpha, Scatter: &results.Scatter{SD: 0.02, DF: 20, Within: 0.008, Bound: true}},
	}
	h.Records = append(h.Records, Record{Format: formatVersion, Kind: KindConfirmation, Confirmation: c})
	return c
}

// What one night left open is asked again after the next one, with the same old and
// new, whether or not that night is far off, too.
func TestAnotherNight(t *testing.T) {
	xs := append(quiet(1, 30, 0.01), 0.2)
	h := historyOf(key(cell), xs)
	begun(h, 25, 30, 1)
	if _, f := checked(t, h); len(f.Unsettled()) != 0 {
		t.Error("it is asked again the same night")
	}
	for name, next := range map[string]float64{"as before": 0.1, "far off": 0.2} {
		h := historyOf(key(cell), append(slices.Clone(xs), next))
		c := begun(h, 25, 30, 1)
		s, f := checked(t, h)
		open := f.Unsettled()
		if len(open) != 1 || open[0].Change.Confirmation != c || len(f.Worse()) != 0 {
			t.Fatalf("%s: %d unsettled: %+v", name, len(open), s.Changes)
		}
		r := h.Choose(open)[0]
		if r.Why != "" || r.Old.ID != nightID(25) || r.New.ID != nightID(30) || r.Log != 0.2 || len(r.Before) != 1 || r.Before[0].SE != 0.008 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	h = historyOf(key(cell), append(slices.Clone(xs), 0.1))
	begun(h, 25, 30, mostNights)
	if _, f := checked(t, h); len(f.Unsettled()) != 0 {
		t.Error("five nights did not settle it, and a sixth is asked for")
	}
	h = historyOf(key(cell), append(slices.Clone(xs), 0.1))
	begun(h, 25, 30, 1)
	accepted(h, key(cell), 30)
	if _, f := checked(t, h); len(f.Unsettled()) != 0 {
		t.Error("what was accepted is asked again")
	}
}

// What nights of new/old differ by is the bound of the series' nights, until
// confirmations of the same metric tell it better.
func TestScatter(t *testing.T) {
	h := historyOf(key(cell), append(quiet(1, 30, 0.02), 0.3))
	_, f := checked(t, h)
	first := h.Choose(f.Unsettled())[0].Scatter
	if first == nil || !first.Bound || first.SD < 0.012 || first.SD > 0.03 || first.DF != 29 || math.Abs(first.Within-0.005) > 1e-12 {
		t.Fatalf("at first %+v", first)
	}
	for i := range 12 {
		log := 0.004 * float64(i%3-1)
		settled(h, key(cell), i+8, i+14, infer.Refuted, log)
	}
	_, f = checked(t, h)
	own := h.Choose(f.Unsettled())[0].Scatter
	if own == nil || own.Bound || own.DF != 12 || own.SD < 0.0049 || own.SD > 0.0050 { // 0.00327, of which so few know little
		t.Errorf("then %+v", own)
	}
	other := key(cell)
	other.Metric = "rss"
	for i := range h.Records {
		if c := h.Records[i].Confirmation; c != nil {
			c.Key = other
		}
	}
	if got := h.Choose(f.Unsettled())[0].Scatter; got == nil || !got.Bound {
		t.Errorf("another metric tells: %+v", got)
	}
}

// A record of an older version says what its interval holds.
func TestOlderConfirmation(t *testing.T) {
	c := Confirmation{Log: 0.05, Low: 0.05 - 2.976843*0.01, High: 0.05 + 2.976843*0.01, Alpha: 0.01, N: 15} // t(14; 0.005)
	if m := c.remeasured(); m.DF != 14 || m.SE < 0.01-1e-8 || m.SE > 0.01+1e-8 {
		t.Errorf("%+v", m)
	}
	c.Distrusted = true
	if m := c.remeasured(); m.DF != 0 {
		t.Errorf("its A/A failed: %+v", m)
	}
}

func TestTypical(t *testing.T) {
	xs := []float64{1, 1.1, 0.9, 1.05, 0.95, 1, 3}
	ses := []float64{1, 2, 3, 4, 5, 6, 7}
	if got, gotSEs := typical(xs, ses); !slices.Equal(got, xs[:6]) || !slices.Equal(gotSEs, ses[:6]) {
		t.Errorf("%v, %v", got, gotSEs)
	}
	if got, _ := typical([]float64{1, 1, 1, 2}, make([]float64, 4)); len(got) != 4 {
		t.Errorf("half of them are equal: %v", got)
	}
}
