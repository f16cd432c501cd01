package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/results"
)

// errWorse is a gate that says worse. What it says was printed already.
var errWorse = errors.New("a gate says worse")

// ended is what a verb ends with that has printed the answers: errWorse,
// errIncomplete, or nil.
func ended(a *analysis.Answers) error {
	switch {
	case a.Gate.Worse():
		return errWorse
	case a.Incomplete() || a.Gate.Open():
		return errIncomplete
	}
	return nil
}

// tellGate says on standard error what the gate says when it does not pass: the
// exit status alone is no answer, where the report went elsewhere.
func (t *terminal) tellGate(a *analysis.Answers) {
	if a.Gate.Worse() || a.Gate.Open() {
		fmt.Fprintf(t.err, "moobench: gate: %s\n", visible(a.Gate.Sentence.String()))
	}
}

// printGate says what the gate will judge, and how it was understood.
func printGate(w io.Writer, c *results.Campaign) {
	g := c.Gate
	if g == nil {
		return
	}
	fmt.Fprintf(w, "\ngate\n  %s/%s: at most %s worse than %s in the same blocks, alpha %v\n",
		visible(g.Scenario), visible(g.Metric), figure.Level(g.WorseBy), visible(g.Reference), g.Alpha)
	var judged []string
	for i := range c.Cells {
		if g.Judges(&c.Cells[i]) {
			judged = append(judged, visible(c.Cells[i].Label()))
		}
	}
	fmt.Fprintf(w, "      judges %s\n", strings.Join(judged, " · "))
	if g.Host != "" {
		fmt.Fprintf(w, "      on %s, and nowhere else\n", visible(g.Host))
	}
}
