package report

import (
	"fmt"
	"slices"
	"strings"

	"moobench/analysis"
	"moobench/analysis/caveat"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
)

// doubts are the caveats of every number of a campaign, one for each sentence that gives a reason.
func doubts(a *analysis.Answers) []analysis.Mark {
	lost := each(calibrations(a), func(c doc.Paragraph) string { return textIf(c.Tone == doc.Bad, c.Text) })
	var all []analysis.Mark
	add := func(kind, show string, texts ...string) {
		for _, text := range prose.NonEmpty(texts...) {
			all = append(all, analysis.Mark{Kind: kind, Show: show, Text: text})
		}
	}
	add("A/A failed", "A/A FAILED", failedSelfTests(a)...)
	add("shortened", fmt.Sprintf("shortened to %v", a.Campaign.Scale), shortened(a))
	add("calibration in doubt", "calibration in doubt", lost...)
	add("changed since sealed", "changed since it was sealed", a.Changed)
	return all
}

// campaignCaveats apply to every number of a campaign, each kind once.
func campaignCaveats(a *analysis.Answers) []analysis.Mark {
	return slices.CompactFunc(doubts(a), func(a, b analysis.Mark) bool { return a.Kind == b.Kind })
}

// headTexts are the caveats of a campaign in whole sentences, for the head of a document without room for
// warnings.
func headTexts(a *analysis.Answers) []string {
	return each(doubts(a), func(m analysis.Mark) string { return m.Text })
}

// Unsaid are the warnings that a format has no room for: the caller must print them beside it.
func Unsaid(format string, a *analysis.Answers) []string {
	if slices.Contains([]string{"text", "json", "html", "markdown", "junit", "latex-macros"}, format) {
		return nil
	}
	return a.Warnings
}

// kindsOf names each kind once, in alphabetical order: the same trouble has the same name every night.
func kindsOf(all []analysis.Mark) string {
	kinds := each(all, func(m analysis.Mark) string { return m.Kind })
	slices.Sort(kinds)
	return strings.Join(slices.Compact(kinds), "; ")
}

// ofRank selects the caveats of a rank.
func ofRank(all []analysis.Mark, rank caveat.Rank) []analysis.Mark {
	return slices.DeleteFunc(slices.Clone(all), func(m analysis.Mark) bool { return m.Rank != rank })
}

// misleads are the caveats without which a cell's numbers mislead.
func misleads(c *analysis.Cell) []analysis.Mark { return ofRank(c.Marks, caveat.Misleading) }

// explained formats caveats as printed at a number, with their reasons. A reason that was given before is not
// repeated.
func explained(all []analysis.Mark, said map[string]bool) []string {
	return each(all, func(m analysis.Mark) string {
		text := m.Show + textIf(!said[m.Text], ": "+m.Text)
		said[m.Text] = true
		return text
	})
}

// shows formats caveats as printed at a number.
func shows(all []analysis.Mark) []string {
	return each(all, func(m analysis.Mark) string { return m.Show })
}

// fact is a value with its name, such as a fact about provenance.
type fact struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

// String returns the name and the value.
func (f fact) String() string { return f.Name + " " + f.Value }

// provenance lists what is known of the origin of the answers.
func provenance(a *analysis.Answers) []fact {
	c, seed, blocks := a.Campaign, "", ""
	if !c.Design.Imported() {
		seed, blocks = fmt.Sprint(c.Seed), fmt.Sprint(c.Blocks)
	}
	all := slices.Concat([]fact{
		{"campaign", c.Name},
		{"created", c.Created.UTC().Format("2006-01-02T15:04:05Z")},
		{"source", c.Source},
		{"design", string(c.Design)},
		{"seed", seed},
		{"blocks", blocks},
		{"plan", c.PlanHash},
		{"jdk", strings.Join(c.Runtimes, ", ")},
	}, each(machineLines(a, " · "), func(line string) fact { return fact{"machine", line} }), sorted(c.Versions))
	return withValues(each(all, func(f fact) fact { return fact{doc.Clean(f.Name), doc.Clean(f.Value)} }))
}

// withValues drops facts without a value.
func withValues(all []fact) []fact {
	return slices.DeleteFunc(all, func(f fact) bool { return f.Value == "" })
}

// provenanceLine is the provenance in one line.
func provenanceLine(a *analysis.Answers) string {
	return strings.Join(each(provenance(a), fact.String), " · ")
}
