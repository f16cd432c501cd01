// Package agents lists the frameworks of the catalogue.
package agents

import (
	"fmt"
	"strconv"
	"strings"

	"moobench/analysis/figure"
	"moobench/cmd/internal/console"
	"moobench/harness/framework"
	"moobench/results"
)

// Markdown prints entries as a table.
func Markdown(c console.Console, entries []framework.Entry) {
	fmt.Fprintln(c.Out, "| agent | version | licence | Java | ways in | counted by | seen in real JVMs |\n"+
		"|---|---|---|---|---|---|---|")
	for _, e := range entries {
		fmt.Fprintf(c.Out, "| `%s`: %s | %s | %s | %s | %s | %s | %s |\n",
			e.Name, e.About, versionsOf(e), e.License, javaOf(e), strings.Join(e.Modes, ", "),
			strings.Join(e.Counts, ", "), strings.Join(results.Each(e.Seen, said), "<br>"))
	}
}

// Text prints entries as lines.
func Text(c console.Console, entries []framework.Entry) {
	const column = 24
	for _, e := range entries {
		c.Item("  "+e.Name, column, e.About, versionsOf(e), e.License, javaOf(e), strings.Join(e.Modes, ", "),
			"counted by "+strings.Join(e.Counts, ", "))
		for _, seen := range e.Seen {
			c.Item("", column, "seen on "+said(seen))
		}
	}
}

// versionsOf lists the versions to fetch, or says why nothing is fetched.
func versionsOf(e framework.Entry) string {
	switch {
	case e.Home:
		return "not fetched: --home"
	case len(e.Versions) == 0:
		return "comes with moobench or the JDK"
	}
	return strings.Join(e.Versions, ", ")
}

// javaOf returns the range of Java feature releases that an entry supports, in words.
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

// outcomes maps each check of the suite to its wording, in print order.
var outcomes = []struct{ check, text string }{
	{"exact", "%s exact"},
	{"classwide", "%s exact for whole classes"},
	{"loses", "%s delivers"},
	{"some", "%s delivers"},
	{"silent", "%s silent"},
	{"faults", "ends with %s"},
	{"elsewhere", "ends with %s, and tries other hosts"},
	{"hangs", "hangs with %s"},
}

// said returns the suite's results for an entry on one JDK: "Java 17 (2026-11-27): bci/otlp-big
// exact, 20,000 of 20,000; bci/disabled silent". Variants with the same result share a clause.
func said(seen framework.Conformed) string {
	var clauses []string
	variants := map[string][]string{}
	for _, o := range outcomes {
		for _, h := range seen.Held {
			if h.Check != o.check {
				continue
			}
			clause := o.text + amount(h)
			if variants[clause] == nil {
				clauses = append(clauses, clause)
			}
			variants[clause] = append(variants[clause], strings.TrimPrefix(h.Variant, seen.Entry+"/"))
		}
	}
	clauses = results.Each(clauses, func(clause string) string {
		return fmt.Sprintf(clause, strings.Join(faulty(variants[clause]), ", "))
	})
	return fmt.Sprintf("Java %d (%s): ", seen.Java, seen.Day) + strings.Join(clauses, "; ")
}

// amount returns the record counts, for the checks that report them, and which artifact was checked
// if it is another one today.
func amount(h framework.Held) (text string) {
	switch h.Check {
	case "exact", "classwide":
		text = ", " + figure.Count(h.Received) + " of " + figure.Count(h.Expected)
	case "loses":
		text = " " + figure.Count(h.Received) + " of " + figure.Count(h.Expected)
	case "some":
		text = " " + figure.Count(h.Received)
	}
	if h.Stale != "" {
		text += " (" + h.Stale + ")"
	}
	return text
}

// faulty appends the other faults of a variant's receiver without repeating its name:
// bci/otlp~hang, ~reset.
func faulty(variants []string) []string {
	var last string
	return results.Each(variants, func(variant string) string {
		base, fault, has := strings.Cut(variant, "~")
		if repeated := has && base == last; repeated {
			return "~" + fault
		}
		last = base
		return variant
	})
}
