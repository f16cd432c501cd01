package load

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// Random number streams; client i of a closed loop draws from drawn + i.
const (
	arrived = iota + 1
	drawn
)

// expected returns the expected number of requests of an open loop.
func (l Load) expected() float64 {
	return l.Rate * (l.Ramp.Seconds()/2 + l.Hold.Seconds())
}

// schedule returns the due time of each request of an open loop, in ns after the start, and which request it is.
// The result depends only on the load.
//
// With a rate r(t) and its integral R(t), request k of a constant arrival is due at R's
// inverse of k; sums of exponential variates of mean 1 in place of k make it a Poisson
// process of rate r(t).
func schedule(l Load) []Sample {
	all := l.expected()
	random, draw := rand.New(rand.NewPCG(l.Seed, arrived)), newDraw(l, 0)
	at, step := 0.0, func() float64 { return 1 }
	if l.Arrival == Poisson {
		step = random.ExpFloat64
		at = step()
	}
	samples := make([]Sample, 0, int(all+4*math.Sqrt(all))+16)
	for ; at < all; at += step() {
		samples = append(samples, Sample{intendedNS: l.due(at), request: draw.next()})
	}
	return samples
}

// due returns the time, in ns after the start, at which this many requests have become due.
func (l Load) due(sent float64) int64 {
	ramp, inRamp := l.Ramp.Seconds(), l.Rate*l.Ramp.Seconds()/2
	at := ramp + (sent-inRamp)/l.Rate
	if sent < inRamp {
		at = min(math.Sqrt(2*sent*ramp/l.Rate), ramp)
	}
	return min(int64(at*float64(time.Second)), int64(l.Ramp+l.Hold)-1)
}

// draw draws requests by their weights.
type draw struct {
	upTo   []int // sums of the weights
	random *rand.Rand
}

func newDraw(l Load, client int) draw {
	d := draw{random: rand.New(rand.NewPCG(l.Seed, drawn+uint64(client)))}
	sum := 0
	for _, r := range l.Requests {
		sum += max(1, r.Weight)
		d.upTo = append(d.upTo, sum)
	}
	return d
}

func (d draw) next() int32 {
	if len(d.upTo) == 1 {
		return 0
	}
	i, _ := slices.BinarySearch(d.upTo, d.random.IntN(d.upTo[len(d.upTo)-1])+1)
	return int32(i)
}
