package main

import (
	"fmt"
	"math"
	"strings"
	"time"

	"moobench/analysis/figure"
)

// tableEnd is the line after a table.
const tableEnd = "<!-- until here -->"

// mark is the line before the table: there is one for each kind.
func (p plan) mark() string {
	if p.loops > 0 {
		return "<!-- made by make tomorrow, beside other work -->"
	}
	return "<!-- made by make tomorrow -->"
}

// figures is the data of the tables.
type figures struct {
	plan
	machine, jdk, version string
	artifacts             []string
	first, last           time.Time     // begin and end of everything
	took                  time.Duration // of the campaigns themselves
	results               []result      // of equal campaigns
	found                 []result      // where one of each pair is slower
	nights                int           // campaigns of the history; 0: no history
	after                 []result      // of equal campaigns, with a history
	widths                []width
}

// markdown returns all tables, between their marks.
func (f *figures) markdown() string {
	var b strings.Builder
	with := strings.Join(f.artifacts, ", ")
	if with != "" {
		with = ", with " + with
	}
	fmt.Fprintf(&b, "%s\n\nMeasured %s on %s, JDK %s%s, by moobench %s: "+
		"%d campaigns one after the other, %s of measuring, %s. "+
		"Each has %s of %s (%s twice), %s calls of depth %d in a JVM.\n",
		f.mark(), days(f.first, f.last), f.machine, f.jdk, with, f.version,
		f.campaigns, figure.Roughly(f.took), f.beside(), figure.Plural(f.blocks, "block", "blocks"),
		strings.Join(variants, ", "), variants[0], figure.Count(int64(f.calls)), f.depth)
	f.sameTable(&b)
	f.powerTable(&b)
	f.widthTable(&b)
	f.historyTable(&b)
	fmt.Fprintf(&b, "\n%s\n", tableEnd)
	return b.String()
}

// days formats the day, or the days, of the measurement.
func days(first, last time.Time) string {
	const day = "2006-01-02"
	if first.Format(day) == last.Format(day) {
		return first.Format(day)
	}
	return first.Format(day) + " to " + last.Format(day)
}

// sameTable writes the table of equal campaigns.
func (f *figures) sameTable(b *strings.Builder) {
	fmt.Fprintf(b, "\n### The same, measured again: how often are two campaigns told apart?\n\n"+
		"Nothing was changed between the campaigns, "+
		"so that an interval at 95 %% leaves \"no change\" out in 5 %% of the pairs, and one at 99.9 %% in 0.1 %%. "+
		"Told apart: any verdict but \"same\" (shown to lie within %s) and \"undecided\". "+
		"Of fewer blocks than were measured: the campaigns are cut, and pieces of one campaign are not a pair. "+
		"In brackets the 95 %% interval over campaigns. duration is the mean of a call, "+
		"duration/p50 and duration/p90 are the median and the 90 %% quantile of each JVM's calls.\n\n"+
		"| | | blocks | by | pairs | interval leaves out \"no change\" | told apart |\n"+
		"|---|---|---|---|---|---|---|\n", figure.Percent(margin))
	for _, r := range f.results {
		fmt.Fprintf(b, "| %s | %s | %d | %s | %s | %s | %s |\n",
			r.variant, r.metric, r.blocks, r.name, r.count(), r.differs, r.apart)
	}
}

// powerTable writes the table of campaigns of which one is slower.
func (f *figures) powerTable(b *strings.Builder) {
	half := f.campaigns / 2
	fmt.Fprintf(b, "\n### Made slower: how often is it seen?\n\n"+
		"Each of the first %d campaigns with each of the other %d, "+
		"in which all samples of the variant take so many times as long, as its CPU time does.\n\n"+
		"| | | blocks | times | pairs | interval leaves out \"no change\" | told apart |\n"+
		"|---|---|---|---|---|---|---|\n", half, f.campaigns-half)
	for _, r := range f.found {
		fmt.Fprintf(b, "| %s | %s | %d | %.2f | %s | %s | %s |\n",
			r.variant, r.metric, r.blocks, r.factor, r.count(), r.differs, r.apart)
	}
}

// widthTable writes the table of single campaigns.
func (f *figures) widthTable(b *strings.Builder) {
	b.WriteString("\n### One campaign by itself\n\nWhat a call costs more than without the variant, " +
		"least and most over the campaigns, and half of its 95 % interval as a share of it, on average.\n\n" +
		"| | | blocks | cost |")
	for _, s := range scales {
		b.WriteString(" ± " + s.name + " |")
	}
	b.WriteString("\n|---|---|---|---|" + strings.Repeat("---|", len(scales)) + "\n")
	for _, w := range f.widths {
		cost := "—"
		if w.least <= w.most {
			cost = figure.Range(w.least, w.most, w.unit)
		}
		fmt.Fprintf(b, "| %s | %s | %d | %s |", w.variant, w.metric, w.blocks, cost)
		for _, h := range w.halves {
			fmt.Fprintf(b, " %s |", percent(h))
		}
		b.WriteByte('\n')
	}
}

// historyTable writes the table of campaigns with a history.
func (f *figures) historyTable(b *strings.Builder) {
	fmt.Fprintf(b, "\n### With a history\n\n")
	if f.nights == 0 {
		fmt.Fprintf(b, "Not judged: the first half of %d campaigns is too short to be the history of the second one.\n",
			f.campaigns)
		return
	}
	fmt.Fprintf(b, "The last %d campaigns with each other, the first %d being the nights of `compare --history`.\n\n"+
		"| | | blocks | pairs | interval leaves out \"no change\" | told apart |\n"+
		"|---|---|---|---|---|---|\n", f.campaigns-f.nights, f.nights)
	for _, r := range f.after {
		fmt.Fprintf(b, "| %s | %s | %d | %s | %s | %s |\n",
			r.variant, r.metric, r.blocks, r.count(), r.differs, r.apart)
	}
}

// count formats the number of pairs, and of pairs without an answer.
func (r result) count() string {
	text := figure.Count(int64(r.apart.pairs))
	if r.unjudged > 0 {
		text += fmt.Sprintf(", and %s without an answer", figure.Count(int64(r.unjudged)))
	}
	return text
}

// String formats the share with its interval.
func (s share) String() string {
	if s.pairs == 0 {
		return "—"
	}
	return fmt.Sprintf("%s (%s … %s)", percent(s.value), percent(s.low), percent(s.high))
}

// percent is figure.Percent, or a dash if there is no number.
func percent(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "—"
	}
	return figure.Percent(x)
}
