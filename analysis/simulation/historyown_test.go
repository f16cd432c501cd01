package simulation

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"moobench/analysis/history"
)

// ownRow is what comes of nights that do to log(new/old) what they do in one way.
type ownRow struct {
	kind   ownKind
	sd     float64
	failed rate // years of one series in which a check fails of nothing
	found  rate // changes of 5 % that are confirmed within five nights
}

// ownRows are simulated on the same nights and suspicions: only what is re-measured differs.
func ownRows(histories, series, nights, replays int, sds []float64) []ownRow {
	var rows []ownRow
	for _, kind := range ownKinds {
		for _, sd := range sds {
			rows = append(rows, ownRow{kind: kind, sd: sd})
		}
	}
	for h := range histories {
		r := rand.New(rand.NewPCG(seed, uint64(900+h)))
		k := newKeeper(calm, r, series, nights)
		for t := range nights {
			if k.watch(t) != nil {
				panic("a simulated history can't be checked")
			}
		}
		for i := range rows {
			k.kind = rows[i].kind
			for again := range replays {
				k.replay(rows[i].sd, rand.New(rand.NewPCG(uint64(again), uint64(h))), nights)
				for s := range series {
					rows[i].failed = rows[i].failed.plus(k.failed[s] >= 0)
				}
			}
		}
		ownFinds(k, rows, nights-5)
	}
	return rows
}

// ownFinds are changes that begin in some nights of a history.
func ownFinds(k *keeper, rows []ownRow, last int) {
	for from := firstStep; from < last; from += 2 * betweenSteps {
		checks := map[string]*history.Findings{}
		for i := range rows {
			k.kind = rows[i].kind
			k.replay(rows[i].sd, rand.New(rand.NewPCG(uint64(from), uint64(i))), from)
			b := k.stepped(from)
			b.checks = checks
			for t := from; t < from+5 && b.failed[0] < 0; t++ {
				if b.watch(t) != nil {
					panic("a simulated history can't be checked")
				}
			}
			rows[i].found = rows[i].found.plus(b.failed[0] >= 0)
		}
	}
}

func (r rate) plus(yes bool) rate {
	r.of++
	if yes {
		r.yes++
	}
	return r
}

func ownTable(rows []ownRow, nights int) string {
	var s strings.Builder
	s.WriteString("| what a night does to new/old | sd in % | series-years | failed falsely in % | at most | a change of 5 % confirmed within five nights, in % |\n| --- | ---: | ---: | ---: | ---: | ---: |\n")
	for _, r := range rows {
		years := float64(nights) / aYear
		fmt.Fprintf(&s, "| %s | %.0f | %.0f | %.2f | %.2f | %v |\n", r.kind.name, 100*r.sd, float64(r.failed.of)*years,
			100*r.failed.share()/years, 100*r.failed.atMost()/years, r.found)
	}
	return s.String()
}

// TestOwnNights: whatever nights do to old and new, a year without change seldom fails.
func TestOwnNights(t *testing.T) {
	histories, nights, replays := 1, 60, 20
	if *longer {
		histories, nights, replays = 4, 150, 60
	}
	rows := ownRows(histories, 10, nights, replays, []float64{0.01, 0.02})
	for _, r := range rows {
		years := float64(r.failed.of) * float64(nights) / aYear
		most := 0.01 * years // and what one more comes to by chance
		if r.kind.phi > 0 {  // five nights can't tell what lasts for several: see METHOD.md
			most = 0.08 * years
		}
		if float64(r.failed.yes) > most+3*math.Sqrt(most)+1 {
			t.Errorf("%s, sd %v: %d of %.0f series-years fail", r.kind.name, r.sd, r.failed.yes, years)
		}
	}
	t.Log("\n" + ownTable(rows, nights))
}
