package divergent

import (
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

// TestTails: of no usual tail many more than a tenth of an execution are named in a series;
// quantiles of few executions tell less exactly how it goes on.
func TestTails(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, tail := range []struct {
		name string
		draw func() float64
	}{
		{"normal", func() float64 { return 1000 + 100*r.NormFloat64() }},
		{"lognormal", func() float64 { return 1000 * math.Exp(r.NormFloat64()) }},
		{"exponential", func() float64 { return 1000 * r.ExpFloat64() }},
		{"Pareto, index 1.5", func() float64 { return 1000 * math.Pow(1-r.Float64(), -1/1.5) }},
	} {
		for n, most := range map[int]float64{50: 0.5, 1000: 0.25, 5_000: 0.25} {
			series := 20_000 / n
			if n < 1000 {
				series = 100
			}
			named := 0.0
			for range series {
				ns := make([]int64, n)
				for i := range ns {
					ns[i] = int64(tail.draw())
				}
				named += float64(Of(ns).Ours.N) / float64(series)
			}
			if named > most {
				t.Errorf("%s: %.2f of %d executions are named, want at most %v", tail.name, named, n, most)
			}
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
