package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

// printPlan is moobench run -n: what would be started, in its exact order.
func printPlan(t *terminal, s *sitting) error {
	c := s.plan.Campaign
	e := run.EstimateOf(s.plan)
	fmt.Fprintf(t.out, "%s · %d invocations%s · about %s · %d MB of disk, up to %d MB more while it runs · seed %d\n",
		visible(c.Name), e.Invocations, pilotOnly(c), roughly(e.Wall), e.StayBytes>>20+1, e.PeakBytes>>20+1, c.Seed)
	printSizing(t.out, c)
	printControl(t.out, c.Control, s.file.Machine)
	printJDKs(t.out, s.plan.Cells)
	printFactors(t.out, c)
	printCells(t.out, c)
	printQuestions(t.out, c)
	printGate(t.out, c)
	printCommands(t.out, s)
	fmt.Fprintln(t.out, "\nblocks")
	for _, b := range c.Blocks {
		var labels []string
		for _, id := range b.Order {
			labels = append(labels, visible(c.Cell(id).Label()))
		}
		fmt.Fprintf(t.out, "  block %3d  %-9s  %s\n", b.Number, b.Profile, strings.Join(labels, " · "))
	}
	fmt.Fprintln(t.out, "\nnothing was started")
	return nil
}

func printCells(w io.Writer, c *results.Campaign) {
	fmt.Fprintln(w, "\ncells")
	width := 40
	for _, cell := range c.Cells {
		width = max(width, utf8.RuneCountInString(visible(cell.Label())))
	}
	for _, cell := range c.Cells {
		proof := string(cell.Proof.Kind)
		if cell.Proof.Expected > 0 {
			proof += fmt.Sprintf(", %d records", cell.Proof.Expected)
		}
		fmt.Fprintf(w, "  %s  %-*s %-9s proof: %s\n", cell.ID, width, visible(cell.Label()), cell.Role, proof)
	}
}

// printCommands prints each variant's command line once for each collector and each
// level of the JVM's options; what is known only at the start of an invocation stands in
// braces.
func printCommands(w io.Writer, s *sitting) {
	fmt.Fprintln(w, "\ncommand lines")
	seen := map[string]bool{}
	for _, cell := range s.plan.Cells {
		name := cell.Variant
		for _, factor := range []string{plan.FactorGC, plan.FactorJVM} {
			if value := cell.Factor(factor); value != "" {
				name += " " + factor + "=" + value
			}
		}
		if seen[name] {
			continue
		}
		seen[name] = true
		fmt.Fprintf(w, "  %s\n    %s\n", visible(name), visible(strings.Join(run.CommandLine(cell, s.file.JVM.Args), " ")))
		for _, e := range cell.Launch.Env {
			fmt.Fprintf(w, "    with %s\n", visible(e))
		}
	}
}
