package order

import (
	"slices"

	"moobench/analysis/chapter/threads"
	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
	"moobench/results/events"
)

// Beyond says how much of the log of one JVM does not fit in memory; deeper counts the executions that are
// nested too deeply to follow.
func Beyond(l *events.Log, deeper int64, of string) []doc.Paragraph {
	var all []doc.Paragraph
	add := func(text string) { all = append(all, doc.Paragraph{Mark: "!", Tone: doc.Warning, Text: text}) }
	if b := l.Beyond; b.Names > 0 {
		add("The log" + of + " has more names of methods, threads and objects than are kept in memory: " +
			figure.Count(b.Names) + " are not, and " +
			figure.Count(b.Events) + " events of theirs are in no number. Monitor fewer methods.")
	}
	if deeper > 0 {
		add(figure.Count(deeper) + " executions" + of +
			" lay in more others than are followed: they are in no picture and no number.")
	}
	return all
}

// Laneless says how many threads have no row.
func Laneless(o *threads.Order, of string) []doc.Paragraph {
	if o.Laneless == 0 {
		return nil
	}
	return []doc.Paragraph{{
		Mark: "!",
		Tone: doc.Warning,
		Text: figure.Plural(o.Laneless, "thread", "threads") + " of objects" + of +
			" came after too many others, and have no row: their calls are in the object's number alone.",
	}}
}

// named renumbers the names of the blocks of some rows, and returns the names used: a program has many more
// methods than a picture shows.
func named(o *threads.Order, rows []plot.LaneRow) []string {
	var used []int
	seen := make([]bool, len(o.Methods))
	each(rows, func(b *plot.LaneBlock) {
		if !seen[b.Name] {
			seen[b.Name], used = true, append(used, b.Name)
		}
	})
	slices.Sort(used)
	at := map[int]int{}
	var names []string
	for i, method := range used {
		at[method], names = i, append(names, threads.Qualified(o.Methods[method]))
	}
	each(rows, func(b *plot.LaneBlock) { b.Name = at[b.Name] })
	return names
}

func each(rows []plot.LaneRow, do func(b *plot.LaneBlock)) {
	for i := range rows {
		for j := range rows[i].Blocks {
			do(&rows[i].Blocks[j])
		}
	}
}
