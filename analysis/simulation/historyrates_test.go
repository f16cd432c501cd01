package simulation

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"moobench/analysis/history"
)

// vigil is how much is simulated.
type vigil struct {
	histories int // of a year without change, of each weather
	series    int // of each history
	nights    int
	replays   int // times that each year's suspicions are re-measured afresh
	prefixes  int // histories in which changes begin, of each weather
}

// shortVigil is what go test simulates; with -long it is longer.
func shortVigil() vigil {
	if !*longer {
		return vigil{1, 4, 40, 10, 1}
	}
	return vigil{2, 5, 70, 40, 3}
}

func longVigil() vigil { return vigil{6, 10, aYear, 17, 30} }

// owns are the standard deviations of what a night does to log(new/old).
var owns = []float64{0, 0.0025, 0.005, 0.01, 0.02}

// silence is what is said of nights without change.
type silence struct {
	weather weather
	series  int       // years of one series, of the rivals
	again   []float64 // campaigns that one series is re-measured in, for each of owns
	failed  []rate    // series that a check fails of, for each of owns
	rivals  []rate    // series with an alarm
	nights  []float64 // of a series, with an alarm of each rival
}

// silences simulate nights without change, in each weather.
func silences(v vigil) []silence {
	var all []silence
	for i, w := range weathers {
		all = append(all, v.silence(w, uint64(540+i)))
	}
	return all
}

func (v vigil) silence(w weather, stream uint64) silence {
	years := make([]year, v.histories)
	repeat(v.histories, 1, stream, func(i int, r *rand.Rand, told func(int, bool)) {
		k := newKeeper(w, r, v.series, v.nights)
		ok := true
		for t := range v.nights {
			ok = ok && k.watch(t) == nil
		}
		told(0, ok)
		years[i] = v.year(k, stream<<32|uint64(i))
	})
	n := v.histories * v.series
	s := silence{weather: w, series: n, again: make([]float64, len(owns)), failed: make([]rate, len(owns)), rivals: make([]rate, len(rivals)), nights: make([]float64, len(rivals))}
	for _, y := range years {
		for o := range owns {
			s.again[o] += float64(y.again[o]) / float64(n*v.replays)
			s.failed[o].yes += y.failed[o]
			s.failed[o].of += v.series * v.replays
		}
		for o := range rivals {
			s.rivals[o].of = n
			s.rivals[o].yes += y.alarmed[o]
			s.nights[o] += float64(y.nights[o]) / float64(n)
		}
	}
	return s
}

// year is what one history without change comes to.
type year struct {
	again, failed   []int // for each of owns, over all replays
	alarmed, nights []int // series and nights with an alarm, for each rival
}

func (v vigil) year(k *keeper, stream uint64) year {
	y := year{make([]int, len(owns)), make([]int, len(owns)), make([]int, len(rivals)), make([]int, len(rivals))}
	for s := range v.series {
		for o, other := range rivals {
			hits := 0
			for t := range v.nights {
				if other.alarm(k.raw(s, t)) {
					hits++
				}
			}
			y.nights[o] += hits
			y.alarmed[o] += min(1, hits)
		}
	}
	for o, own := range owns {
		for i := range v.replays {
			k.replay(own, rand.New(rand.NewPCG(stream, uint64(i)<<8|uint64(o))), v.nights)
			for s := range v.series {
				y.again[o] += k.again[s]
				if k.failed[s] >= 0 {
					y.failed[o]++
				}
			}
		}
	}
	return y
}

// finding is how often a change is found within five nights.
type finding struct {
	weather weather
	series  int
	within  [][5]rate // confirmed after so many nights, of one and more, for each of owns
	rivals  []rate    // an alarm within five nights
}

// Changes begin in the nights firstStep, firstStep+betweenSteps and so on of a
// history, each in a copy of its own.
const (
	firstStep    = 30
	betweenSteps = 5
	stepsEach    = 10
)

// finds simulate changes in one of so many series.
func (v vigil) finds(w weather, series, prefixes int, stream uint64) finding {
	outcomes := 5*len(owns) + len(rivals)
	yes, all := repeat(prefixes, outcomes, stream, func(i int, r *rand.Rand, told func(int, bool)) {
		nights := firstStep + betweenSteps*(stepsEach-1)
		k := newKeeper(w, r, series, nights+5)
		for t := range nights {
			if k.watch(t) != nil {
				return
			}
		}
		for step := range stepsEach {
			from := firstStep + betweenSteps*step
			checks := k.stepped(from).rivalsAndChecks(from, told)
			for o, own := range owns {
				k.replay(own, rand.New(rand.NewPCG(stream<<32|uint64(i), uint64(step)<<8|uint64(o))), from)
				b := k.stepped(from)
				b.checks = checks
				for t := from; t < from+5; t++ {
					if b.failed[0] < 0 && b.watch(t) != nil {
						return
					}
					told(5*o+t-from, b.failed[0] >= 0)
				}
			}
		}
	})
	f := finding{weather: w, series: series, within: make([][5]rate, len(owns))}
	for o := range owns {
		for i := range f.within[o] {
			f.within[o][i] = rate{yes[5*o+i], all[5*o+i]}
		}
	}
	for j := range rivals {
		f.rivals = append(f.rivals, rate{yes[5*len(owns)+j], all[5*len(owns)+j]})
	}
	return f
}

// rivalsAndChecks tells which rival alarms within five nights, and is where the
// keepers of these nights share their checks.
func (k *keeper) rivalsAndChecks(from int, told func(int, bool)) map[string]*history.Findings {
	for j, other := range rivals {
		alarmed := false
		for t := from; t < from+5; t++ {
			alarmed = alarmed || other.alarm(k.raw(0, t))
		}
		told(5*len(owns)+j, alarmed)
	}
	return map[string]*history.Findings{}
}

func findings(v vigil) []finding {
	all := []finding{v.finds(calm, 1, v.prefixes, 640)}
	for i, w := range weathers {
		all = append(all, v.finds(w, 10, v.prefixes, uint64(641+i)))
	}
	return append(all, v.finds(calm, 50, (v.prefixes+6)/7, 650))
}

// atMost and atLeast are the 95 % bounds of a rate, each by itself. Source: Clopper
// and Pearson 1934.
func (r rate) atMost() float64 {
	if r.yes == r.of {
		return 1
	}
	return distuv.Beta{Alpha: float64(r.yes + 1), Beta: float64(r.of - r.yes)}.Quantile(0.95)
}

func (r rate) atLeast() float64 {
	if r.yes == 0 {
		return 0
	}
	return distuv.Beta{Alpha: float64(r.yes), Beta: float64(r.of - r.yes + 1)}.Quantile(0.05)
}

// A year without change is silent, and a change is found.
func TestHistoryRates(t *testing.T) {
	v := shortVigil()
	quiet := silences(v)
	for _, s := range quiet {
		for o, own := range owns {
			// Three in a hundred series-years are not what one looks like.
			if f := s.failed[o]; f.share() > 0.03*float64(v.nights)/aYear {
				t.Errorf("%s, own night %v: a check fails of %v %% of %d series that never changed", s.weather.name, own, f, f.of)
			}
		}
	}
	if r := quiet[0].rivals[0]; r.share() < 0.5 {
		t.Errorf("a ratio of 1.05 alarms in only %v %% of the series", r)
	}
	for _, w := range []int{1, 5} {
		f := v.finds(calm, w, v.prefixes, uint64(620+w))
		for o, own := range owns[:3] {
			if got := f.within[o][4]; got.of != v.prefixes*stepsEach || got.share() < 0.7 {
				t.Errorf("%d series, own night %v: %v %% of the changes are confirmed within five nights", w, own, got)
			}
		}
		if got := f.rivals[1]; got.yes > 0 {
			t.Errorf("a ratio of 2.00 finds a change of 5 %%: %v", got)
		}
	}
	t.Log("\n" + silenceTable(quiet))
}

func silenceTable(all []silence) string {
	var s strings.Builder
	s.WriteString("| Nights | night of new/old, sd in % | series-years | re-measured | failed falsely | at most |\n| --- | ---: | ---: | ---: | ---: | ---: |\n")
	for _, one := range all {
		for o, own := range owns {
			f := one.failed[o]
			fmt.Fprintf(&s, "| %s | %.2f | %d | %.1f | %.2f | %.2f |\n", one.weather.name, 100*own, f.of, one.again[o], 100*f.share(), 100*f.atMost())
		}
	}
	return s.String()
}

func findTable(all []finding) string {
	var s strings.Builder
	s.WriteString("| Nights | series | night of new/old, sd in % | confirmed after 1 | 2 | 3 | 4 | 5 nights | at least |\n| --- |" + strings.Repeat(" ---: |", 8) + "\n")
	for _, f := range all {
		for o, own := range owns {
			fmt.Fprintf(&s, "| %s | %d | %.2f |", f.weather.name, f.series, 100*own)
			for _, r := range f.within[o] {
				fmt.Fprintf(&s, " %v |", r)
			}
			fmt.Fprintf(&s, " %.1f |\n", 100*f.within[o][4].atLeast())
		}
	}
	return s.String()
}

// rivalTable is what the other ways to judge make of the same nights.
func rivalTable(quiet []silence, all []finding) string {
	var s strings.Builder
	s.WriteString("| Nights |")
	for _, r := range rivals {
		fmt.Fprintf(&s, " %s |", r.name)
	}
	s.WriteString("\n| --- |" + strings.Repeat(" ---: |", len(rivals)) + "\n")
	for _, one := range quiet {
		fmt.Fprintf(&s, "| %s, no change |", one.weather.name)
		for j := range rivals {
			fmt.Fprintf(&s, " %v (%.1f) |", one.rivals[j], one.nights[j])
		}
		s.WriteString("\n")
	}
	for _, f := range all {
		fmt.Fprintf(&s, "| %s, changed, one of %d |", f.weather.name, f.series)
		for j := range rivals {
			fmt.Fprintf(&s, " %v |", f.rivals[j])
		}
		s.WriteString("\n")
	}
	return s.String()
}
