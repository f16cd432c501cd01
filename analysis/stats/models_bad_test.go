package stats

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"
)

func TestBadModels(t *testing.T) {
	nan, inf, ten := math.NaN(), math.Inf(1), []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 11}
	same := []float64{3, 3, 3, 3, 3, 3, 3, 3}
	b := Bootstrap{Resamples: 99, BlockLength: 1}
	for name, c := range map[string]struct{ got, want error }{
		"no power":           {second(Detectable(1, 9, 0.05, 1, TwoSided)), errLevel},
		"negative error":     {second(Detectable(-1, 9, 0.05, 0.8, TwoSided)), ErrNotPositive},
		"no df":              {second(Detectable(1, 0, 0.05, 0.8, TwoSided)), ErrNotPositive},
		"error NaN":          {second(Detectable(nan, 9, 0.05, 0.8, TwoSided)), ErrNotFinite},
		"pilot of one":       {second(SteinSize(1, 1, 1, 0.05)), ErrTooFew},
		"no width":           {second(SteinSize(1, 0, 10, 0.05)), ErrNotPositive},
		"hopeless width":     {second(SteinSize(1e10, 1e-10, 10, 0.05)), ErrNotFinite},
		"one invocation":     {second(ComponentsOf([]Sample{{1, 1, 2}})), ErrTooFew},
		"deviation NaN":      {second(ComponentsOf([]Sample{{1, 1, 5}, {2, nan, 5}})), ErrTooFew},
		"seven to bootstrap": {second(b.Mean(ten[:7], 0.95)), ErrTooFew},
		"blocks too long":    {second(Bootstrap{99, 1, 5}.Mean(ten, 0.95)), ErrTooFew},
		"no resamples":       {second(Bootstrap{0, 1, 1}.Mean(ten, 0.95)), ErrTooFew},
		"too few resamples":  {second(Bootstrap{99, 1, 1}.Mean(ten, 0.9999)), ErrTooFew},
		"one value differs":  {second(b.Mean(append(same, 4), 0.95)), ErrTooFew},
		"same neighbours":    {third(Lag1(same)), errSpread},
		"three neighbours":   {third(Lag1(ten[:3])), ErrTooFew},
		"runs of the same":   {second(Runs(same)), errSpread},
		"runs of NaN":        {second(Runs([]float64{1, nan})), ErrNotFinite},
		"negative count":     {second(RateInterval(-1, 1, 0.95)), ErrNotPositive},
		"no exposure":        {second(RateInterval(1, 0, 0.95)), ErrNotPositive},
		"infinite exposure":  {second(RateInterval(1, inf, 0.95)), ErrNotFinite},
		"rate at level 1":    {second(RateInterval(1, 1, 1)), errLevel},
		"unexposed":          {second(CompareRates(EventRuns{[]int64{0}, []float64{0}}, EventRuns{[]int64{0}, []float64{1}}, true)), ErrNotPositive},
		"countless events":   {second(CompareRates(EventRuns{[]int64{math.MaxInt64}, []float64{1}}, EventRuns{[]int64{1}, []float64{1}}, true)), ErrNotFinite},
		"one run an arm":     {dispersion(EventRuns{[]int64{1}, ten[:1]}, EventRuns{[]int64{2}, ten[1:2]}), ErrTooFew},
		"ragged runs":        {dispersion(EventRuns{[]int64{1, 2}, ten[:1]}), ErrUnpaired},
		"negative table":     {second(FisherExact(1, -1, 1, 1)), ErrNotPositive},
	} {
		if !errors.Is(c.got, c.want) {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
}

func third[A, B any](_ A, _ B, err error) error { return err }

func dispersion(arms ...EventRuns) error {
	_, _, _, err := Dispersion(arms...)
	return err
}

func TestSameValues(t *testing.T) {
	same := []float64{3, 3, 3, 3, 3, 3, 3, 3}
	if i, err := (Bootstrap{99, 1, 1}).Mean(same, 0.95); err != nil || i.Low != 3 || i.High != 3 {
		t.Errorf("bootstrap of the same: %v, %v", i, err)
	}
	if c, err := ComponentsOf([]Sample{{3, 0, 8}, {3, 0, 8}}); err != nil || c != (Components{}) {
		t.Errorf("components of the same: %+v, %v", c, err)
	}
}

// FuzzModels feeds any numbers to everything: no panic, and no NaN without an
// error.
func FuzzModels(f *testing.F) {
	for _, xs := range [][]float64{
		{0.95, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10.5, 3, 3, 8, 1, 2, 2.5, 9, 7},
		{0.5, 0, 0, 0, 0, 0, 0, 0, 0},
		{0.99, 1e308, -1e308, 1e-308, math.Inf(1)},
		{0.9, 1e-300, 2e-300, 3e-300, 5e-300, 1e-300, 4e-300},
		{math.NaN(), 1, 2},
		{},
		{0.999999999, 1e16, 1e16 + 2, 1e16, 1e16 + 4, 1e16, 1e16 + 8, 1e16, 1e16, 1e16 + 2},
	} {
		var data []byte
		for _, x := range xs {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var xs []float64
		for ; len(data) >= 8 && len(xs) < 60; data = data[8:] {
			xs = append(xs, math.Float64frombits(binary.LittleEndian.Uint64(data)))
		}
		if len(xs) < 4 {
			return
		}
		fuzzSamples(t, xs[1:], xs[0])
		fuzzNumbers(t, xs)
	})
}

// sane makes sure that no NaN came without an error.
func sane(t *testing.T, what string, err error, xs ...float64) {
	t.Helper()
	if err == nil && slices.ContainsFunc(xs, math.IsNaN) {
		t.Errorf("%s: %v", what, xs)
	}
}

func fuzzSamples(t *testing.T, xs []float64, level float64) {
	x, y := xs[:len(xs)/2], xs[len(xs)/2:len(xs)/2*2]
	var all []Sample
	for i := range x {
		all = append(all, Sample{Mean: x[i], SD: y[i], N: 3})
	}
	c, err := ComponentsOf(all)
	sane(t, "components", err, c.Within, c.Between, c.ICC)
	b := Bootstrap{50, 1, 1 + len(xs)%2}
	i, err := b.Mean(xs, level)
	sane(t, "bootstrap", err, i.Low, i.High)
	r, p, err := Lag1(xs)
	sane(t, "lag 1", err, r, p)
	p, err = Runs(xs)
	sane(t, "runs", err, p)
	l, err := Linear(x, y)
	sane(t, "line", err, l.Intercept, l.Slope, l.Test.T, l.Test.P)
	f, _, _, p, err := LackOfFit(x, y, 1)
	sane(t, "lack", err, f, p)
	blocks := make([]int, len(x))
	for i := range blocks {
		blocks[i] = i / 2
	}
	for _, of := range []func(x, y []float64, blocks []int) (Known, error){Slope, Bend} {
		for _, blocks := range [][]int{nil, blocks} {
			c, err := of(x, y, blocks)
			sane(t, "coefficient", err, c.Value, c.SE, c.DF)
		}
	}
}

func fuzzNumbers(t *testing.T, xs []float64) {
	a, b, c, d := xs[0], xs[1], xs[2], xs[3]
	k, n := int64(b), int64(d)
	v, err := Detectable(b, c, a, d, TwoSided)
	sane(t, "detectable", err, v)
	if s, err := SteinSize(b, c, int(n), a); err == nil && s < 2 {
		t.Errorf("a size of %d", s)
	}
	i, err := RateInterval(k, c, a)
	sane(t, "rate", err, i.Low, i.High)
	q, err := CompareRates(EventRuns{[]int64{k, 3}, []float64{a, c}}, EventRuns{[]int64{n, 4}, []float64{a, c}}, true)
	if err == nil {
		sane(t, "quasi", nil, q.Scatter.F, q.Scatter.PQuasi, q.Scatter.Dispersion, q.ExactP(TwoSided))
	}
	p, err := FisherExact(int(k)%1000, int(n)%1000, 3, 9)
	sane(t, "fisher", err, p)
	valid := finite(b, c) == nil && d >= leastDF
	if p := noncentralTTail(b, d, c); valid && !(p >= 0 && p <= 1) {
		t.Errorf("noncentral %v %v %v: %v", b, d, c, p)
	}
}
