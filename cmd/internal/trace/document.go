package trace

import (
	"fmt"

	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/order"
	"moobench/analysis/threads"
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
		for _, p := range order.Remarks(o, of) {
			d.Add(p)
		}
		for _, s := range order.Sections(o, t.Graphs[i], t.Marked, of) {
			d.Add(s)
		}
	}
	d.Foot = order.Legend + " The command: " + t.Command
	return d
}
