package simulation

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"moobench/analysis/history"
	"moobench/analysis/stats"
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
	// confirmAlpha is the level of measuring again, two-sided.
	confirmAlpha = 0.01
	// leastChange is the least one worth a word, by default.
	leastChange = 0.03
)

// falselyConfirmed is the chance that measuring again confirms a rise that is not
// there: that the mean of the blocks is above the half-width of its interval and
// above the least change worth a word. Given the blocks' standard deviation, which
// is independent of their mean, it is a normal tail; the average over drawn ones
// is the chance.
func falselyConfirmed() float64 {
	const draws = 100_000
	se := blockSD / math.Sqrt(nightBlocks)
	chi := distuv.ChiSquared{K: nightBlocks - 1, Src: rand.New(rand.NewPCG(seed, 700))}
	t, sum := stats.TQuantile(confirmAlpha/2, chi.K), 0.0
	for range draws {
		half := t * se * math.Sqrt(chi.Rand()/chi.K)
		sum += stats.NormalTail(max(half, math.Log1p(leastChange)) / se)
	}
	return sum / draws
}

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

// nights draws n nights, with a change of the code from a night on; the machine's
// walk is shared by cell and reference.
func (w weather) nights(r *rand.Rand, n, changed int) []night {
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
		if i >= changed {
			log += math.Log1p(nightStep)
		}
		all[i] = night{log, se * math.Sqrt(chi.Rand()/chi.K), math.Exp(log + machine)}
	}
	return all
}

// keeper judges the nights of several series as moobench does, night after night,
// and measures again what is suspected.
type keeper struct {
	r       *rand.Rand
	series  [][]night
	changed []int // first night with the change, of each series
	rows    [][]history.Record
	settled []history.Record
	again   []int // how often each series was measured again
	failed  []int // the first night of which a check fails, of each series; -1 is none
	keys    map[history.Key]int
	begin   time.Time
}

// newKeeper draws the series; changed is the night of the change in the first of
// them, and the others do not change.
func newKeeper(w weather, r *rand.Rand, series, nights, changed int) *keeper {
	k := &keeper{r: r, keys: map[history.Key]int{}, begin: time.Date(2026, 1, 1, 3, 0, 0, 0, time.UTC), rows: make([][]history.Record, nights)}
	for s := range series {
		from := nights
		if s == 0 {
			from = changed
		}
		key := history.Key{Campaign: "simulated", Scenario: "overhead", Cell: fmt.Sprintf("v%03d", s), Metric: "duration", Reference: "pinned", Machine: "m", Runtime: "j"}
		k.keys[key] = s
		k.series, k.changed = append(k.series, w.nights(r, nights, from)), append(k.changed, from)
		k.again, k.failed = append(k.again, 0), append(k.failed, -1)
		for i, n := range k.series[s] {
			k.rows[i] = append(k.rows[i], history.Record{Format: history.Format, Kind: history.KindNight, Night: &history.Night{
				Key: key, ID: k.id(i), When: k.begin.AddDate(0, 0, i), Plan: "p", Unit: "ns", Better: results.Lower,
				Log: n.log, SE: n.se, DF: nightBlocks - 1, N: nightBlocks, Raw: n.raw, ReferenceRaw: 1,
			}})
		}
	}
	return k
}

func (k *keeper) id(i int) string { return fmt.Sprintf("n%04d", i) }

// check is what moobench history check says after a night. It is shown 50 to 74
// nights, cut so that the last window is the one that it has of the whole history:
// only the end of a history is undecided.
func (k *keeper) check(tonight int) (*history.Findings, error) {
	const window = 50
	from := max(0, (tonight-window)/(window/2)*(window/2))
	h := &history.History{Records: k.settled[:len(k.settled):len(k.settled)]}
	for _, row := range k.rows[from : tonight+1] {
		h.Records = append(h.Records, row...)
	}
	return history.Check(h, history.Options{})
}

// watch checks after a night, measures again, and checks once more.
func (k *keeper) watch(tonight int) error {
	f, err := k.check(tonight)
	if err != nil {
		return err
	}
	open := f.Unsettled()
	for _, u := range open {
		k.measureAgain(u, tonight)
	}
	if len(open) > 0 {
		if f, err = k.check(tonight); err != nil {
			return err
		}
	}
	for i := range f.Series {
		s := k.keys[f.Series[i].Key]
		for _, c := range f.Series[i].Changes {
			if c.State == history.StateConfirmed && c.Worse && c.Over == "" && k.failed[s] < 0 {
				k.failed[s] = tonight
			}
		}
	}
	return nil
}

// measureAgain is moobench confirm: old and new in the same fresh blocks, so that
// nothing of what differs between nights is in it.
func (k *keeper) measureAgain(u history.Unsettled, tonight int) {
	older, newer, ok := u.Series.MeasureAgain(u.Change)
	if !ok {
		return
	}
	s := k.keys[u.Series.Key]
	k.again[s]++
	change, truth := k.begin.AddDate(0, 0, k.changed[s]), 0.0
	if older.When.Before(change) && !newer.When.Before(change) {
		truth = math.Log1p(nightStep)
	}
	blocks := make([]float64, nightBlocks)
	for i := range blocks {
		blocks[i] = truth + blockSD*k.r.NormFloat64()
	}
	e, err := stats.MeanInterval(blocks, 1-confirmAlpha)
	if err != nil {
		return
	}
	c := &history.Confirmation{
		Key: u.Series.Key, Night: newer.ID, Against: older.ID, When: k.begin.AddDate(0, 0, tonight).Add(time.Hour),
		Log: e.Value, Low: e.Interval.Low, High: e.Interval.High, Alpha: confirmAlpha, N: nightBlocks,
		Verdict: history.Settle(u.Change.Log, e.Value, e.Interval.Low, e.Interval.High, leastChange),
	}
	k.settled = append(k.settled, history.Record{Format: history.Format, Kind: history.KindConfirmation, Confirmation: c})
}
