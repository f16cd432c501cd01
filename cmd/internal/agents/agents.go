// Package agents lists the frameworks of the catalogue.
package agents

import (
	"fmt"
	"strconv"
	"strings"

	"moobench/analysis/figure"
	"moobench/cmd/internal/console"
	"moobench/harness/framework"
)

// Markdown prints a table of entries.
func Markdown(c console.Console, entries []framework.Entry) {
	fmt.Fprintln(c.Out, "| agent | version | licence | Java | ways in | counted by | seen in real JVMs |\n|---|---|---|---|---|---|---|")
	for _, e := range entries {
		fmt.Fprintf(c.Out, "| `%s`: %s | %s | %s | %s | %s | %s | %s |\n", e.Name, e.About, versionsOf(e), e.License, javaOf(e),
			strings.Join(e.Modes, ", "), strings.Join(e.Counts, ", "), strings.Join(framework.Said(e.Seen, figure.Count), "<br>"))
	}
}

// Text prints entries as lines.
func Text(c console.Console, entries []framework.Entry) {
	const column = 24
	for _, e := range entries {
		c.Item("  "+e.Name, column, e.About, versionsOf(e), e.License, javaOf(e), strings.Join(e.Modes, ", "), "counted by "+strings.Join(e.Counts, ", "))
		for _, said := range framework.Said(e.Seen, figure.Count) {
			c.Item("", column, "seen on Java "+said)
		}
	}
}

// versionsOf lists the versions that are fetched, or says why none is.
func versionsOf(e framework.Entry) string {
	switch {
	case e.Home:
		return "not fetched: --home"
	case len(e.Versions) == 0:
		return "comes with moobench or the JDK"
	}
	return strings.Join(e.Versions, ", ")
}

// javaOf returns the range of feature releases that an entry works with, in words.
func javaOf(e framework.Entry) string {
	oldest, newest := e.Java[0], e.Java[1]
	switch {
	case oldest == 0 && newest == 0:
		return "any Java"
	case newest == 0:
		return "Java " + strconv.Itoa(oldest) + "+"
	}
	return fmt.Sprintf("Java %d to %d", oldest, newest)
}
