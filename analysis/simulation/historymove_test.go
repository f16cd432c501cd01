package simulation

import (
	"fmt"
	"math/rand/v2"
	"os"
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

// movings is how much is simulated.
type movings struct {
	weathers          []weather
	pairs             []int
	histories, series int
	replays           int // times that the suspicions of a history are re-measured afresh
	after             int // nights after the last pair
}

// shortMovings is what go test simulates; with -long it is longer.
func shortMovings() movings {
	if !*longer {
		return movings{[]weather{calm}, []int{5}, 1, 3, 40, 12}
	}
	return movings{[]weather{calm, alike}, []int{5, 10}, 3, 5, 40, 60}
}

func longMovings() movings { return movings{weathers, []int{5, 10}, 6, 10, 40, 60} }

// moveRow is what comes of nights after a move.
type moveRow struct {
	weather weather
	pairs   int
	g       going
	again   float64 // campaigns that one series is re-measured in
	failed  rate    // series that a check fails of
	within  []rate  // a change is confirmed within five nights, for each of moveOwns
}

// moveOwns are the standard deviations of what a night does to log(new/old); with the last one checks fail falsely
// most often.
var moveOwns = []float64{0, 0.02}

// rows simulates histories whose machine is replaced, and the same ones without.
func (v movings) rows() (rows []moveRow) {
	for i, w := range v.weathers {
		for _, pairs := range v.pairs {
			for g := range goings {
				row := moveRow{weather: w, pairs: pairs, g: going(g), within: make([]rate, len(moveOwns))}
				for h := range v.histories {
					row.add(v, uint64(i)<<16|uint64(h))
				}
				row.again /= float64(row.failed.of)
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// add simulates one history.
func (m *moveRow) add(v movings, stream uint64) {
	moved := nightsBefore + m.pairs
	k := m.watched(v, moved+v.after, stream)
	own := moveOwns[len(moveOwns)-1]
	for again := range v.replays {
		k.replay(own, rand.New(rand.NewPCG(stream, uint64(again))), moved)
		m.again -= float64(sum(k.again))
		k.replay(own, rand.New(rand.NewPCG(stream, uint64(again))), moved+v.after)
		m.again += float64(sum(k.again))
		for _, night := range k.failed {
			m.failed = m.failed.plus(night >= moved)
		}
	}
	for s := range v.series {
		checks := map[string]*history.Findings{}
		for o, own := range moveOwns {
			k.replay(own, rand.New(rand.NewPCG(stream, 1000+uint64(s))), moved+changeAfter-1)
			m.within[o] = m.within[o].plus(k.finds(s, moved+changeAfter-1, checks))
		}
	}
}

// watched is a history that was judged night after night, from some nights before the move on.
func (m *moveRow) watched(v movings, nights int, stream uint64) *keeper {
	k := newKeeper(m.weather, rand.New(rand.NewPCG(seed, 1000<<32|stream)), v.series, nights)
	if m.g != staying {
		k = k.replaced(m.weather, rand.New(rand.NewPCG(seed, 2000<<32|stream)), m.pairs, m.g)
	}
	k.filed().whole = true
	for t := range nights {
		if t < nightsBefore-10 {
			k.suspected = append(k.suspected, nil)
		} else if k.watch(t) != nil {
			panic("a simulated history can't be checked")
		}
	}
	return k
}

// finds says whether a change of a series is confirmed within five nights.
func (k *keeper) finds(s, from int, checks map[string]*history.Findings) bool {
	b := k.steppedIn(s, from)
	b.checks = checks
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
	s.WriteString("| Nights | pairs | | series | re-measured | failed falsely | at most |")
	for _, own := range moveOwns {
		fmt.Fprintf(&s, " change confirmed, sd %.0f |", 100*own)
	}
	s.WriteString("\n| --- | ---: | --- |" + strings.Repeat(" ---: |", 4+len(moveOwns)) + "\n")
	for _, r := range rows {
		fmt.Fprintf(&s, "| %s | %d | %s | %d | %.2f | %.2f | %.2f |", r.weather.name, r.pairs, goings[r.g],
			r.failed.of, r.again, 100*r.failed.share(), 100*r.failed.atMost())
		for _, found := range r.within {
			fmt.Fprintf(&s, " %v |", found)
		}
		s.WriteString("\n")
	}
	return s.String()
}

// TestMoveRates: after a change of machine no check fails of nothing, and a change is found that a new series would
// miss.
func TestMoveRates(t *testing.T) {
	rows := shortMovings().rows()
	for _, r := range rows {
		if r.failed.share() > 0.02 {
			t.Errorf("%s, %s: a check fails of %v %% of %d series that never changed", r.weather.name, goings[r.g], r.failed, r.failed.of)
		}
		if r.g == carrying && r.within[0].share() < 0.5 || r.g == anew && r.pairs == 5 && r.within[0].share() > 0.2 {
			t.Errorf("%s, %s: %v %% of the changes are confirmed", r.weather.name, goings[r.g], r.within[0])
		}
	}
	t.Log("\n" + moveTable(rows))
}

// replacing begins what is simulated of a change of machine, to the end of the document.
const replacing = "\n# A change of machine\n"

// moveHeading says how the numbers of this part were made.
func moveHeading(v movings) string {
	return fmt.Sprintf("%d histories of %d series of each kind of nights, %d nights after the last pair, what each suspected re-measured afresh %d times over",
		v.histories, v.series, v.after, v.replays)
}

// moveReport is what becomes of series whose machine is replaced.
func moveReport(v movings) string {
	var s strings.Builder
	s.WriteString(replacing)
	fmt.Fprintf(&s, `
Made by `+"`go test ./analysis/simulation -run TestMoveDocument -timeout 0 -update`"+`. %s.

An old machine measures %d nights and, with a new one, so many pairs of nights more; then the new one alone. Nights of the two are drawn by themselves and have nothing in common but the builds; the logarithm on the new one is %.2f higher. "No move" is the same old machine all the time.

%s
"Re-measured" is in how many campaigns one series is, in the nights after the move, and "failed falsely" the share of series, in %%, of which a check ever fails there, where new/old differs by %.0f %% from night to night; "at most" is its upper 95 %% bound. "Change confirmed" is the share, in %%, of changes of %.0f %% that begin in the second night after the move, and are confirmed within five nights; "sd" is what new/old differs by from night to night, in %%.

How large the shift is does not matter: it is added to logarithms, and what is found is the same for a shift of 0, 5 and 20 %% (`+"`TestMoveIsBlindToTheShift`"+`).
`, moveHeading(v), nightsBefore, moveShift, moveTable(v.rows()), 100*moveOwns[len(moveOwns)-1], 100*nightStep)
	return s.String()
}

// TestMoveDocument writes that part of the document when asked to, and else makes sure that it tells of this
// simulation.
func TestMoveDocument(t *testing.T) {
	text, err := os.ReadFile(historyDocument)
	before, part, found := strings.Cut(string(text), replacing)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(historyDocument, []byte(before+moveReport(longMovings())), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !found || !strings.Contains(part, moveHeading(longMovings())) {
		t.Errorf("%s does not tell of this simulation: write it anew with go test ./analysis/simulation -run TestMoveDocument -timeout 0 -update", historyDocument)
	}
	for _, w := range weathers {
		if n := strings.Count(part, "\n| "+w.name+" |"); n != len(goings)*len(longMovings().pairs) {
			t.Errorf("%s has %d rows of %s", historyDocument, n, w.name)
		}
	}
}
