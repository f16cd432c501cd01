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

// traced is what a program's threads were seen to do.
type traced struct {
	Title, Command string
	Orders         []*threads.Order // of each of its JVMs
	Graphs         []*threads.Graph // likewise
	PIDs           []int            // likewise
	// Marked says which classes the user asked for: the graph marks them.
	Marked func(class string) bool
}

// documentOf is the report of a traced program.
func documentOf(t *traced) *doc.Document {
	d := &doc.Document{Title: t.Title}
	var calls int64
	seen := 0
	for _, o := range t.Orders {
		calls += o.Events
		seen += len(o.Threads)
	}
	d.Facts = []string{
		figure.Count(calls) + " events", figure.Plural(seen, "thread", "threads"),
		figure.Plural(len(t.Orders), "JVM", "JVMs"),
	}
	for i, o := range t.Orders {
		of := ""
		if len(t.Orders) > 1 {
			of = fmt.Sprintf(" of process %d", t.PIDs[i])
		}
		for _, p := range order.Remarks(o.Log, o.Unmatched, of) {
			d.Add(p)
		}
		for _, s := range order.Sections(o, t.Graphs[i], t.Marked, of) {
			d.Add(s)
		}
	}
	d.Foot = order.Legend + " The command: " + t.Command
	return d
}

// mostDrawn are the locks of a JVM of which the page has a picture.
const mostDrawn = 8

// locks is the report on a program's locks.
func (r *Result) locks(pictures bool) (*doc.Document, error) {
	var all []*locks.Report
	var orders []*threads.Order
	var pids []int
	for _, name := range r.files {
		err := r.open(name, func(in io.ReadSeeker, pid int) error {
			report, err := locks.Read(in)
			if err != nil || report.Ended == 0 && len(r.files) > 1 { // a JVM that only started another one
				return err
			}
			all, pids = append(all, report), append(pids, pid)
			o, err := r.tenures(in, report, pictures)
			orders = append(orders, o)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if !slices.ContainsFunc(all, func(r *locks.Report) bool { return r.Ended > 0 }) {
		return nil, refusal.New(errors.New("no lock was got in code that is instrumented"), "that of the JDK is not; locks of java.util.concurrent are with --log contention,explicit. Look at the patterns: "+strings.Join(r.wanted.patterns, "; "))
	}
	d := &doc.Document{Title: short(r.wanted.command), Facts: locked.Facts(all)}
	for i, report := range all {
		of := ""
		if len(all) > 1 {
			of = fmt.Sprintf(" of process %d", pids[i])
		}
		for _, p := range locked.Remarks(report, of) {
			d.Add(p)
		}
		for _, s := range locked.Sections(report, orders[i], locked.Drawn, of) {
			d.Add(s)
		}
	}
	d.Foot = locked.Legend + " The command: " + strings.Join(r.wanted.command, " ")
	return d, nil
}

// tenures is who had those locks when for which threads waited longest; nil without pictures.
func (r *Result) tenures(in io.ReadSeeker, report *locks.Report, pictures bool) (*threads.Order, error) {
	options := threads.Closely()
	options.From, options.To = int64(r.wanted.Window[0]), int64(r.wanted.Window[1])
	for _, l := range report.Locks[:min(mostDrawn, len(report.Locks))] {
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
	o, _, err := threads.Follow(in, options)
	return o, err
}
