package analysis

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/analysis/steady"
	"moobench/results"
)

const (
	inconsistent = "inconsistent"
	notTold      = "not told"
)

// steady says how the invocations of a cell come to rest; nil when the primary
// metric is no series, or the cell has no number.
func (r *reader) steady(c *results.Cell) *Steady {
	p := r.primary()
	if p == nil || p.Series == "" || r.void[c.ID] != "" {
		return nil
	}
	a := &Steady{Counts: map[string]int{}}
	var calls, means []float64
	for _, e := range succeeded(r.all[c.ID], r.profile()) {
		if _, ok := e.values[p.Name]; !ok {
			continue
		}
		class := string(e.primary.class)
		if class == "" {
			class = notTold
		}
		a.Counts[class]++
		if e.primary.class == "" || e.primary.class == steady.Unsteady {
			continue
		}
		calls = append(calls, float64(e.primary.warmCalls))
		if m := e.primary.warmMean; !math.IsNaN(m) {
			means = append(means, m)
		}
	}
	if len(a.Counts) == 0 {
		return nil
	}
	a.classify()
	if len(calls) > 0 {
		a.WarmupCalls, _ = infer.Median(calls, confidence)
	}
	a.WarmupMean, _ = meanOf(means)
	a.Text = a.text()
	return a
}

// classify is the class on which all invocations agree.
func (a *Steady) classify() {
	a.Class = inconsistent
	if len(a.Counts) == 1 {
		for class := range a.Counts {
			a.Class = class
		}
	}
}

// Classes is the class, and how often each occurs where invocations differ:
// "inconsistent (5 flat, 3 warmup)".
func (a *Steady) Classes() string {
	if len(a.Counts) < 2 {
		return a.Class
	}
	names := slices.SortedFunc(maps.Keys(a.Counts), func(x, y string) int {
		return cmp.Or(cmp.Compare(a.Counts[y], a.Counts[x]), cmp.Compare(x, y))
	})
	for i, name := range names {
		names[i] = figure.Count(int64(a.Counts[name])) + " " + name
	}
	return a.Class + " (" + strings.Join(names, ", ") + ")"
}

func (a *Steady) text() string {
	text := a.Classes()
	if w := a.WarmupCalls; w != nil && w.Value > 0 {
		text += fmt.Sprintf(": steady after %s of a thread (median)", figure.Plural(int(math.Round(w.Value)), "call", "calls"))
	}
	return text
}

// marks are of invocations that did not come to rest, or became slower. Means
// over all samples don't hang on it: whoever takes them wants the warm-up.
func (a *Steady) marks(window results.Window) []Mark {
	if a == nil || window == results.WindowAll {
		return nil
	}
	total := 0
	for _, n := range a.Counts {
		total += n
	}
	var ms []Mark
	for class, text := range map[steady.Class]string{
		steady.Unsteady: "of invocations without a steady state the second half was taken instead, and their mean hangs on how long one measures; make more calls, and look at the time series",
		steady.Slowdown: "it became slower than it had been: the number is that of the slower, later state, which more calls may not keep; look at the time series, for deoptimised code, a queue that fills up, or garbage collection",
	} {
		if n := a.Counts[string(class)]; n > 0 {
			ms = append(ms, Mark{string(class), fmt.Sprintf("%s %d of %d", class, n, total), text})
		}
	}
	slices.SortFunc(ms, func(a, b Mark) int { return strings.Compare(a.Kind, b.Kind) })
	return ms
}

// other is the mean over the window that was not chosen.
func (r *reader) other(c *results.Cell) *OtherWindow {
	p := r.primary()
	if p == nil || p.Series == "" || r.void[c.ID] != "" {
		return nil
	}
	var xs []float64
	for _, e := range succeeded(r.all[c.ID], r.profile()) {
		if _, ok := e.values[p.Name]; ok && stats.Finite(e.primary.other) {
			xs = append(xs, e.primary.other)
		}
	}
	mean, _ := meanOf(xs)
	if mean == nil {
		return nil
	}
	return &OtherWindow{otherWindow(r.scenario.Window), mean}
}
