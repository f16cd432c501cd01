package proof

import (
	"cmp"
	"fmt"
	"strings"

	"moobench/analysis/evidence"
	"moobench/analysis/figure"
	"moobench/results"
)

// fewestAlike is the least number of baseline runs that must agree in an output for it to be
// required of others.
const fewestAlike = 2

// judgeOutputs finds the cells in which a program did less work than in their baseline: it printed
// less. An agent that ends the program early, or blocks its work, would otherwise look fast. Only
// output common to all runs of the baseline and of its second copy is required, and an agent may
// print more.
func judgeOutputs(v *evidence.View) {
	for _, c := range v.Cells {
		if c.Role != results.RoleVariant || v.Invalid[c.ID] != "" {
			continue
		}
		usual := usualOutput(outputs(v, func(o *results.Cell) bool {
			return o.ID == c.Baseline || o.Role == results.RoleAA && o.Baseline == c.Baseline
		}))
		with := outputs(v, func(o *results.Cell) bool { return o.ID == c.ID })
		did, should, n := "", "", 0
		for _, o := range with {
			if is, was := usual.lacking(o); is != "" {
				n++
				did, should = cmp.Or(did, is), cmp.Or(should, was)
			}
		}
		if n > 0 {
			const less = "it breaks the application: with it the program did not do its work: " +
				"it %s in %d of %s; without it, it %s in all %d"
			runs := figure.Plural(len(with), "run", "runs")
			v.Broken[c.ID] = fmt.Sprintf(less, did, n, runs, should, usual.runs)
			v.Invalid[c.ID] = "not comparable: " + v.Broken[c.ID]
		}
	}
}

// outputs returns the outputs of the runs of some cells.
func outputs(v *evidence.View, wanted func(*results.Cell) bool) (all []*results.Output) {
	for _, c := range v.Cells {
		if !wanted(c) {
			continue
		}
		for _, e := range v.Primaries(c.ID) {
			if e.Output != nil {
				all = append(all, e.Output)
			}
		}
	}
	return all
}

// usual is the output common to all runs of a baseline.
type usual struct {
	runs  int
	some  bool            // each printed something
	lines int64           // number of lines of each; -1: they differ
	said  []results.Said  // lines that each printed equally often, in the first run's order
	any   map[string]bool // lines that some run printed
}

// usualOutput returns the output common to runs, nothing if there are too few.
func usualOutput(all []*results.Output) (u usual) {
	if len(all) < fewestAlike {
		return usual{lines: -1}
	}
	u = usual{runs: len(all), some: true, lines: all[0].Lines, any: map[string]bool{}}
	for _, o := range all {
		for _, s := range o.Said {
			u.any[s.Line] = true
		}
		u.some = u.some && o.Lines > 0
		if o.Lines != u.lines {
			u.lines = -1
		}
	}
	for _, s := range all[0].Said {
		same := true
		for _, o := range all {
			times, known := o.Printed(s.Line)
			same = same && known && times == s.Times
		}
		if same {
			u.said = append(u.said, s)
		}
	}
	return u
}

// lacking returns what a run did less often than all others, and what they did; "" if it did
// everything.
func (u usual) lacking(o *results.Output) (did, should string) {
	lines := func(n int64) string { return "printed " + figure.Plural(int(n), "line", "lines") }
	switch {
	case u.some && o.Lines == 0 && u.lines > 0:
		return "printed nothing", lines(u.lines)
	case u.some && o.Lines == 0:
		return "printed nothing", "printed something"
	}
	for _, s := range u.said {
		times, known := o.Printed(s.Line)
		switch {
		case !known || times >= s.Times || u.otherwise(s, o):
		case times == 0:
			return fmt.Sprintf("did not print %q", s.Line), "did"
		default:
			return fmt.Sprintf("printed %q %s", s.Line, often(times)), "did so " + often(s.Times)
		}
	}
	if o.Lines < u.lines {
		return lines(o.Lines), lines(u.lines)
	}
	return "", ""
}

// otherwise reports whether a run printed other lines instead of a missing one: lines that begin
// with the same word and that no baseline run printed. A program that prints its own command line
// prints another one with an agent.
func (u usual) otherwise(lacks results.Said, o *results.Output) bool {
	first := func(line string) string { word, _, _ := strings.Cut(line, " "); return word }
	n := int64(0)
	for _, s := range o.Said {
		if !u.any[s.Line] && first(s.Line) == first(lacks.Line) {
			n += s.Times
		}
	}
	return n >= lacks.Times
}

// often formats a number of times.
func often(n int64) string {
	if n == 1 {
		return "once"
	}
	return figure.Count(n) + " times"
}
