package simulation

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// vigil is how much is simulated.
type vigil struct {
	histories int // of a year without change, of each weather
	series    int // of each history
	nights    int
	steps     int // changes to be found, of each weather
}

// vigils are short in go test, and shorter with the race detector.
func shortVigil() vigil {
	if replicates < 1000 {
		return vigil{1, 4, 40, 5}
	}
	return vigil{2, 5, 70, 40}
}

func longVigil() vigil { return vigil{30, 10, aYear, 300} }

// silence is what is said of nights without change.
type silence struct {
	weather weather
	series  int
	again   float64 // times that a series is measured again
	failed  rate    // series that a check fails of
	// expected is the share of such series that follows from how often they were
	// measured again, and from how often that confirms what is not there.
	expected float64
	rivals   []rate    // series with an alarm
	nights   []float64 // of a series, with an alarm of each rival
}

// silences simulate nights without change, in each weather.
func silences(v vigil) []silence {
	var all []silence
	for i, w := range weathers {
		all = append(all, v.silence(w, uint64(500+i)))
	}
	return all
}

func (v vigil) silence(w weather, stream uint64) silence {
	keepers, hits := make([]*keeper, v.histories), make([][][]int, v.histories)
	repeat(v.histories, 1, stream, func(i int, r *rand.Rand, told func(int, bool)) {
		k := newKeeper(w, r, v.series, v.nights, v.nights)
		counts := make([][]int, len(rivals))
		for j := range counts {
			counts[j] = make([]int, v.series)
		}
		ok := true
		for t := range v.nights {
			ok = ok && k.watch(t) == nil
			for s := range v.series {
				for j, other := range rivals {
					if other.alarm(k.raw(s, t)) {
						counts[j][s]++
					}
				}
			}
		}
		told(0, ok)
		keepers[i], hits[i] = k, counts
	})
	return v.sum(w, keepers, hits)
}

// sum puts the histories of one weather together.
func (v vigil) sum(w weather, keepers []*keeper, hits [][][]int) silence {
	n := v.histories * v.series
	s := silence{weather: w, series: n, failed: rate{0, n}, rivals: make([]rate, len(rivals)), nights: make([]float64, len(rivals))}
	for i, k := range keepers {
		for j := range v.series {
			s.again += float64(k.again[j]) / float64(n)
			if k.failed[j] >= 0 {
				s.failed.yes++
			}
			for o := range rivals {
				s.nights[o] += float64(hits[i][o][j]) / float64(n)
				s.rivals[o].of = n
				if hits[i][o][j] > 0 {
					s.rivals[o].yes++
				}
			}
		}
	}
	s.expected = s.again * falselyConfirmed()
	return s
}

// finding is how often a change is found within five nights.
type finding struct {
	weather weather
	series  int
	within  [5]rate // confirmed after so many nights, of one and more
	rivals  []rate  // an alarm within five nights
}

// finds simulate a change in one of so many series.
func (v vigil) finds(w weather, series, steps int, stream uint64) finding {
	yes, all := repeat(steps, 5+len(rivals), stream, func(_ int, r *rand.Rand, told func(int, bool)) {
		before := 30 + r.IntN(50)
		k := newKeeper(w, r, series, before+5, before)
		alarmed := make([]bool, len(rivals))
		for t := before; t < before+5; t++ {
			if k.watch(t) != nil {
				return
			}
			told(t-before, k.failed[0] >= 0)
			for j, other := range rivals {
				alarmed[j] = alarmed[j] || other.alarm(k.raw(0, t))
			}
		}
		for j, is := range alarmed {
			told(5+j, is)
		}
	})
	f := finding{weather: w, series: series}
	for i := range f.within {
		f.within[i] = rate{yes[i], all[i]}
	}
	for j := range rivals {
		f.rivals = append(f.rivals, rate{yes[5+j], all[5+j]})
	}
	return f
}

func findings(v vigil) []finding {
	all := []finding{v.finds(calm, 1, v.steps, 600)}
	for i, w := range weathers {
		all = append(all, v.finds(w, 10, v.steps, uint64(601+i)))
	}
	return append(all, v.finds(calm, 50, v.steps, 610))
}

// A year without change is silent, and a change is found.
func TestHistoryRates(t *testing.T) {
	v := shortVigil()
	quiet := silences(v)
	for _, s := range quiet {
		// One of so few series is possible; two are not what 1 in 100 looks like.
		if s.failed.yes > 1 {
			t.Errorf("%s: a check fails of %v %% of %d series that never changed", s.weather.name, s.failed, s.series)
		}
		if s.expected > 0.01 {
			t.Errorf("%s: measured again %.1f times, which makes %.2f %% false confirmations", s.weather.name, s.again, 100*s.expected)
		}
	}
	if r := quiet[0].rivals[0]; r.share() < 0.5 {
		t.Errorf("a ratio of 1.05 alarms in only %v %% of the series", r)
	}
	for _, w := range []int{1, 10} {
		f := v.finds(calm, w, v.steps, uint64(620+w))
		if got := f.within[4]; got.of != v.steps || !got.about(0.9, 1) {
			t.Errorf("%d series: %v %% of the changes are confirmed within five nights", w, got)
		}
		if got := f.rivals[1]; got.yes > 0 {
			t.Errorf("a ratio of 2.00 finds a change of 5 %%: %v", got)
		}
	}
	t.Log("\n" + silenceTable(quiet))
}

func silenceTable(all []silence) string {
	var s strings.Builder
	s.WriteString("| Nights | measured again | failed falsely | expected |")
	for _, r := range rivals {
		fmt.Fprintf(&s, " %s |", r.name)
	}
	s.WriteString("\n| --- | ---: | ---: | ---: |" + strings.Repeat(" ---: |", len(rivals)) + "\n")
	for _, one := range all {
		fmt.Fprintf(&s, "| %s | %.2f | %v | %.3f |", one.weather.name, one.again, one.failed, 100*one.expected)
		for j := range rivals {
			fmt.Fprintf(&s, " %v (%.1f) |", one.rivals[j], one.nights[j])
		}
		s.WriteString("\n")
	}
	return s.String()
}

func findTable(all []finding) string {
	var s strings.Builder
	s.WriteString("| Nights | series | confirmed after 1 | 2 | 3 | 4 | 5 nights |")
	for _, r := range rivals {
		fmt.Fprintf(&s, " %s |", r.name)
	}
	s.WriteString("\n| --- | ---: |" + strings.Repeat(" ---: |", 5+len(rivals)) + "\n")
	for _, f := range all {
		fmt.Fprintf(&s, "| %s | %d |", f.weather.name, f.series)
		for _, r := range append(f.within[:], f.rivals...) {
			fmt.Fprintf(&s, " %v |", r)
		}
		s.WriteString("\n")
	}
	return s.String()
}
