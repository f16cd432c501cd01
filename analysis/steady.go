package analysis

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"moobench/analysis/caveat"
	"moobench/analysis/evidence"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/reading"
	"moobench/analysis/stats"
	"moobench/analysis/steady"
	"moobench/results"
)

// Steady says how the invocations of a cell reach a steady state.
type Steady struct {
	// Class is flat, warmup, slowdown or no steady state if all invocations agree, else inconsistent; "not
	// told" with too few samples.
	Class  string         `json:"class"`
	Counts map[string]int `json:"counts"` // invocations by class
	// Compiling counts invocations with a part of the window left out because the JVM's compilers worked in it.
	Compiling int `json:"compiling,omitempty"`
	// WarmupCalls is the median number of calls of one thread before the steady state, over the invocations
	// that have one.
	WarmupCalls *Estimate `json:"warmup_calls,omitempty"`
	// WarmupMean is the mean of these calls; absent without any.
	WarmupMean *Estimate `json:"warmup_mean,omitempty"`
	Text       string    `json:"text"` // in words
	// Drift is how far the cell's mean would move if invocations without a steady state had been measured in
	// their last quarter instead of the one before; absent if all have one.
	Drift *float64 `json:"drift,omitempty"`
}

// OtherWindow is a mean over the window that was not chosen.
type OtherWindow struct {
	Window results.Window `json:"window"` // the window
	Mean   *Estimate      `json:"mean"`   // of the primary metric
}

const (
	inconsistent = "inconsistent"
	notTold      = "not told"
)

// steady says how the invocations of a cell reach a steady state, and returns the primary metric's mean over
// the window that was not chosen; nil if the primary metric is not a series, or the cell has no number.
func (r *reader) steady(c *results.Cell) (*Steady, *OtherWindow) {
	if r.Primary.Series == "" || r.Invalid[c.ID] != "" {
		return nil, nil
	}
	a := &Steady{Class: inconsistent, Counts: map[string]int{}}
	var calls, means, others, drifts []float64
	for _, e := range r.Primaries(c.ID) {
		if _, ok := e.Values[r.Primary.Name]; !ok {
			continue
		}
		if stats.Finite(e.Samples.Other) {
			others = append(others, e.Samples.Other)
		}
		a.Counts[cmp.Or(e.Class, notTold)]++
		if e.Samples.LeftOut > 0 {
			a.Compiling++
		}
		drifts = append(drifts, 0)
		if e.Class == string(steady.Unsteady) {
			before, last := e.Samples.LateQuarters()
			drifts[len(drifts)-1] = last - before
		}
		if !e.CameToRest() {
			continue
		}
		calls = append(calls, float64(e.Samples.WarmCalls))
		if m := e.Samples.WarmMean; !math.IsNaN(m) {
			means = append(means, m)
		}
	}
	switch classes := slices.Collect(maps.Keys(a.Counts)); len(classes) {
	case 0:
		return nil, nil
	case 1:
		a.Class = classes[0]
	}
	a.WarmupCalls, _ = infer.Median(calls, reading.Confidence)
	a.WarmupMean, _ = infer.Mean(means, reading.Confidence)
	if drift, err := stats.Mean(drifts); err == nil && a.Counts[string(steady.Unsteady)] > 0 {
		a.Drift = &drift
	}
	a.Text = a.Classes()
	if w := a.WarmupCalls; w != nil && w.Value > 0 {
		a.Text += fmt.Sprintf(": steady after %s of a thread (median)",
			figure.Plural(int(math.Round(w.Value)), "call", "calls"))
	}
	if a.Compiling > 0 {
		a.Text += fmt.Sprintf("; without the stretches in which compilers worked in %s of them",
			figure.Count(int64(a.Compiling)))
	}
	if mean, _ := infer.Mean(others, reading.Confidence); mean != nil {
		return a, &OtherWindow{evidence.OtherWindow(r.Scenario.Window), mean}
	}
	return a, nil
}

// Classes returns the class, with the number of invocations of each class if they differ: "inconsistent (5
// flat, 3 warmup)".
func (a *Steady) Classes() string {
	if len(a.Counts) < 2 {
		return a.Class
	}
	names := slices.SortedFunc(maps.Keys(a.Counts), func(x, y string) int {
		return cmp.Or(cmp.Compare(a.Counts[y], a.Counts[x]), cmp.Compare(x, y))
	})
	texts := results.Each(names, func(name string) string { return figure.Count(int64(a.Counts[name])) + " " + name })
	return a.Class + " (" + strings.Join(texts, ", ") + ")"
}

// marks flags invocations without a steady state, or with a slowdown. Means over all samples include the
// warm-up on purpose, and get no such caveat. Neither do cells whose number does not depend on it: the overall
// drift of invocations without a steady state is within half, the half-width of the interval or 0.
func (a *Steady) marks(window results.Window, half float64) (ms caveat.List) {
	if a == nil || window == results.WindowAll {
		return nil
	}
	total := 0
	for _, n := range a.Counts {
		total += n
	}
	counts := maps.Clone(a.Counts)
	if a.Drift != nil && math.Abs(*a.Drift) <= half {
		delete(counts, string(steady.Unsteady))
	}
	for _, m := range []caveat.Mark{
		{
			Kind: string(steady.Unsteady),
			Text: "where there is no steady state, the second half was taken instead, " +
				"and its last quarter moves the mean by more than the interval allows: " +
				"the number depends on how long it is measured; make more calls, and look at the time series",
		},
		{
			Kind: string(steady.Slowdown),
			Text: "it became slower than it had been: the number is that of the later, slower state, " +
				"which may not last; look at the time series for deoptimised code, " +
				"a queue that fills up, or garbage collection",
		},
	} {
		ms.Counted(counts[m.Kind], total, m.Kind, m.Kind, "%s", m.Text)
	}
	for i := range ms { // how the number came about is a remark, however many they are
		ms[i].Rank = caveat.Remark
	}
	return ms
}
