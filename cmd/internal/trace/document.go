package trace

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/locks"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/locked"
	"moobench/analysis/report/order"
	"moobench/analysis/threads"
	"moobench/refusal"
)

// document reads all logs.
func (r *Result) document(pictures bool) (*doc.Document, error) {
	if r.wanted.locks != "" {
		return r.locks(pictures)
	}
	return r.methods()
}

// read reads the log of each JVM, and returns what it made of those that logged something, with
// their processes: a JVM that only started another one did not. A log that can't be read costs
// itself, and is named, as long as another one says something.
func read[T any](r *Result, parse func(in io.ReadSeeker) (made T, events int64, err error)) (all []T, pids []int, err error) {
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

// assemble is the document whose parts on each JVM are added by add; of is appended to titles,
// where there are several.
func (r *Result) assemble(facts []string, legend string, pids []int, add func(d *doc.Document, i int, of string)) *doc.Document {
	d := &doc.Document{Title: short(r.wanted.command), Facts: facts, Foot: legend + " The command: " + strings.Join(r.wanted.command, " ")}
	for _, err := range r.unread {
		d.Add(doc.Paragraph{Mark: "!", Tone: doc.Warning, Text: "A JVM is left out, whose log can't be read: " + err.Error()})
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

// followed is what the threads of one JVM did.
type followed struct {
	*threads.Order
	graph *threads.Graph
}

// methods is the report on which thread was in which method of which object, and when.
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
		return nil, refusal.New(errors.New("no method was entered that is monitored"), "look at the name, with its package, and $ before that of a nested class: "+strings.Join(r.wanted.patterns, "; "))
	}
	var calls int64
	seen := 0
	for _, f := range all {
		calls, seen = calls+f.Events, seen+len(f.Threads)
	}
	facts := []string{figure.Count(calls) + " events", figure.Plural(seen, "thread", "threads"), figure.Plural(len(all), "JVM", "JVMs")}
	return r.assemble(facts, order.Legend, pids, func(d *doc.Document, i int, of string) {
		f := all[i]
		for _, p := range slices.Concat(order.Remarks(f.Log, f.Unmatched, of), order.Beyond(f.Log, f.Deeper, of), order.Laneless(f.Order, of)) {
			d.Add(p)
		}
		for _, s := range order.Sections(all[i].Order, all[i].graph, r.marks, of) {
			d.Add(s)
		}
	}), nil
}

// closely is how much of a log is read for pictures, in the window that the user asked for.
func (r *Result) closely() threads.Options {
	options := threads.Closely()
	options.From, options.To = int64(r.wanted.Window[0]), int64(r.wanted.Window[1])
	return options
}

// locks is the report on a program's locks.
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
		return nil, refusal.New(errors.New("no lock was got in code that is instrumented"), "that of the JDK is not; locks of java.util.concurrent are with --log contention,explicit. Look at the patterns: "+strings.Join(r.wanted.patterns, "; "))
	}
	return r.assemble(locked.Facts(all), locked.Legend, pids, func(d *doc.Document, i int, of string) {
		for _, p := range locked.Remarks(all[i], of) {
			d.Add(p)
		}
		for _, s := range locked.Sections(all[i], orders[i], locked.Drawn, of) {
			d.Add(s)
		}
	}), nil
}

// tenures is who had those locks when for which threads waited longest; nil without pictures.
func (r *Result) tenures(in io.ReadSeeker, report *locks.Report, pictures bool) (*threads.Order, error) {
	options := r.closely()
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
