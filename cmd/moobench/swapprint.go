package main

import (
	"fmt"
	"io"
	"strings"

	"moobench/analysis/figure"
)

// print shows what was done. Classes that could not be changed are an error.
func (f *swapFlags) print(t *terminal, s *swapped) error {
	s = s.visible()
	if f.json {
		if err := printJSON(t.out, s); err != nil {
			return err
		}
	} else {
		s.text(t.out, f.list || s.Change == nil)
	}
	c := s.Change
	switch {
	case c == nil:
	case c.Failed > 0:
		return fmt.Errorf("%s of process %d could not be changed, and stayed as they were", figure.Plural(int(c.Failed), "class", "classes"), s.PID)
	case c.Methods == 0:
		hint(t.err, s.nothing())
	}
	return nil
}

// visible is s with all texts that came from the JVM, which is somebody else's, as
// they may reach a terminal.
func (s *swapped) visible() *swapped {
	all := func(texts []string) []string {
		shown := make([]string, len(texts))
		for i, text := range texts {
			shown[i] = visible(text)
		}
		return shown
	}
	shown := *s
	shown.JVM, shown.VM, shown.Probe = visible(s.JVM), visible(s.VM), visible(s.Probe)
	shown.Patterns, shown.Methods = all(s.Patterns), all(s.Methods)
	if s.Change != nil {
		change := *s.Change
		change.Patterns, change.Failures = all(change.Patterns), all(change.Failures)
		shown.Change = &change
	}
	return &shown
}

// nothing says why a change changed nothing.
func (s *swapped) nothing() string {
	for _, p := range s.Change.Patterns {
		if sign(p) == "+" && s.Change.Request != "remove" {
			return "nothing changed: no loaded method matches that was not monitored already; what is loaded later will be instrumented when it is loaded (without throws .. at its end, a pattern is about methods that declare no exception)"
		}
	}
	return "nothing changed: none of the monitored methods matches"
}

func (s *swapped) text(w io.Writer, all bool) {
	fmt.Fprintf(w, "process %d, %s %s, records by %s\n", s.PID, s.VM, s.JVM, s.Probe)
	if s.Change != nil {
		s.Change.text(w)
	}
	fmt.Fprintf(w, "now       %s monitored, by %s; %s\n", methods(s.Count), figure.Plural(len(s.Patterns), "pattern", "patterns"), s.records())
	if !all {
		return
	}
	list := func(title string, lines []string, count int64) {
		if len(lines) > 0 {
			fmt.Fprintln(w, title)
		}
		for _, line := range lines {
			fmt.Fprintln(w, "  "+line)
		}
		if more := count - int64(len(lines)); more > 0 {
			fmt.Fprintf(w, "  and %s more\n", figure.Count(more))
		}
	}
	list("patterns, the oldest first; the newest that matches decides", s.Patterns, int64(len(s.Patterns)))
	list("monitored methods", s.Methods, s.Count)
}

func (c *change) text(w io.Writer) {
	for _, p := range c.Patterns {
		if c.Request == "remove" || sign(p) == "" {
			p = "off the list: " + p
		}
		fmt.Fprintln(w, p)
	}
	ns := func(n int64) string { return figure.Quantity(float64(n), "ns") }
	fmt.Fprintf(w, "changed   %s in %s\n", methods(c.Methods), figure.Plural(int(c.Classes), "exchanged class", "exchanged classes"))
	if c.Classes > 0 {
		fmt.Fprintf(w, "pause     %s, in which the JVM exchanged them\n", ns(c.SwapNS))
	} else {
		fmt.Fprintln(w, "pause     none")
	}
	fmt.Fprintf(w, "took      %s: match %s, transform %s, swap %s\n", ns(c.TookNS), ns(c.MatchNS), ns(c.TransformNS), ns(c.SwapNS))
	if c.Failed > 0 {
		fmt.Fprintf(w, "failed    %s\n", figure.Plural(int(c.Failed), "class", "classes"))
	}
	for _, reason := range c.Failures {
		fmt.Fprintln(w, "  "+reason)
	}
	if more := c.Failed - int64(len(c.Failures)); more > 0 && len(c.Failures) > 0 {
		fmt.Fprintf(w, "  and %s more\n", figure.Count(more))
	}
}

func methods(n int64) string { return figure.Plural(int(n), "method", "methods") }

// records are those that the probes of this JVM have made so far.
func (s *swapped) records() string {
	var parts []string
	for _, key := range []string{"recorded", "entered", "exited"} {
		if n, ok := s.Records[key]; ok {
			parts = append(parts, figure.Count(n)+" "+key)
		}
	}
	if len(parts) == 0 {
		return "its records are not counted"
	}
	return strings.Join(parts, ", ")
}
