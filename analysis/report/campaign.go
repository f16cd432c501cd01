package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
)

// campaign is the document of a campaign. Parts for the page alone are made only if it is paged; step limits
// the cells that the page shows in detail.
func campaign(a *analysis.Answers, paged bool, step int) *doc.Document {
	facts := headline(a)
	d := &doc.Document{Title: facts[0], Facts: facts[1:], Source: "Measured by moobench: " + provenanceLine(a) + "."}
	d.Add(append(head(a, paged), strip(a), gateSection(a))...)
	for i := range a.Scenarios {
		b := newBuilder(a, &a.Scenarios[i], "s"+strconv.Itoa(i), paged)
		b.step = step
		d.Blocks = append(d.Blocks, b.section())
	}
	for _, v := range a.Overall() {
		d.Add(v.Show(nil)...)
	}
	d.Add(notes(a, paged))
	if paged {
		d.Blocks = append(d.Blocks, method(a), machines(a), commands(a))
	}
	return d
}

// strip is the first block of a page: the cells without a result, and the numbers that mislead without their
// caveats.
func strip(a *analysis.Answers) *doc.Section {
	var none, misleading []string
	for _, s := range a.Scenarios {
		for _, c := range s.Cells {
			switch why := c.Unanswered(s.Primary); {
			case why != "":
				none = append(none, c.Label+": "+why)
			case len(misleads(&c)) > 0:
				misleading = append(misleading, c.Label+" "+strings.Join(shows(misleads(&c)), ", "))
			}
		}
	}
	sec := &doc.Section{Depth: doc.Paged}
	sec.Add(doc.Paragraph{Mark: "! no result:", Text: firstFew(none), Tone: doc.Bad},
		doc.Paragraph{Mark: "! read with care:", Text: firstFew(misleading), Tone: doc.Warning})
	return sec
}

// firstFew joins the first of some texts, and counts the others.
func firstFew(texts []string) string { return prose.First(texts, 4, "; ", "; and %s more") }

// headline is the name of a campaign, with its size, time and machines.
func headline(a *analysis.Answers) []string {
	c, made := a.Campaign, figure.Plural(len(a.Invocations), "invocation", "invocations")+" from "+a.Campaign.Source
	if !c.Design.Imported() {
		made = figure.Count(int64(c.Blocks)) + " runs each"
		if !slices.ContainsFunc(a.Scenarios, func(s analysis.Scenario) bool { return runs(&s) != jvms }) {
			made = figure.Plural(c.Blocks, "JVM each", "JVMs each")
		}
	}
	took := ""
	if c.Start != nil && c.End != nil {
		took = figure.Roughly(c.End.Sub(*c.Start))
	}
	scale := textIf(shortened(a) != "", fmt.Sprintf("shortened to %v", c.Scale))
	facts := []string{c.Name, scale, moment(c.Start, "2006-01-02 15:04 UTC"), made, took}
	return prose.NonEmpty(slices.Concat(facts, jdks(c.Runtimes), machineNames(a))...)
}

// head is about the whole campaign: the caveats of all numbers, and the machines.
func head(a *analysis.Answers, paged bool) []doc.Block {
	var all doc.Section
	all.Add(general(doc.Bad, failedSelfTests(a)...)...)
	notReplicated := textIf(shortened(a) != "",
		"shortened to "+formatG(a.Campaign.Scale, -1)+" of the paper's experiment: not a replication of its figures")
	all.Add(doc.Paragraph{Mark: "!", Text: shortened(a), Tone: doc.Bad, Depth: doc.Paged},
		doc.Paragraph{Mark: "!", Text: notReplicated, Tone: doc.Warning, General: true, Depth: doc.Unpaged})
	if !paged { // a page has a section about them
		all.Add(hostFacts(a))
	}
	all.Add(unmet(a)...)
	drawn := textIf(!a.Campaign.Design.Imported(), fmt.Sprintf("order drawn from seed %d", a.Campaign.Seed))
	all.Add(doc.Paragraph{Text: drawn, Tone: doc.Soft, Depth: doc.Full},
		doc.Paragraph{Text: a.Campaign.About, Tone: doc.Soft})
	return all.Blocks
}

// failedSelfTests are in every output: a campaign whose two equal baselines differ can't be trusted.
func failedSelfTests(a *analysis.Answers) []string {
	var failed []string
	for _, s := range a.Scenarios {
		failed = append(failed, each(s.AA, func(aa analysis.AA) string {
			return textIf(aa.State == analysis.AAFailed,
				"A/A FAILED ("+s.Label+prefixed(" at ", aa.Level)+"): "+aa.Text.Rest)
		})...)
	}
	return prose.NonEmpty(failed...)
}

// shortened warns that figures are no replication; "" for a campaign of full length.
func shortened(a *analysis.Answers) string {
	if s := a.Campaign.Scale; s > 0 && s < 1 {
		return "Shortened to " + formatG(s, -1) + " of the paper’s experiment: its figures are not a replication."
	}
	return ""
}

// notes are about the rest: warnings, missing answers, and the calibrations of the machines. A terminal prints
// them last.
func notes(a *analysis.Answers, paged bool) *doc.Section {
	n := &doc.Section{Silent: true, Flush: true}
	add := func(like doc.Paragraph, texts []string) {
		for i, text := range texts {
			if paged && i == namesMost {
				n.Add(doc.Paragraph{Text: "and " + figure.Count(int64(len(texts)-i)) + " more", Tone: like.Tone})
				break
			}
			like.Text, like.General = text, text == a.Changed
			n.Add(like)
		}
	}
	add(doc.Paragraph{Mark: "!", Tone: doc.Warning}, a.Warnings)
	add(doc.Paragraph{Mark: "! incomplete:", Tone: doc.Bad, Depth: doc.Full}, a.Unanswered) // rows of cells say why
	switch {
	case len(a.Unanswered) > 0:
	case a.Campaign.Design.Imported():
		n.Add(doc.Paragraph{
			Depth: doc.Paged,
			Tone:  doc.Warning,
			Text: "Imported from " + a.Campaign.Source +
				". Every cell in the files has an answer. They hold no plan, " +
				"so nothing says whether an invocation is missing, and no A/A, " +
				"so nothing says how far apart two equal baselines would be.",
		})
	default:
		n.Add(doc.Paragraph{Depth: doc.Paged, Tone: doc.Good, Text: "Complete: every planned cell has an answer."})
	}
	missing := textIf(len(a.Unanswered) > 0, "incomplete: not every planned cell has a result, so the exit status is 4")
	n.Add(doc.Paragraph{Mark: "!", Text: missing, Tone: doc.Bad, Depth: doc.Unpaged})
	n.Add(each(calibrations(a), func(p doc.Paragraph) doc.Block { return p })...)
	return n
}
