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
	"moobench/analysis/stats"
	"moobench/results"
)

// runsMost is the largest number of invocations of a scenario that are all listed. Of more, the first of each
// cell is listed, up to runsFew.
const runsMost, runsFew = 600, 240

// commands says how to repeat the measurement: its provenance, and the command lines of all variants.
func commands(a *analysis.Answers) *doc.Section {
	sec := &doc.Section{
		ID:    "commands",
		Title: "Reproduce",
		About: "Each variant was started as below. Words that differ between its invocations are marked, " +
			"and each invocation’s own are in its row, in the same order.",
		Depth:  doc.Paged,
		Blocks: []doc.Block{facts(provenance(a))},
	}
	for _, s := range a.Scenarios {
		all, more := commandLines(a, &s)
		sec.Add(each(all, func(l *doc.Listing) doc.Block { return l })...)
		left := textIf(more > 0, strconv.Itoa(more)+" more invocations of "+s.Label+
			" are not listed: moobench report DIR --format json has all command lines.")
		sec.Add(doc.Paragraph{Tone: doc.Warning, Text: left})
	}
	return sec
}

// commandLines has a listing for the invocations of each variant whose command lines differ only in single
// words: they have equally many words, and the same artifacts. It also returns the number of invocations that
// are not listed.
func commandLines(a *analysis.Answers, s *analysis.Scenario) (all []*doc.Listing, more int) {
	own := slices.DeleteFunc(slices.Clone(a.Invocations), func(inv analysis.Invocation) bool {
		return s.Cell(inv.Cell) == nil
	})
	listed, seen := map[string]bool{}, map[string]bool{}
	for _, inv := range own {
		if len(own) <= runsMost || !seen[inv.Cell] && len(listed) < runsFew {
			listed[inv.ID], seen[inv.Cell] = true, true
		}
	}
	type kind struct {
		variant, artifacts string
		words              int
	}
	groups := stats.Grouped(own, func(inv analysis.Invocation) kind {
		c := s.Cell(inv.Cell)
		return kind{c.Variant, fmt.Sprint(c.Launch.Artifacts), len(wordsOf(inv))}
	})
	place := func(group []analysis.Invocation) int {
		return slices.IndexFunc(s.Cells, func(c analysis.Cell) bool {
			return c.Variant == s.Cell(group[0].Cell).Variant
		})
	}
	slices.SortStableFunc(groups, func(a, b []analysis.Invocation) int { return place(a) - place(b) })
	for _, group := range groups {
		runs := slices.DeleteFunc(slices.Clone(group), func(inv analysis.Invocation) bool { return !listed[inv.ID] })
		if len(runs) > 0 {
			all = append(all, listing(s, runs, len(group)))
		}
	}
	return all, len(own) - len(listed)
}

// listing is the first of n command lines, with the differing words of the listed ones.
func listing(s *analysis.Scenario, runs []analysis.Invocation, n int) *doc.Listing {
	first, launch := s.Cell(runs[0].Cell), s.Cell(runs[0].Cell).Launch
	about := figure.Plural(n, "invocation", "invocations") +
		textIf(len(runs) < n, ", "+figure.Count(int64(len(runs)))+" of them listed")
	l := &doc.Listing{Title: first.Variant, About: s.Label + " · " + about}
	artifacts := each(launch.Artifacts, func(x results.Artifact) string { return join(x.Name, x.SHA256) })
	l.Notes = append(artifacts, prose.NonEmpty( // before the start, and of a JVM that runs already
		prefixed("classes prepared by: ", strings.Join(launch.Prepare, " ")),
		prefixed("then attached: ", launch.Attach), prefixed("then activated: ", launch.Activate),
		prefixed("then deactivated: ", launch.Deactivate))...)
	l.Words = each(wordsOf(runs[0]), func(word string) doc.Word { return doc.Word{Text: word} })
	for _, inv := range runs {
		for i, word := range wordsOf(inv) {
			l.Words[i].Marked = l.Words[i].Marked || word != l.Words[i].Text
		}
	}
	l.Runs = &doc.Table{
		Runs:    true,
		Legend:  []string{"invocations of " + first.Variant},
		Columns: doc.TextColumns("invocation", "level", "how it ran", "in place of the marked words"),
	}
	for _, inv := range runs {
		how := strings.Join(prose.NonEmpty(string(inv.Profile), string(inv.Status), prefixed("CPUs ", inv.CPUs),
			prefixed("exit ", inv.Exit), settingsText(inv.Settings),
			textIf(inv.Invalid != "", "invalid"),
			textIf(inv.Disturbed != nil, "disturbed"+prefixed(", repeated as ", inv.RepeatedBy)),
			textIf(inv.EnvPad > 0, figure.Plural(inv.EnvPad, "byte of padding", "bytes of padding"))), " · ")
		c := s.Cell(inv.Cell)
		row := doc.Row{Cells: doc.Texts(inv.ID, join(textIf(c.Role == results.RoleAA, "A/A"), c.Level), how, "")}
		for i, w := range wordsOf(inv) {
			if l.Words[i].Marked {
				row.Cells[3].Codes = append(row.Cells[3].Codes, w)
			}
		}
		l.Runs.Rows = append(l.Runs.Rows, row)
	}
	return l
}

// wordsOf is a command line with its environment, each word as a shell reads it.
func wordsOf(inv analysis.Invocation) []string {
	if len(inv.Command) == 0 {
		return nil
	}
	set := each(inv.Env, func(variable string) string {
		name, value, _ := strings.Cut(variable, "=") // the name must not be quoted
		return name + "=" + shellWord(value)
	})
	return append(set, each(inv.Command, shellWord)...)
}

// shellWord quotes a word so that it can be copied into a shell.
func shellWord(w string) string {
	if w == "" || strings.ContainsAny(w, " \t\n\"'`$&|;<>(){}[]*?!#~\\") {
		return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return w
}
