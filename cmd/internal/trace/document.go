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
	var calls, lost int64
	seen := 0
	for _, o := range t.Orders {
		calls += o.Events
		lost += o.Lost + o.Unkept
		seen += len(o.Threads)
	}
	d.Facts = []string{
		figure.Count(calls) + " events", figure.Plural(seen, "thread", "threads"),
		figure.Plural(len(t.Orders), "JVM", "JVMs"),
	}
	if lost > 0 {
		d.Add(doc.Paragraph{Mark: "!", Tone: doc.Warning, Text: figure.Count(lost) + " events are missing: " +
			"what is drawn has gaps. Monitor fewer methods, or give the log more room: -Dmoobench.events.memory=256m, -Dmoobench.events.limit=16g"})
	}
	for i, o := range t.Orders {
		of := ""
		if len(t.Orders) > 1 {
			of = fmt.Sprintf(" of process %d", t.PIDs[i])
		}
		if !o.Whole {
			d.Add(doc.Paragraph{Mark: "!", Tone: doc.Warning, Text: "The log" + of + " has no end: the JVM was killed, or its disk is full. What it had not yet written is not here."})
		}
		if o.Unmatched > 0 {
			d.Add(doc.Paragraph{Tone: doc.Soft, Text: figure.Plural(int(o.Unmatched), "exit", "exits") + of + " had no entry: the method was entered before it was monitored, or the entry was lost. They are in no number."})
		}
		for _, s := range order.Sections(o, t.Graphs[i], t.Marked, of) {
			d.Add(s)
		}
	}
	d.Foot = order.Legend + " The command: " + t.Command
	return d
}
