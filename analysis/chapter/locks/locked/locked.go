// Package locked reports on a log of locks: which locks and sections cost most, who waits for whom, and which
// executions diverge from the others.
package locked

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis/chapter/locks"
	"moobench/analysis/chapter/threads"
	"moobench/analysis/chapter/threads/order"
	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
)

// Limits of the report.
const (
	printedLocks  = 10 // on a terminal; the page has all reported ones
	printed       = 15 // sections and threads, likewise
	printedOthers = 5  // classes of locks that nobody waited for, likewise
	shownBars     = 8  // locks in the first picture
	shownSections = 50 // in the table of a page; the others are in a folded one
	// Drawn is the number of critical sections that have a part of their own, with pictures, in a report of one
	// program; DrawnLocks is the number of locks with a table and a picture.
	Drawn, DrawnLocks = 30, 8
)

// Legend explains the tables.
const Legend = "A critical section is a synchronized method or block, or what an explicit lock guards. " +
	"Its time runs from getting the lock to giving it back, less the waits in it (Object.wait), " +
	"during which the thread does not hold it. " +
	"Waited is the time from asking for the lock to getting it, while another thread had it. " +
	"By the paper's rule (Shah and Guyer 2018), an execution diverges if it is further than one standard deviation from " +
	"the line through all of them; warm-up and heavy tails widen that deviation. " +
	"By ours, it diverges if it comes after the warm-up and is longer than a tail as heavy as this one makes likely, " +
	"and longer than twice the median."

// Sections are the parts of the report on one JVM. The first drawn critical sections, and locks, have parts of
// their own. Pictures of who had a lock when come from the order and its window; there are none without an order.
func Sections(r *locks.Report, o *threads.Order, drawn int, v order.View) []*doc.Section {
	of := v.Suffix
	all := []*doc.Section{costly(r, drawn, of), others(r, of)}
	for i := range r.Locks[:min(drawn, DrawnLocks, len(r.Locks))] {
		all = append(all, lockSection(r, o, &r.Locks[i], v))
	}
	all = append(all, sectionTables(r, drawn, of)...)
	for i := range r.Sections[:min(drawn, len(r.Sections))] {
		all = append(all, sectionOf(r, i, of))
	}
	return append(all, threadTable(r, of), whole(r, of))
}

// waited is the time that all threads together waited for locks.
func waited(r *locks.Report) (ns int64) {
	for _, l := range r.Locks {
		ns += l.WaitNS
	}
	for _, x := range r.Others {
		ns += x.WaitNS
	}
	return ns
}

// Explicit is the remark for a log in which nobody waited for a lock, and those of java.util.concurrent.locks
// were not logged.
func Explicit(r *locks.Report, logged bool, of string) []doc.Paragraph {
	if logged || !r.Contention || waited(r) > 0 {
		return nil
	}
	text := "Nobody waited for a monitor" + of + ". Locks of java.util.concurrent.locks were not watched: " +
		"--log contention,explicit watches them."
	return []doc.Paragraph{{Tone: doc.Soft, Text: text}}
}

// Remarks say what the report on one JVM lacks.
func Remarks(r *locks.Report, of string) []doc.Paragraph {
	all := slices.Concat(order.Remarks(r.Log, r.Unmatched, of), order.Beyond(r.Log, r.Deeper, of))
	if !r.Contention {
		all = append(all, doc.Paragraph{
			Tone: doc.Soft,
			Text: "Requests for locks were not logged" + of +
				", so waits for them are not known: --log contention logs them.",
		})
	}
	if text := hashes(r, of); text != "" {
		all = append(all, doc.Paragraph{Tone: doc.Soft, Text: text})
	}
	return append(all, order.NotSeen(r.Notes, "Locks", of)...)
}

// hashes says how many locks may be two objects taken for one.
func hashes(r *locks.Report, of string) string {
	n := int64(len(r.Locks))
	for _, x := range r.Others {
		n += int64(x.Locks)
	}
	const space = 1 << 31 // of identity hashes
	pairs := float64(n) * float64(n) / (2 * space)
	if pairs < 0.05 {
		return ""
	}
	return figure.Count(n) + " locks" + of + " are known by their identity hashes: about " +
		figure.Count(int64(math.Ceil(pairs))) + " of them may be two objects counted as one."
}

func share(part, of int64) string {
	if of <= 0 {
		return "–"
	}
	return figure.Percent(float64(part) / float64(of))
}

func ns(v int64) string { return figure.Quantity(float64(v), "ns") }

// whole has the figures of the whole program.
func whole(r *locks.Report, of string) *doc.Section {
	s := &doc.Section{Title: "The program" + of}
	t := &doc.Table{
		Columns: []doc.Column{{Head: "part"}, {Head: "time", Number: true}, {Head: "of run time", Number: true}},
	}
	t.Rows = []doc.Row{
		{Cells: doc.Texts("total", ns(r.ProgramNS), "")},
		{
			Cells: doc.Texts("inside critical sections, sum over threads", ns(r.InsideNS),
				share(r.InsideNS, r.ProgramNS)),
		},
	}
	collected := int64(0)
	for _, c := range r.Collections {
		collected += c.TookNS
	}
	t.Rows = append(t.Rows, doc.Row{
		Cells: doc.Texts("garbage collection", ns(collected), share(collected, r.ProgramNS)),
	})
	s.Add(t)
	if r.PricePS > 0 {
		t.Rows = append(t.Rows, doc.Row{
			Cells: doc.Texts("the log, about", ns(r.PriceNS), share(r.PriceNS, r.ProgramNS)),
		})
	}
	s.Add(order.Took(r.Log, r.CallersNS, ""))
	return s
}

// costly are the locks that threads waited for, the longest wait first.
func costly(r *locks.Report, drawn int, of string) *doc.Section {
	s := &doc.Section{Title: "Locks" + of, About: "those first that threads waited for longest"}
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
		if l.WaitNS == 0 {
			continue
		}
		cell := doc.Cell{Text: lockName(l)}
		if i < min(drawn, DrawnLocks) {
			cell.Link = lockID(l, of)
		}
		t.Rows = append(t.Rows, doc.Row{Cells: []doc.Cell{
			cell,
			number(ns(l.WaitNS), l.WaitNS), number(waits(l.Contended, l.Executions), l.Contended),
			number(ns(l.LongestWaitNS), l.LongestWaitNS),
			number(ns(l.HeldNS), l.HeldNS), number(share(l.HeldNS, r.ProgramNS), l.HeldNS),
			number(figure.Count(l.Executions), l.Executions), number(strconv.Itoa(l.Threads), int64(l.Threads)),
			{Text: blamed(r, l)},
		}})
	}
	if len(t.Rows) == 0 {
		s.Depth = doc.Paged // only the picture is left
		s.About = "nobody waited for one; how long they were held"
		if !r.Contention {
			s.About = "how long they were held"
		}
	}
	t.Shorten(printedLocks, "lock", "locks", inFile)
	s.Add(bars(r), t)
	return s
}

// bars draws how long threads waited for each lock or, if nobody did, how long each was held.
func bars(r *locks.Report) *doc.Figure {
	p := plot.Rows{Alt: "How long threads waited for each lock"}
	measure := func(l *locks.Lock) (int64, string) {
		return l.WaitNS, ns(l.WaitNS) + " in " + figure.Plural(int(l.Contended), "wait", "waits")
	}
	what := " waited, all threads together"
	if waited(r) == 0 {
		p.Alt, what = "How long each lock was held", " held"
		measure = func(l *locks.Lock) (int64, string) { return l.HeldNS, ns(l.HeldNS) + " held" }
	}
	most := 1.0
	for i := range r.Locks[:min(shownBars, len(r.Locks))] {
		l := &r.Locks[i]
		v, text := measure(l)
		if v == 0 {
			break // the next ones are 0, too
		}
		length := float64(v)
		most = max(most, length)
		p.Items = append(p.Items, plot.Row{Label: lockName(l), Text: text, Value: &length, Bar: true})
	}
	unit := figure.Fit("ns", most)
	p.Axis.Title, p.Axis.Factor = unit.Unit+what, unit.Factor
	return &doc.Figure{SVG: p.SVG(), Alt: p.Alt}
}

// inFile says how to make a page.
const inFile = " (-o locks.html)"

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

// lockID is the ID of the section about a lock.
func lockID(l *locks.Lock, of string) string { return doc.Slug("lock " + lockName(l) + of) }

// blamed names the pair of sections with the longest waits: who waited, and for whom.
func blamed(r *locks.Report, l *locks.Lock) string {
	if len(l.Blames) == 0 {
		return ""
	}
	b := l.Blames[0]
	return shortName(&r.Sections[b.Waiter]) + " for " + shortName(&r.Sections[b.Holder])
}

// name is a section's name in the program.
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
	case s.Kind == locks.Plain:
		return " (no lock)"
	}
	return ""
}

// lockSection says who waited for whom at one lock; it is empty if nobody waited.
func lockSection(r *locks.Report, o *threads.Order, l *locks.Lock, v order.View) *doc.Section {
	s := &doc.Section{Title: "Lock " + lockName(l) + v.Suffix, ID: lockID(l, v.Suffix), Depth: doc.Paged}
	if l.WaitNS == 0 {
		return s
	}
	s.Badge = doc.Badge{Text: ns(l.WaitNS) + " waited"}
	t := &doc.Table{Columns: []doc.Column{
		{Head: "this waited"},
		{Head: "together", Number: true},
		{Head: "of the lock's waits", Number: true},
		{Head: "times", Number: true, Help: "how often it was this one that handed the lock over"},
		{Head: "for this, which had the lock"},
	}}
	for _, b := range l.Blames {
		t.Rows = append(t.Rows, doc.Row{Cells: []doc.Cell{
			{Text: name(&r.Sections[b.Waiter])},
			number(ns(b.NS), b.NS), number(share(b.NS, l.WaitNS), b.NS), number(figure.Count(b.N), b.N),
			{Text: name(&r.Sections[b.Holder])},
		}})
	}
	s.Add(t)
	if picture := order.Object(o, l.Hash, v); picture != nil {
		s.Add(picture)
		text := "Who had the lock, and when: a block is an execution with the lock, in the colour of its thread, " +
			"a thin line a thread that waits for it, or in it (Object.wait)."
		s.Add(doc.Paragraph{Tone: doc.Soft, Text: text})
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
			number(figure.Count(th.Executions), th.Executions), number(ns(th.InsideNS), th.InsideNS),
			number(ns(th.WaitNS), th.WaitNS),
			number(waits(th.Contended, th.Executions), th.Contended), number(ns(th.SleptNS), th.SleptNS),
		}})
	}
	t.Shorten(printed, "thread", "threads", "")
	s.Add(t)
	return s
}

// others are locks by their class: those that nobody waited for, and those too many to be reported one by one.
func others(r *locks.Report, of string) *doc.Section {
	quiet := waited(r) == 0
	s := &doc.Section{Title: "Other locks" + of, Folded: true, Open: quiet}
	s.About = "by class; nobody waited for most of them"
	all := byClass(r)
	if !slices.ContainsFunc(all, func(x locks.Others) bool { return x.WaitNS > 0 }) {
		s.Title, s.About = "Locks that nobody waited for"+of, "by class, those first that were held longest"
	}
	t := &doc.Table{Columns: []doc.Column{
		{Head: "class"},
		{Head: "locks", Number: true, Help: "at least"},
		{Head: "held", Number: true},
		{Head: "of the time", Number: true, Rank: 2, Help: "more than one thread at once may have one of several"},
		{Head: "executions", Number: true, Rank: 1},
		{Head: "waited", Number: true},
	}}
	for _, x := range all {
		wait := doc.Cell{}
		if x.WaitNS > 0 {
			wait = number(ns(x.WaitNS)+" in "+figure.Plural(int(x.Contended), "wait", "waits"), x.WaitNS)
		}
		t.Rows = append(t.Rows, doc.Row{Cells: []doc.Cell{
			{Text: x.Class},
			number(figure.Count(int64(x.Locks)), int64(x.Locks)), number(ns(x.HeldNS), x.HeldNS),
			number(share(x.HeldNS, r.ProgramNS), x.HeldNS),
			number(figure.Count(x.Executions), x.Executions), wait,
		}})
	}
	t.Shorten(printedOthers, "class", "classes", inFile)
	s.Add(t)
	return s
}

// byClass adds up the locks that are not reported one by one: first those with the longest waits, then those
// that were held longest.
func byClass(r *locks.Report) []locks.Others {
	all := slices.Clone(r.Others)
	for i := range r.Locks {
		l := &r.Locks[i]
		if l.WaitNS > 0 {
			continue
		}
		k := slices.IndexFunc(all, func(x locks.Others) bool { return x.Class == l.Class })
		if k < 0 {
			k = len(all)
			all = append(all, locks.Others{Class: l.Class})
		}
		all[k].Locks++
		all[k].Executions += l.Executions
		all[k].HeldNS += l.HeldNS
	}
	slices.SortStableFunc(all, func(x, y locks.Others) int {
		return cmp.Or(cmp.Compare(y.WaitNS, x.WaitNS), cmp.Compare(y.HeldNS, x.HeldNS), cmp.Compare(x.Class, y.Class))
	})
	return all
}

// Facts are the first facts of the report, about all JVMs together.
func Facts(all []*locks.Report) []string {
	var executions, plain, wait int64
	sections, methods, seen := 0, 0, 0
	for _, r := range all {
		for i := range r.Sections {
			if r.Sections[i].Kind == locks.Plain {
				plain, methods = plain+r.Sections[i].Times.N, methods+1
			} else {
				executions, sections = executions+r.Sections[i].Times.N, sections+1
			}
		}
		seen += len(r.Threads)
		wait += waited(r)
	}
	facts := []string{
		figure.Count(executions) + " executions of " + figure.Plural(sections, "critical section", "critical sections"),
	}
	if methods > 0 {
		facts = append(facts,
			figure.Count(plain)+" of "+figure.Plural(methods, "method without a lock", "methods without a lock"))
	}
	return append(facts, figure.Plural(seen, "thread", "threads"), figure.Plural(len(all), "JVM", "JVMs"),
		ns(wait)+" waited for locks")
}
