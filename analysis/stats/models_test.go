package stats

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"moobench/analysis/internal/testnumber"
)

// modelData is testdata/models.data: lines of a name and numbers.
type modelData map[string][]float64

func readModelData(t *testing.T, path string) modelData {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d := modelData{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		for _, f := range fields[1:] {
			x, err := strconv.ParseFloat(f, 64)
			if err != nil {
				t.Fatal(err)
			}
			d[fields[0]] = append(d[fields[0]], x)
		}
	}
	return d
}

// each calls f with n numbers at a time, and joins what it returns.
func (d modelData) each(name string, n int, f func(r []float64) []float64) []float64 {
	var all []float64
	for i := 0; i+n <= len(d[name]); i += n {
		all = append(all, f(d[name][i:i+n])...)
	}
	return all
}

// models are our values under the names that models.R gives its own.
func (d modelData) models(t *testing.T) map[string][]float64 {
	t.Helper()
	all := map[string][]float64{}
	d.powers(all)
	d.levels(all)
	d.neighbours(all)
	d.rates(all)
	d.lines(all)
	d.tails(all)
	return all
}

func (d modelData) powers(all map[string][]float64) {
	all["noncentral"] = d.each("noncentral", 3, func(r []float64) []float64 { return []float64{noncentralTTail(r[0], r[1], r[2])} })
	power := func(alt Alternative) []float64 { // of n pairs that differ by delta on average, with the standard deviation sd
		return d.each("power", 4, func(r []float64) []float64 {
			delta, sd, n, alpha := r[0], r[1], r[2], r[3]
			return []float64{powerT(n-1, alpha, alt)(delta / sd * math.Sqrt(n))}
		})
	}
	all["paired power"] = power(TwoSided)
	all["one-sided power"] = power(Greater)
	alpha := 1 - d["level"][0]
	for _, n := range []float64{5, 10, 20, 30} {
		all["paired detectable"] = append(all["paired detectable"], one1(Detectable(1/math.Sqrt(n), n-1, alpha, 0.8, TwoSided))...)
		all["two-sample detectable"] = append(all["two-sample detectable"], one1(Detectable(math.Sqrt(2/n), 2*n-2, alpha, 0.8, TwoSided))...)
	}
	all["stein"] = d.each("stein", 4, func(r []float64) []float64 { return one1(SteinSize(r[0], r[1], int(r[2]), r[3])) })
}

// one1 is a value as a list; NaN, which agrees with nothing, when it failed.
func one1[T int | float64](x T, err error) []float64 {
	if err != nil {
		return []float64{math.NaN()}
	}
	return []float64{float64(x)}
}

func (d modelData) levels(all map[string][]float64) {
	s := d["shape"]
	samples := int(s[2])
	moments := func(fewer func(i int) int) (Components, error) {
		var all []Sample
		for i := 0; i < len(d["levels"]); i += samples {
			x, err := SampleOf(d["levels"][i : i+samples-fewer(len(all))])
			if err != nil {
				return Components{}, err
			}
			all = append(all, x)
		}
		return ComponentsOf(all)
	}
	whole := func(c Components, err error) []float64 {
		if err != nil {
			return nil
		}
		return []float64{c.Within, c.Between, c.ICC}
	}
	all["two levels"] = whole(moments(func(int) int { return 0 }))
	all["uneven levels"] = whole(moments(func(i int) int { return (i + 1) % 3 }))[:2]
}

func (d modelData) neighbours(all map[string][]float64) {
	for _, name := range []string{"series", "alternating"} {
		if r, p, err := Lag1(d[name]); err == nil {
			all[name+" lag 1"] = []float64{r, p}
		}
	}
	all["runs"] = one1(Runs(d["series"][:10]))
}

func (d modelData) rates(all map[string][]float64) {
	level := d["level"][0]
	all["rate"] = d.each("rates", 2, func(r []float64) []float64 {
		i, err := RateInterval(int64(r[0]), r[1], level)
		return append(one1(i.Low, err), i.High)
	})
	for name, alt := range map[string]Alternative{"two.sided": TwoSided, "less": Less, "greater": Greater} {
		all["rate ratio "+name] = d.each("ratios", 4, func(r []float64) []float64 {
			c, err := newBinaryRates(EventRuns{[]int64{int64(r[0])}, r[1:2]}, EventRuns{[]int64{int64(r[2])}, r[3:4]})
			i := c.clopperPearson(1 - 2*alt.tail(level))
			switch alt {
			case Less:
				i.Low = 0
			case Greater:
				i.High = math.Inf(1)
			}
			return append(one1(c.ratio(), err), i.Low, min(1e308, i.High), c.exact(alt))
		})
	}
	counts := make([]int64, len(d["counts"]))
	for i := range counts {
		counts[i] = int64(d["counts"][i])
	}
	a, b := EventRuns{counts[:6], d["exposures"][:6]}, EventRuns{counts[6:], d["exposures"][6:]} // as in d["arms"]
	chi2, df, p, err := Dispersion(a, b)
	all["dispersion"] = append(one1(chi2, err), df, p)
	if c, err := CompareRates(a, b, true); err == nil {
		all["quasi-Poisson"] = []float64{c.Scatter.F, c.Scatter.DF, c.Scatter.PQuasi, c.Scatter.Dispersion}
		all["blocks permuted"], all["splits permuted"] = []float64{arrangePairs(a, b).p(1)}, []float64{arrangeRuns(a, b).p(1)}
	}
	all["fisher"] = d.each("tables", 4, func(r []float64) []float64 {
		return one1(FisherExact(int(r[0]), int(r[1]), int(r[2]), int(r[3])))
	})
}

func (d modelData) lines(all map[string][]float64) {
	x, y := d["linex"], d["liney"]
	l, err := Linear(x, y)
	all["line"] = append(one1(l.Intercept, err), l.Slope, l.Test.T, l.Test.DF, l.Test.P)
	c, err := Bend(x, y, nil)
	all["bend"] = one1(c.Value, err)
	f, df1, df2, p, err := LackOfFit(x, y, 1)
	all["lack of fit"] = append(one1(f, err), df1, df2, p)
}

func (d modelData) tails(all map[string][]float64) {
	for _, c := range [][3]float64{{5, 1, 10}, {300, 2, 18}, {1e6, 1, 12}, {0.3, 5, 1e6}, {60, 3, 400}, {1e-4, 1, 1}} {
		all["F tails"] = append(all["F tails"], fTail(c[0], c[1], c[2]))
	}
	for _, c := range [][2]float64{{3, 1}, {50, 9}, {300, 20}, {1200, 100}, {0.01, 2}} {
		all["chi tails"] = append(all["chi tails"], chiSquareTail(c[0], c[1]))
	}
	for _, z := range []float64{-1, 0, 1.96, 12, 37} {
		all["normal tails"] = append(all["normal tails"], normalTail(z))
	}
}

// loose are the values that R has from its own noncentral t.
var loose = map[string]float64{"paired power": 1e-8, "two-sample power": 1e-8, "one-sided power": 1e-8}

func (d modelData) compare(t *testing.T, byR []byte) {
	t.Helper()
	var want map[string][]float64
	if err := json.Unmarshal(byR, &want); err != nil {
		t.Fatal(err)
	}
	got := d.models(t)
	got["noncentral by pt"] = nil
	for i := 0; i < len(want["noncentral where"]); i += 3 {
		w := want["noncentral where"][i:]
		got["noncentral by pt"] = append(got["noncentral by pt"], noncentralTTail(w[0], w[1], w[2]))
	}
	delete(want, "noncentral where")
	for name, values := range want {
		if len(got[name]) != len(values) {
			t.Errorf("%s: %v, want %v", name, got[name], values)
			continue
		}
		tolerance := 1e-9
		if wide, ok := loose[name]; ok {
			tolerance = wide
		}
		for i, v := range values {
			testnumber.Check(t, fmt.Sprintf("%s, value %d", name, i+1), got[name][i], v, tolerance)
		}
	}
}

func TestModelsAgainstR(t *testing.T) {
	byR, err := os.ReadFile("testdata/models.json")
	if err != nil {
		t.Fatal(err)
	}
	readModelData(t, "testdata/models.data").compare(t, byR)
}

func TestModelsAgainstFreshR(t *testing.T) {
	r, err := exec.LookPath("Rscript")
	if err != nil {
		t.Skip("needs Rscript: R is not installed")
	}
	if testing.Short() {
		t.Skip("needs Rscript for some seconds")
	}
	const seed = 20261122
	t.Logf("seed %d", seed)
	path := filepath.Join(t.TempDir(), "models.data")
	if err := os.WriteFile(path, []byte(freshModels(rand.New(rand.NewPCG(seed, 0)))), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(r, "testdata/models.R", path)
	cmd.Stderr = os.Stderr
	byR, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	readModelData(t, path).compare(t, byR)
}

// freshModels draws data of the same kinds as testdata/models.data.
func freshModels(rng *rand.Rand) string {
	var b strings.Builder
	line := func(name string, n int, draw func(i int) float64) {
		b.WriteString(name)
		for i := range n {
			b.WriteString(" " + strconv.FormatFloat(draw(i), 'g', -1, 64))
		}
		b.WriteString("\n")
	}
	normal := func(mean, sd float64) func(int) float64 {
		return func(int) float64 { return mean + sd*rng.NormFloat64() }
	}
	between := func(low, high float64) float64 { return low + (high-low)*rng.Float64() }
	// one of several columns, each with its own range
	columns := func(whole bool, ranges ...[2]float64) func(int) float64 {
		return func(i int) float64 {
			r := ranges[i%len(ranges)]
			if v := between(r[0], r[1]); !whole {
				return v
			}
			return math.Round(between(r[0], r[1]))
		}
	}
	line("level", 1, func(int) float64 { return between(0.8, 0.995) })
	line("x", 12, normal(2070, 25))
	line("y", 12, normal(1875, 25))
	last := 0.0
	line("series", 24, func(int) float64 { last = 0.6*last + rng.NormFloat64(); return last })
	line("alternating", 12, func(i int) float64 { return 2 + float64(i%2) + 0.3*rng.NormFloat64() })
	line("noncentral", 30, columns(false, [2]float64{-6, 30}, [2]float64{1, 60}, [2]float64{-6, 20}))
	line("power", 16, func(i int) float64 {
		return [4]float64{between(0.1, 2), between(0.8, 2), 3 + float64(rng.IntN(40)), between(0.001, 0.1)}[i%4]
	})
	line("stein", 12, func(i int) float64 {
		return [4]float64{between(1, 3), between(0.2, 1), 5 + float64(rng.IntN(10)), between(0.005, 0.1)}[i%4]
	})
	line("rates", 12, columns(true, [2]float64{0, 300}, [2]float64{1, 1e6}))
	line("ratios", 24, columns(true, [2]float64{0, 60}, [2]float64{1, 1e4}, [2]float64{1, 60}, [2]float64{1, 1e4}))
	line("counts", 12, columns(true, [2]float64{5, 60}))
	line("exposures", 12, columns(true, [2]float64{900, 1200}))
	line("arms", 12, func(i int) float64 { return 1 + float64(i/6) })
	line("tables", 16, columns(true, [2]float64{0, 25}))
	line("linex", 20, func(i int) float64 { return 5 * float64(1+i/4) })
	line("liney", 20, func(i int) float64 { return 3 + float64(1+i/4)*(4+0.1*float64(i/4)+0.2*rng.NormFloat64()) })
	line("shape", 3, func(i int) float64 { return [3]float64{4, 3, 5}[i] })
	line("levels", 60, func(i int) float64 {
		return 10 + math.Sin(float64(i/5)) + math.Cos(float64(i/15)) + 0.2*rng.NormFloat64()
	})
	return b.String()
}
