package divergent

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func indices(d Divergent) (all []int64) {
	for _, e := range d.Named {
		all = append(all, e.Index)
	}
	return all
}

// TestPaper: a line by least squares, and those further from it than a standard deviation of
// all executions. Reference values: the normal equations in exact fractions.
func TestPaper(t *testing.T) {
	s := Of([]int64{900, 100, 110, 120, 500, 140, 150, 160, 170, 180})
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"mean", s.MeanNS, 253}, {"sd", s.SDNS, 241.952475}, {"intercept", s.InterceptNS, 416.909091}, {"slope", s.SlopeNS, -36.424242},
	} {
		if math.Abs(c.got-c.want) > 1e-5 {
			t.Errorf("%s is %v, want %v", c.what, c.got, c.want)
		}
	}
	if got := indices(s.Paper); !slices.Equal(got, []int64{0, 1}) || s.Paper.N != 2 || s.Paper.Share != 0.2 {
		t.Errorf("divergent are %v", got)
	}
	if s.FenceNS != 0 || s.Ours.N != 0 || s.Steady {
		t.Errorf("ten executions tell no tail: %+v", s)
	}
}

// TestOurs: what is after the warm-up and beyond the tail, and nothing else.
func TestOurs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var ns []int64
	for i := range 20_000 {
		v := 1000 * math.Exp(0.1*r.NormFloat64())
		if i < 1000 {
			v *= 8 // interpreted
		}
		ns = append(ns, int64(v))
	}
	ns[7000], ns[15_000] = 40_000, 90_000
	s := Of(ns)
	if got := indices(s.Ours); !slices.Equal(got, []int64{7000, 15_000}) || s.Ours.N != 2 || !s.Steady || s.SteadyFrom < 900 || s.SteadyFrom > 1200 {
		t.Errorf("divergent are %v of %d, steady from %d on (%v)", got, s.Ours.N, s.SteadyFrom, s.Steady)
	}
	if s.Paper.N < 900 {
		t.Errorf("the paper's rule names %d, want the warm-up among them", s.Paper.N)
	}
}

// oneMode are the usual tails of one mode; all times are above 0.
var oneMode = []struct {
	name string
	draw func(r *rand.Rand) float64
}{
	{"normal", func(r *rand.Rand) float64 { return 10 + r.NormFloat64() }},
	{"exponential", func(r *rand.Rand) float64 { return r.ExpFloat64() }},
	{"lognormal, sigma 0.5", func(r *rand.Rand) float64 { return math.Exp(0.5 * r.NormFloat64()) }},
	{"lognormal, sigma 1", func(r *rand.Rand) float64 { return math.Exp(r.NormFloat64()) }},
	{"lognormal, sigma 2", func(r *rand.Rand) float64 { return math.Exp(2 * r.NormFloat64()) }},
	{"Weibull, shape 0.5", func(r *rand.Rand) float64 { return math.Pow(r.ExpFloat64(), 2) }},
	{"Pareto, index 1.5", func(r *rand.Rand) float64 { return math.Pow(1-r.Float64(), -1/1.5) }},
	{"Pareto, index 1", func(r *rand.Rand) float64 { return 1 / (1 - r.Float64()) }},
	{"t3", func(r *rand.Rand) float64 {
		chi := math.Sqrt((sq(r.NormFloat64()) + sq(r.NormFloat64()) + sq(r.NormFloat64())) / 3)
		return max(0.01, 20+r.NormFloat64()/chi)
	}},
}

func sq(x float64) float64 { return x * x }

// inNS are n times about a million ns, so that no clock has a say.
func inNS(r *rand.Rand, n int, draw func(*rand.Rand) float64) []int64 {
	ns := make([]int64, n)
	for i := range ns {
		ns[i] = int64(1e6 * draw(r))
	}
	return ns
}

// TestTails: in at most 5 % of the series of one mode an execution is named, or a second kind.
func TestTails(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, tail := range oneMode {
		for _, c := range [][2]int{{20, 1500}, {35, 1000}, {50, 1000}, {150, 600}, {400, 300}, {700, 200}, {1000, 200}, {5000, 60}} {
			n, series := c[0], c[1]
			if !*long {
				series /= 5
			}
			named, kinds := 0, 0
			for range series {
				s := Of(inNS(r, n, tail.draw))
				named += int(min(1, s.Ours.N))
				if s.SlowShare > 0 {
					kinds++
				}
			}
			most := 0.05*float64(series) + 3*math.Sqrt(0.05*0.95*float64(series)) // what 5 % come to by chance
			if float64(named) > most || float64(kinds) > most {
				t.Errorf("%s: of %d series of %d, one is named in %d, and there are two kinds in %d", tail.name, series, n, named, kinds)
			}
		}
	}
}

// TestBesideASecondPath: outliers are named beside a path that some executions take, whatever
// share of them, and those of the path are not.
func TestBesideASecondPath(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, share := range []float64{0.03, 0.04, 0.06, 0.2, 0.5} {
		for _, n := range []int{200, 1000, 10_000} {
			ns := inNS(r, n, func(r *rand.Rand) float64 {
				return math.Exp(0.1*r.NormFloat64()) * map[bool]float64{true: 3, false: 1}[r.Float64() < share]
			})
			outliers := []int64{int64(n * 3 / 4), int64(n * 4 / 5), int64(n - 7)}
			for _, i := range outliers {
				ns[i] = 100e6
			}
			if s := Of(ns); !slices.Equal(indices(s.Ours), outliers) {
				t.Errorf("%d executions, %v of them on the other path: named are %d, %v, want %v (fence %v)", n, share, s.Ours.N, indices(s.Ours), outliers, s.FenceNS)
			}
		}
	}
}

var long = flag.Bool("long", false, "draw five times as many series")

var calibrate = flag.Bool("calibrate", false, "print how far the longest of one mode reaches")

// TestCalibration prints, when asked to, what tails has.
func TestCalibration(t *testing.T) {
	if !*calibrate {
		t.Skip("-calibrate")
	}
	for _, tail := range tails {
		for _, n := range []int{20, 25, 30, 40, 50, 70, 100, 200, 500, 1000, 2000, 5000, 20_000} {
			if n < 500 != (tail.low < 0.9) && n != 500 {
				continue
			}
			most, who := 0.0, ""
			for i, kind := range oneMode {
				r, reaches := rand.New(rand.NewPCG(uint64(n), uint64(i))), make([]float64, 4_000_000/max(n, 200))
				for k := range reaches {
					ns := inNS(r, n, kind.draw)
					var v values
					for _, x := range ns {
						v.add(x)
					}
					median := v.quantile(0.5)
					low, high := v.quantile(tail.low)-median, v.quantile(tail.high)-median
					reaches[k] = math.Log((float64(slices.Max(ns))-median)/high) / math.Log(high/low)
				}
				slices.Sort(reaches)
				if x := reaches[len(reaches)*96/100]; x > most {
					most, who = x, kind.name
				}
			}
			fmt.Printf("%v %v: {%d, %.2f}, %s\n", tail.low, tail.high, n, most, who)
		}
	}
}

// TestColumns: whatever the series, its columns and bins have all of it.
func TestColumns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9000).Draw(t, "n")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		ns, sum := make([]int64, n), int64(0)
		for i := range ns {
			ns[i] = r.Int64N(1 << r.IntN(40))
			sum += ns[i]
		}
		s := Of(ns)
		var columns, bins, total int64
		for _, c := range s.Columns {
			columns, total = columns+c.N, total+c.SumNS
		}
		for _, b := range s.Bins {
			bins += b.N
		}
		if columns != int64(n) || bins != int64(n) || total != sum || s.TotalNS != sum || len(s.Columns) > mostColumns || s.LeastNS != slices.Min(ns) || s.MostNS != slices.Max(ns) {
			t.Errorf("%d executions: %d in columns, %d in bins, %d ns of %d", n, columns, bins, total, sum)
		}
	})
}
