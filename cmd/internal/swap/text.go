package swap

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"moobench/analysis/figure"
	"moobench/cmd/internal/console"
	"moobench/harness/pattern"
)

// Print prints the result, as JSON or as text. The text lists all patterns and methods if all is
// set or there was no change. It returns an error if classes could not be changed.
func (r *Result) Print(c console.Console, json, all bool) error {
	if !json {
		r.writeText(c.Out, all)
	} else if err := c.JSON(r); err != nil {
		return err
	}
	adds := func(p string) bool { return pattern.Sign(p) == "+" }
	switch done := r.Change; {
	case done == nil:
	case done.Failed > 0:
		return fmt.Errorf("%s of process %d could not be changed, and stayed as they were",
			figure.Plural(int(done.Failed), "class or method", "classes or methods"), r.PID)
	case done.Methods > 0:
	case done.Request != "remove" && slices.ContainsFunc(done.Patterns, adds):
		c.Hint("nothing changed: no loaded method matches that was not monitored already; " +
			"what is loaded later will be instrumented when it is loaded (a pattern with a type leaves out methods " +
			"that declare an exception, unless it ends with throws ..; one without a type leaves out none)")
	default:
		c.Hint("nothing changed: none of the monitored methods matches")
	}
	return nil
}

func (r *Result) writeText(w io.Writer, all bool) {
	methods := func(n int64) string { return figure.Plural(int(n), "method", "methods") }
	ns := func(n int64) string { return figure.Quantity(float64(n), "ns") }
	fmt.Fprintf(w, "process %d, %s %s, records by %s\n", r.PID, r.VM, r.JVM, r.Probe)
	if c := r.Change; c != nil {
		for _, p := range c.Patterns {
			if c.Request == "remove" || pattern.Sign(p) == "" {
				p = "off the list: " + p
			}
			fmt.Fprintln(w, p)
		}
		fmt.Fprintf(w, "changed   %s in %s\n",
			methods(c.Methods), figure.Plural(int(c.Classes), "exchanged class", "exchanged classes"))
		pause := "none"
		if c.Classes > 0 {
			pause = ns(c.SwapNS) + ", in which the JVM exchanged them"
		}
		fmt.Fprintf(w, "pause     %s\n", pause)
		fmt.Fprintf(w, "took      %s: match %s, transform %s, swap %s\n",
			ns(c.TookNS), ns(c.MatchNS), ns(c.TransformNS), ns(c.SwapNS))
		if c.Failed > 0 {
			fmt.Fprintf(w, "failed    %s\n", figure.Plural(int(c.Failed), "class or method", "classes or methods"))
		}
		if len(c.Failures) > 0 {
			writeList(w, "", c.Failures, c.Failed)
		}
	}
	var records []string // made by this JVM's probes so far
	for _, key := range []string{"recorded", "entered", "exited"} {
		if n, ok := r.Records[key]; ok {
			records = append(records, figure.Count(n)+" "+key)
		}
	}
	if len(records) == 0 {
		records = []string{"its records are not counted"}
	}
	fmt.Fprintf(w, "now       %s monitored, by %s; %s\n",
		methods(r.Count), figure.Plural(len(r.Patterns), "pattern", "patterns"), strings.Join(records, ", "))
	if r.Keep != "" {
		fmt.Fprintf(w, "kept      in %s: moobench trace --kept %s shows what was called, also while the JVM runs\n",
			r.Keep, r.Keep)
	}
	if !all && r.Change != nil {
		return
	}
	writeList(w, "patterns, the oldest first; the newest that matches decides\n", r.Patterns, int64(len(r.Patterns)))
	writeList(w, "monitored methods\n", r.Methods, r.Count)
}

// writeList prints the known items of a list below its title, and the number of others.
func writeList(w io.Writer, title string, lines []string, count int64) {
	if len(lines) > 0 {
		fmt.Fprint(w, title)
	}
	for _, line := range lines {
		fmt.Fprintln(w, "  "+line)
	}
	if more := count - int64(len(lines)); more > 0 {
		fmt.Fprintf(w, "  and %s more\n", figure.Count(more))
	}
}
