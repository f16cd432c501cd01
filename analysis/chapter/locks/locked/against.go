package locked

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis/chapter/locks"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/results"
)

// Against is the part of a report that compares the waits with those of earlier runs, which have a name.
func Against(c *locks.Comparison, name string) *doc.Section {
	s := &doc.Section{Title: "Against " + name, About: plural(c.Runs[1]) + " against " + plural(c.Runs[0]) + " before"}
	text, tone := changed(c)
	s.Add(doc.Paragraph{Text: text, Tone: tone})
	t := &doc.Table{Columns: []doc.Column{
		{Head: "waits for locks of"},
		{Head: "before", Number: true, Help: "how long threads waited in a run, at the median of the runs"},
		{Head: "after", Number: true, Help: "likewise"},
		{
			Head:   "difference",
			Number: true,
			Help:   "at the median, of each run after from each run before, with its interval",
		},
		{Head: "verdict"},
	}}
	for _, x := range slices.Concat([]locks.Change{c.All}, c.Classes) {
		t.Rows = append(t.Rows, changeRow(c, &x))
	}
	if c.Runs[0]+c.Runs[1] > 2 {
		t.Legend = []string{"before and after: medians of the runs; " +
			"difference: the median of the differences of each run after from each one before " +
			"(Hodges and Lehmann 1963), with its 95 % interval by ranks, of classes simultaneous"}
	}
	s.Add(t)
	s.Add(doc.Paragraphs(doc.Paragraph{Mark: "!", Tone: doc.Warning}, doubts(c)...)...)
	return s
}

// Verdict is the answer in a sentence.
func Verdict(c *locks.Comparison) string {
	text, _ := changed(c)
	return text
}

func plural(runs int) string { return figure.Plural(runs, "run", "runs") }

// changed says in a sentence how all waits changed.
func changed(c *locks.Comparison) (string, doc.Tone) {
	before, after := c.All.Medians()
	what := "Threads waited " + of(after) + " for locks, and " + of(before) + " before"
	switch {
	case c.Runs == [2]int{1, 1}:
		return what + ". That is one run against one: neither shows how much runs differ by chance, " +
			"so no change can be shown. Four runs or more on each side can show one: --runs 5.", doc.Plain
	case !c.Decidable():
		runs := plural(c.Runs[1]) + " against " + plural(c.Runs[0])
		return what + ". " + runs + " can't show a change, whatever they say: four against four can.", doc.Plain
	}
	interval := ""
	if d := c.All.Answer.Difference; d != nil {
		interval = " (" + known(d) + ")"
	}
	switch c.All.Answer.Verdict {
	case infer.Higher:
		return "Worse: threads wait longer" + interval + ".", doc.Bad
	case infer.Lower:
		return "Better: threads wait less" + interval + ".", doc.Good
	case infer.Equivalent, infer.Negligible:
		limit := of(c.MarginNS) + ", which is " + figure.Level(locks.Matters) + " of the program's time"
		return "Equivalent: what threads wait changed by less than matters, " + limit + interval + ".", doc.Plain
	case infer.Undecided:
		return "Undecided: the runs don't show whether threads wait longer or less" + interval + ".", doc.Plain
	}
	return what + ": " + c.All.Answer.NoDifference + ".", doc.Plain
}

func of(v float64) string { return figure.Quantity(v, "ns") }

// known formats a difference with its interval.
func known(d *infer.Estimate) string {
	text := signed(d.Value)
	if i := d.Interval; i != nil && !math.IsInf(i.Low, 0) && !math.IsInf(i.High, 0) {
		text += ", " + figure.Range(i.Low, i.High, "ns") + " at 95 %"
	}
	return text
}

func signed(v float64) string {
	if v > 0 {
		return "+" + of(v)
	}
	return strings.Replace(of(v), "-", "−", 1)
}

func changeRow(c *locks.Comparison, x *locks.Change) doc.Row {
	name := x.Class
	if name == "" {
		name = "all classes"
	}
	before, after := x.Medians()
	difference := doc.Cell{Text: signed(after - before)}
	verdict := "one run each"
	switch d := x.Answer.Difference; {
	case c.Runs == [2]int{1, 1}:
	case !c.Decidable():
		verdict = "too few runs"
	case d == nil:
		verdict = string(infer.NoAnswer)
	default:
		difference.Text = signed(d.Value)
		verdict = prose.Judgement(infer.Judge(x.Answer.Verdict, results.Lower, false), locks.Matters)
		if i := d.Interval; i != nil {
			difference.Interval = figure.Range(i.Low, i.High, "ns")
		}
	}
	return doc.Row{Cells: []doc.Cell{
		{Text: name}, number(of(before), int64(before)), number(of(after), int64(after)), difference, {Text: verdict},
	}}
}

// doubts say how the runs differ otherwise, or what they lack.
func doubts(c *locks.Comparison) (all []string) {
	const alike = 0.05
	if before, after := c.Executions[0], c.Executions[1]; math.Abs(after-before) > alike*max(before, after) {
		const text = "The runs did not do the same: %s executions of critical sections, and %s before. " +
			"Waits grow with the work."
		all = append(all, fmt.Sprintf(text, figure.Count(int64(after)), figure.Count(int64(before))))
	}
	if !slices.Equal(c.Logs[0], c.Logs[1]) {
		logs := strings.Join(c.Logs[1], ",") + ", and " + strings.Join(c.Logs[0], ",") + " before"
		all = append(all, "The logs differ: "+logs+". Threads also wait for what logging takes inside a lock.")
	}
	for side, when := range []string{" before", ""} {
		if n := c.Missing[side]; n > 0 {
			all = append(all,
				"The logs of "+plural(n)+when+" lack events, or their end: real waits are at least this long.")
		}
	}
	if c.Decidable() {
		all = append(all,
			"The runs before were made at another time: "+
				"the difference includes whatever else changed on this machine since then.")
	}
	return all
}

// Runs is a table of several runs of a program; the report describes the first.
func Runs(m *locks.Metrics) *doc.Section {
	s := &doc.Section{Title: "Runs", About: "of " + strconv.Itoa(len(m.Runs)) + " runs: the first is shown below"}
	t := &doc.Table{Columns: []doc.Column{
		{Head: "run"},
		{Head: "waited", Number: true},
		{Head: "waits", Number: true},
		{Head: "executions", Number: true, Rank: 1},
		{Head: "in sections", Number: true, Rank: 2},
		{Head: "program", Number: true},
	}}
	for i, r := range m.Runs {
		var wait, waits, executions, inside, program int64
		for _, j := range r.JVMs {
			inside, program = inside+j.InSectionsNS, max(program, j.ProgramNS)
			for _, l := range j.Locks {
				wait, waits, executions = wait+l.WaitedNS, waits+l.Waits, executions+l.Executions
			}
		}
		t.Rows = append(t.Rows, doc.Row{Cells: []doc.Cell{
			{Text: strconv.Itoa(i + 1)},
			number(ns(wait), wait), number(figure.Count(waits), waits), number(figure.Count(executions), executions),
			number(ns(inside), inside), number(ns(program), program),
		}})
	}
	s.Add(t)
	return s
}
