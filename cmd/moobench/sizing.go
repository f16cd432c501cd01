package main

import (
	"fmt"
	"io"
	"slices"
	"time"

	"moobench/analysis/figure"
	"moobench/results"
)

// undecided says whether a scenario's pilot has still to decide on blocks.
func undecided(s results.Scenario) bool {
	return s.Sizing != nil && s.Sizing.Precision > 0 && s.Sizing.Decision == nil
}

// pilotOnly marks numbers of a plan that grows when its pilot is done.
func pilotOnly(c *results.Campaign) string {
	if slices.ContainsFunc(c.Scenarios, undecided) {
		return " (pilot)"
	}
	return ""
}

// printSizing says of each scenario whose number of blocks is not fixed how it
// is found, or was.
func printSizing(w io.Writer, c *results.Campaign) {
	for _, s := range c.Scenarios {
		if s.Sizing != nil {
			fmt.Fprintf(w, "  %s: %s\n", visible(s.Label), visible(sizingText(s, timingBlocks(c, s.Label))))
		}
	}
}

// sizingText says in words how a number of blocks is found.
func sizingText(s results.Scenario, planned int) string {
	z := s.Sizing
	limit := time.Duration(z.MaxTimeNS)
	switch {
	case z.Decision != nil:
		return z.Decision.Because
	case z.Precision == 0:
		return fmt.Sprintf("%s, or fewer if more would not fit into %s", figure.Plural(planned, "block", "blocks"), roughly(limit))
	}
	most := "ten times the pilot's time"
	if limit > 0 {
		most = roughly(limit)
	}
	if z.MaxBlocks > 0 {
		most = figure.Plural(z.MaxBlocks, "block", "blocks") + ", or " + most
	}
	text := fmt.Sprintf("%s pilot, then as many as ± %s needs, at most %s", figure.Plural(z.Pilot, "block", "blocks"), figure.Percent(z.Precision), most)
	if z.Strict {
		text += "; strict: no variant is set aside"
	}
	return text
}

// timingBlocks counts the planned timing blocks of a scenario.
func timingBlocks(c *results.Campaign, label string) int {
	n := 0
	for _, b := range c.Blocks {
		if b.Kind != results.BlockPlanned || b.Profile != results.ProfileTiming {
			continue
		}
		for _, id := range b.Order {
			if cell := c.Cell(id); cell != nil && cell.Scenario == label {
				n++
				break
			}
		}
	}
	return n
}

// printQuestions lists the questions of benchmarks.toml, as they were
// understood.
func printQuestions(w io.Writer, c *results.Campaign) {
	head := "\nquestions\n"
	for _, s := range c.Scenarios {
		for _, q := range s.Questions {
			if !q.Asked {
				continue
			}
			fmt.Fprintf(w, "%s  %s  %s\n      %s\n", head, visible(q.ID), visible(q.Text), visible(questionText(c, q)))
			head = ""
		}
	}
}

// questionText says what a question compares, and how.
func questionText(c *results.Campaign, q results.Question) string {
	metric := q.Metric
	if q.Quantile > 0 {
		metric = fmt.Sprintf("p%.4g of %s", 100*q.Quantile, metric)
	}
	text := fmt.Sprintf("%s: %s − %s, %s test, alpha %v", metric, c.Cell(q.A).Label(), c.Cell(q.B).Label(), q.Test, q.Alpha)
	if family, m := c.FamilyOf(q); m > 1 {
		text += fmt.Sprintf(" shared by the %d questions of family %s", m, family)
	}
	if q.Alternative != "" {
		text += ", expected to be " + q.Alternative
	}
	if q.Margin == nil {
		return text
	}
	return text + ", margin " + marginText(q.Margin, unitOf(c, q))
}

// marginText is a margin in words; amounts are in the metric's unit.
func marginText(m *results.Margin, unit string) string {
	switch {
	case m.Share == 0:
		return figure.Quantity(m.Amount, unit)
	case m.Amount == 0:
		return figure.Percent(m.Share)
	}
	return fmt.Sprintf("%s (%s of a baseline below %s)", figure.Percent(m.Share), figure.Quantity(m.Amount, unit), figure.Quantity(m.ShareFrom, unit))
}

func unitOf(c *results.Campaign, q results.Question) string {
	for _, s := range c.Scenarios {
		for _, m := range s.Metrics {
			if m.Name == q.Metric && s.Label == c.Cell(q.A).Scenario {
				return m.Unit
			}
		}
	}
	return ""
}
