package growth

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

// truth is how synthetic values grow: y = level + slope x + bend x², each
// invocation off by noise, and by uneven times its own mean; each block by drift
// times its mean. at are the x, those of sizes where there are none.
type truth struct {
	level, slope, bend, noise, uneven, drift float64
	at                                       []float64
}

// sizes are five to fifty, like those of a published study.
func sizes() []float64 { return []float64{5, 10, 15, 20, 25, 30, 35, 40, 45, 50} }

// draw makes up one curve of so many blocks, and lays its line.
func (m truth) draw(rng *rand.Rand, blocks int, margin float64) curve {
	c := curve{Line: &Line{Factor: "at_once", Unit: "classes", Margin: margin}, unit: "ns", least: blocks}
	drifts := make([]float64, blocks)
	for b := range drifts {
		drifts[b] = m.drift * rng.NormFloat64()
	}
	at := m.at
	if at == nil {
		at = sizes()
	}
	for _, x := range at {
		mean, sum := m.level+m.slope*x+m.bend*x*x, 0.0
		for b := range blocks {
			y := mean*(1+drifts[b]+m.uneven*rng.NormFloat64()) + m.noise*rng.NormFloat64()
			c.x, c.y, c.blocks = append(c.x, x), append(c.y, y), append(c.blocks, b)
			sum += y
		}
		c.Points = append(c.Points, Point{X: x, Mean: &infer.Estimate{N: blocks, Value: sum / float64(blocks)}})
	}
	c.fit()
	if p := c.bendP(); stats.Finite(p) {
		c.BendP = &p
	}
	c.decide()
	return c
}

// verdicts counts what campaigns of this truth are found to be.
func (m truth) verdicts(t *testing.T, n, blocks int, margin float64) (share map[Shape]float64, holds float64) {
	t.Helper()
	share = map[Shape]float64{}
	rng := rand.New(rand.NewPCG(14, uint64(blocks)))
	for range n {
		c := m.draw(rng, blocks, margin)
		share[c.Verdict] += 1 / float64(n)
		if c.Slope == nil {
			t.Fatal(c.Text)
		}
		if c.Slope.Interval.Low <= m.slope && m.slope <= c.Slope.Interval.High {
			holds += 1 / float64(n)
		}
	}
	return share, holds
}

// TestShapesAreFound lays lines through synthetic campaigns. A wrong verdict may
// come up as often as its test is allowed to err, and a right one must be usual
// where the data can show it.
func TestShapesAreFound(t *testing.T) {
	for name, c := range map[string]struct {
		truth
		blocks int
		margin float64
		right  Shape
		least  float64 // share of the right verdict
		wrong  Shape
		most   float64 // share of the wrong one
	}{
		"flat":                    {truth{level: 129, noise: 5}, 5, 100, Flat, 0.99, Linear, 0.01},
		"grows by the margin":     {truth{level: 129, slope: 10.0 / 45, noise: 5}, 10, 10, Undecided, 0, Flat, 0.06},
		"flat without a margin":   {truth{level: 129, noise: 5}, 5, 0, Undecided, 0.8, Linear, 0.01},
		"linear":                  {truth{level: 300, slope: 135, noise: 20}, 5, 100, Linear, 0.9, Faster, 0.01},
		"linear, hardly known":    {truth{level: 300, slope: 3, noise: 10}, 5, 0, Undecided, 0.8, Faster, 0.04},
		"linear, scatter grows":   {truth{level: 300, slope: 135, uneven: 0.02}, 10, 100, Linear, 0.9, Faster, 0.01},
		"linear, blocks drift":    {truth{level: 300, slope: 135, uneven: 0.005, drift: 0.03}, 10, 100, Linear, 0.9, Faster, 0.01},
		"tiny noise, a hair off":  {truth{level: 300, slope: 135, bend: 0.002, noise: 0.01}, 5, 100, Linear, 0.99, Faster, 0},
		"a bend that just counts": {truth{level: 300, slope: 100, bend: 100 * 0.1116 / 45, noise: 30}, 10, 100, Faster, 0.1, Linear, 0.04},
		"quadratic":               {truth{level: 300, slope: 20, bend: 2, noise: 50}, 5, 100, Faster, 0.99, Linear, 0},
		"levels off":              {truth{level: 300, slope: 100, bend: -0.9, noise: 50}, 5, 100, Other, 0.99, Linear, 0},
		"a valley":                {truth{level: 4000, slope: -110, bend: 2, noise: 20}, 5, 100, Other, 0.94, Flat, 0},
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := c.verdicts(t, 500, c.blocks, c.margin)
			if got[c.right] < c.least || got[c.wrong] > c.most {
				t.Errorf("got %v, want %s in at least %v and %s in at most %v", got, c.right, c.least, c.wrong, c.most)
			}
		})
	}
}

// TestSlopesHoldTheTruth: 95 % of the intervals hold the slope, with as few as
// five values of the factor too, whatever is common to a block.
func TestSlopesHoldTheTruth(t *testing.T) {
	five := []float64{5, 16, 27, 38, 50}
	for name, m := range map[string]truth{
		"even":                      {level: 300, slope: 3, noise: 10},
		"uneven":                    {level: 30, slope: 135, uneven: 0.03},
		"blocks drift":              {level: 300, slope: 135, uneven: 0.005, drift: 0.02},
		"both, uneven":              {level: 30, slope: 135, uneven: 0.02, drift: 0.02},
		"nothing grows":             {level: 129, noise: 5, drift: 0.02},
		"uneven, five values":       {level: 300, slope: 135, uneven: 0.03, at: five},
		"blocks drift, five values": {level: 300, slope: 135, uneven: 0.005, drift: 0.02, at: five},
	} {
		t.Run(name, func(t *testing.T) {
			for _, blocks := range []int{5, 10} {
				if _, holds := m.verdicts(t, 1500, blocks, 0); holds < 0.935 {
					t.Errorf("%d blocks: %.1f %% of the intervals hold the slope", blocks, 100*holds)
				} else {
					t.Logf("%d blocks: %.1f %%", blocks, 100*holds)
				}
			}
		})
	}
}

// Below five values of the factor the slope says that it leans on even scatter.
func TestFewValuesAreACaveat(t *testing.T) {
	m := truth{level: 300, slope: 135, uneven: 0.03}
	for n, want := range map[int]int{2: 1, 3: 1, 4: 1, 5: 0, 10: 0} {
		m.at = sizes()[:n]
		c := m.draw(rand.New(rand.NewPCG(1, 2)), 5, 0)
		if len(c.Caveats) != want {
			t.Errorf("%d values: %v", n, c.Caveats)
		}
	}
}

// TestSlopeRatios: Fieller's interval of two slopes holds their ratio.
func TestSlopeRatios(t *testing.T) {
	rng, holds := rand.New(rand.NewPCG(41, 1)), 0
	slow, fast := truth{level: 300, slope: 135, noise: 100}, truth{level: 300, slope: 3.3, noise: 20}
	const n = 500
	for range n {
		a, b := fast.draw(rng, 6, 0), slow.draw(rng, 6, 0)
		a.factors, b.factors = []results.Value{{Name: "one_by_one", Value: "false"}}, []results.Value{{Name: "one_by_one", Value: "true"}}
		a.against([]*curve{&b})
		s := a.Against[0]
		if s.Low == nil {
			t.Fatal(s.Text)
		}
		if *s.Low <= 3.3/135 && 3.3/135 <= *s.High {
			holds++
		}
		if !strings.HasPrefix(s.Text, "one_by_one=false costs 1/") || !strings.HasSuffix(s.Text, " of one_by_one=true, per class") {
			t.Fatal(s.Text)
		}
	}
	if share := float64(holds) / n; share < 0.93 {
		t.Errorf("%.1f %% hold it", 100*share)
	}
}

// TestShapeOfTooLittle says what is missing.
func TestShapeOfTooLittle(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	m := truth{level: 300, slope: 135, noise: 20}
	few := m.draw(rng, 4, 0)
	void := m.draw(rng, 5, 0)
	void.invalid = 1
	void.decide()
	short := m.draw(rng, 5, 0)
	short.Points = short.Points[:2]
	short.decide()
	for _, tt := range []struct {
		curve
		want string
	}{
		{few, "only 4 invocations at one value of at_once, and a shape needs 5 at each"},
		{void, "1 of its cells has no answer"},
		{short, "2 values of at_once, and a shape needs 3"},
	} {
		if tt.Verdict != Undecided || !strings.Contains(tt.Text, tt.want) || !strings.Contains(tt.Text, " per class; undecided: ") {
			t.Errorf("got %s: %s, want … %s …", tt.Verdict, tt.Text, tt.want)
		}
	}
	empty := curve{Line: &Line{Factor: "at_once"}}
	empty.fit()
	if empty.decide(); empty.Text != "undecided: 0 values of at_once, and a shape needs 3" || !math.IsNaN(empty.bendP()) {
		t.Error(empty.Text)
	}
}

// TestShapesWithoutScatter: values that do not vary have a shape all the same.
func TestShapesWithoutScatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for name, tt := range map[string]struct {
		truth
		want Shape
	}{
		"flat": {truth{level: 129}, Flat}, "linear": {truth{level: 1, slope: 2}, Linear}, "quadratic": {truth{bend: 1}, Faster},
	} {
		if c := tt.draw(rng, 5, 1); c.Verdict != tt.want {
			t.Errorf("%s: %s, %s", name, c.Verdict, c.Text)
		}
	}
}

func TestSwitched(t *testing.T) {
	value := func(name, v string) results.Value { return results.Value{Name: name, Value: v} }
	off, on, watched := value("one_by_one", "false"), value("one_by_one", "true"), value("watcher", "true")
	for _, c := range []struct {
		a, b []results.Value
		want bool
	}{
		{[]results.Value{off}, []results.Value{on}, true},
		{[]results.Value{on}, []results.Value{off}, false},
		{[]results.Value{off}, []results.Value{off}, false},
		{[]results.Value{value("loaded", "10"), off}, []results.Value{value("loaded", "10"), on}, true},
		{[]results.Value{value("loaded", "10"), off}, []results.Value{value("loaded", "20"), on}, false},
		{[]results.Value{off, value("watcher", "false")}, []results.Value{on, watched}, false},
		{nil, nil, false},
	} {
		here, there, ok := switched(c.a, c.b)
		if ok != c.want || ok && (here != "one_by_one=false" || there != "one_by_one=true") {
			t.Errorf("switched(%v, %v) = %q, %q, %v", c.a, c.b, here, there, ok)
		}
	}
}

func TestFraction(t *testing.T) {
	for r, want := range map[float64]string{0.0244: "1/41", 0.3: "1/3.3", 0.97: "97 %", 2.14: "2.1 times", 1234: "1,234 times", -0.01: "−1.0 %"} {
		if got := fraction(r); got != want {
			t.Errorf("fraction(%v) = %s, want %s", r, got, want)
		}
	}
}
