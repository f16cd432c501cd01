// Package locked says what a log of locks shows: which locks and sections cost most, who
// waits for whom, and which executions took unlike the others.
package locked

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/locks"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/order"
	"moobench/analysis/threads"
)

// How much is shown.
const (
	printedLocks = 10 // on a terminal; the page has all that are told
	printed      = 15 // sections and threads, likewise
	// Drawn is how many critical sections have a part of their own, with pictures, in a report of
	// one program, and DrawnLocks how many locks do, with a table and a picture.
	Drawn, DrawnLocks = 30, 8
	shownIndices      = 16 // of divergent executions in a table
)

// Legend says how the tables are to be read.
const Legend = "A critical section is a synchronized method or block, or what an explicit lock guards. " +
	"Its time is from when a thread got the lock to when it gave it back, without waits in it (Object.wait), in which it hasn't got it. " +
	"Waited is the time between asking and getting, where another thread had the lock. " +
	"Divergent by the paper's rule (Shah and Guyer 2018) are executions further than one standard deviation from the line through all of them, which warm-up and heavy tails widen; " +
	"by ours, those after the warm-up that are longer than a tail as heavy as this one's lets expect, and than twice the median."

// Sections are the parts of the report on one JVM; of is appended to their titles, where there
// are several. So many critical sections, and locks, have parts of their own. The pictures of
// who had a lock when are of the order, nil without.
func Sections(r *locks.Report, o *threads.Order, drawn int, of string) []*doc.Section {
	all := []*doc.Section{whole(r, of), costly(r, drawn, of)}
	for i := range r.Locks[:min(drawn, DrawnLocks, len(r.Locks))] {
		all = append(all, lockSection(r, o, &r.Locks[i], of))
	}
	all = append(all, sectionTable(r, drawn, of))
	for i := range r.Sections[:min(drawn, len(r.Sections))] {
		all = append(all, sectionOf(r, i, of))
	}
	return append(all, threadTable(r, of), others(r, of))
}

// Remarks say what the report on one JVM lacks.
func Remarks(r *locks.Report, of string) []doc.Paragraph {
	all := slices.Concat(order.Remarks(r.Log, r.Unmatched, of), order.Beyond(r.Log, r.Deeper, of))
	if !r.Contention {
		all = append(all, doc.Paragraph{Tone: doc.Soft, Text: "When locks were asked for was not logged" + of + ": nothing is said of waits for them. --log contention does."})
	}
	const most = 5
	for i, note := range r.Notes {
		if i == most {
			all = append(all, doc.Paragraph{Mark: "!", Tone: doc.Warning, Text: figure.Plural(len(r.Notes)-most, "more note", "more notes") + " of this kind.", Fold: strings.Join(r.Notes[most:], "; ")})
			break
		}
		all = append(all, doc.Paragraph{Mark: "!", Tone: doc.Warning, Text: "Locks are not seen" + of + " of " + note})
	}
	return all
}

func share(part, of int64) string {
	if of <= 0 {
		return "–"
	}
	return figure.Percent(float64(part) / float64(of))
}

func ns(v int64) string { return figure.Quantity(float64(v), "ns") }

// whole are the figures of the program as a whole.
func whole(r *locks.Report, of string) *doc.Section {
	s := &doc.Section{Title: "The program" + of}
	t := &doc.Table{Columns: []doc.Column{{Head: "part"}, {Head: "time", Number: true}, {Head: "of the program's", Number: true}}}
	t.Rows = []doc.Row{
		{Cells: doc.Texts("whole", ns(r.ProgramNS), "")},
		{Cells: doc.Texts("in critical sections, all threads", ns(r.InsideNS), share(r.InsideNS, r.ProgramNS))},
	}
	collected := int64(0)
	for _, c := range r.Collections {
		collected += c.TookNS
	}
	t.Rows = append(t.Rows, doc.Row{Cells: doc.Texts("garbage collection", ns(collected), share(collected, r.ProgramNS))})
	s.Add(t)
	if r.PricePS == 0 {
		s.Add(doc.Paragraph{Tone: doc.Soft, Text: "What the log took was not measured: that is done at the program's end."})
		return s
	}
	t.Rows = append(t.Rows, doc.Row{Cells: doc.Texts("the log, about", ns(r.PriceNS), share(r.PriceNS, r.ProgramNS))})
	callers := ""
	if r.CallersNS > 0 {
		callers = ", and " + ns(r.CallersNS) + " to find their callers"
	}
	s.Add(doc.Paragraph{Tone: doc.Soft, Text: fmt.Sprintf("The log: %s events of %s each, measured at the end%s. What else it costs, in caches and in what the compiler no longer does, is not in that.",
		figure.Count(r.Events), figure.Quantity(float64(r.PricePS)/1000, "ns"), callers)})
	return s
}

// costly are the locks, those first that were waited for longest.
func costly(r *locks.Report, drawn int, of string) *doc.Section {
	s := &doc.Section{Title: "Locks" + of, About: "those first that threads waited for longest, then those that were held longest"}
	t := &doc.Table{Columns: []doc.Column{
		{Head: "lock", Help: "class of the object, and its identity hash"},
		{Head: "waited", Number: true, Help: "of all threads together, for another thread"},
		{Head: "waits", Number: true, Rank: 1, Help: "how often, and the share of all executions"},
		{Head: "longest", Number: true, Rank: 2, Help: "wait"},
		{Head: "held", Number: true},
		{Head: "of the time", Number: true, Rank: 4, Help: "share of the program's time in which a thread had it"},
		{Head: "executions", Number: true, Rank: 3},
		{Head: "threads", Number: true, Rank: 5},
		{Head: "who waits for whom", Rank: 6},
	}}
	for i := range r.Locks {
		l := &r.Locks[i]
		cell := doc.Cell{Text: lockName(l)}
		if i < min(drawn, DrawnLocks) && l.WaitNS > 0 {
			cell.Link = lockID(l, of)
		}
		t.Rows = append(t.Rows, doc.Row{Cells: []doc.Cell{
			cell,
			number(ns(l.WaitNS), l.WaitNS), number(waits(l.Contended, l.Executions), l.Contended), number(ns(l.LongestWaitNS), l.LongestWaitNS),
			number(ns(l.HeldNS), l.HeldNS), number(share(l.HeldNS, r.ProgramNS), l.HeldNS), number(figure.Count(l.Executions), l.Executions), number(strconv.Itoa(l.Threads), int64(l.Threads)),
			{Text: blamed(r, l)},
		}})
	}
	shorten(t, printedLocks, "lock", "locks", inFile)
	s.Add(t)
	return s
}

// inFile is how a page is asked for.
const inFile = " (-o locks.html)"

// shorten leaves rows after so many to the page, and says how many.
func shorten(t *doc.Table, most int, one, many, hint string) {
	n := len(t.Rows) - most
	if n <= 0 {
		return
	}
	for i := range t.Rows[most:] {
		t.Rows[most+i].Depth = doc.Paged
	}
	t.Rows = append(t.Rows, doc.Row{Cells: doc.Texts("…"), Span: "and " + figure.Plural(n, one, many) + ": the page has them" + hint, Depth: doc.Unpaged})
}

func number(text string, sort int64) doc.Cell {
	v := float64(sort)
	return doc.Cell{Text: text, Sort: &v}
}

func waits(n, of int64) string {
	if n == 0 {
		return "0"
	}
	return figure.Count(n) + " (" + share(n, of) + ")"
}

func lockName(l *locks.Lock) string {
	return l.Class + " " + strconv.FormatUint(uint64(l.Hash), 16)
}

// lockID is that of the section about a lock.
func lockID(l *locks.Lock, of string) string { return doc.Slug("lock " + lockName(l) + of) }

// blamed is the pair of sections that waited longest for each other.
func blamed(r *locks.Report, l *locks.Lock) string {
	if len(l.Blames) == 0 {
		return ""
	}
	b := l.Blames[0]
	return shortName(&r.Sections[b.Waiter]) + " for " + shortName(&r.Sections[b.Holder])
}

// name is a section in the program's words.
func name(s *locks.Section) string { return threads.Qualified(s.Method) + place(s) }

func shortName(s *locks.Section) string {
	qualified := threads.Qualified(s.Method)
	class, method := path.Split(strings.ReplaceAll(qualified, ".", "/"))
	return path.Base(class) + "." + method + place(s)
}

func place(s *locks.Section) string {
	switch {
	case s.Kind == locks.Block && s.Line > 0:
		return ":" + strconv.Itoa(s.Line)
	case s.Kind == locks.Block:
		return " (block)"
	case s.Kind == locks.Explicit:
		return " (explicit)"
	}
	return ""
}

// lockSection is who waited for whom at one lock; nothing where nobody waited.
func lockSection(r *locks.Report, o *threads.Order, l *locks.Lock, of string) *doc.Section {
	s := &doc.Section{Title: "Lock " + lockName(l) + of, ID: lockID(l, of), Depth: doc.Paged}
	if l.WaitNS == 0 {
		return s
	}
	s.Badge = doc.Badge{Text: ns(l.WaitNS) + " waited"}
	t := &doc.Table{Columns: []doc.Column{
		{Head: "this waited"},
		{Head: "for this, which had the lock"},
		{Head: "together", Number: true},
		{Head: "times", Number: true, Help: "how often it was this one that handed the lock over"},
		{Head: "of the lock's waits", Number: true},
	}}
	for _, b := range l.Blames {
		t.Rows = append(t.Rows, doc.Row{Cells: []doc.Cell{
			{Text: name(&r.Sections[b.Waiter])}, {Text: name(&r.Sections[b.Holder])}, number(ns(b.NS), b.NS), number(figure.Count(b.N), b.N), number(share(b.NS, l.WaitNS), b.NS),
		}})
	}
	s.Add(t)
	if picture := order.Object(o, l.Hash); picture != nil {
		s.Add(picture)
		s.Add(doc.Paragraph{Tone: doc.Soft, Text: "Who had the lock, and when: a block is an execution with the lock, in the colour of its thread, a light one a thread that waits for it, or in it (Object.wait)."})
	}
	return s
}

func threadTable(r *locks.Report, of string) *doc.Section {
	s := &doc.Section{Title: "Threads" + of}
	t := &doc.Table{Columns: []doc.Column{
		{Head: "thread"},
		{Head: "executions", Number: true},
		{Head: "in sections", Number: true, Help: "time in which it had at least one lock"},
		{Head: "waited", Number: true, Help: "for locks that another thread had"},
		{Head: "waits", Number: true, Rank: 1},
		{Head: "slept", Number: true, Rank: 2, Help: "in Object.wait or on a condition, without the lock"},
	}}
	for _, th := range r.Threads {
		t.Rows = append(t.Rows, doc.Row{Cells: []doc.Cell{
			{Text: th.Name},
			number(figure.Count(th.Executions), th.Executions), number(ns(th.InsideNS), th.InsideNS), number(ns(th.WaitNS), th.WaitNS),
			number(waits(th.Contended, th.Executions), th.Contended), number(ns(th.SleptNS), th.SleptNS),
		}})
	}
	shorten(t, printed, "thread", "threads", "")
	s.Add(t)
	return s
}

// others are locks that are told by class alone.
func others(r *locks.Report, of string) *doc.Section {
	s := &doc.Section{Title: "Other locks" + of, Folded: true, Depth: doc.Paged}
	t := &doc.Table{Columns: []doc.Column{{Head: "class"}, {Head: "locks", Number: true, Help: "at least"}, {Head: "executions", Number: true}, {Head: "held", Number: true}, {Head: "waited", Number: true}}}
	for _, x := range r.Others {
		t.Rows = append(t.Rows, doc.Row{Cells: []doc.Cell{{Text: x.Class}, number(figure.Count(int64(x.Locks)), int64(x.Locks)), number(figure.Count(x.Executions), x.Executions), number(ns(x.HeldNS), x.HeldNS), number(ns(x.WaitNS), x.WaitNS)}})
	}
	s.Add(t)
	return s
}

// Facts are what is said first of all JVMs together.
func Facts(all []*locks.Report) []string {
	var executions, waited int64
	sections, seen := 0, 0
	for _, r := range all {
		executions += r.Ended
		sections, seen = sections+len(r.Sections), seen+len(r.Threads)
		for _, l := range r.Locks {
			waited += l.WaitNS
		}
	}
	return []string{
		figure.Count(executions) + " executions of " + figure.Plural(sections, "critical section", "critical sections"), figure.Plural(seen, "thread", "threads"),
		figure.Plural(len(all), "JVM", "JVMs"), fmt.Sprintf("%s waited for locks", ns(waited)),
	}
}
