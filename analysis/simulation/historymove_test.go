package simulation

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"moobench/analysis/history"
	"moobench/results"
)

const (
	oldMachine, newMachine = "m", "n"
	moveShift              = 0.05 // by how much the logarithm differs on the new machine
	nightsBefore           = 50   // of the old machine, before the first pair
	nightsAfter            = 60   // of the new one, after the last pair
	changeAfter            = 2    // a change begins in that night after the move
)

// going is what becomes of a series when its machine is another one.
type going int

const (
	staying  going = iota // the machine stays
	carrying              // the series goes on
	anew                  // another series begins
)

var goings = []string{staying: "no move", carrying: "the series goes on", anew: "a new series begins"}

// replaced is what a keeper sees when its machine is replaced after some pairs of nights: nights of another machine,
// drawn by themselves, and records that say so.
func (k *keeper) replaced(w weather, r *rand.Rand, pairs int, g going) *keeper {
	b := newKeeper(w, r, len(k.series), len(k.rows))
	last := nightsBefore + pairs - 1
	for i := range b.rows {
		for _, row := range b.rows[i] {
			n, s := row.Night, b.keys[row.Night.Key]
			n.Machine, n.ID, n.When, n.Log = newMachine, "new-"+n.ID, n.When.Add(time.Hour), n.Log+moveShift
			b.keys[n.Key] = s
		}
		if i == last && g == carrying {
			b.rows[i] = append(b.rows[i], moves(b.rows[i], "new-"+b.id(nightsBefore))...)
		}
		switch {
		case i < nightsBefore:
			b.rows[i] = k.rows[i]
		case i <= last:
			b.rows[i] = slices.Concat(k.rows[i], b.rows[i])
		}
	}
	return b
}

// moves say of the series of a night that they go on, from the first night that counts.
func moves(night []history.Record, first string) (all []history.Record) {
	for _, row := range night {
		all = append(all, history.Record{Kind: history.KindMove, Move: &history.Move{
			Key: row.Night.Key, From: history.Machine{ID: oldMachine}, Night: first, When: row.Night.When,
		}})
	}
	return all
}

// filed gives the nights of a keeper a build each.
func (k *keeper) filed() *keeper {
	for i, rows := range k.rows {
		for _, row := range rows {
			if row.Night != nil {
				row.Night.Artifacts = []results.Artifact{{Name: "agent", SHA256: fmt.Sprintf("%064x", i)}}
			}
		}
	}
	return k
}

// moveRow is what comes of nights after a move.
type moveRow struct {
	weather weather
	pairs   int
	g       going
	again   []float64 // campaigns that one series is re-measured in
	failed  []rate    // series that a check fails of
	within  []rate    // a change is confirmed within five nights
}

// moveOwns are the standard deviations of what a night does to log(new/old).
var moveOwns = []float64{0, 0.02}

// moveRows simulates histories whose machine is replaced, and the same ones without.
func moveRows(weathers []weather, counts []int, histories, series, replays int) []moveRow {
	var rows []moveRow
	for i, w := range weathers {
		for _, pairs := range counts {
			of := make([]moveRow, len(goings))
			for h := range histories {
				for g := range of {
					of[g].add(w, pairs, going(g), series, replays, uint64(i)<<32|uint64(h))
				}
			}
			for g := range of {
				for o := range moveOwns {
					of[g].again[o] /= float64(of[g].failed[o].of)
				}
			}
			rows = append(rows, of...)
		}
	}
	return rows
}

// add simulates one history.
func (m *moveRow) add(w weather, pairs int, g going, series, replays int, stream uint64) {
	if m.again == nil {
		m.weather, m.pairs, m.g = w, pairs, g
		m.again, m.failed, m.within = make([]float64, len(moveOwns)), make([]rate, len(moveOwns)), make([]rate, len(moveOwns))
	}
	end := nightsBefore + pairs + nightsAfter
	k := newKeeper(w, rand.New(rand.NewPCG(seed, 1000<<32|stream)), series, end)
	if g != staying {
		k = k.replaced(w, rand.New(rand.NewPCG(seed, 2000<<32|stream)), pairs, g)
	}
	k.filed().whole = true
	moved := nightsBefore + pairs
	for t := range end {
		if t < nightsBefore-10 {
			k.suspected = append(k.suspected, nil)
		} else if k.watch(t) != nil {
			panic("a simulated history can't be checked")
		}
	}
	for o, own := range moveOwns {
		for again := range replays {
			k.replay(own, rand.New(rand.NewPCG(stream, uint64(again))), moved)
			before := sum(k.again)
			k.replay(own, rand.New(rand.NewPCG(stream, uint64(again))), end)
			m.again[o] += float64(sum(k.again) - before)
			for s := range series {
				m.failed[o] = m.failed[o].plus(k.failed[s] >= moved)
			}
		}
		from := moved + changeAfter - 1
		for i := range series {
			k.replay(own, rand.New(rand.NewPCG(stream, uint64(1000+100*o+i))), from)
			m.within[o] = m.within[o].plus(k.finds(i, from))
		}
	}
}

// finds says whether a change of one of the series is confirmed within five nights.
func (k *keeper) finds(s, from int) bool {
	b := k.steppedIn(s, from)
	for t := from; t < from+5 && b.failed[s] < 0; t++ {
		if b.watch(t) != nil {
			panic("a simulated history can't be checked")
		}
	}
	return b.failed[s] >= 0
}

func sum(all []int) (n int) {
	for _, x := range all {
		n += x
	}
	return n
}

func moveTable(rows []moveRow) string {
	var s strings.Builder
	s.WriteString("| Nights | pairs | machine | night of new/old, sd in % | series | re-measured | failed falsely | at most | a change of 5 % confirmed |\n| --- | ---: | --- |" + strings.Repeat(" ---: |", 6) + "\n")
	for _, r := range rows {
		for o, own := range moveOwns {
			fmt.Fprintf(&s, "| %s | %d | %s | %.2f | %d | %.2f | %.2f | %.2f | %v |\n", r.weather.name, r.pairs, goings[r.g], 100*own,
				r.failed[o].of, r.again[o], 100*r.failed[o].share(), 100*r.failed[o].atMost(), r.within[o])
		}
	}
	return s.String()
}

var sketchN = flag.Int("sketch", 4, "")

func TestMoveSketch(t *testing.T) {
	rows := moveRows([]weather{calm, alike}, []int{5}, *sketchN, 10, 5)
	t.Log("\n" + moveTable(rows))
}
