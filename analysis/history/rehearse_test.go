package history

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/internal/testrace"
	"moobench/refusal"
	"moobench/results"
)

// kept makes nights that can be re-measured.
func kept(h *History) *History {
	for _, r := range h.Records {
		r.Night.Artifacts = []results.Artifact{{Name: "agent.jar", SHA256: "0"}}
	}
	return h
}

// few is a rehearsal that takes no time.
var few = Rehearsing{Years: FewestYears, Brief: true}

func rehearse(t *testing.T, h *History, o Rehearsing) *Rehearsal {
	t.Helper()
	r, err := Rehearse(context.Background(), h, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The same history has the same rehearsal, in whichever order its lines are; the years are all
// there.
func TestRehearseTwice(t *testing.T) {
	testrace.Slow(t)
	h := kept(historyOf(key(cell), quiet(1, 40, 0.02)))
	first := rehearse(t, h, Rehearsing{Years: FewestYears})
	slices.Reverse(h.Records)
	if second := rehearse(t, h, Rehearsing{Years: FewestYears}); !reflect.DeepEqual(first, second) {
		t.Errorf("%+v\n%+v", first, second)
	}
	s := first.Series[0]
	if first.Years != FewestYears || s.Nights != 40 || len(s.Blocks) != 3 || len(first.Total) != 3 || math.Abs(s.NightsAYear-365.25) > 0.01 {
		t.Errorf("%+v", first)
	}
	for i, want := range []int{15, 16, 30} {
		b := s.Blocks[i]
		if b.N != want || len(b.Found) != len(horizons) || !reflect.DeepEqual(first.Total[i].Check, b.Check) {
			t.Errorf("%+v, in all %+v", b, first.Total[i])
		}
		for _, y := range []Yearly{b.Check, b.Gate} {
			if y.Low > y.Rate || y.Rate > y.High {
				t.Errorf("%d blocks: %+v", b.N, y)
			}
		}
		for j := 1; j < len(b.Found); j++ { // more nights find smaller shifts
			if last, next := b.Found[j-1], b.Found[j]; last.Check < next.Check || last.Gate < next.Gate || next.Check <= 0 {
				t.Errorf("%d blocks: %+v", b.N, b.Found)
			}
		}
	}
	if whole := (Rehearsing{Years: RehearsedYears}); whole.own()+resamples*whole.each() != RehearsedYears {
		t.Errorf("%d and %d times %d years", whole.own(), resamples, whole.each())
	}
}

// A shift that was found, or accepted, is no scatter of the nights.
func TestRehearseWithoutShifts(t *testing.T) {
	xs := quiet(1, 60, 0.01)
	plain := rehearse(t, kept(historyOf(key(cell), xs)), few).Series[0]
	found := rehearse(t, kept(historyOf(key(cell), stepped(xs, 30, 0.1))), few).Series[0]
	if plain.Shifts != 0 || found.Shifts != 1 || found.SD > 1.1*plain.SD {
		t.Errorf("without %+v, with a shift %+v", plain, found)
	}
	small := kept(historyOf(key(cell), stepped(xs, 30, 0.02)))
	accepted(small, key(cell), 30)
	if got := rehearse(t, small, few).Series[0]; got.Shifts != 1 || got.SD > 1.1*plain.SD {
		t.Errorf("accepted: %+v", got)
	}
}

// Too few nights, nights of another plan, and a second baseline are refused, with what to do.
func TestRehearseRefuses(t *testing.T) {
	xs := quiet(1, 30, 0.01)
	replanned := historyOf(key(cell), xs)
	for i := range 15 {
		replanned.Records[i].Night.Plan = "older"
	}
	failed := historyOf(key(cell), xs)
	for i := range 15 {
		failed.Records[2*i].Night.Marks = []string{MarkAAFailed}
	}
	equal := historyOf(key(cell), xs)
	for _, r := range equal.Records {
		r.Night.AA = true
	}
	for name, c := range map[string]struct {
		h    *History
		lack string
	}{
		"19 nights":         {historyOf(key(cell), xs[:19]), "the longest has 19"},
		"another plan":      {replanned, "the longest has 15"},
		"A/A failed":        {failed, "the longest has 15"},
		"a second baseline": {equal, "the longest has 0"},
		"nothing":           {&History{}, "the longest has 0"},
	} {
		_, err := Rehearse(context.Background(), c.h, few)
		if !errors.Is(err, errTooFewNights) || !strings.Contains(err.Error(), c.lack) || !strings.Contains(refusal.Do(err), "history add DIR") {
			t.Errorf("%s: %v, %q", name, err, refusal.Do(err))
		}
	}
	both := kept(historyOf(key(cell), xs))
	for i := 18; i < 30; i++ {
		both.Records = append(both.Records, record(made(key("other/bci/collect"), i, xs[i])))
	}
	if r := rehearse(t, both, few); len(r.Series) != 1 || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "12 judged nights") {
		t.Errorf("%d series, %q", len(r.Series), r.Warnings)
	}
	if _, err := Rehearse(context.Background(), both, Rehearsing{Least: 2}); err == nil {
		t.Error("a least change of 200 % is accepted")
	}
	ended, end := context.WithCancel(context.Background())
	end()
	if _, err := Rehearse(ended, both, few); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// What can't be re-measured fails no check: alarms are counted. Nights that scatter more raise more
// of them.
func TestRehearseAlarms(t *testing.T) {
	testrace.Slow(t)
	noisy, calm := historyOf(key(cell), quiet(1, 60, 0.03)), historyOf(key(cell), quiet(1, 60, 0.015))
	alarms, fewer := rehearse(t, noisy, few).Series[0], rehearse(t, calm, few).Series[0]
	failures := rehearse(t, kept(noisy), few).Series[0]
	if alarms.Remeasured || alarms.Blocks[0].Again != 0 || alarms.Blocks[0].Check.Rate < 10 {
		t.Errorf("alarms: %+v", alarms)
	}
	if !failures.Remeasured || failures.Blocks[0].Again < 10 || failures.Blocks[0].Check.Rate > 0.5 {
		t.Errorf("failures: %+v", failures)
	}
	if fewer.Blocks[0].Check.High >= alarms.Blocks[0].Check.Rate || fewer.Blocks[0].Gate.Rate >= alarms.Blocks[0].Gate.Rate {
		t.Errorf("half of the scatter: %+v; all of it: %+v", fewer.Blocks[0], alarms.Blocks[0])
	}
}

// Who measures ten times a day has ten times as many alarms, of no more simulated nights.
func TestRehearseOften(t *testing.T) {
	testrace.Slow(t)
	nightly, often := historyOf(key(cell), quiet(1, 60, 0.03)), historyOf(key(cell), quiet(1, 60, 0.03))
	for i, r := range often.Records {
		r.Night.When = firstNight.Add(time.Duration(i) * 144 * time.Minute)
	}
	a, b := rehearse(t, nightly, few).Series[0], rehearse(t, often, few).Series[0]
	if ratio := b.Blocks[0].Check.Rate / a.Blocks[0].Check.Rate; math.Abs(ratio-10) > 1 || math.Abs(b.Blocks[0].Gate.Rate/a.Blocks[0].Gate.Rate-10) > 0.01 {
		t.Errorf("%+v, nightly %+v", b, a)
	}
}

// More blocks take the blocks' own part of the nights' variance down, and nothing else.
func TestRehearsedBlocks(t *testing.T) {
	c := &source{residuals: []float64{0.03, -0.03, 0.03, -0.03}, far: make([]bool, 4), se: []float64{0.02, 0.02, 0.02, 0.02}, df: []float64{14, 14, 14, 14}, n: 15}
	c.measure()
	whole, within := c.sd*c.sd, 0.02*0.02
	for _, n := range []int{15, 16, 30, 15_000_000} {
		got, part := c.withBlocks(n, &infer.Solver{}), 15/float64(n)
		if want := whole - within*(1-part); math.Abs(got.sd*got.sd-want) > 1e-12 || math.Abs(got.se[0]*got.se[0]-within*part) > 1e-12 {
			t.Errorf("%d blocks: variance %v, want %v; se %v", n, got.sd*got.sd, want, got.se[0])
		}
		if between := got.between(); math.Abs(between*between-(whole-within)) > 1e-12 {
			t.Errorf("%d blocks: nights differ by %v", n, between)
		}
		if n == 15 && got.df[0] != 14 || n == 30 && got.df[0] != 29 {
			t.Errorf("%d blocks: %v degrees of freedom", n, got.df[0])
		}
	}
}

// Confirmations tell what new/old differs by, once there are enough.
func TestRehearseConfirmed(t *testing.T) {
	testrace.Slow(t)
	k := key(cell)
	h := kept(historyOf(k, quiet(1, 60, 0.02)))
	for i := range 6 {
		settled(h, k, 10+5*i, 15+5*i, infer.Refuted, []float64{0.004, -0.004}[i%2])
	}
	known := rehearse(t, h, few).Series[0]
	unknown := rehearse(t, kept(historyOf(k, quiet(1, 60, 0.02))), few).Series[0]
	if known.Bound || !unknown.Bound || known.Blocks[0].Check.Rate >= unknown.Blocks[0].Check.Rate {
		t.Errorf("known %+v, unknown %+v", known, unknown)
	}
}

// The alarms of simulated nights are those that Check raises of the same nights.
func TestYearAsCheck(t *testing.T) {
	k, h := key(cell), historyOf(key(cell), quiet(2, 60, 0.02))
	c, err := judge(h, 0)
	if err != nil {
		t.Fatal(err)
	}
	one, _ := c.source(c.tracks[0], h)
	one = one.withBlocks(one.n, &c.solver)
	p := one.year(rand.New(rand.NewPCG(1, 2)))
	p.begin(160, 160)
	raised := 0
	for n := mostLevel; n < 160; n++ {
		from := levelFrom(n)
		simulated := &History{}
		for i := from; i <= n; i++ {
			night := made(k, i, p.x[i])
			night.SE, night.DF = p.se[i], p.df[i]
			simulated.Records = append(simulated.Records, record(night))
		}
		f, err := Check(simulated, 0)
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Series[0].Segments) > 1 {
			continue // a change point, which years do not search
		}
		want := slices.IndexFunc(f.Series[0].Changes, func(c Change) bool { return c.Worse && c.Alarm })
		at, log, ok := p.alarm(n)
		switch {
		case ok != (want >= 0):
			t.Errorf("night %d: alarm %v, of a check %+v", n, ok, f.Series[0].Changes)
		case ok:
			raised++
			if c := f.Series[0].Changes[want]; c.Night != at-from || math.Abs(c.Log-log) > 1e-12 {
				t.Errorf("night %d: since %d by %v, of a check %d by %v", n, at-from, log, c.Night, c.Log)
			}
		}
	}
	if raised < 3 {
		t.Errorf("%d alarms: nothing was compared", raised)
	}
}

// What a simulated year re-measures goes by the same rules as Choose.
func TestYearChooses(t *testing.T) {
	k, h := key(cell), historyOf(key(cell), quiet(2, 60, 0.02))
	c, err := judge(h, 0)
	if err != nil {
		t.Fatal(err)
	}
	one, _ := c.source(c.tracks[0], h)
	one.series.Remeasured = true
	one = one.withBlocks(one.n, &c.solver)
	compared := 0
	for seed := range uint64(20) {
		p := one.year(rand.New(rand.NewPCG(seed, 2)))
		p.begin(mostLevel, mostLevel)
		last := mostLevel - 1
		p.x[last] += 0.08
		for i := range p.x {
			p.before[i+1] = p.before[i] + p.x[i]
		}
		simulated := &History{}
		for i, x := range p.x {
			night := made(k, i, x)
			night.SE, night.DF = p.se[i], p.df[i]
			simulated.Records = append(simulated.Records, record(night))
		}
		f, err := Check(simulated, 0)
		if err != nil {
			t.Fatal(err)
		}
		open := f.Unsettled()
		from, log, ok := p.alarm(last)
		if len(open) != 1 || len(f.Series[0].Segments) > 1 || !ok {
			continue
		}
		want := simulated.Choose(open)[0]
		if !p.choose(last, from, log) {
			t.Fatalf("seed %d: nothing to re-measure, of a check %+v", seed, want)
		}
		got := p.begun
		compared++
		if nightID(got.old) != want.Old.ID || nightID(got.new) != want.New.ID || got.blocks != want.Blocks || math.Abs(got.scatter.SD-want.Scatter.SD) > 1e-12 {
			t.Errorf("seed %d: %+v of %+v, want %s, %s, %d blocks, %+v", seed, got, got.scatter, want.Old.ID, want.New.ID, want.Blocks, want.Scatter)
		}
	}
	if compared < 10 {
		t.Errorf("%d compared", compared)
	}
}

// Quantiles from a table settle as computed ones do.
func TestSettleByTable(t *testing.T) {
	q := tables()
	for df := 5.0; df < 300; df *= 1.07 {
		for _, p := range []float64{jointAlpha / 2, ConfirmAlpha / 2} {
			if got, want := q.t(p, df), stats.TQuantile(p, df); math.Abs(got/want-1) > 0.002 {
				t.Errorf("p %v, df %v: %v, want %v", p, df, got, want)
			}
		}
	}
}
