package locked

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis/chapter/locks"
	"moobench/analysis/divergent"
	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
)

// sectionTables list all sections, with the columns of the paper's Table 1; of many, the rest is in a folded
// table.
func sectionTables(r *locks.Report, drawn int, of string) []*doc.Section {
	s := &doc.Section{
		Title: "Critical sections" + of,
		About: "those first that waited longest for their lock, then those that took longest",
	}
	more := &doc.Section{Title: "More critical sections" + of, Folded: true, Depth: doc.Paged}
	first, rest := sectionHead(), sectionHead()
	names := sectionNames(r)
	for i := range r.Sections {
		row := sectionRow(&r.Sections[i], names[i])
		if i < drawn {
			row.Cells[0].Link = sectionID(i, of)
		}
		if i < shownSections {
			first.Rows = append(first.Rows, row)
		} else {
			rest.Rows = append(rest.Rows, row)
		}
	}
	left := len(r.Sections) - printed
	first.Shorten(printed, "section", "sections", inFile)
	if last := len(first.Rows) - 1; left > 0 { // count those of the other table, too
		first.Rows[last].Span = "and " + figure.Plural(left, "section", "sections") + ": the page has them" + inFile
	}
	more.About = figure.Plural(len(rest.Rows), "section", "sections") + " that took less"
	s.Add(first)
	more.Add(rest)
	return []*doc.Section{s, more}
}

func sectionHead() *doc.Table {
	return &doc.Table{Columns: []doc.Column{
		{Head: "section", Help: "a method, or a block by its line"},
		{Head: "executions", Number: true},
		{Head: "mean", Number: true},
		{Head: "waited", Number: true, Rank: 3},
		{Head: "longest", Number: true, Rank: 1},
		{Head: "least", Number: true, Depth: doc.Paged},
		{Head: "sd", Number: true, Rank: 4},
		{Head: "together", Number: true, Rank: 2},
		{
			Head:   "divergent, paper",
			Number: true,
			Rank:   5,
			Help:   "share of executions further than one standard deviation from the line",
		},
		{Head: "divergent, ours", Number: true, Rank: 6},
		{Head: "behaviour", Rank: 7, Help: "letters of Shah and Guyer 2018, section 4.1; the sections below say why"},
	}}
}

func sectionRow(x *locks.Section, name string) doc.Row {
	times := x.Times
	return doc.Row{Cells: []doc.Cell{
		{Text: name},
		number(figure.Count(times.N), times.N),
		number(figure.Quantity(times.MeanNS, "ns"), int64(times.MeanNS)),
		number(ns(x.WaitNS), x.WaitNS),
		number(ns(times.MostNS), times.MostNS),
		number(ns(times.LeastNS), times.LeastNS),
		number(figure.Quantity(times.SDNS, "ns"), int64(times.SDNS)),
		number(ns(times.TotalNS), times.TotalNS),
		number(waits(times.Paper.N, times.N), times.Paper.N), number(oursText(times), times.Ours.N),
		{Text: letters(x.Behaviours)},
	}}
}

// sectionNames are the names of sections without packages, unless these are needed to distinguish them.
func sectionNames(r *locks.Report) []string {
	short := map[string]int{}
	for i := range r.Sections {
		short[shortName(&r.Sections[i])]++
	}
	names := make([]string, len(r.Sections))
	for i := range r.Sections {
		x := &r.Sections[i]
		if names[i] = shortName(x); short[names[i]] > 1 {
			names[i] = name(x)
		}
	}
	return names
}

// sectionID is the ID of the part about a section.
func sectionID(i int, of string) string { return doc.Slug("section " + strconv.Itoa(i+1) + of) }

func oursText(t *divergent.Series) string {
	if t.FenceNS == 0 {
		return "–"
	}
	return waits(t.Ours.N, t.N-t.SteadyFrom)
}

func letters(all []locks.Behaviour) string {
	var texts []string
	for _, b := range all {
		texts = append(texts, string(rune(b)))
	}
	return strings.Join(texts, " ")
}

// sectionOf describes one section.
func sectionOf(r *locks.Report, i int, of string) *doc.Section {
	x := &r.Sections[i]
	s := &doc.Section{
		Title:  name(x) + of,
		ID:     sectionID(i, of),
		Folded: true,
		Depth:  doc.Paged,
		Badge:  doc.Badge{Text: letters(x.Behaviours)},
	}
	if s.Badge.Text == "" {
		s.Badge.Text = figure.Count(x.Times.N) +
			map[bool]string{true: " execution", false: " executions"}[x.Times.N == 1]
	}
	s.Add(doc.Paragraph{Text: x.Method, Tone: doc.Soft}, doc.Paragraph{Text: about(x)})
	s.Add(doc.Paragraphs(doc.Paragraph{}, judged(x))...)
	for _, b := range x.Behaviours {
		s.Add(doc.Paragraph{Mark: string(rune(b)), Text: why(x, b)})
	}
	s.Add(pictures(x)...)
	s.Add(divergentTable(r, x), callerTable(x))
	return s
}

// about says who executed a section, and what its code does.
func about(x *locks.Section) string {
	with := "with " + figure.Plural(x.Locks, "lock", "different locks")
	if x.Kind == locks.Plain {
		with = "without a lock of its own"
	}
	executed := map[bool]string{
		true:  "Executed once",
		false: "Executed " + figure.Count(x.Times.N) + " times",
	}[x.Times.N == 1]
	text := fmt.Sprintf("%s by %s %s.", executed, figure.Plural(x.Threads, "thread", "threads"), with)
	if x.Contended > 0 {
		text += fmt.Sprintf(" %s had to wait for the lock, %s together, %s at most.",
			figure.Count(x.Contended), ns(x.WaitNS), ns(x.LongestWaitNS))
	}
	if x.SleptNS > 0 {
		text += fmt.Sprintf(" In it, threads waited for %s without the lock.", ns(x.SleptNS))
	}
	if x.Thrown > 0 {
		text += fmt.Sprintf(" %s ended by an exception.", figure.Count(x.Thrown))
	}
	if c := x.Code; c.Size > 0 {
		text += fmt.Sprintf(" Its code: %s, %s, %s, %s",
			figure.Plural(c.Size, "instruction", "instructions"), figure.Plural(c.Branches, "branch", "branches"),
			figure.Plural(c.Calls, "call", "calls"), figure.Plural(c.Allocations, "allocation", "allocations"))
		if c.Sorts != "" {
			text += "; it sorts (" + c.Sorts + ")"
		}
		text += "."
	}
	return text
}

// judged says how the two rules differ about a section.
func judged(x *locks.Section) string {
	t := x.Times
	if t.N == 1 {
		return "It took " + ns(t.TotalNS) + "."
	}
	text := fmt.Sprintf("By the paper's rule %s of %s executions diverge.", figure.Count(t.Paper.N), figure.Count(t.N))
	early := 0
	for _, e := range t.Paper.Named {
		if e.Index < t.SteadyFrom {
			early++
		}
	}
	switch {
	case t.FenceNS == 0:
		text += " They are too few for our rule."
	case t.Ours.N == 0:
		text += " By ours none does: all are below " + figure.Quantity(t.FenceNS, "ns") + "."
	default:
		text += fmt.Sprintf(" By ours %s: longer than %s, where the median is %s.",
			figure.Count(t.Ours.N), figure.Quantity(t.FenceNS, "ns"), figure.Quantity(t.MedianNS, "ns"))
	}
	if early > 0 && t.FenceNS > 0 {
		text += fmt.Sprintf(" Of the paper's first %d, %d are of the warm-up, which ends with execution %s.",
			len(t.Paper.Named), early, figure.Count(t.SteadyFrom))
	}
	if t.N >= 50 && !t.Steady {
		text += " They reach no steady state: our rule judges the second half."
	}
	return text
}

// why gives the evidence for a behaviour.
func why(x *locks.Section, b locks.Behaviour) string {
	t := x.Times
	switch b {
	case locks.Paths:
		return fmt.Sprintf(
			"There are several ways through it: %s of the executions take %s and more, "+
				"and hardly any takes a little less.",
			figure.Percent(t.SlowShare), figure.Quantity(t.SlowFromNS, "ns"))
	case locks.Contention:
		return fmt.Sprintf(
			"Threads wait for each other: %s of %s executions waited, %s together, "+
				"where all of them had the lock for %s.",
			figure.Count(x.Contended), figure.Count(t.N), ns(x.WaitNS), ns(t.TotalNS))
	case locks.Amortised:
		return "A collection grows in it (" + x.Code.Grows + "), and copies what it has now and then."
	case locks.Locality:
		return "It reads a collection (" + x.Code.Reads +
			"): how long that takes depends on where in memory its elements are, and on how many there are."
	case locks.Garbage:
		return fmt.Sprintf(
			"It allocates, and garbage was collected during divergent executions: "+
				"%d of %d by the paper's rule, %d of %d by ours.",
			x.Collections[0], len(t.Paper.Named), x.Collections[1], len(t.Ours.Named))
	case locks.InputOutput:
		return "It waits for a device, the network or the clock (" + x.Code.IO + ")."
	case locks.Accessor:
		return fmt.Sprintf(
			"It does next to nothing (%d instructions): its time depends on whether "+
				"what it reads is in the cache, and on the clock.", x.Code.Size)
	case locks.Once:
		return "It was executed once: what it loads decides how long that takes."
	}
	return ""
}

// divergentTable has the executions that either rule names.
func divergentTable(r *locks.Report, x *locks.Section) *doc.Table {
	t := &doc.Table{
		Columns: []doc.Column{
			{Head: "execution", Number: true, Help: "from 0, in the order of their ends"},
			{Head: "took", Number: true},
			{Head: "times the mean", Number: true},
			{Head: "thread"},
			{Head: "divergent by"},
		},
	}
	ours := map[int64]bool{}
	for _, e := range x.Times.Ours.Named {
		ours[e.Index] = true
	}
	all := slices.Clone(x.Times.Ours.Named)
	paper := map[int64]bool{}
	for _, e := range x.Times.Paper.Named {
		paper[e.Index] = true
		if !ours[e.Index] {
			all = append(all, e)
		}
	}
	slices.SortFunc(all, func(a, b divergent.Execution) int { return int(a.Index - b.Index) })
	for _, e := range all {
		by := "the paper's rule"
		switch far := float64(e.NS)-x.Times.InterceptNS-x.Times.SlopeNS*float64(e.Index) > x.Times.SDNS; {
		case ours[e.Index] && (paper[e.Index] || far):
			by = "both rules"
		case ours[e.Index]:
			by = "ours"
		}
		t.Rows = append(t.Rows, doc.Row{Cells: []doc.Cell{
			number(strconv.FormatInt(e.Index, 10), e.Index), number(ns(e.NS), e.NS),
			number(figure.Ratio(float64(e.NS)/max(1, x.Times.MeanNS)), e.NS),
			{Text: r.Log.Threads[e.Thread]},
			{Text: by},
		}})
	}
	return t
}

func callerTable(x *locks.Section) *doc.Table {
	t := &doc.Table{
		Columns: []doc.Column{
			{Head: "called from"},
			{Head: "executions", Number: true},
			{Head: "mean", Number: true},
			{Head: "longest", Number: true},
		},
	}
	for _, c := range x.Callers {
		t.Rows = append(t.Rows, doc.Row{Cells: []doc.Cell{
			{Text: strings.TrimPrefix(c.Place, "at ")},
			number(figure.Count(c.N), c.N),
			number(figure.Quantity(float64(c.NS)/float64(c.N), "ns"), c.NS/c.N),
			number(ns(c.LongestNS), c.LongestNS),
		}})
	}
	return t
}
