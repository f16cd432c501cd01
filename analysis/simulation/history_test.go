package simulation

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"moobench/analysis/history"
	"moobench/analysis/infer"
	"moobench/results"
)

const (
	nightSD     = 0.02 // of the logarithm of a night's ratio, all told
	blockSD     = 0.03 // of the log ratio of two invocations of one block
	nightBlocks = 15
	nightStep   = 0.05 // of the change that is to be found
	aYear       = 300  // nights
	// outlierSize is how far an outlier night is off, either way.
	outlierSize = 0.10
)

// weather is how the nights of one series vary without any change in what is
// measured.
type weather struct {
	name     string
	phi      float64 // correlation with the night before
	drift    float64 // standard deviation of the machine's random walk, a night
	leak     float64 // share of the machine's walk that does not cancel in the ratio
	outliers float64 // share of outlier nights
}

var (
	calm     = weather{name: "independent"}
	alike    = weather{name: "AR .5", phi: 0.5}
	drifting = weather{name: "machine drifts, 10 % of it stays in the ratio", drift: 0.01, leak: 0.1}
	stormy   = weather{name: "one night in twenty off by 10 %", outliers: 0.05}
	weathers = []weather{calm, alike, drifting, stormy}
)

// night is what is measured of one series in one night.
type night struct{ log, se, raw float64 }

// nights draws n nights; the machine's walk is shared by cell and reference.
func (w weather) nights(r *rand.Rand, n int) []night {
	se := blockSD / math.Sqrt(nightBlocks)
	between := math.Sqrt(nightSD*nightSD - se*se)
	chi := distuv.ChiSquared{K: nightBlocks - 1, Src: r}
	all := make([]night, n)
	state, machine := r.NormFloat64(), 0.0
	for i := range all {
		if i > 0 {
			state = w.phi*state + math.Sqrt(1-w.phi*w.phi)*r.NormFloat64()
			machine += w.drift * r.NormFloat64()
		}
		log := between*state + se*r.NormFloat64() + w.leak*machine
		if r.Float64() < w.outliers {
			log += math.Copysign(outlierSize, r.Float64()-0.5)
		}
		all[i] = night{log, se * math.Sqrt(chi.Rand()/chi.K), math.Exp(log + machine)}
	}
	return all
}

// keeper judges the nights of several series as moobench does, night after night,
// and re-measures what is suspected.
type keeper struct {
	r       *rand.Rand
	own     float64          // standard deviation of what a night does to log(new/old)
	kind    ownKind          // how that is distributed
	state   map[int]ownState // of each series
	storms  float64          // share of nights in which log(new/old) is an outlier
	whole   bool             // a check is shown all nights
	series  [][]night
	changed []int // first night with the change, of each series
	rows    [][]history.Record
	settled []history.Record
	again   []int // how often each series was re-measured
	failed  []int // the first night in which a change was confirmed, of each series; -1 is none
	keys    map[history.Key]int
	begin   time.Time
	// suspected are the series of each night that were not re-measured yet, with
	// the changes to ask about.
	suspected [][]history.Series
	checks    map[string]*history.Findings
}

// ownKind is how what a night does to log(new/old) is distributed, in standard deviations.
type ownKind struct {
	name string
	phi  float64 // correlation with the night before
	t3   bool
	rare float64 // share of campaigns that are off by rareSize besides, either way
}

const rareSize = 4.4

var ownKinds = []ownKind{
	{name: "normal"},
	{name: "t3", t3: true},
	{name: "one campaign in twenty off by 4.4 sd", rare: 0.05},
	{name: "AR .8 from night to night", phi: 0.8},
	{name: "all three", phi: 0.8, t3: true, rare: 0.05},
}

// ownState is what the last re-measured night did to a series.
type ownState struct {
	night int
	x     float64
}

// ownNight is what a night does to log(new/old) of a series, in standard deviations.
func (k *keeper) ownNight(s, tonight int) float64 {
	draw := k.r.NormFloat64
	if k.kind.t3 {
		draw = func() float64 { return studentT(k.r, 3) / math.Sqrt(3) }
	}
	x := draw()
	if k.kind.phi > 0 {
		if before, ok := k.state[s]; ok {
			phi := math.Pow(k.kind.phi, float64(tonight-before.night))
			x = phi*before.x + math.Sqrt(1-phi*phi)*x
		}
		if k.state == nil {
			k.state = map[int]ownState{}
		}
		k.state[s] = ownState{tonight, x}
	}
	if k.kind.rare > 0 && k.r.Float64() < k.kind.rare {
		x += math.Copysign(rareSize, k.r.Float64()-0.5)
	}
	return x
}

// newKeeper draws the series; none of them changes.
func newKeeper(w weather, r *rand.Rand, series, nights int) *keeper {
	k := &keeper{r: r, keys: map[history.Key]int{}, begin: time.Date(2026, 1, 1, 3, 0, 0, 0, time.UTC), rows: make([][]history.Record, nights)}
	for s := range series {
		key := history.Key{Campaign: "simulated", Scenario: "overhead", Cell: fmt.Sprintf("v%03d", s), Metric: "duration", Reference: "pinned", Machine: "m", Runtime: "j"}
		k.keys[key] = s
		k.series, k.changed = append(k.series, w.nights(r, nights)), append(k.changed, nights)
		for i, n := range k.series[s] {
			k.rows[i] = append(k.rows[i], history.Record{Kind: history.KindNight, Night: &history.Night{
				Key: key, ID: k.id(i), When: k.begin.AddDate(0, 0, i), Plan: "p", Unit: "ns", Better: results.Lower,
				Log: n.log, SE: n.se, DF: nightBlocks - 1, N: nightBlocks, Raw: n.raw, ReferenceRaw: 1,
			}})
		}
	}
	k.forget()
	return k
}

// forget takes back what was measured again.
func (k *keeper) forget() {
	k.state = nil
	k.settled, k.again, k.failed = nil, make([]int, len(k.series)), make([]int, len(k.series))
	for s := range k.failed {
		k.failed[s] = -1
	}
}

// stepped is the same up to a night, from which on the first series is changed;
// what was measured again since is forgotten.
func (k *keeper) stepped(from int) *keeper { return k.steppedIn(0, from) }

// steppedIn is the same of another series.
func (k *keeper) steppedIn(s, from int) *keeper {
	b := &keeper{r: k.r, own: k.own, kind: k.kind, whole: k.whole, keys: k.keys, begin: k.begin, changed: slices.Clone(k.changed), series: slices.Clone(k.series), rows: slices.Clone(k.rows)}
	b.changed[s], b.series[s] = from, slices.Clone(k.series[s])
	for i := from; i < len(b.rows); i++ {
		x := *b.rows[i][s].Night
		x.Log += math.Log1p(nightStep)
		b.rows[i] = slices.Clone(b.rows[i])
		b.rows[i][s].Night = &x
		b.series[s][i].log = x.Log
		b.series[s][i].raw *= 1 + nightStep
	}
	b.forget()
	for _, r := range k.settled {
		if r.Confirmation.When.Before(k.begin.AddDate(0, 0, from)) {
			b.settled = append(b.settled, r)
		}
	}
	return b
}

func (k *keeper) id(i int) string { return fmt.Sprintf("n%04d", i) }

// check is what moobench history check says after a night. It is shown 50 to 74
// nights, cut so that the last window is the one that it has of the whole history:
// only the end of a history is undecided. Where keepers share their checks, the
// same verdicts give the same findings.
func (k *keeper) check(tonight int) (*history.Findings, error) {
	const window = 50
	id := fmt.Sprint(tonight)
	for _, r := range k.settled {
		c := r.Confirmation
		id += fmt.Sprint(" ", c.Cell, c.Against, c.Night, c.Verdict)
		if c.Verdict != infer.Refuted {
			id += fmt.Sprint(c.Log)
		}
	}
	if f := k.checks[id]; f != nil {
		return f, nil
	}
	from := max(0, (tonight-window)/(window/2)*(window/2))
	if k.whole {
		from = 0
	}
	h := &history.History{Records: slices.Clone(k.settled)}
	for _, row := range k.rows[from : tonight+1] {
		h.Records = append(h.Records, row...)
	}
	f, err := history.Check(h, 0)
	if k.checks != nil {
		k.checks[id] = f
	}
	return f, err
}

// watch checks after a night, and re-measures what is unsettled.
func (k *keeper) watch(tonight int) error {
	f, err := k.check(tonight)
	if err != nil {
		return err
	}
	asked := f.Unsettled()
	var fresh []history.Series
	for _, u := range asked {
		if u.Change.Confirmation == nil {
			fresh = append(fresh, only(*u.Series, *u.Change))
		}
	}
	k.suspected = append(k.suspected, fresh)
	k.remeasure(asked, tonight)
	return nil
}

// only is a series with one change.
func only(s history.Series, c ...history.Change) history.Series {
	s.Changes = c
	return s
}

// replay re-measures afresh what was suspected in the nights before end, with
// another effect of the night of new and old. That the suspicions are those of
// another run matters little: nearly all are refuted in both. A change that was
// begun goes on in the following nights, and nothing else of its series is asked.
func (k *keeper) replay(own float64, r *rand.Rand, end int) {
	k.forget()
	k.own, k.r = own, r
	begun := map[int]history.Series{}
	for tonight, fresh := range k.suspected[:end] {
		f := &history.Findings{}
		for s := range k.series {
			if one, ok := begun[s]; ok {
				one.Nights = append(slices.Clone(one.Nights), *k.rows[tonight][s].Night)
				f.Series = append(f.Series, one)
				delete(begun, s)
			} else if i := slices.IndexFunc(fresh, func(f history.Series) bool { return k.keys[f.Key] == s }); i >= 0 && k.failed[s] < 0 {
				f.Series = append(f.Series, fresh[i])
			}
		}
		for s, one := range k.remeasure(f.Unsettled(), tonight) {
			begun[s] = one
		}
	}
}

// remeasure is moobench confirm: old and new in the same fresh blocks, of a night
// that is their own. What stays open is returned.
func (k *keeper) remeasure(asked []history.Unsettled, tonight int) map[int]history.Series {
	open := map[int]history.Series{}
	h := &history.History{Records: k.settled}
	for _, r := range h.Choose(asked) {
		if r.Why != "" {
			continue
		}
		s := k.keys[r.Series.Key]
		k.again[s]++
		c := history.ConfirmationOf(&results.Confirm{Night: r.New.ID, Against: r.Old.ID}, r.Alarm, k.blocks(s, r, tonight), r.Blocks)
		k.settled = append(k.settled, history.Record{Kind: history.KindConfirmation, Confirmation: &c})
		switch {
		case c.Verdict == infer.Open:
			change := *r.Change
			change.Confirmation = &c
			open[s] = only(*r.Series, change)
		case c.Verdict == infer.Confirmed && k.failed[s] < 0:
			k.failed[s] = tonight
		}
	}
	return open
}

// blocks are what tonight's blocks of new against old say.
func (k *keeper) blocks(s int, r history.Remeasurement, tonight int) results.Remeasured {
	change, truth := k.begin.AddDate(0, 0, k.changed[s]), k.own*k.ownNight(s, tonight)
	if r.Old.When.Before(change) && !r.New.When.Before(change) {
		truth += math.Log1p(nightStep)
	}
	if k.storms > 0 && k.r.Float64() < k.storms {
		truth += math.Copysign(outlierSize, k.r.Float64()-0.5)
	}
	var m moments
	for range r.Blocks {
		m.add(truth + blockSD*k.r.NormFloat64())
	}
	return results.Remeasured{
		When: k.begin.AddDate(0, 0, tonight).Add(time.Hour),
		Log:  m.mean, SE: math.Sqrt(m.variance() / float64(m.n)), DF: float64(m.n - 1),
	}
}
