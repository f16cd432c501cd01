package report

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
	"moobench/results"
)

const (
	// detailMost is the largest number of cells of a scenario that are all shown in detail. Of more, detailFew
	// are: nobody looks at a thousand small drawings.
	detailMost, detailFew = 48, 15
)

// details are limits for the cells shown in detail: up to most, all of them; of more, few. If a page becomes
// too large, it is written again with the next limits.
var details = []struct{ most, few int }{{detailMost, detailFew}, {24, 12}, {12, 8}, {6, 4}, {2, 2}}

// detailedCells is the scenario with only those cells that the page shows in detail, and the number of the others.
// The table of cells has all of them.
func detailedCells(s *analysis.Scenario, step int) (few *analysis.Scenario, more int) {
	if len(s.Cells) <= details[step].most {
		return s, 0
	}
	d := *s
	d.Cells = s.Cells[:details[step].few]
	return &d, len(s.Cells) - len(d.Cells)
}

// spread has the variance components of each cell.
func (b *builder) spread() *doc.Section {
	unit := primary(b.s).Unit
	t := &doc.Table{
		Legend: []string{
			"variance components after Kalibera and Jones: between invocations, less what their batches add; " +
				"and between the means of batches inside an invocation. " +
				"What batches add is computed as if they were independent. " +
				"If they are correlated instead, as batches of one JVM often are, they add more: " +
				"apart from chance, the sd and the share between invocations are at most these, " +
				"and the share within is at least the rest",
		},
		Columns: append(doc.TextColumns("cell"),
			doc.NumberColumns("sd between invocations, at most", "sd within", "share between (ICC), at most",
				"share within, at least")...),
	}
	for _, c := range b.s.Cells {
		if v := metricOf(&c, b.s.Primary).Components; v != nil && c.Invalid == "" {
			t.Rows = append(t.Rows, doc.Row{
				Cells: doc.Texts(c.Label, figure.Quantity(v.BetweenSD, unit), figure.Quantity(v.WithinSD, unit),
					figure.Percent(v.ICC), figure.Percent(1-v.ICC)),
			})
		}
	}
	return &doc.Section{
		Title:  "Spread between and within invocations",
		About:  "where the variance lies",
		Folded: true,
		Depth:  doc.Paged,
		Blocks: []doc.Block{t},
	}
}

// odd lists the invocations that were disturbed, or ran with other settings than the campaign's first one.
func (b *builder) odd() *doc.Section {
	t := &doc.Table{Columns: doc.TextColumns("invocation", "cell", "other settings", "disturbed by", "repeated")}
	for _, inv := range b.a.Invocations {
		if inv.Scenario != b.s.Label || inv.Disturbed == nil && len(inv.Settings) == 0 {
			continue
		}
		disturbed, repeated := "", textIf(inv.RepeatedBy != "", "as "+inv.RepeatedBy+", and still counts")
		if inv.Disturbed != nil {
			disturbed, repeated = inv.Disturbed.Reason, cmp.Or(repeated, "no: it stays in")
		}
		t.Rows = append(t.Rows, doc.Row{
			Cells: doc.Texts(inv.ID, labelOf(b.s, inv.Cell), settingsText(inv.Settings), disturbed, repeated),
		})
	}
	about := strconv.Itoa(len(t.Rows)) + " disturbed, or with other settings than the first invocation"
	return &doc.Section{
		Title:  "Invocations that stand out",
		About:  about,
		Folded: true,
		Depth:  doc.Paged,
		Blocks: []doc.Block{t},
	}
}

// settingsText formats settings: "governor powersave, turbo on".
func settingsText(settings map[string]string) string {
	texts := each(sorted(settings), func(f fact) string { return f.Name + " " + cmp.Or(f.Value, "not known") })
	return strings.Join(texts, ", ")
}

// troubles lists the failures and warnings of all cells, or the first of many.
func (b *builder) troubles() *doc.Section {
	sec := &doc.Section{Title: "Failures and warnings", Depth: doc.Paged}
	for _, c := range b.s.Cells {
		for _, f := range c.Failures {
			sec.Add(&doc.Listing{
				Title: c.Label + ": " + f.Invocation + " failed: " + f.Kind + ": " + f.Message,
				Words: []doc.Word{{Text: cmp.Or(f.Cause, f.LogTail)}},
			})
		}
		for _, w := range c.Warnings {
			sec.Add(doc.Paragraph{Text: c.Label + " (" + strconv.Itoa(w.Count) + " ×): " + w.Text})
		}
	}
	if more := len(sec.Blocks) - namesMost; more > 0 {
		sec.Blocks = append(sec.Blocks[:namesMost], doc.Paragraph{
			Text: strconv.Itoa(more) + " more: moobench report DIR --format json has them all.",
		})
	}
	return sec
}

// method says how a campaign was measured and analysed.
func method(a *analysis.Answers) *doc.Section {
	c := a.Campaign
	sec := &doc.Section{ID: "method", Title: "Method", Depth: doc.Paged}
	sec.Add(doc.Paragraph{Text: designText(a)})
	speeds := each(a.Scenarios, func(s analysis.Scenario) string { return speedText(&s) })
	sec.Add(doc.Paragraphs(doc.Paragraph{}, speeds...)...)
	sec.Add(doc.Paragraph{Text: statisticsText})
	if a.Loops.Share != nil {
		sec.Add(doc.Paragraph{
			Text: figure.Percent(*a.Loops.Share) +
				" of the wall time of all invocations lay inside the measured loops, " +
				"agents’ own start-up left out.",
		})
	}
	var blocks, left string
	if !c.Design.Imported() {
		blocks = strconv.Itoa(c.Blocks) + " planned" + textIf(c.Extra > 0, " · "+strconv.Itoa(c.Extra)+" extra") +
			textIf(c.ExtraFailed > 0, " · "+strconv.Itoa(c.ExtraFailed)+" of these for failed invocations") +
			textIf(c.ExtraDisturbed > 0, " · "+strconv.Itoa(c.ExtraDisturbed)+" of these for disturbed ones")
	}
	if c.Superseded > 0 {
		ids := each(a.Superseded, func(s analysis.Superseded) string { return s.ID })
		left = strconv.Itoa(c.Superseded) + " of interrupted blocks, which were started again: " +
			strings.Join(ids, ", ")
	}
	sec.Add(facts(withValues([]fact{{"last invocation ended", moment(c.End,
		"2006-01-02 15:04:05 UTC")}, {"blocks", blocks}, {"sessions", strconv.Itoa(c.Sessions)}, {"left out", left}})))
	return sec
}

// designText describes the order of a campaign's measurements, and the basis of its intervals.
func designText(a *analysis.Answers) string {
	c := a.Campaign
	switch c.Design {
	case results.DesignPaired:
		return "This campaign was imported from " + c.Source +
			", which records which invocations were made together, and not in which order; " +
			"no order and no A/A were invented. Each invocation is one value; " +
			"differences and ratios are paired within blocks, with Student’s t over blocks. " + neighboursText +
			" All blocks have the same order: the differences include the effect of a place in it."
	case results.DesignUnordered:
		return "This campaign was imported from " + c.Source +
			", which recorded no order: there are no blocks, no pairs and no A/A, and none were invented. " +
			"Each invocation is one value; differences are between means, with Welch’s interval."
	}
	return "Each block started every cell once, in an order shuffled from seed " + strconv.FormatUint(c.Seed, 10) +
		", with a second baseline at every factor level (A/A). " +
		"Each invocation, one JVM from start to exit, is one value: " +
		"calls inside it are correlated, and no interval is taken over them. " +
		"Differences and ratios are paired within blocks, with Student’s t over blocks; " +
		"those of one factor level hold together at 95 % (Bonferroni). " + neighboursText +
		" The A/A fails when its two baselines differ at the 1 % level (Holm over all of them)."
}

// neighboursText says how the variance allows for alike neighbouring blocks.
const neighboursText = "From eight blocks on, the variance of a mean over blocks is multiplied by " +
	"F = (1 + ρ)/(1 − ρ), ρ being the correlation of neighbouring blocks, " +
	"corrected for its bias and shrunk towards 0 (Bayley and Hammersley 1946)."

// statisticsText says how all campaigns are analysed.
const statisticsText = "The steady state of an invocation is found in the means of its batches: " +
	"changepoints by PELT (Killick, Fearnhead and Eckley 2012) with Barrett’s penalty, " +
	"a difference of 1 % in the mean counting, and a guard against trends; " +
	"stretches in which the JVM’s compilers worked for 0.5 % of the loop or more are left out of it. " +
	"A Hampel filter serves detection only: estimates use every sample of the window, pauses included. " +
	"The smallest detectable effect is the one that such a design finds with 80 % power (noncentral t). " +
	"Quantiles are of type 7 inside an invocation; over invocations stands their median, " +
	"with its order-statistic interval."

// facts is a table of names and values.
func facts(all []fact) *doc.Table {
	rows := each(all, func(f fact) doc.Row { return doc.Row{Cells: doc.Texts(f.Name, f.Value)} })
	return &doc.Table{Columns: doc.TextColumns("", ""), Rows: rows}
}

// sorted lists names with their values, in alphabetical order.
func sorted(all map[string]string) []fact {
	return each(slices.Sorted(maps.Keys(all)), func(name string) fact { return fact{name, all[name]} })
}
