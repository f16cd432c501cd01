package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/results"
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
	d.Add(fleet(a))
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
	machines := each(hosts(a), func(h host) string {
		return h.Machine.Host + textIf(h.Machine.CPUs > 0, ", "+figure.Plural(h.Machine.CPUs, "CPU", "CPUs"))
	})
	return prose.NonEmpty(slices.Concat(facts, jdks(c.Runtimes), machines)...)
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
	for _, h := range hosts(a) {
		for _, text := range h.Unmet {
			all.Add(warning(text))
		}
	}
	drawn := textIf(!a.Campaign.Design.Imported(), fmt.Sprintf("order drawn from seed %d", a.Campaign.Seed))
	all.Add(doc.Paragraph{Text: drawn, Tone: doc.Soft, Depth: doc.Full},
		doc.Paragraph{Text: a.Campaign.About, Tone: doc.Soft})
	return all.Blocks
}

// hostFacts lists the machines, how they were quietened, and what changed on them.
func hostFacts(a *analysis.Answers) *doc.Entries {
	return &doc.Entries{Facts: true, Depth: doc.Full, Items: each(hosts(a), func(h host) doc.Entry {
		quiet := paragraphs(doc.Paragraph{Mark: "quiet", Text: h.Quiet, Tone: doc.Soft})
		return doc.Entry{Term: strings.Join(machineLine(h.Machine, a.Campaign.Runtimes),
			" · "), Items: append(quiet, each(prose.NonEmpty(h.change()), warning)...)}
	})}
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

// machineLine describes a machine in a few facts.
func machineLine(m *results.Machine, runtimes []string) []string {
	cpus := textIf(m.CPUs > 0, figure.Plural(m.CPUs, "CPU", "CPUs"))
	return append(prose.NonEmpty(m.Host, m.CPU, cpus, prefixed("Linux ", m.Kernel)), jdks(runtimes)...)
}

// jdks formats the names of JDKs.
func jdks(runtimes []string) []string {
	return each(runtimes, func(r string) string { return "JDK " + r })
}

// judgementBadge is the badge of a judgement.
func judgementBadge(v infer.Judgement) doc.Badge {
	kinds := map[infer.Judgement]string{
		infer.Regression: "badmark", infer.Improvement: "lower", infer.Passed: "equivalent", infer.Same: "equivalent",
		infer.Changed: "higher", infer.Differs: "higher", infer.NotJudged: "none",
	}
	return doc.Badge{Text: v.Word(), Kind: cmp.Or(kinds[v], "undecided")}
}

// judgementTone is the tone of a judgement on a terminal.
func judgementTone(v infer.Judgement) doc.Tone {
	return map[string]doc.Tone{
		"badmark": doc.Bad, "undecided": doc.Warning, "none": doc.Warning,
	}[judgementBadge(v).Kind]
}

// gateSection is about the gate: a row for each cell, then the verdict; nil without a gate.
func gateSection(a *analysis.Answers) *doc.Section {
	if a.Gate == nil {
		return nil
	}
	g := a.Gate.Gate
	several := slices.ContainsFunc(a.Gate.Cells, func(c analysis.GateCell) bool { return c.Limit != nil })
	unit := "cells"
	if several {
		unit = "rows"
	}
	about := g.Scenario + "/" + g.Metric + ", in the same blocks: at most " + allowed(a.Gate) + "; alpha " +
		formatG(g.Alpha, -1)
	about += textIf(len(a.Gate.Cells) > 1, " for the "+strconv.Itoa(len(a.Gate.Cells))+" "+unit+" together")
	t := &doc.Table{Columns: []doc.Column{{Head: "cell"}}}
	if several {
		t.Columns = append(t.Columns, doc.Column{Head: "metric"}, doc.Column{Head: "allowed", Number: true})
	}
	t.Columns = append(t.Columns, []doc.Column{
		{Head: "n", Number: true, Rank: 3, Wide: true},
		{Head: "worse by", Number: true},
		{Head: "at least", Number: true, Rank: 1},
		{Head: "at most", Number: true, Rank: 1},
		{
			Head:   "could detect",
			Number: true,
			Rank:   2,
			Wide:   true,
			Help:   "the smallest true worsening of which the gate says so with 80 % power",
		},
		{Head: "verdict"},
		{Head: "caveats", Rank: 4, Depth: doc.Unpaged},
	}...)
	over := func(ratio float64) string { return figure.SignedPercent(ratio - 1) }
	for _, c := range a.Gate.Cells {
		head := doc.Texts(c.Label)
		if several {
			l := cmp.Or(c.Limit, &results.GateLimit{})
			head = doc.Texts(c.Label, l.Metric, figure.Level(l.WorseBy)+textIf(l.Alarm, " (alarm)"))
		}
		if c.Ratio == nil || c.Ratio.Interval == nil {
			t.Rows = append(t.Rows, doc.Row{
				Tone:  judgementTone(c.Verdict),
				Cells: head,
				Span:  c.Verdict.Word() + ": " + c.Why,
			})
			continue
		}
		marks := strings.Join(c.Marks, ", ")
		found := doc.Optional(c.Detectable, figure.SignedPercent)
		t.Rows = append(t.Rows, doc.Row{Tone: judgementTone(c.Verdict), Cells: slices.Concat(
			head, doc.Texts(strconv.Itoa(c.Ratio.N), over(c.Ratio.Value), over(c.Low), over(c.High), found),
			[]doc.Cell{
				{Text: c.Verdict.Word(), Kind: judgementBadge(c.Verdict).Kind, Marks: c.Marks},
				{Text: marks, Note: prefixed("! ", marks)},
			},
		)})
	}
	sec := &doc.Section{ID: "gate", Title: "Gate", About: about, Badge: judgementBadge(a.Gate.Verdict), Last: 1}
	sec.Blocks = []doc.Block{
		t,
		doc.Paragraph{Text: a.Gate.Sentence.String(), Tone: judgementTone(a.Gate.Verdict)},
		doc.Paragraph{Text: gateLegend(several), Tone: doc.Soft, Depth: doc.Paged},
	}
	return sec
}

// gateLegend explains the columns of the gate's table.
func gateLegend(several bool) string {
	legend := "By how much each cell is worse than its reference of the same blocks, " +
		"with one-sided bounds that hold together. Below 0 is better."
	if several {
		legend += " A metric that says alarm can fail a cell, and is not asked for more. " +
			"A count's share is one of all that was counted."
	}
	return legend
}

// allowed says how much worse a gate accepts: 3 % worse than none, 5 % in cpu_ns.
func allowed(g *analysis.GateAnswer) string {
	text := figure.Level(g.Gate.WorseBy) + " worse than " + g.Gate.Reference
	for _, l := range g.Gate.Also {
		text += ", " + figure.Level(l.WorseBy) + " in " + l.Metric
	}
	return text
}
