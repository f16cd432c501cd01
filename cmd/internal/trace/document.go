package trace

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"moobench/analysis/chapter/locks"
	"moobench/analysis/chapter/locks/locked"
	"moobench/analysis/chapter/threads"
	"moobench/analysis/chapter/threads/order"
	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
	"moobench/refusal"
)

// document builds the report from all logs.
func (r *Result) document(pictures bool) (*doc.Document, error) {
	if r.wanted.locks != "" {
		return r.locks(pictures)
	}
	return r.methods()
}

// read parses the log of each JVM. It returns results and process IDs for logs with events: a JVM
// that only started another one logs no events. Unreadable logs are noted in r.unread; they are an
// error only if no log has events.
func read[T any](
	r *Result, parse func(in io.ReadSeeker) (made T, events int64, err error),
) (all []T, pids []int, err error) {
	r.unread = nil
	for _, name := range r.files {
		err := r.open(name, func(in io.ReadSeeker, pid int) error {
			made, n, err := parse(in)
			if err == nil && n > 0 {
				all, pids = append(all, made), append(pids, pid)
			}
			return err
		})
		if err != nil {
			r.unread = append(r.unread, err)
		}
	}
	if len(all) == 0 {
		return nil, nil, errors.Join(r.unread...)
	}
	return all, pids, nil
}

// assemble builds the document, calling add for each JVM's part. If there are several JVMs, of is
// appended to titles.
func (r *Result) assemble(
	facts []string, legend string, pids []int, add func(d *doc.Document, i int, of string),
) *doc.Document {
	d := &doc.Document{Title: r.wanted.title(), Facts: facts, Foot: legend + " The command: " + r.wanted.line()}
	for _, err := range r.unread {
		d.Add(doc.Paragraph{
			Mark: "!", Tone: doc.Warning,
			Text: "One JVM is left out, because its log can't be read: " + err.Error(),
		})
	}
	for i, pid := range pids {
		of := ""
		if len(pids) > 1 {
			of = fmt.Sprintf(" of process %d", pid)
		}
		add(d, i, of)
	}
	return d
}

// followed holds the threads' activity in one JVM.
type followed struct {
	*threads.Order
	graph *threads.Graph
}

// methods builds the report on methods: which thread was in which method of which object, and when.
func (r *Result) methods() (*doc.Document, error) {
	all, pids, err := read(r, func(in io.ReadSeeker) (followed, int64, error) {
		o, g, err := threads.Follow(in, r.closely())
		if err != nil {
			return followed{}, 0, err
		}
		return followed{o, g}, o.Events, nil
	})
	switch {
	case err != nil:
		return nil, err
	case len(all) == 0:
		return nil, refusal.New(errors.New("no monitored method was entered"), r.wanted.notEntered())
	}
	if all[0].OfLocks() {
		hint := "moobench locks --kept " + shellWord(r.wanted.kept) + " shows it"
		return nil, refusal.New(errors.New("it is a log of locks"), hint)
	}
	var calls int64
	seen := 0
	for _, f := range all {
		calls, seen = calls+f.Events, seen+len(f.Threads)
	}
	facts := []string{
		figure.Count(calls) + " events",
		figure.Plural(seen, "thread", "threads"),
		figure.Plural(len(all), "JVM", "JVMs"),
	}
	return r.assemble(facts, order.Legend, pids, func(d *doc.Document, i int, of string) {
		f := all[i]
		remarks := slices.Concat(
			order.Remarks(f.Log, f.Unmatched, of), order.NotSeen(f.Notes, "Calls", of),
			order.Beyond(f.Log, f.Deeper, of), order.Laneless(f.Order, of),
		)
		for _, p := range remarks {
			d.Add(p)
		}
		for _, s := range order.Sections(all[i].Order, all[i].graph, r.view(of)) {
			d.Add(s)
		}
		d.Add(order.Took(all[i].Log, 0, of))
	}), nil
}

// view returns the shown part of a JVM's log, and the named classes; suffix ends the titles.
func (r *Result) view(suffix string) order.View {
	window := r.wanted.Window
	part := window[0] > 0 || window[1] > 0
	return order.View{FromNS: int64(window[0]), Part: part, Marked: r.wanted.marks(), Suffix: suffix}
}

// closely returns the options for pictures, in the user's time window.
func (r *Result) closely() threads.Options {
	options := threads.Closely()
	options.From, options.To = int64(r.wanted.Window[0]), int64(r.wanted.Window[1])
	return options
}

// locks builds the report on a program's locks.
func (r *Result) locks(pictures bool) (*doc.Document, error) {
	var orders []*threads.Order
	all, pids, err := read(r, func(in io.ReadSeeker) (*locks.Report, int64, error) {
		report, err := locks.Read(in)
		if err != nil || report.Ended == 0 {
			return nil, 0, err
		}
		o, err := r.tenures(in, report, pictures)
		if err == nil {
			orders = append(orders, o)
		}
		return report, report.Ended, err
	})
	switch {
	case err != nil:
		return nil, err
	case len(all) == 0:
		hint := "the JDK's code is not instrumented; --log contention,explicit adds locks of java.util.concurrent, " +
			"and --log methods adds methods without a lock. " +
			"Look at the patterns: " + strings.Join(r.wanted.patterns, "; ")
		return nil, refusal.New(errors.New("instrumented code acquired no lock"), hint)
	}
	first, err := r.ofRuns()
	if err != nil {
		return nil, err
	}
	d := r.assemble(locked.Facts(all), locked.Legend, pids, func(d *doc.Document, i int, of string) {
		explicit := slices.Contains(r.wanted.given.Log, "explicit")
		for _, p := range slices.Concat(locked.Remarks(all[i], of), locked.Explicit(all[i], explicit, of)) {
			d.Add(p)
		}
		for _, s := range locked.Sections(all[i], orders[i], locked.Drawn, r.view(of)) {
			d.Add(s)
		}
	})
	at := slices.IndexFunc(d.Blocks, func(b doc.Block) bool { _, is := b.(*doc.Section); return is })
	d.Blocks = slices.Insert(d.Blocks, max(0, at), first...)
	return d, nil
}

// ofRuns builds the sections on all runs: the comparison with earlier runs, and the results of each
// run.
func (r *Result) ofRuns() (all []doc.Block, err error) {
	c, err := r.compare("")
	if err != nil {
		return nil, err
	}
	if c != nil {
		all = append(all, locked.Against(c, r.wanted.Against))
	}
	if len(r.runs) > 1 {
		m, err := r.metrics("")
		if err != nil {
			return nil, err
		}
		all = append(all, locked.Runs(m))
	}
	return all, nil
}

// tenures returns the holders, over time, of the locks with the longest waits; nil without
// pictures.
func (r *Result) tenures(in io.ReadSeeker, report *locks.Report, pictures bool) (*threads.Order, error) {
	options := r.closely()
	options.Sections = true
	for _, l := range report.Locks[:min(locked.DrawnLocks, len(report.Locks))] {
		if l.WaitNS > 0 {
			options.Of = append(options.Of, l.Hash)
		}
	}
	if !pictures || len(options.Of) == 0 {
		return nil, nil
	}
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("reading events again: %w", err)
	}
	return threads.Read(in, options)
}
