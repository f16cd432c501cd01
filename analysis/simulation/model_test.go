package simulation

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"
)

const (
	seed       = 20140901
	iterations = 2000 // of one JVM
	baseline   = 1000 // ns
	overhead   = 0.13 // of the baseline
	noise      = 0.1  // standard deviation of one iteration, relative
)

// machine is what makes times vary.
type machine struct {
	name string
	// jvm draws the factor that all iterations of one JVM share; its mean is 1.
	jvm func(r *rand.Rand) float64
	// phi is the lag-1 correlation of iterations; spikes the chance that one is
	// hit by a collection, which adds five times its duration on average.
	phi, spikes float64
	// drift is the standard deviation of the factor that a block shares.
	drift float64
}

const spikeSize = 5

func steadyJVM(*rand.Rand) float64 { return 1 }

func normalJVM(sd float64) func(*rand.Rand) float64 {
	return func(r *rand.Rand) float64 { return 1 + sd*r.NormFloat64() }
}

func skewedJVM(sd float64) func(*rand.Rand) float64 {
	return func(r *rand.Rand) float64 { return 1 + sd*(r.ExpFloat64()-1) }
}

// bimodalJVM is slower by apart in three JVMs of ten, as when a method is not
// inlined.
func bimodalJVM(apart float64) func(*rand.Rand) float64 {
	return func(r *rand.Rand) float64 {
		f := 1 - 0.3*apart + 0.002*r.NormFloat64()
		if r.Float64() < 0.3 {
			f += apart
		}
		return f
	}
}

// heavyJVM has the tails of Student's t with three degrees of freedom.
func heavyJVM(sd float64) func(*rand.Rand) float64 {
	return func(r *rand.Rand) float64 {
		chi := 0.0
		for range 3 {
			z := r.NormFloat64()
			chi += z * z
		}
		return 1 + sd*r.NormFloat64()/math.Sqrt(chi) // whose own variance is 3/3
	}
}

// lognormalJVM is skewed as exp(Z) is.
func lognormalJVM(sd float64) func(*rand.Rand) float64 {
	own := math.Sqrt((math.E - 1) * math.E)
	return func(r *rand.Rand) float64 { return 1 + sd*(math.Exp(r.NormFloat64())-math.Exp(0.5))/own }
}

// rareJVM is slower by apart in one JVM of ten.
func rareJVM(apart float64) func(*rand.Rand) float64 {
	return func(r *rand.Rand) float64 {
		f := 1 - 0.1*apart + 0.003*r.NormFloat64()
		if r.Float64() < 0.1 {
			f += apart
		}
		return f
	}
}

var (
	quiet   = machine{name: "no JVM effect", jvm: steadyJVM}
	normal  = machine{name: "JVM sd 1 %", jvm: normalJVM(0.01)}
	spiky   = machine{name: "JVM sd 1 %, AR .6, spikes", jvm: normalJVM(0.01), phi: 0.6, spikes: 0.005}
	drifty  = machine{name: "JVM sd 1 %, AR .6, spikes, block drift 3 %", jvm: normalJVM(0.01), phi: 0.6, spikes: 0.005, drift: 0.03}
	skewed  = machine{name: "skewed JVM effect", jvm: skewedJVM(0.01)}
	bimodal = machine{name: "bimodal JVM", jvm: bimodalJVM(0.03)}
	// Noisy enough that a plan of ten blocks does not do.
	wide       = machine{name: "JVM sd 3 %", jvm: normalJVM(0.03)}
	wideSpiky  = machine{name: "JVM sd 3 %, AR .6, spikes, block drift 3 %", jvm: normalJVM(0.03), phi: 0.6, spikes: 0.005, drift: 0.03}
	wideSkewed = machine{name: "skewed JVM effect of 3 %", jvm: skewedJVM(0.03)}
	heavy      = machine{name: "JVM sd 3 %, tails of t with 3 df", jvm: heavyJVM(0.03)}
	lognormal  = machine{name: "JVM sd 3 %, lognormal", jvm: lognormalJVM(0.03)}
	rare       = machine{name: "one JVM of ten 20 % slower", jvm: rareJVM(0.2)}
)

// expected is the mean of an invocation whose undisturbed iterations take level.
func (m machine) expected(level float64) float64 { return level * (1 + m.spikes*spikeSize) }

// calls draws the iterations of one JVM.
func (m machine) calls(r *rand.Rand, level float64) []float64 {
	x := make([]float64, iterations)
	e, fresh := r.NormFloat64(), math.Sqrt(1-m.phi*m.phi)
	for i := range x {
		if i > 0 {
			e = m.phi*e + fresh*r.NormFloat64()
		}
		x[i] = level * (1 + noise*e)
		if m.spikes > 0 && r.Float64() < m.spikes {
			x[i] += level * spikeSize * r.ExpFloat64()
		}
	}
	return x
}

// mean draws the mean of the iterations of one JVM without drawing them. The
// mean of a stationary normal AR(1) process is normal, and its variance is known
// exactly; the gaps between spikes are geometric.
func (m machine) mean(r *rand.Rand, level float64) float64 {
	const n = float64(iterations)
	v := ((1+m.phi)/(1-m.phi) - 2*m.phi*(1-math.Pow(m.phi, n))/(n*(1-m.phi)*(1-m.phi))) / n
	total := n + n*noise*math.Sqrt(v)*r.NormFloat64()
	if m.spikes > 0 {
		for i := m.gap(r); i < iterations; i += 1 + m.gap(r) {
			total += spikeSize * r.ExpFloat64()
		}
	}
	return level * total / n
}

func (m machine) gap(r *rand.Rand) float64 {
	return math.Floor(-r.ExpFloat64() / math.Log1p(-m.spikes))
}

// block draws one invocation at each level.
func (m machine) block(r *rand.Rand, levels ...float64) []float64 {
	drift := 1 + m.drift*r.NormFloat64()
	y := make([]float64, len(levels))
	for c, level := range levels {
		y[c] = m.mean(r, level*drift*m.jvm(r))
	}
	return y
}

// pairs draws blocks of a cell at level and the baseline.
func (m machine) pairs(r *rand.Rand, blocks int, level float64) (cell, base []float64) {
	for range blocks {
		y := m.block(r, level, baseline)
		cell, base = append(cell, y[0]), append(base, y[1])
	}
	return cell, base
}

// longer asks for what make soak simulates.
var longer = flag.Bool("long", false, "simulate 2,000 replicates of each case")

// replicates of each case: 2,000 with -long, else as many as take seconds.
func replicates() int {
	if *longer {
		return 2000
	}
	return 220
}

// repeat counts for how many of n replicates each outcome of do is true, and how
// often it is not told. A replicate's random numbers depend only on its own number.
// One follows the other: the packages are tested side by side.
func repeat(n, outcomes int, stream uint64, do func(i int, r *rand.Rand, told func(outcome int, yes bool))) (yes, all []int) {
	yes, all = make([]int, outcomes), make([]int, outcomes)
	for i := range n {
		do(i, rand.New(rand.NewPCG(seed, stream<<32|uint64(i))), func(outcome int, is bool) {
			all[outcome]++
			if is {
				yes[outcome]++
			}
		})
	}
	return yes, all
}

// The mean that is drawn directly is distributed as the mean of iterations.
func TestMeanIsExact(t *testing.T) {
	const n = 2000
	for _, m := range []machine{quiet, spiky, {phi: 0.9, jvm: steadyJVM}} {
		var short, full moments
		r := rand.New(rand.NewPCG(seed, 1))
		for range n {
			short.add(m.mean(r, baseline))
			full.add(average(m.calls(r, baseline)))
		}
		se := math.Sqrt((short.variance() + full.variance()) / n)
		if d := math.Abs(short.mean - full.mean); d > 4*se {
			t.Errorf("%s: means %v and %v differ by %.1f standard errors", m.name, short.mean, full.mean, d/se)
		}
		if d := math.Abs(short.mean - m.expected(baseline)); d > 4*se {
			t.Errorf("%s: mean %v, expected %v", m.name, short.mean, m.expected(baseline))
		}
		// Of normal values the log of a variance has the variance 2/n.
		if d := math.Abs(math.Log(short.variance() / full.variance())); d > 4*math.Sqrt(4.0/n) {
			t.Errorf("%s: variances %v and %v", m.name, short.variance(), full.variance())
		}
	}
}

// moments are Welford's.
type moments struct {
	n        int
	mean, ss float64
}

func (m *moments) add(x float64) {
	m.n++
	d := x - m.mean
	m.mean += d / float64(m.n)
	m.ss += d * (x - m.mean)
}

func (m *moments) variance() float64 { return m.ss / float64(m.n-1) }

func momentsOf(xs []float64) moments {
	var m moments
	for _, x := range xs {
		m.add(x)
	}
	return m
}

func average(xs []float64) float64 {
	m := momentsOf(xs)
	return m.mean
}

// seOf is the standard error of a rate near 95 % of n replicates.
func seOf(n int) float64 { return math.Sqrt(0.95 * 0.05 / float64(n)) }
